package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// natural converts reported Elo without draws to the model's strengths.
const natural = math.Ln10 / 400

// TestFitMatchesPublishedBaseballStrengths uses the American League of 1987: games won by the
// home team and by the visitors (Agresti, "Categorical Data Analysis", 2nd edition, table 10.10).
// Strengths and home advantage are those of his table 10.11,
// which the package BradleyTerry2 also tests against.
func TestFitMatchesPublishedBaseballStrengths(t *testing.T) {
	teams := []string{"Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"}
	home := [7][7][2]int{
		{{}, {4, 3}, {4, 2}, {4, 3}, {6, 1}, {4, 2}, {6, 0}},
		{{3, 3}, {}, {4, 2}, {4, 3}, {6, 0}, {6, 1}, {4, 3}},
		{{2, 5}, {4, 3}, {}, {2, 4}, {4, 3}, {4, 2}, {6, 0}},
		{{3, 3}, {5, 1}, {2, 5}, {}, {4, 3}, {4, 2}, {6, 1}},
		{{5, 1}, {2, 5}, {3, 3}, {4, 2}, {}, {5, 2}, {6, 0}},
		{{2, 5}, {3, 3}, {3, 4}, {4, 3}, {4, 2}, {}, {2, 4}},
		{{2, 5}, {1, 5}, {1, 6}, {2, 4}, {1, 6}, {3, 4}, {}},
	}
	season, twice := NewTournament(teams...), NewTournament(teams...)
	for i, row := range home {
		for j, won := range row {
			if g := (Games{Wins: won[0], Losses: won[1]}); i != j {
				season.AddGames(i, j, g)
				twice.addEven(i, j, g)
			}
		}
	}
	plain, err := BradleyTerry{Anchor: "Baltimore"}.Fit(twice)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1.58, 1.44, 1.29, 1.25, 1.11, .68, 0} {
		near(t, teams[i], plain.Players[i].Elo*natural, want, .005)
		if i < 6 {
			near(t, "standard error of "+teams[i], plain.Players[i].SE*natural*math.Sqrt2, .34, .03)
		}
	}
	full, err := BradleyTerry{}.Fit(season)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "home advantage", full.Advantage*natural, .302, .0005)
	sum := 0.0
	for _, p := range full.Players {
		sum += math.Exp(p.Elo * natural)
	}
	for i, want := range []float64{.220, .190, .164, .157, .137, .088, .044} {
		near(t, "share of "+teams[i], math.Exp(full.Players[i].Elo*natural)/sum, want, .0005)
	}
	if r := full.Ranking(); !slices.Equal(r, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("ranking %v", r)
	}
	if p := full.Players[6]; p.Games != 78 || math.Abs(p.Score-18./78) > 1e-12 {
		t.Errorf("Baltimore %+v", p)
	}
}

// TestRankingMatchesOpenSpiel uses OpenSpiel's evaluation test: wins of the row over the column.
func TestRankingMatchesOpenSpiel(t *testing.T) {
	wins := [3][3]int{{0, 4, 2}, {1, 0, 2}, {3, 3, 0}}
	match := NewTournament("A", "B", "C")
	for i, row := range wins {
		for j, n := range row {
			if n > 0 {
				match.addEven(i, j, Games{Wins: n})
			}
		}
	}
	r, err := BradleyTerry{}.Fit(match)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Superiority()
	if !(r.Players[0].Elo > r.Players[1].Elo && r.Players[2].Elo > r.Players[1].Elo) || s[0][1] < .5 || s[1][2] > .5 {
		t.Errorf("ratings %v, superiority %v", r.Players, s)
	}
}

