package schedule

import (
	"fmt"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// chunk is the number of pairs in one trial of a long match: small enough for memory and for
// showing progress, large enough to cost nothing.
const chunk = 64

// window is the number of trials of a source that may be in flight, enough for a thousand
// workers. It does not change the result.
const window = 16

// Match is a Source of A against B for a number of pairs. With a Verdict it ends with the pair
// that decides the verdict.
type Match struct {
	PhaseName string           // name of the phase
	Seats     [2]player.Config // A and B
	Pairs     int              // number of pairs, or the maximum with a Verdict
	Verdict   Verdict          // nil to play all pairs
	First     uint64           // stream of openings of the first trial
	// InOrder takes the openings of the setup's book one after the other; otherwise each pair's
	// seed draws one of them.
	InOrder bool

	queue
	pairs [5]int
	over  bool
}

// Verdict judges a tally while a match is played.
type Verdict interface {
	// Decided reports whether these pairs decide the verdict. They are the first ones in
	// schedule order, counted by A's half points.
	Decided(pairs [5]int) bool
}

// queue counts the trials of a source.
type queue struct {
	Defaults
	begun, done int // trials returned by Ask, and trials passed to Tell
}

// ahead returns the number of trials of pairs pairs each that may be in flight.
func ahead(inFlight, pairs int) int { return max(window, (inFlight+pairs-1)/pairs) }

// Tell implements Source. The trial must be the oldest that Ask returned.
func (q *queue) Tell(row datasets.TrialRow, _ *params.MarginScore) error {
	if q.done >= q.begun {
		return fmt.Errorf("trial %d was reported but never proposed", row.Trial)
	}
	q.done++
	return nil
}

func (m *Match) trials() int { return (m.Pairs + chunk - 1) / chunk }

// Ask implements Source.
func (m *Match) Ask(inFlight int) []Trial {
	var trials []Trial
	for ; !m.over && m.begun < m.trials() && m.begun < m.done+ahead(inFlight, chunk); m.begun++ {
		t := Trial{
			Phase: m.PhaseName, Stream: play.Stream(m.PhaseName), Seats: m.Seats,
			Pairs: min(chunk, m.Pairs-m.begun*chunk), Openings: m.First + uint64(m.begun), Book: play.Drawn,
		}
		if m.InOrder {
			t.Book = m.begun * chunk
		}
		trials = append(trials, t)
	}
	return trials
}

// Done implements Source by the Verdict.
func (m *Match) Done(pairs [5]int) bool {
	return m.Verdict != nil && m.Verdict.Decided(plus(m.pairs, pairs))
}

// Tell implements Source.
func (m *Match) Tell(row datasets.TrialRow, margin *params.MarginScore) error {
	if err := m.queue.Tell(row, margin); err != nil {
		return err
	}
	m.over = m.Done(row.PairCounts())
	m.pairs = plus(m.pairs, row.PairCounts())
	return nil
}

// plus returns the sum of two tallies.
func plus(a, b [5]int) [5]int {
	for i, n := range b {
		a[i] += n
	}
	return a
}

// Sequential is a Source of A against B in batches, with a look at the result after each batch.
// It ends at the first look after at least Min pairs that decides the verdict, else after Max.
type Sequential struct {
	PhaseName string           // name of the phase
	Seats     [2]player.Config // A and B
	Min, Max  int              // numbers of pairs
	Batch     int              // pairs between two looks; at least 1
	Verdict   Verdict          // nil to play Max pairs
	First     uint64           // stream of openings of the first trial

	queue
	pairs [5]int
	over  bool
}

// Ask implements Source. Batches after a deciding look are dropped.
func (s *Sequential) Ask(inFlight int) []Trial {
	var trials []Trial
	for ; !s.over && s.begun*s.Batch < s.Max && s.begun < s.done+ahead(inFlight, s.Batch); s.begun++ {
		trials = append(trials, Trial{
			Phase: s.PhaseName, Stream: play.Stream(s.PhaseName), Seats: s.Seats,
			Pairs: min(s.Batch, s.Max-s.begun*s.Batch), Openings: s.First + uint64(s.begun), Book: play.Drawn,
		})
	}
	return trials
}

// Done implements Source. It looks only at complete batches.
func (s *Sequential) Done(pairs [5]int) bool {
	n := 0
	for _, k := range pairs {
		n += k
	}
	if n < min(s.Batch, s.Max-s.done*s.Batch) {
		return false
	}
	return s.done*s.Batch+n >= s.Min && s.Verdict.Decided(plus(s.pairs, pairs))
}

// Tell implements Source.
func (s *Sequential) Tell(row datasets.TrialRow, margin *params.MarginScore) error {
	over := s.Done(row.PairCounts())
	if err := s.queue.Tell(row, margin); err != nil {
		return err
	}
	s.over = over
	s.pairs = plus(s.pairs, row.PairCounts())
	return nil
}

// Listed is a Source of given trials that do not depend on each other.
type Listed struct {
	Trials []Trial // in the order of play

	queue
}

// Ask implements Source. Trials in flight are in memory, so it returns a long list in parts.
func (l *Listed) Ask(int) []Trial {
	from := l.begun
	l.begun = max(from, min(len(l.Trials), l.done+4*window))
	return l.Trials[from:l.begun]
}
