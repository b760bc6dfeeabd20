package tuning

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// selectPhase ends the tunings of a stage. Several tunings meet in a match on fresh openings, which
// chooses one; a single one plays nothing. Selecting the best biases its score upwards, so the
// verification measures its gain over the start on openings that no tuning or selection has used.
type selectPhase struct {
	matches
	tunings []*tunePhase
	scores  []rating.Pairs  // in the match, one a tuning
	pick    int             // the result chosen
	chosen  *seedTuning     // tuning of the result or, for the mean, the nearest one; nil until the stage is settled
	results []params.Vector // of all tunings, and their mean; final from then on

	left []string      // parameters without any effect, which keep their start values
	kept params.Vector // the chosen result with their start values; nil if there are none

	contested contested // its values with fitted ones

	agreements []analysis.Agreement // after agreedAt trials
	agreedAt   int
}

func newSelectPhase(tunings []*tunePhase) *selectPhase {
	p := tunings[0]
	s := &selectPhase{tunings: tunings, scores: make([]rating.Pairs, len(tunings)+1), matches: matches{
		phase: newPhase(p.spec, phaseSelect, p.stageIndex), pairs: p.spec.SelectPairs, rounds: true, named: true, note: "which of the " +
			"tunings is the best?"}}
	s.lineup, s.contested.over = s.everybody, p.spec.FitPairs == 0
	return s
}

// complete reports whether all tunings have had their games.
func (s *selectPhase) complete() bool { return s.tunings[len(s.tunings)-1].Done() } // they follow each other

// settle chooses a tuning when the selection has all its games. From then on the stage's
// recommendation is fixed; later stages do not change it.
func (s *selectPhase) settle() {
	if s.chosen != nil || !s.complete() {
		return
	}
	if games, _ := s.Planned(); s.games < games {
		return
	}
	var results []params.Vector
	if finalists := s.finalists(); len(finalists) > 1 {
		s.pick = slices.MaxFunc(finalists, func(a, b int) int { return cmp.Compare(s.scores[a].Score(), s.scores[b].Score()) })
	}
	for k := range s.candidates() {
		results = append(results, s.result(k))
	}
	away := func(t *tunePhase) float64 { return s.spec.task.Distance(t.tuning.Best, results[s.pick]) }
	s.chosen = slices.MinFunc(s.tunings, func(a, b *tunePhase) int { return cmp.Compare(away(a), away(b)) }).tuning
	if s.pick < len(s.tunings) {
		s.chosen = s.tunings[s.pick].tuning
	}
	s.results = results
	if slices.Equal(results[s.pick], s.spec.Start.Values) {
		s.contested.over = true // the games of a tuner that stayed at its start say little
	}
}

// settled reports whether the values that the stage recommends are final.
func (s *selectPhase) settled() bool { return s.chosen != nil && s.contested.over }

// recommend returns the values that the stage recommends so far.
func (s *selectPhase) recommend() params.Vector {
	if s.kept != nil {
		return s.kept
	}
	return s.raw()
}

// current returns the chosen tuning; before the choice, the running one.
func (s *selectPhase) current() *seedTuning {
	if s.settled() {
		return s.chosen
	}
	for _, t := range slices.Backward(s.tunings) {
		if t.first >= 0 {
			return t.tuning
		}
	}
	return s.tunings[0].tuning
}

// same reports whether the start is recommended.
func (s *selectPhase) same() bool { return slices.Equal(s.recommend(), s.spec.Start.Values) }

// candidates returns the number of results: of the tunings, and their mean.
func (s *selectPhase) candidates() int {
	if s.spec.Mean {
		return len(s.tunings) + 1
	}
	return len(s.tunings)
}

// finalists returns the results that play the match: each differs from all before it.
func (s *selectPhase) finalists() (list []int) {
	for k := range s.candidates() {
		if !slices.ContainsFunc(list, func(i int) bool { return slices.Equal(s.result(i), s.result(k)) }) {
			list = append(list, k)
		}
	}
	return list
}

