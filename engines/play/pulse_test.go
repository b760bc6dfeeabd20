package play

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
)

// TestLookCountsSuspensions has looks at given times, and the number of suspensions after each.
func TestLookCountsSuspensions(t *testing.T) {
	p, start := &pulse{}, time.Now()
	for _, c := range []struct {
		at   time.Duration
		want int
	}{{0, 0}, {beat, 0}, {beat + suspension, 0}, {beat + 2*suspension + 1, 1}, {time.Hour, 2}, {time.Hour, 2}} {
		if got := p.look(start.Add(c.at)); got != c.want {
			t.Errorf("after %v: %d suspensions, want %d", c.at, got, c.want)
		}
	}
}

// suspended is a player during whose first decisions its worker's process stands still for 5 s.
type suspended struct {
	ref       engines.Referee
	pulse     func() *pulse
	times     int
	questions int
}

func (s *suspended) Configure([]float64) error { return nil }

func (s *suspended) Reset(position string, _ uint64) error { return s.ref.Reset(position) }

func (s *suspended) Choose(context.Context, []engines.Move, engines.Limits) (engines.Decision, error) {
	if s.questions++; s.questions <= s.times {
		time.Sleep(5 * time.Second)
		p := s.pulse()
		p.mu.Lock()
		p.last = p.last.Add(-time.Minute) // its goroutine stood still, too
		p.mu.Unlock()
	}
	return engines.Decision{}, &engines.Fault{Reason: engines.Resigned}
}

// TestSuspendedGameIsPlayedAgain suspends the process during a decision with a time limit. The
// game is played again, and after six suspended plays the run stops.
func TestSuspendedGameIsPlayedAgain(t *testing.T) {
	for _, c := range []struct {
		limits string
		times  int
		reason engines.Reason
		err    string
	}{
		{"time=1s", 0, engines.Resigned, ""}, {"time=1s", 2, engines.Resigned, ""}, {"tc=1", 5, engines.Resigned, ""},
		{"tc=1", 6, "", "did not run for more than 500ms in each of 6 plays of one game"}, {"", 9, engines.Resigned, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			limits, err := engines.ParseLimits(c.limits)
			if err != nil {
				t.Fatal(err)
			}
			w := NewWorker(open(t, nil), Setup{Seed: 1})
			w.pulse = &pulse{}
			go w.pulse.run(w.life)
			slow := &suspended{ref: w.variant.NewReferee(), pulse: func() *pulse { return w.pulse }, times: c.times}
			seat := func(name string) player.Config {
				return player.Config{Name: name, Limits: limits, Custom: &player.Custom{Name: name, New: func(engines.Variant) (engines.Player, error) { return slow, nil }}}
			}
			pairs, err := w.Play(t.Context(), Job{Seats: [2]player.Config{seat("x"), seat("y")}, To: 1})
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%+v: %v", c, err)
				}
			} else if err != nil || pairs[0].Games[0].Reason != c.reason {
				t.Errorf("%+v: %v, %v", c, pairs, err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
