package chess

import (
	"context"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// player chooses moves by alpha-beta with quiescence search.
type player = alphabeta.Player[Position, node, *Position, *node]

// newPlayer returns a player with the default parameters.
func newPlayer(rules setup) *player {
	w := &weights{}
	return alphabeta.NewPlayer[Position, node, *Position, *node](alphabeta.Engine[Position, node]{
		Name: "chess", Space: gameSpace(), Limits: defaultLimits, Start: rules.start, Node: &node{},
		Weigh: func(v params.Vector) alphabeta.Options {
			*w = *newWeights(v)
			return alphabeta.Options{Contempt: int32(v[gameSpace().Index(paramDraw)]), Repetition: rules.bounds.Repetitions > 0}
		},
		Load:  func(n *node, p *Position) { *n = newNode(p, w) },
		Hooks: hooks,
	})
}

// hooks adapt the search to chess.
var hooks = alphabeta.Hooks[node]{Rank: rankMoves, Forced: forced, Tactics: tactics, Pass: pass}

// forced reports check.
// Answers to check use no depth, so a line of checks uses depth at every other ply.
func forced(n *node) bool { return n.checks != 0 }

// pass lets the side to move pass, unless it is in check or has fewer than two pieces beside king
// and pawns: then any move may be worse than none.
func pass(n *node) bool {
	us := n.turn & 1
	pieces := n.sides[us] &^ (n.kinds[pawn] | n.kinds[king])
	if n.checks != 0 || pieces&(pieces-1) == 0 {
		return false
	}
	n.turn = us ^ 1
	n.hash ^= turnKey
	if n.target != noSquare {
		n.hash ^= targetKeys[n.target&7]
		n.target = noSquare
	}
	return true
}

// tactics appends captures and promotions, without captures of a less valuable piece defended
// by a pawn. With weights.exchange it leaves out captures that lose material or gain less than
// need, and promotions to lesser pieces. In check it appends all moves.
func tactics(n *node, buf []engines.Move, need int32) []engines.Move {
	if n.checks != 0 {
		return n.Moves(buf)
	}
	base := len(buf)
	buf = n.captures(buf)
	kept := buf[:base]
	defended := n.defended()
	for _, m := range buf[base:] {
		if n.weights.exchange {
			gain := 100*(kindWorth[taken(m)]+promoted(m)) + deltaMargin
			if promotes(m) && becomes(m) != queen || gain < need || !n.keeps(m) {
				continue
			}
		} else if captures(m) && kindWorth[piece(m)] > kindWorth[taken(m)] && defended&bit(target(m)) != 0 {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// kindWorth orders the kinds of pieces, in pawns: knights and bishops are about equal.
var kindWorth = [noKind + 2]int32{pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 10}

// defended returns the squares that the opponent's pawns attack.
func (p *Position) defended() uint64 {
	return pawnsAttack(p.of(p.turn^1, pawn), p.turn^1)
}

// rankMoves ranks captures of the most valuable piece by the least valuable first.
// Captures that lose material against a pawn come after killer moves.
func rankMoves(n *node, moves []engines.Move, ranks []int32) {
	defended := n.defended()
	for i, m := range moves {
		switch {
		case n.weights.exchange && captures(m) && !n.keeps(m):
			ranks[i] = -alphabeta.KillerRank + 16*kindWorth[taken(m)] - kindWorth[piece(m)]
		case n.weights.exchange && promotes(m) && becomes(m) != queen && !captures(m):
			ranks[i] = -2 * alphabeta.KillerRank
		case !n.weights.exchange && captures(m) && kindWorth[piece(m)] > kindWorth[taken(m)] && defended&bit(target(m)) != 0:
			ranks[i] = alphabeta.KillerRank / 2
		case captures(m):
			ranks[i] = 2*alphabeta.KillerRank + 16*kindWorth[taken(m)] - kindWorth[piece(m)] + 16*promoted(m)
		case promotes(m):
			ranks[i] = alphabeta.KillerRank + 16*promoted(m)
		}
	}
}

// promoted returns the gain of a promotion, in pawns.
func promoted(m engines.Move) int32 {
	if !promotes(m) || special(m) == castles {
		return 0
	}
	return kindWorth[becomes(m)] - kindWorth[pawn]
}

// judge evaluates positions for drawn openings. It serves one opening at a time.
type judge struct {
	search *alphabeta.Search[node, *node]
	at     node
}

// newJudge returns a judge with the default weights.
func newJudge(start Position) *judge {
	return &judge{
		search: alphabeta.New[node](alphabeta.Options{}, hooks), at: newNode(&start, newWeights(gameSpace().Default())),
	}
}

// value returns the lead of the better side in centipawns, by a search of one ply. It panics on
// a text that String did not write.
func (j *judge) value(text string) int32 {
	p := j.at.Position
	if err := p.SetText(text); err != nil {
		panic("chess: a position of its own is refused: " + err.Error())
	}
	j.at = newNode(&p, j.at.weights)
	score := j.search.Think(context.Background(), &j.at, nil, engines.Limits{Depth: 1}).Score
	return max(score, -score)
}
