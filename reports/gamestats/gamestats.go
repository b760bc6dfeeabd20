// Package gamestats summarises the games of a run as sections of a report:
// their length and ends, the advantage of moving first, and their provenance.
// Reports of tuning, matches and tournaments share it.
// It knows the recorded columns of games, and no game, player or tuner.
package gamestats

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Games counts games. The zero value is empty. One goroutine at a time may use it.
type Games struct {
	N       int            // number of games
	Lengths map[int]int    // number of games by plies, opening included
	Ends    map[string]int // number of games by reason
	First   rating.Pairs   // pairs by the half points of the sides that played first
	Faults  int            // number of games lost by a fault
	Margins rating.Margins // of A, over the pairs in which both games have a margin

	margin PairMargin
	half   int // the first player's half points in the first game of an incomplete pair
}

// Add counts one game. Both games of a pair must follow each other, as recorded.
func (g *Games) Add(row datasets.GameRow) {
	if g.Lengths == nil {
		g.Lengths, g.Ends = map[int]int{}, map[string]int{}
	}
	g.N++
	g.Lengths[int(row.Plies)]++
	g.Ends[row.Reason]++
	if _, fault := row.Fault(); fault {
		g.Faults++
	}
	if margin, ok := g.margin.Add(row); ok {
		g.Margins.Add(margin)
	}
	if half := row.Half(); row.Game == 0 {
		g.half = half
	} else {
		g.First.Add(g.half, 2-half)
	}
}

// PairMargin averages A's margins over pairs. The zero value is empty.
type PairMargin struct{ first *float64 }

// Add adds a game. After the second game of a pair it returns A's mean margin in the two. ok is
// false after the first game, and if one of them has no margin.
func (p *PairMargin) Add(row datasets.GameRow) (margin float64, ok bool) {
	if row.Game == 0 {
		p.first = row.Margin
		return 0, false
	}
	if p.first == nil || row.Margin == nil {
		return 0, false
	}
	return (*p.first - *row.Margin) / 2, true
}

// Mean returns the mean number of plies, 0 without games.
func (g *Games) Mean() float64 {
	sum := 0
	for plies, n := range g.Lengths {
		sum += plies * n
	}
	return float64(sum) / float64(max(g.N, 1))
}

// Quantile returns the number of plies that a share
// q of the games does not exceed, 0 without games.
func (g *Games) Quantile(q float64) int {
	sum := 0
	for _, plies := range slices.Sorted(maps.Keys(g.Lengths)) {
		if sum += g.Lengths[plies]; float64(sum) >= q*float64(g.N) {
			return plies
		}
	}
	return 0
}

// Kinds returns the reasons for which games ended, in alphabetical order.
func (g *Games) Kinds() []string { return slices.Sorted(maps.Keys(g.Ends)) }

// Cut returns sentences on the games that did not end by the rules of the game, none if there
// are no such games.
func (g *Games) Cut() (sentences []string) {
	for _, cut := range []struct{ reason, how string }{
		{"plies", "were cut off at a bound of plies and counted as draws"},
		{"adjudicated", "were ended by a rule of the match (adjudicated) and not played to their end"},
	} {
		if n := g.Ends[cut.reason]; n > 0 {
			sentences = append(sentences, fmt.Sprintf("%s of the games (%s of %s) %s.", text.Percent(float64(n)/float64(g.N)), text.Count(n),
				text.Count(g.N), cut.how))
		}
	}
	return sentences
}

// Section returns the section on the games, of which there must be at least one. level is the
// confidence of its intervals. more are further sentences.
func (g *Games) Section(level float64, more ...string) reports.Section {
	list := reports.List{}
	if g.First.N() > 0 {
		e := g.First.Estimate(level)
		list = append(list, fmt.Sprintf("The side that plays first scored %s (%s to %s at %s, %s, one opening and both colours each).",
			text.Percent(e.Score), text.Percent(e.ScoreRange.Low), text.Percent(e.ScoreRange.High), text.Level(level), text.Plural(e.N, "pair")))
	}
	list = append(list, fmt.Sprintf("A game took %s plies on average; 5 %% to 95 %% of them: %d to %d.", text.Number(g.Mean(), 1),
		g.Quantile(0.05), g.Quantile(0.95)))
	kinds := g.Kinds()
	if len(kinds) == 1 { // one bar of 100 % adds nothing
		list = append(list, fmt.Sprintf("All of them ended by %s.", kinds[0]))
	}
	section := reports.Section{Title: "The games", Blocks: []reports.Block{append(list, more...)}}
	if g.N >= fewGames && len(g.Lengths) > 1 {
		section.Blocks = append(section.Blocks, g.lengths())
	}
	if len(kinds) > 1 {
		section.Blocks = append(section.Blocks, g.ends(), reports.Note("Illegal moves, time and crashes are losses of whoever is at fault, never draws."))
	}
	return section
}

