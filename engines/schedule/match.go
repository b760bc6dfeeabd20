package schedule

import (
	"fmt"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// chunk is the number of pairs of one trial of a long match: small enough to
// keep in memory and to show progress by, large enough to cost nothing.
const chunk = 64

// window is how many trials of a source may be in flight: enough for a thousand
// workers, and no part of the result.
const window = 16

// Match is a Source: A against B for a given number of pairs; with a Verdict, for the
// first pairs of the same match, until the verdict is decided.
type Match struct {
	PhaseName string
	Seats     [2]player.Config
	Pairs     int
	Verdict   Verdict // nil to play all pairs
	First     uint64  // stream of openings of the first trial
	// InOrder has the pairs take the openings of the setup's book one after the
	// other; else, with a book, each pair's seed chooses.
	InOrder bool

	queue
	pairs [5]int
	over  bool
}

// Verdict judges a tally while a match goes on.
type Verdict interface {
	// Decided reports whether the question is settled by these pairs, counted by
	// A's half points, the first ones in schedule order.
	Decided(pairs [5]int) bool
}

// queue counts what a source has asked for and been told.
type queue struct {
	Defaults
	asked, told int
}

// ahead is the number of trials of some pairs each that may be in flight.
func ahead(inFlight, pairs int) int { return max(window, (inFlight+pairs-1)/pairs) }

// Tell implements Source: the trial must be the oldest one asked for.
func (q *queue) Tell(row datasets.TrialRow, _ *params.MarginScore) error {
	if q.told >= q.asked {
		return fmt.Errorf("trial %d was reported but never proposed", row.Trial)
	}
	q.told++
	return nil
}

func (m *Match) trials() int { return (m.Pairs + chunk - 1) / chunk }

func (m *Match) Ask(inFlight int) []Trial {
	var trials []Trial
	for ; !m.over && m.asked < m.trials() && m.asked < m.told+ahead(inFlight, chunk); m.asked++ {
		t := Trial{
			Phase: m.PhaseName, Stream: play.Stream(m.PhaseName), Seats: m.Seats,
			Pairs: min(chunk, m.Pairs-m.asked*chunk), Openings: m.First + uint64(m.asked), Book: play.Drawn,
		}
		if m.InOrder {
			t.Book = m.asked * chunk
		}
		trials = append(trials, t)
	}
	return trials
}

func (m *Match) Done(pairs [5]int) bool {
	return m.Verdict != nil && m.Verdict.Decided(plus(m.pairs, pairs))
}

func (m *Match) Tell(row datasets.TrialRow, margin *params.MarginScore) error {
	if err := m.queue.Tell(row, margin); err != nil {
		return err
	}
	m.over = m.Done(row.PairCounts())
	m.pairs = plus(m.pairs, row.PairCounts())
	return nil
}

func plus(a, b [5]int) [5]int {
	for i, n := range b {
		a[i] += n
	}
	return a
}

// Sequential is a Source: A against B in batches. It looks at the result after each
// batch, and ends when the verdict is decided, but not before Min pairs, or after Max.
type Sequential struct {
	PhaseName string
	Seats     [2]player.Config
	Min, Max  int
	Batch     int // pairs between two looks; at least 1
	Verdict   Verdict
	First     uint64 // stream of openings of the first trial

	queue
	pairs [5]int
	over  bool
}

// Ask implements Source. It asks ahead of the looks: what a look makes idle is
// dropped.
func (s *Sequential) Ask(inFlight int) []Trial {
	var trials []Trial
	for ; !s.over && s.asked*s.Batch < s.Max && s.asked < s.told+ahead(inFlight, s.Batch); s.asked++ {
		trials = append(trials, Trial{
			Phase: s.PhaseName, Stream: play.Stream(s.PhaseName), Seats: s.Seats,
			Pairs: min(s.Batch, s.Max-s.asked*s.Batch), Openings: s.First + uint64(s.asked), Book: play.Drawn,
		})
	}
	return trials
}

// Done implements Source: it looks at complete batches only.
func (s *Sequential) Done(pairs [5]int) bool {
	n := 0
	for _, k := range pairs {
		n += k
	}
	if n < min(s.Batch, s.Max-s.told*s.Batch) {
		return false
	}
	return s.told*s.Batch+n >= s.Min && s.Verdict.Decided(plus(s.pairs, pairs))
}

func (s *Sequential) Tell(row datasets.TrialRow, margin *params.MarginScore) error {
	over := s.Done(row.PairCounts())
	if err := s.queue.Tell(row, margin); err != nil {
		return err
	}
	s.over = over
	s.pairs = plus(s.pairs, row.PairCounts())
	return nil
}

// Listed is a Source: given trials, none waiting for another.
type Listed struct {
	Trials []Trial

	queue
}

// Ask implements Source. What is in flight is in memory, so long lists are asked
// for piece by piece.
func (l *Listed) Ask(int) []Trial {
	from := l.asked
	l.asked = max(from, min(len(l.Trials), l.told+4*window))
	return l.Trials[from:l.asked]
}
