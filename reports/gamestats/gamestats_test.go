package gamestats

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
)

// pair returns the two games of one opening by A's results: "wl" is won as first and lost as
// second; d is drawn.
func pair(opening, results string, plies int32) []datasets.GameRow {
	var games []datasets.GameRow
	for n, result := range results {
		moves := strings.TrimSpace(opening + " x" + strings.Repeat(" m", n))
		games = append(games, datasets.GameRow{
			Phase: "match", Game: int32(n), OpeningPlies: int32(len(strings.Fields(opening))), Moves: moves,
			Plies: plies + int32(n), AScore: float64(strings.IndexRune("ldw", result)) / 2, Reason: "goal",
		})
	}
	return games
}

func contents(s reports.Section) string {
	page, err := reports.Page{Title: "t", Sections: []reports.Section{s}}.Markdown("f")
	if err != nil {
		return err.Error()
	}
	return string(page)
}

func TestGamesCountLengthsAndEnds(t *testing.T) {
	var g Games
	if g.Mean() != 0 || g.Quantile(0.5) != 0 {
		t.Error("nothing has a length")
	}
	rows := slices.Concat(pair("a", "wl", 10), pair("b", "dd", 20), pair("c", "lw", 40))
	rows[5].Reason = "time"
	for _, row := range rows {
		g.Add(row)
	}
	if want := (rating.Pairs{1, 0, 1, 0, 1}); g.First != want {
		t.Errorf("first player %v, want %v", g.First, want)
	}
	if g.N != 6 || g.Faults != 1 || g.Mean() != 23.833333333333332 || g.Quantile(0.5) != 20 || g.Quantile(1) != 41 || g.Quantile(0) != 10 {
		t.Errorf("%+v, mean %v", g, g.Mean())
	}
	if !slices.Equal(g.Kinds(), []string{"goal", "time"}) || g.Ends["goal"] != 5 {
		t.Errorf("ends %v", g.Ends)
	}
	got := contents(g.Section(0.9, "One more."))
	for _, want := range []string{"scored 50.0 % (", "at 90 %, 3 pairs", "23.8 plies on average; 5 % to 95 % of them: 10 to 41", "- One more.", "(f/ends.svg)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "lengths.svg") {
		t.Errorf("a picture of how long 6 games were:\n%s", got)
	}
}

// TestFewKindsHaveNoPicture expects a sentence in place
// of a single bar, and a picture where many games differ.
func TestFewKindsHaveNoPicture(t *testing.T) {
	var g Games
	for i := range 20 {
		for _, row := range pair("a", "wl", int32(58+i%7)) {
			g.Add(row)
		}
	}
	got := contents(g.Section(0.95))
	for _, want := range []string{"All of them ended by goal.", "(f/lengths.svg)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "ends.svg") {
		t.Errorf("one bar of 100 %% in\n%s", got)
	}
}

func TestFactsGiveProvenance(t *testing.T) {
	meta := datasets.Meta{Game: "go", GameVersion: 2, Rules: "size=9", Seed: 1<<64 - 1, Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))}
	facts := Facts(meta, []datasets.Session{{Seconds: 2, Games: 100, Workers: 4}, {Seconds: 2, Games: 300, Workers: 1, CPU: "linux"}}, reports.Fact{Key: "pairs", Value: "7"})
	got := map[string]string{}
	for _, f := range facts {
		got[f.Key] = f.Value
	}
	for key, want := range map[string]string{
		"game": "go, version 2, size=9", "seed": "18446744073709551615", "pairs": "7", "limits": "none",
		"created": "2026-01-02 02:04:05 UTC", "time": "4.0 s in 2 sessions, 100 games a second, 1 worker, linux",
	} {
		if got[key] != want {
			t.Errorf("%s: %q, want %q", key, got[key], want)
		}
	}
	meta.Rules = "" // as in games played by other programs
	far := []datasets.Session{{Seconds: 2, Games: 300, CPU: "linux", Machines: []datasets.Machine{{Workers: 2}, {Workers: 3}}}}
	if with := Facts(meta, far); with[len(with)-1].Value != "2.0 s in 1 session, 5 workers, linux" {
		t.Error("time of games that are played elsewhere:", with[len(with)-1].Value)
	}
	if without := Facts(meta, nil); without[0].Value != "go, version 2" || without[len(without)-1].Key == "time" {
		t.Error("rules of none, or a time without sessions:", without)
	}
}