// result returns the recommendation of a tuning or, past the last, the mean of all.
func (s *selectPhase) result(k int) params.Vector {
	if s.settled() && s.results != nil {
		return s.results[k]
	}
	if k < len(s.tunings) {
		return s.tunings[k].tuning.Best
	}
	task := s.spec.task
	return meanOf(task.Space(), task.Indices(), text.Each(s.tunings, func(t *tunePhase) params.Vector { return t.tuning.Best }))
}

// label returns the name of a result in tables.
func (s *selectPhase) label(k int) string {
	if k == len(s.tunings) {
		return "mean of all"
	}
	return strconv.Itoa(k + 1)
}

// player has the result of a tuning, under its name in tables.
func (s *selectPhase) player(k int) player.Config {
	e := s.spec.Start.With(s.result(k))
	e.Name = "tuned " + s.label(k)
	return e
}

// everybody returns the matches of all results with each other or, in a tuning against opponents,
// with each opponent. Before the tunings are over, all results may differ.
func (s *selectPhase) everybody() (l lineup) {
	var players []player.Config
	finalists := s.finalists()
	for k := range s.candidates() {
		if !s.complete() || slices.Contains(finalists, k) {
			players = append(players, s.player(k))
		}
	}
	switch {
	case len(players) < 2:
		return l
	case s.spec.Against != nil:
		l.against(players, s.spec.Against)
	default:
		l.players, l.meets = players, schedule.RoundRobin(len(players))
	}
	l.open = !s.complete()
	return l
}

func (s *selectPhase) Add(n int64, f schedule.Finished) error {
	l, m, err := s.meeting(n, f.Trial)
	if err != nil {
		return err
	}
	list, pairs := s.finalists(), rating.Pairs(f.Trial.PairCounts())
	s.scores[list[m.A]] = s.scores[list[m.A]].Plus(pairs)
	if s.spec.Against == nil {
		s.scores[list[m.B]] = s.scores[list[m.B]].Plus(pairs.Reversed())
	}
	return s.count(n, l, m, f)
}

func (s *selectPhase) Done() bool { return s.chosen != nil }

// seedResult is one of several tunings.
type seedResult struct {
	Number int `json:"number"` // from 1; 0 for the mean of all
	name   string
	Tuned  params.Vector `json:"tuned"`
	// Pairs returns a result's pairs in the match, with the estimate: against the other results or, in a
	// tuning against opponents, against these. Nil for a result equal to an earlier one, and before the
	// match.
	Pairs    *rating.Pairs    `json:"pairs"`
	Estimate *rating.Estimate `json:"estimate"`
	Chosen   bool             `json:"chosen"`
}

// Seeds returns the tunings of a run of several; nil for one.
func (s *selectPhase) Seeds() (list []seedResult) {
	if len(s.tunings) == 1 {
		return nil
	}
	for k := range s.candidates() {
		seed := seedResult{Number: (k + 1) % (len(s.tunings) + 1), name: s.label(k), Tuned: s.result(k), Chosen: s.chosen != nil && s.pick == k}
		if s.scores[k].N() > 0 {
			seed.Pairs, seed.Estimate = &s.scores[k], new(s.estimate(slices.Index(s.finalists(), k), s.scores[k]))
		}
		list = append(list, seed)
	}
	return list
}

// Agreements compare the tunings for each parameter; nil for a run of one tuning, and
// before all of them have trials.
func (s *selectPhase) Agreements() ([]analysis.Agreement, error) {
	trials := 0
	var histories []*analysis.History
	for _, t := range s.tunings {
		h := t.tuning.History
		if len(s.tunings) == 1 || len(h.Trials) == 0 {
			return nil, nil
		}
		trials, histories = trials+len(h.Trials), append(histories, h)
	}
	if s.agreements != nil && s.agreedAt == trials {
		return s.agreements, nil
	}
	var optima [][]analysis.Optimum
	for k, t := range s.tunings {
		shown, err := t.tuning.report()
		if err != nil {
			return nil, fmt.Errorf("tuning %d: %w", k+1, err)
		}
		optima = append(optima, shown.Optima)
	}
	s.agreements, s.agreedAt = analysis.CompareOptima(histories, optima), trials
	return s.agreements, nil
}