// TestTwoPlayersHaveClosedForm compares the fit without an advantage with
// Davidson (1970): the odds of wins to losses, and v = draws / sqrt(wins losses).
func TestTwoPlayersHaveClosedForm(t *testing.T) {
	g := Games{Wins: 136, Losses: 96, Draws: 111}
	match := NewTournament("A", "B")
	match.addEven(0, 1, g)
	r, err := BradleyTerry{Anchor: "B"}.Fit(match)
	if err != nil {
		t.Fatal(err)
	}
	v := 111 / math.Sqrt(136*96)
	near(t, "draw rate", r.DrawRate, v/(2+v), 1e-9)
	near(t, "rating", r.Players[0].Elo, 400*math.Log10(136./96)*2/(2+v), 1e-6)
	win, draw, loss := r.Predict(0, 1)
	near(t, "wins", win, 136./343, 1e-9)
	near(t, "draws", draw, 111./343, 1e-9)
	near(t, "losses", loss, 96./343, 1e-9)
	// On the scale of scores, the result equals the match's Estimate, with its error.
	alone := g.Plus(g).Estimate(.95)
	near(t, "rating against the match's Elo", r.Players[0].Elo, alone.Elo, .5)
	near(t, "error against the match's", r.Players[0].Interval(.95).Half(), alone.EloError(), .5)
	if b := r.Players[1]; b.Elo != 0 || b.SE != 0 {
		t.Errorf("anchor %+v", b)
	}
}

// TestErrorsFollowDependenceOfPairs expects the error of the pairs' own Estimate: smaller than for
// single games where colours always split a pair, larger where pairs are won or lost as a whole.
func TestErrorsFollowDependenceOfPairs(t *testing.T) {
	for _, v := range []struct{ split, swept int }{{1600, 50}, {50, 800}, {800, 400}} {
		match := NewTournament("A", "B")
		for range v.split {
			match.AddPair(0, 1, 2, 0)
		}
		for range v.split / 2 {
			match.AddPair(0, 1, 0, 2)
			match.AddPair(0, 1, 1, 2)
			match.AddPair(0, 1, 0, 1)
		}
		for range v.swept {
			match.AddPair(0, 1, 2, 2)
			match.AddPair(0, 1, 0, 0)
		}
		match.AddPair(0, 1, 2, 2)
		r, err := BradleyTerry{Anchor: "B"}.Fit(match)
		if err != nil {
			t.Fatal(err)
		}
		alone := match.Pairs(0, 1).Estimate(.95)
		near(t, "rating", r.Players[0].Elo, alone.Elo, .1)
		near(t, "error", r.Players[0].Interval(.95).Half(), alone.EloError(), .03*alone.EloError())
	}
}

func TestTournamentCountsFromBothSides(t *testing.T) {
	m := NewTournament("A", "B", "C")
	m.AddPair(0, 1, 2, 1)
	m.AddPair(1, 0, 2, 0) // A lost moving second and won moving first
	m.AddGames(1, 0, Games{Wins: 3, Draws: 1})
	m.AddGames(0, 1, Games{Losses: 5})
	if p := m.Pairs(0, 1); p != (Pairs{2: 1, 3: 1}) || m.Pairs(1, 0) != p.Reversed() {
		t.Errorf("pairs %v and %v", p, m.Pairs(1, 0))
	}
	if g := m.Games(0, 1); g != (Games{Wins: 2, Draws: 2, Losses: 9}) || m.Games(1, 0) != g.reversed() {
		t.Errorf("games %v and %v", g, m.Games(1, 0))
	}
	if m.Games(0, 2) != (Games{}) || m.Pairs(2, 1) != (Pairs{}) {
		t.Error("players who never met have results")
	}
	c := m.cells[[2]int{0, 1}]
	first, second := c.games()
	if first != (Games{Wins: 2, Losses: 5}) || second != (Games{Draws: 2, Losses: 4}) {
		t.Errorf("A moving first %v, second %v", first, second)
	}
	for _, bad := range []func(){
		func() { m.AddPair(0, 0, 1, 1) }, func() { m.AddPair(0, 3, 1, 1) }, func() { m.AddPair(-1, 0, 1, 1) },
		func() { m.AddPair(0, 1, 3, 1) }, func() { m.AddGames(2, 2, Games{}) }, func() { NewTournament("A", "B", "A") },
	} {
		if !panics(bad) {
			t.Error("nonsense was accepted")
		}
	}
}

