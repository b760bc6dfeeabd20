// Package asktell is a pool whose games are played elsewhere: it hands out questions, and
// takes their answers.
package asktell

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

// Pool is a schedule.Pool whose games are played elsewhere: Ask hands out questions, and
// Tell takes their answers, in any order. A run with such a pool waits until it is answered.
type Pool struct {
	schedule.LocalPool
	Space   params.Space
	Games   int  // of a question at most; 0: a question is a whole trial
	Margins bool // the tuner needs to know how much games are won by
	Open    bool // a program or a person asks and tells

	mu      sync.Mutex
	changed sync.Cond
	ended   bool // the run
	// The phase that is played has jobs that the run has handed out and that came in, and
	// results that went out and that the run has taken. It is idle if they agree.
	handed, jobs, results, taken int
	idle                         bool
	outgoing                     []schedule.Result
	wake                         chan struct{}
	open                         map[string]*Question // not answered
	answers                      map[string]Answer    // of this session and earlier ones
	asked                        map[string]int       // how often each question was handed out
}

// New returns a pool; games is at most how many a question asks for, 0 for a trial.
func New(space params.Space, games int, margins bool) *Pool {
	p := &Pool{Space: space, Games: games, Margins: margins, wake: make(chan struct{}, 1), open: map[string]*Question{},
		answers: map[string]Answer{}, asked: map[string]int{}}
	p.changed.L = &p.mu
	return p
}

// Question asks for games of A against B: an even number, since A moves first in every
// other one.
type Question struct {
	ID    string          `json:"id"`
	A     json.RawMessage `json:"a"`
	B     json.RawMessage `json:"b"`
	Games int             `json:"games"`
	Seed  uint64          `json:"seed"` // questions with equal seeds should have the same openings

	trial int64
	pairs []int // numbers in the trial
}

// Answer is what came of a question's games, for A, in one of several forms.
type Answer struct {
	Wins        int       `json:"wins,omitempty"`
	Draws       int       `json:"draws,omitempty"`
	Losses      int       `json:"losses,omitempty"`
	Pentanomial []int     `json:"pentanomial,omitempty"` // pairs in which A has 0, 1/2, 1, 3/2, 2 points
	Points      *float64  `json:"points,omitempty"`
	Margins     []float64 `json:"margins,omitempty"` // how much A won by, game by game; negative if it lost
	Better      string    `json:"better,omitempty"`  // A, B or equal: one comparison
}

// Forms are the answers that are taken, for people.
const Forms = `wins, draws and losses; pentanomial=0,0,1,2,1; points=2.5; margins=3,-1; or better=A, B or equal`

func (p *Pool) Size() int { return 1 }

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

// send hands a result to the run.
func (p *Pool) send(r schedule.Result) {
	p.results++
	p.outgoing = append(p.outgoing, r)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Idle takes note that the run waits: it has handed out a number of jobs, and taken a number
// results.
func (p *Pool) Idle(jobs, results int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handed, p.taken = jobs, results
	p.settle()
}

// settle sends the answers that are known, once all has arrived on both sides.
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

// waiting lists the open questions: those asked least often first, in their order.
func (p *Pool) waiting() []*Question {
	return slices.SortedFunc(maps.Values(p.open), func(a, b *Question) int {
		return cmp.Or(cmp.Compare(p.asked[a.ID], p.asked[b.ID]), cmp.Compare(a.trial, b.trial), cmp.Compare(a.pairs[0], b.pairs[0]))
	})
}

// deliver sends the answer of a question that is open.
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

// End says that the run has ended, or been stopped.
func (p *Pool) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.changed.Broadcast()
}

// Wait waits until the run waits for answers; over reports that it does no more. Nothing of
// the run changes after it until Tell is called.
func (p *Pool) Wait() (over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.idle && !p.ended {
		p.changed.Wait()
	}
	return p.ended
}

// Ask hands out at most n questions: those that were handed out least often, the oldest
// first. A question is handed out again as long as it is not answered.
func (p *Pool) Ask(n int) []*Question {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.waiting()
	list = list[:min(max(n, 0), len(list))]
	for _, q := range list {
		p.asked[q.ID]++
	}
	return list
}

// Asked takes note of questions that an earlier session handed out.
func (p *Pool) Asked(ids ...string) {
	for _, id := range ids {
		p.asked[id]++
	}
}

// Known takes an answer that an earlier session took.
func (p *Pool) Known(id string, a Answer) { p.answers[id] = a }

// Check reports whether an answer is needed; late says that it came twice, or after all
// that it could have counted for. Its error says why it cannot be the answer.
func (p *Pool) Check(id string, a Answer) (late bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := p.open[id]
	if q == nil {
		if _, known := p.answers[id]; !known && p.asked[id] == 0 {
			return false, fmt.Errorf("question %q was never asked", id)
		}
		return true, nil
	}
	_, err = a.games(q, p.Margins)
	return false, err
}

