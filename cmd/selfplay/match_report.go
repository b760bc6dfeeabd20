package main

import (
	"fmt"
	"path/filepath"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/catalog"
	"selfplaylab/engines/match"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/record"
)

// matchPage is the report of a recorded match, from the record alone.
func matchPage(log *datasets.Log) (reports.Page, error) {
	s, err := readStory(log)
	if err != nil {
		return reports.Page{}, err
	}
	return s.page()
}

// matchStory is all that a report tells of a match, gathered in one pass over its
// trials and one over its games.
type matchStory struct {
	log      *datasets.Log
	spec     matchSpec
	tally    tally
	points   []uint8 // A's half points of every pair, in schedule order
	sessions []match.Session
}

func readStory(log *datasets.Log) (*matchStory, error) {
	spec, err := readMatch(log)
	if err != nil {
		return nil, err
	}
	s := &matchStory{log: log, spec: spec}
	if s.sessions, err = match.Sessions(log.Dir); err != nil {
		return nil, err
	}
	for t, err := range log.Trials(datasets.Filter{}) {
		if err != nil {
			return nil, err
		}
		s.tally.add(t)
	}
	for g, err := range log.Games(datasets.Filter{}) {
		if err != nil {
			return nil, err
		}
		s.game(g)
	}
	return s, nil
}

func (s *matchStory) game(g datasets.GameRow) {
	s.tally.game(g)
	half := uint8(2 * g.XScore)
	if g.Game == 0 || len(s.points) == 0 {
		s.points = append(s.points, half)
	} else {
		s.points[len(s.points)-1] += half
	}
}

// names are A and B as sentences call them, told apart by their limits or by
// their letters where their names are the same.
func (s *matchStory) names() (a, b string) {
	a, b = "`"+s.spec.A+"`", "`"+s.spec.B+"`"
	switch {
	case a != b:
		return a, b
	case s.spec.ALimits != s.spec.BLimits:
		return fmt.Sprintf("%s (`%s`)", a, limitsName(s.spec.ALimits)), fmt.Sprintf("%s (`%s`)", b, limitsName(s.spec.BLimits))
	}
	return a + " as A", b + " as B"
}

func limitsName(text string) string {
	if text == "" {
		return "no limits"
	}
	return text
}

func (s *matchStory) page() (reports.Page, error) {
	test, err := s.tally.progress(s.spec)
	if err != nil {
		return reports.Page{}, err
	}
	page := reports.Page{
		Title: fmt.Sprintf("Match of %s: %s", gameTitle(s.log.Meta), filepath.Base(filepath.Clean(s.log.Dir))),
		Facts: s.facts(),
	}
	page.Lead = s.lead(test)
	if page.Warnings, err = s.warnings(test); err != nil {
		return page, err
	}
	if len(s.points) == 0 {
		page.Sections = []reports.Section{s.players()}
		return page, nil
	}
	page.Sections = []reports.Section{s.result(test), s.players(), s.tally.openings.Section(s.spec.Level, "A", "B"), s.tally.games.Section(s.spec.Level)}
	return page, nil
}

// gameTitle is how people call a run's game, also one that this program lacks.
func gameTitle(m datasets.Meta) string {
	if game, err := catalog.Find(m.Game); err == nil {
		return game.Title
	}
	return m.Game
}

// lead is the result in words.
func (s *matchStory) lead(test *rating.Progress) []string {
	a, b := s.names()
	e := s.tally.pairs.Estimate(s.spec.Level)
	if e.N == 0 {
		return []string{fmt.Sprintf("%s plays %s; no game is recorded yet.", a, b)}
	}
	found := map[int]string{
		1: a + " is better than " + b, -1: a + " is worse than " + b, 0: "It is not shown which of " + a + " and " + b + " is better",
	}[e.Decided()]
	score := fmt.Sprintf("%s scored %s: %s games won, %s drawn, %s lost.", a, record.Percent(e.Score),
		record.Count(s.tally.wins), record.Count(s.tally.draws), record.Count(s.tally.losses))
	if test != nil {
		return []string{
			fmt.Sprintf("Sequential test of %s against %s: %s.", a, b, test.Verdict()),
			score + fmt.Sprintf(" As measured %s. After an early stop that leans away from the middle; the verdict of the test does not.", e),
		}
	}
	return []string{fmt.Sprintf("%s: %s.", found, e), score}
}

