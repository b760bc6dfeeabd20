// Package gobang is five in a row 五子棋 on boards of 5 x 5 to 22 x 22: the
// rules, the evaluator of the program it comes from, updated move by
// move, a second evaluator by threats, and a player by alpha-beta search.
// The search itself is in package alphabeta.
//
// The source is kuanshnlai/GoBang (github.com/kuanshnlai/GoBang): the score of a stone (get_score),
// the board score with its weight of 1.2 on the opponent (critic), and a search of three plies.
// Its search does not see that a five ends the game, and it can only play white.
// Here it plays both sides, and presets that do not repeat the source see a five.
// Where the source reads one cell past its board, this package treats that cell as off the board.
package gobang

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

const gameDoc = `Two sides put stones on a board in turn; five or more in a row win.

The player searches by alpha-beta and judges by the largest shape of each side:
twos, threes and fours, alive or blocked at one end. Tuned are the scores of the
shapes and the weight of the opponent's (defence).`

// Game returns the description of the game for the list of games.
func Game() *engines.Game {
	return &engines.Game{
		Name:          "gobang",
		Title:         "Gobang 五子棋",
		Doc:           gameDoc,
		Version:       1,
		Options:       options(),
		Space:         space,
		Presets:       params.MustPresets("gobang/presets.toml", presetsTOML, space),
		DefaultPreset: "fixed",
		PlayPreset:    "master",
		WeakPreset:    "bad",
		Tuned:         tuned,
		Limits:        defaultLimits,
		Budgets:       alphabeta.Budgets(),
		Proves:        3,
		Unit:          "points",
		OpeningPlies:  8,
		Pairs:         8,
		New:           newVariant,
	}
}

// tuned returns the parameters that a tuning changes by default: the weights of a
// field where the player sees threats, else nil, which means all that are not frozen.
func tuned(v params.Vector, _ engines.Limits) (names []string) {
	if v[pThreats] != 0 {
		for _, p := range termParams {
			names = append(names, p.name)
		}
	}
	return names
}

// options returns the rules a user can choose.
func options() []engines.Option {
	yesNo := []string{"no", "yes"}
	return []engines.Option{
		{
			Name: "preset", Default: "standard", Values: []string{"standard", "source"},
			Sets: map[string]engines.Rules{"source": {"opening_ring": "yes"}},
			Doc:  "defaults of the other rules: standard (free 无禁手), or source with its opening_ring",
		},
		{Name: "size", Default: "15", Doc: fmt.Sprintf("crossings a side (棋盘 路数), %d to %d", minSize, maxSize),
			Offered: engines.Choices("15", "9", "11", "13", "17", "19")},
		{Name: "exact_five", Default: "no", Values: yesNo, Doc: "six or more in a row (长连) do not win"},
		{Name: "opening_ring", Default: "no", Values: yesNo, Doc: "black's first stone (黑一) must lie in the outer two rings"},
	}
}

// newVariant returns the game by checked rules. It refuses a size out of range.
func newVariant(rules engines.Rules) (engines.Variant, error) {
	size, err := strconv.Atoi(rules["size"])
	if err != nil || strconv.Itoa(size) != rules["size"] || size < minSize || size > maxSize {
		return engines.Variant{}, fmt.Errorf("rule size=%s: want a whole number, %d to %d", rules["size"], minSize, maxSize)
	}
	v := variant{size: size, exactFive: rules["exact_five"] == "yes", ring: rules["opening_ring"] == "yes"}
	return engines.Variant{
		Rules:      v.text(),
		NewReferee: func() engines.Referee { return engines.NewReferee(newState(v), engines.Bounds{}) },
		NewPlayer:  func() engines.Player { return newPlayer(v) },
		Opening:    func(r *rand.Rand, plies int) engines.Opening { return v.opening(r, plies) },
		Evaluate: func(position string, moves []engines.Move, vector params.Vector) ([]engines.Term, error) {
			return v.evaluate(position, moves, vector)
		},
		Linear: v.linear,
	}, nil
}

// text returns the canonical form of the rules.
// Equal rules give equal texts, including the preset they equal.
func (v variant) text() string {
	yesNo := map[bool]string{false: "no", true: "yes"}
	preset := "standard"
	if v.ring {
		preset = "source"
	}
	return fmt.Sprintf("preset=%s,size=%d,exact_five=%s,opening_ring=%s", preset, v.size, yesNo[v.exactFive], yesNo[v.ring])
}

// evaluate returns the side scores, the board score in white's view, and
// the source's score of every stone as [x, y, side, score], by x, then y.
func (v variant) evaluate(position string, moves []engines.Move, vector params.Vector) ([]engines.Term, error) {
	if err := space.Check(vector); err != nil {
		return nil, fmt.Errorf("gobang evaluation: %w", err)
	}
	s := newState(v)
	if err := engines.SetUp[state](&s, position, moves); err != nil {
		return nil, fmt.Errorf("gobang evaluation: %w", err)
	}
	b := newBoard(v)
	b.configure(vector)
	b.load(&s)
	if vector[pThreats] != 0 {
		f := newField(v)
		f.configure(vector)
		f.load(&s)
		return append(f.explain(), engines.Term{Name: "stones", Value: b.stoneScores(), Doc: stonesDoc}), nil
	}
	b.me = white
	score := b.Eval()
	if b.turn != white {
		score = -score
	}
	return []engines.Term{
		{Name: "black", Value: b.sideScore(black), Doc: "worth of black's shapes"},
		{Name: "white", Value: b.sideScore(white), Doc: "worth of white's shapes"},
		{Name: "score", Value: int64(score), Doc: "of the position, for white"},
		{Name: "stones", Value: b.stoneScores(), Doc: stonesDoc},
	}, nil
}

const stonesDoc = "each stone: x and y from 0, side, worth of the largest shape it is part of"

// explain returns a field's values as terms with the names that evaluate uses.
func (f *field) explain() []engines.Term {
	score := f.Eval()
	if f.turn != white {
		score = -score
	}
	return []engines.Term{
		{Name: "black", Value: int64(f.worth(black)), Doc: "worth of what black would make on the free cells"},
		{Name: "white", Value: int64(f.worth(white)), Doc: "worth of what white would make on the free cells"},
		{Name: "score", Value: int64(score), Doc: "of the position, threats included, for white"},
	}
}

// stoneScores returns [x, y, side, score] of every stone, by x, then y.
func (b *board) stoneScores() [][]any {
	list := [][]any{}
	for x := range b.rules.size {
		for y := range b.rules.size {
			for side := range b.stones {
				if c := at(x, y); b.stones[side].has(c) {
					list = append(list, []any{x, y, stoneLetters[side : side+1], b.stoneScore(c)})
				}
			}
		}
	}
	return list
}

// stoneScore returns the source's get_score: the worth of the largest shape the stone is part of.
func (b *board) stoneScore(c cell) int64 {
	side := black
	if b.stones[white].has(c) {
		side = white
	}
	var seen uint64
	for _, l := range b.geo.through[c] {
		seen |= b.content[l.line].seen(side, int(l.pos))
	}
	return b.weights.single[b.weights.largest[present(seen)]]
}
