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
func (p *effects) moves() (list []effectTest) {
	space, best := p.spec.task.Space(), p.tuned.raw()
	for _, i := range p.spec.task.Indices() {
		up, down := neighbours(space[i], best[i])
		values := []float64{up, down}
		if start := p.spec.Start.Values[i]; p.spec.EffectStart && start != up && start != down {
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
func (p *effects) everybody() (l lineup) {
	if !p.tuned.settled() { // both steps of each, and the start's value
		return lineup{meets: make([]schedule.Pairing, 3*len(p.spec.Active)), open: true}
	}
	for _, m := range p.moves() {
		a := p.tuned.raw().Clone()
		a[m.param] = m.value
		l.match(p.spec.Start.With(a), p.spec.tuned(p.tuned.raw()))
	}
	return l
}

func (p *effects) Add(n int64, f schedule.Finished) error {
	moves := p.moves()
	if n >= int64(len(moves)) {
		return p.diverged(f.Trial)
	}
	m := moves[n]
	m.values.add(f.Games)
	p.tests = append(p.tests, m)
	if len(p.tests) == len(moves) {
		p.tuned.leave(p.idle())
	}
	return nil
}

// idle names the parameters of which no tested value changed anything.
func (p *effects) idle() (names []string) {
	for _, i := range p.spec.task.Indices() {
		tests := slices.DeleteFunc(slices.Clone(p.tests), func(m effectTest) bool { return m.param != i })
		if len(tests) > 0 && !slices.ContainsFunc(tests, func(m effectTest) bool { return m.values.unequal > 0 || m.values.a.N() == 0 }) {
			names = append(names, p.spec.task.Space()[i].Name)
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
func (p *remeasure) settle(a *answers) {
	if p.seen == nil && p.tuned.settled() {
		if p.seen = a.bestVector; p.seen == nil {
			p.seen = p.spec.Start.Values
		}
	}
}

func (p *remeasure) Add(_ int64, f schedule.Finished) error {
	p.values.add(f.Games)
	return nil
}

func (p *remeasure) Done() bool { return p.tuned.settled() && p.matches.Done() }
