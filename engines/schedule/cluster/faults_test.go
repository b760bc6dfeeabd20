package cluster

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
)

// faults are what a worker may do wrong.
var faults = map[string]func(*hooks){
	"lies":     func(h *hooks) { h.alter = func(p []play.Pair) { p[0].Games[0].Nodes[0]++ } },
	"constant": func(h *hooks) { h.meddle = func(j []play.Job) { j[0].Seats[0].Values[0]++ } },
	"twice":    func(h *hooks) { h.sends = func(b []byte) [][]byte { return [][]byte{b, b} } },
	"half":     func(h *hooks) { h.sends = func(b []byte) [][]byte { return [][]byte{b[:len(b)/2]} } },
	"fewer":    func(h *hooks) { h.sends = fewer },
	"other": func(h *hooks) {
		h.sends = func(b []byte) [][]byte {
			other := bytes.Replace(b, []byte(`"session":"`), []byte(`"session":"x`), 1)
			return [][]byte{other}
		}
	},
	"dies": func(h *hooks) {
		h.taken = func(w Work) {
			if slices.ContainsFunc(w.Jobs, func(j play.Job) bool { return j.Trial == 1 && j.From <= 3 && 3 < j.To }) {
				os.Exit(7)
			}
		}
	},
}

// fewer leaves the last pair of an answer out.
func fewer(b []byte) [][]byte {
	head, pairs, _, err := readAnswer(b)
	if err == nil {
		b, err = writeAnswer(head, pairs[:len(pairs)-1])
	}
	if err != nil {
		panic(err)
	}
	return [][]byte{b}
}

// quick is a match that takes a fraction of a second.
var quick = question{game: "quoridor", pairs: 600}

// TestRefused: workers that differ are refused with both lines, and the run goes on
// without them.
func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	other := thisBuild
	other.Source = "other"
	for _, c := range []struct {
		what string
		part part
		want []string
	}{
		{"another build", part{Build: other}, []string{"coordinator: source same (revision test), go, processor", "worker:      source other (revision test), go, processor"}},
		{"another evaluator", part{Fault: "constant"}, []string{"its numbers are others", "coordinator: source same (revision test), go, processor, quoridor ", "signature", "worker:      source same (revision test), go, processor, quoridor "}},
		{"half an answer", part{Fault: "half"}, []string{"cut short"}},
		{"fewer pairs", part{Fault: "fewer"}, []string{"other pairs than were asked"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			p, b, words := coordinator(t)
			c.part.Kind, c.part.URL = "worker", b.URL("")
			bad := start(t, c.part)
			var last string
			rows, done := &memory{}, make(chan error)
			go func() { done <- quick.play(t, t.Context(), p, rows) }()
			last = bad.until(t, "ended: the coordinator refuses this worker: ")
			words.until(t, "is refused")
			start(t, part{Kind: "worker", URL: b.URL("")})
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			rows.equal(t, quick.alone(t))
			words.mu.Lock()
			defer words.mu.Unlock()
			all := strings.Join(words.lines, "\n") + last
			for _, want := range c.want {
				if !strings.Contains(all, want) {
					t.Errorf("%q is not said:\n%s", want, all)
				}
			}
		})
	}
}

// TestMixed: a worker of another source or Go release with the same numbers plays where
// that is allowed; one with others does not. One of another processor always may.
func TestMixed(t *testing.T) {
	p, b, _ := coordinator(t)
	p.options.Mixed = true
	start(t, part{Kind: "worker", URL: b.URL(""), Fault: "constant", Build: Build{Processor: "third"}})
	start(t, part{Kind: "worker", URL: b.URL(""), Build: Build{Source: "other"}})
	other := thisBuild
	other.Processor = "other"
	if !other.same(thisBuild) {
		t.Error("another processor needs --mixed")
	}
	rows := &memory{}
	if err := quick.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	rows.equal(t, quick.alone(t))
}

// TestTwice: answers that come twice, or are of another run, change nothing.
func TestTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, fault := range []string{"twice", "other"} {
		t.Run(fault, func(t *testing.T) {
			p, b, _ := coordinator(t)
			p.schedule.lostAfter = time.Second // for answers to another run, which count for none
			start(t, part{Kind: "worker", URL: b.URL(""), Fault: fault})
			start(t, part{Kind: "worker", URL: b.URL("")})
			rows := &memory{}
			if err := quick.play(t, t.Context(), p, rows); err != nil {
				t.Fatal(err)
			}
			rows.equal(t, quick.alone(t))
			if fault == "twice" && p.schedule.differing > 0 {
				t.Errorf("%d answers differ", p.schedule.differing)
			}
		})
	}
}

