package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// TunerSource is a Source of a tuner's trials. Without opponents, A plays B. With opponents, A
// and B each play the same opponent on the same openings. One trial of the tuner is then two
// recorded trials, and the tuner gets the difference of their scores.
type TunerSource struct {
	Defaults
	PhaseName string        // name of the phase
	Tuner     params.Tuner  // proposes the trials; used by this source only
	Player    player.Config // the tuned player without its values
	Opponents Opponents     // no players for self-play

	proposed []params.Trial // proposed by the tuner during replay, and neither recorded nor returned by Ask yet
	waiting  []params.Trial // returned by Ask, and not yet passed to Tell
	half     *half          // with an opponent: A's result, until B's is there
	done     int            // number of trials whose scores the tuner has
}

// Opponents are the players that all vectors of a tuner play.
type Opponents struct {
	Players []player.Config // at least one, or none for self-play
	Seed    uint64          // determines the order in which they are drawn
}

// Index returns the index of the opponent for the trials with some openings. Trials with the
// same openings are compared, so they meet the same opponent. Each opponent is drawn once in a
// block of as many openings as there are opponents, in an order drawn for the block (permuted
// blocks: Zelen, Journal of Chronic Diseases 27, 1974), so that the numbers of their trials
// never differ by more than one.
func (o Opponents) Index(openings uint64) int {
	n := uint64(len(o.Players))
	if n < 2 {
		return 0
	}
	block := rand.New(rand.NewPCG(o.Seed, openings/n))
	return block.Perm(int(n))[openings%n]
}

// Of returns the opponent for the trials with some openings. There must be one at least.
func (o Opponents) Of(openings uint64) player.Config { return o.Players[o.Index(openings)] }

// half is A's result against the opponent, until B's is there.
type half struct {
	trial  params.Trial
	pairs  [5]int
	margin *params.MarginScore
}

// Past is a Source of recorded trials only: it takes the trials of its phase until Over reports
// true, and proposes none.
type Past struct {
	Defaults
	PhaseName string      // name of the phase
	Over      func() bool // reports whether all trials of the phase are taken
}

// Ask implements Source: it proposes nothing.
func (Past) Ask(int) []Trial { return nil }

// Tell implements Source. It always returns an error, because nothing was proposed.
func (Past) Tell(row datasets.TrialRow, _ *params.MarginScore) error {
	return fmt.Errorf("trial %d was reported but never proposed", row.Trial)
}

// Replay implements Source: it takes trials of the phase until Over.
func (p Past) Replay(row datasets.TrialRow, _ *params.MarginScore) (bool, error) {
	return row.Phase == p.PhaseName && !p.Over(), nil
}

// Recommend implements Source.
func (t *TunerSource) Recommend() params.Vector { return t.Tuner.Recommend() }

// Ask implements Source. It does not depend on the number of pairs in flight.
func (t *TunerSource) Ask(int) []Trial {
	next := append(t.proposed, t.Tuner.Ask()...)
	t.proposed = nil
	t.waiting = append(t.waiting, next...)
	var trials []Trial
	for _, trial := range next {
		if len(t.Opponents.Players) == 0 {
			trials = append(trials, t.trial(trial, trial.A, t.Player.With(trial.B)))
			continue
		}
		opponent := t.Opponents.Of(trial.Openings)
		if t.half == nil || t.half.trial.ID != trial.ID { // A has not played yet
			trials = append(trials, t.trial(trial, trial.A, opponent))
		}
		trials = append(trials, t.trial(trial, trial.B, opponent))
	}
	return trials
}

// trial returns the trial in which vector x plays an opponent, with the pairs and openings of
// the tuner's trial.
func (t *TunerSource) trial(a params.Trial, x params.Vector, other player.Config) Trial {
	return Trial{
		Phase: t.PhaseName, Stream: play.Stream(t.PhaseName), Seats: [2]player.Config{t.Player.With(x), other},
		Pairs: a.Pairs, Openings: a.Openings, Book: play.Drawn,
	}
}