func (s *matchStory) warnings(test *rating.Progress) ([]string, error) {
	var w []string
	if !s.finished(test) {
		w = append(w, fmt.Sprintf("The match is not finished: %s of %s pairs are recorded. `selfplay match --resume %s` goes on with it.",
			record.Count(len(s.points)), record.Count(s.spec.Pairs), s.log.Dir))
	}
	cautions, err := s.tally.cautions(s.spec)
	if err != nil {
		return nil, err
	}
	w = append(w, cautions...)
	n := s.tally.games.N
	if bound := s.tally.games.Ends[string(engines.PlyBound)]; bound > 0 {
		w = append(w, fmt.Sprintf("%s of the games (%s of %s) were cut off at a bound of plies and counted as draws.",
			record.Percent(float64(bound)/float64(n)), record.Count(bound), record.Count(n)))
	}
	if judged := s.tally.games.Ends[string(engines.Adjudicated)]; judged > 0 {
		w = append(w, fmt.Sprintf("%s of the games (%s of %s) were ended by a rule of the match (adjudicated) and not played to their end.",
			record.Percent(float64(judged)/float64(n)), record.Count(judged), record.Count(n)))
	}
	return w, nil
}

// finished reports whether nothing is left to play.
func (s *matchStory) finished(test *rating.Progress) bool {
	return len(s.points) >= s.spec.Pairs || test != nil && test.State != rating.Continue
}

func (s *matchStory) facts() []reports.Fact {
	openings := record.RandomOpenings(s.spec.OpeningPlies)
	if s.spec.OpeningsHash != "" {
		openings = fmt.Sprintf("`%s`, %s, SHA-256 `%s`", s.spec.Openings, record.Plural(s.spec.OpeningCount, "opening"), s.spec.OpeningsHash)
	}
	how := []reports.Fact{{Key: "pairs", Value: fmt.Sprintf("%s played, %s asked for", record.Count(len(s.points)), record.Count(s.spec.Pairs))}, {Key: "openings", Value: openings}}
	for _, f := range []reports.Fact{
		{Key: "sequential test", Value: s.spec.SPRT},
		{Key: "resignation", Value: s.spec.Resign},
		{Key: "draws", Value: s.spec.Draw},
		{Key: "stall", Value: s.spec.Stall},
		{Key: "fault limit", Value: s.spec.FaultLimit},
	} {
		if f.Value != "" {
			how = append(how, f)
		}
	}
	if s.spec.MaxPlies > 0 {
		how = append(how, reports.Fact{Key: "bound of plies", Value: record.Count(s.spec.MaxPlies)})
	}
	return record.Facts(s.log.Meta, s.sessions, how...)
}

// result tells the score in numbers and how it came about.
func (s *matchStory) result(test *rating.Progress) reports.Section {
	e := s.tally.pairs.Estimate(s.spec.Level)
	section := reports.Section{Title: "Result", Blocks: []reports.Block{
		reports.Text("A pair is one opening played with both colours, and the unit of everything said here. By A's points of the two:"),
		record.Pairs(s.tally.pairs, e),
	}}
	if running, ok := s.running(); ok {
		section.Blocks = append(section.Blocks, running)
	} else {
		section.Blocks = append(section.Blocks, reports.Text(fmt.Sprintf("There are too few pairs for a running Elo with a band: that begins with %d.", rating.MinSequence)))
	}
	if test != nil {
		section.Blocks = append(section.Blocks, s.walk(*test))
	}
	return section
}

// maxSteps keeps figures of long matches small.
const maxSteps = 400

