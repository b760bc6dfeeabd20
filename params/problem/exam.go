package problem

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplaylab/params"
)

// Elo returns the Elo difference of a over b, with draws counted as half points and even
// openings.
func (p *Problem) Elo(a, b params.Vector) float64 {
	score := p.score(p.odds(p.Strength(a) - p.Strength(b)))
	return 400 * math.Log10(score/(1-score))
}

// peak describes a problem of the exam: a rotated parabola around the best values.
type peak struct {
	gain  float64 // Elo from the start to the optimum
	d     int     // parameters
	draws float64 // share of draws between equal players
	trap  trap
}

// trap names an additional difficulty; "" for none.
type trap string

const (
	trapWhole   trap = "whole numbers"
	trapPlateau trap = "plateaus"
	trapCliff   trap = "cliff"
	trapBound   trap = "optimum at a bound"
	trapWide    trap = "ranges ten times too wide"
	trapNarrow  trap = "ranges five times too narrow"
	trapSmall   trap = "steps ten times too small"
	trapLarge   trap = "steps ten times too large"
)

// Exam returns problems with 0 to 20 Elo to gain, 4 to 60 parameters and up to 80 % draws, and
// with landscapes, ranges and steps that mislead. The same seed draws the same landscapes.
func Exam(seed uint64) (list []Problem) {
	for i, k := range peaks() {
		list = append(list, k.problem(rand.New(rand.NewPCG(seed, uint64(i)))))
	}
	return list
}

// peaks returns the descriptions of the exam's problems, in the order of Exam.
func peaks() (list []peak) {
	for _, gain := range []float64{0, 2, 6, 20} {
		for _, d := range []int{4, 16, 60} {
			for _, draws := range []float64{0, .6, .8} {
				list = append(list, peak{gain, d, draws, ""})
			}
		}
	}
	for _, gain := range []float64{0, 6, 20} {
		for _, t := range []trap{trapWhole, trapPlateau, trapCliff, trapBound, trapWide, trapNarrow, trapSmall, trapLarge} {
			list = append(list, peak{gain, 8, .3, t})
		}
	}
	return list
}

func (p peak) name() string {
	name := fmt.Sprintf("%g Elo, %d parameters, %g %% draws", p.gain, p.d, 100*p.draws)
	return strings.TrimSuffix(name+", "+string(p.trap), ", ")
}

// landscape is a parabola in coordinates in which the start is 0 and ranges are [-1, 1]. The
// log-odds lost at a point are the squared length of factor times its distance from the
// optimum.
type landscape struct {
	factor  [][]float64
	optimum []float64
	unit    float64 // log-odds of one Elo
}

// unitLoss is the Elo lost where each parameter is about a sixth of its range away from its
// best value.
const unitLoss = 20

// landscape returns a random landscape. The smaller the gain, the nearer is the start to the optimum.
func (p peak) landscape(r *rand.Rand) landscape {
	l := landscape{optimum: make([]float64, p.d)}
	for i := range p.d {
		row, scale := make([]float64, p.d), math.Pow(10, r.Float64()-.5)
		for j := range row {
			row[j] = scale * .4 * r.NormFloat64() / math.Sqrt(float64(p.d))
		}
		row[i] += scale
		l.factor = append(l.factor, row)
		if l.optimum[i] = r.NormFloat64() / 3; p.trap == trapBound {
			l.optimum[i] = math.Abs(l.optimum[i])
		}
	}
	l.unit = eloOdds(drawOdds(p.draws))
	scale := math.Sqrt(l.unit * unitLoss / l.lost(make([]float64, p.d)))
	for i, row := range l.factor {
		for j := range row {
			row[j] *= scale
		}
		if l.optimum[i] *= math.Sqrt(p.gain / unitLoss); p.trap == trapWhole {
			l.optimum[i] = math.Round(wholeSteps*l.optimum[i]) / wholeSteps
		}
	}
	return l
}

// wholeSteps is the number of whole values in half a range.
const wholeSteps = 5

// drawOdds returns Problem.Draws for a share of draws between equal players.
func drawOdds(share float64) float64 { return math.Log((1 + share) / (1 - share)) }

// eloOdds returns the log-odds in a game that correspond to one Elo between equal players,
// given Problem.Draws.
func eloOdds(draws float64) float64 {
	q := logistic(-draws)
	return math.Ln10 / 400 / (4 * q * (1 - q))
}

// lost returns the log-odds lost at a point.
func (l *landscape) lost(u []float64) (sum float64) {
	for _, row := range l.factor {
		x := 0.0
		for j, v := range row {
			x += float64(v * (u[j] - l.optimum[j]))
		}
		sum += float64(x * x)
	}
	return sum
}

// problem draws the landscape from r and returns the described problem.
func (k peak) problem(r *rand.Rand) Problem {
	l, stretch := k.landscape(r), 1.0
	if k.trap == trapWhole {
		stretch = wholeSteps
	}
	p := Problem{Name: k.name(), Draws: drawOdds(k.draws)}
	for i := range k.d {
		p.Space = append(p.Space, k.param(i, l.optimum[i]))
		p.Start = append(p.Start, 0)
		p.Optimum = append(p.Optimum, p.Space[i].Clip(l.optimum[i]*stretch))
	}
	p.Strength = func(v params.Vector) float64 {
		u := slices.Clone(v)
		for i := range u {
			u[i] /= stretch
		}
		return k.strength(&l, u)
	}
	return p
}

// param returns parameter i of the problem.
func (p peak) param(i int, optimum float64) params.Param {
	q := params.Param{Name: fmt.Sprint("x", i+1), Min: -1, Max: 1, Step: .1}
	switch p.trap {
	case trapWide:
		q.Min, q.Max = -10, 10
	case trapNarrow:
		q.Min, q.Max = -.2, .2
	case trapSmall:
		q.Step = .01
	case trapLarge:
		q.Step = 1
	case trapWhole:
		q.Min, q.Max, q.Step, q.Whole = -wholeSteps, wholeSteps, 1, true
	case trapBound:
		if i%2 == 0 {
			q.Max = max(optimum, 1e-3)
		}
	}
	return q
}

// A plateau is plateauElo high. A cliff lies cliffGap beyond the start, or beyond the optimum
// of one of two parameters; past it cliffElo are lost.
const (
	plateauElo = 2
	cliffElo   = 300
	cliffGap   = .15
)

// strength returns the strength at point u of the landscape, in log-odds, as the trap changes
// it.
func (p peak) strength(l *landscape, u []float64) float64 {
	lost := l.lost(u)
	switch p.trap {
	case trapPlateau:
		lost = plateauElo * l.unit * math.Floor(lost/(plateauElo*l.unit))
	case trapCliff:
		if u[0] > max(l.optimum[0], 0)+cliffGap || u[1] > max(l.optimum[1], 0)+cliffGap {
			lost += cliffElo * l.unit
		}
	}
	return -lost
}
