package figure

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/plot/vg"

	"selfplaylab/reports/text"
)

// dice returns the only source of randomness in this package's tests.
func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// Sample is a chart of the gallery.
type Sample struct {
	Name    string
	Caption string
	Chart   Chart
}

// TextWidth exports textWidth for the test that compares it with a browser.
func TextWidth(s string, size float64, bold bool) float64 {
	return float64(textWidth(s, vg.Length(size), bold))
}

// Gallery returns every kind of chart, with data as of a long and of a short run.
func Gallery() []Sample {
	return []Sample{
		{"elo", "A match until the band leaves zero.", exampleElo(37, 1200, "+37 Elo (+15 to +60) after 1,200 pairs: shown to be better")},
		{"elo-undecided", "A match that stayed open.", exampleElo(3, 2000, "not shown to be better: +4 Elo (−13 to +20), 2,000 pairs")},
		{"response", "One weight on a grid.", exampleResponse()},
		{"response-log", "C on a logarithmic axis.", exampleResponseLog()},
		{"lines", "Nodes by depth.", exampleLines()},
		{"calibration", "Predicted against true score.", exampleCalibration()},
		{"heat", "Two weights.", exampleHeat()},
		{"heat-fine", "Two weights on a fine grid.", exampleHeatFine()},
		{"cross-table", "Everyone against everyone.", exampleCrossTable()},
		{"ratings", "Ratings of the presets.", exampleRatings()},
		{"effects", "Effect of each parameter.", exampleEffects()},
		{"lengths", "Game lengths.", exampleLengths()},
		{"ratios", "Ratios on a logarithmic axis.", exampleRatios()},
		{"lengths-few", "Few games of similar length.", exampleFewLengths()},
		{"curve", "The iterate's Elo.", exampleCurve()},
		{"pairs", "Four parameters that act together.", examplePairs(4)},
		{"pairs-two", "Two parameters.", examplePairs(2)},
		{"scatter", "Openings of a match.", exampleScatter()},
		{"panels", "Three parameters, and the runs that tuned them.", examplePanels()},
		{"panel", "One parameter.", examplePanels().Panels[0]},
		{"time-by-ply", "Time a move.", exampleTimeByPly()},
		{"scale", "A result on its axis.", exampleScale(91, 74, 108)},
		{"scale-open", "A result with an open end.", exampleScale(-240, math.Inf(-1), -101)},
		{"card", "A result in one picture.", exampleCard()},
	}
}

func exampleElo(elo float64, pairs int, verdict string) Curve {
	r := dice(3)
	var points []Point
	sum := 0.0
	for k := 1; k <= pairs; k++ {
		sum += elo + 300*r.NormFloat64()
		if k%5 == 0 {
			half := 300 * math.Sqrt(2*(1+8/float64(k))*math.Log(20*math.Sqrt(float64(k)+8))/float64(k)) * 0.6
			p := Point{X: float64(k), Y: sum / float64(k), N: k}
			p.Lo, p.Hi = p.Y-half, p.Y+half
			if k < 20 {
				p.Lo, p.Hi = math.Inf(-1), math.Inf(1)
			}
			points = append(points, p)
		}
	}
	return Curve{
		Title: "Tuned against start on fresh openings", Subtitle: "sequential match, at most 2,000 pairs",
		Name: "Elo so far", XLabel: "game pairs", Line: points, Level: "95 % band, valid at any time", Verdict: verdict,
	}
}

func exampleScatter() Scatter {
	r := dice(10)
	s := Scatter{Title: "Openings by the score in both games", Subtitle: "the area of a circle is the number of pairs", XLabel: "A's score as second, %",
		YLabel: "A's score as first, %", Even: "as many points for either player"}
	for i := range 24 {
		s.Spots = append(s.Spots, Spot{X: 100 * r.Float64(), Y: 100 * math.Sqrt(r.Float64()), N: 1 + i*i, Tip: "e2 e8"})
	}
	return s
}

