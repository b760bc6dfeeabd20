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

// LastPlies is the number of plies left out at the end of a won game, because the search sees
// the end there whatever the evaluation says.
const LastPlies = 4

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
	for k, g := range s.readAll(len(games), func(r *reader, k int) rows { return s.read(r, &games[k]) }) {
		if g.err != nil {
			return g.err
		}
		s.games++
		if len(g.result) == 0 {
			continue
		}
		c, known := s.openings[games[k].Opening]
		if !known {
			c = s.clusters
			s.openings[games[k].Opening] = c
			s.clusters++
		}
		s.append(g, c)
	}
	return nil
}

// AddPositions adds labelled positions, in their order, as Add adds games. Errors name the
// position. If leaveOut is not nil, it is called with the error of each position that cannot be
// read, and the others are added.
func (s *Set) AddPositions(list []Position, leaveOut func(error)) error {
	for k, g := range s.readAll(len(list), func(r *reader, k int) rows { return s.position(r, &list[k]) }) {
		if g.err != nil {
			err := fmt.Errorf("%s: %w", list[k].Where, g.err)
			if leaveOut == nil {
				return err
			}
			leaveOut(err)
		}
		if len(g.result) == 0 {
			continue
		}
		if s.clusters == 0 || list[k].Opening == nil || list[k].Opening != s.last {
			s.clusters++
		}
		s.last = list[k].Opening
		s.append(g, s.clusters-1)
	}
	return nil
}

// position converts a labelled position to a row.
func (s *Set) position(r *reader, p *Position) (out rows) {
	if out.err = r.ref.Reset(p.Text); out.err != nil {
		return out
	}
	if o, _ := r.ref.Result(); o != engines.Ongoing {
		return out
	}
	score := p.Score
	if r.ref.Turn() == 1 {
		score = -score
	}
	out.err = s.row(r, &out, p.Outcome, score)
	return out
}

// readAll makes rows of things by number, on all cores, and returns them in order.
func (s *Set) readAll(n int, read func(r *reader, k int) rows) []rows {
	workers := min(runtime.GOMAXPROCS(0), n)
	for len(s.readers) < workers {
		terms := linearOf(s.variant, s.options)
		s.readers = append(s.readers, &reader{ref: s.variant.NewReferee(), terms: terms, row: make([]float32, len(terms.Names))})
	}
	found := make([]rows, n)
	var next atomic.Int64
	var group sync.WaitGroup
	for _, r := range s.readers[:workers] {
		group.Go(func() {
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				found[k] = read(r, k)
			}
		})
	}
	group.Wait()
	return found
}

// append adds the rows of a cluster.
func (s *Set) append(g rows, cluster int32) {
	c := &s.kept
	c.terms.add(g.terms...)
	c.rest.add(g.rest...)
	c.result.add(g.result...)
	c.scores.add(g.scores...)
	for range g.result {
		c.cluster.add(cluster)
	}
}

// table holds the rows of a set, column by column.
type table struct {
	terms, rest, result, scores column[float32]
	cluster                     column[int32]
}

// load makes all rows readable as data and scores.
func (s *Set) load() (err error) {
	d := regression.Data{Columns: s.data.Columns, Pass: s.data.Pass}
	for _, c := range []struct {
		from *column[float32]
		to   *[]float32
	}{{&s.kept.terms, &d.Terms}, {&s.kept.rest, &d.Rest}, {&s.kept.result, &d.Result}, {&s.kept.scores, &s.scores}} {
		if *c.to, err = c.from.all(); err != nil {
			return err
		}
	}
	if d.Cluster, err = s.kept.cluster.all(); err != nil {
		return err
	}
	s.data = d
	return nil
}

// Close removes the temporary files in which large sets keep their rows.
func (s *Set) Close() error {
	c := &s.kept
	return errors.Join(c.terms.close(), c.rest.close(), c.result.close(), c.scores.close(), c.cluster.close())
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
	s.data = regression.Data{Columns: d.Columns, Pass: d.Pass, Terms: make([]float32, 0, len(d.Terms)), Rest: make([]float32, 0, len(d.Rest)),
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
		last -= LastPlies
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

// Set collects positions. Make it with NewSet, call Add for games and AddPositions for labelled
// positions, then Fit, and Close at the end.
type Set struct {
	variant engines.Variant
	options Options
	fitted  []string
	exclude []string
	points  []string // parameters in the unit of the fitted ones
	free    bool     // only ratios of all these matter
	columns []int    // indices of the fitted parameters in a row of the terms
	readers []*reader

	kept     table // rows in the order in which they were added
	data     regression.Data
	scores   []float32 // search scores of the rows, for the side to move; NaN for none
	games    int
	openings map[any]int32 // cluster of each opening
	clusters int32
	last     any // Opening of the last position
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

// Position is a position with the result of its game.
type Position struct {
	Where   string // for errors: file and line
	Text    string // as Referee.Reset takes it
	Outcome engines.Outcome
	Score   float64 // of a search, for the side that plays first; NaN for none
	// Opening is equal for adjacent positions that count as one observation; nil counts the
	// position alone.
	Opening any // comparable with ==
}

// Game is a game to learn from. Games with equal Opening count as one observation. Games that
// ended by a fault, or not at all, are left out.
type Game struct {
	gamefile.Game
	Opening any // comparable with ==
}