// TestFitIgnoresOrderOfPlayers permutes the players and the sides from which results are reported.
func TestFitIgnoresOrderOfPlayers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := NewTournament("A", "B", "C"), NewTournament("C", "B", "A")
		for i := range 3 {
			for j := range i {
				for range rapid.IntRange(1, 12).Draw(t, "pairs") {
					x, y := rapid.IntRange(0, 2).Draw(t, "points"), rapid.IntRange(0, 2).Draw(t, "points")
					a.AddPair(i, j, x, y)
					b.AddPair(2-j, 2-i, 2-y, 2-x)
				}
			}
		}
		how := BradleyTerry{Prior: 1, Anchor: "B"}
		p, err := how.Fit(a)
		if err != nil {
			t.Fatal(err)
		}
		q, err := how.Fit(b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if x, y := p.Players[i], q.Players[2-i]; x.Name != y.Name || math.Abs(x.Elo-y.Elo) > 1e-4 || math.Abs(x.SE-y.SE) > 1e-4 {
				t.Fatalf("%+v is also %+v", x, y)
			}
		}
		if math.Abs(p.Advantage-q.Advantage) > 1e-4 {
			t.Fatalf("advantage %v is also %v", p.Advantage, q.Advantage)
		}
	})
}

// TestFitExpectsObservedPoints uses that points are sufficient for
// Davidson's model: at the maximum the expected points of each player,
// the first players' points and the draws equal the observed ones.
func TestFitExpectsObservedPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	truth := league{strength: []float64{0, .4, 1.1, -.8, 2.5}, first: .3, logDraw: .2, same: .3}
	m := truth.play(r, 40)
	fit, err := BradleyTerry{}.Fit(m)
	if err != nil {
		t.Fatal(err)
	}
	var firstPoints, draws float64
	points := make([]float64, 5)
	for _, c := range m.sorted() {
		first, second := c.games()
		for _, s := range []struct {
			a, b int
			g    Games
		}{{c.x, c.y, first}, {c.y, c.x, second.reversed()}} {
			win, draw, loss := fit.Predict(s.a, s.b)
			n := float64(s.g.N())
			points[s.a] += n * (win + draw/2 - s.g.Score())
			points[s.b] += n * (loss + draw/2 - 1 + s.g.Score())
			firstPoints += n * (win + draw/2 - s.g.Score())
			draws += n*draw - float64(s.g.Draws)
		}
	}
	for i, p := range append(points, firstPoints, draws) {
		near(t, fmt.Sprint("expected less actual ", i), p, 0, 1e-5)
	}
	mean := 0.0
	for _, p := range fit.Players {
		mean += p.Elo / 5
	}
	near(t, "mean of ratings", mean, 0, 1e-6)
}

// league is a truth for simulations: the model itself, with pairs in
// which the opening decides both games alike with probability same.
type league struct {
	strength       []float64
	first, logDraw float64
	same           float64
}

func (l league) play(r *rand.Rand, pairs int) *Tournament {
	names := make([]string, len(l.strength))
	for i := range names {
		names[i] = fmt.Sprintf("P%d", i)
	}
	m := NewTournament(names...)
	for i := range l.strength {
		for j := range i {
			for range pairs {
				u := r.Float64()
				a := l.game(i, j, u)
				if r.Float64() >= l.same {
					u = r.Float64()
				}
				m.AddPair(i, j, a, 2-l.game(j, i, u))
			}
		}
	}
	return m
}

// game returns the first player's half points, which grow with u.
func (l league) game(first, second int, u float64) int {
	c := newChances(l.strength[first]-l.strength[second]+l.first, l.logDraw)
	switch {
	case u < c.p[0]:
		return 0
	case u < c.p[0]+c.p[1]:
		return 1
	}
	return 2
}

