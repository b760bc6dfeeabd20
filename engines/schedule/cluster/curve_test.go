package cluster

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"selfplaylab/datasets"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// The curve shows how much of a number of machines a run can use. It is published; this
// command, which takes minutes, simulates it again:
const curveCommand = "SELFPLAYLAB_LONG=1 SELFPLAYLAB_UPDATE=1 go test ./engines/schedule/cluster -run Curve -timeout 0"

// curveDir is the folder of the published curve, and curveRows the file of its rows.
const (
	curveDir  = "../../../reports/published/cluster"
	curveRows = "curve.csv"
)

// tournamentSeconds is the duration of a simulated tournament if no machine ever waits.
const tournamentSeconds = 300

// tuningPairs is the number of pairs in flight of a tuning for each worker.
const tuningPairs = 10

// The two kinds of runs.
const (
	tournament = "tournament" // games have no order
	tuning     = "tuning"     // steps build on each other
)

// curveRow is the result of some simulations.
type curveRow struct {
	Workers  int     `csv:"workers"`
	What     string  `csv:"what"` // tournament or tuning
	Repeats  int     `csv:"repeats"`
	InUse    float64 `csv:"in_use"`             // mean share of the pairs that the machines could have played
	Half     float64 `csv:"half"`               // half of its 95 % interval, by Student's t; NaN for one simulation
	Twice    float64 `csv:"twice"`              // share of pairs that were played more than once
	Pairs    float64 `csv:"pairs_per_second"`   // pairs played
	Answers  float64 `csv:"answers_per_second"` // answers to the coordinator
	Busy     float64 `csv:"coordinator_busy"`   // share of the time in which the coordinator worked
	Crashes  float64 `csv:"crashes"`
	Duration float64 `csv:"seconds"`
}

// curve is the result of all simulations.
type curve struct {
	workers  []int      // numbers of workers, with one core each
	repeats  int        // simulations of each, with seeds from 1; at least 1
	machines Simulation // without the number of workers and the seed
	rows     []curveRow // by workers, tournament and tuning
}

// simulated runs all simulations.
func simulated(repeats int, workers ...int) *curve {
	c := &curve{workers: workers, repeats: repeats, machines: Laboratory(1)}
	for _, n := range workers {
		for _, what := range []string{tournament, tuning} {
			c.rows = append(c.rows, c.row(what, n))
		}
	}
	return c
}

func (c *curve) row(what string, workers int) curveRow {
	row := curveRow{What: what, Workers: workers, Repeats: c.repeats}
	var used []float64
	for seed := range c.repeats {
		sim := c.machines
		sim.Workers, sim.Seed = workers, uint64(seed+1)
		var s Simulated
		if what == tuning {
			s = SimulateTuning(sim, tuningPairs)
		} else {
			s = SimulateTournament(sim, tournamentSeconds)
		}
		used = append(used, s.Efficiency)
		n := float64(c.repeats)
		row.Twice += s.Twice / n
		row.Pairs += float64(s.Pairs) / s.Seconds / n
		row.Answers += s.Answers / n
		row.Busy += s.Busy / n
		row.Crashes += float64(s.Crashes) / n
		row.Duration += s.Seconds / n
	}
	mean, deviation := stat.MeanStdDev(used, nil)
	row.InUse, row.Half = mean, math.NaN()
	if n := float64(len(used)); n > 1 {
		row.Half = deviation / math.Sqrt(n) * rating.Student(len(used), .95)
	}
	return row
}

// find returns the row of a kind and number of workers, nil if there is none.
func (c *curve) find(what string, workers int) *curveRow {
	for i := range c.rows {
		if c.rows[i].What == what && c.rows[i].Workers == workers {
			return &c.rows[i]
		}
	}
	return nil
}

// use returns the share in use as text, with its interval.
func (c *curveRow) use() string {
	if math.IsNaN(c.Half) {
		return fmt.Sprintf("%.1f %%", 100*c.InUse)
	}
	return fmt.Sprintf("%.1f ± %.1f %%", 100*c.InUse, 100*c.Half)
}