// steps calls f with the running tally about maxSteps times, evenly spaced, and
// at the end.
func (s *matchStory) steps(from int, f func(rating.Pairs)) {
	n := len(s.points)
	stride := max(1, (n+maxSteps-1)/maxSteps)
	var so rating.Pairs
	for i, half := range s.points {
		so[half]++
		if k := i + 1; k == n || k >= from && k%stride == 0 {
			f(so)
		}
	}
}

// running is the Elo by pairs played, with the band that holds at any time.
func (s *matchStory) running() (reports.Plot, bool) {
	if len(s.points) < rating.MinSequence {
		return reports.Plot{}, false
	}
	band := rating.Sequence{Alpha: 1 - s.spec.Level}
	if s.spec.SPRT == "" {
		band.Tightest = s.spec.Pairs
	}
	level := record.Level(s.spec.Level)
	fig := figure.EloSequence{
		Title: "A against B, pair by pair", Subtitle: "running Elo difference with its " + level + " confidence sequence",
		Level: level + " confidence sequence", Verdict: band.Estimate(s.tally.pairs).String(),
	}
	s.steps(rating.MinSequence, func(p rating.Pairs) {
		e := band.Estimate(p)
		fig.Points = append(fig.Points, figure.Point{X: float64(p.N()), Y: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, N: p.N()})
	})
	return reports.Plot{Name: "running", Figure: fig, Caption: "The whole band holds at once, whenever one looks; so it is wider than the interval of the result, which is for one look at the end."}, true
}

// walk is the way of the sequential test between its bounds.
func (s *matchStory) walk(test rating.Progress) reports.Plot {
	llr := figure.Series{Name: "log-likelihood ratio"}
	unit := "Elo"
	if test.Test.Model == rating.Normalized {
		unit = "normalized Elo"
	}
	low := figure.Series{Name: fmt.Sprintf("accept ≤ %v %s", test.Test.Elo0, unit)}
	high := figure.Series{Name: fmt.Sprintf("accept ≥ %v %s", test.Test.Elo1, unit)}
	s.steps(1, func(p rating.Pairs) {
		at := test.Test.Pairs(p)
		x := float64(p.N())
		llr.Points = append(llr.Points, figure.Point{X: x, Y: at.LLR})
		low.Points = append(low.Points, figure.Point{X: x, Y: at.Lower})
		high.Points = append(high.Points, figure.Point{X: x, Y: at.Upper})
	})
	return reports.Plot{Name: "test", Caption: "The test ends with the first pair at which the ratio reaches a bound.", Figure: figure.Lines{
		Title: "The sequential test", Subtitle: test.Test.String(), XLabel: "game pairs", YLabel: "log-likelihood ratio",
		Series: []figure.Series{llr, high, low},
	}}
}

// players are the values in which A and B differ, and their limits.
func (s *matchStory) players() reports.Section {
	t := reports.Table{Columns: []reports.Column{{Name: ""}, {Name: "A", Right: true}, {Name: "B", Right: true}}, Rows: [][]string{
		{"player", "`" + s.spec.A + "`", "`" + s.spec.B + "`"},
		{"limits", limitsName(s.spec.ALimits), limitsName(s.spec.BLimits)},
	}}
	same := 0
	for i, name := range s.log.Meta.Parameters {
		a, b := s.spec.AValues[i], s.spec.BValues[i]
		if a == b {
			same++
			continue
		}
		t.Rows = append(t.Rows, []string{"`" + name + "`", params.FormatValue(a), params.FormatValue(b)})
	}
	text := "All parameters have equal values."
	switch {
	case same == 0:
		text = "All parameters differ."
	case same < len(s.log.Meta.Parameters):
		text = fmt.Sprintf("%s equal values in both players and are left out.", have(same, "other parameter"))
	}
	return reports.Section{Title: "The players", Blocks: []reports.Block{t, reports.Text(text)}}
}

func have(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " has"
	}
	return record.Plural(n, noun) + " have"
}
