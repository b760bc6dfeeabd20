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

// TestRecordedGamesRepeat replays every recorded game ply by ply, however it ended.
func TestRecordedGamesRepeat(t *testing.T) {
	wrong := odd{choose: func(_ context.Context, d engines.Decision) (engines.Decision, error) {
		return engines.Decision{Move: 0xffff}, nil
	}}
	crash := odd{choose: func(context.Context, engines.Decision) (engines.Decision, error) { panic("boom") }}
	for _, c := range []struct {
		name    string
		fixture odd
		rules   engines.Rules
		a       play.Adjudication
		reasons string
	}{
		{"sound", odd{}, nil, play.Adjudication{}, "goal"},
		{"lost turns", wrong, nil, play.Adjudication{}, "violations"},
		{"illegal", wrong, engines.Rules{"variant": "standard"}, play.Adjudication{}, "illegal"},
		{"crash", crash, nil, play.Adjudication{}, "crash"},
		{"adjudicated", odd{}, nil, play.Adjudication{MaxPlies: 20}, "adjudicated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			campaign, m := campaign(t, 2)
			campaign.Variant = open(t, c.rules)
			sound := campaign.Variant.NewPlayer
			campaign.Variant.NewPlayer = func() engines.Player { o := c.fixture; o.Player = sound(); return &o }
			campaign.Setup.Adjudication = c.a
			playAll(t, campaign, oddMatch(t, 3))
			for _, g := range m.games {
				if g.Reason != c.reasons {
					t.Fatalf("ended by %s, want %s", g.Reason, c.reasons)
				}
				var moves []string
				illegal := 0
				err := campaign.Again(t.Context(), m.trials[0], g, func(p play.Ply) {
					moves = append(moves, p.Move)
					if p.Illegal {
						illegal++
					}
					if p.Number != len(moves) || p.Opening != (p.Number <= int(g.OpeningPlies)) || p.Board.Text() == "" {
						t.Errorf("%+v", p)
					}
				})
				if err != nil || strings.Join(moves, " ") != g.Moves {
					t.Errorf("game %d of pair %d: %v\n%s\nrecorded\n%s", g.Game, g.Pair, err, strings.Join(moves, " "), g.Moves)
				}
				if c.name == "lost turns" && illegal == 0 {
					t.Error("no illegal move was shown")
				}
			}
		})
	}
}

// TestRepeatingFindsEveryChange changes a move, the end, a count or the seed: the replay finds
// it.
func TestRepeatingFindsEveryChange(t *testing.T) {
	c, m := campaign(t, 1)
	playAll(t, c, &Fixed{X: vector(t, "final"), Than: vector(t, "v12.7"), Pairs: 1})
	for g := range m.games {
		moves := strings.Fields(m.games[g].Moves)
		game := m.games[g]
		other := append([]string{}, moves...)
		other[10] = "a9"
		if other[10] == moves[10] {
			t.Fatal("the changed move is the recorded one")
		}
		game.Moves = strings.Join(other, " ")
		diverges(t, c, m, game, 11, "recorded move a9, here "+moves[10])

		game = m.games[g]
		game.Moves, game.Plies = strings.Join(moves[:20], " "), 20
		diverges(t, c, m, game, 21, "recorded move the end (goal)")
		game.Moves = strings.Join(append(append([]string{}, moves...), "a1"), " ")
		diverges(t, c, m, game, len(moves)+1, "here the end")

		game = m.games[g]
		game.Outcome = "1/2"
		diverges(t, c, m, game, 0, "recorded end 1/2 by goal")
		game = m.games[g]
		game.NodesA++
		diverges(t, c, m, game, 0, "recorded work")
		game = m.games[g]
		game.IllegalFirst = 1
		diverges(t, c, m, game, 0, "recorded illegal actions 1 and 0, here 0 and 0")
	}
	game := m.games[0]
	game.Moves = strings.Replace(game.Moves, " ", " a1 ", 1) // an illegal opening
	if err := c.Again(t.Context(), m.trials[0], game, nil); err == nil || !strings.Contains(err.Error(), "the record") {
		t.Errorf("illegal opening: %v", err)
	}
	game.Trial = 7
	if err := c.Again(t.Context(), m.trials[0], game, nil); err == nil || !strings.Contains(err.Error(), "trial 7") {
		t.Errorf("a game of another trial: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if err := c.Again(ctx, m.trials[0], m.games[0], nil); !errors.Is(err, enough) {
		t.Errorf("cancelled: %v", err)
	}
}

func diverges(t *testing.T, c *rig, m *memory, game datasets.GameRow, ply int, want string) {
	t.Helper()
	err := c.Again(t.Context(), m.trials[0], game, nil)
	d, ok := errors.AsType[*play.Divergence](err)
	if !ok || d.Ply != ply || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want a divergence at ply %d with %q", err, ply, want)
	}
}
