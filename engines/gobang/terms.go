package gobang

import "selfplaylab/engines"

// fieldTerms are the weights of a field. Their defaults were fitted by logistic
// regression to the results of some 4,000 games of this player against itself at 600
// to 1,000 nodes a move, from openings with errors drawn into them: 33,096 positions
// without a win by fours, 100 points a factor of e^0.1 in the odds. Weights set by hand
// scored 34 % against patterns,extend at 5,000 nodes, a first fit 55 % (50 pairs each), a
// second 68 % against the first (100 pairs); one more, to games of these, scored 48.2 %
// against them (200 pairs) and was left. Worths of their own for the side to move, and
// counts of rows of five by their stones, told the results no better. What
// tuning found from there is preset master's: +37.1 ± 12.5 Elo at 2,000 nodes (1,000 pairs).
type fieldTerms struct {
	worth  [16]int32 // of a free cell by what a stone there makes on a line
	worths bool      // whether any of them is not 0
	// has is added for the side to move by the class of what it can make, faces taken
	// off for what the other side can: once each.
	has, faces [classes]int32
	// learned and likely are the weights of what was learned: of the worth of free cells,
	// and of the rank of moves; in thousandths.
	learned, likely int32
	network         int64 // of the network's value, in points
}

// termParams are the parameters of the weights, from pMakesOpen2 on.
var termParams = [...]struct {
	name  string
	value float64
	doc   string
	of    func(*fieldTerms) *int32
}{
	{"makes_open2", 19, "of each line of a free cell on which a stone makes an open two",
		func(t *fieldTerms) *int32 { return &t.worth[makesOpen2] }},
	{"makes_half3", 62, "on which it makes a three that can become a blocked four only",
		func(t *fieldTerms) *int32 { return &t.worth[makesHalf3] }},
	{"makes_broken3", 118, "on which it makes a three that one cell makes an open four",
		func(t *fieldTerms) *int32 { return &t.worth[makesBroken3] }},
	{"makes_open3", 121, "on which it makes a three that more cells make an open four",
		func(t *fieldTerms) *int32 { return &t.worth[makesOpen3] }},
	{"makes_half4", 276, "on which it makes a four that one cell stops", func(t *fieldTerms) *int32 { return &t.worth[makesHalf4] }},
	{"has_three", 323, "the side to move can make a three", func(t *fieldTerms) *int32 { return &t.has[three] }},
	{"has_threes", 317, "it can make two threes at once", func(t *fieldTerms) *int32 { return &t.has[threes] }},
	{"has_four", 68, "it can make a four", func(t *fieldTerms) *int32 { return &t.has[four] }},
	{"faces_three", 138, "the other side could make a three", func(t *fieldTerms) *int32 { return &t.faces[three] }},
	{"faces_threes", 225, "it could make two threes at once", func(t *fieldTerms) *int32 { return &t.faces[threes] }},
	{"faces_four", 65, "it could make a four", func(t *fieldTerms) *int32 { return &t.faces[four] }},
	{"faces_four_three", 545, "it could make a four and a three at once", func(t *fieldTerms) *int32 { return &t.faces[fourThree] }},
	{"faces_open4", 863, "it could make an open four", func(t *fieldTerms) *int32 { return &t.faces[straightFour] }},
}

// set takes a checked vector.
func (f *fieldTerms) set(v []float64) {
	f.learned, f.likely, f.network = int32(v[pLearned]), int32(v[pLikely]), int64(v[pNetwork])
	for i, p := range termParams {
		*p.of(f) = int32(v[pMakesOpen2+i])
	}
	f.worths = f.worth != [16]int32{}
}

// reweigh has the sums of worths follow the changes from a place on.
func (f *field) reweigh(from int) {
	b, w := f.sum[black], f.sum[white]
	for _, old := range f.changes[from:f.changed] {
		was, now := old.makes, f.makes[old.cell]
		b += f.terms.lines(now) - f.terms.lines(was)
		w += f.terms.lines(now>>16) - f.terms.lines(was>>16)
	}
	f.sum = [2]int32{b, w}
}

// lines adds up the worths of what a stone makes for a side, the lowest four bits first.
func (f *fieldTerms) lines(makes uint32) int32 {
	return f.worth[makes&15] + f.worth[makes>>4&15] + f.worth[makes>>8&15] + f.worth[makes>>12&15]
}

// worth returns what the free cells are worth to a side.
func (f *field) worth(side engines.Side) int32 {
	learned := f.learned[side].other
	if side == f.turn {
		learned = f.learned[side].mover
	}
	return f.sum[side] + learned*f.terms.learned/1000
}

// Eval returns the static value for the side to move.
func (f *field) Eval() int32 {
	me, foe, t := f.turn, f.turn.Other(), &f.terms
	v := f.worth(me) - f.worth(foe) + f.networkPoints()
	for class := three; class <= straightFour; class++ {
		if f.counts[me][class] > 0 {
			v += t.has[class]
		}
		if f.counts[foe][class] > 0 {
			v -= t.faces[class]
		}
	}
	return v
}
