package quoridor

import (
	"selfplaylab/engines"
	"selfplaylab/params"
)

// linear implements engines.Variant.Linear: the weights of the look-ahead. Those of the
// greedy formulas weigh a step against a wall, which is no value of a position.
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

// linear fills the row of a position. What is left is the difference of the paths, and
// the race once nobody has a wall: that is decided, and outweighs everything.
func (a *ahead) linear(row []float32) (rest float32) {
	me := a.turn
	mine, theirs := a.distance(me), a.distance(me^1)
	row[0] = pathScore * float32(int(a.walls[me])-int(a.walls[me^1]))
	row[1] = pathScore
	row[2] = float32(pathScore * (near(theirs) - near(mine)))
	if len(row) > 3 {
		row[3] = float32(pathScore * (float64(root(a.walls[me])*float64(a.cost(me^1))) - float64(root(a.walls[me^1])*float64(a.cost(me)))))
	}
	return pathScore * float32(theirs-mine)
}