// fewGames is the number of games below which there is no picture of kinds.
const fewGames = 20

// lengths returns the histogram of plies.
func (g *Games) lengths() reports.Plot {
	return reports.Plot{Name: "lengths", Caption: "Opening included.", Figure: figure.Histogram{
		Title: "Length of games", Subtitle: text.Plural(g.N, "game"), XLabel: "plies", Counts: g.Lengths,
	}}
}

// ends returns the bars of reasons.
func (g *Games) ends() reports.Plot {
	kinds := slices.SortedFunc(maps.Keys(g.Ends), func(a, b string) int {
		return cmp.Or(cmp.Compare(g.Ends[b], g.Ends[a]), cmp.Compare(a, b))
	})
	bars := figure.Bars{Title: "How games ended", Subtitle: text.Plural(g.N, "game"), XLabel: "games"}
	for _, k := range kinds {
		n := g.Ends[k]
		bars.Bars = append(bars.Bars, figure.Bar{Name: k, Value: float64(n),
			Text: fmt.Sprintf("%s (%s)", text.Count(n), text.Percent(float64(n)/float64(g.N)))})
	}
	return reports.Plot{Name: "ends", Figure: bars}
}

// Facts returns the provenance of a run: its command, program and duration. how holds further
// lines of this kind of run.
func Facts(m datasets.Meta, sessions []datasets.Session, how ...reports.Fact) []reports.Fact {
	facts := append([]reports.Fact{
		// Games played by other programs have no rules here.
		{Key: "game", Value: strings.TrimSuffix(fmt.Sprintf("%s, version %d, %s", m.Game, m.GameVersion, m.Rules), ", ")},
		{Key: "seed", Value: fmt.Sprint(m.Seed)},
	}, how...)
	facts = append(facts, []reports.Fact{
		{Key: "limits", Value: cmp.Or(m.Limits, "none")},
		{Key: "command", Value: "`" + m.Command + "`"},
		{Key: "command line", Value: "`" + m.CommandLine + "`"},
		{Key: "revision", Value: m.Revision},
		{Key: "program", Value: m.Program + ", " + m.Go},
		{Key: "created", Value: m.Created.UTC().Format("2006-01-02 15:04:05 UTC")},
	}...)
	seconds, games := 0.0, int64(0)
	for _, s := range sessions {
		seconds += s.Seconds
		games += s.Games
	}
	if seconds > 0 && games > 0 {
		last := sessions[len(sessions)-1]
		workers := last.Workers
		for _, m := range last.Machines {
			workers += m.Workers
		}
		rate := ""
		if m.Rules != "" { // a rate of answers says nothing about games
			rate = text.Number(float64(games)/seconds, 0) + " games a second, "
		}
		facts = append(facts, reports.Fact{Key: "time", Value: fmt.Sprintf("%s s in %s, %s%s, %s", text.Number(seconds, 1),
			text.Plural(len(sessions), "session"), rate, text.Plural(workers, "worker"), last.CPU)})
	}
	return facts
}

// Pairs returns the table of pairs by A's points, with score and Elo.
func Pairs(p rating.Pairs, e rating.Estimate) reports.Table {
	return reports.Table{
		Columns: reports.Columns(">pairs", ">lost both", ">½", ">split", ">1½", ">won both", ">score", "Elo"),
		Rows: [][]string{{text.Count(p.N()), text.Count(p[0]), text.Count(p[1]), text.Count(p[2]), text.Count(p[3]), text.Count(p[4]),
			text.Percent(e.Score), e.String()}},
	}
}
