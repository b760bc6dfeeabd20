package engines

import (
	"context"
	"math/rand/v2"
)

// maxOverlooked bounds how many moves a player overlooks at once, and so its work.
const maxOverlooked = 40

// Decide lets a player choose. Under Limits.Overlook the player errs as people do: it goes
// through its moves from the best down, overlooks each with that chance, and plays the first it
// sees. It never overlooks a move that wins at once. It overlooks at most a quarter of its moves
// and then looks again from the best: among four moves or fewer it plays the best, and so it does
// not walk to and fro. The errors depend on the seed of its game and the ply alone. A player that
// knows no second move overlooks nothing (see MultiPV).
func Decide(ctx context.Context, p Player, seed uint64, history []Move, limits Limits) (Decision, error) {
	n := limits.overlooked(seed, len(history))
	limits.Overlook = 0
	if n == 0 {
		return p.Choose(ctx, history, limits)
	}
	d, lines, err := PVs(ctx, p, history, limits, 4*n+1)
	if err != nil || len(lines) == 0 || lines[0].Mate == 1 {
		return d, err
	}
	l := lines[n%((len(lines)+3)/4)] // n itself unless these are all moves
	d.Move, d.Score, d.Mate, d.Depth = l.Moves[0], l.Score, l.Mate, l.Depth
	return d, nil
}

// overlooked returns the number of best moves that are overlooked at a ply.
func (l Limits) overlooked(seed uint64, ply int) (n int) {
	if l.Overlook == 0 {
		return 0
	}
	r := rand.New(rand.NewPCG(seed, uint64(ply)))
	for n < maxOverlooked && r.Float64() < l.Overlook {
		n++
	}
	return n
}
