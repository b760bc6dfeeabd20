package external_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/params"
	"selfplaylab/params/formats"
)

// unhurried allows any delay, so that no game is lost by time on a busy machine.
const unhurried = `timemargin = "1m"`

// TestCheckReportsGoodAndBadEngines compares the reports of good and bad engines.
func TestCheckReportsGoodAndBadEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts programs")
	}
	t.Parallel()
	v := variant(t, "connectfour", small)
	for _, c := range []struct {
		fault, file string
		want        string // in Problems; "" for no fault
	}{
		{"good", "", "write repeatable = true"},
		{"good", "repeatable = true", ""},
		{"crash-start", "", "It cannot be used"},
		{"crash=3", "", "It loses a game by crash"},
		{"illegal=3", "", "It loses a game by illegal"},
		{"foreign", "", "It loses a game by garbage"},
		{"foreign", "", "It was killed 3 times because of what it did"},
		{"crash=3", "", "It ended by itself"},
		{"illegal=3", "", `engine mock: answered "1", which is not legal`},
		{"untunable", "", "It cannot be tuned: with every parameter changed by one step: "},
		{"untimed", "", "With limits time=100ms it does not play: engine mock: answered with no move"},
		{"confused", "", `answers query gameover with true, and here it is false`},
		{"moody", "repeatable = true", "It does not repeat itself, though its file says so"},
	} {
		r := external.Check(context.Background(), mockFile(t, c.fault, unhurried, c.file), v)
		text := strings.Join(r.Problems, "\n")
		if c.want == "" && text != "" || !strings.Contains(text, c.want) || strings.Count(text, "otherwise than the referee") > 1 {
			t.Errorf("%s: %q; want %q", c.fault, text, c.want)
		}
		if c.fault == "moody" && !strings.Contains(r.Nodes, "it searched 0 of 1000 nodes, twice, and decided otherwise") {
			t.Errorf("fixed nodes: %s", r.Nodes)
		}
		if c.fault == "good" && (len(r.Games) != 4 || !r.Judged || !r.Repeats || r.Identity.Name != "Mock" || len(r.Space) != 1 || len(r.Options) != 3) {
			t.Errorf("%s: %+v", c.fault, r)
		}
	}
}

// TestCheckHelpsAuthorsOfUCIEngines expects reports of
// ignored limits of nodes, late moves and ignored options.
func TestCheckHelpsAuthorsOfUCIEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts many programs")
	}
	t.Parallel()
	v := variant(t, "chess", "")
	check := func(fault string, more ...string) external.Report {
		return external.Check(context.Background(), engineFile(t, append([]string{`name = "mock"`, `protocol = "uci"`, `games = ["chess"]`,
			`args = ["uci", "` + fault + `"]`, `env = {` + mockKey + ` = "any"}`, `limits = "depth=1"`}, more...)...), v)
	}
	r := check("delay", `timemargin = "1ms"`)
	if !r.Timed || r.Late < 40*time.Millisecond || !strings.Contains(strings.Join(r.Problems, "\n"), "Move Overhead") {
		t.Errorf("late by %v: %q", r.Late, r.Problems)
	}
	if r.Tried != 40 || len(r.NoEffect) != 40 || r.NoEffect[0] != r.Space[0].Name {
		t.Errorf("of %d parameters %q are without effect; it reads none", r.Tried, r.NoEffect)
	}
	if r.Nodes != "it searched 0 of 1000, twice, and chose the same move" {
		t.Errorf("fixed nodes: %s", r.Nodes)
	}
	if r := check("restless"); !strings.HasPrefix(r.Nodes, "it does not repeat: of 1000 nodes it searched ") {
		t.Errorf("fixed nodes: %s", r.Nodes)
	}
	if r := check("shallow"); !strings.Contains(strings.Join(r.Problems, "\n"), "With 1000 nodes to search it stopped after 4: ") {
		t.Errorf("fixed nodes: %q", r.Problems)
	}
	if r := check("endless"); !strings.HasPrefix(r.Nodes, "not supported: engine mock: it does not keep to go nodes: asked for 1 node, it searched 1000000 ") {
		t.Errorf("fixed nodes: %s", r.Nodes)
	}
	r = external.Check(context.Background(), engineFile(t, `name = "mock"`, `protocol = "uci"`, `games = ["chess"]`, `limits = "depth=1"`,
		fmt.Sprintf(`args = ["bestmove (none)", %q, ""]`, filepath.Join(t.TempDir(), "log")), `env = {`+mockKey+` = "uci"}`), v)
	if want := `The default of the option Odd, "500", is none of the values it takes, 0 to 100: `; !strings.Contains(strings.Join(r.Problems, "\n"), want) {
		t.Errorf("%q; want %s", r.Problems, want)
	}
}

