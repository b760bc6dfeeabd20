package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/params/racing"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// racingMethod is the Method by params/racing: a choice among given points, for names,
// switches and whole numbers.
type racingMethod struct {
	raceConfig
	Drop float64 `toml:"alpha" alias:"drop" arg:"ALPHA" help:"racing: maximum risk of dropping the best choice, over the race as a whole (default 0.05)"`
}

func (m *racingMethod) Info() MethodInfo {
	return MethodInfo{
		Name: "racing", Doc: "race choices among names, switches and whole numbers on the same openings; those shown to be worse drop out",
		Tuned: m.tuned, Point: m.point, SetPairs: m.setPairs,
		Stopped: raceOver,
	}
}

// tuned reads the choices, and names their parameters.
func (m *racingMethod) tuned(space params.Space) ([]string, error) {
	if len(m.Choice) == 0 {
		return nil, config.Wrap("choice", errors.New("want at least one, as name=v1,v2"))
	}
	return m.raced(space)
}

func (m *racingMethod) Check(t *analysis.Task) error {
	t.Pairs = cmp.Or(t.Pairs, defaultPoint)
	m.Drop = cmp.Or(m.Drop, defaultDrop)
	if err := checkDrop(m.Drop); err != nil {
		return err
	}
	if _, err := m.tuned(t.Space()); err != nil {
		return err
	}
	if err := checkActive("choice", t, m.axes); err != nil {
		return err
	}
	return m.checkSize(t)
}

func (m *racingMethod) Pairs(t *analysis.Task) int { return len(otherPoints(t, m.axes)) * t.Pairs }

func (m *racingMethod) Tuner(t *analysis.Task, _ uint64) (params.Tuner, error) {
	tuner, err := racing.New(racing.Settings{Space: t.Space(), Start: t.Start, Candidates: otherPoints(t, m.axes), Pairs: m.Pairs(t), Alpha: m.Drop})
	return tuner, config.Wrap("pairs", err)
}

// setPairs shares a budget among all choices.
func (m *racingMethod) setPairs(t *analysis.Task, pairs int) {
	if _, err := m.tuned(t.Space()); err == nil { // else Check says what is wrong
		t.Pairs = max(1, pairs/max(1, len(otherPoints(t, m.axes))))
	}
}

func (m *racingMethod) Question(c session) string {
	return fmt.Sprintf("race %s of %s of %s against %s, at most %s; the risk of dropping the best one is at most %s.",
		text.Plural(len(otherPoints(c.Task, m.axes)), "choice"), strings.Join(c.Active, ", "), c.Game.Title, opponentName(c.Opponent),
		text.Plural(m.Pairs(c.Task), "game pair"), text.Percent(m.Drop))
}

func (m *racingMethod) Note(c session) string {
	tuner, err := c.race()
	if err != nil {
		return err.Error()
	}
	standings, _ := tuner.Standings()
	in := slices.DeleteFunc(slices.Clone(standings), func(s racing.Standing) bool { return !s.In })
	return fmt.Sprintf("%d of %d still race", len(in), len(standings))
}

func (m *racingMethod) Warnings(c session) []error {
	tuner, err := c.race()
	if err != nil || len(c.Trials) == 0 || slices.Equal(c.Best, c.Start) {
		return nil
	}
	return raceWarning(c.History, tuner, func(v params.Vector) string { return m.point(c.Task, v) })
}

func (m *racingMethod) Report(c session) (methodReport, error) {
	tuner, err := c.race()
	if err != nil {
		return methodReport{}, err
	}
	return methodReport{Sections: []reports.Section{raceSection(c.History, m.Drop, tuner,
		func(v params.Vector) string { return m.point(c.Task, v) }, c.Best)}}, nil
}
