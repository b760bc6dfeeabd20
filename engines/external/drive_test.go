package external_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/games"
	"selfplaylab/engines/testmode"
)

// small are the rules under which the mocks' games last at most 16 plies.
const small = "rows=4,cols=4,forbidden=none"

// variant opens a game by name and rules.
func variant(t testing.TB, game, rules string) engines.Variant {
	t.Helper()
	g, err := games.Find(game)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engines.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// mockFile writes an engine file of a mock with one fault,
// for connect four on the small board, and reads it.
func mockFile(t testing.TB, fault string, more ...string) *external.Engine {
	t.Helper()
	return engineFile(t, append([]string{
		`name = "mock"`, `protocol = "ugi"`, `games = ["connectfour:` + small + `"]`, `limits = "depth=1"`,
		`args = ["connectfour", "` + small + `", "` + fault + `"]`, `env = {` + mockKey + ` = "ugi"}`,
	}, more...)...)
}

// engineFile writes an engine file whose program is this test program.
func engineFile(t testing.TB, lines ...string) *external.Engine {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	lines = append([]string{"cmd = '" + self + "'"}, lines...)
	path := filepath.Join(t.TempDir(), "engine.toml")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := external.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// fakeClock stands still except for a step at each look.
// Its timers of the durations in fire end at once; others never end.
type fakeClock struct {
	mu   sync.Mutex
	now  time.Time
	step []time.Duration // increase at each look, in turn; 0 afterwards
	fire map[time.Duration]bool
}

func (f *fakeClock) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.step) > 0 {
		f.now = f.now.Add(f.step[0])
		f.step = f.step[1:]
	}
	return f.now
}

func (f *fakeClock) After(d time.Duration) time.Time {
	if !f.fire[d] {
		return time.Time{}
	}
	return time.Now()
}

// outcome is the end of a game between two players.
type outcome struct {
	result engines.Outcome
	reason engines.Reason
	detail string
	moves  []string
}

// game plays one game from an opening; the first fault loses it.
func game(t testing.TB, v engines.Variant, seats [2]engines.Player, open engines.Opening, limits [2]engines.Limits, seed uint64) outcome {
	t.Helper()
	ref := v.NewReferee()
	if err := ref.Reset(open.Position); err != nil {
		t.Fatal(err)
	}
	var o outcome
	var history []engines.Move
	play := func(m engines.Move) {
		o.moves = append(o.moves, ref.MoveString(m))
		ref.Play(m)
		history = append(history, m)
	}
	for _, m := range open.Moves {
		play(m)
	}
	lose := func(side engines.Side, err error) outcome {
		var fault *engines.Fault
		o.result, o.reason, o.detail = engines.Win(side.Other()), engines.Crash, err.Error()
		if errors.As(err, &fault) {
			o.reason = fault.Reason
		}
		return o
	}
	for side, p := range seats {
		if err := p.Reset(open.Position, seed); err != nil {
			return lose(engines.Side(side), err)
		}
	}
	for {
		if o.result, o.reason = ref.Result(); o.result != engines.Ongoing {
			return o
		}
		side := ref.Turn()
		d, err := seats[side].Choose(context.Background(), history, limits[side])
		if err != nil {
			return lose(side, err)
		}
		if ref.Legal(d.Move) {
			play(d.Move)
			continue
		}
		m := ref.Penalty()
		if m == 0 {
			o.result, o.reason = ref.Result()
			return o
		}
		o.moves = append(o.moves, ref.MoveString(m))
		history = append(history, m)
	}
}

// ours returns a player of the game under the default preset.
func ours(t testing.TB, v engines.Variant) engines.Player {
	t.Helper()
	p := v.NewPlayer()
	preset, err := v.Game.Preset(v.Game.PlayerPreset())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Configure(preset.Vector); err != nil {
		t.Fatal(err)
	}
	return p
}

// newRand returns a source of randomness.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// steppingClock is the machine's clock, whose wall time is an hour further off at each look.
type steppingClock struct{ step, seconds int64 }

func (c *steppingClock) Now() time.Time {
	c.seconds += c.step
	return testmode.StepWall(time.Now(), c.seconds)
}

func (c *steppingClock) After(d time.Duration) time.Time { return c.Now().Add(d) }

// TestWallClockLosesNoGame sets the wall clock forward or back by an hour between all requests of a
// program, also while it starts.
func TestWallClockLosesNoGame(t *testing.T) {
	t.Parallel()
	v := variant(t, "connectfour", small)
	for _, step := range []int64{3600, -3600} {
		clock := &steppingClock{step: step}
		p, err := mockFile(t, "good", "restart = true", unhurried).Open(context.Background(), v, process.Options{Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			o := game(t, v, [2]engines.Player{p, p2(t, v)}, engines.Opening{}, [2]engines.Limits{timed, {}}, 1)
			if o.reason.Fault() || o.result == engines.Ongoing {
				t.Errorf("steps of %d s: %v by %s: %s", step, o.result, o.reason, o.detail)
			}
		}
		if clock.seconds/step < 10 {
			t.Errorf("the clock was read %d times", clock.seconds/step)
		}
		gone(t, p)
	}
}
