// Package racing is a tuner that chooses among a few given points, such as names, switches or
// whole numbers. All candidates play the start on the same openings. Candidates that paired
// tests show to be worse than the leader drop out, so games are spent on undecided choices (the
// idea of irace: López-Ibáñez et al., Operations Research Perspectives 3, 2016).
package racing

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"selfplaylab/params"
)

// Version numbers the tuner's behaviour. A run records it, and only this version continues the
// run. Any change that proposes other trials or recommends other values, from the same
// settings, seed and scores, must raise it.
const Version = 1

// Settings are the candidates and the games for them. New copies the candidates.
type Settings struct {
	Space params.Space // of all points
	// Start is the opponent of all candidates and a candidate itself. Recommend returns it
	// while no other candidate scores above one half.
	Start params.Vector
	// Candidates are the other points, each once and none equal to Start; from 1 to
	// MaxCandidates.
	Candidates []params.Vector
	Pairs      int // the budget in pairs; the race may end before it is spent
	Most       int // pairs of one candidate at most, rounded up to whole rounds; 0 for no limit but Pairs
	// Alpha is the maximum probability that the truly best candidate drops out during the race:
	// above 0 and below 1; 0 means 0.05.
	Alpha float64
}

// MaxCandidates bounds a race. A search among more points needs another method.
const MaxCandidates = 1000

const (
	chunk     = 4 // pairs a trial: one round of one candidate
	firstLook = 8 // rounds before the first look; the next ones are after twice as many
)

// Rounded returns a candidate's number of pairs, rounded up to whole rounds.
func Rounded(pairs int) int { return (pairs + chunk - 1) / chunk * chunk }

// standing is a candidate and its result against the start.
type standing struct {
	Vector params.Vector
	Score  params.Score
	In     bool // not shown to be worse than the leader
}

// Tuner is the race as a params.Tuner.
type Tuner struct {
	set   Settings
	all   []standing // the candidates, without the start
	means [][]float64
	start bool // the start is in the race still

	legs               []leg
	proposed, answered int
	pairs              int // in all legs together
}

// leg holds the rounds between two looks. All its trials may be in flight.
type leg struct {
	first         int // ID of its first trial
	in            []int
	round, rounds int // the first round, and their number
}

func (l *leg) end() int { return l.first + l.rounds*len(l.in) }

// New returns a tuner. An error names the unusable setting, such as a candidate outside the
// space or too few pairs for a round of each.
func New(set Settings) (*Tuner, error) {
	set.Alpha = cmp.Or(set.Alpha, .05)
	t := &Tuner{set: set, start: true}
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("racing: %w", err)
	}
	for _, v := range set.Candidates {
		t.all = append(t.all, standing{Vector: v.Clone(), In: true})
	}
	t.means = make([][]float64, len(t.all))
	t.plan()
	if len(t.legs) == 0 {
		return nil, fmt.Errorf("racing: pairs in all, %d: want %d at least, a round of each candidate", set.Pairs, chunk*len(t.all))
	}
	return t, nil
}

// check returns an error that names the first unusable setting.
func (t *Tuner) check() error {
	s := &t.set
	if err := s.Space.Check(s.Start); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	switch {
	case s.Most < 0:
		return fmt.Errorf("at most %d pairs a candidate: want 0 for any number, or more", s.Most)
	case len(s.Candidates) == 0:
		return errors.New("no candidate besides the start")
	case len(s.Candidates) > MaxCandidates:
		return fmt.Errorf("%d candidates: want at most %d", len(s.Candidates), MaxCandidates)
	case !(s.Alpha > 0 && s.Alpha < 1):
		return fmt.Errorf("alpha %v: want above 0 and below 1", s.Alpha)
	}
	for i, v := range s.Candidates {
		if err := s.Space.Check(v); err != nil {
			return fmt.Errorf("candidate %d: %w", i, err)
		}
		if slices.Equal(v, s.Start) || slices.ContainsFunc(s.Candidates[:i], func(w params.Vector) bool { return slices.Equal(v, w) }) {
			return fmt.Errorf("candidate %d, %v, is there twice", i, v)
		}
	}
	return nil
}

// plan adds the next leg, if the remaining budget allows a round of it.
func (t *Tuner) plan() {
	round := 0
	if n := len(t.legs); n > 0 {
		round = t.legs[n-1].round + t.legs[n-1].rounds
	}
	in := t.in()
	if len(in) == 0 || len(in) == 1 && !t.start && t.set.Most == 0 {
		return // the winner is known; with Most it is measured to the end
	}
	rounds := max(firstLook, round)
	if t.set.Most > 0 {
		rounds = min(rounds, Rounded(t.set.Most)/chunk-round)
	}
	rounds = min(rounds, (t.set.Pairs-t.pairs)/(chunk*len(in)))
	if rounds > 0 {
		t.legs = append(t.legs, leg{first: t.answered, in: in, round: round, rounds: rounds})
		t.pairs += rounds * len(in) * chunk
	}
}

