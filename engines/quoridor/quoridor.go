package quoridor

import (
	"math/rand/v2"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// Game returns the description of the game for the list of games.
func Game() *engines.Game {
	return &engines.Game{
		Name:  "quoridor",
		Title: "Quoridor 步步为营",
		Doc: "Two pawns race across a 9 x 9 board; a turn is a step or a wall.\n" +
			"Whoever reaches the far side first wins; walls must leave both a way there.\n\n" +
			"The greedy player steps along its shortest path or sets the wall that gains most,\n" +
			"as two weighted sums score_1 and score_2 decide. Tuned: their weights and bonuses.\n" +
			"With --limits depth=N or nodes=N, or look=always, it looks ahead instead, by alpha-beta over\n" +
			"steps and the walls that lengthen a path; look_wall, look_near and look_tempo weigh what it sees.",
		Version: 1,
		Options: []engines.Option{{
			Name: "variant", Default: "seed", Values: []string{"seed", "standard"},
			Doc: "seed: the rules of the course program 步步为营 (no diagonal jump, walls 木板 may cross, three violations 违规操作 lose); standard: the " +
				"published rules; both: the third repetition and ply 200 are draws, which the published rules lack",
		}},
		Space:         space,
		Presets:       params.MustPresets("quoridor/presets.toml", presetsTOML, space),
		DefaultPreset: "final",
		WeakPreset:    "bad",
		Tuned:         tuned,
		Budgets:       alphabeta.Budgets(),
		Proves:        1,
		Unit:          "points",
		Margins:       engines.Margins{Unit: "steps", Cap: 10},
		Strict:        engines.Strict{Doc: "strict: one second a move, three illegal actions lose", Seconds: 1, Actions: 3},
		OpeningPlies:  4,
		Pairs:         32,
		Pool:          []string{"final@depth=1", "final@depth=2"},
		PoolPairs:     350,
		New:           newVariant,
	}
}

// newVariant returns the game by checked rules.
func newVariant(rules engines.Rules) (engines.Variant, error) {
	standard := rules["variant"] == "standard"
	return engines.Variant{
		NewReferee: func() engines.Referee { return engines.NewReferee(newBoard(standard), bounds) },
		NewPlayer:  func() engines.Player { return &player{standard: standard} },
		Opening:    func(r *rand.Rand, plies int) engines.Opening { return opening(r, standard, plies) },
		Evaluate: func(position string, moves []engines.Move, v params.Vector) ([]engines.Term, error) {
			return evaluate(standard, position, moves, v)
		},
		Linear: func(v params.Vector, l engines.Limits) *engines.LinearTerms { return linear(standard, v, l) },
		Candidates: func(position string, moves []engines.Move, v params.Vector, most int) ([]engines.Candidate, error) {
			return candidates(standard, position, moves, v, most)
		},
	}, nil
}

// bounds end games of players who move back and forth.
// Games of the presets take less than half of MaxPlies.
var bounds = engines.Bounds{MaxPlies: 200, Repetitions: 3}
