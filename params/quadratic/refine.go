package quadratic

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"selfplaylab/params"
)

// Game is a trial and its score, as another tuner played it.
type Game struct {
	X, Than params.Vector
	Score   params.Score
}

// Refine improves a recommendation by one fit of the games that another tuner
// played: a step to where a quadratic, fitted to the games within about a probe
// of the recommendation, is highest, one probe at most. width holds the half-width
// of the probes of each active parameter, in its steps. It is an error to have no
// such games, or too few to tell.
func Refine(space params.Space, active []int, recommended params.Vector, width []float64, games []Game) (params.Vector, error) {
	t, err := New(Settings{Space: space, Start: recommended, Active: active})
	if err != nil {
		return nil, err
	}
	covariance := mat.NewSymDense(len(t.axes), nil)
	for j, a := range t.axes {
		for k, i := range active {
			if i == a.index {
				w := width[k] / a.half
				covariance.SetSym(j, j, w*w)
			}
		}
	}
	s := t.latest
	s.start = nil // a recommendation, not where the tuning began
	if err := s.setProbes(covariance, t.axes); err != nil {
		return nil, fmt.Errorf("quadratic: refine: %w", err)
	}
	for _, g := range games {
		t.observe(g.X, g.Than, g.Score)
	}
	t.reach = 1 // the games played lie all around
	next := t.advance(s)
	if t.failed > 0 {
		return nil, fmt.Errorf("quadratic: refine with %d games: %w", len(games), errFactor)
	}
	return t.vector(next.m), nil
}