// Warnings implements Phase: of the tuning chosen, and of how several compare.
func (s *selectPhase) Warnings() (list []error) {
	if w := s.idleWarning(); w != nil {
		list = append(list, w)
	}
	best, start := s.recommend(), s.spec.Start.Values
	for _, i := range s.spec.task.Indices() {
		if p := s.spec.task.Space()[i]; best[i] != start[i] && s.spec.mayExceed(i) && atBound(p, best[i]) {
			list = append(list, warnf("`%s` ended at a bound of its range, %s: the best value may lie beyond.", p.Name, p.Range()))
		}
	}
	return slices.Concat(list, s.spec.method.Warnings(s.current().session()), s.comparisonWarnings())
}

// boundShare is the share of a range next to a bound that counts as at the bound.
const boundShare = .0025

// atBound reports whether a value is at a bound of its range.
func atBound(p params.Param, x float64) bool {
	lo, hi := p.Bounds()
	u := p.Coordinate(x)
	return min(u-lo, hi-u) <= boundShare*(hi-lo)
}

// mayExceed reports whether the best value of a parameter can lie beyond its range. None does for names
// and switches, for an engine's option that takes no other values, and in a ratio group.
func (c *Config) mayExceed(i int) bool {
	p := c.task.Space()[i]
	ratios := ratioGroups(c.task.Space(), c.task.Indices())[p.Ratio] != nil
	bounded := c.Program != nil && slices.Contains(c.Program.Bounded, p.Name)
	return len(p.Labels) == 0 && !p.Switch() && !ratios && !bounded
}

// idleWarning warns that no tuned parameter changed any decision; nil otherwise.
func (s *selectPhase) idleWarning() error {
	var compared, differing int64
	for _, t := range s.tunings {
		compared, differing = compared+t.tuning.compared, differing+t.tuning.differing
	}
	if compared == 0 || differing > 0 || s.spec.Against != nil {
		return nil
	}
	return &idleWarning{Names: s.spec.Active, Compared: compared, Tuning: true}
}

// idleWarning warns of parameters that changed no decision.
type idleWarning struct {
	Names    []string
	Compared int64 // decisions
	Tuning   bool  // all of them together, in the whole tuning; else each alone, a step around start and tuned values
}

func (i *idleWarning) Error() string {
	names, n := "`"+strings.Join(i.Names, "`, `")+"`", text.Count(i.Compared)
	switch one := len(i.Names) == 1; {
	case i.Tuning && one:
		return fmt.Sprintf("%s changed 0 of %s decisions in the whole tuning: all its values play alike, because the evaluator has no other "+
			"term to trade against.", names, n)
	case i.Tuning:
		return fmt.Sprintf("%s, moved together, changed 0 of %s decisions in the whole tuning: all their values play alike.", names, n)
	case one:
		return fmt.Sprintf("%s changed 0 of %s decisions between a step below and a step above the start and tuned values: "+
			"its value seems not to matter.", names, n)
	}
	return fmt.Sprintf("%s each changed no decision (0 of %s) between a step below and a step above the start and tuned values: "+
		"their values seem not to matter.", names, n)
}

