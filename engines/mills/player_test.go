package mills

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
)

// randomPosition plays random moves from the start, mostly
// quiet ones, and returns a position before the end.
func randomPosition(r *rand.Rand, start position) position {
	for {
		p := start
		for range r.IntN(50) {
			m := drawMove(r, &p)
			if m == 0 {
				break
			}
			p.Play(m)
		}
		if p.Outcome() == engines.Ongoing {
			return p
		}
	}
}

// value is minimax by its definition: the best move's value for the
// side to move, always from the first side's view, with no negation.
func value(p *position, w *weights, depth, ply int) int32 {
	sign := func(side engines.Side, v int32) int32 {
		if side == engines.Second {
			return -v
		}
		return v
	}
	switch o := p.Outcome(); {
	case o == engines.Draw:
		return 0
	case o != engines.Ongoing:
		return sign(winner(o), alphabeta.Win-int32(ply))
	case depth == 0:
		return sign(p.Turn(), w.evaluate(p))
	}
	best := int32(0)
	for i, m := range p.Moves(nil) {
		next := *p
		next.Play(m)
		v := value(&next, w, depth-1, ply+1)
		if i == 0 || p.Turn() == engines.First && v > best || p.Turn() == engines.Second && v < best {
			best = v
		}
	}
	return best
}

func winner(o engines.Outcome) engines.Side {
	if o == engines.Win(engines.First) {
		return engines.First
	}
	return engines.Second
}

// TestSearchEqualsMinimax compares the player's score, with every switch of the search, with
// minimax by the definition, in positions of both phases and around their change, where a side
// moves twice.
func TestSearchEqualsMinimax(t *testing.T) {
	if testing.Short() {
		t.Skip("short: searches many positions")
	}
	const depth = 3 // no line repeats a position within three plies
	r := rand.New(rand.NewPCG(11, 12))
	start := open(t, "").start
	switches := []string{"search=minimax", "search=alphabeta", "ordering=off", "table=0", "table=4"}
	cases := []position{}
	for range 25 {
		cases = append(cases, randomPosition(r, start))
	}
	for _, text := range []string{".xWxWB.B/W.xBWBxB/WWWWxB.B W 2 2", "WW.WW..B/B.W..BBB/.B.B..W. W 0 0"} {
		cases = append(cases, *placed(t, start, text))
	}
	for _, preset := range []string{"paper", "strong", "ninechess"} {
		w := newWeights(presetVector(t, preset))
		want := make([]int32, len(cases))
		for i := range cases {
			want[i] = value(&cases[i], &w, depth, 0)
			if cases[i].Turn() == engines.Second {
				want[i] = -want[i]
			}
		}
		for _, s := range switches {
			p := configured(t, open(t, ""), set(t, preset, []string{s}))
			for i := range cases {
				d := choose(t, p, cases[i].String(), nil, engines.Limits{Depth: depth})
				if int32(d.Score) != want[i] {
					t.Errorf("%s %s: %s scores %.0f, want %d", preset, s, &cases[i], d.Score, want[i])
				}
			}
		}
	}
}

// TestWeightIsPureScale expects that all scores of a search are multiples of w,
// so that every comparison in it, and every game, is the same for any w above 0.
func TestWeightIsPureScale(t *testing.T) {
	s := open(t, "")
	limits := engines.Limits{Depth: 3}
	for _, curve := range curveLabels {
		reference := configured(t, s, set(t, "paper", []string{"curve=" + curve}))
		for opening := range 3 {
			line := drawOpening(s, rand.New(rand.NewPCG(21, uint64(opening))), 6).Moves
			want := newGame(s, reference, reference)
			want.play(t, line, limits)
			for _, w := range []int{2, 3, 7, 10, 64, 99, 100} {
				p := configured(t, s, set(t, "paper", []string{"curve=" + curve, fmt.Sprint("w=", w)}))
				got := newGame(s, p, p)
				if got.play(t, line, limits); !slices.Equal(got.moves, want.moves) {
					t.Fatalf("curve %s, opening %d: w=%d plays another game than w=1", curve, opening, w)
				}
			}
		}
	}
	t.Run("beside another term it is not", func(t *testing.T) {
		a := configured(t, s, set(t, "mobile", nil))
		b := configured(t, s, set(t, "mobile", []string{"w=20"}))
		for opening := range 5 {
			line := drawOpening(s, rand.New(rand.NewPCG(22, uint64(opening))), 6).Moves
			ga, gb := newGame(s, a, a), newGame(s, b, b)
			ga.play(t, line, limits)
			gb.play(t, line, limits)
			if !slices.Equal(ga.moves, gb.moves) {
				return
			}
		}
		t.Error("w changed nothing beside mobility")
	})
}

