// Package referee makes a game of a program that knows the rules: a referee in any language,
// which answers a line of JSON by a line of JSON. docs/game.md says how to write one.
//
// A question names a position and a move, and the answer depends on nothing else.
// So one process serves any number of games, and a question may be repeated at any time.
// Every question is repeated once: two different answers end the run.
// A referee's mistake is an *engines.RefereeFault, by which no player loses.
package referee

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"selfplaylab/engines"
)

// Open returns the game of a file FILE.toml or of a command. It starts no program; the first
// question does. The error names the file and the key.
func Open(text string) (*engines.Game, error) {
	f, err := read(text)
	if err != nil {
		return nil, err
	}
	timeout, err := time.ParseDuration(f.Timeout)
	if err != nil || timeout <= 0 {
		return nil, fmt.Errorf("%s: timeout %q: want a duration such as 10s", text, f.Timeout)
	}
	g := &engines.Game{
		Name: f.Name, Source: f.source, Title: f.Title, Doc: cmp.Or(f.Doc, "A game whose rules the program `"+f.source+"` keeps."),
		Version: f.Version, Options: f.options(), OpeningPlies: *f.Opening,
	}
	addPlayer(g)
	if f.Limits != "" {
		if g.Limits, err = engines.ParseLimits(f.Limits); err == nil {
			err = g.CheckLimits(g.Limits)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: limits: %w", text, err)
		}
	}
	g.New = sharing(f, timeout)
	return g, nil
}

// sharing returns a function that makes variants.
// Variants of equal rules share processes and answers.
func sharing(f *file, timeout time.Duration) func(engines.Rules) (engines.Variant, error) {
	var mu sync.Mutex
	open := map[string]*rules{}
	return func(chosen engines.Rules) (engines.Variant, error) {
		mu.Lock()
		defer mu.Unlock()
		key := fmt.Sprint(chosen)
		r := open[key]
		if r == nil {
			r = newRules(f, chosen, timeout)
			open[key] = r
		}
		return engines.Variant{
			NewReferee: func() engines.Referee {
				return engines.NewReferee[state](state{rules: r}, engines.Bounds{MaxPlies: f.Plies})
			},
			NewPlayer: func() engines.Player { return newPlayer(r) },
			Opening:   r.opening,
			Evaluate:  r.evaluate,
			Verify:    r.verify,
		}, nil
	}
}

// triesPerPly is the number of draws of an opening of some length before it is shortened by a ply.
const triesPerPly = 20

// opening draws a start: a seed for the referee's chance, then moves.
func (r *rules) opening(draw *rand.Rand, plies int) engines.Opening {
	start := state{rules: r, at: r.start(1 + int64(draw.Uint32()>>1))}
	open := engines.Opening{}
	if start.at.Position != r.start(0).Position {
		open.Position = start.at.Position
	}
	for n := plies; n > 0; n-- {
		for range triesPerPly {
			at := start
			open.Moves = open.Moves[:0]
			for len(open.Moves) < n && at.Outcome() == engines.Ongoing {
				m := at.at.moves[draw.IntN(len(at.at.moves))]
				at.Play(m)
				open.Moves = append(open.Moves, m)
			}
			if at.Outcome() == engines.Ongoing {
				return open
			}
		}
	}
	open.Moves = nil
	return open
}

// verifiedGames is the number of random games that verify plays.
const verifiedGames = 4

// verify plays random games and asks about every position of them
// again: other processes and another order must give the same answers.
func (r *rules) verify() (err error) {
	defer engines.CatchReferee(&err)
	draw := rand.New(rand.NewPCG(1, 1))
	for range verifiedGames {
		seed := 1 + int64(draw.Uint32()>>1)
		path := []state{{rules: r, at: r.start(seed)}}
		if path[0].Outcome() != engines.Ongoing {
			return r.fault(question{Seed: &seed}, "the game is over before its first move: result %q", path[0].at.Result)
		}
		var moves []engines.Move
		for at := path[0]; at.Outcome() == engines.Ongoing && len(moves) < r.file.Plies; path = append(path, at) {
			moves = append(moves, at.at.moves[draw.IntN(len(at.at.moves))])
			at.Play(moves[len(moves)-1])
		}
		for i := len(moves) - 1; i >= 0; i-- {
			path[i].Play(moves[i])
			if err := r.recognises(path[i].at.Position); err != nil {
				return err
			}
		}
	}
	return nil
}

// recognises checks that the referee reads a position of its own as the same position.
func (r *rules) recognises(position string) error {
	a, err := r.read(position)
	if _, refused := err.(*refusal); refused {
		return r.fault(question{Position: position}, "it does not know a position of its own: %v", err)
	}
	if err == nil && a.Position != position {
		return r.fault(question{Position: position}, "it calls a position of its own %q", a.Position)
	}
	return err
}
