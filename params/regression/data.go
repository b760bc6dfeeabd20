// Package regression fits the weights of an evaluation to results: a logistic regression
// with a ridge towards the start, chosen on games held out, and errors by clusters. It
// knows no game and no position: rows of numbers in, weights out.
package regression

import "math"

// Data holds positions: for each its terms, the rest of its evaluation and the result for the
// side to move. The rows of a cluster, the games of one opening, are adjacent.
type Data struct {
	Columns int
	Terms   []float32 // Columns a row
	Rest    []float32 // the part of the evaluation that no column weighs
	Result  []float32 // 0 to 1
	Cluster []int32   // increasing from 0
}

// Rows returns the number of positions.
func (d *Data) Rows() int { return len(d.Result) }

// Clusters returns the number of clusters.
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

// Weight is a fitted weight with its interval.
type Weight struct {
	Value, Low, High float64
	// Identified is false if the results say nothing about the weight: without the
	// ridge its interval would cover the whole range. It then stays at the start.
	Identified bool
}

// Fit is the result of a regression.
type Fit struct {
	Weights []Weight `json:"-"`
	Scale   float64  `json:"scale"` // log-odds of a point of evaluation, by the start's weights
	Tempo   float64  `json:"tempo"` // log-odds of having the move, at the start
	Ridge   float64  `json:"ridge"`
	// Start and Fitted are the mean losses, in nats a position, over a fifth of the
	// clusters, by weights fitted to the others. Gain is their difference, above 0 if
	// the fit predicts better, with its interval.
	Start   float64 `json:"start_loss"`
	Fitted  float64 `json:"fitted_loss"`
	Gain    float64 `json:"gain"`
	GainLow float64 `json:"gain_low"`
	GainHi  float64 `json:"gain_high"`
	Held    int     `json:"held_out"`          // positions held out
	Apart   int     `json:"held_out_openings"` // clusters that these are of
}