// Tell implements Source.
func (t *TunerSource) Tell(row datasets.TrialRow, margin *params.MarginScore) error {
	if len(t.waiting) == 0 {
		return fmt.Errorf("trial %d was reported but never proposed", row.Trial)
	}
	return t.tell(t.waiting[0], row, margin)
}

// Replay implements Source. A trial that the tuner would not propose today ends the replay with
// an error, because later trials would belong to another tuner.
func (t *TunerSource) Replay(row datasets.TrialRow, margin *params.MarginScore) (bool, error) {
	if row.Phase != t.PhaseName {
		return false, nil
	}
	if err := t.check(row); err != nil {
		return true, err
	}
	a := params.Trial{ID: t.done, A: row.A, B: row.B, Openings: row.Openings, Pairs: int(row.Pairs)}
	return true, t.tell(a, row, margin)
}

// check compares a recorded trial with the next one of the tuner.
func (t *TunerSource) check(row datasets.TrialRow) error {
	if len(t.proposed) == 0 {
		t.proposed = t.Tuner.Ask()
	}
	if len(t.proposed) == 0 { // beyond its budget
		return nil
	}
	p := t.proposed[0]
	same := slices.Equal(row.A, p.A) && slices.Equal(row.B, p.B)
	if len(t.Opponents.Players) > 0 { // first A and then B play an opponent
		point := p.A
		if t.half != nil {
			point = p.B
		}
		same = slices.Equal(row.A, point)
	}
	if !same {
		return fmt.Errorf("resume trial %d: the tuner proposes other values than those recorded: %w", row.Trial, ErrDiverged)
	}
	return nil
}

// tell passes a result to the tuner. With opponents it waits for B's result and passes the
// difference.
func (t *TunerSource) tell(a params.Trial, row datasets.TrialRow, margin *params.MarginScore) error {
	pairs := row.PairCounts()
	if len(t.Opponents.Players) > 0 {
		if t.half == nil {
			t.half = &half{trial: a, pairs: pairs, margin: margin}
			return nil
		}
		a.A, a.B = t.half.trial.A, row.A
		pairs, margin = CombineScores(t.half.pairs, pairs), CombineMargins(t.half.margin, margin)
		t.half = nil
	}
	if len(t.waiting) > 0 {
		t.waiting = t.waiting[1:]
	}
	if len(t.proposed) > 0 {
		t.proposed = t.proposed[1:]
	}
	t.done++
	return t.Tuner.Tell(a, params.Score{Pairs: pairs, Margin: margin})
}

// CombineScores returns a score of A against B from their scores against an opponent, each
// counted by half points: its mean is 1/2 plus half the difference of their means. The counts
// do not tell the openings of the pairs, so A's pairs are matched with B's as in two
// independent matches. Both scores must have the same number of pairs.
func CombineScores(ofA, ofB [5]int) (pairs [5]int) {
	a, b := spread(ofA), spread(ofB)
	n := min(len(a), len(b))
	stride := coprime(n)
	carry := 0 // an odd half point is carried to the next pair
	for k := range n {
		d := 4 + a[k] - b[k*stride%n] + carry // 0 to 9: twice the half points of the pair
		carry = d & 1
		pairs[d/2]++
	}
	return pairs
}

// spread lists the half points of pairs, the fewest first.
func spread(pairs [5]int) (list []int) {
	for points, n := range pairs {
		for range n {
			list = append(list, points)
		}
	}
	return list
}

// coprime returns a number near the golden section of n that has no factor in common with it.
// Its multiples visit all of 0 to n-1 in a scattered order.
func coprime(n int) int {
	for s := max(1, n*618/1000); ; s++ {
		a, b := s, n
		for b != 0 {
			a, b = b, a%b
		}
		if a == 1 {
			return s
		}
	}
}
