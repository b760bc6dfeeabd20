// Package mixed tunes numbers and choices in one run: params/quadratic for the
// numbers, params/racing for names, switches and whole numbers between which nothing
// lies. Both take turns. A leg of the race has every choice still open play the
// start's choice with the numbers found so far; then the quadratic has up to three
// times as many pairs, with the choice that leads. So the race goes on at numbers
// that get better, and once it is over all that is left of the budget is the
// quadratic's. It plays nothing itself.
//
// It does not model numbers that suit one choice and not another: the fit reads all games
// as of one peak, whatever choice they were played with.
package mixed

import (
	"errors"
	"fmt"
	"slices"

	"selfplaylab/params"
	"selfplaylab/params/quadratic"
	"selfplaylab/params/racing"
)

// Settings say what to tune.
type Settings struct {
	Space  params.Space
	Start  params.Vector
	Active []int // the numbers, as quadratic.Settings has them
	// Chosen are the indices of the parameters that are chosen, none of which is a
	// number tuned; Choices their values, each once and none the start's.
	Chosen  []int
	Choices []params.Vector
	Seed    uint64  // of the quadratic's probes
	Pairs   int     // the budget of both
	Alpha   float64 // see racing.Settings
}

// raceShare is the part of the budget that the race may have: one pair in raceShare.
const raceShare = 4

// raceOpenings keeps the openings of the race apart from those of the quadratic.
const raceOpenings = 1 << 40

// Tuner is both behind the ask / tell interface.
type Tuner struct {
	set     Settings
	numbers *quadratic.Tuner
	race    *racing.Tuner

	plan        []turn // as far as it is known
	asked, told int
	queue       []params.Trial // of the quadratic: asked for and not yet handed out

	racePairs, pairs int // planned so far, of the race and of the quadratic
	// Known at the end of the last turn of either kind that was told whole, so that what
	// is proposed depends on nothing that may be in flight.
	leader params.Vector // values of the chosen parameters
	centre params.Vector // the numbers, in a vector of the space
}

// turn is a stretch of trials of one kind.
type turn struct {
	race   bool
	first  int            // ID
	trials int            // -1 for all that follow
	local  int            // ID of the first as the tuner of the turn counts
	legs   []params.Trial // what a race asks for
	choice params.Vector  // the values of the chosen parameters while numbers are tuned
	centre params.Vector  // the numbers while the race is on
}

func (t *turn) holds(id int) bool {
	return id >= t.first && (t.trials < 0 || id < t.first+t.trials)
}

// New returns a tuner, or an error that names the unusable setting.
func New(set Settings) (*Tuner, error) {
	t := &Tuner{set: set}
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("mixed: %w", err)
	}
	var err error
	t.numbers, err = quadratic.New(quadratic.Settings{Space: set.Space, Start: set.Start, Active: set.Active, Seed: set.Seed})
	if err != nil {
		return nil, fmt.Errorf("mixed: the numbers: %w", err)
	}
	var space params.Space
	for _, i := range set.Chosen {
		space = append(space, set.Space[i])
	}
	t.leader, t.centre = t.chosen(set.Start), set.Start.Clone()
	t.race, err = racing.New(racing.Settings{
		Space: space, Start: t.leader, Candidates: set.Choices, Pairs: set.Pairs / raceShare, Alpha: set.Alpha,
	})
	if err != nil {
		return nil, fmt.Errorf("mixed: the choices, which have one pair in %d of %d: %w", raceShare, set.Pairs, err)
	}
	t.extend(t.race.Ask())
	return t, nil
}

func (t *Tuner) check() error {
	s := &t.set
	if err := s.Space.Check(s.Start); err != nil {
		return err
	}
	if len(s.Chosen) == 0 {
		return errors.New("nothing to choose: that is quadratic's")
	}
	for k, i := range s.Chosen {
		switch {
		case i < 0 || i >= len(s.Space) || slices.Contains(s.Chosen[:k], i):
			return fmt.Errorf("chosen parameter %d: want indices of the space, 0 to %d, each once", i, len(s.Space)-1)
		case slices.Contains(s.Active, i):
			return fmt.Errorf("%s is to be chosen and to be tuned as a number: want one of the two", s.Space[i].Name)
		}
	}
	return nil
}

// chosen are the values of the chosen parameters in a vector.
func (t *Tuner) chosen(v params.Vector) params.Vector {
	var list params.Vector
	for _, i := range t.set.Chosen {
		list = append(list, v[i])
	}
	return list
}

// at is a vector with other values of the chosen parameters.
func (t *Tuner) at(v, choice params.Vector) params.Vector {
	v = v.Clone()
	for k, i := range t.set.Chosen {
		v[i] = choice[k]
	}
	return v
}

// isChoice reports whether a trial is one of the race: only there the two differ in
// what is chosen.
func (t *Tuner) isChoice(x, than params.Vector) bool {
	return slices.ContainsFunc(t.set.Chosen, func(i int) bool { return x[i] != than[i] })
}

