package table

import (
	"context"
	"time"

	"selfplaylab/engines"
)

// analysis is a player's decision and its best moves. Micros is the time for both in microseconds;
// Nodes are the nodes of the decision.
type analysis struct {
	reply
	Says string `json:"says"` // Score and Mate in words
	// Lines are the best moves, the decision first. There are none if the player knows
	// only its decision, or compares moves by terms: see candidates.
	Lines []analysisLine `json:"lines"`
}

// analysisLine is a move with its continuation.
type analysisLine struct {
	Moves  []string `json:"moves"`           // the move, then the expected continuation
	Texts  []string `json:"texts,omitempty"` // as Shown has them
	Score  any      `json:"score"`           // as reply.Score
	Mate   int      `json:"mate,omitempty"`
	Says   string   `json:"says"`
	Depth  int      `json:"depth,omitempty"`  // plies searched
	Visits int64    `json:"visits,omitempty"` // random games through the move
}

// maxLine bounds the moves of a line.
const maxLine = 32

// lines returns the player's decision and best moves, from one search.
func (s *seat) lines(ctx context.Context, q Question) (out analysis, err error) {
	player, limits, err := s.player(q)
	if err != nil {
		return out, err
	}
	weighed, err := s.known(q, limits, 1)
	if err != nil {
		return out, err
	}
	start, most := time.Now(), q.most()
	d, list, err := engines.PVs(ctx, player, s.moves, limits, most)
	if ctx.Err() != nil { // some players answer with the best so far
		return out, context.Cause(ctx)
	}
	if err != nil {
		return out, err
	}
	out = analysis{BestOf(s.v, s.ref, d, time.Since(start)), s.v.Game.Describe(d), []analysisLine{}}
	if len(weighed) > 0 || len(list) < min(most, 2, len(s.ref.Moves(nil))) {
		return out, nil
	}
	for _, l := range list {
		after, err := s.again(q.Position)
		if err != nil {
			return out, err
		}
		words, err := engines.PlayableTexts(after, l.Moves[:min(len(l.Moves), maxLine)])
		if err != nil {
			return out, err
		}
		out.Lines = append(out.Lines, analysisLine{
			Moves: words, Texts: texts(s.v, s.ref.String(), l.Moves[:len(words)]...), Score: score(l.Score), Mate: l.Mate,
			Says: s.v.Game.Describe(engines.Decision{Score: l.Score, Mate: l.Mate}), Depth: l.Depth, Visits: l.Visits,
		})
	}
	return out, nil
}