// TestMoreOpponentsOnSameOpeningsAddNothing plays more opponents with the same
// results in every opening: counted by opening, they do not narrow a player's error.
func TestMoreOpponentsOnSameOpeningsAddNothing(t *testing.T) {
	se := func(opponents int, shared bool) float64 {
		names := []string{"start", "tuned"}
		for k := range opponents {
			names = append(names, fmt.Sprint(k))
		}
		m, r := NewTournament(names...), rand.New(rand.NewPCG(1, 2))
		for opening := range 200 {
			points := [2][2]int{{r.IntN(3), r.IntN(3)}, {r.IntN(3), r.IntN(3)}}
			for k := range opponents {
				for player, p := range points {
					switch {
					case !shared:
						m.AddPair(player, 2+k, p[0], p[1])
					case k%2 == 0:
						m.AddShared(opening, player, 2+k, p[0], p[1])
					default: // from the opponent's view
						m.AddShared(opening, 2+k, player, 2-p[1], 2-p[0])
					}
				}
			}
		}
		fit, err := BradleyTerry{Anchor: "start", Prior: 1}.Fit(m)
		if err != nil {
			t.Fatal(err)
		}
		return fit.Players[1].SE
	}
	one := se(1, true)
	near(t, "one opponent", one, se(1, false), .05*one) // start and tuned values played it on the same openings, independently
	near(t, "four opponents", se(4, true), one, .05*one)
	near(t, "four opponents, taken as independent", se(4, false), one/2, .05*one)
}

// TestRatingIntervalsCover simulates tournaments: 95 % intervals of ratings, differences
// and advantage cover 95 %, with independent and with dependent games of a pair.
func TestRatingIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many tournaments")
	}
	const runs, pairs = 400, 60
	for _, same := range []float64{0, .6} {
		truth := league{strength: []float64{0, .3, 1, -.6, 1.8}, first: .4, logDraw: -.3, same: same}
		v := math.Exp(truth.logDraw)
		unit := 400 / math.Ln10 * 2 / (2 + v)
		r := rand.New(rand.NewPCG(8, uint64(10*same)))
		covered, n := 0, 0
		count := func(name string, elo, se, want float64) {
			n++
			if math.Abs(elo-want) <= quantile(.95)*se {
				covered++
			}
		}
		for range runs {
			fit, err := BradleyTerry{Anchor: "P0"}.Fit(truth.play(r, pairs))
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range fit.Players[1:] {
				count(p.Name, p.Elo, p.SE, unit*truth.strength[i+1])
			}
			d, se := fit.Difference(2, 3)
			count("difference", d, se, unit*1.6)
			count("advantage", fit.Advantage, fit.AdvantageSE, unit*.4)
		}
		// The parameters of one run depend on each other, so only the runs count as independent.
		if share := float64(covered) / float64(n); math.Abs(share-.95) > sigmas*math.Sqrt(.95*.05/runs) {
			t.Errorf("same %v: %.2f %% of the intervals cover", same, 100*share)
		}
	}
}

func TestFitRefusesUndeterminedRatings(t *testing.T) {
	for _, v := range []struct {
		name string
		add  func(*Tournament)
		want string
	}{
		{"nothing", func(*Tournament) {}, "never lost a point"},
		{"a perfect score", func(m *Tournament) {
			m.AddGames(0, 1, Games{Wins: 3, Losses: 3})
			m.AddGames(0, 2, Games{Wins: 5})
			m.AddGames(1, 2, Games{Wins: 5})
		}, "A, B never lost a point to C"},
		{"a zero score", func(m *Tournament) {
			m.AddGames(1, 2, Games{Wins: 3, Losses: 3})
			m.AddGames(1, 0, Games{Wins: 5})
		}, "B, C never lost a point to A"},
		{"one player apart", func(m *Tournament) { m.AddGames(0, 1, Games{Wins: 3, Losses: 3}) }, "C never lost a point to A, B"},
		{"all first", func(m *Tournament) {
			for i := range 3 {
				for j := range 3 {
					if i != j {
						m.AddGames(i, j, Games{Wins: 4})
					}
				}
			}
		}, "any advantage"},
		{"the same player always first", func(m *Tournament) {
			m.AddGames(0, 1, Games{Wins: 4, Losses: 2})
			m.AddGames(1, 2, Games{Wins: 4, Losses: 2})
			m.AddGames(0, 1, Games{Wins: 4, Losses: 2})
		}, "do not tell strengths, advantage"},
		{"all drawn", func(m *Tournament) {
			m.AddGames(0, 1, Games{Draws: 4})
			m.AddGames(1, 2, Games{Draws: 4})
			m.AddGames(2, 0, Games{Draws: 4})
		}, "any tendency to draw"},
		{"draws and wins only", func(m *Tournament) {
			m.AddGames(0, 1, Games{Draws: 4, Wins: 4})
			m.AddGames(1, 0, Games{Draws: 4, Losses: 4})
			m.AddGames(1, 2, Games{Draws: 4, Wins: 4})
			m.AddGames(2, 1, Games{Draws: 4, Losses: 4})
		}, "not determined"},
	} {
		m := NewTournament("A", "B", "C")
		v.add(m)
		if _, err := (BradleyTerry{}).Fit(m); err == nil || !strings.Contains(err.Error(), v.want) || !strings.Contains(err.Error(), "prior") {
			t.Errorf("%s: error %v, want one about %q", v.name, err, v.want)
		}
		r, err := BradleyTerry{Prior: 1}.Fit(m)
		if err != nil {
			t.Errorf("%s with a prior: %v", v.name, err)
			continue
		}
		settled(t, r)
	}
}

