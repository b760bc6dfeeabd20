package tuning

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
)

// Several tunings from one start live in one run: their trials follow each other,
// each tuning in a phase of its own with its own openings and draws, the first as
// if it were alone. A match among their results, on fresh openings, chooses one.
// Its result there is the best of several and flatters it; what it gained over the
// start the verification tells, on openings that no tuning and no choice has seen.

// mostSeeds bounds the tunings of a run: all pairings of their results are played.
const maxSeeds = 20

// tunerSeed keeps the tuner's draws apart from those of games: "tune".
const tunerSeed = 0x74756e65

// askSeeds reads how many tunings are asked for.
func (s *Spec) askSeeds(a *Config, m Method) error {
	switch {
	case a.Seeds == nil && a.SelectPairs != nil, a.Seeds != nil && *a.Seeds == 1 && a.SelectPairs != nil:
		return config.Errorf("select_pairs", "%d: chooses among several tunings, and there is one; see seeds", *a.SelectPairs)
	case a.Seeds == nil || *a.Seeds == 1:
		return nil
	case a.SelectPairs != nil && *a.SelectPairs < 1:
		return config.Errorf("select_pairs", "%d: want at least 1", *a.SelectPairs)
	}
	s.Seeds = *a.Seeds
	return s.seedable(m)
}

// seedable reports why there cannot be so many tunings.
func (s *Spec) seedable(m Method) error {
	if s.Seeds < 2 || s.Seeds > maxSeeds {
		return config.Errorf("seeds", "%d: want 1 to %d tunings", s.Seeds, maxSeeds)
	}
	if _, points := m.(Pointed); points {
		return config.Errorf("seeds", "%d: method %s draws nothing that another seed would change: more pairs tell more", s.Seeds, m.Name())
	}
	return nil
}

// checkSeeds is the same for a spec that was read.
func (s *Spec) checkSeeds() error {
	switch {
	case s.Seeds == 0 && s.SelectPairs != 0:
		return config.Errorf("select_pairs", "%d: chooses among several tunings, and there is one", s.SelectPairs)
	case s.Seeds == 0:
		return nil
	case s.SelectPairs < 1:
		return config.Errorf("select_pairs", "%d: want at least 1", s.SelectPairs)
	}
	return s.seedable(s.method)
}

// selectLengths fills in how many pairs choose: every tuning plays as many as the
// verification has at least.
func (s *Spec) selectLengths(a *Config, own int) {
	switch {
	case s.tunings() == 1:
		return
	case a.SelectPairs != nil:
		s.SelectPairs = *a.SelectPairs
		return
	}
	each := minVerified * own
	if s.VerifyPairs > 0 {
		each = min(each, s.VerifyPairs)
	}
	meets := s.Seeds - 1
	if s.Against != nil {
		meets = len(s.opponents())
	}
	s.SelectPairs = max(1, (each+meets-1)/meets)
}

// tunings is how many there are.
func (s *Spec) tunings() int { return max(1, s.Seeds) }

// tunePhase names the phase of a tuning's trials.
func (s *Spec) tunePhase(k int) string {
	if k == 0 {
		return PhaseTune
	}
	return PhaseTune + "-" + strconv.Itoa(k+1)
}

// tuning is the one whose phase this is; ok is false for other phases.
func (s *Spec) tuning(phase string) (k int, ok bool) {
	for k := range s.tunings() {
		if s.tunePhase(k) == phase {
			return k, true
		}
	}
	return 0, false
}

// sources are the tunings, to be played one after another.
func (s *Spec) sources(seed uint64) (list []*schedule.TunerSource, err error) {
	for k := range s.tunings() {
		parts := []uint64{seed, tunerSeed}
		if k > 0 {
			parts = append(parts, uint64(k))
		}
		tuner, err := s.method.Tuner(s.task, engines.Seed(parts...))
		if err != nil {
			return nil, err
		}
		list = append(list, &schedule.TunerSource{PhaseName: s.tunePhase(k), Tuner: tuner, Player: s.Start, Opponents: s.drawn(seed)})
	}
	return list, nil
}

// finalists are the tunings whose results the match among them is about: those that
// differ from all before; none where they are all the same.
func (t *Result) finalists() (list []int, best []params.Vector) {
	for k, c := range t.courses {
		if !slices.ContainsFunc(best, func(v params.Vector) bool { return slices.Equal(v, c.Best) }) {
			list, best = append(list, k), append(best, c.Best)
		}
	}
	if len(list) < 2 {
		return nil, nil
	}
	return list, best
}