// name returns a row's kind as people read it.
func (c *curve) name(what string) string {
	if what == tuning {
		return fmt.Sprintf("tuning, %v pairs in flight a worker", tuningPairs)
	}
	return what
}

// table returns the curve as cells, headings first; all columns except the second are numbers.
func (c *curve) table() [][]string {
	t := [][]string{{"workers", "what", "in use", "played twice", "pairs/s", "answers/s", "coordinator busy", "crashes"}}
	for i := range c.rows {
		row := &c.rows[i]
		t = append(t, []string{
			text.Count(row.Workers), c.name(row.What), row.use(), fmt.Sprintf("%.1f %%", 100*row.Twice),
			fmt.Sprintf("%.1f", row.Pairs), fmt.Sprintf("%.1f", row.Answers), fmt.Sprintf("%.1f %%", 100*row.Busy), fmt.Sprintf("%.0f", row.Crashes),
		})
	}
	return t
}

// good is the share from which the lead calls workers well used.
const good = 0.9

// page returns the curve as a page.
func (c *curve) page() reports.Page {
	cells := c.table()
	t := reports.Table{Rows: cells[1:]}
	for i, name := range cells[0] {
		t.Columns = append(t.Columns, reports.Column{Name: name, Right: i != 1})
	}
	sections := []reports.Section{{Title: "By number of workers", Blocks: []reports.Block{t}}}
	if len(c.workers) > 1 {
		sections[0].Blocks = []reports.Block{c.figure(), t}
	}
	return reports.Page{
		Title: c.title(),
		Subtitle: fmt.Sprintf("simulated: the scheduler of real runs on machines that are made up; %s of each",
			text.Plural(c.repeats, "simulation")),
		Lead:     []string{c.finding(tournament), c.finding(tuning), c.limit()},
		Sections: append(sections, c.notes()),
		Facts: []reports.Fact{{Key: "command", Value: curveCommand}, {Key: "rows", Value: curveRows},
			{Key: "seeds", Value: fmt.Sprintf("1 to %d", c.repeats)}},
	}
}

// title states the share of a thousand workers, or of the largest number.
func (c *curve) title() string {
	n := c.workers[len(c.workers)-1]
	if slices.Contains(c.workers, 1000) {
		n = 1000
	}
	return fmt.Sprintf("Of %s a tournament uses %s, a tuning %s", text.Plural(n, "worker"), c.find(tournament, n).use(),
		c.find(tuning, n).use())
}

// finding states the number of workers that one kind of run uses well, and the effect of more.
func (c *curve) finding(what string) string {
	var well []int
	var more []string
	for _, n := range c.workers {
		if row := c.find(what, n); row.InUse >= good {
			well = append(well, n)
		} else {
			more = append(more, fmt.Sprintf("%s, %s", text.Plural(n, "worker"), row.use()))
		}
	}
	line := strings.ToUpper(what[:1]) + c.name(what)[1:]
	if len(well) > 0 {
		line += fmt.Sprintf(": at least 90 %% in use up to %s", text.Plural(slices.Max(well), "worker"))
	}
	if len(more) > 0 {
		line += "; of " + strings.Join(more, "; of ")
	}
	return line + "."
}

// limit states the bottleneck of the largest number.
func (c *curve) limit() string {
	n := slices.Max(c.workers)
	row := c.find(tuning, n)
	line := fmt.Sprintf("With %s the coordinator takes %.0f answers a second in a tuning and is busy %.0f %% of the time",
		text.Plural(n, "worker"), row.Answers, 100*row.Busy)
	if row.InUse < good {
		line += "; pieces of work are made longer so that it keeps up, and then too few of them are in flight: a tuning of more pairs in " +
			"flight, or several seeds at once, uses more"
	}
	return line + "."
}

