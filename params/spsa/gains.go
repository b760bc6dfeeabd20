package spsa

import "math"

// Schedule is fishtest's: step sizes that decay with the pairs played
// (server/fishtest/spsa_workflow.py). All fields must be above 0.
type Schedule struct {
	A, Alpha, Gamma float64 // A is a share of all pairs
	// CEnd is the half-width of the probes at the end of the run, in steps of each parameter.
	CEnd float64
	REnd float64 // learning rate at the end
}

// DefaultCEnd is the half-width of the probes at the end of the run, in steps. Common advice is
// a width by which a parameter alone loses 2 to 3 Elo; steps are rarely as wide.
const DefaultCEnd = 3

// DefaultSchedule returns the values that fishtest offers, with DefaultCEnd.
func DefaultSchedule() Schedule {
	return Schedule{A: 0.1, Alpha: 0.602, Gamma: 0.101, CEnd: DefaultCEnd, REnd: 0.002}
}

// sizes returns the step sizes of iteration k, from 0, in the parameters' steps: the iterate
// moves by gain*y*flip for a result y from -1 to 1 a game, and probe is the half-width of the
// probes. Fishtest counts k in pairs, and results in games won minus games lost, 2 P y for an
// iteration of P pairs.
func (s Schedule) sizes(iterations, pairs, k int) (gain, probe float64) {
	all := float64(iterations * pairs)
	c0, a0 := s.start(all)
	c, r := s.step(a0, c0, s.A*all, float64(k*pairs+1))
	return 2 * float64(pairs) * r * c, c
}

// start returns c_0 and a_0 for a planned number of pairs.
func (s Schedule) start(pairs float64) (c0, a0 float64) {
	return s.CEnd * math.Pow(pairs, s.Gamma), s.REnd * s.CEnd * s.CEnd * math.Pow(float64(s.A*pairs)+pairs, s.Alpha)
}

// step returns c_k and R_k.
func (s Schedule) step(a0, c0, stability, k float64) (c, r float64) {
	c = c0 / math.Pow(k, s.Gamma)
	return c, a0 / math.Pow(stability+k, s.Alpha) / (c * c)
}
