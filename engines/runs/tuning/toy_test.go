package tuning

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/reports"
)

// climb is a third way to tune, made of nothing but a tuner, which would be a
// folder of params, and this method, which would be a file next to the others: a
// step along one parameter at a time, kept if it wins.
type climb struct {
	Iters  *int    `toml:"iters" arg:"N" help:"steps of climbing (default 20)"`
	Stride float64 `toml:"stride" help:"length of a step, in the parameters' own (default 1)"`
}

func (c *climb) Info() MethodInfo {
	return MethodInfo{Name: "climb", Doc: "step along one parameter at a time"}
}

func (c *climb) Check(t *analysis.Task) error {
	if c.Iters == nil {
		n := 20
		c.Iters = &n
	}
	if c.Stride == 0 {
		c.Stride = 1
	}
	if t.Pairs == 0 {
		t.Pairs = 4
	}
	if c.Stride < 0 {
		return config.Errorf("stride", "%v: want more than 0", c.Stride)
	}
	return nil
}

func (c *climb) Pairs(t *analysis.Task) int { return *c.Iters * t.Pairs }

func (c *climb) Tuner(t *analysis.Task, _ uint64) (params.Tuner, error) {
	return &climber{Task: t, steps: *c.Iters, stride: c.Stride, best: t.Start.Clone()}, nil
}

func (m *climb) Question(c session) string { return fmt.Sprintf("climb %d steps.", *m.Iters) }
func (m *climb) Note(c session) string     { return fmt.Sprintf("step %d", len(c.Trials)) }
func (m *climb) Warnings(c session) []error {
	if len(c.Trials) > 0 && slices.Equal(c.Best, c.Start) {
		return []error{warning("No step was taken.")}
	}
	return nil
}

func (m *climb) Report(c session) (methodReport, error) {
	return methodReport{Sections: []reports.Section{{Title: "The climb", Blocks: []reports.Block{reports.Text(m.Note(c) + " is the last.")}}}}, nil
}

// climber is its tuner: a trial starts from the values kept before.
type climber struct {
	*analysis.Task
	steps  int
	stride float64
	given  int
	known  int
	best   params.Vector
}

func (c *climber) Ask() []params.Trial {
	if c.given > c.known || c.known == c.steps {
		return nil
	}
	c.given = c.known + 1
	i := c.Indices()[c.known%len(c.Active)]
	p, x := c.Space()[i], c.best.Clone()
	x[i] = p.Clip(p.Value(p.Coordinate(x[i]) + c.stride))
	return []params.Trial{{ID: c.known, A: x, B: c.best.Clone(), Pairs: c.Task.Pairs, Openings: uint64(c.known)}}
}

func (c *climber) Tell(trial params.Trial, s params.Score) error {
	if err := trial.Check(c.Space(), c.known); err != nil {
		return err
	}
	c.known++
	c.given = max(c.given, c.known)
	if s.Mean() > 0.5 {
		c.best = slices.Clone(trial.A)
	}
	return nil
}

func (c *climber) Recommend() params.Vector { return c.best.Clone() }

// TestThirdTunerNeedsOneValue adds a method by one value in the list. Its settings are checked and
// kept, and its runs are made, killed, resumed and reported like all others; no other file knows
// it.
func TestThirdTunerNeedsOneValue(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	methods := func() []Method { return append(Methods(), &climb{}) }
	climbing := func(table map[string]any) *Config {
		defaults := map[string]any{"method": "climb", "iters": int64(24)}
		for key, value := range table {
			defaults[key] = value
		}
		return configure(newAsked("climb", methods), "bad", defaults)
	}
	r := create(t, climbing(nil))
	want := playRun(t, r, 1)
	whole := r.Head.Dir
	if want.Outcome() != shownBetter {
		t.Errorf("%s: %v", want.Conclusion(), want.Recommend())
	}
	if c := want.Head.Meta.Command; !strings.Contains(c, "--method climb ") || !strings.Contains(c, " --iters 24 --stride 1 ") || strings.Contains(c, "c-end") {
		t.Error(c)
	}
	text := page(t, want)
	if !strings.Contains(text, "## The climb\n\nstep 24 is the last.") || !strings.Contains(text, "Asked: climb 24 steps.") || strings.Contains(text, "best by its games") {
		t.Error(text)
	}
	r = create(t, climbing(nil))
	dir := r.Head.Dir
	for _, at := range []struct {
		phase string
		games int64
	}{{phaseTune, 16}, {phaseTune, 160}, {phaseVerify, 100}} {
		stopIn(t, r, at.phase, at.games)
		page(t, read(t, dir, methods))
		r = resume(t, dir, methods)
	}
	playRun(t, r, 3)
	sameRun(t, whole, dir)

	// The canonical command makes an equal config.
	again := newAsked("spsa", methods)
	if err := config.Table(again, flagsOf(want.Head.Meta.Command)); err != nil {
		t.Fatal(err)
	}
	p, err := again.Plan()
	if err != nil {
		t.Fatal(err)
	}
	copied, err := record.New(p, record.Origin{})
	if err != nil || copied.Head.Meta.Command != want.Head.Meta.Command {
		t.Errorf("%v\n%s\n%s", err, copied.Head.Meta.Command, want.Head.Meta.Command)
	}

	// A setting of two methods goes with either; one of climb alone does not.
	for _, c := range []struct {
		table map[string]any
		want  string
	}{
		{map[string]any{"c_end": 2.}, "c_end cannot be used with method climb: it is a setting of spsa"},
		{map[string]any{"method": "spsa", "stride": 2.0}, "stride cannot be used with method spsa: it is a setting of climb"},
		{map[string]any{"stride": -1.0}, "stride -1: want more than 0"},
		{map[string]any{"method": "climd"}, "did you mean climb?"},
		{map[string]any{"method": "spsa"}, ""},
	} {
		_, err := climbing(c.table).Plan()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.table, err, c.want)
		}
	}
}

// flagsOf reads a command line of --name value words.
func flagsOf(command string) map[string]any {
	words := strings.Fields(command)[1:]
	table := map[string]any{}
	for i := 0; i < len(words); i += 2 {
		name := strings.ReplaceAll(strings.TrimPrefix(words[i], "--"), "-", "_")
		list, _ := table[name].([]any)
		table[name] = append(list, words[i+1])
	}
	return table
}
