package objective

import (
	"context"
	"errors"

	"selfplaylab/engines/external/process"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// Session answers trials outside a run, as many at a time as its pool has
// workers. Close it.
type Session struct {
	pool Pool
	free chan *Program
}

// Open makes a session. The programs are started when they are first asked, and end
// with ctx or Close.
func (p Pool) Open(ctx context.Context) (*Session, error) {
	d := &Session{pool: p, free: make(chan *Program, p.Size())}
	for range p.Size() {
		o, err := OpenProgram(ctx, p.Command, p.Space, process.Options{Patience: process.Patience{Stall: p.Stall}})
		if err != nil {
			return nil, errors.Join(err, d.Close())
		}
		d.free <- o
	}
	return d, nil
}

// Ask answers a trial; the same with the same seed, as far as the program repeats.
func (d *Session) Ask(ctx context.Context, t params.Trial, seed uint64) (score params.Score, err error) {
	var o *Program
	select {
	case o = <-d.free:
	case <-ctx.Done():
		return score, context.Cause(ctx)
	}
	defer func() { d.free <- o }()
	pairs, err := d.pool.judge(ctx, o, play.Setup{Seed: seed}, play.Job{
		Trial: int64(t.ID), Seats: [2]player.Config{{Values: t.A}, {Values: t.B}}, Openings: t.Openings, To: t.Pairs,
	})
	for i := range pairs {
		half := pairs[i].Half()
		score.Pairs[half[0]+half[1]]++
	}
	return score, err
}

// Close ends the programs. Nothing may be asked any more.
func (d *Session) Close() error {
	var errs []error
	for {
		select {
		case o := <-d.free:
			errs = append(errs, o.Close())
		default:
			return errors.Join(errs...)
		}
	}
}