// TestCheckWaitsOnceForSilentEngine expects a single wait for a program that does not answer.
// A game lost only in the second playing is lost, too.
func TestCheckWaitsOnceForSilentEngine(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	r := external.CheckWithin(mockFile(t, "hang", ""), v, 100*time.Millisecond)
	if want := "It loses a game by stall: engine mock: no answer within 100ms while thinking over move "; len(r.Games) != 1 || !r.Failed() ||
		len(r.Problems) == 0 || !strings.HasPrefix(r.Problems[0], want) {
		t.Errorf("%d games: %q", len(r.Games), r.Problems)
	}
	r = external.Check(context.Background(), mockFile(t, "illegal=24", ""), v)
	for _, g := range r.Games {
		if g.Fault != "" {
			t.Errorf("a legal game has a fault: %+v", g)
		}
	}
	if !r.Failed() || !strings.Contains(strings.Join(r.Problems, "\n"), "It loses a game by illegal") {
		t.Errorf("%q", r.Problems)
	}
}

// TestCheckChoosesLimitsOfProtocol expects limits that the
// protocol supports for an engine whose file has none.
// The report says what a match does.
func TestCheckChoosesLimitsOfProtocol(t *testing.T) {
	t.Parallel()
	e := engineFile(t, `protocol = "gomocup"`, `games = ["gobang:size=9"]`, `args = ["lf"]`, `env = {`+mockKey+` = "brain"}`, unhurried)
	r := external.Check(context.Background(), e, variant(t, "gobang", "size=9"))
	want := "It cannot use the default limits of gobang, depth=3: without --limits both sides get 1 s per move."
	if r.Failed() || r.Limits.String() != "time=100ms" || !strings.Contains(strings.Join(r.Problems, "\n"), want) {
		t.Errorf("by %s, %+v", r.Limits, r)
	}
	if r := external.Check(context.Background(), mockFile(t, "good", ""), variant(t, "connectfour", small)); r.Limits.Depth != 1 {
		t.Errorf("limits of a file: %s", r.Limits)
	}
}

// TestCheckPassesOurEngines expects no problem of this project's engines except the missing
// claim.
func TestCheckPassesOurEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays games through processes")
	}
	t.Parallel()
	for _, c := range []struct{ game, rules, protocol, more string }{
		{"quoridor", "", "ugi", ""}, {"connectfour", "", "ugi", ""}, {"mills", "preset=dasanqi", "ugi", `limits = "nodes=200"`},
		{"gobang", "", "gomocup", "dialect = \"yixin\"\nlimits = \"depth=1\""}, {"quoridor", "variant=standard", "ugi", ""},
	} {
		e := ourFile(t, c.game, c.protocol, "repeatable = true", unhurried, c.more)
		r := external.Check(context.Background(), e, variant(t, c.game, c.rules))
		if len(r.Problems) > 0 || !r.Repeatable() || len(r.Games) != 4 {
			t.Errorf("%s %s: %q, repeats %v, %d games", c.protocol, c.game, r.Problems, r.Repeats, len(r.Games))
		}
		for _, g := range r.Games {
			if g.Reason == engines.IllegalMove || len(g.Moves) < 3 {
				t.Errorf("%s %s: %+v", c.protocol, c.game, g)
			}
		}
	}
}

// TestCheckTriesRatiosOfWeights expects that the ratio group of all weights of an evaluation passes,
// and reports a problem of a ratio group that lacks some of them.
func TestCheckTriesRatiosOfWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts programs")
	}
	t.Parallel()
	v := variant(t, "quoridor", "")
	start, err := v.Game.Preset(v.Game.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	var weights params.Space
	var values params.Vector
	for i, p := range v.Game.Space {
		if p.Ratio != "" {
			weights, values = append(weights, p), append(values, start.Vector[i])
		}
	}
	for kept, want := range map[int]string{len(weights): "", 2: `With the weights of the group ratio = "scale" times 2 it decides otherwise`} {
		tables, err := formats.Write("toml", weights[:kept], values[:kept])
		if err != nil {
			t.Fatal(err)
		}
		r := external.Check(context.Background(), ourFile(t, "quoridor", "ugi", unhurried, "repeatable = true", string(tables)), v)
		if !slices.Equal(r.Scaled, []string{"scale"}) {
			t.Errorf("%d weights: tried %q", kept, r.Scaled)
		}
		if problems := strings.Join(r.Problems, "\n"); want == "" && problems != "" || !strings.Contains(problems, want) {
			t.Errorf("%d weights: %q; want %q", kept, problems, want)
		}
	}
}
