package connectfour

import (
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/levels"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports/rating"
)

// dilemma is a position in which some moves keep the result of best play and others do not.
type dilemma struct {
	position position
	keeping  []engines.Move
}

// dilemmas returns n positions of the classic board with a number of cells left, after random moves
// that neither miss nor allow a four at once. All their moves are solved exactly.
func dilemmas(n, left int) (list []dilemma) {
	r := rand.New(rand.NewPCG(4, 24))
	var e ending
	class := func(p *position) int8 {
		if p.Outcome() != engines.Ongoing {
			return int8(p.Outcome().Points(p.Turn()) - 1)
		}
		v, _, _ := e.solve(p, 1<<40)
		return v.class
	}
	for len(list) < n {
		p := boardOf(6, 7, nil)
		for int(p.left) > left && p.Outcome() == engines.Ongoing {
			moves := p.Sensible(nil)
			p.Play(moves[r.IntN(len(moves))])
		}
		if p.Outcome() != engines.Ongoing {
			continue
		}
		e.forget()
		d := dilemma{position: p}
		best, moves := class(&p), p.Moves(nil)
		for _, m := range moves {
			q := p
			if q.Play(m); -class(&q) == best {
				d.keeping = append(d.keeping, m)
			}
		}
		if len(d.keeping) < len(moves) {
			list = append(list, d)
		}
	}
	return list
}

// TestLevelsNearPerfectPlay counts the moves of a level that keep the result of best play, in
// positions where another move gives it away. The long form has earlier positions.
func TestLevelsNearPerfectPlay(t *testing.T) {
	if testing.Short() {
		t.Skip("short: searches for seconds")
	}
	left := 24
	if testmode.Long() {
		left = 30
	}
	list := dilemmas(testmode.Times(50, 4), left)
	for level, least := range map[string]float64{"1": 0.25, "5": 0.6, "8": 0.8, "10": 0.85} {
		l, err := levels.Find(Game(), level)
		if err != nil {
			t.Fatal(err)
		}
		player := open(t, "rows=6,cols=7,forbidden=none").NewPlayer()
		if err := player.Configure(l.Values); err != nil {
			t.Fatal(err)
		}
		kept := 0
		for i, d := range list {
			if err := player.Reset(d.position.String(), uint64(i)); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(d.keeping, choose(t, player, l.Limits).Move) {
				kept++
			}
		}
		share := rating.Proportion{K: kept, N: len(list)}
		in := share.Wilson(0.95)
		t.Logf("level %s keeps the result in %d of %d positions, %.1f %% (%.1f to %.1f)",
			level, kept, len(list), 100*share.Value(), 100*in.Low, 100*in.High)
		if share.Value() < least {
			t.Errorf("level %s keeps the result in %.1f %% of the positions, want at least %.0f %%", level, 100*share.Value(), 100*least)
		}
	}
}
