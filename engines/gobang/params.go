package gobang

import (
	_ "embed"
	"math"
	"slices"

	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// Indices of the parameter vector.
const (
	pLive2 = iota
	pDead3
	pLive3
	pDead4
	pLive4
	pFive
	pDefence
	pTempo
	pHalf2
	pBroken2
	pOpen2
	pHalf3
	pBroken3
	pOpen3
	pHalf4
	pOpen4
	pEvaluator
	pTerminal
	pDistance
	pExtend
	pSearch
	pOrdering
	pTable
	pReduce
	pMargin
	pThreats
	pRootThrees
	pLeafFours
	pWidth
	pLearned
	pLikely
	pLazy
	pMakesOpen2 // the first of termParams

	pNetwork = pMakesOpen2 + len(termParams)
	pReuse   = pNetwork + 1
)

const (
	shapeDoc   = "score of a stone that sees "
	patternDoc = "evaluator patterns: a line's "
)

// space is the parameter space of the game.
var space = slices.Concat(params.Space{
	shapeParam("live2", 60, shapeDoc+"two of its own, both ends free"),
	shapeParam("dead3", 70, shapeDoc+"three, one end blocked"),
	shapeParam("live3", 1250, shapeDoc+"three, both ends free"),
	shapeParam("dead4", 1300, shapeDoc+"four, one end blocked"),
	shapeParam("live4", 5000, shapeDoc+"four, both ends free"),
	{Name: "five", Doc: shapeDoc + "five: fixed", Min: 1, Max: 1e8, Default: 1e7, Step: 0.25, Whole: true, Log: true, Frozen: true},
	{Name: "defence", Doc: "weight of the opponent's side score against one's own", Min: 0.5, Max: 3, Default: 1.2, Step: 0.2},
	{Name: "tempo", Doc: "share added to the side score of the side to move; at one fixed depth without extend, defence can do the same",
		Min: 0, Max: 2, Default: 0, Step: 0.1, Frozen: true},
	patternParam("half2", 10, "two that can become a half3 only"),
	patternParam("broken2", 40, "two that can become a broken3, not an open3"),
	patternParam("open2", 60, "two that can become an open3"),
	patternParam("half3", 80, "three that can become a half4 only"),
	patternParam("broken3", 900, "three that one cell makes an open4"),
	patternParam("open3", 1250, "three that more cells make an open4"),
	patternParam("half4", 1300, "four that one cell completes"),
	patternParam("open4", 20000, "four that more cells complete"),
	{
		Name: "evaluator", Doc: "side score: its largest shape; the largest of each line, added; or patterns of each line, added",
		Max: 2, Labels: []string{"maximum", "sum", "patterns"}, Whole: true, Step: 1, Frozen: true,
	},
	switchParam("terminal", "whether the search sees that a five ends the game, and answers fours; the source's does not", "yes", "no"),
	{Name: "distance", Unit: "cells", Doc: "maximum distance of candidate moves from a stone, also diagonally", Min: 1, Max: 2, Default: 1,
		Step: 1, Whole: true, Frozen: true},
	switchParam("extend", "with terminal: whether completing or blocking a four uses no depth", "no", "yes"),
}, alphabeta.Parameters(15), alphabeta.Selective("points"), params.Space{
	addedLater(switchParam("threats", "whether the player evaluates every free cell and searches for wins by fours and threes", "no", "yes")),
	budgetParam("root_threes", 1000, "of the search for wins by threes and fours at the root"),
	budgetParam("leaf_fours", 200, "of the search for wins by fours at each leaf"),
	addedLater(params.Param{
		Name: "width", Unit: "moves", Doc: "with threats: moves searched per position, plus half as many for each remaining ply; 0: all",
		Max: 100, Step: 2, Whole: true, Frozen: true,
	}),
	thousandths("learned", "weight of the learned cell values"),
	thousandths("likely", "weight of the learned move probabilities in move ordering"),
	addedLater(switchParam("lazy", "with threats: whether the search for fours skips leaves that are already good enough", "no", "yes")),
}, termSpace(), params.Space{
	addedLater(params.Param{
		Name: "network", Unit: "points", Doc: "with threats: worth of a unit of the network's value, the logarithm of the odds; 0: it is not used",
		Max: 10000, Step: 500, Whole: true, Frozen: true,
	}),
	addedLater(switchParam("reuse", "with threats: whether the transposition table is kept between the moves of a game", "no", "yes")),
})

// budgetParam returns the budget of a search for wins by threats.
func budgetParam(name string, value float64, doc string) params.Param {
	return addedLater(params.Param{
		Name: name, Unit: "positions", Doc: "with threats: " + doc + "; 0: none",
		Max: 1e6, Default: value, Step: 100, Whole: true, Frozen: true,
	})
}

// thousandths returns the weight of a learned table.
func thousandths(name, doc string) params.Param {
	return addedLater(params.Param{
		Name: name, Unit: "thousandths", Doc: "with threats: " + doc + "; 0: the learned table is not used",
		Max: 10000, Step: 200, Whole: true, Frozen: true,
	})
}

// termSpace returns the parameters of termParams.
func termSpace() (list params.Space) {
	for _, p := range termParams {
		list = append(list, addedLater(params.Param{
			Name: p.name, Unit: "points", Doc: "with threats: " + p.doc,
			Max: 5000, Default: p.value, Step: max(10, math.Round(p.value/5)), Whole: true, Frozen: true,
		}))
	}
	return list
}

// addedLater marks a parameter that was added after games were published.
func addedLater(p params.Param) params.Param {
	p.Added = true
	return p
}

// shapeParam returns a tunable score.
// A step is a factor of e, because only the order of the scores decides moves and the source's
// neighbours lie up to a factor of 20 apart: from a bad start smaller steps change no decision.
func shapeParam(name string, value float64, doc string) params.Param {
	return params.Param{Name: name, Doc: doc, Min: 1, Max: 1e6, Default: value, Step: 1, Whole: true, Log: true}
}

// patternParam returns the score of a pattern, frozen by default.
func patternParam(name string, value float64, doc string) params.Param {
	p := shapeParam(name, value, patternDoc+doc)
	p.Frozen = true
	return p
}

// switchParam returns a frozen choice between two labels; the first is the default.
func switchParam(name, doc string, labels ...string) params.Param {
	return params.Param{Name: name, Doc: doc, Labels: labels, Max: 1, Step: 1, Whole: true, Frozen: true}
}

//go:embed presets.toml
var presetsTOML []byte