// tunedNames are what the results of tunings are called in tables.
func tunedName(k int) string { return fmt.Sprintf("tuned %d", k+1) }

// selection lists the trials of the match among results: all pairings or, where the
// tuning was against opponents, each with each of those.
func (s *Spec) selection(finalists []int, best []params.Vector) *schedule.Listed {
	var seats []player.Config
	for i, k := range finalists {
		e := s.Start.With(best[i])
		e.Name = tunedName(k)
		seats = append(seats, e)
	}
	if s.Against != nil && len(seats) > 0 {
		return s.meeting(PhaseSelect, seats, s.SelectPairs)
	}
	l := &schedule.Listed{}
	for from := 0; from < s.SelectPairs; from += stretch {
		for _, p := range schedule.RoundRobin(len(seats)) {
			trial := s.trial(PhaseSelect, seats[p.A], seats[p.B], min(stretch, s.SelectPairs-from))
			trial.Openings = uint64(from / stretch)
			l.Trials = append(l.Trials, trial)
		}
	}
	return l
}

// selectGames is the length of that match among so many results.
func (s *Spec) selectGames(finalists int) int64 {
	if finalists < 2 {
		return 0
	}
	n := len(schedule.RoundRobin(finalists))
	if s.Against != nil {
		n = finalists * len(s.opponents())
	}
	return 2 * int64(s.SelectPairs) * int64(n)
}

// selecting is who meets in a trial of that match, by their places among the
// finalists; than is an opponent's place where the tuning was against some.
func (t *Result) selecting(row datasets.TrialRow, finalists int) (x, than int, ok bool) {
	n := row.Trial - t.firstOf(row)
	if n < 0 || finalists < 2 {
		return 0, 0, false
	}
	if t.Spec.Against != nil {
		x, than = t.Spec.met(n, finalists)
		return x, than, true
	}
	pairings := schedule.RoundRobin(finalists)
	p := pairings[n%int64(len(pairings))]
	return p.A, p.B, true
}

// choose counts a trial of the match among results, and ends it.
func (t *Result) choose(row datasets.TrialRow) bool {
	finalists, _ := t.finalists()
	x, than, ok := t.selecting(row, len(finalists))
	if !ok {
		return false
	}
	if t.chosen == nil {
		t.chosen = make([]rating.Pairs, t.Spec.tunings())
	}
	pairs := rating.Pairs(row.PairCounts())
	t.chosen[finalists[x]] = t.chosen[finalists[x]].Plus(pairs)
	if t.Spec.Against == nil {
		t.chosen[finalists[than]] = t.chosen[finalists[than]].Plus(pairs.Reversed())
	}
	if t.selected() {
		t.History = t.courses[t.winner(finalists)]
	}
	return true
}

// winner is the finalist with the best score in that match, the first of equals.
func (t *Result) winner(finalists []int) int {
	return slices.MaxFunc(finalists, func(a, b int) int { return cmp.Compare(t.chosen[a].Score(), t.chosen[b].Score()) })
}

// selected reports whether the match among results has nothing left to play.
func (t *Result) selected() bool {
	finalists, _ := t.finalists()
	return t.games[PhaseSelect] >= t.Spec.selectGames(len(finalists))
}

// settle ends a stage of several tunings whose results are all the same, which no
// match can tell apart.
func (t *Result) settle() {
	if finalists, _ := t.finalists(); len(finalists) == 0 {
		t.History = t.courses[0]
	}
}

// Seed is one of several tunings.
type Seed struct {
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
func (t *Result) Seeds() []Seed {
	if t.Spec.tunings() == 1 {
		return nil
	}
	var list []Seed
	for k, c := range t.courses {
		seed := Seed{Number: k + 1, Tuned: c.Best, Chosen: t.tuned() && c == t.History}
		if t.chosen != nil && t.chosen[k].N() > 0 {
			e := t.chosen[k].Estimate(t.Spec.Level)
			seed.Pairs, seed.Estimate = &t.chosen[k], &e
		}
		list = append(list, seed)
	}
	return list
}

// Moved is how far a vector is from the start, in steps.
func (t *Result) Moved(v params.Vector) float64 {
	return stepsApart(t.Spec.task.Space(), v, t.Spec.Start.Values)
}

// Place is where a tuning put a parameter.
type Place struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"` // of the interval of the optimum; nil where the method tells none
	High  *float64 `json:"high"`
}

