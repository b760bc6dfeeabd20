package connectfour

import (
	_ "embed"
	"fmt"
	"slices"

	"selfplaylab/engines/mcts"
	"selfplaylab/params"
)

// The parameters, as indices of a vector.
const (
	paramC = iota
	paramLoop
	paramEps
	paramExpand
	paramFinal
	paramDecisive
	paramSolver
	paramReuse
	paramForced
	_ // ending
	paramThreads
	paramFours
	paramAnswers
)

// space returns the player's parameters.
// By default only C is tuned, because the switches are better compared one by one, on a grid.
func space() params.Space {
	off := []string{"off", "on"}
	choice := func(name, doc string, standard float64, labels ...string) params.Param {
		return params.Param{Name: name, Doc: doc, Labels: labels, Max: 1, Step: 1, Whole: true, Default: standard, Frozen: true}
	}
	careful := func(p params.Param) params.Param {
		p.Labels = append(slices.Clone(p.Labels), "careful")
		p.Max = 2
		return p
	}
	late := func(p params.Param) params.Param {
		p.Added = true
		return p
	}
	return params.Space{
		{Name: "C", Doc: "exploration: the weight of the root in UCB1, for win rates in [0, 1]", Min: 0.05, Max: 4, Default: 0.5, Step: 0.4,
			Log: true},
		choice("loop", "where a descent goes on after an expansion: below it to the end of the game (source), or at the root", 1, "source",
			"standard"),
		{Name: "eps", Doc: "added to visits, against division by zero", Min: 1e-9, Max: 1, Default: 1e-6, Step: 2, Log: true, Frozen: true},
		choice("expand", "what a leaf gets: all children with a random game each, or one", 0, "all", "one"),
		choice("final", "the move played: best win rate (source), or most visits", 0, "winrate", "visits"),
		careful(choice("decisive",
			"random games take a win and block a loss at once; careful: they also avoid playing under a four of either side", 0, off...)),
		choice("solver", "proven wins and losses are backed up", 0, off...),
		choice("reuse", "the tree is kept between moves", 0, off...),
		late(choice("forced", "the tree takes a win, otherwise blocks a loss, and never plays under the opponent's four", 0, off...)),
		{
			Name: "ending", Doc: "only off: endgames were solved exactly, at 50.0 ± 3.3 % against the player without; kept for records that name it",
			Labels: off[:1], Whole: true, Step: 1, Frozen: true, Added: true,
		},
		{
			Name: "threads", Doc: "trees searched in parallel, each with its share of playouts, nodes and memory; their move statistics are " +
				"added. Uses as many cores",
			Min: 1, Max: mcts.MaxThreads, Default: 1, Step: 1, Whole: true, Frozen: true, Added: true,
		},
		late(choice("fours", "every position of the tree is searched for wins by continuous fours; needs the solver", 0, off...)),
		{
			Name: "answers", Doc: "minimum share of the playouts for each reply to the move about to be played, however bad it looks; 0 for none",
			Max: 0.2, Step: 0.01, Frozen: true, Added: true,
		},
	}
}

//go:embed presets.toml
var presetsTOML []byte

// settings checks a vector and returns it as settings of the search.
func settings(v []float64) (mcts.Settings, error) {
	if err := space().Check(v); err != nil {
		return mcts.Settings{}, fmt.Errorf("connect four player: %w", err)
	}
	return mcts.Settings{
		Options: mcts.Options{
			C: v[paramC], Eps: v[paramEps],
			Loop:     mcts.Loop(v[paramLoop]),
			Expand:   mcts.Expand(v[paramExpand]),
			Final:    mcts.Final(v[paramFinal]),
			Rollouts: mcts.RolloutPolicy(v[paramDecisive]),
			Solver:   v[paramSolver] == 1,
			Forced:   v[paramForced] == 1,
			Fours:    v[paramFours] == 1,
			Answers:  v[paramAnswers],
		},
		Reuse:   v[paramReuse] == 1,
		Threads: int(v[paramThreads]),
	}, nil
}
