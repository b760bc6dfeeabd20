package match

import (
	"fmt"

	"selfplaylab/params"
)

// chunk is the number of pairs of one trial of a long match: small enough to
// keep in memory and to show progress by, large enough to cost nothing.
const chunk = 64

// window is how many trials of a match may be in flight.
const window = 16

// Fixed is a Source: X against Than for a given number of pairs.
type Fixed struct {
	X, Than params.Vector
	Pairs   int

	asked, told int
}

func (f *Fixed) trials() int { return (f.Pairs + chunk - 1) / chunk }

// Ask returns the next chunks.
func (f *Fixed) Ask() []params.Trial {
	var trials []params.Trial
	for ; f.asked < f.trials() && f.asked < f.told+window; f.asked++ {
		trials = append(trials, params.Trial{
			ID: f.asked, X: f.X, Than: f.Than,
			Pairs: min(chunk, f.Pairs-f.asked*chunk), Openings: uint64(f.asked),
		})
	}
	return trials
}

// Tell counts a chunk as done.
func (f *Fixed) Tell(t params.Trial, _ params.Score) error {
	if t.ID != f.told || f.told >= f.asked {
		return fmt.Errorf("match: score of chunk %d out of order", t.ID)
	}
	f.told++
	return nil
}

// Ender is a Source that may end the campaign's phase within a trial: after the
// first pair, in schedule order, with which enough is played. The trial is
// recorded and told as if it had been asked for no more pairs, and Ask is not
// called again; what else was in flight is dropped. So neither workers nor
// batches show in when a match ends.
type Ender interface {
	Source
	// Enough reports whether these pairs of the oldest trial that was asked for
	// and not told, by X's half points, are enough.
	Enough(pairs [5]int) bool
}

// Until is an Ender: the first pairs of the Fixed match with the same seed, until
// the verdict is decided.
type Until struct {
	Fixed   // Pairs is the most that are played
	Verdict Verdict

	pairs [5]int
	over  bool
}

// Ask returns the next chunks, none once the verdict is decided.
func (u *Until) Ask() []params.Trial {
	if u.over {
		return nil
	}
	return u.Fixed.Ask()
}

// Enough implements Ender.
func (u *Until) Enough(pairs [5]int) bool {
	for i, n := range u.pairs {
		pairs[i] += n
	}
	return u.Verdict.Decided(pairs)
}

// Settled reports whether the match is over.
func (u *Until) Settled() bool { return u.over || u.told == u.trials() }

// Tally returns the pairs so far, by X's half points.
func (u *Until) Tally() [5]int { return u.pairs }

// Tell adds a chunk to the tally.
func (u *Until) Tell(t params.Trial, s params.Score) error {
	if err := u.Fixed.Tell(t, s); err != nil {
		return err
	}
	u.over = u.Enough(s.Pairs)
	for i, n := range s.Pairs {
		u.pairs[i] += n
	}
	return nil
}

// Verdict judges a tally while a Sequential match goes on.
type Verdict interface {
	// Decided reports whether the question is settled by these pairs, counted
	// by X's half points, the first ones in schedule order. It may be asked after
	// every batch or pair.
	Decided(pairs [5]int) bool
}

// Sequential is a Source: X against Than in batches, until the verdict is
// decided but not before Min pairs, or until Max pairs are played.
type Sequential struct {
	X, Than  params.Vector
	Min, Max int
	Batch    int // pairs between two looks; at least 1
	Verdict  Verdict

	pairs   [5]int
	asked   int // batches
	told    int
	planned int // pairs asked for
}

// Ask returns the next batch once the one before is told.
func (s *Sequential) Ask() []params.Trial {
	if s.asked > s.told || s.Settled() {
		return nil
	}
	t := params.Trial{ID: s.asked, X: s.X, Than: s.Than, Pairs: min(s.Batch, s.Max-s.planned), Openings: uint64(s.asked)}
	s.asked++
	s.planned += t.Pairs
	return []params.Trial{t}
}

// Settled reports whether the match is over.
func (s *Sequential) Settled() bool {
	return s.asked == s.told && (s.planned >= s.Max || s.planned >= s.Min && s.planned > 0 && s.Verdict.Decided(s.pairs))
}

// Tell adds a batch to the tally.
func (s *Sequential) Tell(t params.Trial, score params.Score) error {
	if t.ID != s.told || s.told >= s.asked {
		return fmt.Errorf("match: score of batch %d out of order", t.ID)
	}
	for i, n := range score.Pairs {
		s.pairs[i] += n
	}
	s.told++
	return nil
}

// Tally returns the pairs so far, by X's half points.
func (s *Sequential) Tally() [5]int { return s.pairs }

// Listed is a Source: given trials, IDs from 0, none waiting for another.
type Listed struct {
	Trials []params.Trial

	asked bool
	told  int
}

// Ask returns all trials, once.
func (l *Listed) Ask() []params.Trial {
	if l.asked {
		return nil
	}
	l.asked = true
	return l.Trials
}

// Tell counts a trial as done.
func (l *Listed) Tell(t params.Trial, _ params.Score) error {
	if !l.asked || t.ID != l.told || l.told >= len(l.Trials) {
		return fmt.Errorf("match: score of trial %d out of order", t.ID)
	}
	l.told++
	return nil
}
