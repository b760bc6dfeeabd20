package fit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/params/regression"
)

// lastPlies is the number of plies left out at the end of a won game, because the search sees
// the end there whatever the evaluation says.
const lastPlies = 4

// reader converts games to rows. Each worker has its own.
type reader struct {
	ref   engines.Referee
	terms *engines.LinearTerms
	row   []float32 // values of all terms
}

// rows holds the rows of one game.
type rows struct {
	terms  []float32
	rest   []float32
	result []float32
	scores []float32
	err    error
}

// Add adds the positions of games, in their order; the result does not depend on the number of
// cores. One goroutine at a time may call it. An error names a game that cannot be replayed.
func (s *Set) Add(games []Game) error {
	games = slices.DeleteFunc(slices.Clone(games), func(g Game) bool { return g.Outcome == engines.Ongoing || g.Reason.Fault() })
	workers := min(runtime.GOMAXPROCS(0), len(games))
	for len(s.readers) < workers {
		terms := linearOf(s.variant, s.options)
		s.readers = append(s.readers, &reader{ref: s.variant.NewReferee(), terms: terms, row: make([]float32, len(terms.Names))})
	}
	found := make([]rows, len(games))
	var next atomic.Int64
	var group sync.WaitGroup
	for _, r := range s.readers[:workers] {
		group.Go(func() {
			for k := int(next.Add(1)) - 1; k < len(games); k = int(next.Add(1)) - 1 {
				found[k] = s.read(r, &games[k])
			}
		})
	}
	group.Wait()
	for k, g := range found {
		if g.err != nil {
			return g.err
		}
		s.append(g, games[k].Opening)
	}
	return nil
}

// append adds the rows of a game.
func (s *Set) append(g rows, opening any) {
	s.games++
	if len(g.result) == 0 {
		return
	}
	c, known := s.openings[opening]
	if !known {
		c = int32(len(s.openings))
		s.openings[opening] = c
	}
	s.data.Terms, s.data.Rest = append(s.data.Terms, g.terms...), append(s.data.Rest, g.rest...)
	s.data.Result, s.scores = append(s.data.Result, g.result...), append(s.scores, g.scores...)
	for range g.result {
		s.data.Cluster = append(s.data.Cluster, c)
	}
}

// gather reorders the rows so that those of an opening are adjacent.
func (s *Set) gather() {
	d, scores := s.data, s.scores
	if slices.IsSorted(d.Cluster) {
		return
	}
	order := make([]int, d.Rows())
	for row := range order {
		order[row] = row
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.Cluster[a], d.Cluster[b]) })
	s.data = regression.Data{Columns: d.Columns, Terms: make([]float32, 0, len(d.Terms)), Rest: make([]float32, 0, len(d.Rest)),
		Result: make([]float32, 0, len(d.Result)), Cluster: make([]int32, 0, len(d.Cluster))}
	s.scores = make([]float32, 0, len(scores))
	for _, row := range order {
		s.data.Terms = append(s.data.Terms, d.Terms[row*d.Columns:(row+1)*d.Columns]...)
		s.data.Rest, s.data.Result = append(s.data.Rest, d.Rest[row]), append(s.data.Result, d.Result[row])
		s.data.Cluster, s.scores = append(s.data.Cluster, d.Cluster[row]), append(s.scores, scores[row])
	}
}

// read converts a game to rows. Every chosen move of a player gives a position, unless it is
// noisy or near the end.
func (s *Set) read(r *reader, g *Game) (out rows) {
	if err := r.ref.Reset(g.Position); err != nil {
		return rows{err: err}
	}
	last := len(g.Moves)
	if g.Outcome != engines.Draw {
		last -= lastPlies
	}
	for ply, m := range g.Moves {
		if ply >= last {
			break
		}
		if !m.Opening && !m.Penalty && (!m.Known || m.Decision.Mate == 0) {
			score := math.NaN()
			if m.Known {
				score = m.Decision.Score
			}
			if out.err = s.row(r, &out, g.Outcome, score); out.err != nil {
				return out
			}
		}
		move, err := r.ref.ParseMove(m.Text)
		if err != nil {
			return rows{err: fmt.Errorf("ply %d: %w", ply, err)}
		}
		if m.Penalty {
			r.ref.Penalty()
		} else {
			r.ref.Play(move)
		}
	}
	return out
}

