package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/params/grid"
	"selfplaylab/params/mixed"
	"selfplaylab/params/quadratic"
	"selfplaylab/params/racing"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// quadMethod tunes by params/quadratic: a quadratic fitted to self-play in pairs.
type quadMethod struct {
	Games *int `group:"Length and stopping" toml:"games" arg:"N" help:"quad: games to play, an even number (default: 40 times the game's pairs per parameter, from 1,000 to 64,000); with --against for each candidate"`
	Iters *int `toml:"iters" arg:"N" help:"quad: the budget in iterations instead of games; one iteration is the game's number of pairs (see --pairs), 64 games for quoridor"`
	raceConfig

	record   replayed
	shown    remembered[methodReport]
	standing remembered[*analysis.Standing]
}

// The default budget of quad: a parameter gets some 20 seconds of the game's own
// pairs, which are about a second's worth. Fewer than a thousand games show no
// difference worth having; beyond the most, the bias of the quadratic is what is
// left, and more games hardly help.
const (
	gamesForEach   = 40 // times the game's own pairs
	minOfQuad      = 1000
	defaultMaxQuad = 64_000
)

// Info implements Method.
func (m *quadMethod) Info() MethodInfo {
	info := MethodInfo{
		Name: "quad", Doc: "localised quadratic logistic regression of paired comparisons, after CLOP (Coulom 2011): few games, no step sizes",
		Margins: true, WholeRange: true, SetPairs: m.setPairs,
		Extension: &Extension{Set: m.setGames, StopAfter: m.stopAfter},
	}
	if m.Games != nil {
		info.Extension.Games = *m.Games
	}
	if len(m.Choice) == 0 {
		info.Standing = m.stands
	} else { // the numbers' games do not show what the choices are worth
		info.Choices = m.raced
		info.Extension.Err = config.Errorf("choice",
			"races with a share of the whole budget: such a tuning cannot be stopped or extended; start a new one with --start %s", tunedName)
	}
	return info
}

func (m *quadMethod) setPairs(_ *analysis.Task, pairs int) {
	n := 2 * pairs
	m.Games = &n
}

func (m *quadMethod) setGames(games int) error {
	m.Games = &games
	return m.checkGames()
}

func (m *quadMethod) stopAfter(tuner params.Tuner, games int) {
	if t, ok := tuner.(*quadratic.Tuner); ok { // not one with choices, which cannot be extended
		t.SetPairs(games / 2)
	}
}

// Check implements Method.
func (m *quadMethod) Check(t *analysis.Task) error {
	if err := m.budget(t); err != nil {
		return err
	}
	if err := m.checkRace(t); err != nil {
		return err
	}
	return m.checkGames()
}

func (m *quadMethod) checkGames() error {
	if n := *m.Games; n < 2 || n%2 != 0 || n > 2*runs.MaxPairs {
		return config.Errorf("games", "%d: want an even number from 2 to %d, since every opening is played twice", n, int64(2*runs.MaxPairs))
	}
	return nil
}

// budget sets the games, however they were asked for.
func (m *quadMethod) budget(t *analysis.Task) error {
	own := t.Game.TuningPairs()
	switch {
	case m.Iters != nil && m.Games != nil:
		return config.Errorf("iters", "%d: games says how long the tuning is, too; want one of the two", *m.Iters)
	case m.Iters != nil:
		if *m.Iters < 1 || *m.Iters > math.MaxInt32 {
			return config.Errorf("iters", "%d: want at least 1 and at most %d", *m.Iters, math.MaxInt32)
		}
		pairs := cmp.Or(t.Pairs, own)
		if t.Pairs > runs.MaxPairs / *m.Iters {
			return config.Errorf("pairs", "%d: %s of that many pairs are too many; want at most %d pairs in all", pairs,
				text.Plural(*m.Iters, "iteration"), int64(runs.MaxPairs))
		}
		n := 2 * *m.Iters * pairs
		m.Games, m.Iters = &n, nil
	case t.Pairs > 1:
		return config.Errorf("pairs", "%d: requires --iters with method quad, whose trials grow; its budget is set by --games", t.Pairs)
	case m.Games == nil:
		n := min(max(gamesForEach*own*len(t.Active), minOfQuad), defaultMaxQuad)
		m.Games = &n
	}
	t.Pairs = 1
	return nil
}

