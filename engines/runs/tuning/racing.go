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

func (r *racingMethod) Info() MethodInfo {
	return MethodInfo{
		Name: "racing", Doc: "race choices among names, switches and whole numbers on the same openings; those shown to be worse drop out",
		Tuned: r.tuned, Point: r.point, SetPairs: r.setPairs,
		Stopped: raceOver,
	}
}

// tuned reads the choices, and names their parameters.
func (r *racingMethod) tuned(space params.Space) ([]string, error) {
	if len(r.Choice) == 0 {
		return nil, config.Wrap("choice", errors.New("want at least one, as name=v1,v2"))
	}
	return r.raced(space)
}

func (r *racingMethod) Check(t *analysis.Task) error {
	t.Pairs = cmp.Or(t.Pairs, defaultPoint)
	r.Drop = cmp.Or(r.Drop, defaultDrop)
	if err := checkDrop(r.Drop); err != nil {
		return err
	}
	if _, err := r.tuned(t.Space()); err != nil {
		return err
	}
	if err := checkActive("choice", t, r.axes); err != nil {
		return err
	}
	return r.checkSize(t)
}

func (r *racingMethod) Pairs(t *analysis.Task) int { return len(otherPoints(t, r.axes)) * t.Pairs }

func (r *racingMethod) Tuner(t *analysis.Task, _ uint64) (params.Tuner, error) {
	tuner, err := racing.New(racing.Settings{Space: t.Space(), Start: t.Start, Candidates: otherPoints(t, r.axes), Pairs: r.Pairs(t), Alpha: r.Drop})
	return tuner, config.Wrap("pairs", err)
}

// setPairs shares a budget among all choices.
func (r *racingMethod) setPairs(t *analysis.Task, pairs int) {
	if _, err := r.tuned(t.Space()); err == nil { // else Check says what is wrong
		t.Pairs = max(1, pairs/max(1, len(otherPoints(t, r.axes))))
	}
}

func (r *racingMethod) Question(c session) string {
	return fmt.Sprintf("race %s of %s of %s against %s, at most %s; the risk of dropping the best one is at most %s.",
		text.Plural(len(otherPoints(c.Task, r.axes)), "choice"), strings.Join(c.Active, ", "), c.Game.Title, opponentName(c.Opponent),
		text.Plural(r.Pairs(c.Task), "game pair"), text.Percent(r.Drop))
}

func (r *racingMethod) Note(c session) string {
	tuner, err := c.race()
	if err != nil {
		return err.Error()
	}
	standings, _ := tuner.Standings()
	in := slices.DeleteFunc(slices.Clone(standings), func(s racing.Standing) bool { return !s.In })
	return fmt.Sprintf("%d of %d still race", len(in), len(standings))
}

func (r *racingMethod) Warnings(c session) []error {
	tuner, err := c.race()
	if err != nil || len(c.Trials) == 0 || slices.Equal(c.Best, c.Start) {
		return nil
	}
	return raceWarning(c.History, tuner, func(v params.Vector) string { return r.point(c.Task, v) })
}

func (r *racingMethod) Report(c session) (methodReport, error) {
	tuner, err := c.race()
	if err != nil {
		return methodReport{}, err
	}
	return methodReport{Sections: []reports.Section{raceSection(c.History, r.Drop, tuner,
		func(v params.Vector) string { return r.point(c.Task, v) }, c.Best)}}, nil
}