// row appends the referee's position if it is quiet.
func (s *Set) row(r *reader, out *rows, outcome engines.Outcome, score float64) error {
	rest, quiet, err := r.terms.Row(r.ref.String(), r.row)
	if err != nil || !quiet && s.options.Quiet {
		return err
	}
	space, start := s.variant.Game.Space, s.options.Start
	for i, x := range r.row { // terms that are not fitted count with the start's weights
		if name := r.terms.Names[i]; x != 0 && !slices.Contains(s.columns, i) {
			rest += float32(x * float32(start[space.Index(name)]))
		}
	}
	for _, i := range s.columns {
		out.terms = append(out.terms, r.row[i])
	}
	out.rest = append(out.rest, rest)
	out.result = append(out.result, float32(outcome.Points(r.ref.Turn()))/2)
	out.scores = append(out.scores, float32(score))
	return nil
}

// mix replaces a share of the results by the search scores. A score counts as the chance of
// winning that it has in these games, in any unit of the players.
func (s *Set) mix(p *regression.Problem) error {
	var rows []int
	var known regression.Problem
	for row, score := range s.scores {
		if x := float64(score); !math.IsNaN(x) && !math.IsInf(x, 0) {
			rows, known.Rest = append(rows, row), append(known.Rest, score)
			known.Result, known.Cluster = append(known.Result, p.Result[row]), append(known.Cluster, p.Cluster[row])
		}
	}
	if rows == nil {
		return errors.New("--score-weight: the games have no search scores; runs keep them with --record-moves on")
	}
	scale, tempo, err := known.Calibrate()
	if err != nil {
		return errors.New("--score-weight: the search scores do not predict the results: a larger one does not go with more points")
	}
	p.Result = slices.Clone(p.Result)
	for k, row := range rows {
		chance := 1 / (1 + math.Exp(-float64(scale*float64(known.Rest[k]))-tempo))
		p.Result[row] += float32(s.options.Score * (chance - float64(p.Result[row])))
	}
	return nil
}

// Set collects the positions of games. Make it with NewSet, call Add for the games, then Fit.
type Set struct {
	variant engines.Variant
	options Options
	fitted  []string
	exclude []string
	points  []string // parameters in the unit of the fitted ones
	free    bool     // only ratios of all these matter
	columns []int    // indices of the fitted parameters in a row of the terms
	readers []*reader

	data     regression.Data
	scores   []float32 // search scores of the rows, for the side to move; NaN for none
	games    int
	openings map[any]int32 // cluster of each opening
}

// NewSet returns an empty set. It is an error if nothing can be fitted. v and o must not be
// changed afterwards.
func NewSet(v engines.Variant, o Options) (*Set, error) {
	terms, fitted, excluded := Terms(v, o)
	if len(fitted) == 0 {
		return nil, fmt.Errorf("%s: nothing to fit: the evaluation of this player is not a sum of the parameters named, or of any that is not "+
			"frozen (see selfplay params; --params names others)", v.Game.Name)
	}
	s := &Set{variant: v, options: o, fitted: fitted, exclude: excluded, openings: map[any]int32{}}
	for _, name := range fitted {
		s.columns = append(s.columns, slices.Index(terms.Names, name))
	}
	s.options.Quiet = o.Quiet || terms.Quiet
	s.points, s.free = terms.Points, terms.Points != nil
	for _, name := range terms.Names {
		s.free = s.free && (slices.Contains(fitted, name) || o.Start[v.Game.Space.Index(name)] == 0)
	}
	s.data.Columns = len(fitted)
	return s, nil
}

// Game is a game to learn from. Games with equal Opening count as one observation. Games that
// ended by a fault, or not at all, are left out.
type Game struct {
	gamefile.Game
	Opening any // comparable with ==
}
