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

// selectPhase is the phase that ends the tunings of a stage. Of several, a match among
// their results on fresh openings chooses one; of one, nothing is played. The score of
// the best of several is biased upwards: what it gained over the start the verification
// shows, on openings that no tuning and no choice has seen.
type selectPhase struct {
	matches
	tunings []*tunePhase
	scores  []rating.Pairs  // in the match, one a tuning
	chosen  *seedTuning     // nil until the stage is settled
	results []params.Vector // of all tunings, final from then on

	left []string      // parameters without any effect, which keep their start values
	kept params.Vector // the result chosen with those; nil if there are none

	contested contested // its values with fitted ones

	agreements []analysis.Agreement // after agreedAt trials
	agreedAt   int
}

func newSelectPhase(tunings []*tunePhase) *selectPhase {
	p := tunings[0]
	s := &selectPhase{tunings: tunings, scores: make([]rating.Pairs, len(tunings)), matches: matches{
		phase: newPhase(p.spec, phaseSelect, p.stageIndex), pairs: p.spec.SelectPairs, rounds: true, named: true, note: "which of the tunings is the best?"}}
	s.lineup, s.contested.over = s.everybody, p.spec.FitPairs == 0
	return s
}

// complete reports whether all tunings have had their games.
func (p *selectPhase) complete() bool { return p.tunings[len(p.tunings)-1].Done() } // they follow each other

// settle chooses a tuning once there is nothing left to play for it. From then on what
// the stage recommends stays the same, whatever later stages find.
func (p *selectPhase) settle() {
	if p.chosen != nil || !p.complete() {
		return
	}
	if games, _ := p.Planned(); p.games < games {
		return
	}
	var results []params.Vector
	p.chosen = p.tunings[0].tuning
	if finalists := p.finalists(); len(finalists) > 1 {
		p.chosen = p.tunings[slices.MaxFunc(finalists,
			func(a, b int) int { return cmp.Compare(p.scores[a].Score(), p.scores[b].Score()) })].tuning
	}
	for k := range p.tunings {
		results = append(results, p.result(k))
	}
	p.results = results
	if slices.Equal(results[p.chosen.number], p.spec.Start.Values) {
		p.contested.over = true // the games of a tuner that stayed at its start say little
	}
}

// settled reports whether the values that the stage recommends are final.
func (p *selectPhase) settled() bool { return p.chosen != nil && p.contested.over }

// recommend returns the values that the stage recommends so far.
func (p *selectPhase) recommend() params.Vector {
	if p.kept != nil {
		return p.kept
	}
	return p.raw()
}

// current is the tuning chosen; before, the one under way.
func (p *selectPhase) current() *seedTuning {
	if p.settled() {
		return p.chosen
	}
	for _, t := range slices.Backward(p.tunings) {
		if t.first >= 0 {
			return t.tuning
		}
	}
	return p.tunings[0].tuning
}

// same reports whether the start is recommended.
func (p *selectPhase) same() bool { return slices.Equal(p.recommend(), p.spec.Start.Values) }

// finalists are the tunings whose results meet: those that differ from all before.
func (p *selectPhase) finalists() (list []int) {
	for k := range p.tunings {
		if !slices.ContainsFunc(list, func(i int) bool { return slices.Equal(p.result(i), p.result(k)) }) {
			list = append(list, k)
		}
	}
	return list
}

// result is what a tuning recommends.
func (p *selectPhase) result(k int) params.Vector {
	if p.settled() && p.results != nil {
		return p.results[k]
	}
	return p.tunings[k].tuning.Best
}

// player has the result of a tuning, under its name in tables.
func (p *selectPhase) player(k int) player.Config {
	e := p.spec.Start.With(p.result(k))
	e.Name = fmt.Sprintf("tuned %d", k+1)
	return e
}

// everybody has all results play each other or, where the tuning was against opponents,
// each of those. Before the tunings are over, all may differ.
func (p *selectPhase) everybody() (l lineup) {
	var players []player.Config
	finalists := p.finalists()
	for k := range p.tunings {
		if !p.complete() || slices.Contains(finalists, k) {
			players = append(players, p.player(k))
		}
	}
	switch {
	case len(players) < 2:
		return l
	case p.spec.Against != nil:
		l.against(players, p.spec.Against)
	default:
		l.players, l.meets = players, schedule.RoundRobin(len(players))
	}
	l.open = !p.complete()
	return l
}