// TestScaledPresetPlaysAlike checks that paper10 plays as paper does.
func TestScaledPresetPlaysAlike(t *testing.T) {
	if r := match(t, presetVector(t, "paper10"), presetVector(t, "paper"), 5, 1); r.points != r.games || slices.Max(r.pairs) != 2 {
		t.Errorf("paper10 scores %d half points in %d games against paper, pairs %v; want every pair even", r.points, r.games, r.pairs)
	}
}

// TestDecisionsDependOnHistoryAlone expects that a decision depends
// on history and limits, and not on the player's earlier searches.
func TestDecisionsDependOnHistoryAlone(t *testing.T) {
	s := open(t, "")
	game := newGame(s, newTestPlayer(t, s, "strong"), newTestPlayer(t, s, "strong"))
	game.play(t, drawOpening(s, rand.New(rand.NewPCG(1, 2)), 6).Moves, engines.Limits{Nodes: 3000})
	used := newTestPlayer(t, s, "strong")
	if err := used.Reset("", 0); err != nil {
		t.Fatal(err)
	}
	for _, ply := range []int{24, 8, 20, 21, 9} {
		limits := engines.Limits{Nodes: 3000}
		d, err := used.Choose(context.Background(), game.moves[:ply], limits)
		if err != nil {
			t.Fatal(err)
		}
		fresh := choose(t, newTestPlayer(t, s, "strong"), "", game.moves[:ply], limits)
		if d != fresh || d.Move != game.moves[ply] {
			t.Errorf("ply %d: %+v, a fresh player %+v, in the game %x", ply, d, fresh, game.moves[ply])
		}
	}
}

func TestPlayerKeepsLimits(t *testing.T) {
	s := open(t, "")
	p := newTestPlayer(t, s, "strong")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, row := range []struct {
		ctx    context.Context
		limits engines.Limits
		depth  int // to be reached; -1 for any
	}{
		{context.Background(), engines.Limits{}, defaultDepth},
		{context.Background(), engines.Limits{Depth: 2}, 2},
		{context.Background(), engines.Limits{Nodes: 1}, 0},
		{context.Background(), engines.Limits{Time: time.Nanosecond}, 0},
		{context.Background(), engines.Limits{Nodes: 5000}, -1},
		{cancelled, engines.Limits{Depth: 9}, -1},
	} {
		for _, text := range searchPositions {
			if err := p.Reset(text, 0); err != nil {
				t.Fatal(err)
			}
			d, err := p.Choose(row.ctx, nil, row.limits)
			if err != nil {
				t.Fatal(err)
			}
			if !placed(t, s.start, text).Legal(d.Move) || row.depth >= 0 && d.Depth != row.depth {
				t.Errorf("%q under %+v: %+v, want a legal move at depth %d", text, row.limits, d, row.depth)
			}
		}
	}
}

func TestPlayerRefusesBadInput(t *testing.T) {
	s := open(t, "")
	p := newTestPlayer(t, s, "paper")
	if err := p.Reset("W", 0); err == nil || !strings.Contains(err.Error(), `position "W": wrong number of fields (1)`) {
		t.Errorf("a bad position: %v", err)
	}
	const ended = "WWWB..BW/BBB....B/........ W 0 0"
	if err := p.Reset(ended, 0); err != nil {
		t.Fatal(err)
	}
	if d, err := p.Choose(context.Background(), nil, engines.Limits{Depth: 2}); err == nil || !strings.Contains(err.Error(), "the game has ended") {
		t.Errorf("after the end: %+v, %v", d, err)
	}
	if d, err := p.Choose(context.Background(), nil, engines.Limits{Playouts: 10}); err == nil || !strings.Contains(err.Error(), "it makes no playouts") {
		t.Errorf("playouts: %+v, %v", d, err)
	}
	for _, row := range []struct {
		index int
		value float64
		want  string
	}{
		{paramW, 0, "w = 0 is out of range; allowed: whole, 1 to 100"},
		{paramW, 1.5, "w = 1.5 is not a whole number"},
		{paramTerms, math.NaN(), "mob_place = NaN is not a finite number"},
		{paramDraw, math.Inf(-1), "draw = -Inf is not a finite number"},
		{paramTable, 1e300, "table = 1e+300 is out of range"},
		{paramSearch, 2, "allowed: alphabeta | minimax"},
	} {
		v := space().Default()
		v[row.index] = row.value
		if err := p.Configure(v); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("Configure: %v, want an error with %q", err, row.want)
		}
	}
	if err := p.Configure([]float64{1}); err == nil {
		t.Error("a vector of one value is taken")
	}
}

