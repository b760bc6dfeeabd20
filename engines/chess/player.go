package chess

import (
	"context"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// node is a position as the search sees it: with the weights that value it.
type node struct {
	Position
	weights *weights
}

// Eval returns the static value for the side to move.
func (n *node) Eval() int32 { return n.weights.evaluate(&n.Position) }

// player chooses by alpha-beta with quiescence search.
type player = alphabeta.Player[Position, node, *Position, *node]

func newPlayer(rules setup) *player {
	w := &weights{}
	return alphabeta.NewPlayer[Position, node, *Position, *node](alphabeta.Engine[Position, node]{
		Name: "chess", Space: gameSpace(), Limits: defaultLimits, Start: rules.start, Node: &node{},
		Weigh: func(v params.Vector) alphabeta.Options {
			*w = *newWeights(v)
			return alphabeta.Options{Contempt: int32(v[gameSpace().Index(paramDraw)]), Repetition: rules.bounds.Repetitions > 0}
		},
		Load:  func(n *node, p *Position) { *n = node{*p, w} },
		Hooks: hooks,
	})
}

var hooks = alphabeta.Hooks[node]{Rank: rank, Forced: forced, Tactics: tactics}

// forced reports check: its answers use up no depth. A line of checks uses up depth at
// every other ply.
func forced(n *node) bool { return n.checkers() != 0 }

// tactics are captures and promotions, without captures by a piece of what is worth less
// and defended by a pawn; in check, all moves.
func tactics(n *node, buf []engines.Move) (moves []engines.Move, stand bool) {
	if n.checkers() != 0 {
		return n.Moves(buf), false
	}
	base := len(buf)
	buf = n.captures(buf)
	kept := buf[:base]
	defended := n.defended()
	for _, m := range buf[base:] {
		if !captures(m) || worth[piece(m)] <= worth[taken(m)] || defended&bit(target(m)) == 0 {
			kept = append(kept, m)
		}
	}
	return kept, true
}

// worth orders the kinds of pieces: knights and bishops are about equal.
var worth = [noKind + 2]int32{pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 10}

// defended returns what the opponent's pawns attack.
func (p *Position) defended() uint64 {
	return pawnsAttack(p.of(p.turn^1, pawn), p.turn^1)
}

// rank puts captures of the most valuable piece by the least valuable first, and those
// that lose material against a pawn behind killer moves.
func rank(n *node, moves []engines.Move, ranks []int32) {
	defended := n.defended()
	for i, m := range moves {
		switch {
		case captures(m) && worth[piece(m)] > worth[taken(m)] && defended&bit(target(m)) != 0:
			ranks[i] = alphabeta.KillerRank / 2
		case captures(m):
			ranks[i] = 2*alphabeta.KillerRank + 16*worth[taken(m)] - worth[piece(m)] + 16*promoted(m)
		case promotes(m):
			ranks[i] = alphabeta.KillerRank + 16*promoted(m)
		}
	}
}

// promoted is what a promotion gains.
func promoted(m engines.Move) int32 {
	if !promotes(m) || special(m) == castles {
		return 0
	}
	return worth[becomes(m)] - worth[pawn]
}

// judge values positions for drawn openings.
type judge struct {
	search *alphabeta.Search[node, *node]
	at     node
}

func newJudge(start Position) *judge {
	return &judge{
		search: alphabeta.New[node](alphabeta.Options{}, hooks), at: node{Position: start, weights: newWeights(gameSpace().Default())},
	}
}

// value returns by how much one side stands better in a position, by a search of one
// ply.
func (j *judge) value(text string) int32 {
	if err := j.at.SetText(text); err != nil {
		panic("chess: a position of its own is refused: " + err.Error())
	}
	score := j.search.Think(context.Background(), &j.at, nil, engines.Limits{Depth: 1}).Score
	return max(score, -score)
}