func examplePanels() Panels {
	r := dice(9)
	c := Panels{Title: "Tuned parameters", Subtitle: "the dashed line is the start"}
	for i, name := range []string{"a_E", "wall_bonus_behind", "C"} {
		p := Panel{Name: name, Note: "22 → 8.016 (2.1 to 13)", Min: -20, Max: 100, Ends: [2]string{"-20", "100"}, Starts: []float64{22}, X: 2000}
		if p.Log = i == 2; p.Log {
			p.Min, p.Ends[0] = 0.05, "0.05"
		}
		for range 1 + 7*(i%2) {
			y, path := 22.0, []Point{{Y: 22}}
			for x := 100.0; x <= 1500; x += 100 {
				y = max(0.1, y+3*r.NormFloat64())
				path = append(path, Point{X: x, Y: y})
			}
			p.Paths = append(p.Paths, path)
		}
		last := p.Paths[0]
		last[len(last)-1].Lo, last[len(last)-1].Hi = 5, 60
		c.Panels = append(c.Panels, p)
	}
	return c
}

func ptr[T any](v T) *T { return &v }

func exampleResponse() Response {
	r := dice(4)
	f := func(x float64) float64 { return 42 - 110*(x-1.34)*(x-1.34) }
	res := Response{
		Title: "A heavier path weight gains up to 1.3, then loses", Subtitle: "15 values, 800 pairs each against preset final, the same openings for all; bars: 95 %",
		XLabel: "path_weight", YLabel: "Elo against the reference",
		ReferenceX: ptr(1.0), Levels: []Level{{0, "reference"}},
		Optimum: &Point{X: 1.36, Lo: 1.21, Hi: 1.49, Y: 42},
	}
	for i := range 15 {
		x := 0.6 + 0.1*float64(i)
		y := f(x) + 9*r.NormFloat64()
		res.Points = append(res.Points, Point{X: x, Y: y, Lo: y - 17, Hi: y + 17, N: 800})
	}
	for i := range 81 {
		x := 0.6 + 1.4*float64(i)/80
		h := 6 + 14*(x-1.3)*(x-1.3)
		res.Fit = append(res.Fit, Point{X: x, Y: f(x), Lo: f(x) - h, Hi: f(x) + h})
	}
	return res
}

func exampleResponseLog() Response {
	r := dice(5)
	res := Response{
		Title: "Win rate by exploration constant", Subtitle: "20,000 playouts a move, 400 pairs a value",
		XLabel: "C (log scale)", YLabel: "score", LogX: true, ReferenceX: ptr(math.Sqrt2), ReferenceLabel: "√2 =",
		Levels: []Level{{0.5, "even"}},
	}
	for i := range 13 {
		x := math.Pow(10, -1.5+0.25*float64(i))
		d := math.Log10(x) - 0.05
		y := 0.5 - 0.12*d*d + 0.008*r.NormFloat64()
		res.Points = append(res.Points, Point{X: x, Y: y, Lo: y - 0.02, Hi: y + 0.02, N: 400})
	}
	return res
}

func exampleLines() Lines {
	l := Lines{Title: "Nodes searched by depth", Subtitle: "mean of 200 positions", XLabel: "depth", YLabel: "nodes (log scale)", LogY: true}
	for i, name := range []string{"minimax", "alpha-beta", "alpha-beta, ordered"} {
		var s Series
		s.Name = name
		for d := 1; d <= 8-2*max(1-i, 0); d++ {
			v := math.Pow([]float64{32, 9, 5.6}[i], float64(d))
			s.Points = append(s.Points, Point{X: float64(d), Y: v, Lo: v * 0.8, Hi: v * 1.25})
		}
		l.Series = append(l.Series, s)
	}
	return l
}

func exampleCalibration() Lines {
	l := Lines{
		Title: "Win rate shown at the root against the result", Subtitle: "3,000 games, moves 5 to 20; bars: 95 %",
		XLabel: "win rate at the root", YLabel: "score of the game", Diagonal: true,
	}
	s := Series{Name: "measured"}
	for i := range 10 {
		x := 0.05 + 0.1*float64(i)
		y := 1 / (1 + math.Exp(-7*(x-0.5)))
		s.Points = append(s.Points, Point{X: x, Y: y, Lo: max(y-0.04, 0), Hi: min(y+0.04, 1), N: 300})
	}
	l.Series = []Series{s}
	return l
}

func exampleHeat() Heat {
	r := dice(6)
	h := Heat{
		Title: "Both weights together", Subtitle: "49 points, 400 pairs each; an interval is about ±25 Elo",
		XLabel: "path_weight", YLabel: "wall_bonus", Label: "Elo against the reference", Middle: ptr(0.0),
		Best: &Cell{2, 4}, Reference: &Cell{3, 3},
	}
	for i := range 7 {
		h.Columns = append(h.Columns, plain(0.4+0.2*float64(i)))
		h.Rows = append(h.Rows, plain(60-10*float64(i)))
	}
	for i := range 7 {
		var row []float64
		for j := range 7 {
			di, dj := float64(i)-2.2, float64(j)-4.1
			row = append(row, 38-6*di*di-5*dj*dj+3*di*dj+6*r.NormFloat64())
		}
		h.Values = append(h.Values, row)
	}
	h.Values[3][3] = 0
	h.Values[6][0] = math.NaN()
	return h
}