// TestVariantPlaysGame plays a game through the exported interface alone.
func TestVariantPlaysGame(t *testing.T) {
	g := Game()
	v, err := g.Open(engines.Rules{"preset": "chengsan9"})
	if err != nil {
		t.Fatal(err)
	}
	p, r := v.NewPlayer(), v.NewReferee()
	if err := p.Configure(g.Space.Default()); err != nil {
		t.Fatal(err)
	}
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	if err := r.Reset(""); err != nil {
		t.Fatal(err)
	}
	var history []engines.Move
	for {
		if o, _ := r.Result(); o != engines.Ongoing {
			break
		}
		d, err := p.Choose(context.Background(), history, engines.Limits{Depth: 2})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Legal(d.Move) {
			t.Fatalf("%s in %s", r.MoveString(d.Move), r)
		}
		r.Play(d.Move)
		history = append(history, d.Move)
	}
	if len(history) < 18 || len(history) > maxPlies(9, 100) {
		t.Errorf("a game of %d plies", len(history))
	}
}

// TestContemptChangesDraws checks the parameter draw with a full board and with a repeated
// position.
func TestContemptChangesDraws(t *testing.T) {
	for _, contempt := range []int{-30, 0, 30} {
		p := configured(t, open(t, "full_board=draw"), set(t, "paper", []string{fmt.Sprint("draw=", contempt)}))
		d := choose(t, p, "BWBBWWBW/BWBBWBW./WWBWBWBW B 0 1", nil, engines.Limits{Depth: 3})
		if d.Score != float64(-contempt) {
			t.Errorf("draw=%d: a drawn position scores %v", contempt, d.Score)
		}
	}
	const start = "WW.W..../......../BB.B.... W 0 0"
	s := open(t, "")
	q := placed(t, s.start, start)
	var history []engines.Move
	for _, text := range []string{"d7-d6", "d5-e5", "d6-d7"} {
		m, err := q.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		history = append(history, m)
	}
	back, err := q.ParseMove("e5-d5") // to the first position
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		draw   int
		repeat bool
	}{{-10, true}, {10, false}} {
		p := configured(t, s, set(t, "paper", []string{fmt.Sprint("draw=", row.draw)}))
		if d := choose(t, p, start, history, engines.Limits{Depth: 1}); (d.Move == back) != row.repeat {
			t.Errorf("draw=%d: chose %s with score %v; to repeat is %v", row.draw, q.MoveString(d.Move), d.Score, row.repeat)
		}
	}
}

func TestDecisionAllocatesNothing(t *testing.T) {
	s := open(t, "")
	p := newTestPlayer(t, s, "strong")
	for _, text := range searchPositions {
		if err := p.Reset(text, 0); err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		think := func() {
			if _, err := p.Choose(ctx, nil, engines.Limits{Depth: 5}); err != nil {
				t.Fatal(err)
			}
		}
		think()
		if n := testing.AllocsPerRun(3, think); n != 0 {
			t.Errorf("%q: %v allocations a decision", text, n)
		}
	}
	for _, rules := range []string{"", "double_mill=per_mill,targets=loose_first,capture=may,fly_at=3,reform=restricted"} {
		q := placed(t, open(t, rules).start, "WW.WW..B/B.W..BBB/.B.B..W. W 0 0")
		buf := make([]engines.Move, 0, 512)
		if n := testing.AllocsPerRun(10, func() { buf = q.Moves(buf[:0]); q.Legal(buf[0]) }); n != 0 {
			t.Errorf("rules %q: %v allocations to list moves", rules, n)
		}
	}
}

