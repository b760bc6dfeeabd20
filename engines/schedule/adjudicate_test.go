package schedule

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// opinion is a player that reports given scores; the score depends on whether it has preset
// bad.
type opinion struct {
	engines.Player
	bad      bool
	x, other func(decision int) float64
	chosen   int
}

func (o *opinion) Configure(v []float64) error {
	o.bad = v[0] == 0
	return o.Player.Configure(v)
}

func (o *opinion) Reset(position string, seed uint64) error {
	o.chosen = 0
	return o.Player.Reset(position, seed)
}

func (o *opinion) Choose(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
	d, err := o.Player.Choose(ctx, h, l)
	if o.bad {
		d.Score = o.x(o.chosen)
	} else {
		d.Score = o.other(o.chosen)
	}
	o.chosen++
	return d, err
}

func always(score float64) func(int) float64 { return func(int) float64 { return score } }

// TestAdjudicationEndsAtFirstPly ends games after the ply at which a rule first applies. A rule
// that does not apply changes no game.
func TestAdjudicationEndsAtFirstPly(t *testing.T) {
	resign := func(s float64, n int) play.Adjudication {
		return play.Adjudication{Resign: play.Resign{Score: s, Moves: n}}
	}
	draw := func(d play.DrawRule) play.Adjudication { return play.Adjudication{Draw: d} }
	for _, c := range []struct {
		name     string
		a        play.Adjudication
		x, other func(int) float64
		score    float64
		plies    [2]int // of the game that A starts, and of the other; the opening has 4; 0 for no adjudication
	}{
		{"off", play.Adjudication{}, always(-1e9), always(0), 0, [2]int{}},
		{"bound", play.Adjudication{MaxPlies: 11}, always(0), always(0), 0.5, [2]int{11, 11}},
		{"bound beyond the end", play.Adjudication{MaxPlies: 5000}, always(0), always(0), 0, [2]int{}},
		// A moves at plies 5, 7, 9 of its first game and at 6, 8, 10 of the other.
		{"resign", resign(300, 3), always(-300), always(300), 0, [2]int{9, 10}},
		{"resign too mild", resign(300, 3), always(-299), always(300), 0, [2]int{}},
		{"the other resigns", resign(300, 2), always(-1), always(-301), 1, [2]int{8, 7}},
		{"resign interrupted", resign(300, 3), func(i int) float64 { return []float64{-400, -400, 0, -400, -400, -400}[min(i, 5)] }, always(0), 0, [2]int{15, 16}},
		{"resign by win rate", resign(-0.05, 1), always(0.04), always(0.96), 0, [2]int{5, 6}},
		{"no number", resign(300, 1), always(math.NaN()), always(math.NaN()), 0, [2]int{}},
		{"draw", draw(play.DrawRule{Score: 10, Moves: 2}), always(-10), always(10), 0.5, [2]int{8, 8}},
		{"draw later", draw(play.DrawRule{Score: 10, Moves: 2, After: 13}), always(0), always(0), 0.5, [2]int{13, 13}},
		{"draw of one mind", draw(play.DrawRule{Score: 10, Moves: 2}), always(0), always(11), 0, [2]int{}},
		{"draw by win rate", draw(play.DrawRule{Score: 0.02, Moves: 1, Even: 0.5}), always(0.49), always(0.51), 0.5, [2]int{6, 6}},
		{"resign before draw", play.Adjudication{Resign: play.Resign{Score: 0, Moves: 2}, Draw: play.DrawRule{Score: 10, Moves: 2}}, always(1), always(-1), 1, [2]int{8, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			natural, m := campaign(t, 2)
			playAll(t, natural, &Fixed{X: vector(t, "bad"), Than: vector(t, "final"), Pairs: 3})
			want := slices.Clone(m.games)
			campaign, m := campaign(t, 2)
			sound := campaign.Variant.NewPlayer
			campaign.Variant.NewPlayer = func() engines.Player { return &opinion{Player: sound(), x: c.x, other: c.other} }
			campaign.Setup.Adjudication = c.a
			playAll(t, campaign, &Fixed{X: vector(t, "bad"), Than: vector(t, "final"), Pairs: 3})
			for i, g := range m.games {
				plies := c.plies[i%2]
				switch {
				case plies == 0 || plies >= int(want[i].Plies): // the game's own end comes first
					if !reflect.DeepEqual(g, want[i]) {
						t.Errorf("game %d: ended by %s after %d plies, by its rules by %s after %d", i, g.Reason, g.Plies, want[i].Reason, want[i].Plies)
					}
				case g.Reason != "adjudicated" || int(g.Plies) != plies || g.AScore != c.score:
					t.Errorf("game %d: X scored %v by %s after %d plies, want %v adjudicated after %d", i, g.AScore, g.Reason, g.Plies, c.score, plies)
				}
			}
			if m.trials[0].FaultsA+m.trials[0].FaultsB != 0 {
				t.Error("an adjudicated game counts as a fault")
			}
		})
	}
}

// TestOutcomeOfGameComesBeforeAdjudication has a bound at exactly the ply at which a game ends
// by its own rules: the game keeps its own outcome.
func TestOutcomeOfGameComesBeforeAdjudication(t *testing.T) {
	c, m := campaign(t, 1)
	playAll(t, c, &Fixed{X: vector(t, "bad"), Than: vector(t, "final"), Pairs: 1})
	want := m.games[0]
	c, m = campaign(t, 1)
	c.Setup.Adjudication.MaxPlies = int(want.Plies)
	playAll(t, c, &Fixed{X: vector(t, "bad"), Than: vector(t, "final"), Pairs: 1})
	if !reflect.DeepEqual(m.games[0], want) {
		t.Errorf("%+v\nwant %+v", m.games[0], want)
	}
}