func TestFitRefusesBadInput(t *testing.T) {
	two := NewTournament("A", "B")
	two.AddGames(0, 1, Games{Wins: 1, Losses: 1})
	for _, v := range []struct {
		how  BradleyTerry
		t    *Tournament
		want string
	}{
		{BradleyTerry{}, NewTournament("A"), "1 player: want at least 2"},
		{BradleyTerry{}, NewTournament(), "0 players: want at least 2"},
		{BradleyTerry{Anchor: "Z"}, two, `the anchor "Z" did not play: want one of A, B`},
		{BradleyTerry{Prior: -1}, two, "prior -1"},
		{BradleyTerry{Prior: math.NaN()}, two, "prior NaN"},
		{BradleyTerry{Prior: math.Inf(1)}, two, "prior +Inf"},
	} {
		if _, err := v.how.Fit(v.t); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%+v: error %v, want one about %q", v.how, err, v.want)
		}
	}
	if got := NewTournament("A", "B", "C", "D", "E", "F", "G", "H", "I").list(nil); got != "A, B, C, D, E, F, G and 2 more" {
		t.Errorf("list %q", got)
	}
}

// settled fails unless every number is finite and every chance lies between 0 and 1.
func settled(t interface{ Errorf(string, ...any) }, r *Ratings) {
	numbers := []float64{r.Advantage, r.AdvantageSE, r.DrawRate}
	for i, row := range r.Superiority() {
		numbers = append(numbers, r.Players[i].Elo, r.Players[i].SE, r.Players[i].Score)
		for j, p := range row {
			if !(p >= 0 && p <= 1) || math.Abs(p+r.Superiority()[j][i]-1) > 1e-9 {
				t.Errorf("superiority %v of %d over %d", p, i, j)
			}
			win, draw, loss := r.Predict(i, j)
			if math.Abs(win+draw+loss-1) > 1e-9 {
				t.Errorf("chances %v %v %v", win, draw, loss)
			}
			elo, se := r.Difference(i, j)
			numbers = append(numbers, elo, se, r.Covariance(i, j))
		}
	}
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("ratings %+v", r)
			return
		}
	}
}

// Any results, with a prior, have finite ratings; without one, either that or an error.
func FuzzFit(f *testing.F) {
	f.Add([]byte{1, 9, 0, 0, 200, 255, 3, 4, 5}, .0)
	f.Add([]byte{0, 0, 0}, 2.)
	f.Fuzz(func(t *testing.T, data []byte, prior float64) {
		m := NewTournament("A", "B", "C", "D")
		for k := 0; k+2 < len(data) && k < 60; k += 3 {
			i, j := int(data[k]&3), int(data[k]>>2&3)
			if i == j {
				continue
			}
			if n := int(data[k+2]); data[k]&16 == 0 {
				m.AddGames(i, j, repeat(int(data[k+1]%3), n*n*n))
			} else {
				for range n {
					m.AddPair(i, j, int(data[k+1]%3), int(data[k+1]/3%3))
				}
			}
		}
		for _, p := range []float64{0, 1, math.Abs(prior)} {
			how := BradleyTerry{Prior: p}
			r, err := how.Fit(m)
			if err == nil {
				settled(t, r)
			} else if p >= 1e-6 && p < 1e6 {
				t.Errorf("%+v: %v", how, err)
			}
		}
	})
}

