// Package asktell is a pool without players. It hands out questions, each a request for games
// of two vectors, and takes the answers of other programs or of people.
package asktell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

// Pool is a schedule.Pool for games that are played elsewhere. Ask hands out questions, and
// Tell takes their answers in any order. A run with such a pool waits for answers.
//
// Several goroutines may call its methods at the same time, except Asked and Known, which must
// come before the run begins.
type Pool struct {
	schedule.LocalPool
	Space   params.Space // of the vectors in questions
	Games   int          // maximum of a question, an even number; 0 for the games of a whole trial
	Margins bool         // an answer must contain the margins of its games
	Open    bool         // a program or a person takes part

	mu      sync.Mutex
	changed sync.Cond
	ended   bool // the run has ended
	// Numbers of the current phase: jobs handed out by the run and jobs that arrived here,
	// results sent from here and results taken by the run. The phase is idle if both pairs
	// agree.
	handed, jobs, results, taken int
	idle                         bool
	outgoing                     []schedule.Result
	wake                         chan struct{}
	open                         map[string]*Question // questions without an answer
	answers                      map[string]Answer    // of all sessions
	handedOut                    map[string]int       // number of times that each question was handed out
}

// New returns a pool with these fields.
func New(space params.Space, games int, margins bool) *Pool {
	p := &Pool{Space: space, Games: games, Margins: margins, wake: make(chan struct{}, 1), open: map[string]*Question{},
		answers: map[string]Answer{}, handedOut: map[string]int{}}
	p.changed.L = &p.mu
	return p
}

// Size implements schedule.Pool.
func (p *Pool) Size() int { return 1 }

// Play implements schedule.Pool.
func (p *Pool) Play(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- schedule.Result) error {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.handed, p.jobs, p.results, p.taken, p.idle, p.outgoing = 0, 0, 0, 0, false, nil
		clear(p.open)
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case j, ok := <-jobs:
			if !ok {
				return nil
			}
			p.take(s, j)
		case <-p.wake:
			for _, r := range p.drain() {
				select {
				case results <- r:
				case <-ctx.Done():
					return nil
				}
			}
		}
	}
}

// drain returns the queued results, and empties the queue.
func (p *Pool) drain() []schedule.Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.outgoing
	p.outgoing = nil
	return list
}

// take adds a job to its question.
func (p *Pool) take(s play.Setup, j play.Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n := j.From; n < j.To; n++ {
		id := strconv.FormatInt(j.Trial, 10)
		if each := p.Games / 2; each > 0 {
			id += "." + strconv.Itoa(n/each)
		}
		q := p.open[id]
		if q == nil {
			a, errA := byName(p.Space, j.Seats[0].Values)
			b, errB := byName(p.Space, j.Seats[1].Values)
			if err := errors.Join(errA, errB); err != nil {
				p.send(schedule.Result{Trial: j.Trial, Err: err})
				return
			}
			q = &Question{ID: id, A: a, B: b, Seed: whole(play.PairSeed(s.Seed, j.Stream, j.Openings, n)), trial: j.Trial}
			p.open[id] = q
		}
		q.pairs = append(q.pairs, n)
		q.Games += 2
	}
	p.jobs++
	p.settle()
}

// send queues a result for the run.
func (p *Pool) send(r schedule.Result) {
	p.results++
	p.outgoing = append(p.outgoing, r)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Idle is to be the run's schedule.Runner.Idle. Idle notes that the run waits, with the
// numbers of jobs handed out and of results taken.
func (p *Pool) Idle(jobs, results int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handed, p.taken = jobs, results
	p.settle()
}

// settle sends the known answers once the counts of both sides agree.
func (p *Pool) settle() {
	if p.jobs != p.handed || p.results != p.taken {
		return
	}
	p.idle = true
	for _, q := range p.waiting() {
		if a, known := p.answers[q.ID]; known {
			p.deliver(q, a)
		}
	}
	p.changed.Broadcast()
}

// waiting returns the open questions, the least often asked first, then by trial and pair.
func (p *Pool) waiting() []*Question {
	return slices.SortedFunc(maps.Values(p.open), func(a, b *Question) int {
		return cmp.Or(cmp.Compare(p.handedOut[a.ID], p.handedOut[b.ID]), cmp.Compare(a.trial, b.trial), cmp.Compare(a.pairs[0], b.pairs[0]))
	})
}

// deliver sends the answer of an open question.
func (p *Pool) deliver(q *Question, a Answer) {
	r := schedule.Result{Trial: q.trial}
	games, err := a.games(q, p.Margins)
	if r.Err = err; err == nil {
		for i, n := range q.pairs {
			r.Pairs = append(r.Pairs, recorded(n, [2]outcome{games[2*i], games[2*i+1]}))
		}
	}
	delete(p.open, q.ID)
	p.idle = false
	p.send(r)
}

// End notes that the run has ended or was stopped.
func (p *Pool) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.changed.Broadcast()
}

// Wait returns when the run waits for answers or, with over, has ended. The run does not change
// between Wait and the next Tell.
func (p *Pool) Wait() (over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.idle && !p.ended {
		p.changed.Wait()
	}
	return p.ended
}

// Ask hands out at most n open questions, the least often asked and oldest first. It hands out
// a question again until it is answered. The caller must not change the questions.
func (p *Pool) Ask(n int) []*Question {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.waiting()
	list = list[:min(max(n, 0), len(list))]
	for _, q := range list {
		p.handedOut[q.ID]++
	}
	return list
}

// Asked adds questions that an earlier session handed out.
func (p *Pool) Asked(ids ...string) {
	for _, id := range ids {
		p.handedOut[id]++
	}
}

// Known adds an answer of an earlier session.
func (p *Pool) Known(id string, a Answer) { p.answers[id] = a }

// Check returns an error if the answer is impossible for its question. late is true for a
// second answer, and for an answer after the end of its phase.
func (p *Pool) Check(id string, a Answer) (late bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.open[id]
	if q == nil {
		if _, known := p.answers[id]; !known && p.handedOut[id] == 0 {
			return false, fmt.Errorf("question %q was never asked", id)
		}
		return true, nil
	}
	_, err = a.games(q, p.Margins)
	return false, err
}

// Tell takes an answer that Check accepted.
func (p *Pool) Tell(id string, a Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers[id] = a
	if q := p.open[id]; q != nil {
		p.deliver(q, a)
	}
}