// TestPoison: work that three workers died of is played by the coordinator.
func TestPoison(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	p, b, words := coordinator(t)
	p.schedule.lostAfter = time.Second
	for range 3 {
		start(t, part{Kind: "worker", URL: b.URL(""), Fault: "dies"})
	}
	rows := &memory{}
	done := make(chan error)
	go func() { done <- quick.play(t, t.Context(), p, rows) }()
	words.until(t, "this process plays it")
	start(t, part{Kind: "worker", URL: b.URL("")})
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	rows.equal(t, quick.alone(t))
}

// TestBroker: a broker that is killed and started again, empty, costs nothing but
// time.
func TestBroker(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	broker := start(t, part{Kind: "broker", URL: "127.0.0.1:0"})
	url := strings.TrimPrefix(broker.until(t, "listening "), "listening ")
	words := &said{more: make(chan struct{}, 1)}
	p, err := Open(t.Context(), Options{URL: url, Build: thisBuild, Say: words.say})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	for range 2 {
		start(t, part{Kind: "worker", URL: url})
	}
	q := question{game: "quoridor", pairs: 3000}
	rows := &memory{}
	rows.seen = func(n int) {
		if n != 5 {
			return
		}
		broker.signal(t, os.Kill)
		_ = broker.Wait() // of the kill
		again := start(t, part{Kind: "broker", URL: strings.TrimPrefix(url, "nats://")})
		again.until(t, "listening ")
	}
	if err := q.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	rows.equal(t, q.alone(t))
	if _, err := Open(t.Context(), Options{URL: url, Build: thisBuild}); err == nil || !strings.Contains(err.Error(), "another coordinator") {
		t.Errorf("a second coordinator on the broker: %v", err)
	}
}

// TestNext: workers wait for the next coordinator, which goes on where the record
// of one that was ended stops.
func TestNext(t *testing.T) {
	b, err := Listen("127.0.0.1:0", Access{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	start(t, part{Kind: "worker", URL: b.URL("")})
	rows := &memory{}
	enough := errors.New("enough")
	for n := range 2 {
		p, err := Open(t.Context(), Options{Broker: b, Build: thisBuild})
		if err != nil {
			t.Fatal(err)
		}
		setup, src := quick.setup(t)
		c := schedule.Runner{Setup: setup, Pool: p, Record: rows}
		if n == 0 {
			c.Observe = func(f schedule.Finished) error {
				if f.Trial.Trial == 2 {
					return enough
				}
				return nil
			}
		} else {
			kept := slices.Clone(rows.trials)
			c.Replayed = func(yield func(schedule.Finished, error) bool) {
				for _, r := range kept {
					if !yield(schedule.Finished{Trial: r, Replayed: true}, nil) {
						return
					}
				}
			}
		}
		if err := c.Run(t.Context(), src); (n == 0) != errors.Is(err, enough) || n == 1 && err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	rows.equal(t, quick.alone(t))
}

// TestEngines: a worker starts no program that it is sent, and its own files in
// place of those that a run names.
func TestEngines(t *testing.T) {
	own := filepath.Join(t.TempDir(), "rapfi.toml")
	w := &Worker{Engines: []string{own}}
	for _, c := range []struct {
		e    player.Engine
		want string // in the error; "" for none
	}{
		{player.Engine{File: "/home/other/rapfi.toml", Key: "k"}, ""},
		{player.Engine{File: `C:\engines\rapfi.toml`, Key: "k"}, ""},
		{player.Engine{File: "/home/other/rapfi.toml"}, "without a hash"},
		{player.Engine{File: "/bin/evil.toml", Key: "k"}, "--engine PATH/evil.toml"},
	} {
		jobs := []play.Job{{Seats: [2]player.Config{{Name: "a"}, {Name: "b", Engine: &c.e}}}}
		err := w.seat(jobs)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.e, err, c.want)
		}
		if err == nil && jobs[0].Seats[1].Engine.File != own {
			t.Errorf("it would start %s", jobs[0].Seats[1].Engine.File)
		}
	}
}
