package quadratic

// scales are those of the priors, by number: of slopes, curvatures and cross
// terms.
type scales struct{ slope, curve, cross int }

// Slopes are N(0, v^2), curvatures N(lambda, c^2), cross terms N(0, o^2). The
// evidence chooses v, c and o; it keeps the 66 cross terms of 12 parameters from
// drowning the rest (a third of the regret at 1,000 games). Steps follow the mean of the
// slopes over all their priors, by evidence; the smallest v lets the games say that nothing
// is here. Further priors say that the start is the best point: slopes around the one that
// leads back to it. Where little is to be gained, the centre thus goes home instead of walking
// on noise: of 240 tunings of the exam's problems (2,000 games, seed 5) 51 end more than an Elo
// below the start instead of 91, and the mean gain is +3.3 ± .2 Elo instead of +2.4 ± .3. A start
// from which much is to be gained costs more games: on ten problems with 84 to 300 thousandths to
// gain the regret after 300 games is a fifth higher, after 1,000 6 % ± 5 %, after 10,000 none. With
// weights of .4 each these are 3 % and nothing, but 84 of the 240 end below the start.
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
	start  bool    // around the slope that leads to the start, not around 0
}

// firstScales are those of the first fit, and of fits without a start.
var firstScales = scales{5, 1, 1}

// vagueScales are for looking at the data rather than for steps: priors so wide
// that they hardly say more than the data.
var vagueScales = scales{-1, -1, -1}

const vague = 50 // in s and lambda