// figure returns the curve as a figure.
func (c *curve) figure() reports.Block {
	fig := figure.Lines{
		Title:    "How much of the machines is used",
		Subtitle: fmt.Sprintf("mean of %s, 95 %% intervals", text.Plural(c.repeats, "simulation")),
		XLabel:   "workers of one core", YLabel: "in use, %", LogX: true,
		Levels: []figure.Level{{Y: 100 * good, Label: "90 %"}},
	}
	for _, what := range []string{tournament, tuning} {
		s := figure.Series{Name: what}
		for _, n := range c.workers {
			row := c.find(what, n)
			p := figure.Point{X: float64(n), Y: 100 * row.InUse}
			if row.Half > 0 {
				p.Lo, p.Hi = p.Y-100*row.Half, p.Y+100*row.Half
			}
			s.Points = append(s.Points, p)
		}
		fig.Series = append(fig.Series, s)
	}
	return reports.Plot{Name: "use",
		Caption: "All that machines could have played while they were up is 100 %; what was played twice is not counted.", Figure: fig}
}

// notes lists the simulated quantities.
func (c *curve) notes() reports.Section {
	m := c.machines
	list := reports.List{
		fmt.Sprintf("A pair of games takes %s on average on a machine of speed 1, with a spread (standard deviation over mean) of %v. Speeds "+
			"are from %.2g to %.2g.", span(m.Pair), m.Spread, 1-m.Uneven, 1+m.Uneven),
		fmt.Sprintf("A message takes %s; an answer costs the coordinator %s, and %s for each pair in it, as measured for Quoridor on one "+
			"core, with the broker in the same process.", span(m.Latency), span(m.Answer), span(m.Row)),
		fmt.Sprintf("The tournament would take %d s if nobody ever waited. The tuning has 300 iterations, of which 11 are under way: steps "+
			"may run a thirtieth of the iterations behind their results.", tournamentSeconds),
		"A machine is in use while it plays pairs that count. The tail, in which the last pairs are awaited, is part of it: longer runs use " +
			"more.",
		fmt.Sprintf("A machine crashes every %s on average and is back after %s; nothing of what it played is known then.", span(m.Crash),
			span(m.Back)),
	}
	return reports.Section{Title: "How it was measured",
		Blocks: []reports.Block{list, reports.Text("The same rows again:"), reports.Code(curveCommand)}}
}

// span returns a time for people.
func span(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(time.Microsecond).String()
}

// TestCurveRepeatsAndIsDescribed simulates twice: each number of workers has its two rows,
// equal both times, with an interval if there are several simulations. The page contains the
// figures of the rows.
func TestCurveRepeatsAndIsDescribed(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates many workers")
	}
	c, dir := simulated(2, 1, 40), t.TempDir()
	if testmode.Long() && testmode.Update() {
		c, dir = simulated(4, 1, 10, 30, 100, 300, 1000, 3000, 10_000), curveDir
	}
	for _, row := range c.rows {
		if !(row.InUse > 0.5 && row.InUse <= 1) || math.IsNaN(row.Half) || row.Pairs <= 0 {
			t.Errorf("%+v", row)
		}
	}
	if again := simulated(c.repeats, c.workers[:2]...); !slices.Equal(again.rows, c.rows[:4]) {
		t.Errorf("rows %+v, again %+v", c.rows[:4], again.rows)
	}
	data, err := datasets.EncodeCSV(c.rows)
	if err == nil {
		err = c.page().WriteReadme(dir, datasets.WriteFile)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, curveRows), data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	last := c.workers[len(c.workers)-1]
	for _, want := range []string{c.find(tournament, last).use(), text.Count(last) + " workers", curveCommand, "figures/use.svg"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
}

// TestOneSimulationHasNoInterval: a text on a single simulation states no interval.
func TestOneSimulationHasNoInterval(t *testing.T) {
	c := simulated(1, 3)
	if use := c.table()[1][2]; strings.Contains(use, "±") {
		t.Errorf("one simulation has %s in use", use)
	}
	if data, err := datasets.EncodeCSV(c.rows); err != nil || strings.Contains(string(data), "NaN") {
		t.Errorf("%v:\n%s", err, data)
	}
}
