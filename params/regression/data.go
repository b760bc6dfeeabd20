// Package regression fits the weights of an evaluation to results. It is a logistic regression
// with a ridge towards the start, chosen on held-out games; errors are by clusters. The package
// knows no game and no position: rows of numbers in, weights out.
package regression

import "math"

// Data holds positions, a row each: the terms, the rest of the evaluation, and the result, all
// for the side to move. The rows of a cluster (the games of one opening) are adjacent.
type Data struct {
	Columns int       // number of weights
	Terms   []float32 // Columns numbers a row
	Rest    []float32 // the part of the evaluation without a weight
	Result  []float32 // points of the side to move, 0 to 1
	Cluster []int32   // of each row, from 0, never decreasing
	// Pass, if not nil, is called before each pass over the rows on all cores.
	Pass func()
}

// pass reports a pass over the rows.
func (d *Data) pass() {
	if d.Pass != nil {
		d.Pass()
	}
}

// Rows returns the number of positions.
func (d *Data) Rows() int { return len(d.Result) }

// Clusters returns the number of clusters, 0 without rows.
func (d *Data) Clusters() int {
	if d.Rows() == 0 {
		return 0
	}
	return int(d.Cluster[d.Rows()-1]) + 1
}

// folds is the number of parts of the clusters. The first part is for testing.
const folds = 5

func (d *Data) fold(row int) int { return int(d.Cluster[row]) % folds }

// chance is the logistic function.
func chance(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// loss returns the cross entropy of a result, in nats, at log-odds x. A draw costs at least
// ln 2, because its own entropy is not subtracted.
func loss(x, result float64) float64 {
	// ln(1 + e^x) - result x, without overflow.
	return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) - float64(result*x)
}

// Weight is a fitted weight with its interval at Problem.Confidence.
type Weight struct {
	Value, Low, High float64 // in units of Problem.Start; infinite bounds if not Identified
	// Identified is false if the results do not determine the weight: without the ridge its
	// interval would cover the whole range. Value is then the start's.
	Identified bool
}

// Fit is the result of a regression.
type Fit struct {
	Weights []Weight `json:"-"`     // by column
	Scale   float64  `json:"scale"` // log-odds of a point of the start's evaluation
	Tempo   float64  `json:"tempo"` // log-odds of having the move, at the start
	// Ridge is the strength used, Problem.Ridge or the chosen one.
	Ridge float64 `json:"ridge"`
	// Start and Fitted are the mean losses, in nats a position, over a fifth of the clusters,
	// by weights fitted to the others. Gain is Start minus Fitted, above 0 if the fit predicts
	// better; it has an interval.
	Start   float64 `json:"start_loss"`
	Fitted  float64 `json:"fitted_loss"`
	Gain    float64 `json:"gain"`
	GainLow float64 `json:"gain_low"`
	GainHi  float64 `json:"gain_high"`
	Held    int     `json:"held_out"`          // positions held out
	Apart   int     `json:"held_out_openings"` // clusters of these positions
}