// Pairs implements Method.
func (m *quadMethod) Pairs(*analysis.Task) int { return *m.Games / 2 }

// Tuner implements Method.
func (m *quadMethod) Tuner(t *analysis.Task, seed uint64) (params.Tuner, error) {
	if len(m.Choice) > 0 {
		return m.mixed(t, seed)
	}
	return m.tuner(t, seed)
}

func (m *quadMethod) tuner(t *analysis.Task, seed uint64) (*quadratic.Tuner, error) {
	return quadratic.New(quadratic.Settings{Space: t.Space(), Start: t.Start, Active: t.Indices(), Seed: seed, Pairs: *m.Games / 2})
}

// mixed is the tuner of numbers and choices.
func (m *quadMethod) mixed(t *analysis.Task, seed uint64) (*mixed.Tuner, error) {
	chosen, choices := m.choices(t)
	numbers := slices.DeleteFunc(t.Indices(), func(i int) bool { return slices.Contains(chosen, i) })
	return mixed.New(mixed.Settings{
		Space: t.Space(), Start: t.Start, Active: numbers, Chosen: chosen, Choices: choices, Seed: seed, Pairs: *m.Games / 2, Alpha: defaultDrop,
	})
}

// Question implements Method.
func (m *quadMethod) Question(c *analysis.History) string {
	against := ""
	if c.Opponent != "" {
		against = fmt.Sprintf(" against `%s`", c.Opponent)
	}
	choices := ""
	if len(m.Choice) > 0 {
		choices = fmt.Sprintf(", %s of them by a race among %s", text.Count(len(m.axes)), text.Plural(size(m.axes), "choice"))
	}
	return fmt.Sprintf("tune %s of %s%s by a quadratic fitted to %s%s.",
		text.Plural(len(c.Active), "parameter"), c.Game.Title, against, text.Plural(*m.Games, c.Task.Noun()), choices)
}

// Note implements Method.
func (m *quadMethod) Note(c *analysis.History) string {
	return fmt.Sprintf("%s, %.1f steps from the start", text.Plural(len(c.Trials), "trial"), c.Distance(c.Best, c.Start))
}

// replayed is a tuner that was told the trials of a history, for what only it knows.
// It follows the history as that grows. It is never asked for a trial, so that its
// seed decides nothing but the draws behind intervals.
type replayed struct {
	of    *analysis.History
	tuner *quadratic.Tuner
	mixed *mixed.Tuner // with choices and numbers, whose quadratic tuner is; else nil
	told  int
}

// best is what it recommends.
func (r *replayed) best() params.Vector {
	if r.mixed != nil {
		return r.mixed.Recommend()
	}
	return r.tuner.Recommend()
}

// tell hands it the next trial.
func (r *replayed) tell(t *analysis.Trial) error {
	trial := params.Trial{ID: r.told, A: t.A, B: t.B, Pairs: t.Pairs.N()}
	if r.mixed != nil {
		return r.mixed.Tell(trial, t.Score())
	}
	return r.tuner.Tell(trial, t.Score())
}

// again makes a tuner that was told nothing.
func (m *quadMethod) again(c *analysis.History) (replayed, error) {
	if len(m.Choice) == 0 {
		tuner, err := m.tuner(c.Task, 0)
		return replayed{of: c, tuner: tuner}, err
	}
	both, err := m.mixed(c.Task, 0)
	if err != nil {
		return replayed{}, err
	}
	return replayed{of: c, tuner: both.Numbers(), mixed: both}, nil
}

// replay tells a tuner the trials of the history that it does not know yet.
func (m *quadMethod) replay(c *analysis.History) (*quadratic.Tuner, error) {
	if r := &m.record; r.of != c || r.told > len(c.Trials) {
		again, err := m.again(c)
		if err != nil {
			return nil, err
		}
		*r = again
	}
	r := &m.record
	for ; r.told < len(c.Trials); r.told++ {
		if err := r.tell(&c.Trials[r.told]); err != nil {
			return nil, err
		}
	}
	return r.tuner, nil
}

