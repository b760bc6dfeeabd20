// Package racing is a tuner that chooses among a few given points, such as names, switches
// or whole numbers. All candidates play the start on the same openings. Candidates that
// paired tests show to be worse than the leader drop out, so the games go to the open
// choices (the idea of irace: López-Ibáñez et al., Operations Research Perspectives 3, 2016).
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

// Version of the tuner. A run records it and is continued by this version alone, so any
// change that asks for other trials or recommends other values, from the same settings, seed
// and scores, raises it.
const Version = 1

// Settings are the candidates and the games for them.
type Settings struct {
	Space params.Space
	// Start is the opponent of all candidates and a candidate itself. It is recommended
	// while no other candidate scores above one half.
	Start params.Vector
	// Candidates are the other points, each once and none equal to Start; at least
	// one and MaxCandidates at most.
	Candidates []params.Vector
	Pairs      int // the budget in pairs; the race may end before it is spent
	Most       int // pairs of one candidate at most, rounded up to whole rounds; 0 for as many as the budget has
	// Alpha is the maximum chance that the truly best candidate drops out during the race:
	// above 0 and below 1; 0 means 0.05.
	Alpha float64
}

// MaxCandidates bounds a race. A search among more points needs another method.
const MaxCandidates = 1000

const (
	chunk     = 4 // pairs a trial: one round of one candidate
	firstLook = 8 // rounds before the first look; the next ones are after twice as many
)

// Rounded rounds a candidate's number of pairs up to whole rounds.
func Rounded(pairs int) int { return (pairs + chunk - 1) / chunk * chunk }

// standing is a candidate and its result against the start.
type standing struct {
	Vector params.Vector
	Score  params.Score
	In     bool // not shown to be worse than the leader
}

// Tuner is the race behind the ask / tell interface.
type Tuner struct {
	set   Settings
	all   []standing // the candidates, without the start
	means [][]float64
	start bool // the start is in the race still

	legs        []leg
	asked, told int
	pairs       int // of all legs
}

// leg holds the rounds between two looks. All its trials may be in flight.
type leg struct {
	first         int // ID
	in            []int
	round, rounds int // the first, and how many
}

func (l *leg) end() int { return l.first + l.rounds*len(l.in) }

// New returns a tuner, or an error that names the unusable setting.
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

// plan adds the next leg, if the budget has a round of it.
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
		t.legs = append(t.legs, leg{first: t.told, in: in, round: round, rounds: rounds})
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

// Ask returns the trials up to the next look.
func (t *Tuner) Ask() []params.Trial {
	var trials []params.Trial
	for l := &t.legs[len(t.legs)-1]; t.asked < l.end(); t.asked++ {
		trials = append(trials, t.trial(l, t.asked))
	}
	return trials
}

func (t *Tuner) trial(l *leg, id int) params.Trial {
	k := id - l.first
	return params.Trial{
		ID: id, A: t.all[l.in[k%len(l.in)]].Vector.Clone(), B: t.set.Start.Clone(),
		Pairs: chunk, Openings: uint64(l.round + k/len(l.in)),
	}
}

// Tell adds a score to its candidate, and looks at the race after a leg's last. A
// trial of other points than the race would play is an error.
func (t *Tuner) Tell(trial params.Trial, s params.Score) error {
	l := &t.legs[len(t.legs)-1]
	if t.told == l.end() {
		return fmt.Errorf("racing: trial %d, but the race was over after %d", trial.ID, t.told)
	}
	if err := trial.Check(t.set.Space, t.told); err != nil {
		return fmt.Errorf("racing: %w", err)
	}
	want := t.trial(l, t.told)
	if !slices.Equal(trial.A, want.A) || !slices.Equal(trial.B, want.B) || trial.Openings != want.Openings {
		return fmt.Errorf("racing: trial %d played %v against %v on openings %d, which is not this race's", trial.ID, trial.A, trial.B,
			trial.Openings)
	}
	c := l.in[(t.told-l.first)%len(l.in)]
	for i, n := range s.Pairs {
		t.all[c].Score.Pairs[i] += n
	}
	t.means[c] = append(t.means[c], s.Mean())
	t.told++
	t.asked = max(t.asked, t.told)
	if t.told == l.end() {
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
// leader. Each test has an equal share of Alpha, because the best candidate can drop out by
// any test at any look.
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

// Recommend returns the leader of the race. While others are still in it, selecting the best
// biases its score upwards: verify it on fresh openings.
func (t *Tuner) Recommend() params.Vector {
	if i := t.leader(); i >= 0 {
		return t.all[i].Vector.Clone()
	}
	return t.set.Start.Clone()
}

// Start returns the candidate that is not among Candidates.
func (t *Tuner) Start() params.Vector { return t.set.Start.Clone() }

// Over reports whether the race has ended: by its budget, or because one is left.
func (t *Tuner) Over() bool { return t.told == t.legs[len(t.legs)-1].end() }
