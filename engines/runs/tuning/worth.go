package tuning

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

const (
	// minWorth is the least number of pairs of a change. Fewer pairs have no standard error.
	minWorth = rating.MinSample
	// maxWorth is the largest number of changes: a figure of more is hard to read.
	maxWorth = 40
	// leastWorth is the smallest worth, in Elo, for which further games are counted.
	leastWorth = 5
)

// worthPhase is the phase that measures the worth of each change: the tuned values play the tuned
// values with one parameter set back. All matches have the same openings and the same number of
// pairs, fixed beforehand. Their intervals hold together (Bonferroni's inequality; Dunn, J. American
// Statistical Association 56, 52-64, 1961).
type worthPhase struct {
	matches
	tuned   *selectPhase
	changes []change // nil before the values are known
	omitted int      // smaller changes, which are not played
	results []rating.Pairs
}

// change is a difference between tuned and start values: of a parameter, or of a ratio group
// (params.Param.Ratio).
type change struct {
	names []string      // of the parameters
	back  params.Vector // the tuned values without the change
	size  float64       // in steps
}

// String names the change.
func (c change) String() string {
	if len(c.names) == 1 {
		return c.names[0]
	}
	return fmt.Sprintf("all %d ratios", len(c.names))
}

func newWorthPhase(tuned *selectPhase) *worthPhase {
	w := &worthPhase{tuned: tuned, matches: matches{phase: newPhase(tuned.spec, phaseWorth, tuned.stageIndex),
		pairs: tuned.spec.worthAt(tuned.stageIndex), rounds: true, named: true, note: "what is each change worth?"}}
	w.lineup = w.everybody
	return w
}

// everybody returns the matches of the tuned values with themselves without each change. The
// verification already measures a single change, so that one plays nothing.
func (w *worthPhase) everybody() (l lineup) {
	pairs := w.spec.worthAt(w.stageIndex)
	switch {
	case pairs == 0:
		return l
	case !w.tuned.settled():
		return lineup{meets: make([]schedule.Pairing, 1), open: true}
	}
	if w.changes == nil {
		w.changes = w.spec.changes(w.tuned.recommend())
		if most := min(maxWorth, pairs/minWorth); len(w.changes) > most {
			w.omitted = len(w.changes) - most
			w.changes = largest(w.changes, most)
		}
		w.pairs = pairs / max(len(w.changes), 1)
		w.results = make([]rating.Pairs, len(w.changes))
	}
	if len(w.changes)+w.omitted < 2 {
		return l
	}
	for _, c := range w.changes {
		l.match(w.spec.tuned(w.tuned.recommend()), w.spec.named("without "+c.String(), c.back))
	}
	return l
}

// changes lists the changes from the start to the tuned values, in the order of the space. In a ratio
// group that is tuned whole, a parameter set back has the start's ratio to the group's other
// weights as tuned. A group among other changes is a further change.
func (c *Config) changes(tuned params.Vector) (list []change) {
	space, start := c.task.Space(), c.Start.Values
	groups := ratioGroups(space, c.task.Indices())
	add := func(back params.Vector, indices ...int) {
		if slices.Equal(back, tuned) {
			return
		}
		one := change{back: back, size: c.task.Distance(tuned, back)}
		for _, i := range indices {
			one.names = append(one.names, space[i].Name)
		}
		list = append(list, one)
	}
	for _, i := range c.task.Indices() {
		back := tuned.Clone()
		if back[i] = start[i]; groups[space[i].Ratio] != nil && start[i] != 0 {
			back[i] = settled(space[i], start[i]*scaleWithout(i, groups[space[i].Ratio], start, tuned))
		}
		add(back, i)
	}
	for n, p := range space {
		group := groups[p.Ratio]
		back := tuned.Clone()
		for _, i := range group {
			back[i] = start[i]
		}
		if group != nil && group[0] == n && !slices.Equal(back, start) {
			add(back, group...)
		}
	}
	return list
}

// scaleWithout returns how much the weights of a ratio group have grown, as the median of all but one.
func scaleWithout(without int, group []int, start, tuned params.Vector) float64 {
	var growth []float64
	for _, i := range group {
		if i != without && start[i] != 0 {
			growth = append(growth, math.Abs(tuned[i]/start[i]))
		}
	}
	if len(growth) == 0 {
		return 1
	}
	slices.Sort(growth)
	return (growth[(len(growth)-1)/2] + growth[len(growth)/2]) / 2
}

// largest returns the largest changes, in their order.
func largest(list []change, most int) (kept []change) {
	var order []int
	for k := range list {
		order = append(order, k)
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(list[k].size, list[i].size) })
	for _, k := range slices.Sorted(slices.Values(order[:most])) {
		kept = append(kept, list[k])
	}
	return kept
}

