package search

import (
	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/reports/gamestats"
)

// Kind returns the kind.
func Kind() runs.Kind {
	return runs.Kind{
		Name: kindName, Short: "compare searches on the same positions: nodes, time, agreement",
		Command: &runs.Command{
			Use: "--game GAME --player PLAYER...", Help: help, Sequential: true,
			Question: "How do players search?", Ask: []string{"player"}, Length: func(runs.Config) string { return "positions" },
			Shows: "Measures nodes, time and agreement of the players' moves in the same positions.",
		},
		New:      func() runs.Config { return newConfig() },
		Searches: func(r runs.Result) []gamestats.Search { return r.(*result).sums() },
	}
}

func (a *searchConfig) Plan() (*runs.Plan, error) {
	v, err := a.Variant(a.Players...)
	if err != nil {
		return nil, err
	}
	s := *a
	if s.Players, err = a.players(v.Game); err != nil {
		return nil, err
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Config: &s, Players: s.Players}
	if p.Book, err = s.Resolve(v, s.Players); err != nil {
		return nil, err
	}
	s.Positions, s.RecordMoves = s.PairsFor(a.Positions, defaultPositions), runs.Moves(datasets.TimeMoves)
	return p, s.checkPositions()
}