func TestOpeningNameHasStartAndMoves(t *testing.T) {
	for _, c := range []struct {
		row  datasets.GameRow
		want string
	}{
		{datasets.GameRow{}, ""},
		{datasets.GameRow{Moves: "a b c"}, ""},
		{datasets.GameRow{Moves: "a b c", OpeningPlies: 2}, "a b"},
		{datasets.GameRow{Moves: "a b c", OpeningPlies: 3}, "a b c"},
		{datasets.GameRow{Moves: "a", OpeningPlies: 1}, "a"},
		{datasets.GameRow{Moves: "a b", OpeningPlies: 9}, "a b"},
		{datasets.GameRow{Position: "X..", Moves: "a b"}, "X.."},
		{datasets.GameRow{Position: "X..", Moves: "a b", OpeningPlies: 1}, "X.. | a"},
	} {
		if got := OpeningName(c.row); got != c.want {
			t.Errorf("%+v: %q, want %q", c.row, got, c.want)
		}
	}
}

// gather adds pairs. The games of each differ from those of the others unless alike.
func gather(alike bool, pairs ...[]datasets.GameRow) *Openings {
	o := &Openings{}
	for i, games := range pairs {
		for _, g := range games {
			g.Pair = int32(i)
			if !alike {
				g.Moves += fmt.Sprint(" n", i)
			}
			o.Add(g)
		}
	}
	return o
}

// times repeats a pair.
func times(n int, games []datasets.GameRow) (list [][]datasets.GameRow) {
	for range n {
		list = append(list, games)
	}
	return list
}

