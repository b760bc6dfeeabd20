package tuners

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"selfplaylab/engines/external/process"
	"selfplaylab/params"
)

// A program is a tuner of another project, in any language. It reads and writes lines of JSON.
// A run begins with
//
//	{"space": [{"name", "min", "max", "step", "whole"}, ...], "start": [...], "games": N, "seed": N}
//
// and the program requests pairs of games between two points. Each request is answered by the
// numbers of pairs in which a won 0, 1/2, 1, 3/2 and 2 points,
//
//	{"a": [...], "b": [...], "pairs": 5}
//	{"pairs": [0, 0, 2, 0, 3]}
//
// until it has played its games, or fewer, and recommends a point: {"best": [...]}. Then the
// next run may begin. It must draw all randomness from the seed, so that rows repeat.
type program struct {
	name string
	path string
	args []string

	mu        sync.Mutex
	all, idle []*process.Link
}

// newProgram reads NAME=COMMAND.
func newProgram(text string) (*program, error) {
	name, command, ok := strings.Cut(text, "=")
	words := strings.Fields(command)
	if !ok || name == "" || len(words) == 0 {
		return nil, fmt.Errorf("%q: want NAME=COMMAND", text)
	}
	path, err := process.LookPath(words[0])
	return &program{name: name, path: path, args: words[1:]}, err
}

// maxThought is the longest wait for a program's next line.
const maxThought = 10 * time.Minute

// outside is a run of a program, as a params.Tuner.
type outside struct {
	space    params.Space
	link     *process.Link
	games    int // games left
	next     move
	proposed bool // next was handed out
	answered int  // number of trials
	ask      func(line any) (move, error)
}

// move is a line of a program: a request, or a recommendation.
type move struct {
	A, B  params.Vector
	Pairs int
	Best  params.Vector
}

type variable struct {
	Name  string  `json:"name"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Step  float64 `json:"step"`
	Whole bool    `json:"whole"`
}

type opening struct {
	Space []variable    `json:"space"`
	Start params.Vector `json:"start"`
	Games int           `json:"games"`
	Seed  uint64        `json:"seed"`
}

// tuner starts the program, or takes an idle one, and begins a run.
func (p *program) tuner(ctx context.Context) func(params.Space, params.Vector, int, uint64) (params.Tuner, error) {
	return func(space params.Space, start params.Vector, pairs int, seed uint64) (params.Tuner, error) {
		link, err := p.take(ctx)
		if err != nil {
			return nil, err
		}
		o := &outside{space: space, link: link, games: 2 * pairs}
		o.ask = func(line any) (m move, err error) {
			text, err := json.Marshal(line)
			if err != nil {
				return m, err
			}
			err = link.Ask(ctx, process.Request{What: "tuning", Text: string(text) + "\n", Wait: maxThought, Line: func(text string) (bool, error) {
				return true, json.Unmarshal([]byte(text), &m)
			}})
			if err == nil && m.Best != nil {
				p.give(link)
			}
			return m, err
		}
		line := opening{Start: start, Games: 2 * pairs, Seed: seed >> 11} // exact in the numbers of every language
		for _, q := range space {
			line.Space = append(line.Space, variable{q.Name, q.Min, q.Max, q.Step, q.Whole})
		}
		if o.next, err = o.ask(line); err == nil {
			err = o.check()
		}
		return o, err
	}
}

// take returns an idle process of the program, or starts one.
func (p *program) take(ctx context.Context) (*process.Link, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		link := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return link, nil
	}
	link, err := process.Start(ctx, process.Command{Name: p.name, Path: p.path, Args: p.args}, process.Options{})
	if err == nil {
		p.all = append(p.all, link)
	}
	return link, err
}

// give returns a process to the idle ones.
func (p *program) give(link *process.Link) {
	p.mu.Lock()
	p.idle = append(p.idle, link)
	p.mu.Unlock()
}

// close ends the processes.
func (p *program) close() {
	for _, link := range p.all {
		link.Close("")
	}
}

// check returns an error if a move cannot be the next.
func (o *outside) check() error {
	switch m := o.next; {
	case m.Best != nil:
		return o.space.Check(m.Best)
	case o.games == 0:
		return errors.New("asks for more games than it was given")
	case m.Pairs < 1:
		return fmt.Errorf("asks for %d pairs", m.Pairs)
	default:
		return o.trial().Check(o.space, o.answered)
	}
}

func (o *outside) trial() params.Trial {
	return params.Trial{ID: o.answered, A: o.next.A, B: o.next.B, Pairs: o.next.Pairs, Openings: uint64(o.answered)}
}

// Ask implements params.Tuner: a program has one question at a time.
func (o *outside) Ask() []params.Trial {
	if o.proposed || o.next.Best != nil {
		return nil
	}
	o.proposed = true
	return []params.Trial{o.trial()}
}

// Tell implements params.Tuner: it sends the score and reads the program's next line.
func (o *outside) Tell(t params.Trial, s params.Score) (err error) {
	o.answered, o.games, o.proposed = o.answered+1, o.games-2*s.N(), false
	if o.next, err = o.ask(struct {
		Pairs [5]int `json:"pairs"`
	}{s.Pairs}); err == nil {
		err = o.check()
	}
	return err
}

func (o *outside) Recommend() params.Vector { return o.next.Best.Clone() }
