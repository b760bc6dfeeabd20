package datasets

import (
	"fmt"
	"iter"
)

// PairCounts returns the trial's pairs by A's half points: 0 to 4.
func (t *TrialRow) PairCounts() [5]int {
	return [5]int{int(t.LL), int(t.LD), int(t.Even), int(t.WD), int(t.WW)}
}

// Faults returns the games that A and B lost by their own faults.
func (t *TrialRow) Faults() [2]int { return [2]int{int(t.FaultsA), int(t.FaultsB)} }

// Half returns A's half points in the game: 0, 1 or 2.
func (g *GameRow) Half() int { return int(2 * g.AScore) }

// Fault returns who lost the game by its own fault: 0 for A, 1 for B. is is
// false where nobody did. Faults are illegal moves, lateness, crashes, stalls and
// answers that no protocol allows.
func (g *GameRow) Fault() (who int, is bool) {
	switch g.Reason {
	case "illegal", "time", "clock", "crash", "stall", "garbage":
		if g.AScore == 0 {
			return 0, true
		}
		return 1, true
	}
	return 0, false
}

// Pair is the two games of one opening. A plays first in Games[0] and second in
// Games[1].
type Pair struct {
	Games [2]GameRow
}

// Trial is the number of the trial that the pair belongs to.
func (p *Pair) Trial() int64 { return p.Games[0].Trial }

// Phase is that of the trial.
func (p *Pair) Phase() string { return p.Games[0].Phase }

// Number is that of the pair in its trial, from 0.
func (p *Pair) Number() int { return int(p.Games[0].Pair) }

// Half returns A's half points in each game: 0, 1 or 2.
func (p *Pair) Half() [2]int { return [2]int{p.Games[0].Half(), p.Games[1].Half()} }

// Points returns A's half points in both games together, 0 to 4: the place of
// the pair in PairCounts.
func (p *Pair) Points() int { return p.Games[0].Half() + p.Games[1].Half() }

// Faults returns how many of the two games A and B lost by faults of their
// own.
func (p *Pair) Faults() (faults [2]int) {
	for i := range p.Games {
		if who, is := p.Games[i].Fault(); is {
			faults[who]++
		}
	}
	return faults
}

// Pairs iterates over the pairs of the trials that f chooses, in order. Where f
// looks at games, it chooses the pairs of which it chooses either game. It ends
// after an error; a game without its other half is one.
func (l *Log) Pairs(f Filter) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		var p Pair
		n := 0 // of its games at hand
		for g, err := range l.Games(Filter{Phase: f.Phase, From: f.From, To: f.To}) {
			if err == nil && !p.takes(n, &g) {
				err = unpaired(l.Dir, &g)
			}
			if err != nil {
				yield(Pair{}, err)
				return
			}
			p.Games[n], n = g, 1-n
			if n == 0 && (f.game(p.Games[0]) || f.game(p.Games[1])) && !yield(p, nil) {
				return
			}
		}
		if n == 1 {
			yield(Pair{}, unpaired(l.Dir, &p.Games[0]))
		}
	}
}

// takes reports whether g is the pair's game n.
func (p *Pair) takes(n int, g *GameRow) bool {
	first := &p.Games[0]
	return int(g.Game) == n && (n == 0 || g.Trial == first.Trial && g.Pair == first.Pair)
}

func unpaired(dir string, g *GameRow) error {
	return fmt.Errorf("run %s: trial %d, pair %d, game %d is not one of two games of a pair in a row", dir, g.Trial, g.Pair, g.Game)
}