// unevenFit returns a fit of three players away from
// its maximum, with pairs, single games and draws.
func unevenFit(prior float64) (*Tournament, *jointFit) {
	m := NewTournament("A", "B", "C")
	m.AddPairs(0, 1, PairMatrix{{3, 1, 4}, {1, 5, 9}, {2, 6, 5}})
	m.AddGames(2, 1, Games{Wins: 7, Draws: 2, Losses: 3})
	m.AddGames(0, 2, Games{Wins: 1, Draws: 4, Losses: 2})
	f := newFit(prior, m)
	f.x = []float64{.9, -.4, .2, .6, -.3}
	return m, f
}

// TestGradientAndInformationAreDerivatives compares the gradient with differences of the
// likelihood, and the information with differences of the gradient, with prior and with gauge.
func TestGradientAndInformationAreDerivatives(t *testing.T) {
	const h = 1e-5
	for _, prior := range []float64{0, 3} {
		_, f := unevenFit(prior)
		_, gradient, information := f.evaluate()
		for i := range f.x {
			f.x[i] += h
			up, gradientUp, _ := f.evaluate()
			f.x[i] -= 2 * h
			down, gradientDown, _ := f.evaluate()
			f.x[i] += h
			near(t, fmt.Sprintf("prior %v, slope %d", prior, i), gradient[i], (up-down)/(2*h), 1e-6)
			for j := range f.x {
				near(t, fmt.Sprintf("prior %v, curvature %d %d", prior, i, j), information.At(i, j), (gradientDown[j]-gradientUp[j])/(2*h), 1e-6)
			}
		}
	}
}

// TestEloCovarianceFollowsSlopes compares the covariance in Elo with the parameters'
// covariance times the slopes of all ratings and of the advantage, one parameter at a time.
func TestEloCovarianceFollowsSlopes(t *testing.T) {
	const h = 1e-5
	for anchor := -1; anchor < 3; anchor++ {
		m, f := unevenFit(0)
		for k := range f.x {
			one := mat.NewDense(len(f.x), len(f.x), nil)
			one.Set(k, k, 1)
			at := newRatings(m, f, anchor, one)
			f.x[k] += h
			up := newRatings(m, f, anchor, one)
			f.x[k] -= h
			slopes := []float64{0, 0, 0, (up.Advantage - at.Advantage) / h}
			for i := range at.Players {
				slopes[i] = (up.Players[i].Elo - at.Players[i].Elo) / h
			}
			for i, a := range slopes {
				for j, b := range slopes {
					near(t, fmt.Sprint("anchor ", anchor, " covariance ", i, j), at.Covariance(i, j), a*b, 2)
				}
			}
			near(t, "error of the advantage", at.AdvantageSE, math.Abs(slopes[3]), .01)
		}
	}
}

// TestErrorsOfSingleGamesAdd has two players whose
// single games by colour are two independent samples.
func TestErrorsOfSingleGamesAdd(t *testing.T) {
	m := NewTournament("A", "B")
	m.AddGames(0, 1, Games{Wins: 30, Losses: 10})
	m.AddGames(1, 0, Games{Wins: 20, Losses: 12})
	r, err := BradleyTerry{Anchor: "B"}.Fit(m)
	if err != nil {
		t.Fatal(err)
	}
	want := math.Sqrt(1./30+1./10+1./20+1./12) / 2 / natural // half the error of the sum of two log odds
	near(t, "advantage", r.Advantage, math.Log(3*20./12)/2/natural, 1e-6)
	near(t, "error of the advantage", r.AdvantageSE, want, 1e-6)
	near(t, "error of the rating", r.Players[0].SE, want, 1e-6)
}

// TestPriorAloneGivesVariance has players who never met: a strength
// then has variance 4/prior, less that of the mean of three players.
func TestPriorAloneGivesVariance(t *testing.T) {
	r, err := BradleyTerry{Prior: 2}.Fit(NewTournament("A", "B", "C"))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "error of a rating", r.Players[0].SE, math.Sqrt(4./2*2/3)/natural, 1e-6)
	near(t, "error of the advantage", r.AdvantageSE, math.Sqrt(4./2)/natural, 1e-6)
}