func (p *selectPhase) Add(n int64, f schedule.Finished) error {
	l, m, err := p.meeting(n, f.Trial)
	if err != nil {
		return err
	}
	list, pairs := p.finalists(), rating.Pairs(f.Trial.PairCounts())
	p.scores[list[m.A]] = p.scores[list[m.A]].Plus(pairs)
	if p.spec.Against == nil {
		p.scores[list[m.B]] = p.scores[list[m.B]].Plus(pairs.Reversed())
	}
	return p.count(n, l, m, f)
}

func (p *selectPhase) Done() bool { return p.chosen != nil }

// seedResult is one of several tunings.
type seedResult struct {
	Number int           `json:"number"` // from 1
	Tuned  params.Vector `json:"tuned"`
	// Pairs are those of the match among the results, with its estimate: against the
	// other results or, where the tuning was against opponents, against these. Nil for
	// a result that an earlier tuning had, too, and before the match.
	Pairs    *rating.Pairs    `json:"pairs"`
	Estimate *rating.Estimate `json:"estimate"`
	Chosen   bool             `json:"chosen"`
}

// Seeds are the tunings of a run of several; nil for one.
func (p *selectPhase) Seeds() (list []seedResult) {
	if len(p.tunings) == 1 {
		return nil
	}
	for k, t := range p.tunings {
		seed := seedResult{Number: k + 1, Tuned: p.result(k), Chosen: p.chosen == t.tuning}
		if p.scores[k].N() > 0 {
			seed.Pairs, seed.Estimate = &p.scores[k], new(p.estimate(slices.Index(p.finalists(), k), p.scores[k]))
		}
		list = append(list, seed)
	}
	return list
}

// Agreements compare the tunings for each parameter; nil for a run of one tuning, and
// before all of them have trials.
func (p *selectPhase) Agreements() ([]analysis.Agreement, error) {
	trials := 0
	var histories []*analysis.History
	for _, t := range p.tunings {
		h := t.tuning.History
		if len(p.tunings) == 1 || len(h.Trials) == 0 {
			return nil, nil
		}
		trials, histories = trials+len(h.Trials), append(histories, h)
	}
	if p.agreements != nil && p.agreedAt == trials {
		return p.agreements, nil
	}
	var optima [][]analysis.Optimum
	for k, t := range p.tunings {
		shown, err := t.tuning.report()
		if err != nil {
			return nil, fmt.Errorf("tuning %d: %w", k+1, err)
		}
		optima = append(optima, shown.Optima)
	}
	p.agreements, p.agreedAt = analysis.CompareOptima(histories, optima), trials
	return p.agreements, nil
}

// Warnings implements Phase: of the tuning chosen, and of how several compare.
func (p *selectPhase) Warnings() (list []error) {
	if w := p.idleWarning(); w != nil {
		list = append(list, w)
	}
	best, start := p.recommend(), p.spec.Start.Values
	for i, param := range p.spec.task.Space() {
		if len(param.Labels) == 0 && !param.Switch() && best[i] != start[i] && (best[i] == param.Min || best[i] == param.Max) {
			list = append(list, warnf("`%s` ended at its bound, %s: the best value may lie beyond.", param.Name, param.Format(best[i])))
		}
	}
	return slices.Concat(list, p.spec.method.Warnings(p.current().session()), p.comparisonWarnings())
}

// idleWarning says that nothing tuned changed any decision; nil if something did.
func (p *selectPhase) idleWarning() error {
	var compared, differing int64
	for _, t := range p.tunings {
		compared, differing = compared+t.tuning.compared, differing+t.tuning.differing
	}
	if compared == 0 || differing > 0 || p.spec.Against != nil {
		return nil
	}
	return &idleWarning{Names: p.spec.Active, Compared: compared, Tuning: true}
}

// idleWarning says that parameters changed no decision.
type idleWarning struct {
	Names    []string
	Compared int64 // decisions
	Tuning   bool  // all of them together, in the whole tuning; else each alone, a step around start and tuned values
}

func (w *idleWarning) Error() string {
	names, n := "`"+strings.Join(w.Names, "`, `")+"`", text.Count(w.Compared)
	switch one := len(w.Names) == 1; {
	case w.Tuning && one:
		return fmt.Sprintf("%s changed 0 of %s decisions in the whole tuning: all its values play alike, because the evaluator has no other "+
			"term to trade against.", names, n)
	case w.Tuning:
		return fmt.Sprintf("%s, moved together, changed 0 of %s decisions in the whole tuning: all their values play alike.", names, n)
	case one:
		return fmt.Sprintf("%s changed 0 of %s decisions between a step below and a step above the start and tuned values: "+
			"its value seems not to matter.", names, n)
	}
	return fmt.Sprintf("%s each changed no decision (0 of %s) between a step below and a step above the start and tuned values: "+
		"their values seem not to matter.", names, n)
}