// Agreement is what several tunings say of one parameter.
type Agreement struct {
	Parameter string  `json:"parameter"`
	Places    []Place `json:"places"` // one a tuning
	Spread    float64 `json:"spread"` // standard deviation of the values over the tunings, in steps
	// Promised is the spread that the intervals let one expect, in steps; Chance that
	// of values at least as far apart if the intervals were right, by Cochran's Q
	// (Biometrics 10, 1954). Nil where an interval is missing or has no width.
	Promised *float64 `json:"promised"`
	Chance   *float64 `json:"chance"`
	Disagree bool     `json:"disagree"` // Chance is below what the confidence leaves over, shared by all parameters
}

// Agreements are those of all parameters tuned; nil for a run of one tuning, and
// before all of them have trials.
func (t *Result) Agreements() ([]Agreement, error) {
	if t.Spec.tunings() == 1 || slices.ContainsFunc(t.courses, func(c *History) bool { return len(c.Trials) == 0 }) {
		return nil, nil
	}
	trials := 0
	for _, c := range t.courses {
		trials += len(c.Trials)
	}
	if t.agreed != nil && t.agreedAt == trials {
		return t.agreed, nil
	}
	var optima [][]Optimum
	for k, c := range t.courses {
		shown, err := t.Spec.method.Show(c)
		if err != nil {
			return nil, fmt.Errorf("tuning %d: %w", k+1, err)
		}
		optima = append(optima, shown.Optima)
	}
	t.agreed, t.agreedAt = nil, trials
	for _, i := range t.Spec.task.indices() {
		t.agreed = append(t.agreed, t.agreement(i, optima))
	}
	return t.agreed, nil
}

// agreement compares what the tunings say of a parameter.
func (t *Result) agreement(i int, optima [][]Optimum) Agreement {
	p := t.Spec.task.Space()[i]
	z := math.Sqrt2 * math.Erfinv(t.Spec.Level)
	a := Agreement{Parameter: p.Name}
	var values, errs []float64
	for k, c := range t.courses {
		place := Place{Value: c.Best[i]}
		if n := slices.IndexFunc(optima[k], func(o Optimum) bool { return o.Param == i }); n >= 0 {
			o := optima[k][n]
			place.Low, place.High = &o.Low, &o.High
			errs = append(errs, (p.Coordinate(o.High)-p.Coordinate(o.Low))/2/z)
		}
		a.Places, values = append(a.Places, place), append(values, p.Coordinate(c.Best[i]))
	}
	a.Spread = stat.StdDev(values, nil)
	if len(errs) < len(values) || !(slices.Min(errs) > 0) {
		return a
	}
	square, weights := 0.0, make([]float64, len(errs))
	for k, e := range errs {
		square += float64(e * e)
		weights[k] = 1 / (e * e)
	}
	promised := math.Sqrt(square / float64(len(errs)))
	mean, q := stat.Mean(values, weights), 0.0
	for k, u := range values {
		q += float64(weights[k] * (u - mean) * (u - mean))
	}
	chance := distuv.ChiSquared{K: float64(len(values) - 1)}.Survival(q)
	a.Promised, a.Chance = &promised, &chance
	a.Disagree = chance < (1-t.Spec.Level)/float64(len(t.Spec.Active))
	return a
}

// closer is the chance from which on values lie closer together than right intervals
// would have them: the games fixed the recommendations better than the intervals of
// the optimum say.
const closer = .975

// word says it in a few words.
func (a *Agreement) word() string {
	switch {
	case a.Chance == nil:
		return "no intervals to compare"
	case a.Disagree:
		return "disagree: farther apart than their intervals allow"
	}
	if *a.Chance > closer {
		return "agree, closer than their intervals promise"
	}
	return "agree within their intervals"
}

