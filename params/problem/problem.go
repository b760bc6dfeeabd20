// Package problem holds objectives with a known optimum, on which tuners are tried without
// playing anything. A point has a strength, two points play pairs of games by chance, and the
// regret of a recommendation can be computed.
package problem

import (
	"fmt"
	"math"
	"math/rand/v2"

	"selfplaylab/params"
)

// Problem is one objective. Its fields are not changed once it is made, so several goroutines
// may use it at once.
type Problem struct {
	Name  string       // unique among the problems of a list
	Doc   string       // the difficulty in a few words; "" if none is known
	Space params.Space // all its parameters are real
	// Start is where tuners begin.
	Start params.Vector
	// Optimum is a point of the highest Strength.
	Optimum params.Vector
	// Strength is r(x): the log-odds with which x wins a game against a fixed reference. x
	// beats y with the odds exp(r(x) - r(y)). Several goroutines may call it at once.
	Strength func(params.Vector) float64

	// Draws is the log-odds that a draw takes from both sides: A wins with probability 1/(1 +
	// exp(Draws - d)) and loses with 1/(1 + exp(Draws + d)), where d is the difference of
	// strength (Rao and Kupper, J. American Statistical Association 62, 1967). It is at least
	// 0; 0 means no draws.
	Draws float64
	// Spread is the standard deviation, in log-odds, of an opening's effect on both games of
	// its pair alike. It makes these games depend on each other; 0 leaves them independent.
	Spread float64
	// Lead is the advantage of an opening's better side, in log-odds. A has this side in one
	// game of a pair, B in the other.
	Lead float64
	// Scored makes a difference of strength the log-odds of the expected points in a game,
	// where a draw is half a point, instead of the log-odds of a win.
	Scored bool
}

// win returns the probability that v beats the reference in one game without draws, the p(x) in
// whose units regrets are given.
func (p *Problem) win(v params.Vector) float64 { return logistic(p.Strength(v)) }

// Regret returns the simple regret of recommending v: the loss of winning probability from
// Optimum to v, at least 0.
func (p *Problem) Regret(v params.Vector) float64 { return p.win(p.Optimum) - p.win(v) }

// Play draws the score of a trial from r: t.Pairs pairs of two games each.
func (p *Problem) Play(t params.Trial, r *rand.Rand) params.Score {
	var s params.Score
	difference := p.odds(p.Strength(t.A) - p.Strength(t.B))
	for range t.Pairs {
		d := difference
		if p.Spread > 0 {
			d += float64(p.Spread * r.NormFloat64())
		}
		points := 0
		for _, lead := range [2]float64{p.Lead, -p.Lead} {
			wins, loses := logistic(d+lead-p.Draws), logistic(-d-lead-p.Draws)
			switch u := r.Float64(); {
			case u < wins:
				points += 2
			case u < 1-loses:
				points++
			}
		}
		s.Pairs[points]++
	}
	return s
}

// score returns the expected points in a game of a pair, from A's log-odds.
func (p *Problem) score(d float64) (sum float64) {
	for _, lead := range [2]float64{p.Lead, -p.Lead} {
		sum += (logistic(d+lead-p.Draws) + 1 - logistic(-d-lead-p.Draws)) / 4
	}
	return sum
}

