package alphabeta_test

import (
	"context"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

func decide(t *testing.T, p engines.Player, start string, history []engines.Move, l engines.Limits) engines.Decision {
	t.Helper()
	if err := p.Reset(start, 0); err != nil {
		t.Fatal(err)
	}
	d, err := p.Choose(context.Background(), history, l)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPlayerReportsMate uses the theory of the game: heaps of a multiple of four are lost and
// others won, in two plies for every four counters.
func TestPlayerReportsMate(t *testing.T) {
	p := newPlayer()
	for _, c := range []struct {
		start string
		depth int
		mate  int
	}{
		{"1 0", 1, 1}, {"3 1", 4, 1}, {"4 0", 2, -2}, {"5 0", 3, 3}, {"7 1", 6, 3}, {"8 0", 4, -4}, {"8 1", 9, -4}, {"9 0", 9, 5},
		{"5 0", 2, 0}, {"8 0", 3, 0}, // too far to see
	} {
		if d := decide(t, p, c.start, nil, engines.Limits{Depth: c.depth}); d.Mate != c.mate || d.Mate > 0 != (d.Score > 1e9) {
			t.Errorf("%s at depth %d: %+v, want Mate %d", c.start, c.depth, d, c.mate)
		}
	}
}

// TestScaleChangesScoresOnly expects the scores of all lines in the game's unit, and the same
// moves and mates as without a scale.
func TestScaleChangesScoresOnly(t *testing.T) {
	plain, hundredths := newPlayer(), scaledPlayer(.01)
	for _, start := range []string{"21 0", "20 1", "7 1"} {
		want := decide(t, plain, start, nil, engines.Limits{Depth: 3})
		got := decide(t, hundredths, start, nil, engines.Limits{Depth: 3})
		want.Score *= .01
		if got != want {
			t.Errorf("%s: %+v, want %+v", start, got, want)
		}
		_, wantLines, err := engines.PVs(t.Context(), plain, nil, engines.Limits{Depth: 3}, 3)
		_, lines, scaledErr := engines.PVs(t.Context(), hundredths, nil, engines.Limits{Depth: 3}, 3)
		if err != nil || scaledErr != nil || len(lines) != len(wantLines) {
			t.Fatalf("%s: %d and %d lines, %v, %v", start, len(lines), len(wantLines), scaledErr, err)
		}
		for i, l := range lines {
			if l.Score != wantLines[i].Score*.01 || l.Mate != wantLines[i].Mate {
				t.Errorf("%s: line %d is %+v, without a scale %+v", start, i, l, wantLines[i])
			}
		}
	}
}

func TestPlayerRefusesBadInput(t *testing.T) {
	p := newPlayer()
	for _, c := range []struct {
		start   string
		history []engines.Move
		limits  engines.Limits
		want    string
	}{
		{"x", nil, engines.Limits{}, `heap player: position "x": want the counters`},
		{"3 0", []engines.Move{1, 3}, engines.Limits{}, "heap player: move 2, 3, is not legal in 2 1"},
		{"3 0", []engines.Move{3}, engines.Limits{}, "heap player: no move to choose in 0 1: the game has ended, 1-0 by taken"},
		{"3 0", nil, engines.Limits{Playouts: 1}, "it makes no playouts"},
	} {
		err := p.Reset(c.start, 0)
		if err == nil {
			_, err = p.Choose(context.Background(), c.history, c.limits)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s after %v: %v, want %q", c.start, c.history, err, c.want)
		}
	}
	if d := decide(t, p, "", nil, engines.Limits{}); d.Depth != 4 { // the engine's own limits, from the start
		t.Errorf("without limits: %+v", d)
	}
	if err := p.Configure([]float64{1}); err == nil || !strings.HasPrefix(err.Error(), "heap player: ") {
		t.Errorf("a vector of one value: %v", err)
	}
}

func TestNewPlayerPanicsWithoutParameters(t *testing.T) {
	defer func() {
		if p, ok := recover().(string); !ok || !strings.Contains(p, `no parameter "search"; append Parameters`) {
			t.Errorf("panicked with %v", p)
		}
	}()
	alphabeta.NewPlayer[heap, weighed](alphabeta.Engine[heap, weighed]{Name: "heap", Space: params.Space{{Name: "fours"}}})
}

// patient is a heap at which an illegal action loses the turn.
type patient struct{ heap }

const lost engines.Move = 9

func (p *patient) Penalty() engines.Move { p.turn ^= 1; return lost }

type weighedPatient struct{ weighed }

// TestLostTurnIsFollowed has a lost turn in the history. The player follows it as any other
// move, although the search does not know it.
func TestLostTurnIsFollowed(t *testing.T) {
	p := alphabeta.NewPlayer[patient, weighedPatient](alphabeta.Engine[patient, weighedPatient]{
		Name: "patient", Space: alphabeta.Parameters(4), Limits: engines.Limits{Depth: 3},
		Start: patient{heap{left: 21}}, Node: &weighedPatient{weighed{fours: new(int32)}},
		Weigh: func(params.Vector) alphabeta.Options { return alphabeta.Options{} },
		Load:  func(w *weighedPatient, h *patient) { w.heap = h.heap },
	})
	with := decide(t, p, "9 0", []engines.Move{lost, 3}, engines.Limits{})
	if want := decide(t, p, "6 0", nil, engines.Limits{}); with != want || with.Mate != 3 {
		t.Errorf("after a lost turn %+v, without %+v", with, want)
	}
}
