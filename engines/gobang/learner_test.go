package gobang

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"selfplaylab/datasets"
	"selfplaylab/engines"
)

// learnVariable names the runs from whose games TestTableIsLearnedFromGames makes the table again.
const learnVariable = "LEARN"

// TestTableIsLearnedFromGames writes learned.txt from the games of runs; see learned.go.
// Repeated games count once. A tenth of the pairs is held out, to measure the table's
// predictions. The same games give the same table.
func TestTableIsLearnedFromGames(t *testing.T) {
	dirs := strings.Fields(os.Getenv(learnVariable))
	if len(dirs) == 0 {
		t.Skip("writes a table only where " + learnVariable + " names runs")
	}
	l, seen := newLearner(), map[string]bool{}
	for _, dir := range dirs {
		if err := addRun(l, dir, seen); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
	}
	var table, notes strings.Builder
	if err := l.learn(&table, &notes); err != nil {
		t.Fatal(err)
	}
	t.Log(notes.String())
	if err := os.WriteFile("learned.txt", []byte(table.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// addRun adds the games of a run that are not in seen.
func addRun(l *learner, dir string, seen map[string]bool) error {
	run, err := datasets.Read(dir)
	if err != nil {
		return err
	}
	if run.Meta.Game != "gobang" {
		return fmt.Errorf("a run of %s: want gobang", run.Meta.Game)
	}
	if run.Meta.Rules != l.f.rules.text() {
		return fmt.Errorf("rules %s: the table is learned from games by %s", run.Meta.Rules, l.f.rules.text())
	}
	scores, err := scoresOf(run)
	if err != nil {
		return err
	}
	points := map[string]float64{"1-0": 1, "0-1": 0, "1/2": 0.5}
	for g, err := range run.Games(datasets.Filter{}) {
		if err != nil {
			return err
		}
		if g.Position != "" {
			return fmt.Errorf("trial %d, pair %d, game %d begins at %s: want games from the empty board", g.Trial, g.Pair, g.Game, g.Position)
		}
		if seen[g.Moves] {
			continue
		}
		seen[g.Moves] = true
		heldOut := (g.Trial+int64(g.Pair))%10 == 0
		l.scores = scores[gameOf{g.Trial, g.Pair, g.Game}]
		if err := l.add(strings.Fields(g.Moves), int(g.OpeningPlies), points[g.Outcome], heldOut); err != nil {
			return fmt.Errorf("trial %d, pair %d, game %d: %w", g.Trial, g.Pair, g.Game, err)
		}
	}
	return nil
}

// gameOf identifies a game of a run.
type gameOf struct {
	trial      int64
	pair, game int32
}

// scoresOf returns the recorded scores of a run, by game and ply.
func scoresOf(run *datasets.Log) (map[gameOf]map[int]float64, error) {
	scores := map[gameOf]map[int]float64{}
	for m, err := range run.Moves(datasets.Filter{}) {
		if err != nil {
			return nil, err
		}
		of := gameOf{m.Trial, m.Pair, m.Game}
		if scores[of] == nil {
			scores[of] = map[int]float64{}
		}
		scores[of][int(m.Ply)] = m.Score
	}
	return scores, nil
}

// learner learns the numbers of learned.txt from games.
// The worths of free cells come from logistic regression of
// results on positions without a win by fours (Buro 1995).
// The ranks of moves come from the choice among the candidates of a position
// (a conditional logit, McFadden 1974; for moves as in Coulom 2007).
// Held-out games measure the predictions.
type learner struct {
	f *field

	positions, choices samples
	points             []float64 // of the side to move, by position

	trainer *trainer        // gets the positions instead, if not nil
	scores  map[int]float64 // of the game's decisions, by ply
}

// samples are rows of features: for a position the features present,
// for a choice one feature for each candidate, the played move first.
type samples struct {
	features []uint32
	ends     []int  // of rows
	apart    []bool // held-out rows
}

func (s *samples) end(apart bool) {
	s.ends = append(s.ends, len(s.features))
	s.apart = append(s.apart, apart)
}

// rows calls visit for each held-out row, or for each other row.
func (s *samples) rows(apart bool, visit func(row int, features []uint32)) {
	start := 0
	for i, end := range s.ends {
		if s.apart[i] == apart {
			visit(i, s.features[start:end])
		}
		start = end
	}
}

// Features of a position after the combinations of the side to move
// and of the other side: a constant, and the classes of each side.
const (
	constant     = 0
	hasClass     = 0
	facesClass   = 8
	extraWeights = 17
)

// newLearner returns a learner for games on the standard board.
func newLearner() *learner {
	return &learner{f: newField(variant{size: 15})}
}

// add takes a game.
// opening is the number of its moves that belong to the opening, and
// points is the first player's result. apart marks a held-out game.
func (l *learner) add(moves []string, opening int, points float64, apart bool) error {
	s, f := newState(l.f.rules), l.f
	f.load(&s)
	f.ready(&s)
	for i, text := range moves {
		m, err := s.ParseMove(text)
		if err != nil {
			return err
		}
		if !s.Legal(m) {
			return fmt.Errorf("move %d, %s, is not legal", i+1, text)
		}
		if i >= opening && f.settled() == 0 && !f.forced() {
			if f.counts[f.turn.Other()][straightFour] == 0 {
				l.addChoice(m, apart)
			}
			if me := &f.counts[f.turn]; me[four]+me[fourThree] == 0 || f.byFours(learnedFours) == 0 {
				l.take(i, points, apart)
			}
		}
		s.Play(m)
		f.Play(m)
	}
	return nil
}

// learnedFours is the budget of the search for wins by fours, whose positions are left out, as
// at leaves.
const learnedFours = 200

// addChoice adds the move played, if it is a candidate.
func (l *learner) addChoice(m engines.Move, apart bool) {
	f := l.f
	moves := f.Moves(nil)
	i := slices.Index(moves, m)
	if i < 0 {
		return
	}
	moves[0], moves[i] = moves[i], moves[0]
	for _, m := range moves {
		own, foe := f.combinations(cellOf(m))
		l.choices.features = append(l.choices.features, uint32(own)|uint32(foe)<<16)
	}
	l.choices.end(apart)
}

// combinations returns the combinations of a free cell for the side to move and for the other.
func (f *field) combinations(c cell) (own, foe uint16) {
	number := &combinations().of
	return number[uint16(f.makes[c]>>(16*f.turn))], number[uint16(f.makes[c]>>(16*f.turn.Other()))]
}

// take adds the position of a ply, for the network or for the table.
func (l *learner) take(ply int, points float64, apart bool) {
	score, known := l.scores[ply]
	switch {
	case l.trainer == nil:
		l.addPosition(points, apart)
	case known:
		if l.f.turn == white {
			points = 1 - points
		}
		l.trainer.add(l.f, points, score, apart)
	}
}

// addPosition adds the position. points is the first player's result.
func (l *learner) addPosition(points float64, apart bool) {
	f, p, n := l.f, &l.positions, uint32(len(combinations().lines))
	s := state{rules: f.rules, turn: f.turn, stones: f.stones}
	for _, m := range s.Moves(nil) {
		own, foe := f.combinations(cellOf(m))
		if own != 0 {
			p.features = append(p.features, uint32(own))
		}
		if foe != 0 {
			p.features = append(p.features, n+uint32(foe))
		}
	}
	p.features = append(p.features, 2*n+constant)
	for class := three; class <= straightFour; class++ {
		if f.counts[f.turn][class] > 0 {
			p.features = append(p.features, 2*n+hasClass+uint32(class))
		}
		if f.counts[f.turn.Other()][class] > 0 {
			p.features = append(p.features, 2*n+facesClass+uint32(class))
		}
	}
	p.end(apart)
	if f.turn == white {
		points = 1 - points
	}
	l.points = append(l.points, points)
}

// surprise returns the sum of the surprise of weights at the results of positions.
// The function adds its derivative to slope, if slope is not nil.
func (l *learner) surprise(weights, slope []float64, apart bool) (sum float64) {
	l.positions.rows(apart, func(row int, features []uint32) {
		z, y := 0.0, l.points[row]
		for _, k := range features {
			z += weights[k]
		}
		p := 1 / (1 + math.Exp(-z))
		sum -= y*math.Log(max(p, 1e-9)) + (1-y)*math.Log(max(1-p, 1e-9))
		if slope == nil {
			return
		}
		for _, k := range features {
			slope[k] += p - y
		}
	})
	return sum
}

// surpriseOfMoves is surprise at the chosen moves.
func (l *learner) surpriseOfMoves(weights, slope []float64, apart bool) (sum float64) {
	n := uint32(len(combinations().lines))
	z := make([]float64, maxSize*maxSize)
	l.choices.rows(apart, func(_ int, features []uint32) {
		total := 0.0
		for j, k := range features {
			z[j] = weights[k&0xffff] + weights[n+k>>16]
			total += math.Exp(z[j])
		}
		sum += math.Log(total) - z[0]
		if slope == nil {
			return
		}
		for j, k := range features {
			p := math.Exp(z[j]) / total
			if j == 0 {
				p--
			}
			slope[k&0xffff] += p
			slope[n+k>>16] += p
		}
	})
	return sum
}

// Limits of the fits. More steps or other penalties predict held-out games no better.
const (
	fitSteps   = 60
	fitPenalty = 2    // of half a weight's square, in nats
	fitSlope   = 0.01 // a fit ends below it, in nats by a weight of 1
)

// fit returns the weights of least surprise, with a penalty on large ones.
func fit(weights int, surprise func(weights, slope []float64, apart bool) float64) ([]float64, error) {
	at, slope, value := make([]float64, weights), make([]float64, weights), math.NaN()
	look := func(x []float64) {
		if !math.IsNaN(value) && slices.Equal(x, at) {
			return
		}
		copy(at, x)
		clear(slope)
		value = surprise(x, slope, false)
		for k, w := range x {
			value += fitPenalty * w * w / 2
			slope[k] += fitPenalty * w
		}
	}
	r, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { look(x); return value },
		Grad: func(g, x []float64) { look(x); copy(g, slope) },
	}, make([]float64, weights), &optimize.Settings{MajorIterations: fitSteps, GradientThreshold: fitSlope}, &optimize.LBFGS{Store: 15})
	if err != nil {
		return nil, err
	}
	return r.X, nil
}

// learn writes the table to table. To notes it writes how well the table predicts held-out
// games, and the weights has_ and faces_ that fit it.
func (l *learner) learn(table, notes io.Writer) error {
	n := len(combinations().lines)
	worth, err := fit(2*n+extraWeights, l.surprise)
	if err != nil {
		return fmt.Errorf("what cells are worth: %w", err)
	}
	likely, err := fit(2*n, l.surpriseOfMoves)
	if err != nil {
		return fmt.Errorf("how likely moves are: %w", err)
	}
	mean := func(s *samples, surprise float64) float64 {
		rows := 0
		s.rows(true, func(int, []uint32) { rows++ })
		return surprise / float64(rows)
	}
	fmt.Fprintf(notes, "positions %d, mean surprise of those apart %.5f nats; moves %d, %.5f\n",
		len(l.positions.ends), mean(&l.positions, l.surprise(worth, nil, true)),
		len(l.choices.ends), mean(&l.choices, l.surpriseOfMoves(likely, nil, true)))
	for class := three; class <= straightFour; class++ {
		fmt.Fprintf(notes, "class %d: has %d, faces %d\n", class, thousand(worth[2*n+hasClass+class]), thousand(-worth[2*n+facesClass+class]))
	}
	// Only differences of ranks count: a cell on an empty board has 0.
	empty := combinations().of[makesOpen1*0x1111]
	for k, c := range combinations().lines {
		if _, err := fmt.Fprintf(table, "%x%x%x%x %d %d %d %d\n", c[3], c[2], c[1], c[0], thousand(worth[k]), thousand(-worth[n+k]),
			thousand(likely[k])-thousand(likely[empty]), thousand(likely[n+k])-thousand(likely[n+int(empty)])); err != nil {
			return err
		}
	}
	return nil
}

func thousand(x float64) int { return int(math.Round(1000 * x)) }