// extend plans a leg of the race and the turn of the quadratic after it or, if the
// race is over, a last turn of the quadratic.
func (t *Tuner) extend(legs []params.Trial) {
	first, local := 0, 0
	for _, u := range t.plan {
		first += u.trials
		if !u.race {
			local += u.trials
		}
	}
	if len(legs) == 0 {
		t.numbers.SetPairs(t.set.Pairs - t.racePairs)
		t.queue = t.within(t.queue, t.set.Pairs-t.racePairs)
		t.plan = append(t.plan, turn{first: first, trials: -1, local: local, choice: t.leader})
		return
	}
	t.plan = append(t.plan, turn{race: true, first: first, trials: len(legs), local: legs[0].ID, legs: legs, centre: t.centre})
	for _, trial := range legs {
		t.racePairs += trial.Pairs
	}
	n := 0
	for next := t.numbers.TrialPairs(t.pairs); t.pairs+next <= (raceShare-1)*t.racePairs; next = t.numbers.TrialPairs(t.pairs) {
		n, t.pairs = n+1, t.pairs+next
	}
	t.plan = append(t.plan, turn{first: first + len(legs), trials: n, local: local, choice: t.leader})
}

// within cuts what the quadratic asked for, before it knew its budget, to that: the
// batches of many parameters are longer than short budgets.
func (t *Tuner) within(queue []params.Trial, pairs int) []params.Trial {
	before := 0
	for id, next := 0, 0; next < len(queue); id++ {
		n := t.numbers.TrialPairs(before)
		if id == queue[next].ID {
			if queue[next].Pairs = min(n, pairs-before); queue[next].Pairs < 1 {
				return queue[:next]
			}
			next++
		}
		before += n
	}
	return queue
}

// turn is the turn that a trial is in; nil if that is not known yet.
func (t *Tuner) turn(id int) *turn {
	for i := len(t.plan) - 1; i >= 0; i-- {
		if t.plan[i].holds(id) {
			return &t.plan[i]
		}
	}
	return nil
}

// Ask returns the trials that may start: a whole leg of the race, and what the
// quadratic may ask for of its turn.
func (t *Tuner) Ask() []params.Trial {
	var trials []params.Trial
	for {
		u := t.turn(t.asked)
		if u == nil {
			return trials
		}
		trial, ok := t.trial(u)
		if !ok {
			return trials
		}
		trial.ID = t.asked
		trials = append(trials, trial)
		t.asked++
	}
}

// trial is the next one to ask for, of a turn; ok is false while scores are awaited,
// and at the end.
func (t *Tuner) trial(u *turn) (trial params.Trial, ok bool) {
	if u.race {
		trial = u.legs[t.asked-u.first]
		trial.A, trial.B = t.at(u.centre, trial.A), t.at(u.centre, trial.B)
		trial.Openings |= raceOpenings
		return trial, true
	}
	if len(t.queue) == 0 {
		t.queue = t.numbers.Ask()
	}
	if len(t.queue) == 0 {
		return trial, false
	}
	trial, t.queue = t.queue[0], t.queue[1:]
	trial.A, trial.B = t.at(trial.A, u.choice), t.at(trial.B, u.choice)
	return trial, true
}

// Tell hands a score to the tuner whose trial it is.
func (t *Tuner) Tell(trial params.Trial, s params.Score) error {
	if err := trial.Check(t.set.Space, t.told); err != nil {
		return fmt.Errorf("mixed: %w", err)
	}
	u := t.turn(t.told)
	if u == nil || u.race != t.isChoice(trial.A, trial.B) {
		return fmt.Errorf("mixed: trial %d played %v against %v, which is not its turn", trial.ID, trial.A, trial.B)
	}
	trial.ID += u.local - u.first
	var err error
	if u.race {
		trial.Openings = u.legs[t.told-u.first].Openings
		trial.A, trial.B = t.chosen(trial.A), t.chosen(trial.B)
		err = t.race.Tell(trial, s)
	} else {
		err = t.numbers.Tell(trial, s)
	}
	if err != nil {
		return fmt.Errorf("mixed: %w", err)
	}
	t.told++
	t.asked = max(t.asked, t.told)
	if t.told == u.first+u.trials {
		t.end(u.race)
	}
	return nil
}

// end notes what a turn that was told whole has shown.
func (t *Tuner) end(race bool) {
	if !race {
		t.centre = t.numbers.Recommend()
		return
	}
	t.leader = t.race.Recommend()
	t.extend(t.race.Ask())
}

// Recommend returns the numbers of the quadratic with the choice that leads.
func (t *Tuner) Recommend() params.Vector { return t.at(t.numbers.Recommend(), t.race.Recommend()) }

// Numbers is the quadratic, for what it has to say. It must not be told anything.
func (t *Tuner) Numbers() *quadratic.Tuner { return t.numbers }

// Choices is the race, in a space of the chosen parameters alone, for what it has to
// say. It must not be told anything.
func (t *Tuner) Choices() *racing.Tuner { return t.race }
