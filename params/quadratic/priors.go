package quadratic

// scales are the indices of the priors' scales: of slopes, curvatures and cross terms.
type scales struct{ slope, curve, cross int }

// Slopes are N(0, v^2), curvatures N(lambda, c^2), cross terms N(0, o^2). The evidence chooses
// v, c and o, which keeps many cross terms from hiding the other coefficients. Steps follow the
// mean of the slopes over all their priors, weighted by evidence; with the smallest v the games
// can show that there is nothing to gain.
//
// Further priors say that the start is the best point: their slopes lie around the slope that leads
// back to the start. If there is little to gain, the centre then returns to the start instead of following
// noise. In return a start with much to gain costs some more games at first.
var (
	slopePriors = [...]slopePrior{
		{v: .25, weight: 2, start: true}, {v: .7, weight: 1, start: true}, {v: 1.4, weight: 1, start: true},
		{v: .25, weight: .2}, {v: .7, weight: 1}, {v: 1.4, weight: 1}, {v: 5.6, weight: 1}, {v: 22, weight: 1},
	}
	curveScales = [...]float64{1.5, 3, 7.5}   // c, in lambda
	crossScales = [...]float64{.1, .5, 2, 10} // o, in lambda
)

// slopePrior is one of the priors of slopes.
type slopePrior struct {
	v      float64 // in s
	weight float64 // before any game
	start  bool    // around the slope that leads to the start, instead of around 0
}

// firstScales are the scales of the first fit, and of fits without a start.
var firstScales = scales{5, 1, 1}

// vagueScales select priors so wide that they hardly add to the data, for reports instead of
// steps.
var vagueScales = scales{-1, -1, -1}

const vague = 50 // in s and lambda
