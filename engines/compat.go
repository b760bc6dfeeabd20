package engines

import (
	"context"
	"slices"

	"selfplaylab/params"
)

// Compat returns the game as it was when it had only the named parameters, in this
// order. Parameters added since stay at their defaults, at which the player behaves
// as before; presets that need another value are left out. ok is false if names
// lacks an original parameter or contains an unknown one.
func (g *Game) Compat(names []string) (was *Game, ok bool) {
	var kept []int
	for i, p := range g.Space {
		if len(kept) < len(names) && p.Name == names[len(kept)] {
			kept = append(kept, i)
		} else if !p.Added {
			return nil, false
		}
	}
	if len(kept) < len(names) {
		return nil, false
	}
	whole := func(v params.Vector) params.Vector {
		full := g.Space.Default()
		for n, i := range kept {
			full[i] = v[n]
		}
		return full
	}
	own := *g
	own.Space = make(params.Space, len(kept))
	for n, i := range kept {
		own.Space[n] = g.Space[i]
	}
	own.Presets = nil
	for _, p := range g.Presets {
		v := make(params.Vector, len(kept))
		for n, i := range kept {
			v[n] = p.Vector[i]
		}
		if slices.Equal(whole(v), p.Vector) {
			p.Vector = v
			own.Presets = append(own.Presets, p)
		}
	}
	if _, err := own.Preset(g.PlayPreset); err != nil {
		own.PlayPreset = ""
	}
	if g.Tuned != nil {
		own.Tuned = func(v params.Vector, l Limits) []string {
			list := g.Tuned(whole(v), l)
			if slices.ContainsFunc(list, func(name string) bool { return !slices.Contains(names, name) }) {
				return nil
			}
			return list
		}
	}
	own.New = func(r Rules) (Variant, error) {
		v, err := g.New(r)
		return v.completing(whole), err
	}
	return &own, true
}

// completing returns a variant that completes every vector before it uses it.
func (v Variant) completing(whole func(params.Vector) params.Vector) Variant {
	newPlayer, evaluate, candidates := v.NewPlayer, v.Evaluate, v.Candidates
	v.NewPlayer = func() Player { return &compatPlayer{newPlayer(), whole} }
	if evaluate != nil {
		v.Evaluate = func(position string, moves []Move, w params.Vector) ([]Term, error) {
			return evaluate(position, moves, whole(w))
		}
	}
	if linear := v.Linear; linear != nil {
		v.Linear = func(w params.Vector, l Limits) *LinearTerms { return linear(whole(w), l) }
	}
	if candidates != nil {
		v.Candidates = func(position string, moves []Move, w params.Vector, most int) ([]Candidate, error) {
			return candidates(position, moves, whole(w), most)
		}
	}
	return v
}

// compatPlayer is a player that is configured with fewer parameters than it has.
type compatPlayer struct {
	Player
	complete func(params.Vector) params.Vector
}

func (c *compatPlayer) Configure(v []float64) error { return c.Player.Configure(c.complete(v)) }

// PVs implements MultiPV.
func (c *compatPlayer) PVs(ctx context.Context, history []Move, limits Limits, count int) (Decision, []PV, error) {
	return PVs(ctx, c.Player, history, limits, count)
}