func TestSpaceHasEveryTerm(t *testing.T) {
	s := space()
	names := []string{"w",
		"mob_place", "mob_move", "two_place", "two_move", "blk_place", "blk_move",
		"mill_place", "mill_move", "dbl_place", "dbl_move", "pos_place", "pos_move",
		"draw", "curve", "search", "ordering", "table", "hit_place", "hit_move", "reduce", "margin"}
	if d := cmp.Diff(names, s.Names()); d != "" {
		t.Errorf("parameters (-want +got)\n%s", d)
	}
	for i, name := range map[int]string{paramW: "w", paramTerms: "mob_place", paramDraw: "draw", paramCurve: "curve", paramSearch: "search", paramOrdering: "ordering", paramTable: "table", paramHit: "hit_place"} {
		if s.Index(name) != i {
			t.Errorf("%s is parameter %d, not %d", name, s.Index(name), i)
		}
	}
	g := Game()
	for _, p := range g.Presets {
		if err := s.Check(p.Vector); err != nil {
			t.Errorf("preset %s: %v", p.Name, err)
		}
	}
	for _, name := range []string{g.DefaultPreset, g.WeakPreset} {
		if _, err := g.Preset(name); err != nil {
			t.Error(err)
		}
	}
	paper := space().Default()
	if d := cmp.Diff([]float64(paper), presetVector(t, "paper")); d != "" || paper[paramW] != 1 {
		t.Errorf("preset paper is not the defaults\n%s", d)
	}
}

// TestEveryWeightChangesAValue checks that each weight of the
// evaluator changes some position's value, and only in its phase.
func TestEveryWeightChangesAValue(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	start := open(t, "").start
	var placing, moving []position
	for len(placing) < 100 || len(moving) < 100 {
		if p := randomPosition(r, start); p.placing() {
			placing = append(placing, p)
		} else {
			moving = append(moving, p)
		}
	}
	paper := newWeights(space().Default())
	changed := func(w weights, positions []position) bool {
		return slices.ContainsFunc(positions, func(p position) bool { return w.evaluate(&p) != paper.evaluate(&p) })
	}
	for i, p := range space() {
		if i >= paramDraw && !strings.HasPrefix(p.Name, "hit") {
			continue
		}
		v := space().Default()
		v[i] = 3
		w := newWeights(v)
		inPlacing := i == paramW || strings.HasSuffix(p.Name, "_place")
		inMoving := i == paramW || strings.HasSuffix(p.Name, "_move")
		if changed(w, placing) != inPlacing || changed(w, moving) != inMoving {
			t.Errorf("%s changes values: placing %v, moving %v", p.Name, changed(w, placing), changed(w, moving))
		}
	}
}

// TestHitNeedsCapture expects that a side can hit exactly if it has a move that takes a man.
func TestHitNeedsCapture(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	plain, hit := set(t, "strong", nil), set(t, "strong", []string{"hit_place=300", "hit_move=500"})
	for _, rules := range []string{"", "preset=dasanqi", "fly_at=3"} {
		start, seen := open(t, rules).start, [2]int{}
		for range 400 {
			p := randomPosition(r, start)
			can, worth := 0, int32(500)
			if p.placing() {
				worth = 300
			}
			if slices.ContainsFunc(p.Moves(nil), hasCapture) {
				can = 1
			}
			seen[can]++
			with, without := newWeights(hit), newWeights(plain)
			if got := with.evaluate(&p) - without.evaluate(&p); got != worth*int32(can) {
				t.Errorf("%s %s: a hit is worth %d, want %d", rules, &p, got, worth*int32(can))
			}
		}
		if min(seen[0], seen[1]) < 40 {
			t.Errorf("%s: %v positions without and with a hit", rules, seen)
		}
	}
}

// TestSelectiveSearchTakesFewerNodes expects that the selective search of preset
// master takes at most a third of the nodes, at the same depth by the same evaluator.
func TestSelectiveSearchTakesFewerNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("short: searches many positions")
	}
	full := configured(t, open(t, ""), set(t, "master", []string{"reduce=off", "margin=0"}))
	few := newTestPlayer(t, open(t, ""), "master")
	var nodes [2]int64
	for _, text := range searchPositions {
		for i, p := range []*player{full, few} {
			nodes[i] += choose(t, p, text, nil, engines.Limits{Depth: 8}).Nodes
		}
	}
	if t.Logf("%d nodes in full, %d selectively", nodes[0], nodes[1]); 3*nodes[1] > nodes[0] {
		t.Errorf("%d nodes in full, %d selectively: more than a third", nodes[0], nodes[1])
	}
}