// comparisonWarnings are about how several tunings compare.
func (p *selectPhase) comparisonWarnings() []error {
	if len(p.tunings) == 1 || !p.settled() {
		return nil
	}
	if len(p.finalists()) < 2 {
		return []error{warnf("All %d tunings ended with the same values: there was nothing to choose.", len(p.tunings))}
	}
	agreements, err := p.Agreements()
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

// Sections implements Phase: what each tuning found, and how far they agree.
func (p *selectPhase) Sections() ([]reports.Section, error) {
	if len(p.tunings) == 1 || !p.complete() {
		return nil, nil
	}
	opponent := "the other results"
	if p.spec.Against != nil {
		opponent = p.spec.opponentNames()
	}
	table := reports.Table{Columns: reports.Columns("tuning", ">steps from the start", ">pairs", ">score against "+opponent,
		p.spec.task.Unit()+" above "+opponent)}
	for i, s := range p.Seeds() {
		row := []string{strconv.Itoa(s.Number), fmt.Sprintf("%.1f", p.Moved(s.Tuned)), "-", "-", "-"}
		if s.Pairs != nil {
			row[2], row[3], row[4] = text.Count(s.Pairs.N()), text.Percent(s.Estimate.Score), inWords(p.spec.task, *s.Estimate)
		}
		if s.Chosen {
			row[0] += " (chosen)"
			table.Strong = []int{i}
		}
		table.Rows = append(table.Rows, row)
	}
	sections := []reports.Section{{Title: "The tunings", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("The run made %[1]s with the same budget and start, each with its own random draws and %[2]s. Their results "+
			"played a match on %[2]s that none of them had seen, and the result with the best score was chosen. "+
			"Selecting the best of several biases its score upwards: the verification measures its gain, on %[2]s that took no part in the "+
			"choice. All sections below are about the tuning that was chosen.", text.Plural(len(p.tunings), "independent tuning"),
			luck(p.spec.task))),
		table,
	}}}
	agreements, err := p.Agreements()
	if err != nil || agreements == nil {
		return sections, err
	}
	return append(sections, analysis.AgreementSection(agreements, len(p.tunings), p.spec.Level)), nil
}

// Moved is how far a vector is from the start, in steps.
func (p *selectPhase) Moved(v params.Vector) float64 {
	return p.spec.task.Distance(v, p.spec.Start.Values)
}

// entry is the tunings as an entry of JSON: null for one.
func (p *selectPhase) entry() (runs.Entry, error) {
	agreements, err := p.Agreements()
	if err != nil || len(p.tunings) == 1 {
		return runs.Entry{Name: "seeds"}, err
	}
	return runs.Entry{"seeds", runs.Object{{"tunings", p.Seeds()}, {"agreement", agreements}}}, nil
}

// raw is what the tuning chosen found.
func (p *selectPhase) raw() params.Vector {
	switch {
	case p.settled() && p.contested.winner > 0:
		return p.contested.values[p.contested.winner]
	case p.chosen != nil:
		return p.results[p.chosen.number]
	}
	return p.current().Best
}

// leave puts parameters without any effect back to where they started. The rest of the
// run is about the values that result.
func (p *selectPhase) leave(names []string) {
	if len(names) == 0 {
		return
	}
	space := p.spec.task.Space()
	p.left, p.kept = names, p.raw().Clone()
	for _, name := range names {
		i := space.Index(name)
		p.kept[i] = p.spec.Start.Values[i]
	}
	p.current().Idle, p.current().shown = names, nil
}

// contestants are who plays in a contest, by their number.
var contestants = [...]string{"tuned", "fitted", "midpoint"}

// contestantName is what pages and the terminal call a contestant: the chosen values are the tuned
// ones of every other section, so the tuner's own need another name.
func contestantName(name string, chosen bool) string {
	switch {
	case chosen && name != contestants[0]:
		return "tuned (" + name + ")"
	case !chosen && name == contestants[0]:
		return "the tuner's"
	}
	return name
}

// contested is what came of the contest of a stage, see there.
type contested struct {
	values [len(contestants)]params.Vector // nil until known
	played bool                            // there were games
	over   bool                            // nothing is left to play
	winner int
}