// TestScatterCountsOpenings expects a spot for all openings with the same scores of A as first and as
// second, with the number of their pairs.
func TestScatterCountsOpenings(t *testing.T) {
	games := slices.Concat(times(6, pair("good", "wl", 30)), times(3, pair("mixed", "wl", 30)), times(1, pair("mixed", "ww", 30)), times(30, pair("bad", "lw", 30)))
	for i := range 5 {
		games = append(games, pair(fmt.Sprint("other", i), "wl", 30))
	}
	openings := gather(false, games...)
	got := openings.scatter("A")[0].(reports.Plot).Figure.(figure.Scatter).Spots
	want := []figure.Spot{{X: 100, Y: 0, N: 30, Tip: "bad"}, {X: 0, Y: 100, N: 11, Tip: "6 openings"}, {X: 25, Y: 100, N: 4, Tip: "mixed"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestOpeningsSectionHasSharesAndLosses(t *testing.T) {
	good, bad, even := pair("good", "wl", 30), pair("bad", "lw", 30), pair("even", "ww", 30)
	for name, c := range map[string]struct {
		openings *Openings
		want     []string
		not      []string
	}{
		"openings that decide": {
			gather(false, slices.Concat(times(60, good), times(60, bad), times(60, even))...),
			[]string{
				"180 pairs from 3 different openings", "Both games were won by A in 33.3 % of the openings, by B in 0.0 %",
				"In 66.7 % of the openings the same colour won both games; 44.4 % were to be expected", "Openings matter: the points of the side playing first correlate by 0.50",
				"Shown to favour the first player: `good`. Shown to favour the second player: `bad`.", "| `even` | 60 | 50.0 (", "openings.svg",
			},
			[]string{"different; the others", "were lost by", "repeated.svg"},
		},
		"openings that do not": {
			gather(false, slices.Concat(times(30, good), times(30, bad), times(30, even), times(30, pair("hard", "ll", 20)))...),
			[]string{"It is not shown that openings matter: the points of the side playing first correlate by 0.00", "Both games were lost by A in 30 pairs; here are the quickest, one an opening.", "| `hard` | 20 | 21 | 0:90:0 |"},
			nil,
		},
		"too few": {
			gather(false, good, bad, even),
			[]string{"3 openings, no two of them the same line of moves.", "Whether openings matter is not known from 3 pairs alone."},
			[]string{"repeated.svg", "openings.svg"},
		},
		"all alike": {
			gather(false, times(40, even)...),
			[]string{"All 40 pairs began from `even`: the result holds for that opening alone."},
			[]string{"expected if", "Whether", "repeated.svg"},
		},
		"one colour alike": {
			gather(false, slices.Concat(times(20, even), times(20, good))...),
			[]string{"is not known: with one of the colours the results were all alike"},
			nil,
		},
		"some pairs each": {
			gather(false, slices.Concat(times(6, even), times(6, pair("other", "ww", 9)))...),
			[]string{"2 openings were played 5 times or more; none of them is shown to favour a side"},
			[]string{"repeated.svg"},
		},
		"one pair": {
			gather(false, pair("other", "wl", 9)),
			[]string{"The only pair began from `other`: the result holds for that opening alone."},
			nil,
		},
		"the start": {
			gather(false, times(3, pair("", "wl", 9))...),
			[]string{"All 3 pairs began from the initial position: the result"},
			nil,
		},
	} {
		got := contents(c.openings.Section(0.95, "A", "B"))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q in\n%s", name, not, got)
			}
		}
	}
}

// TestManyOpeningsShowMostOneSided shows, of very many openings, the ones that favour a side
// most surely, for either side.
func TestManyOpeningsShowMostOneSided(t *testing.T) {
	var pairs [][]datasets.GameRow
	for i := range 100 {
		result := []string{"wl", "ww", "ll", "lw"}[i%4]
		pairs = append(pairs, times(5+i/10, pair(fmt.Sprintf("o%02d", i), result, 30))...)
	}
	pairs = append(pairs, times(4, pair("rare", "wl", 30))...)
	list, all := gather(false, pairs...).often(0.95)
	if all != 100 || len(list) != maxShown {
		t.Fatalf("%d of %d", len(list), all)
	}
	for i, o := range list {
		if want := map[bool]float64{true: 1, false: 0}[i < maxShown/2]; o.first != want || o.pairs.N() < 9 {
			t.Errorf("%d: %s, %v of %d pairs; want the most played ones at the ends", i, o.name, o.first, o.pairs.N())
		}
	}
	got := lopsided(list)
	if !strings.HasPrefix(got, "Shown to favour the first player: `o92`, `o96`, `o80` and ") || !strings.Contains(got, " more. Shown to favour the second player: ") {
		t.Error(got)
	}
	initial := opening{in: rating.Interval{Low: 0.6, High: 0.9}}
	if got := lopsided([]opening{initial}); got != "Shown to favour the first player: the initial position." {
		t.Error(got)
	}
}

func TestLostOpeningsComeQuickestFirst(t *testing.T) {
	var pairs [][]datasets.GameRow
	for i := range 20 {
		pairs = append(pairs, pair(fmt.Sprintf("o%d", i%12), "ll", int32(100-3*i)))
	}
	o := gather(false, pairs...)
	var got []string
	for _, l := range o.lost {
		got = append(got, l.opening+" "+l.game)
	}
	want := []string{"o7 0:19:0", "o6 0:18:0", "o5 0:17:0", "o4 0:16:0", "o3 0:15:0", "o2 0:14:0", "o1 0:13:0", "o0 0:12:0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCautionWarnsOfRepeatedPairs(t *testing.T) {
	a := pair("a", "wl", 9)
	if got := gather(true, times(50, a)...).Caution(); !strings.HasPrefix(got, "Only 1 of 50 pairs are different") {
		t.Errorf("50 equal pairs: %q", got)
	}
	if got := gather(false, times(50, a)...).Caution(); got != "" {
		t.Errorf("50 different ones: %q", got)
	}
	if got := (&Openings{}).Caution(); got != "" {
		t.Errorf("none: %q", got)
	}
}

// TestExpectedKindsAddOverMatches expects the sum of expectations over the
// matches, so that unequal players do not look like openings that matter.
func TestExpectedKindsAddOverMatches(t *testing.T) {
	strong, weak := rating.PairMatrix{{1, 0, 9}, {}, {9, 0, 81}}, rating.PairMatrix{{81, 0, 9}, {}, {9, 0, 1}}
	o := &Openings{all: rating.PairMatrix{{82, 0, 18}, {}, {18, 0, 82}}, each: sample[played]{kept: map[uint64]*played{1: {"a", strong}, 2: {"b", weak}}}}
	got := contents(o.SectionOf(0.95, []string{"one v two", "two v one", "not yet"}, []rating.PairMatrix{strong, weak, {}}))
	for _, want := range []string{"200 pairs from 2 different openings", "In 18.0 % of the openings the same colour won both games; 18.0 % were", "It is not shown that openings matter", "first player, % |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	section := o.SectionOf(0.95, []string{"one v two", "two v one", "not yet"}, []rating.PairMatrix{strong, weak, {}})
	table := section.Blocks[1].(reports.Table)
	var names []string
	for _, r := range table.Rows {
		names = append(names, r[0])
	}
	if !slices.Equal(names, []string{"all", "if openings did not matter", "one v two", "two v one"}) {
		t.Errorf("rows %q", names)
	}
}