// TestEvaluateTermsAddUp checks the terms for people: names, both counts, and the sum.
func TestEvaluateTermsAddUp(t *testing.T) {
	v, err := Game().Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	const text = "WWW..B.B/W.W...B./..BBBWB. W 0 0"
	got, err := v.Evaluate(text, nil, set(t, "strong", []string{"blk_move=3", "mill_move=5", "pos_move=7"}))
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if (got[i].Doc == "") != (got[i].Name == "phase") {
			t.Errorf("%s means %q", got[i].Name, got[i].Doc)
		}
		if _, list := got[i].Value.([]int); list != got[i].Sides {
			t.Errorf("%s: %v, for both sides: %v", got[i].Name, got[i].Value, got[i].Sides)
		}
		got[i].Doc, got[i].Sides = "", false
	}
	want := []engines.Term{
		{Name: "turn", Value: "W"}, {Name: "phase", Value: "moving"},
		{Name: "w", Value: []int{6, 7, -130}},
		{Name: "mob_move", Value: []int{8, 12, -80}},
		{Name: "two_move", Value: []int{1, 1, 0}},
		{Name: "blk_move", Value: []int{0, 1, -3}},
		{Name: "mill_move", Value: []int{1, 1, 0}},
		{Name: "dbl_move", Value: []int{1, 0, 20}},
		{Name: "pos_move", Value: []int{2, 1, 7}},
		{Name: "total", Value: -186},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	r := rand.New(rand.NewPCG(41, 42))
	for range 200 {
		p := randomPosition(r, open(t, "").start)
		checkSum(t, v, p.String(), randomVector(r))
	}
}

// checkSum checks that the terms are named as parameters and add up.
func checkSum(t *testing.T, v engines.Variant, text string, vector []float64) {
	t.Helper()
	list, err := v.Evaluate(text, nil, vector)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, term := range list[2 : len(list)-1] {
		if _, err := space().Lookup(term.Name); err != nil {
			t.Error(err)
		}
		sum += term.Value.([]int)[2]
	}
	if total := list[len(list)-1]; total.Name != "total" || total.Value != sum {
		t.Errorf("%s: %v, the terms add up to %d", text, total, sum)
	}
}

func TestEvaluateRefusesBadInput(t *testing.T) {
	v, err := Game().Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	paper := space().Default()
	for _, row := range []struct {
		position string
		moves    []engines.Move
		vector   []float64
		want     string
	}{
		{"x", nil, paper, `position "x"`},
		{"", []engines.Move{turnOf(fromHand, 3), turnOf(fromHand, 3)}, paper, "move 2, g4, is not legal in"},
		{"", nil, paper[:3], "vector of 3 values"},
	} {
		if _, err := v.Evaluate(row.position, row.moves, row.vector); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("error %v, want one with %q", err, row.want)
		}
	}
}

func TestOpeningsFollowRules(t *testing.T) {
	for i, preset := range rulePresets {
		if testing.Short() && i > 0 {
			break // one represents all
		}
		v, err := Game().Open(engines.Rules{"preset": preset.name, "no_capture": "10", "repetition": "2"})
		if err != nil {
			t.Fatal(err)
		}
		for _, plies := range []int{0, 1, 2, 5, 6, 12, 18, 30, 60} {
			different := map[string]bool{}
			for seed := range uint64(20) {
				o := v.Opening(rand.New(rand.NewPCG(5, seed)), plies)
				again := v.Opening(rand.New(rand.NewPCG(5, seed)), plies)
				if d := cmp.Diff(o, again); d != "" {
					t.Fatalf("the same draws give another opening\n%s", d)
				}
				checkOpening(t, v, o, plies)
				different[fmt.Sprint(o.Moves)] = true
			}
			if plies >= 2 && len(different) < 18 {
				t.Errorf("%s, %d plies: only %d different openings of 20", preset.name, plies, len(different))
			}
		}
	}
}

func checkOpening(t *testing.T, v engines.Variant, o engines.Opening, plies int) {
	t.Helper()
	r := v.NewReferee()
	if err := r.Reset(o.Position); err != nil {
		t.Fatal(err)
	}
	for _, m := range o.Moves {
		if !r.Legal(m) || hasCapture(m) {
			t.Fatalf("%s in %s", r.MoveString(m), r)
		}
		r.Play(m)
	}
	if out, reason := r.Result(); out != engines.Ongoing {
		t.Errorf("%d plies: the opening ended %s by %s", plies, out, reason)
	}
	if len(o.Moves) > plies || plies <= 12 && len(o.Moves) < plies {
		t.Errorf("%d plies, want %d", len(o.Moves), plies)
	}
}

// TestOpeningsAreCalm expects that at the default length nobody can close a mill at once.
func TestOpeningsAreCalm(t *testing.T) {
	s := open(t, "")
	for seed := range uint64(200) {
		p := s.start
		for _, m := range drawOpening(s, rand.New(rand.NewPCG(6, seed)), Game().OpeningPlies).Moves {
			p.Play(m)
		}
		if slices.ContainsFunc(p.Moves(nil), hasCapture) || !p.calm() {
			t.Errorf("%s is not calm", &p)
		}
	}
}
