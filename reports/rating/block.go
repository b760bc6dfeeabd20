package rating

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Block is a match in the words and by the formulas of
// fastchess, for pull requests and programs that read them.
// Errors are halves of the normal 95 % interval, and the bounds of the ratio are Wald's.
// With many pairs it agrees with an Estimate.
//
// Sources: fastchess, elo_pentanomial.cpp and sprt.cpp; for
// nElo Van den Bergh, "Normalized Elo", cantate.be/Fishtest.
type Block struct {
	Elo        number `json:"elo"`         // logistic Elo of the score
	EloError   number `json:"elo_error"`   // half of the interval of Elo
	NElo       number `json:"nelo"`        // normalized Elo
	NEloError  number `json:"nelo_error"`  // half of the interval of NElo
	LOS        number `json:"los"`         // likelihood of superiority, in percent
	DrawRatio  number `json:"draw_ratio"`  // share of pairs with one point for each side, in percent
	PairsRatio number `json:"pairs_ratio"` // pairs won divided by pairs lost
	Games      Games  `json:"-"`           // single games by A's result
	Ptnml      Pairs  `json:"ptnml"`       // pairs by A's points
	WLDDRatio  number `json:"wl_dd_ratio"` // pairs of a win and a loss, divided by pairs of two draws
	LLR        *LLR   `json:"llr"`         // nil without a test
}

// LLR is a log-likelihood ratio with its bounds and the test's.
type LLR struct {
	Ratio number    `json:"ratio"`  // of H1 to H0
	Wald  [2]number `json:"bounds"` // lower and upper bound of Ratio, by Wald
	Elo   [2]number `json:"elo"`    // Elo of H0 and H1
}

// share returns the progress towards the nearer bound: 1 at the upper bound, -1 at the lower.
func (l *LLR) share() float64 {
	if l.Ratio < 0 {
		return -float64(l.Ratio / l.Wald[0])
	}
	return float64(l.Ratio / l.Wald[1])
}

// number prints with two decimals. In JSON it has all digits, and infinities and NaN are null.
type number float64

// String returns two decimals, and "inf" and "nan" as C++ writes them.
func (n number) String() string {
	return strings.TrimPrefix(strings.ToLower(fmt.Sprintf("%.2f", float64(n))), "+")
}

// MarshalJSON returns all digits, or null for infinities and NaN.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(n), 0) || math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// Block returns the match in fastchess's form. test is the state of its SPRT; nil means a match
// without a test.
func (p PairMatrix) Block(test *Progress) Block {
	tally := p.Pairs()
	n := float64(tally.N())
	score := tally.Score()
	variance := tally.Variance()
	elo := func(score float64) float64 { return float64(-400 * math.Log10(1/score-1)) }
	margin := float64(quantile(0.95) * math.Sqrt(variance/n))
	b := Block{
		Elo: number(elo(score)), EloError: number((elo(score+margin) - elo(score-margin)) / 2),
		NElo: number(normalizedElo(score, 2*variance)), NEloError: number(normalizedElo(0.5+margin, 2*variance)),
		LOS: number(100 * normal((score-0.5)/math.Sqrt(variance/n))), DrawRatio: number(100 * float64(tally[2]) / n),
		PairsRatio: number(float64(tally[3]+tally[4]) / float64(tally[0]+tally[1])), Ptnml: tally,
		WLDDRatio: number(float64(p[2][0]+p[0][2]) / float64(p[1][1])),
	}
	first, second := p.Games()
	if b.Games = first.Plus(second); test != nil {
		lower, upper := test.Test.wald()
		b.LLR = &LLR{number(test.LLR), [2]number{number(lower), number(upper)}, [2]number{number(test.Test.Elo0), number(test.Test.Elo1)}}
	}
	return b
}

// String returns the block as people paste it into a pull request: 5 lines, or 6 with a test.
func (b Block) String() string {
	text := fmt.Sprintf("Elo: %v +/- %v, nElo: %v +/- %v\n", b.Elo, b.EloError, b.NElo, b.NEloError)
	text += fmt.Sprintf("LOS: %v %%, DrawRatio: %v %%, PairsRatio: %v\n", b.LOS, b.DrawRatio, b.PairsRatio)
	points := float64(b.Games.Wins) + float64(float64(b.Games.Draws)/2)
	text += fmt.Sprintf("Games: %d, Wins: %d, Losses: %d, Draws: %d, Points: %.1f (%v %%)\n", b.Games.N(), b.Games.Wins, b.Games.Losses,
		b.Games.Draws, points, number(100*points/float64(b.Games.N())))
	p := b.Ptnml
	text += fmt.Sprintf("Ptnml(0-2): [%d, %d, %d, %d, %d], WL/DD Ratio: %v\n", p[0], p[1], p[2], p[3], p[4], b.WLDDRatio)
	if l := b.LLR; l != nil {
		text += fmt.Sprintf("LLR: %v (%.1f%%) (%v, %v) [%v, %v]\n", l.Ratio, 100*l.share(), l.Wald[0], l.Wald[1], l.Elo[0], l.Elo[1])
	}
	return text
}
