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

// TunerSource is a Source: the trials of a tuner. Without opponents, A plays B. With
// opponents, A and B play one of them in turn on the same openings, which makes two recorded
// trials of one of the tuner, and the tuner gets the difference of their scores.
type TunerSource struct {
	Defaults
	PhaseName string
	Tuner     params.Tuner
	Player    player.Config // the tuned player without its values
	Opponents Opponents     // none to tune by self-play

	proposed []params.Trial // by the tuner during replay, and not yet recorded or returned by Ask
	waiting  []params.Trial // returned by Ask, and not taken by Tell
	half     *half          // with an opponent: A's result, while B's is awaited
	done     int            // trials that the tuner has taken
}

// Opponents are the players that all vectors of a tuner play.
type Opponents struct {
	Players []player.Config
	Seed    uint64 // of the order in which they are drawn
}

// Index returns the opponent of the trials with some openings. Trials with the same openings
// are compared, so they meet the same opponent. Each opponent is drawn once in a block of as
// many openings as there are opponents, in an order drawn for the block (permuted blocks:
// Zelen, Journal of Chronic Diseases 27, 1974), so that their shares differ by one trial at
// most, at any time.
func (o Opponents) Index(openings uint64) int {
	n := uint64(len(o.Players))
	if n < 2 {
		return 0
	}
	block := rand.New(rand.NewPCG(o.Seed, openings/n))
	return block.Perm(int(n))[openings%n]
}

// Of returns the opponent at Index.
func (o Opponents) Of(openings uint64) player.Config { return o.Players[o.Index(openings)] }

// half is A's result against the opponent.
type half struct {
	trial  params.Trial
	pairs  [5]int
	margin *params.MarginScore
}

// Past is a Source of recorded trials alone: it takes the trials of its phase until Over, and
// proposes none.
type Past struct {
	Defaults
	PhaseName string
	Over      func() bool
}

// Ask implements Source.
func (Past) Ask(int) []Trial { return nil }

// Tell implements Source.
func (Past) Tell(row datasets.TrialRow, _ *params.MarginScore) error {
	return fmt.Errorf("trial %d was reported but never proposed", row.Trial)
}

// Replay implements Source.
func (p Past) Replay(row datasets.TrialRow, _ *params.MarginScore) (bool, error) {
	return row.Phase == p.PhaseName && !p.Over(), nil
}

func (t *TunerSource) Recommend() params.Vector { return t.Tuner.Recommend() }

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

func (t *TunerSource) trial(a params.Trial, x params.Vector, other player.Config) Trial {
	return Trial{
		Phase: t.PhaseName, Stream: play.Stream(t.PhaseName), Seats: [2]player.Config{t.Player.With(x), other},
		Pairs: a.Pairs, Openings: a.Openings, Book: play.Drawn,
	}
}

func (t *TunerSource) Tell(row datasets.TrialRow, margin *params.MarginScore) error {
	if len(t.waiting) == 0 {
		return fmt.Errorf("trial %d was reported but never proposed", row.Trial)
	}
	return t.tell(t.waiting[0], row, margin)
}

// Replay implements Source. A trial that the tuner would not propose today ends the replay
// with an error, because the trials after it would be another tuner's.
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
	if len(t.proposed) == 0 { // past its budget
		return nil
	}
	p := t.proposed[0]
	same := slices.Equal(row.A, p.A) && slices.Equal(row.B, p.B)
	if len(t.Opponents.Players) > 0 { // A and then B play an opponent
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

// CombineScores makes a score of A against B from their scores against an opponent, each
// counted by half points: its mean is 1/2 plus half the difference of their means. The counts
// lack the openings of the pairs, so A's pairs are matched with B's as in two independent
// matches.
func CombineScores(ofA, ofB [5]int) (pairs [5]int) {
	a, b := spread(ofA), spread(ofB)
	n := min(len(a), len(b))
	stride := coprime(n)
	carry := 0 // an odd half point goes on to the next pair
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

// coprime returns a number near the golden section of n that has no factor in
// common with it, so that its multiples visit all of 0 to n-1 in a scattered
// order.
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
