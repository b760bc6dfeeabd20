package tuning

import (
	"slices"
	"strings"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/params/grid"
	"selfplaylab/params/racing"
	"selfplaylab/reports"
)

// checkRace checks what is chosen beside the numbers.
func (m *Quad) checkRace(t *analysis.Task) error {
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
	if m.combinations() == 1 && len(others(t, m.axes)) == 0 {
		return config.Errorf("choice", "leaves nothing to choose but the start")
	}
	return m.checkSize(t)
}

// combinations is how many choices there are, the start among them or not.
func (m *raceAsked) combinations() int {
	n := 1
	for _, a := range m.axes {
		n *= len(a.Values)
	}
	return n
}

// choices are the parameters that are chosen, and their values but the start's.
func (m *raceAsked) choices(t *analysis.Task) (chosen []int, values []params.Vector) {
	for _, a := range m.axes {
		chosen = append(chosen, a.Param)
	}
	for _, v := range others(t, m.axes) {
		var list params.Vector
		for _, i := range chosen {
			list = append(list, v[i])
		}
		values = append(values, list)
	}
	return chosen, values
}

// choiceSection tells of the race beside the numbers.
func (m *Quad) choiceSection(c *analysis.History, race *racing.Tuner) reports.Section {
	standings, start := race.Standings()
	section := raceSection(c, defaultDrop, standings, start, m.choiceName(c), race.Recommend())
	section.Blocks = append([]reports.Block{
		reports.Text("Beside the numbers choices raced, a leg of the race after every turn of the numbers, each leg with the numbers found by then; the numbers went on with the choice that led."),
	}, section.Blocks...)
	return section
}

// choiceName calls the choices of that race.
func (m *Quad) choiceName(c *analysis.History) func(params.Vector) string {
	var space params.Space
	var list []grid.Axis
	for k, a := range m.axes {
		space, list = append(space, c.Space()[a.Param]), append(list, grid.Axis{Param: k})
	}
	return func(v params.Vector) string { return pointName(space, list, v) }
}