// comparisonWarnings are about how several tunings compare.
func (s *selectPhase) comparisonWarnings() []error {
	if len(s.tunings) == 1 || !s.settled() {
		return nil
	}
	if len(s.finalists()) < 2 {
		return []error{warnf("All %d tunings ended with the same values: there was nothing to choose.", len(s.tunings))}
	}
	agreements, err := s.Agreements()
	if err != nil {
		return []error{warnf("The tunings cannot be compared: %v.", err)}
	}
	var names []string
	for _, a := range agreements {
		if a.Disagree {
			names = append(names, "`"+a.Parameter+"`")
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []error{warnf("The tunings disagree about %s by more than their intervals allow: strength may have several peaks or a ridge "+
		"there, or the intervals are too narrow.", strings.Join(names, ", "))}
}

// Sections implements Phase: the results of each tuning, and their agreement.
func (p *selectPhase) Sections() ([]reports.Section, error) {
	if len(p.tunings) == 1 || !p.complete() {
		return nil, nil
	}
	opponent := "the other results"
	if p.spec.Against != nil {
		opponent = p.spec.opponentNames()
	}
	table := reports.Table{Columns: reports.Columns("tuning", ">steps from the start", ">pairs", ">score against "+opponent,
		"Elo above "+opponent)}
	for i, s := range p.Seeds() {
		row := []string{s.name, fmt.Sprintf("%.1f", p.Moved(s.Tuned)), "-", "-", "-"}
		if s.Pairs != nil {
			row[2], row[3], row[4] = text.Count(s.Pairs.N()), text.Percent(s.Estimate.Score), s.Estimate.String()
		}
		if s.Chosen {
			row[0] += " (chosen)"
			table.Strong = []int{i}
		}
		table.Rows = append(table.Rows, row)
	}
	sections := []reports.Section{{Title: "The tunings", Blocks: []reports.Block{
		reports.Note(fmt.Sprintf("The run made %[1]s with the same budget and start, each with its own random draws and openings. Their results "+
			"played a match on openings that none of them had seen, and the result with the best score was chosen%[2]s. "+
			"Selecting the best of several biases its score upwards: the verification measures its gain, on openings that took no part in the "+
			"choice. All sections below are about the tuning that was chosen.", text.Plural(len(p.tunings), "independent tuning"), p.withMean())),
		table,
	}}}
	agreements, err := p.Agreements()
	if err != nil || agreements == nil {
		return sections, err
	}
	return append(sections, analysis.AgreementSection(agreements, len(p.tunings), p.spec.Level)), nil
}

// withMean adds that the mean of the tunings played, too.
func (s *selectPhase) withMean() string {
	if s.candidates() == len(s.tunings) {
		return ""
	}
	return ", their mean included"
}

// Moved returns the distance of a vector from the start, in steps.
func (s *selectPhase) Moved(v params.Vector) float64 {
	return s.spec.task.Distance(v, s.spec.Start.Values)
}

// entry returns the tunings as an entry of JSON: null for one.
func (s *selectPhase) entry() (runs.Entry, error) {
	agreements, err := s.Agreements()
	if err != nil || len(s.tunings) == 1 {
		return runs.Entry{Name: "seeds"}, err
	}
	return runs.Entry{"seeds", runs.Object{{"tunings", s.Seeds()}, {"agreement", agreements}}}, nil
}

// raw returns the result of the chosen tuning.
func (s *selectPhase) raw() params.Vector {
	switch {
	case s.settled() && s.contested.winner > 0:
		return s.contested.values[s.contested.winner]
	case s.chosen != nil:
		return s.results[s.pick]
	}
	return s.current().Best
}

// leave puts parameters without any effect back to where they started. The rest of the
// run is about the values that result.
func (s *selectPhase) leave(names []string) {
	if len(names) == 0 {
		return
	}
	space := s.spec.task.Space()
	s.left, s.kept = names, s.raw().Clone()
	for _, name := range names {
		i := space.Index(name)
		s.kept[i] = s.spec.Start.Values[i]
	}
	s.current().Idle, s.current().shown = names, nil
}

// contestants are who plays in a contest, by their number.
var contestants = [...]string{"tuned", "fitted", "midpoint"}

// contestantName names a contestant on pages and the terminal. The chosen values are called tuned in
// every other section, so the tuner's own have another name.
func contestantName(name string, chosen bool) string {
	switch {
	case chosen && name != contestants[0]:
		return "tuned (" + name + ")"
	case !chosen && name == contestants[0]:
		return "the tuner's"
	}
	return name
}

// contested returns the result of a stage's contest.
type contested struct {
	values [len(contestants)]params.Vector // nil until known
	played bool                            // there were games
	over   bool                            // nothing is left to play
	winner int
}