// Tell takes an answer that Check has passed.
func (p *Pool) Tell(id string, a Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers[id] = a
	if q := p.open[id]; q != nil {
		p.deliver(q, a)
	}
}

// games are the results of the games of a question, two a pair.
func (a *Answer) games(q *Question, margins bool) ([]outcome, error) {
	list, byPairs, err := a.results(q.Games)
	switch {
	case err != nil:
	case margins && a.Margins == nil:
		err = errors.New("the run goes by margins, and the answer has none")
	case len(list) != q.Games && a.Better != "":
		err = fmt.Errorf("one comparison is not the result of %d games (--ask-games 2 asks for single comparisons)", q.Games)
	case len(list) != q.Games:
		err = fmt.Errorf("%d games, and the question asks for %d", len(list), q.Games)
	}
	if err != nil {
		return nil, fmt.Errorf("question %s: %w; want %s", q.ID, err, Forms)
	}
	if !byPairs { // nothing is known of pairs: as if the games were independent
		r := rand.New(rand.NewPCG(q.Seed, engines.Seed(q.Seed, uint64(q.trial))))
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	}
	return list, nil
}

// results are those of single games; byPairs says that two after each other are a pair.
func (a *Answer) results(most int) (list []outcome, byPairs bool, err error) {
	add := func(n, half int) {
		if n < 0 || n > most {
			err = fmt.Errorf("%d games of a kind, and the question asks for %d in all", n, most)
			return
		}
		list = append(list, slices.Repeat([]outcome{{half: half}}, n)...)
	}
	counts, forms := a.Wins+a.Draws+a.Losses != 0 || min(a.Wins, a.Draws, a.Losses) < 0, 0
	for _, ok := range []bool{counts, a.Pentanomial != nil, a.Points != nil, a.Margins != nil, a.Better != ""} {
		if ok {
			forms++
		}
	}
	switch {
	case forms != 1:
		return nil, false, fmt.Errorf("an answer has one form, and this has %d", forms)
	case a.Pentanomial != nil && len(a.Pentanomial) != 5:
		return nil, false, fmt.Errorf("pentanomial has %d numbers and not 5", len(a.Pentanomial))
	case a.Pentanomial != nil:
		for half, n := range a.Pentanomial {
			for range min(n, most) {
				add(1, min(half, 2))
				add(1, max(half-2, 0))
			}
			add(min(n, 0), 0)
		}
	case a.Margins != nil:
		for _, m := range a.Margins {
			list = append(list, outcome{half: 1 + cmp.Compare(m, 0), margin: &m})
		}
	case a.Better != "":
		half, known := map[string]int{"A": 2, "B": 0, "equal": 1}[a.Better]
		if add(2, half); !known {
			err = fmt.Errorf("better is %q", a.Better)
		}
	case a.Points != nil:
		half := int(2 * *a.Points)
		if float64(half) != 2**a.Points || half < 0 || half > 2*most {
			return nil, false, fmt.Errorf("%v points, and the question asks for %d games", *a.Points, most)
		}
		add(half/2, 2)
		add(half%2, 1)
		add(most-len(list), 0)
	default:
		add(a.Wins, 2)
		add(a.Draws, 1)
		add(a.Losses, 0)
	}
	return list, !counts && a.Points == nil, err
}

// judged is the reason in the record: nothing is known of a game except its result.
const judged engines.Reason = "judged"

// outcome is the result of a game for A: half points, and the margin of A, nil if unknown.
type outcome struct {
	half   int
	margin *float64
}

// recorded returns the pair of two results. A moves first in one game, second in the other.
func recorded(number int, games [2]outcome) play.Pair {
	p := play.Pair{Number: number}
	for game, g := range games {
		side := engines.Side(game)
		if g.margin != nil && side == engines.Second {
			g.margin = new(-*g.margin)
		}
		result := [3]engines.Outcome{engines.Win(1 - side), engines.Draw, engines.Win(side)}[g.half]
		p.Games[game] = play.Game{Outcome: result, Reason: judged, Margin: g.margin}
	}
	return p
}

// whole returns a seed that every JSON reader takes: a whole number below 2^53.
func whole(seed uint64) uint64 { return seed >> 11 }

// byName writes a vector as an object, in the order of the space.
func byName(space params.Space, v params.Vector) (json.RawMessage, error) {
	if err := space.Check(v); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, p := range space {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		value := []byte(params.FormatValue(v[i]))
		if len(p.Labels) > 0 { // a name
			if value, err = json.Marshal(p.Format(v[i])); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(&b, "%s:%s", name, value)
	}
	b.WriteByte('}')
	return json.RawMessage(b.String()), nil
}
