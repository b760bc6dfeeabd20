package quoridor

import (
	"selfplaylab/engines"
	"selfplaylab/params"
)

// linear implements engines.Variant.Linear: the weights of the look-ahead.
// The greedy formulas weigh a step against a wall and give
// no value of a position, so it returns nil for them.
func linear(standard bool, v params.Vector, l engines.Limits) *engines.LinearTerms {
	if !looksAhead(v, l) {
		return nil
	}
	o := &outlook{}
	return &engines.LinearTerms{
		Names: tuned(v, l),
		Row: func(position string, row []float32) (rest float32, quiet bool, err error) {
			b := newBoard(standard)
			if err := engines.SetUp[Board](&b, position, nil); err != nil {
				return 0, false, err
			}
			a := o.at(b)
			rest = a.linear(row)
			return rest, true, nil
		},
	}
}

// linear fills the row of a position.
// The rest is the difference of the paths.
// It lacks the decisive score of a race without walls, which outweighs all terms.
func (a *ahead) linear(row []float32) (rest float32) {
	me := a.turn
	ours, theirs := a.distance(me), a.distance(me^1)
	row[0] = pathScore * float32(int(a.walls[me])-int(a.walls[me^1]))
	row[1] = pathScore
	row[2] = float32(pathScore * (nearness(theirs) - nearness(ours)))
	if len(row) > 3 {
		row[3] = float32(pathScore * (float64(root(a.walls[me])*float64(a.cost(me^1))) - float64(root(a.walls[me^1])*float64(a.cost(me)))))
	}
	return pathScore * float32(theirs-ours)
}