// in lists the candidates that are in the race.
func (t *Tuner) in() (list []int) {
	for i, c := range t.all {
		if c.In {
			list = append(list, i)
		}
	}
	return list
}

// Ask returns the trials up to the next look. It returns none until all of them are told.
func (t *Tuner) Ask() []params.Trial {
	var trials []params.Trial
	for l := &t.legs[len(t.legs)-1]; t.proposed < l.end(); t.proposed++ {
		trials = append(trials, t.trial(l, t.proposed))
	}
	return trials
}

// trial returns the trial with an ID, which must be one of leg l. The candidates in the race
// take turns, all on the openings of the round.
func (t *Tuner) trial(l *leg, id int) params.Trial {
	k := id - l.first
	return params.Trial{
		ID: id, A: t.all[l.in[k%len(l.in)]].Vector.Clone(), B: t.set.Start.Clone(),
		Pairs: chunk, Openings: uint64(l.round + k/len(l.in)),
	}
}

// Tell adds a score to its candidate; the last score of a leg causes a look at the race. A
// trial of points or openings that the race would not play is an error.
func (t *Tuner) Tell(trial params.Trial, s params.Score) error {
	l := &t.legs[len(t.legs)-1]
	if t.answered == l.end() {
		return fmt.Errorf("racing: trial %d, but the race was over after %d", trial.ID, t.answered)
	}
	if err := trial.Check(t.set.Space, t.answered); err != nil {
		return fmt.Errorf("racing: %w", err)
	}
	want := t.trial(l, t.answered)
	if !slices.Equal(trial.A, want.A) || !slices.Equal(trial.B, want.B) || trial.Openings != want.Openings {
		return fmt.Errorf("racing: trial %d played %v against %v on openings %d, which is not this race's", trial.ID, trial.A, trial.B,
			trial.Openings)
	}
	c := l.in[(t.answered-l.first)%len(l.in)]
	for i, n := range s.Pairs {
		t.all[c].Score.Pairs[i] += n
	}
	t.means[c] = append(t.means[c], s.Mean())
	t.answered++
	t.proposed = max(t.proposed, t.answered)
	if t.answered == l.end() {
		t.look(l)
		t.plan()
	}
	return nil
}

// looks is the maximum number of looks at a race of the set number of pairs.
func (t *Tuner) looks() int {
	return 1 + int(math.Ceil(math.Log2(max(float64(t.set.Pairs)/(chunk*firstLook), 1))))
}

// look drops the candidates that a paired t-test over the rounds shows to be worse than the
// leader. Each test has an equal share of Alpha, because any test at any look may drop the best
// candidate.
func (t *Tuner) look(l *leg) {
	rounds := l.round + l.rounds
	if rounds < 2 {
		return
	}
	even := slices.Repeat([]float64{.5}, rounds)
	leader := even
	if i := t.leader(); i >= 0 {
		leader = t.means[i]
	}
	quantile := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(rounds - 1)}.Quantile(1 - t.set.Alpha/float64(t.looks()*len(t.all)))
	worse := func(means []float64) bool {
		d := make([]float64, rounds)
		for k := range d {
			d[k] = leader[k] - means[k]
		}
		mean, sd := stat.MeanStdDev(d, nil)
		return mean > 0 && mean > quantile*sd/math.Sqrt(float64(rounds))
	}
	for _, i := range l.in {
		t.all[i].In = !worse(t.means[i])
	}
	t.start = t.start && !worse(even)
}

// leader is the candidate in the race with the highest score, the first of
// equals; -1 for the start.
func (t *Tuner) leader() int {
	best, score := -1, .5
	if !t.start {
		score = -1
	}
	for _, i := range t.in() {
		if s := t.all[i].Score.Mean(); t.all[i].Score.N() > 0 && s > score {
			best, score = i, s
		}
	}
	return best
}

// Recommend returns a copy of the leader. While others are still in the race, selecting the
// best biases its score upwards: verify it on fresh openings.
func (t *Tuner) Recommend() params.Vector {
	if i := t.leader(); i >= 0 {
		return t.all[i].Vector.Clone()
	}
	return t.set.Start.Clone()
}

// Start returns a copy of Settings.Start, which is not among Candidates.
func (t *Tuner) Start() params.Vector { return t.set.Start.Clone() }

// Over reports whether the race has ended: its budget is spent, or one candidate is left.
func (t *Tuner) Over() bool { return t.answered == t.legs[len(t.legs)-1].end() }