// seedWarnings are what a reader must know of several tunings.
func (t *Result) seedWarnings() (list []error) {
	if t.Spec.tunings() == 1 || !t.tuned() {
		return nil
	}
	if finalists, _ := t.finalists(); len(finalists) == 0 {
		return []error{warnf("All %d tunings ended with the same values: nothing was left to choose.", t.Spec.tunings())}
	}
	agreements, err := t.Agreements()
	if err != nil {
		return []error{warnf("The tunings cannot be compared: %v.", err)}
	}
	var names []string
	for _, a := range agreements {
		if a.Disagree {
			names = append(names, "`"+a.Parameter+"`")
		}
	}
	if len(names) > 0 {
		list = append(list, warnf("The tunings disagree about %s by more than their intervals allow: strength may have several peaks or a ridge there, or the intervals are too narrow.", strings.Join(names, ", ")))
	}
	return list
}

// seedSections tell of several tunings: what each found, and how far they agree.
func (t *Result) seedSections() ([]reports.Section, error) {
	level := gamestats.Level(t.Spec.Level)
	than := "the other results"
	if t.Spec.Against != nil {
		than = t.Spec.opposition()
	}
	table := reports.Table{Columns: []reports.Column{
		{Name: "tuning"}, {Name: "steps from the start", Right: true}, {Name: "pairs", Right: true}, {Name: "score against " + than, Right: true}, {Name: "Elo above " + than},
	}}
	for i, s := range t.Seeds() {
		row := []string{strconv.Itoa(s.Number), fmt.Sprintf("%.1f", t.Moved(s.Tuned)), "-", "-", "-"}
		if s.Pairs != nil {
			row[2], row[3], row[4] = gamestats.Count(s.Pairs.N()), gamestats.Percent(s.Estimate.Score), s.Estimate.String()
		}
		if s.Chosen {
			row[0] += " (chosen)"
			table.Strong = []int{i}
		}
		table.Rows = append(table.Rows, row)
	}
	sections := []reports.Section{{Title: "The tunings", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("%[1]s of the same budget from the same start, each with its own draws and %[2]s. Their results met on %[2]s that none of them had seen, and the one with the best score was chosen. "+
			"That score is the best of several and flatters it; what it is worth the verification tells, on %[2]s that took no part in the choice. All that follows below is about the tuning that was chosen.", gamestats.Plural(t.Spec.tunings(), "independent tuning"), t.Spec.task.luck())),
		table,
	}}}
	agreements, err := t.Agreements()
	if err != nil || agreements == nil {
		return sections, err
	}
	table = reports.Table{Columns: []reports.Column{{Name: "parameter"}}}
	for k := range t.courses {
		table.Columns = append(table.Columns, reports.Column{Name: fmt.Sprintf("tuning %d", k+1), Right: true})
	}
	table.Columns = append(table.Columns, reports.Column{Name: "spread (steps)", Right: true}, reports.Column{Name: "promised (steps)", Right: true}, reports.Column{Name: "reading"})
	for i, a := range agreements {
		row := []string{"`" + a.Parameter + "`"}
		for _, p := range a.Places {
			text := fmt.Sprintf("%.4g", p.Value)
			if p.Low != nil {
				text += fmt.Sprintf(" (%.3g to %.3g)", *p.Low, *p.High)
			}
			row = append(row, text)
		}
		promised := "-"
		if a.Promised != nil {
			promised = fmt.Sprintf("%.2g", *a.Promised)
		}
		if a.Disagree {
			table.Strong = append(table.Strong, i)
		}
		table.Rows = append(table.Rows, append(row, fmt.Sprintf("%.2g", a.Spread), promised, a.word()))
	}
	return append(sections, reports.Section{Title: "How far the tunings agree", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("Each tuning's value with the %s interval of its best value, the others as tuned; then the standard deviation of the values over the tunings beside that which the intervals promise. "+
			"Tunings disagree where values so far apart would be met with a chance below %s by intervals that are right (Cochran's Q), over all parameters together.", level, gamestats.Percent(1-t.Spec.Level))),
		table,
	}}), nil
}

// seedEntry is several tunings as an entry of JSON: null for one.
func (t *Result) seedEntry() (runs.Entry, error) {
	agreements, err := t.Agreements()
	if err != nil || t.Spec.tunings() == 1 {
		return runs.Entry{Name: "seeds"}, err
	}
	return runs.Entry{Name: "seeds", Value: runs.Object{{Name: "tunings", Value: t.Seeds()}, {Name: "agreement", Value: agreements}}}, nil
}