func exampleHeatFine() Heat {
	h := Heat{
		Title: "A fine grid", Subtitle: "1,200 points", XLabel: "threshold_near", YLabel: "threshold_far", Label: "score",
		Best: &Cell{9, 26},
	}
	for j := range 40 {
		h.Columns = append(h.Columns, plain(float64(j)*25))
	}
	for i := range 30 {
		h.Rows = append(h.Rows, plain(float64(i)))
		var row []float64
		for j := range 40 {
			di, dj := (float64(i)-9)/10, (float64(j)-26)/12
			row = append(row, 0.3+0.25*math.Exp(-di*di-dj*dj+0.4*di*dj))
		}
		h.Values = append(h.Values, row)
	}
	return h
}

var examplePlayers = []string{"final", "v12.7", "v12.1", "v10 aggressive", "v8", "v5", "baseline", "random"}

func exampleCrossTable() Heat {
	h := Heat{
		Title: "Cross table", Subtitle: "score of the row against the column, 500 pairs each",
		Columns: examplePlayers, Rows: examplePlayers, Label: "score", Middle: ptr(0.5),
	}
	for i := range examplePlayers {
		var row []float64
		var words []string
		for j := range examplePlayers {
			if i == j {
				row, words = append(row, math.NaN()), append(words, "")
				continue
			}
			v := 1 / (1 + math.Pow(10, float64(i-j)*55/400))
			row, words = append(row, v), append(words, text.Number(100*v, 0))
		}
		h.Values, h.Texts = append(h.Values, row), append(h.Texts, words)
	}
	return h
}

func exampleRatings() Bars {
	b := Bars{
		Title: "Ratings of the published parameter sets", Subtitle: "round robin, 500 pairs each; bars: 95 %",
		XLabel: "Elo", ZeroLabel: "baseline",
	}
	for i, name := range examplePlayers {
		v := []float64{212, 188, 171, 140, 96, 41, 0, -310}[i]
		bar := Bar{Name: name, Value: v, Lo: v - 14, Hi: v + 14, Strong: i == 0}
		if name == "random" {
			bar.Lo = math.Inf(-1)
		}
		b.Bars = append(b.Bars, bar)
	}
	return b
}

func exampleEffects() Bars {
	r := dice(8)
	b := Bars{
		Title: "What each parameter is worth", Subtitle: "Elo of one step up, from a regression on all 8,000 pairs; bars: 95 %",
		XLabel: "Elo a step", ZeroLabel: "no effect",
	}
	for i, name := range []string{
		"path_weight", "wall_bonus", "tempo", "threshold_near", "threshold_far", "own_distance", "opponent_distance", "centre", "wall_reserve",
		"late_wall_factor", "block_bonus", "detour_min", "second_path", "tie_noise", "greed", "risk_aversion_in_the_endgame",
	} {
		v := 6 * r.NormFloat64() / (1 + float64(i)/4)
		b.Bars = append(b.Bars, Bar{Name: name, Value: v, Lo: v - 2.2, Hi: v + 2.2})
	}
	return b
}

func exampleLengths() Histogram {
	r := dice(9)
	h := Histogram{Title: "Games last about sixty plies", Subtitle: "20,000 games", XLabel: "plies", Counts: map[int]int{}}
	for range 20000 {
		h.Counts[int(math.Round(math.Exp(4.1+0.25*r.NormFloat64())))]++
	}
	return h
}

func exampleRatios() Bars {
	b := Bars{Title: "How many times fewer nodes", Subtitle: "six plies; bars: 95 %", XLabel: "times fewer (log scale)", LogX: true, Zero: 1, ZeroLabel: "no change"}
	for i, name := range []string{"ordering", "killer moves", "null move", "history", "extensions"} {
		v := []float64{7.1, 1.4, 22, 1.02, 0.4}[i]
		b.Bars = append(b.Bars, Bar{Name: name, Value: v, Lo: v / 1.3, Hi: v * 1.3})
	}
	return b
}