// TestFewPointsWarnsOfLopsidedResults expects a warning where nearly all games were won or lost.
func TestFewPointsWarnsOfLopsidedResults(t *testing.T) {
	for _, v := range []struct {
		first, second Games // A's results against B
		want          bool
	}{
		{Games{Wins: 40, Losses: 5}, Games{Wins: 40, Losses: 4}, true}, // B has few points
		{Games{Wins: 4, Losses: 40}, Games{Wins: 5, Losses: 40}, true},
		{Games{Wins: 40, Losses: 5}, Games{Wins: 40, Losses: 5}, false}, // B has ten points
		{Games{Wins: 8, Losses: 4}, Games{Wins: 8, Losses: 4}, false},   // few games, but a third of the points
	} {
		m := NewTournament("A", "B")
		m.AddGames(0, 1, v.first)
		m.AddGames(1, 0, v.second.reversed())
		r, err := BradleyTerry{}.Fit(m)
		if err != nil {
			t.Fatal(err)
		}
		if r.Players[0].FewPoints() != v.want || r.Players[1].FewPoints() != v.want {
			t.Errorf("%+v: few points %v and %v, want %v", v, r.Players[0].FewPoints(), r.Players[1].FewPoints(), v.want)
		}
	}
}

// TestFitSolvesLongLadder fits a ladder of a hundred players who met only their neighbours.
func TestFitSolvesLongLadder(t *testing.T) {
	const rungs = 100
	names := make([]string, rungs)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	m := NewTournament(names...)
	for i := range rungs - 1 {
		m.AddGames(i+1, i, Games{Wins: 90, Losses: 10})
		m.AddGames(i, i+1, Games{Wins: 10, Losses: 90})
	}
	r, err := BradleyTerry{Anchor: "0"}.Fit(m)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "top rung", r.Players[rungs-1].Elo, 99*eloOf(.9), 1e-3)
	near(t, "advantage", r.Advantage, 0, 1e-6)
	one := 1 / natural / math.Sqrt(200*.9*.1) // of the odds of 180 : 20
	near(t, "error of the first rung", r.Players[1].SE, one, .01*one)
	near(t, "error of the top rung", r.Players[rungs-1].SE, one*math.Sqrt(99), .01*one*math.Sqrt(99))
}

func ExampleBradleyTerry() {
	match := NewTournament("old", "new", "wild")
	add := func(x, y, first, second, times int) {
		for range times {
			match.AddPair(x, y, first, second)
		}
	}
	add(1, 0, 2, 2, 30) // new won both games against old
	add(1, 0, 2, 0, 50) // each won when moving first
	add(1, 0, 1, 0, 10)
	add(2, 0, 2, 2, 20)
	add(2, 0, 0, 0, 25)
	add(2, 0, 2, 1, 30)
	add(1, 2, 2, 2, 30)
	add(1, 2, 0, 0, 20)
	add(1, 2, 1, 1, 30)
	ratings, err := BradleyTerry{Anchor: "old"}.Fit(match)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range ratings.Ranking() {
		p := ratings.Players[i]
		fmt.Printf("%-4s %s ± %.1f\n", p.Name, EloText(p.Elo), p.Interval(.95).Half())
	}
	fmt.Printf("moving first is worth %+.0f Elo; new is stronger than wild with chance %.2f\n",
		ratings.Advantage, ratings.Superiority()[1][2])
	// Output:
	// new  +106.7 ± 43.8
	// wild +55.1 ± 55.2
	// old  0.0 ± 0.0
	// moving first is worth +108 Elo; new is stronger than wild with chance 0.97
}

func BenchmarkFit(b *testing.B) {
	for _, players := range []int{5, 20, 60} {
		truth := league{strength: make([]float64, players), first: .3, same: .3}
		for i := range truth.strength {
			truth.strength[i] = 2 * float64(i) / float64(players)
		}
		m := truth.play(rand.New(rand.NewPCG(9, 9)), 20)
		b.Run(fmt.Sprint(players, " players"), func(b *testing.B) {
			for b.Loop() {
				if _, err := (BradleyTerry{}).Fit(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
