package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/datasets/datasetstest"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/schedule"
	"selfplaylab/engines/testmode"
)

// weaken gives a seat other values: its games are legal, and lost.
func weaken(jobs []play.Job, seat int) {
	for i := range jobs {
		values := slices.Clone(jobs[i].Seats[seat].Values)
		for k := range values {
			values[k] = -values[k]
		}
		jobs[i].Seats[seat].Values = values
	}
}

// after makes a worker honest for some pieces of work.
func after(n int, lie func(workMessage)) func(workMessage) {
	return func(h workMessage) {
		if n--; n < 0 {
			lie(h)
		}
	}
}

// liars are workers that lie and play by the rules of the game; each is made anew for a run.
var liars = map[string]func() hooks{
	"A wins":  func() hooks { return hooks{lies: func(h workMessage) { weaken(h.Jobs, 1) }} },
	"B wins":  func() hooks { return hooks{lies: func(h workMessage) { weaken(h.Jobs, 0) }} },
	"nodes":   func() hooks { return hooks{alter: func(p []play.Pair) { p[len(p)-1].Games[1].Nodes[0]++ }} },
	"changes": func() hooks { return hooks{lies: after(6, func(h workMessage) { weaken(h.Jobs, 1) })} },
	"some jobs": func() hooks { // honest where it may expect a check: single pairs, first and last ones, old numbers
		latest := uint64(0)
		return hooks{lies: func(h workMessage) {
			if h.Number > latest && h.Number%100 != 50 {
				latest = h.Number
				weaken(h.Jobs[:1], 1)
			}
		}}
	},
	"copies another": func() hooks { // two workers that lie alike
		return hooks{lies: func(h workMessage) { weaken(h.Jobs, 1) }}
	},
}

// withLiars plays a match with an honest worker and liars, in this process.
func withLiars(t *testing.T, q question, many int, make func() hooks, rows *memory, change func(*Pool)) (p *Pool, err error) {
	t.Helper()
	amongLiars(t, many, make, func(pool *Pool) {
		change(pool)
		p, err = pool, q.play(t, t.Context(), pool, rows)
	})
	return p, err
}

// amongLiars runs an honest worker and liars for a coordinator of this process.
func amongLiars(t *testing.T, many int, make func() hooks, do func(*Pool)) {
	t.Helper()
	p, b, _ := coordinator(t)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	for i := range many + 1 {
		w := &Worker{Slots: 1, Build: thisBuild}
		if i > 0 {
			w.hooks = make()
		}
		all.Go(func() { _ = w.Run(ctx, b.URL(""), Access{}) }) // its end does not matter to the run
	}
	do(p)
}

// believedNot checks the rows of a run with a liar. They are the rows of one honest machine, or
// the run ended because it had used a wrong answer, and the error names a trial before which
// they agree. (It may end before the last of these trials, or any, is recorded.)
func believedNot(t *testing.T, want, rows *memory, err error) {
	t.Helper()
	tainted, ok := errors.AsType[*schedule.TaintedError](err)
	switch {
	case err == nil:
		rows.equal(t, want)
	case !ok:
		t.Fatal(err)
	case tainted.Trial > 0:
		if before := rows.before(tainted.Trial); len(before.trials)+len(before.games) > 0 {
			before.equal(t, want.before(int64(len(before.trials))))
		}
	}
}

// before returns the trials and games before a trial.
func (m *memory) before(trial int64) *memory {
	part := &memory{trials: m.trials[:min(int(trial), len(m.trials))]}
	for _, g := range m.games {
		if g.Trial < trial {
			part.games = append(part.games, g)
		}
	}
	return part
}

// TestNoLieIsRecorded records no answer of a worker that lies in every answer. The run has the
// rows of an honest worker.
func TestNoLieIsRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays thousands of pairs")
	}
	q := question{game: "quoridor", pairs: 600}
	want := q.alone(t)
	for name, make := range liars {
		t.Run(name, func(t *testing.T) {
			many := 1
			if strings.HasPrefix(name, "copies") {
				many = 2
			}
			for range testmode.Times(1, 20) {
				rows := &memory{}
				p, err := withLiars(t, q, many, make, rows, func(*Pool) {})
				believedNot(t, want, rows, err)
				for _, m := range p.Members() {
					if m.Games > 0 && m.Compared == 0 {
						t.Errorf("never compared: %+v", m)
					}
				}
			}
		})
	}
}