func exampleFewLengths() Histogram {
	return Histogram{Title: "Length of games", Subtitle: "20 games", XLabel: "plies", Counts: map[int]int{58: 1, 59: 3, 60: 2, 61: 6, 62: 4, 63: 3, 64: 1}}
}

func exampleCurve() Curve {
	r := dice(23)
	c := Curve{Title: "The iterate gains 40 Elo in 600 iterations", Subtitle: "fitted to matches against the start"}
	for k := 0; k <= 1000; k += 10 {
		v, half := 42*(1-math.Exp(-float64(k)/250)), 4+12*math.Exp(-float64(k)/300)
		c.Line = append(c.Line, Point{X: float64(k), Y: v, Lo: v - half, Hi: v + half})
		if k%200 == 100 {
			m := v + 5*r.NormFloat64()
			c.Measured = append(c.Measured, Point{X: float64(k), Y: m, Lo: m - 11, Hi: m + 11, N: 400})
		}
	}
	return c
}

// examplePairs returns a quadratic in n parameters, the third on a logarithmic axis.
func examplePairs(n int) Pairs {
	c := Pairs{Title: "How the parameters act together", Subtitle: "Elo relative to the tuned values, by the fit", Label: "Elo"}
	r := dice(31)
	even := func(a PairAxis, v float64) float64 {
		if a.Log {
			return math.Log(v)
		}
		return v / 10
	}
	for i := range n {
		a := PairAxis{Name: []string{"a_E", "b_gain", "exploration", "tempo"}[i], Log: i == 2, Best: ptr(1.5), Reference: ptr(3.5)}
		for k := range 15 {
			v := 1 + float64(k)/2
			a.Values = append(a.Values, v)
			d := even(a, v) - even(a, 1.5)
			y := -float64(20+10*i) * d * d * 4
			a.Line = append(a.Line, Point{X: v, Y: y, Lo: y - 1 - 8*math.Abs(d), Hi: y + 1 + 8*math.Abs(d)})
		}
		c.Axes = append(c.Axes, a)
	}
	for j := range n {
		for i := range j {
			p := Pair{First: i, Second: j, Note: "+3.1 ± 0.8", Ellipse: &Ellipse{X: 2, Y: 2, XX: 0.4, XY: 0.1, YY: 0.3, Radius: 2.4477}}
			if c.Axes[i].Log || c.Axes[j].Log {
				p.Ellipse = nil
			}
			for _, y := range c.Axes[j].Values {
				var row []float64
				for _, x := range c.Axes[i].Values {
					dx, dy := even(c.Axes[i], x)-even(c.Axes[i], 1.5), even(c.Axes[j], y)-even(c.Axes[j], 1.5)
					row = append(row, -80*dx*dx-100*dy*dy+60*dx*dy)
				}
				p.Surface = append(p.Surface, row)
			}
			for range 20 {
				p.Points = append(p.Points, Place{1 + 7*r.Float64(), 1 + 5*r.Float64()})
			}
			c.Pairs = append(c.Pairs, p)
		}
	}
	return c
}

func exampleScale(value, lo, hi float64) Scale {
	return Scale{
		Title: "Elo of a result", Meaning: Better, Value: value, Lo: lo, Hi: hi, Zero: "0: as strong as the start",
		Mark: &Level{Y: 10, Label: "10: what is tested"},
	}
}

func exampleCard() Card {
	scale := exampleScale(91, 74, 108)
	return Card{
		Where: "Quoridor · tuning", Question: "Do other values of 12 parameters make final stronger?",
		Answer: "Yes, +91 Elo", Detail: "74 to 108",
		Meaning: Better, Scale: &scale, Facts: []string{"1,920 pairs", "70,912 games", "8 s"}, Hint: "Flat for 4,000 games.",
		Picture: exampleCurve(),
	}
}

func exampleTimeByPly() Lines {
	c := Lines{Title: "Time a move", Subtitle: "400 games", XLabel: "ply", YLabel: "time a move, ms", LogY: true, Levels: []Level{{1000, "limit"}}, Band: "most moves"}
	for i, name := range []string{"tuned", "final"} {
		s := Series{Name: name, Band: true}
		for ply := 1 + i; ply <= 80; ply += 2 {
			v := (90 + 200*float64(i)) * math.Exp(-math.Pow(float64(ply-30)/30, 2))
			s.Points = append(s.Points, Point{X: float64(ply), Y: v + 5, Lo: (v + 5) / 2.5, Hi: (v + 5) * 2.2, N: 400})
		}
		c.Series = append(c.Series, s)
	}
	return c
}
