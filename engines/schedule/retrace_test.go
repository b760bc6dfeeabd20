package schedule

import (
	"context"
	"errors"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// TestRetraceGivesPositionsOfDecisions plays every recorded game again without its players,
// through the positions of its decisions, however it ended.
func TestRetraceGivesPositionsOfDecisions(t *testing.T) {
	wrong := odd{choose: func(context.Context, engines.Decision) (engines.Decision, error) {
		return engines.Decision{Move: 0xffff}, nil
	}}
	crash := odd{choose: func(context.Context, engines.Decision) (engines.Decision, error) { panic("boom") }}
	for _, c := range []struct {
		name    string
		fixture odd
		rules   engines.Rules
		a       play.Adjudication
		penalty bool
	}{
		{"sound", odd{}, nil, play.Adjudication{}, false},
		{"lost turns", wrong, nil, play.Adjudication{}, true},
		{"illegal", wrong, engines.Rules{"variant": "standard"}, play.Adjudication{}, false},
		{"crash", crash, nil, play.Adjudication{}, false},
		{"adjudicated", odd{}, nil, play.Adjudication{MaxPlies: 20}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			campaign, m := campaign(t, 2)
			campaign.Variant = open(t, c.rules)
			sound := campaign.Variant.NewPlayer
			campaign.Variant.NewPlayer = func() engines.Player { o := c.fixture; o.Player = sound(); return &o }
			campaign.Setup.Adjudication, campaign.Moves = c.a, datasets.KeepMoves
			playAll(t, campaign, oddMatch(t, 3))
			ref := campaign.Variant.NewReferee()
			rest, penalties := m.moves, 0
			for _, g := range m.games {
				text := strings.Fields(g.Moves)
				plies := 0
				err := Retrace(ref, g, func(s play.Step) error {
					if s.Ply != plies || s.Text != text[plies] || s.Opening != (plies < int(g.OpeningPlies)) || ref.MoveString(s.Move) != s.Text {
						t.Errorf("%+v at ply %d of %s", s, plies, g.Moves)
					}
					plies++
					if s.Penalty {
						penalties++
					}
					if s.Opening {
						return nil
					}
					if rest[0].Key != ref.Key() || rest[0].Move != s.Text {
						t.Errorf("%+v in %x, noted %+v", s, ref.Key(), rest[0])
					}
					rest = rest[1:]
					return nil
				})
				if err != nil || plies != len(text) {
					t.Errorf("%v after %d plies of %d", err, plies, len(text))
				}
				for len(rest) > 0 && rest[0].Move == "" {
					rest = rest[1:]
				}
			}
			if c.penalty != (penalties > 0) || len(rest) > 0 {
				t.Errorf("%d penalties, %d decisions left", penalties, len(rest))
			}
		})
	}
}

// TestRetraceNamesBrokenRule has records that violate the rules; the error names the rule.
func TestRetraceNamesBrokenRule(t *testing.T) {
	c, m := campaign(t, 1)
	playAll(t, c, &Fixed{X: vector(t, "final"), Than: vector(t, "v12.7"), Pairs: 1})
	ref := c.Variant.NewReferee()
	moves := strings.Fields(m.games[1].Moves)
	enough := errors.New("enough")
	for _, test := range []struct {
		name   string
		change func(g *datasets.GameRow)
		visit  func(play.Step) error
		want   string
	}{
		{"position", func(g *datasets.GameRow) { g.Position = "x" }, nil, `position "x"`},
		{"word", func(g *datasets.GameRow) { g.Moves = "e2 zz" }, nil, "ply 1: "},
		{"opening", func(g *datasets.GameRow) { g.Moves = "e9"; g.IllegalFirst = 1 }, nil, "ply 0: e9 is not legal in "},
		{"move", func(g *datasets.GameRow) { g.Moves = strings.Join(append(append([]string{}, moves[:8]...), "a1"), " ") }, nil, "ply 8: a1 is not legal in "},
		{"penalty", func(g *datasets.GameRow) {
			g.Moves, g.IllegalFirst = strings.Join(append(append([]string{}, moves[:8]...), "a1"), " "), 1
		}, nil, "nor what a penalty leaves"},
		{"short", func(g *datasets.GameRow) { g.Moves = strings.Join(moves[:8], " ") }, nil, "after its 8 plies the game goes on by these rules; recorded is "},
		{"outcome", func(g *datasets.GameRow) { g.Outcome = "1/2" }, nil, "recorded is 1/2 by goal"},
		{"reason", func(g *datasets.GameRow) { g.Reason = "time" }, nil, "by goal by these rules; recorded is "},
		{"visit", func(*datasets.GameRow) {}, func(play.Step) error { return enough }, "enough"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := m.games[1]
			test.change(&g)
			visit := test.visit
			if visit == nil {
				visit = func(play.Step) error { return nil }
			}
			err := Retrace(ref, g, visit)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "trial 0, pair 0, game 1: ") {
				t.Errorf("%v, want %q", err, test.want)
			}
			if test.visit != nil && !errors.Is(err, enough) {
				t.Errorf("%v does not wrap the visitor's", err)
			}
		})
	}
}
