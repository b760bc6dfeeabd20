package gobang

// fieldTerms holds the weights of a field, in points; 100 points are a factor of e^0.1 in the odds.
// The defaults were fitted by logistic regression to results of this player's games against itself.
type fieldTerms struct {
	worth  [16]int32 // of a free cell, by the threat of a stone there on a line
	worths bool      // whether any of them is not 0
	// has is added once for each class that the side to move can make, and
	// faces is subtracted once for each class that the other side could make.
	has, faces [classes]int32
	// learned and likely are the weights of the learned
	// worths of cells and ranks of moves, in thousandths.
	learned, likely int32
	network         int64 // points of a unit of the network's value
}

// termParams are the parameters of fieldTerms, from pMakesOpen2 on.
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

// lines returns the sum of the worths of four threats, the lowest four bits first.
func (f *fieldTerms) lines(makes uint32) int32 {
	return f.worth[makes&15] + f.worth[makes>>4&15] + f.worth[makes>>8&15] + f.worth[makes>>12&15]
}
