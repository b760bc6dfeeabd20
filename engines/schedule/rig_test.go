package schedule

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/quoridor"
	"selfplaylab/params"
)

// phase is the phase of all trials in these tests.
const phase = "test"

// memory is a Recorder that keeps rows.
type memory struct {
	trials []datasets.TrialRow
	games  []datasets.GameRow
	moves  []datasets.MoveRow
}

func (m *memory) Append(t datasets.TrialRow, g []datasets.GameRow, moves []datasets.MoveRow) error {
	m.trials = append(m.trials, t)
	m.games = append(m.games, g...)
	m.moves = append(m.moves, moves...)
	return nil
}

func open(t testing.TB, rules engines.Rules) engines.Variant {
	t.Helper()
	v, err := quoridor.Game().Open(rules)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func vector(t testing.TB, name string) params.Vector {
	t.Helper()
	p, err := quoridor.Game().Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return p.Vector
}

// rig is a campaign with the settings that tests change.
type rig struct {
	*Runner
	Variant engines.Variant
	Limits  [2]engines.Limits
	Workers int
	Moves   datasets.RecordMoves
	replays int
}

// campaign returns a rig for games of Quoridor that keeps its rows in memory.
func campaign(t testing.TB, workers int) (*rig, *memory) {
	m := &memory{}
	c := &Runner{Setup: play.Setup{Seed: 5, OpeningPlies: 4}, Record: m}
	return &rig{Runner: c, Variant: open(t, nil), Workers: workers}, m
}

// asker is a match in the form of these tests.
type asker interface{ source(r *rig) Source }

// Fixed is a match of a number of pairs.
type Fixed struct {
	X, Than params.Vector
	Pairs   int
	InOrder bool
}

func (f *Fixed) seats(r *rig) [2]player.Config {
	return [2]player.Config{{Name: "x", Values: f.X, Limits: r.Limits[0]}, {Name: "than", Values: f.Than, Limits: r.Limits[1]}}
}

func (f *Fixed) source(r *rig) Source {
	return &Match{PhaseName: phase, Seats: f.seats(r), Pairs: f.Pairs, InOrder: f.InOrder}
}

// Until is a match until a verdict.
type Until struct {
	Fixed
	Verdict Verdict
}

func (u *Until) source(r *rig) Source {
	m := u.Fixed.source(r).(*Match)
	m.Verdict = u.Verdict
	return m
}

// Run plays a match.
func (r *rig) Run(ctx context.Context, src asker) error {
	r.Setup.Notes, r.Setup.Times = r.Moves != datasets.NoMoves, r.Moves == datasets.TimeMoves
	r.Pool = Local{Variant: r.Variant, Workers: r.Workers}
	observe := r.Observe
	r.Observe = func(f Finished) error {
		if f.Replayed {
			r.replays++
		}
		if observe != nil {
			return observe(f)
		}
		return nil
	}
	return r.Runner.Run(ctx, src.source(r))
}

func playAll(t testing.TB, c *rig, src asker) {
	t.Helper()
	if err := c.Run(t.Context(), src); err != nil {
		t.Fatal(err)
	}
}

// rows returns a record of trials.
func rows(trials []datasets.TrialRow) iter.Seq2[Finished, error] {
	return func(yield func(Finished, error) bool) {
		for _, r := range trials {
			if !yield(Finished{Trial: r, Replayed: true}, nil) {
				return
			}
		}
	}
}

// Again plays a recorded game again.
func (r *rig) Again(ctx context.Context, t datasets.TrialRow, g datasets.GameRow, show func(play.Ply)) error {
	if g.Trial != t.Trial {
		return fmt.Errorf("a game of trial %d is none of trial %d", g.Trial, t.Trial)
	}
	game, err := GameOf(g)
	if err != nil {
		return err
	}
	w := play.NewWorker(r.Variant, r.Setup)
	f := Fixed{X: t.A, Than: t.B}
	return w.Replay(ctx, play.Job{Trial: t.Trial, Seats: f.seats(r), Stream: play.Stream(phase), Openings: t.Openings}, int(g.Pair), int(g.Game), game, show)
}

// quick returns limits with which a game of any kind takes hardly any time.
func quick(l engines.Limits) [2]engines.Limits {
	if l.Depth > 2 {
		l.Depth = 2
	}
	if l.Playouts > 50 {
		l.Playouts = 50
	}
	return [2]engines.Limits{l, l}
}