// TestLateLiarIsCaught has a run that waits and uses answers unchecked: a liar that was honest
// for long is caught all the same. The error names a trial before which the rows are correct.
func TestLateLiarIsCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays thousands of pairs")
	}
	q := question{game: "quoridor", pairs: testmode.Times(1500, 2)}
	want := q.alone(t)
	for range testmode.Times(1, 20) {
		rows := &memory{}
		_, err := withLiars(t, q, 1, func() hooks { return hooks{lies: after(40, func(h workMessage) { weaken(h.Jobs, 1) })} }, rows, func(p *Pool) {
			p.dispatcher.quick, p.dispatcher.mostPairs = 0, 8
		})
		believedNot(t, want, rows, err)
	}
}

// TestBrokenRuleTaintsUsedAnswers counts an answer that violates the rules as a lie, and plays
// the used answers of its worker again.
func TestBrokenRuleTaintsUsedAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays hundreds of pairs")
	}
	q := question{game: "quoridor", pairs: 600}
	want := q.alone(t)
	shown, times := 0, testmode.Times(1, 20)
	for attempt := 0; shown < times; attempt++ {
		if attempt == 5*times {
			t.Fatalf("only %d of %d liars came to break the rules", shown, attempt)
		}
		var answers atomic.Int64
		rows, breaker := &memory{}, func() hooks {
			return hooks{
				lies: func(h workMessage) {
					if answers.Add(1) == 12 {
						weaken(h.Jobs, 1)
					}
				},
				alter: func(p []play.Pair) {
					if answers.Load() == 16 {
						p[0].Games[0].Plies++
					}
				},
			}
		}
		p, err := withLiars(t, q, 1, breaker, rows, func(p *Pool) {
			p.dispatcher.secret, p.dispatcher.quick, p.dispatcher.mostPairs = rand.New(never{}), 0, 4
		})
		p.mu.Lock()
		refused := len(p.refused)
		p.mu.Unlock()
		if refused > 0 { // the other worker may have left it too few answers
			believedNot(t, want, rows, err)
			shown++
		}
	}
}

// never draws no check: if a run waits, a liar is then only caught at the end.
type never struct{}

func (never) Uint64() uint64 { return math.MaxUint64 }

// TestTaintedRunIsResumedToHonestRows ends a run by a liar that is found late. The liar's
// answers are dropped, and the resumed run has the rows of an honest run.
func TestTaintedRunIsResumedToHonestRows(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays hundreds of pairs")
	}
	root := t.TempDir()
	made := func(name string) *record.Run {
		c := match.New()
		c.Game.Game, c.A, c.B, c.Pairs = "quoridor", player.Ask("final"), player.Ask("v12.7"), testmode.Times(600, 5)
		plan, err := c.Plan()
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.Create(filepath.Join(root, name), plan, record.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if err := made("honest").Play(t.Context(), runs.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	liar := func() hooks { return hooks{lies: after(10, func(h workMessage) { weaken(h.Jobs, 1) })} }
	var dir string
	var tainted *schedule.TaintedError
	for i := 0; tainted == nil && i < 20; i++ { // the liar may get little work, or be caught before any lie is used
		r := made(fmt.Sprint("lied to ", i))
		dir = r.Head.Dir
		amongLiars(t, 1, liar, func(p *Pool) {
			p.dispatcher.secret, p.dispatcher.quick, p.dispatcher.mostPairs = rand.New(never{}), 0, 4
			err := r.Play(t.Context(), runs.Options{Pool: p})
			if e, ok := errors.AsType[*schedule.TaintedError](err); ok {
				tainted = e
			} else if err != nil {
				t.Fatal(err)
			}
		})
	}
	if tainted == nil {
		t.Fatal("the liar was never caught late")
	}
	if trials, _ := datasetstest.Rows(t, dir, datasets.Filter{}); int64(len(trials)) > tainted.Trial {
		t.Errorf("%d trials are left of a run that is wrong from trial %d on", len(trials), tainted.Trial)
	}
	for range 2 { // the second time nothing is left to play
		r, err := record.Resume(dir, kinds.All().Find, record.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		p, b, _ := coordinator(t)
		start(t, part{Kind: "worker", URL: b.URL("")})
		if err := r.Play(t.Context(), runs.Options{Pool: p}); err != nil {
			t.Fatal(err)
		}
	}
	wantTrials, wantGames := datasetstest.Rows(t, filepath.Join(root, "honest"), datasets.Filter{})
	trials, games := datasetstest.Rows(t, dir, datasets.Filter{})
	if len(wantGames) != 2*testmode.Times(600, 5) || !reflect.DeepEqual(trials, wantTrials) || !reflect.DeepEqual(games, wantGames) {
		t.Errorf("%d trials and %d games differ from %d and %d of an honest run", len(trials), len(games), len(wantTrials), len(wantGames))
	}
}
