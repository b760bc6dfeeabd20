package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"testing"

	"selfplaylab/engines/play"
	"selfplaylab/engines/testmode"
)

// shelf is a Pending that keeps the last offered pairs, in JSON, and stops the campaign after a
// number of offers.
type shelf struct {
	pairs map[string][]byte // by job
	left  int
	stop  context.CancelFunc
	taken int
}

func (s *shelf) Played(j play.Job) (p play.Pair, kept bool, err error) {
	job, err := json.Marshal(j)
	if err != nil {
		return p, false, err
	}
	data, kept := s.pairs[string(job)]
	if kept {
		s.taken++
		err = json.Unmarshal(data, &p)
	}
	return p, kept, err
}

func (s *shelf) Keep(played iter.Seq2[play.Job, *play.Pair], last bool) error {
	if s.left--; s.left == 0 {
		s.stop()
	}
	if !last {
		return nil
	}
	s.pairs = map[string][]byte{}
	for j, p := range played {
		job, err := json.Marshal(j)
		if err != nil {
			return err
		}
		if s.pairs[string(job)], err = json.Marshal(p); err != nil {
			return err
		}
	}
	return nil
}

// TestStoppedMatchPlaysNoPairTwice stops a match within its trials, again and again. It ends
// with the rows of a match that was not stopped, and plays no pair twice.
func TestStoppedMatchPlaysNoPairTwice(t *testing.T) {
	testmode.Raced(t, "plays a match again and again")
	for name, src := range map[string]asker{
		"fixed": &Fixed{X: vector(t, "final"), Than: vector(t, "v12.7"), Pairs: 150},
		"until": &Until{Fixed{X: vector(t, "bad"), Than: vector(t, "final"), Pairs: 150}, below(80)},
	} {
		t.Run(name, func(t *testing.T) {
			c, want := campaign(t, 2)
			c.Moves = "on"
			playAll(t, c, src)
			got, s := &memory{}, &shelf{}
			games, stops := int64(0), 0
			for over := false; !over; stops++ {
				ctx, cancel := context.WithCancel(t.Context())
				s.left, s.stop, s.taken = 3+stops, cancel, 0
				kept := len(s.pairs)
				c, _ := campaign(t, 1+stops%3)
				c.Moves, c.Record, c.Pending, c.Replayed = "on", got, s, rows(got.trials)
				err := c.Run(ctx, src)
				cancel()
				if over = err == nil; !over && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				if s.taken != kept {
					t.Errorf("of %d pairs kept %d are taken", kept, s.taken)
				}
				games += c.Games()
			}
			if stops < 3 {
				t.Errorf("stopped %d times", stops-1)
			}
			if !reflect.DeepEqual(got, want) {
				t.Error("other rows")
			}
			// A verdict drops pairs in flight, so it may also drop kept pairs.
			if n := int64(len(want.games)); name == "fixed" && games != n {
				t.Errorf("%d games were played for %d", games, n)
			}
		})
	}
}

// TestStoppedMatchTakesNoLaterTrial: a match that Observe stops at a trial takes no later one,
// although all have been played.
func TestStoppedMatchTakesNoLaterTrial(t *testing.T) {
	c, m := campaign(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	c.Observe = func(Finished) error {
		cancel()
		return nil
	}
	c.Pending = allPlayed{}
	err := c.Run(ctx, &Fixed{X: vector(t, "final"), Than: vector(t, "v12.7"), Pairs: 2 * chunk})
	if !errors.Is(err, context.Canceled) || len(m.trials) != 1 {
		t.Errorf("%v, %d trials", err, len(m.trials))
	}
}

// allPlayed is a Pending that has every pair.
type allPlayed struct{}

func (allPlayed) Played(j play.Job) (play.Pair, bool, error) {
	return play.Pair{Number: j.From}, true, nil
}

func (allPlayed) Keep(iter.Seq2[play.Job, *play.Pair], bool) error { return nil }