// odds returns A's log-odds in a game, from a difference of strength.
func (p *Problem) odds(difference float64) float64 {
	if !p.Scored {
		return difference
	}
	want, low, high := logistic(difference), -50., 50.
	for high-low > 1e-9 {
		if middle := (low + high) / 2; p.score(middle) < want {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// Random returns a point drawn uniformly over the space, in the coordinates that tuners move.
// The caller owns it.
func (p *Problem) Random(r *rand.Rand) params.Vector {
	v := make(params.Vector, len(p.Space))
	for i, q := range p.Space {
		lo, hi := q.Bounds()
		v[i] = q.Clip(q.Value(lo + float64((hi-lo)*r.Float64())))
	}
	return v
}

func logistic(r float64) float64 { return 1 / (1 + math.Exp(-r)) }

// box returns the space [-1, 1]^d of CLOP's problems.
func box(d int) params.Space {
	names := []string{"x", "y"}
	var s params.Space
	for i := range d {
		name := fmt.Sprint("x", i+1)
		if d <= 2 {
			name = names[i]
		}
		s = append(s, params.Param{Name: name, Min: -1, Max: 1, Step: 0.1})
	}
	return s
}

// one returns a problem of one parameter in [-1, 1] that starts at 0. r is its Strength,
// highest at optimum.
func one(name, doc string, optimum float64, r func(x float64) float64) Problem {
	return Problem{
		Name: name, Doc: doc, Space: box(1), Start: params.Vector{0}, Optimum: params.Vector{optimum},
		Strength: func(v params.Vector) float64 { return r(v[0]) },
	}
}

// Copies returns the problem of d parameters whose strength is the mean of the strengths that
// p, of one parameter, has at each. CLOP's LOG2 and LOG5 are such copies of LOG.
func Copies(p Problem, d int) Problem {
	q := Problem{Name: fmt.Sprint(p.Name, d), Doc: fmt.Sprintf("the mean of %d copies of %s, one a parameter", d, p.Name), Space: box(d),
		Draws: p.Draws, Spread: p.Spread}
	for range d {
		q.Start, q.Optimum = append(q.Start, p.Start[0]), append(q.Optimum, p.Optimum[0])
	}
	q.Strength = func(v params.Vector) float64 {
		sum := 0.0
		for _, x := range v {
			sum += p.Strength(params.Vector{x})
		}
		return sum / float64(d)
	}
	return q
}

// Log is CLOP's LOG: smooth, steep to the left.
func Log() Problem {
	return one("LOG", "smooth, steep to the left", -.525, func(x float64) float64 { return 2*math.Log(4*x+4.1) - 4*x - 3 })
}

// flat is CLOP's FLAT: a small hill in a plain.
func flat() Problem {
	return one("FLAT", "a small hill in a plain", -.6, func(x float64) float64 {
		d := x + .6
		return .2 / (1 + 6*d*d + d*d*d)
	})
}

// power is CLOP's POWER: a slow rise and a fall at the end.
func power() Problem {
	// The maximum of .2 u^2 - u^20: .4 u = 20 u^19.
	best := 2*math.Pow(.02, 1./18) - 1
	return one("POWER", "a slow rise and a fall at the end", best, func(x float64) float64 {
		u := (x + 1) / 2
		return .2*u*u - math.Pow(u, 20)
	})
}

// angle is CLOP's ANGLE: a peak with a kink.
func angle() Problem {
	return one("ANGLE", "a peak with a kink", -.2, func(x float64) float64 {
		if d := x + .2; d > 0 {
			return 1 - (math.Sqrt(d+2) - math.Sqrt2)
		} else {
			return 1 - (2*math.Sqrt(.5-d) - math.Sqrt2)
		}
	})
}

// step is CLOP's STEP: plains on both sides and a cliff right of the optimum. The optimum is at
// the end of the slope that leads up to it.
func step() Problem {
	return one("STEP", "plains on both sides, a cliff right of the optimum", -.3, func(x float64) float64 {
		switch {
		case x < -.8 || x > .8:
			return -2
		case x <= -.3:
			return -2 + 6*(x+.8)
		}
		return -(x + .3) / 1.1
	})
}

// Rosenbrock is CLOP's ROSENBROCK: a bent valley.
func Rosenbrock() Problem {
	return Problem{
		Name: "ROSENBROCK", Doc: "a bent valley", Space: box(2), Start: params.Vector{0, 0}, Optimum: params.Vector{.25, -.3},
		Strength: func(v params.Vector) float64 {
			x, y := 4*v[0], 10*v[1]+4
			a, b := 1-x, y-x*x
			return 1 - .1*(a*a+b*b)
		},
	}
}

// correlated is CLOP's CORRELATED: a narrow ridge across both parameters.
func correlated() Problem {
	f := func(z float64) float64 { return z * z * (z*(1-z) - 1) }
	return Problem{
		Name: "CORRELATED", Doc: "a narrow ridge across both parameters", Space: box(2), Start: params.Vector{0, 0},
		Optimum: params.Vector{-.5, .4},
		Strength: func(v params.Vector) float64 {
			a, b := v[0]+v[1]+.1, v[0]-v[1]+.9
			return .2*(f(10*a)+f(b)) + .1
		},
	}
}
