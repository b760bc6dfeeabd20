package schedule

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// TestNotesChangeNoGame notes every decision with its position. Games are the same as without
// notes.
func TestNotesChangeNoGame(t *testing.T) {
	illegal := odd{choose: func(context.Context, engines.Decision) (engines.Decision, error) {
		return engines.Decision{Move: 0xffff, Score: 7, Nodes: 11, Depth: 2}, nil
	}}
	late := odd{choose: func(_ context.Context, d engines.Decision) (engines.Decision, error) {
		time.Sleep(50*time.Millisecond + 3*20*time.Millisecond)
		return d, nil
	}}
	crash := odd{choose: func(context.Context, engines.Decision) (engines.Decision, error) { panic("boom") }}
	for _, c := range []struct {
		name    string
		fixture odd
		rules   engines.Rules
		limits  engines.Limits
		lost    bool // by an answer without a move
	}{
		{name: "sound"},
		{name: "lost turns", fixture: illegal},
		{name: "illegal", fixture: illegal, rules: engines.Rules{"variant": "standard"}, lost: true},
		{name: "late", fixture: late, limits: engines.Limits{Time: 50 * time.Millisecond}, lost: true},
		{name: "crash", fixture: crash},
	} {
		check := func(t *testing.T) {
			play := func(moves datasets.RecordMoves, workers int) *memory {
				campaign, m := campaign(t, workers)
				campaign.Variant = open(t, c.rules)
				sound := campaign.Variant.NewPlayer
				campaign.Variant.NewPlayer = func() engines.Player { o := c.fixture; o.Player = sound(); return &o }
				campaign.Limits = [2]engines.Limits{c.limits, c.limits}
				campaign.Moves = moves
				playAll(t, campaign, oddMatch(t, 3))
				return m
			}
			m := play(datasets.KeepMoves, 1)
			checkNotes(t, open(t, c.rules), m, c.lost)
			if more := play(datasets.KeepMoves, 2); !reflect.DeepEqual(m, more) {
				t.Error("two workers gave other rows")
			}
			none := play(datasets.NoMoves, 2)
			if none.moves != nil {
				t.Errorf("%d notes without being asked", len(none.moves))
			}
			if !reflect.DeepEqual(m.games, none.games) || !reflect.DeepEqual(m.trials, none.trials) {
				t.Error("taking notes changed the games")
			}
			timed := play(datasets.TimeMoves, 2)
			took := int64(0)
			for i := range timed.moves {
				took += timed.moves[i].Micros
				timed.moves[i].Micros = 0
			}
			if took <= 0 || !slices.Equal(timed.moves, m.moves) {
				t.Errorf("timed moves took %d microseconds, and are otherwise the same: %v", took, slices.Equal(timed.moves, m.moves))
			}
		}
		if c.limits.Time > 0 { // in a synctest bubble only sleep takes time
			inner := check
			check = func(t *testing.T) { synctest.Test(t, inner) }
		}
		t.Run(c.name, check)
	}
}

// checkNotes replays every game and compares each decision with it.
func checkNotes(t *testing.T, v engines.Variant, m *memory, lost bool) {
	t.Helper()
	ref := v.NewReferee()
	rest := m.moves
	for _, g := range m.games {
		if err := ref.Reset(g.Position); err != nil {
			t.Fatal(err)
		}
		text := strings.Fields(g.Moves)
		var nodes [2]int64
		for ply := 0; ; ply++ {
			if ply >= int(g.OpeningPlies) && len(rest) > 0 && rest[0].Trial == g.Trial && rest[0].Pair == g.Pair && rest[0].Game == g.Game && int(rest[0].Ply) == ply {
				d := rest[0]
				rest = rest[1:]
				player := int32(ref.Turn()) ^ g.Game
				move := ""
				if ply < len(text) {
					move = text[ply]
				} else if !lost {
					t.Errorf("a decision after the game: %+v", d)
				}
				if d.Key != ref.Key() || d.Side != int32(ref.Turn()) || d.Player != [2]string{datasets.PlayerA, datasets.PlayerB}[player] || d.Move != move || d.Phase != g.Phase || d.Micros != 0 {
					t.Fatalf("game %d:%d ply %d, %v to play %s in %x: noted %+v", g.Pair, g.Game, ply, ref.Turn(), move, ref.Key(), d)
				}
				nodes[player] += d.Nodes
			} else if ply >= int(g.OpeningPlies) && ply < len(text) {
				t.Fatalf("game %d:%d ply %d was not noted", g.Pair, g.Game, ply)
			}
			if ply >= len(text) {
				break
			}
			move, err := ref.ParseMove(text[ply])
			if err != nil {
				t.Fatal(err)
			}
			if ref.Legal(move) {
				ref.Play(move)
			} else if ref.Penalty() == 0 {
				t.Fatalf("game %d:%d ply %d: %s lost the game", g.Pair, g.Game, ply, text[ply])
			}
		}
		if nodes != [2]int64{g.NodesA, g.NodesB} {
			t.Errorf("game %d:%d: %d nodes noted, want %d and %d", g.Pair, g.Game, nodes, g.NodesA, g.NodesB)
		}
	}
	if len(rest) > 0 {
		t.Errorf("%d notes of no game, the first %+v", len(rest), rest[0])
	}
	decisions := int64(0)
	for _, row := range m.trials {
		decisions += row.Decisions
	}
	if int64(len(m.moves)) != decisions {
		t.Errorf("%d decisions noted of %d", len(m.moves), decisions)
	}
}

// TestNotesCostOnlyTheirRows bounds memory: no memory for notes without them, and with them
// only their rows.
func TestNotesCostOnlyTheirRows(t *testing.T) {
	v := open(t, nil)
	v.NewPlayer = func() engines.Player { return &instant{ref: v.NewReferee()} }
	job := play.Job{Seats: (&Fixed{X: vector(t, "final"), Than: vector(t, "bad")}).seats(&rig{}), To: 1}
	allocations := func(notes bool) float64 {
		w := play.NewWorker(v, play.Setup{Notes: notes})
		return testing.AllocsPerRun(50, func() {
			pairs, err := w.Play(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			if noted := pairs[0].Games[0].Notes != nil; noted != notes {
				t.Fatalf("%d notes", len(pairs[0].Games[0].Notes))
			}
		})
	}
	off, on := allocations(false), allocations(true)
	// 3 a game and the list of pairs, a few more under the race detector; with notes a slice
	// for either game.
	if off > 10 || on > off+4 {
		t.Errorf("%v allocations a pair without notes, %v with; want 8 and 10", off, on)
	}
}