// Warnings implements Method: what the tuner has to say after these trials.
func (m *quadMethod) Warnings(c *analysis.History) []error {
	if len(c.Trials) == 0 {
		return nil
	}
	tuner, err := m.replay(c)
	if err != nil {
		return []error{warnf("The tuner cannot replay its trials: %v.", err)}
	}
	var list []error
	for _, w := range tuner.Warnings() {
		if b, ok := errors.AsType[*quadratic.BoundWarning](w); ok && (c.Best[b.Index] == b.Param.Min || c.Best[b.Index] == b.Param.Max) {
			continue // said of any method
		}
		list = append(list, warnf("From the fit: %v.", w))
	}
	if r := m.record.mixed; r != nil {
		list = append(list, raceWarning(c, r.Choices(), m.choiceName(c))...)
	}
	if !slices.Equal(m.record.best(), c.Best) && !slices.Equal(c.Best, c.Start) {
		list = append(list, warning("This program would recommend other values after these games than the one that played them: what follows "+
			"about the fit is around its own."))
	}
	return list
}

// stands is MethodInfo.Standing. An error of the replay is among the warnings.
func (m *quadMethod) stands(c *analysis.History) *analysis.Standing {
	tuner, err := m.replay(c)
	r := &m.record
	if err != nil || r.told == 0 || !slices.Equal(r.best(), c.Best) {
		return nil
	}
	standing, _ := m.standing.get(c, func() (*analysis.Standing, error) { // it has no error
		return analysis.NewStanding(c, tuner.Standing(), c.Task.Noun()), nil
	})
	return standing
}

// Report implements Method.
func (m *quadMethod) Report(c *analysis.History) (methodReport, error) {
	tuner, err := m.replay(c)
	if err != nil {
		return methodReport{}, fmt.Errorf("tell the tuner its trials again: %w", err)
	}
	return m.shown.get(c, func() (methodReport, error) { return m.report(c, tuner), nil })
}

// report fits the games that the tuner was told.
func (m *quadMethod) report(h *analysis.History, tuner *quadratic.Tuner) methodReport {
	model, err := tuner.Model()
	if err != nil { // too few games yet: then nothing is known
		return methodReport{Sections: []reports.Section{analysis.NotKnown(err)}}
	}
	f := analysis.New(h, model)
	r := methodReport{Sections: []reports.Section{f.Importance()}, Optima: f.Optima(), Found: f.Found(), Analysis: f.Analysis()}
	if race := m.record.mixed; race != nil {
		r.Sections = append(r.Sections, m.choiceSection(h, race.Choices()))
	}
	r.add(f.Curve())
	r.add(f.Interactions())
	r.Sections = append(r.Sections, f.Analysis().GainSection())
	return r
}

// checkRace checks the choices that race in addition to the numbers.
func (m *quadMethod) checkRace(t *analysis.Task) error {
	if len(m.Choice) == 0 {
		return nil
	}
	names, err := m.raced(t.Space())
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.Contains(t.Active, name) {
			return config.Errorf("choice", "is among values of %s, which is not tuned", name)
		}
	}
	if len(names) == len(t.Active) {
		return config.Errorf("choice", "is of all that is tuned (%s), and no number is left: want method racing", strings.Join(names, ", "))
	}
	if size(m.axes) == 1 && len(others(t, m.axes)) == 0 {
		return config.Errorf("choice", "leaves nothing to choose but the start")
	}
	return m.checkSize(t)
}

// choiceSection shows the race of the choices.
func (m *quadMethod) choiceSection(c *analysis.History, race *racing.Tuner) reports.Section {
	standings, start := race.Standings()
	section := raceSection(c, defaultDrop, standings, start, m.choiceName(c), race.Recommend())
	section.Blocks = append([]reports.Block{
		reports.Text("Choices raced in the same run as the numbers: after each batch of trials of the numbers, the race continued with the " +
			"numbers found so far, and the numbers continued with the leading choice."),
	}, section.Blocks...)
	return section
}

// choiceName calls the choices of that race.
func (m *quadMethod) choiceName(c *analysis.History) func(params.Vector) string {
	var space params.Space
	var list []grid.Axis
	for k, a := range m.axes {
		space, list = append(space, c.Space()[a.Param]), append(list, grid.Axis{Param: k})
	}
	return func(v params.Vector) string { return pointName(space, list, v) }
}
