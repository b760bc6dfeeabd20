package tuning

import (
	"fmt"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

const (
	// looks is how often the verification is looked at before its minimum of pairs is
	// played: often enough to draw its course, seldom enough that workers need not wait.
	looks = 8
	// maxBatch is how many pairs the verification plays between two looks at most: they
	// are in memory until the last has ended.
	maxBatch = 2048
	// minPower is the conditional power below which a verification is given up.
	minPower = 0.1
)

// verifyPhase is the phase that decides whether the tuned values are better: they play
// the start on fresh openings.
type verifyPhase struct {
	phase
	tuned *selectPhase
	joint *jointRating

	tallies    []rating.Pairs     // tuned against start, running, after every trial
	openings   gamestats.Openings // of its games
	margins    rating.Margins     // of the tuned values
	pairMargin gamestats.PairMargin
}

func newVerifyPhase(j *jointRating) *verifyPhase {
	return &verifyPhase{phase: newPhase(j.tuned.spec, phaseVerify, j.tuned.stageIndex), tuned: j.tuned, joint: j}
}

// sequence returns the interval that may be looked at after every batch.
func (c *Config) sequence() rating.Sequence {
	tightest := c.VerifyMin
	if c.VerifySPRT.Given {
		tightest = min(minVerified*c.task.Game.TuningPairs(), c.VerifyPairs)
	}
	return rating.Sequence{Alpha: 1 - c.Level, Tightest: max(tightest, 1)}
}

// rule returns the stopping rule of a verification without a test. It is fixed before the first look;
// package rating simulates its error rate.
func (c *Config) rule() rating.Verification {
	v := rating.Verification{Sequence: c.sequence(), Most: c.VerifyPairs, MinGain: c.VerifyGain}
	if c.VerifyGain > 0 {
		v.Power = minPower
	}
	return v
}

// ruleVerdict is the schedule.Verdict of the rule of a verification.
type ruleVerdict struct{ rule rating.Verification }

func (r ruleVerdict) Decided(pairs [5]int) bool {
	switch r.rule.At(pairs).Outcome {
	case rating.Undecided, rating.Exhausted:
		return false
	}
	return true
}

func (v *verifyPhase) Source() (schedule.Source, error) {
	s := v.spec
	seats := [2]player.Config{s.tuned(v.tuned.recommend()), s.start()}
	switch {
	case s.VerifyPairs == 0 || v.tuned.same():
		return &schedule.Listed{}, nil
	case s.VerifySPRT.Given:
		return &schedule.Match{PhaseName: v.name, Seats: seats, Pairs: s.VerifyPairs, Verdict: s.VerifySPRT, First: stream(v.stageIndex)}, nil
	}
	return &schedule.Sequential{
		PhaseName: v.name, Seats: seats, Min: s.VerifyMin, Max: s.VerifyPairs, Batch: min(max(1, s.VerifyMin/looks), maxBatch),
		Verdict: ruleVerdict{s.rule()}, First: stream(v.stageIndex),
	}, nil
}

func (v *verifyPhase) Add(_ int64, f schedule.Finished) error {
	v.tallies = append(v.tallies, v.tally().Plus(f.Trial.PairCounts()))
	v.joint.addNamed("tuned", "start", f)
	if v.spec.Elsewhere != nil {
		return nil // its answers have no openings and no margins
	}
	for _, g := range f.Games {
		if margin, ok := v.pairMargin.Add(g); ok {
			v.margins.Add(margin)
		}
		v.openings.Add(g)
	}
	return nil
}

// tally returns the tally of all its pairs.
func (v *verifyPhase) tally() (t rating.Pairs) {
	if n := len(v.tallies); n > 0 {
		t = v.tallies[n-1]
	}
	return t
}

func (v *verifyPhase) Planned() (games int64, atMost bool) {
	return 2 * int64(v.spec.VerifyPairs), true
}

func (v *verifyPhase) Done() bool {
	s, pairs := v.spec, v.tally()
	switch n := pairs.N(); {
	case s.VerifyPairs == 0 || v.tuned.same():
		return v.tuned.settled()
	case n == 0:
		return false
	case n >= s.VerifyPairs:
		return true
	case s.VerifySPRT.Given:
		return s.VerifySPRT.Decided(pairs)
	default:
		return n >= s.VerifyMin && ruleVerdict{s.rule()}.Decided(pairs)
	}
}

// at returns the estimate of pairs, with an interval that holds at any time, and the state of the
// sequential test, nil without one.
func (v *verifyPhase) at(pairs rating.Pairs) (*rating.Estimate, *rating.Progress) {
	return new(v.spec.sequence().Estimate(pairs)), v.spec.VerifySPRT.At(pairs)
}

// Verified returns the estimate of the verification so far, with an interval that holds at any time, and
// the state of its sequential test, nil without one. Both are nil before its first trial.
func (v *verifyPhase) Verified() (*rating.Estimate, *rating.Progress) {
	if len(v.tallies) == 0 {
		return nil, nil
	}
	return v.at(v.tally())
}

func (v *verifyPhase) Note(partial rating.Pairs) string {
	e, test := v.at(partial.Plus(v.tally()))
	note := e.String()
	if test != nil {
		note = test.String() + "; " + note
	}
	return note
}

func (v *verifyPhase) Seats(_ int64, row datasets.TrialRow) ([2]player.Config, error) {
	return [2]player.Config{v.spec.tuned(row.A), v.spec.named("start", row.B)}, nil
}

// verifyPart is the part of a run in tables of results that verifies it.
const verifyPart = "tuned v start"

func (v *verifyPhase) Part(_ int64, row datasets.TrialRow) (runs.Part, bool) {
	name := verifyPart
	if s := v.suffix(); s != "" {
		name = "tuned" + s + " v start"
	}
	return runs.Part{Name: name, Seats: [2]player.Config{v.spec.tuned(row.A), v.spec.Start}}, true
}

func (v *verifyPhase) Warnings() []error {
	if repeats := v.openings.Caution(); repeats != "" {
		return []error{warnf("In the verification: %s", repeats)}
	}
	return nil
}

// Sections implements Phase: the match that decides.
func (v *verifyPhase) Sections() ([]reports.Section, error) {
	e, test := v.Verified()
	if e == nil {
		return nil, nil
	}
	stops, decides := v.stops(), "The match is decided when the band leaves zero."
	if test != nil {
		stops = fmt.Sprintf("The match stops as soon as a sequential test decides, after at most %s pairs: %s. %s",
			text.Count(v.spec.VerifyPairs), test.Verdict(), test.Bounds())
		decides = "The measured difference; the test decides, not the band."
	}
	table, kind := gamestats.Pairs(v.tally(), *e), ""
	if v.spec.RatePairs > 0 {
		kind = " The ratings below have intervals of this kind."
	}
	section := reports.Section{Title: "Verification", Blocks: []reports.Block{
		reports.Note("The tuned values played the start on " + v.spec.fresh() + ", both colours of each. " + stops + " " + decides),
		reports.Plot{Name: "verification", Figure: v.figure(e)},
		table,
		reports.List{
			"The running interval, in the figure and the table, holds however often one looks and whatever stopped the match: " +
				e.String() + ".",
			"The narrower interval of a single look is for a number of pairs fixed beforehand: " +
				v.tally().Estimate(v.spec.Level).String() + "." + kind + " It does not decide.",
		},
	}}
	if v.margins.N() > 0 {
		section.Blocks = append(section.Blocks,
			reports.Text("The margin of the tuned values, the mean of a pair's two games: "+v.margins.Text(v.spec.Level,
				v.spec.task.Game.Margins.Unit)+"; at a single look."))
	}
	return []reports.Section{section}, nil
}

// stops describes when a verification by its interval stops.
func (v *verifyPhase) stops() string {
	s := v.spec
	if s.VerifyMin == s.VerifyPairs {
		return fmt.Sprintf("The match has a fixed length of %s pairs.", text.Count(s.VerifyPairs))
	}
	line := fmt.Sprintf("The match stops as soon as the running interval excludes an even score, after at least %s and at most %s pairs.",
		text.Count(s.VerifyMin), text.Count(s.VerifyPairs))
	if s.VerifyGain > 0 {
		line += fmt.Sprintf(" It is given up earlier once a gain of %v Elo is excluded, or has a chance below %s of being shown.", s.VerifyGain,
			text.Percent(minPower))
	}
	return line
}

// figure draws the running difference.
func (v *verifyPhase) figure(e *rating.Estimate) figure.Curve {
	level := text.Level(v.spec.Level)
	fig := figure.Curve{
		Title:    "Tuned against start",
		Subtitle: "running Elo difference with its " + level + " confidence sequence, " + v.spec.fresh(),
		Level:    level + " confidence sequence",
		Verdict:  e.String(),
		XLabel:   "game pairs", Name: "Elo so far",
	}
	for _, tally := range v.tallies {
		e := v.spec.sequence().Estimate(tally)
		point := figure.Point{X: float64(tally.N()), Y: e.Elo, N: tally.N()}
		if !e.Few { // else there is no interval yet
			point.Lo, point.Hi = e.EloRange.Low, e.EloRange.High
		}
		fig.Line = append(fig.Line, point)
	}
	return fig
}

// newOpenings describes the openings of the phases after the tuner.
func (c *Config) newOpenings() string {
	switch {
	case c.Elsewhere != nil:
		return "fresh seeds"
	case c.InOrder():
		return "openings drawn anew from the file"
	}
	return "fresh openings"
}

// fresh describes the same, and the tuner's own openings among them.
func (c *Config) fresh() string {
	if c.InOrder() {
		return c.newOpenings() + ", which the tuner drew from, too"
	}
	return c.newOpenings() + ", which the tuner never saw"
}
