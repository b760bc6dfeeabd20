package spsa

import (
	"math"

	"selfplaylab/params"
)

// local gains are derived from the number of iterations, pairs and parameters as
// budgeted ones are, but in the parameters' ranges, so that a badly chosen
// Param.Step does no harm; their probes shrink with the sixth root of the games,
// which balances noise against the bias of a peak that is no parabola; and no
// iteration moves further than a share of a probe. Probes of whole numbers are wide at
// first whatever the length of the run and shrink within it, more slowly: those of a long run
// were too short from the beginning to leave a plateau, and more games gained less (TestBlocks). The recommendation is made by a
// quadratic fitted to the games nearby; see tuner.refine.
//
// All fields must be above 0; Localised fills them. The unit is a twentieth of a
// parameter's range.
type local struct {
	Probe     float64 // half-width of the probes of a run of 100 pairs, in units
	Curvature float64 // loss in Elo one unit from the optimum that the budget should still resolve
	Distance  float64 // loss in Elo assumed at the start
	Share     float64 // of a probe, the most that one iteration moves
}

// Localised returns the gains that New uses by default. Probe was chosen on ten
// noisy problems: 3 is a tenth better at 10,000 games, 2 a tenth better at 1,000.
func Localised() local { return local{Probe: 2.5, Curvature: 1, Distance: 100, Share: .2} }

// rangeUnits is the number of units of local gains in a parameter's range.
const rangeUnits = 20

// unit is that of the gains, in the parameter's steps.
func unit(g Gains, p params.Param) float64 {
	if _, ok := g.(local); !ok {
		return 1
	}
	lo, hi := p.Bounds()
	return (hi - lo) / rangeUnits
}

// At implements Gains.
func (l local) At(s *Settings, k int) sizes {
	c := l.Probe * math.Pow(float64(s.Iterations*s.Pairs)/100, -1./6)
	b := budgeted{Probe: c, Curvature: l.Curvature, Distance: l.Distance}
	whole := l.Probe * math.Pow(max(float64((k+1)*s.Pairs)/100, 1), -1./8)
	return sizes{Gain: min(b.At(s, k).Gain, l.Share*c), Probe: c, Whole: max(c, whole)}
}

// budgeted gains are constant and derived from the number of iterations, pairs
// and parameters; see Budget.
type budgeted struct {
	// Probe is the half-width of the probes in steps; 0 means 1.
	Probe float64
	// Curvature is the loss in Elo one step away from the optimum that the
	// budget should still resolve; 0 means 1.
	Curvature float64
	// Distance is the loss in Elo assumed at the start; 0 means 100.
	Distance float64
}

// Budget returns gains that balance what the start costs against what noise
// costs, with the defaults of budgeted.
//
// Near the optimum, with a loss of h u^2 Elo a parameter, probes of half-width
// c and 347.4 Elo a unit of result, an iteration pulls u back by a*4hc/347.4 of
// itself. What is left of the starting loss L after N iterations is therefore
// L exp(-m a), m = 8hcN/347.4; the noise, of variance v a pair, keeps n
// parameters at a loss of n a K, K = 347.4 v / (8 c P) (the stationary variance
// of that recursion; the same balance is the design rule of Van den Bergh's
// spsa_simul, there for a given precision). The sum is smallest at
// a = ln(L m / (n K)) / m.
func Budget() budgeted { return budgeted{} }

const (
	eloUnit      = 800 / math.Ln10 // Elo a unit of result, near even
	pairVariance = 0.5             // of a pair's mean result in [-1, 1]: half of all pairs are split
)

// At implements Gains.
func (b budgeted) At(s *Settings, _ int) sizes {
	or := func(x, standard float64) float64 {
		if x > 0 {
			return x
		}
		return standard
	}
	c := or(b.Probe, 1)
	h, l := or(b.Curvature, 1), or(b.Distance, 100)
	m := 8 * h * c * float64(s.Iterations) / eloUnit
	noise := float64(len(s.Active)) * eloUnit * pairVariance / (8 * c * float64(s.Pairs))
	a := math.Log(max(l*m/noise, math.E)) / m
	// However short the run, one iteration won by everything moves a few steps.
	return sizes{Gain: min(a, 4), Probe: c, Whole: c}
}

// classic gains decay as fishtest's do (server/fishtest/spsa_workflow.py), with
// each parameter's step as its c_end.
type classic struct {
	A, Alpha, Gamma float64 // A as a share of all pairs
	REnd            float64 // learning rate at the end
}

// DefaultClassic returns the values fishtest offers: folklore, and slow.
func DefaultClassic() classic { return classic{A: 0.1, Alpha: 0.602, Gamma: 0.101, REnd: 0.002} }

// At implements Gains. Fishtest counts k in pairs and results in games won less
// games lost, 2 P y of an iteration.
func (g classic) At(s *Settings, k int) sizes {
	pairs := float64(s.Iterations * s.Pairs)
	c0, a0 := g.start(pairs, 1)
	c, r := g.step(a0, c0, g.A*pairs, float64(k*s.Pairs+1))
	return sizes{Gain: 2 * float64(s.Pairs) * r * c, Probe: c, Whole: c}
}

// start returns c_0 and a_0 for a planned number of pairs and a c_end.
func (c classic) start(pairs, cEnd float64) (c0, a0 float64) {
	return cEnd * math.Pow(pairs, c.Gamma), c.REnd * cEnd * cEnd * math.Pow(float64(c.A*pairs)+pairs, c.Alpha)
}

// step returns c_k and R_k.
func (g classic) step(a0, c0, stability, k float64) (c, r float64) {
	c = c0 / math.Pow(k, g.Gamma)
	return c, a0 / math.Pow(stability+k, g.Alpha) / (c * c)
}
