package tuning

import (
	"slices"

	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

// effects is the phase that changes each parameter of an objective by a step, up and
// down from the tuned values, and back to the start's. One that changes no value has no
// effect, and is left where it started.
type effects struct {
	matches
	tuned *selectPhase
	tests []effectTest
}

// effectTest is a tested value of a parameter.
type effectTest struct {
	param  int
	value  float64
	values paired
}

func newEffects(tuned *selectPhase) *effects {
	p := &effects{tuned: tuned, matches: matches{phase: newPhase(tuned.spec, phaseEffects, tuned.stageIndex), pairs: tuned.spec.EffectPairs,
		note: "what does a step of each parameter change?"}}
	p.lineup = p.everybody
	return p
}

// moves are the values to test.
func (e *effects) moves() (list []effectTest) {
	space, best := e.spec.task.Space(), e.tuned.raw()
	for _, i := range e.spec.task.Indices() {
		up, down := neighbours(space[i], best[i])
		values := []float64{up, down}
		if start := e.spec.Start.Values[i]; e.spec.EffectStart && start != up && start != down {
			values = append(values, start)
		}
		for _, x := range values {
			if x != best[i] {
				list = append(list, effectTest{param: i, value: x})
			}
		}
	}
	return list
}

// everybody has each of them play the tuned values.
func (e *effects) everybody() (l lineup) {
	if !e.tuned.settled() { // both steps of each, and the start's value
		return lineup{meets: make([]schedule.Pairing, 3*len(e.spec.Active)), open: true}
	}
	for _, m := range e.moves() {
		a := e.tuned.raw().Clone()
		a[m.param] = m.value
		l.match(e.spec.Start.With(a), e.spec.tuned(e.tuned.raw()))
	}
	return l
}

func (e *effects) Add(n int64, f schedule.Finished) error {
	moves := e.moves()
	if n >= int64(len(moves)) {
		return e.diverged(f.Trial)
	}
	m := moves[n]
	m.values.add(f.Games)
	e.tests = append(e.tests, m)
	if len(e.tests) == len(moves) {
		e.tuned.leave(e.idle())
	}
	return nil
}

// idle names the parameters of which no tested value changed anything.
func (e *effects) idle() (names []string) {
	for _, i := range e.spec.task.Indices() {
		tests := slices.DeleteFunc(slices.Clone(e.tests), func(m effectTest) bool { return m.param != i })
		if len(tests) > 0 && !slices.ContainsFunc(tests, func(m effectTest) bool { return m.values.unequal > 0 || m.values.a.N() == 0 }) {
			names = append(names, e.spec.task.Space()[i].Name)
		}
	}
	return names
}

// remeasure is the phase that calls an objective again at the vector with the best value
// of a single call, and at the tuned values, with the same fresh seeds.
type remeasure struct {
	matches
	tuned  *selectPhase
	seen   params.Vector // nil before the tuning is over
	values paired
}

func newRemeasure(tuned *selectPhase) *remeasure {
	p := &remeasure{tuned: tuned, matches: matches{phase: newPhase(tuned.spec, phaseBest, tuned.stageIndex), pairs: tuned.spec.BestPairs,
		note: "is the best value seen luck?"}}
	p.lineup = func() (l lineup) {
		l.match(p.spec.named("best seen", p.seen), p.spec.tuned(p.tuned.recommend()))
		return l
	}
	return p
}

// settle keeps the best vector that was seen by the end of the tuning.
func (r *remeasure) settle(a *answers) {
	if r.seen == nil && r.tuned.settled() {
		if r.seen = a.bestVector; r.seen == nil {
			r.seen = r.spec.Start.Values
		}
	}
}

func (r *remeasure) Add(_ int64, f schedule.Finished) error {
	r.values.add(f.Games)
	return nil
}

func (r *remeasure) Done() bool { return r.tuned.settled() && r.matches.Done() }