func (w *worthPhase) Add(n int64, f schedule.Finished) error {
	l, _, err := w.meeting(n, f.Trial)
	if err != nil {
		return err
	}
	k := int(n) % len(l.meets)
	w.results[k] = w.results[k].Plus(f.Trial.PairCounts())
	return nil
}

// worth is the measured worth of a change.
type worth struct {
	Parameters []string     `json:"parameters"` // more than one for a ratio group
	Start      []float64    `json:"start"`      // values without the change, in the scale of the tuned ones
	Tuned      []float64    `json:"tuned"`
	Pairs      rating.Pairs `json:"pairs"` // of the tuned values against them without the change
	// Estimate has an interval that holds together with the intervals of all other changes.
	Estimate  rating.Estimate `json:"estimate"`
	MoreGames int             `json:"more_games"` // games, about, to show the worth if it is as estimated and at least leastWorth; 0 if shown
	name      string
}

// Worths lists the worth of each change; nil before all their games are played.
func (w *worthPhase) Worths() (list []worth) {
	if w.games == 0 || !w.Done() {
		return nil
	}
	space, tuned := w.spec.task.Space(), w.tuned.recommend()
	level := 1 - (1-w.spec.Level)/float64(len(w.changes))
	for k, c := range w.changes {
		one := worth{Parameters: c.names, Pairs: w.results[k], Estimate: w.results[k].Estimate(level), name: c.String()}
		for _, name := range c.names {
			i := space.Index(name)
			one.Start, one.Tuned = append(one.Start, c.back[i]), append(one.Tuned, tuned[i])
		}
		if one.Estimate.Decided() == 0 {
			one.MoreGames = moreGames(one.Estimate)
		}
		list = append(list, one)
	}
	return list
}

// moreGames returns the number of games, about, that show a worth with 95 % chance.
func moreGames(e rating.Estimate) int {
	plan := rating.Plan{Variance: min(max(float64(e.SE*e.SE)*float64(e.N), 1e-9), 0.25), Level: e.Level}
	pairs, err := plan.PairsFor(max(math.Abs(e.Elo), leastWorth))
	if err != nil {
		panic(err) // the numbers are within the limits of a plan
	}
	return 2 * max(pairs-e.N, 1)
}

// String returns the worth in a few words.
func (w worth) String() string {
	line := runs.ShortEstimate(w.Estimate)
	if w.MoreGames > 0 {
		line += ", takes about " + analysis.About(w.MoreGames, "more game") + " to tell"
	}
	return line
}

// worthOf returns the worth of a parameter's change; nil if it is not measured.
func worthOf(list []worth, name string) *worth {
	if k := slices.IndexFunc(list, func(w worth) bool { return slices.Equal(w.Parameters, []string{name}) }); k >= 0 {
		return &list[k]
	}
	return nil
}

// Sections implements Phase: the worth of each change.
func (w *worthPhase) Sections() ([]reports.Section, error) {
	list := w.Worths()
	if list == nil {
		return nil, nil
	}
	level := text.Level(w.spec.Level)
	fig := figure.Bars{Title: "Worth of each change", XLabel: "Elo", ZeroLabel: "set back",
		Subtitle: fmt.Sprintf("tuned values against them with one parameter set back, %s a change; %s intervals, all together",
			text.Plural(w.pairs, "pair"), level)}
	for _, one := range list {
		e := one.Estimate
		bar := figure.Bar{Name: one.name, Value: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, Strong: e.Decided() != 0}
		fig.Bars = append(fig.Bars, bar)
	}
	slices.SortStableFunc(fig.Bars, func(a, b figure.Bar) int { return cmp.Compare(b.Value, a.Value) })
	line := fmt.Sprintf("The tuned values played the tuned values with one parameter set back to the start, on %s, %s for each "+
		"change. The intervals hold for all changes together with %s probability (Bonferroni; Dunn 1961). Changes can depend on each "+
		"other, so their sum need not be the whole gain.", w.spec.fresh(), text.Plural(w.pairs, "pair"), level)
	if len(ratioGroups(w.spec.task.Space(), w.spec.task.Indices())) > 0 {
		line += " Where only the ratios of weights matter, a weight set back has the start's ratio to the others."
	}
	if w.omitted > 0 {
		line += fmt.Sprintf(" The run has too few games for all %d changes: the %d largest, in steps, were measured.",
			len(list)+w.omitted, len(list))
	}
	line += " Right of zero, the change makes the player stronger. A change whose interval holds zero needs more games, and is kept as the " +
		"tuner's best estimate."
	return []reports.Section{{Title: "Worth of each change", Blocks: []reports.Block{
		reports.Note(line), reports.Plot{Name: "worth", Figure: fig},
	}}}, nil
}
