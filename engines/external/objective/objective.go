// Package objective is a pool that plays no game: programs score the vectors of a job,
// one process a worker, and what they answer is recorded as pairs. It is for
// objectives that are no game of ours.
package objective

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

// Direction is what a program is asked and what its answer means.
type Direction string

// The directions.
const (
	Pair Direction = "pair" // the points of one vector against another
	Max  Direction = "max"  // a value of one vector, larger is better
	Min  Direction = "min"  // a value of one vector, smaller is better
)

// MarshalText writes pair, max or min.
func (d Direction) MarshalText() ([]byte, error) { return []byte(d), nil }

// UnmarshalText reads pair, maximize (or max) or minimize (or min).
func (d *Direction) UnmarshalText(text []byte) error {
	switch t := Direction(strings.TrimSuffix(string(text), "imize")); t {
	case Pair, Max, Min:
		*d = t
		return nil
	}
	return fmt.Errorf("%q: want pair (it compares two vectors), maximize or minimize (it scores one)", text)
}

// Reasons in the record: how a comparison ended, which stands in the place of a game.
const (
	judged   engines.Reason = "judged"
	timedOut engines.Reason = "timeout" // no value of a vector in time
)

// Pool has programs score vectors. It implements schedule.Pool.
type Pool struct {
	schedule.LocalPool
	Command   string // line, as OpenProgram takes it
	Space     params.Space
	Direction Direction
	// Stall is how long an answer is waited for, and 10 s more for the first of a process: a vector
	// without a value by then is worse than any other, and an answer about two vectors is an error.
	// 0 is ten minutes, after which either is an error.
	Stall   time.Duration
	Workers int // at least 1: as many processes
}

func (p Pool) Size() int { return max(1, p.Workers) }

// Play implements schedule.Pool. A job that the program cannot answer is an error
// of the job, an *engines.Fault where the program is at fault.
func (p Pool) Play(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- schedule.Result) error {
	return schedule.Each(ctx, p.Size(), jobs, results, func(int) (schedule.Player, error) {
		o, err := OpenProgram(ctx, p.Command, p.Space, process.Options{Patience: process.Patience{Stall: p.Stall}})
		return &evaluator{o, p, s}, err
	})
}

// evaluator is a schedule.Player that answers jobs with one process.
type evaluator struct {
	*Program
	pool  Pool
	setup play.Setup
}

// TakeCPU implements schedule.Player: nobody decides.
func (e *evaluator) TakeCPU() (none [2]play.CPU) { return none }

func (e *evaluator) Play(ctx context.Context, j play.Job) ([]play.Pair, error) {
	var pairs []play.Pair
	for n := j.From; n < j.To; n++ {
		seed := play.PairSeed(e.setup.Seed, j.Stream, j.Openings, n)
		x, than := j.Seats[0].Values, j.Seats[1].Values
		ask := e.pool.values
		if e.pool.Direction == Pair {
			ask = e.pool.points
		}
		compared, err := ask(ctx, e.Program, x, than, seed)
		if err != nil {
			return nil, fmt.Errorf("trial %d, pair %d: %w", j.Trial, n, err)
		}
		pairs = append(pairs, recorded(n, compared))
	}
	return pairs, nil
}

// comparison is what is known of a game of a pair: x's half points, and the answers
// about x and than, nil for none. late says that one did not come in time.
type comparison struct {
	half    int
	x, than *float64
	late    bool
	margin  *float64 // by how much x won; nil where nothing is known of that
}

// points asks for x against than, and returns x's half points in the two games of
// a pair. Shares of them that no pair can have are rounded by chance, so that the
// mean is right.
func (p Pool) points(ctx context.Context, o *Program, x, than params.Vector, seed uint64) (c [2]comparison, err error) {
	v, err := o.Play(ctx, x, than, whole(seed))
	if err != nil {
		return c, err
	}
	share := 4 * v.Points / v.Of
	n := int(math.Floor(share + 1e-9))
	if rand.New(rand.NewPCG(seed, engines.Seed(seed, 0))).Float64() < share-float64(n)-1e-9 {
		n++
	}
	other := v.Of - v.Points
	return [2]comparison{{half: min(n, 2), x: &v.Points, than: &other}, {half: max(n-2, 0), x: &v.Points, than: &other}}, nil
}

// values asks for the values of both, twice, with a seed that both have.
func (p Pool) values(ctx context.Context, o *Program, x, than params.Vector, seed uint64) (c [2]comparison, err error) {
	for game := range c {
		seed := whole(engines.Seed(seed, 1+uint64(game)))
		a, err := p.value(ctx, o, x, seed)
		if err != nil {
			return c, err
		}
		b, err := p.value(ctx, o, than, seed)
		if err != nil {
			return c, err
		}
		c[game] = comparison{half: p.compare(a, b), x: a, than: b, late: a == nil || b == nil}
	}
	return c, nil
}

// value asks for the value of one vector; nil if it does not come within Stall.
func (p Pool) value(ctx context.Context, o *Program, x params.Vector, seed uint64) (*float64, error) {
	v, err := o.Play(ctx, x, nil, seed)
	if fault, is := errors.AsType[*engines.Fault](err); is && fault.Reason == engines.Stall && p.Stall > 0 {
		return nil, nil
	}
	return &v.Value, err
}

// compare returns the half points of the first of two values.
func (p Pool) compare(a, b *float64) int {
	switch {
	case a == nil && b == nil, a != nil && b != nil && *a == *b:
		return 1
	case a != nil && (b == nil || (*a > *b) == (p.Direction == Max)):
		return 2
	}
	return 0
}

// whole is a seed that every JSON reader takes: a whole number below 2^53.
func whole(seed uint64) uint64 { return seed >> 11 }

// recorded is a pair of games of which nothing is known but the result. A is first
// in one, second in the other.
func recorded(number int, compared [2]comparison) play.Pair {
	p := play.Pair{Number: number}
	for game, c := range compared {
		x, reason := engines.Side(game), judged
		if c.late {
			reason = timedOut
		}
		if c.margin != nil && x == engines.Second {
			c.margin = new(-*c.margin)
		}
		outcome := [3]engines.Outcome{engines.Win(1 - x), engines.Draw, engines.Win(x)}[c.half]
		p.Games[game] = play.Game{Outcome: outcome, Reason: reason, ValueA: c.x, ValueB: c.than, Margin: c.margin}
	}
	return p
}
