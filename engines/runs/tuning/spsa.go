package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/params/spsa"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// spsaMethod is the Method by params/spsa: all parameters at once, by fishtest's schedule.
type spsaMethod struct {
	Iters *int     `group:"Length and stopping" toml:"iters" label:"Iterations" arg:"N" help:"spsa: iterations of --pairs game pairs each (default 1000)"`
	CEnd  *float64 `group:"Method and parameters" toml:"c_end" label:"Width of probes" arg:"STEPS" help:"spsa: half-width of the probes at the end, in steps of each parameter (default 3; advice: a width by which a parameter alone loses 2 to 3 Elo)"`
}

const (
	defaultIters = 1000
	// inFlight is the number of iterations that run at the same time, fewer where the tuner would
	// suffer from it. It is part of the result, so it does not follow the number of workers: with
	// the default of 32 pairs an iteration, it keeps 64 workers busy.
	inFlight = 4
)

func (s *spsaMethod) Info() MethodInfo {
	return MethodInfo{
		Name: "spsa", Doc: "move all parameters at once, play the two mirror images, follow the winner: fishtest's " +
			"schedule", Version: spsa.Version, Former: []string{"gains"},
		Margins: true, SetPairs: s.setPairs,
	}
}

// setPairs sets iterations of one pair for a game without a number of pairs.
func (s *spsaMethod) setPairs(t *analysis.Task, pairs int) {
	s.Iters = new(max(1, pairs/max(1, t.Pairs)))
}

func (s *spsaMethod) Check(t *analysis.Task) error {
	if s.Iters == nil {
		s.Iters = new(defaultIters)
	}
	if s.CEnd == nil {
		s.CEnd = new(float64(spsa.DefaultCEnd))
	}
	t.Pairs = cmp.Or(t.Pairs, t.Game.TuningPairs())
	if *s.Iters < 1 || *s.Iters > math.MaxInt32 {
		return config.Errorf("iters", "%d: want at least 1 and at most %d", *s.Iters, math.MaxInt32)
	}
	if t.Pairs > runs.MaxInTrial {
		return config.Errorf("pairs", "%d: want at most %d of an iteration: more iterations learn more", t.Pairs, runs.MaxInTrial)
	}
	if !(*s.CEnd > 0 && *s.CEnd <= maxCEnd) {
		return config.Errorf("c_end", "%g: want more than 0 and at most %g steps", *s.CEnd, maxCEnd)
	}
	return nil
}

// maxCEnd is wider than any range that is tuned.
const maxCEnd = 1e6

func (s *spsaMethod) Pairs(t *analysis.Task) int { return *s.Iters * t.Pairs }

func (s *spsaMethod) Tuner(t *analysis.Task, seed uint64) (params.Tuner, error) {
	schedule := spsa.DefaultSchedule()
	schedule.CEnd = *s.CEnd
	return spsa.New(spsa.Settings{
		Space: t.Space(), Start: t.Start, Active: t.Indices(), Iterations: *s.Iters, Pairs: t.Pairs, Seed: seed,
		Delay: min(inFlight, spsa.MostDelay(*s.Iters)), Schedule: schedule,
	})
}

func (s *spsaMethod) Question(c session) string {
	return fmt.Sprintf("tune %s of %s%s by spsa over %s iterations of %s.",
		text.Plural(len(c.Active), "parameter"), c.Game.Title, c.meets(), text.Count(*s.Iters), text.Plural(c.Task.Pairs, "game pair"))
}

func (s *spsaMethod) Note(c session) string {
	return text.Plural(len(c.Trials), "trial")
}

func (s *spsaMethod) Warnings(session) []error { return nil }

// errMirrored explains why no quadratic is read from these games: on the exam its 95 % intervals
// held the truth in 75 to 83 % only.
var errMirrored = errors.New("the two players of a trial are mirror images, which show slopes alone, and the path that would show the " +
	"rest follows the luck of the same games. The method quad tells what each parameter is worth")

func (s *spsaMethod) Report(t session) (methodReport, error) {
	return methodReport{Sections: []reports.Section{s.trialSection(t.History), analysis.NotKnown(errMirrored)}}, nil
}

// trialSection shows the scores of the trials.
func (s *spsaMethod) trialSection(c *analysis.History) reports.Section {
	var scores []figure.TrialScore
	for i := range c.Trials {
		t := &c.Trials[i]
		scores = append(scores, figure.TrialScore{Iteration: float64(i + 1), Score: 100 * t.Pairs.Score(), Pairs: t.Pairs.N()})
	}
	note := "Every trial is a match of two mirror images around the iterate, so scores stay near one half; a spread far beyond the " +
		"interval would mean probes too wide."
	if c.Opponent != "" {
		note = "Every trial is two mirror images around the iterate that play the opponent in turn; the score is one half plus half the " +
			"difference of theirs, and stays near one half."
	}
	return reports.Section{Title: "How it went", Blocks: []reports.Block{
		reports.Note(note), reports.Plot{Name: "probes", Figure: figure.Lines{
			Title: "Scores of the probes", Subtitle: fmt.Sprintf("%s of %s, "+
				"grouped", text.Plural(len(scores), "trial"), text.Plural(c.Task.Pairs, "pair")),
			XLabel: "iteration", YLabel: "score of the trial, %", Band: "95 % interval", Levels: []figure.Level{{Y: 50, Label: "even"}},
			Series: []figure.Series{{Name: "mean", Points: figure.BinScores(scores, 40), Band: true}},
		}},
	}}
}
