package protocol

import (
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

// deskOf returns the session of a game after some moves.
func deskOf(t *testing.T, name string, moves ...string) *Session {
	t.Helper()
	g, err := games.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewSession(v)
	if err != nil {
		t.Fatal(err)
	}
	var history []engines.Move
	for _, text := range moves {
		m, err := d.ref.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		history = append(history, m)
		if err := d.Follow(history); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// TestClientsSendClocks expects the clocks in the words of each protocol.
func TestClientsSendClocks(t *testing.T) {
	clock := engines.Clock{Base: 8 * time.Second, Inc: 80 * time.Millisecond}
	both := engines.Limits{Clock: clock, Other: engines.Clock{Base: 7 * time.Second}}
	alone := engines.Limits{Clock: clock}
	e := &EngineFile{Name: "e", File: "e.toml"}
	first := &ugiClient{engine: e, session: deskOf(t, "quoridor"), offer: &Offer{}}
	second := &ugiClient{engine: e, session: deskOf(t, "quoridor", "e2"), offer: &Offer{}}
	host := &ugiClient{engine: e, session: deskOf(t, "connectfour"), offer: &Offer{}, host: true}
	mills := &millClient{ugiClient: ugiClient{engine: e, session: deskOf(t, "mills"), offer: &Offer{}}}
	for _, c := range []struct {
		what   string
		words  func(engines.Limits) (string, error)
		limits engines.Limits
		want   string
	}{
		{"ugi, first", first.goWords, both, "go p1time 8000 p2time 7000 p1inc 80 p2inc 0"},
		{"ugi, second", second.goWords, both, "go p1time 7000 p2time 8000 p1inc 0 p2inc 80"},
		{"ugi, opponent without", first.goWords, alone, "go p1time 8000 p2time 8000 p1inc 80 p2inc 80"},
		{"ugi, a time", first.goWords, engines.Limits{Time: time.Second, Margin: time.Millisecond}, "go movetime 1000"},
		{"host", host.goWords, alone, "go movetime 8000"},
		{"mill", mills.goWords, alone, "go movetime 326"}, // (8000 - 20) / 30 + 60
	} {
		if got, err := c.words(c.limits); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.what, got, err, c.want)
		}
	}
	if err := (&qtpClient{engine: e, session: deskOf(t, "quoridor"), offer: &Offer{}}).admits(both); err != nil {
		t.Errorf("qtp: %v", err)
	}
	deeper := both
	deeper.Depth = 3
	for what, words := range map[string]func(engines.Limits) (string, error){"ugi": first.goWords, "mill": mills.goWords} {
		if got, err := words(deeper); err == nil {
			t.Errorf("%s: %q for a clock and a depth", what, got)
		}
	}
}

// TestCapabilitiesAreOwn expects the capabilities of the client's own protocol, not of the
// protocol that it builds on.
func TestCapabilitiesAreOwn(t *testing.T) {
	for _, c := range []struct {
		protocol, game string
		positions      bool
		playouts       string // reason why a limit of playouts is refused
	}{
		{"ugi", "quoridor", true, "it does not say that it knows playouts"},
		{"uci", "chess", true, "UCI has depth, nodes and time"},
		{"gomocup", "gobang", true, "Gomocup's protocol has time"},
		{"uci-mill", "mills", false, "Sanmill's protocol has depth, nodes and time"},
		{"getpoint", "connectfour", true, "takes as long as it likes"},
	} {
		p, err := Find(c.protocol)
		if err != nil {
			t.Fatal(err)
		}
		g, err := games.Find(c.game)
		if err != nil {
			t.Fatal(err)
		}
		v, err := g.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		client, err := p.Connect(&EngineFile{Name: "e", File: "e.toml", Games: []Played{{Game: c.game}}}, v, deskOf(t, c.game))
		if err != nil {
			t.Fatal(err)
		}
		if u, ok := client.(*ugiClient); ok {
			u.offer = &Offer{} // as after Greet
		}
		able := client.Capabilities()
		if err := able.Limits(engines.Limits{Playouts: 5}); able.Positions != c.positions || err == nil || !strings.Contains(err.Error(), c.playouts) {
			t.Errorf("%s: positions %v, playouts: %v", c.protocol, able.Positions, err)
		}
	}
}
