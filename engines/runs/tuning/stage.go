package tuning

import (
	"slices"

	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// stage is the tuning up to a number of games, with the phases that judge the values
// found by then.
type stage struct {
	spec   *Config
	screen *sensitivity // before the first stage
	tunes  []*tunePhase
	*selectPhase
	contest *contest
	recheck *sensitivity
	*verifyPhase
	*againstPhase
	*ratingPhase
	transfer *transfer
	*worthPhase
}

// newStages returns the stages of a run with its seed.
func newStages(s *Config, seed uint64) (list []*stage) {
	screen, tunings := newScreen(s), newTunings(s, seed)
	for n := range len(s.Stops) + 1 {
		g := &stage{spec: s, screen: screen}
		for _, t := range tunings {
			g.tunes = append(g.tunes, newTunePhase(t, n))
		}
		g.selectPhase = newSelectPhase(g.tunes)
		g.contest = newContest(g.selectPhase)
		joint := &jointRating{tuned: g.selectPhase}
		g.recheck, g.verifyPhase, g.againstPhase = newRecheck(g.selectPhase, screen), newVerifyPhase(joint), newAgainstPhase(joint)
		g.ratingPhase = newRatingPhase(joint, g.verifyPhase)
		g.transfer, g.worthPhase = newTransfer(g.verifyPhase), newWorthPhase(g.selectPhase)
		list = append(list, g)
	}
	return list
}

// judging returns the phases after the tunings, in order.
func (s *stage) judging() []Phase {
	return []Phase{s.selectPhase, s.contest, s.recheck, s.verifyPhase, s.againstPhase, s.ratingPhase, s.transfer, s.worthPhase}
}

// tuning returns the phases of the tunings, in order.
func (s *stage) tuning() (list []Phase) {
	return text.Each(s.tunes, func(t *tunePhase) Phase { return t })
}

// phases returns the phases of the stage, and the sensitivity test before all stages.
func (s *stage) phases() []Phase {
	return slices.Concat([]Phase{s.screen}, s.tuning(), s.judging())
}

// phasesOf lists the phases of all stages in the order in which they are played.
func phasesOf(stages []*stage) []Phase {
	list := []Phase{stages[0].screen}
	for _, g := range stages {
		list = append(append(list, g.tuning()...), g.judging()...)
	}
	return list
}

// plannedPhase is a phase with the games that it will have.
type plannedPhase struct {
	Phase  string
	Games  int64
	AtMost bool // it may end sooner
	Repeat bool // another of several tunings, which are alike
}

// planned lists the phases that will have games, over all stages. Phases that depend on the tuned
// values count at their maximum.
func (c *Config) planned() []plannedPhase {
	stages := newStages(c, 0)
	var list []plannedPhase
	for i, p := range stages[0].phases() {
		games, atMost := p.Planned()
		if i > len(stages[0].tunes) { // judged again in each stage
			for _, g := range stages[1:] {
				more, open := g.phases()[i].Planned()
				games, atMost = games+more, atMost || open
			}
		}
		if games > 0 {
			list = append(list, plannedPhase{Phase: p.Name(), Games: games, AtMost: atMost, Repeat: i > 1 && i <= len(stages[0].tunes)})
		}
	}
	return list
}

// tuningGames returns the number of games of all tunings so far.
func (s *stage) tuningGames() (n int64) {
	for _, t := range s.tunes {
		n += t.Games()
	}
	return n
}

// Recommend returns the tuner's recommendation so far: the start before its first trial.
func (s *stage) Recommend() params.Vector { return s.recommend() }
