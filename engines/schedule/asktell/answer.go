package asktell

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// Answer is the result of a question's games for A, in one of several forms; the others are
// left out.
type Answer struct {
	Wins        int       `json:"wins,omitempty"`        // games that A won
	Draws       int       `json:"draws,omitempty"`       // drawn games
	Losses      int       `json:"losses,omitempty"`      // games that A lost
	Pentanomial []int     `json:"pentanomial,omitempty"` // pairs in which A has 0, 1/2, 1, 3/2, 2 points
	Points      *float64  `json:"points,omitempty"`      // A's points in all games
	Margins     []float64 `json:"margins,omitempty"`     // of A, game by game; negative for a loss
	Better      string    `json:"better,omitempty"`      // A, B or equal: one comparison
}

// Forms describes the forms of an answer for people.
const Forms = `wins, draws and losses; pentanomial=0,0,1,2,1; points=2.5; margins=3,-1; or better=A, B or equal`

// games returns the results of a question's games, two for each pair.
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
	if !byPairs { // assign them to pairs at random, as if games were independent
		r := rand.New(rand.NewPCG(q.Seed, engines.Seed(q.Seed, uint64(q.trial))))
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	}
	return list, nil
}

// results returns the results of single games, at most most. With byPairs, every two of them
// are a pair.
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

// judged is the recorded reason: only the result of a game is known.
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
