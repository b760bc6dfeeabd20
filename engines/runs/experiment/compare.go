package experiment

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// finding is the verdict of results on a check.
type finding int8

// Findings.
const (
	contradicted finding = iota - 1
	undecided            // the interval holds both
	supported
	unplayed // its run was left out
)

func (f finding) String() string {
	return [...]string{"contradicted", "open", "supported", "open: its run is left out"}[f+1]
}

// rowCheck is a statement about one result.
type rowCheck struct {
	ID   string
	Word string
}

// checks judge a row. Better, worse and first look at the 95 % interval.
var checks = map[string]func(Row) finding{
	"better": func(r Row) finding { return decided(r.Pairs(), 1) },
	"worse":  func(r Row) finding { return decided(r.Pairs(), -1) },
	"first":  func(r Row) finding { return decided(r.first(), 1) },
	"second": func(r Row) finding { return decided(r.first(), -1) },
	"even": func(r Row) finding { // compatible with equality
		if r.Pairs().Estimate(Level).Decided() != 0 {
			return contradicted
		}
		return supported
	},
	"identical": identical,
}

// sameScores is the check of a search row.
const sameScores = "same-scores"

// decided judges whether a tally shows a lead of one sign.
func decided(p rating.Pairs, sign int) finding {
	return finding(sign * p.Estimate(Level).Decided())
}

// identical judges whether two players made the same decisions throughout.
func identical(r Row) finding {
	switch {
	case r.Compared == 0:
		return undecided
	case r.Differing > 0:
		return contradicted
	}
	return supported
}

// parseCheck reads "ROW WORD", a result and its expected verdict, such as
// "presets/final v v12.7 better".
func parseCheck(text string) (rowCheck, error) {
	i := strings.LastIndexByte(text, ' ')
	if i > 0 {
		c := rowCheck{ID: strings.TrimSpace(text[:i]), Word: text[i+1:]}
		if _, ok := checks[c.Word]; ok || c.Word == sameScores {
			return c, nil
		}
	}
	return rowCheck{}, fmt.Errorf("check %q: want a result and one of better, worse, even, identical, first, second, %s", text, sameScores)
}

// judge returns the verdict of the results on a check.
func (r Results) judge(c rowCheck) (finding, error) {
	if c.Word == sameScores {
		s, err := r.search(c.ID)
		switch {
		case err != nil:
			return undecided, err
		case s.SameScore < s.Positions:
			return contradicted, nil
		}
		return supported, nil
	}
	row, err := r.row(c.ID)
	if err != nil {
		return undecided, err
	}
	return checks[c.Word](row), nil
}

// difference is a result that came out otherwise than another time.
type difference struct {
	ID     string
	Detail string
}

// same compares results of the same budget: every count of every row that no
// clock decided must be equal.
func same(got, want Results) (compared int, differences []difference) {
	compare := func(id string, err error, repeats, same bool, detail string) {
		switch {
		case err != nil:
			differences = append(differences, difference{id, err.Error()})
			return
		case !repeats:
			return
		case !same:
			differences = append(differences, difference{id, detail})
		}
		compared++
	}
	for _, w := range want.Rows {
		g, err := got.row(w.ID())
		compare(w.ID(), err, w.Repeats, g == w, fmt.Sprintf("pairs %v, %s decisions; published: pairs %v, %s decisions", g.Pairs(),
			text.Count(g.Decisions), w.Pairs(), text.Count(w.Decisions)))
	}
	for _, w := range want.Searches {
		g, err := got.search(w.ID())
		g.Seconds = w.Seconds
		compare(w.ID(), err, w.Repeats(), g == w, fmt.Sprintf("%s nodes in %d positions; published: %s in %d", text.Count(g.Nodes), g.Positions,
			text.Count(w.Nodes), w.Positions))
	}
	return compared, differences
}

// alike is the chance that an experiment with equal players reports no difference.
const alike = 0.999

// within compares scores with the scores of another budget and reports differences beyond chance:
// of a thousand experiments with equal players one reports any (Bonferroni over the rows). It skips
// rows with few pairs, and rows of other players or budgets, such as tuned players. Two samples
// that share their first games differ less than independent ones; the test is conservative there.
func within(got, want Results) (compared int, differences []difference) {
	var both [][2]Row
	for _, w := range want.Rows {
		g, err := got.row(w.ID())
		if err != nil || g.Players != w.Players || g.ALimits != w.ALimits || g.BLimits != w.BLimits {
			continue // another question
		}
		if g.Pairs().Estimate(Level).Few || w.Pairs().Estimate(Level).Few {
			continue
		}
		both = append(both, [2]Row{g, w})
	}
	if len(both) == 0 {
		return 0, nil
	}
	z := distuv.UnitNormal.Quantile(1 - (1-alike)/2/float64(len(both)))
	for _, pair := range both {
		g, w := pair[0].Pairs().Estimate(Level), pair[1].Pairs().Estimate(Level)
		if math.Abs(g.Score-w.Score) > z*math.Hypot(g.SE, w.SE) {
			differences = append(differences, difference{pair[1].ID(),
				fmt.Sprintf("score %s, published %s", scoreText(pair[0].Pairs()), scoreText(pair[1].Pairs()))})
		}
	}
	return len(both), differences
}

// scoreText writes a score with its interval and n.
func scoreText(p rating.Pairs) string {
	e := p.Estimate(Level)
	return ranged(e.Score, e.ScoreRange, text.Count(e.N)+" pairs")
}

// proportion writes the share of k in n cases with its interval and n.
func proportion(k, n int, of string) string {
	p := rating.Proportion{K: k, N: n}
	return ranged(p.Value(), p.Wilson(Level), of)
}

// ranged writes a share of 1 in percent with its interval and its basis; a basis of "" is
// given elsewhere.
func ranged(x float64, in rating.Interval, of string) string {
	if of != "" {
		of = ", " + of
	}
	return fmt.Sprintf("%s (%s to %s%s)", text.Percent(x), text.Number(100*in.Low, 1), text.Number(100*in.High, 1), of)
}

func pliesText(row Row) string {
	return text.Number(float64(row.Plies)/float64(max(1, 2*row.Pairs().N())), 1)
}
