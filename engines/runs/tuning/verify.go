package tuning

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
)

// Files that a finished run leaves in its directory.
const (
	TunedName = "tuned.toml" // the tuned values, whatever they are worth: it says so
	StartName = "start.toml" // where the tuning started
)

// Outcome is what a run has shown about its tuned values.
type Outcome int

// Outcomes.
const (
	Unverified Outcome = iota // nothing is known about their strength, or not yet
	Same                      // nothing better than the start was found: they are the start's
	Better
	NotShown // not shown to be better
	Worse
)

// String says it in a word or two.
func (o Outcome) String() string {
	return [...]string{"unverified", "same", "better", "not shown to be better", "worse"}[o]
}

// MarshalText is String.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// KeepStart reports whether whoever asked does best to keep the start.
func (o Outcome) KeepStart() bool { return o == Same || o == NotShown || o == Worse }

// Outcome is what the verification has shown, once it is over.
func (t *Result) Outcome() Outcome {
	switch {
	case !t.tuned():
		return Unverified
	case slices.Equal(t.Recommend(), t.Spec.Start.Values):
		return Same
	case t.Spec.byPool():
		return t.poolOutcome()
	}
	e, test := t.Verified()
	switch {
	case e == nil || !t.verified():
		return Unverified
	case e.Decided() < 0:
		return Worse
	case test != nil && test.State == rating.AcceptH1 && test.Test.Elo0 >= 0, test == nil && e.Decided() > 0:
		return Better
	}
	return NotShown
}

// Verdict is the outcome in words, with its numbers, and a mark if programs that do
// not repeat played for it.
func (t *Result) Verdict() string { return runs.Marked(t.verdict(), t.Spec.players()...) }

func (t *Result) verdict() string {
	e, test := t.Verified()
	switch {
	case t.tuned() && slices.Equal(t.Recommend(), t.Spec.Start.Values):
		return "nothing better than the start was found"
	case t.Spec.byPool():
		return t.poolVerdict()
	case e == nil:
		return "not verified: nothing is known about its strength"
	case test != nil:
		return test.Verdict() + "; measured " + e.String()
	}
	if look := t.Spec.rule().At(t.Verify[len(t.Verify)-1]); look.Outcome == rating.GainTooSmall || look.Outcome == rating.Hopeless {
		return "not shown to be better, " + look.String()
	}
	return e.Verdict()
}

// Advice is what to do with the tuned values; "" where they were shown to be
// better and nothing need be said.
func (t *Result) Advice() string {
	const more = " A longer run, more pairs an iteration or a longer verification may tell."
	switch t.Outcome() {
	case NotShown:
		return "Keep the start: the tuned values were not shown to be better." + more
	case Worse:
		return "Keep the start: the tuned values are worse."
	case Same:
		return "Keep the start: the tuned values are the same."
	case Unverified:
		if t.Finished() {
			return "The tuned values were not verified: do not call them better."
		}
	}
	return ""
}

// Verified is what the verification shows so far, by an interval that holds
// whenever one looks, and where its sequential test stands, nil without one. Both
// are nil before its first trial.
func (t *Result) Verified() (*rating.Estimate, *rating.Progress) {
	if len(t.Verify) == 0 {
		return nil, nil
	}
	return t.Spec.judge(t.Verify[len(t.Verify)-1])
}

// judge is what pairs of the verification show.
func (s *Spec) judge(pairs rating.Pairs) (*rating.Estimate, *rating.Progress) {
	e := s.Sequence().Estimate(pairs)
	return &e, s.VerifySPRT.At(pairs)
}

// Sequence is the interval that may be looked at after every batch.
func (s *Spec) Sequence() rating.Sequence {
	tightest := s.VerifyMin
	if s.VerifySPRT.Given {
		tightest = min(minVerified*s.task.Game.TuningPairs(), s.VerifyPairs)
	}
	return rating.Sequence{Alpha: 1 - s.Level, Tightest: max(tightest, 1)}
}

// fewChances is the conditional power below which a verification is given up.
const fewChances = 0.1

// rule says when a verification without a test is over. It is fixed before the
// first look; rating simulates how often it errs.
func (s *Spec) rule() rating.Verification {
	v := rating.Verification{Sequence: s.Sequence(), Most: s.VerifyPairs, MinGain: s.VerifyGain}
	if s.VerifyGain > 0 {
		v.Power = fewChances
	}
	return v
}

// decided is the campaign.Verdict of the rule of a verification.
type decided struct{ rule rating.Verification }

// Decided implements campaign.Verdict.
func (d decided) Decided(pairs [5]int) bool {
	switch d.rule.At(pairs).Outcome {
	case rating.Undecided, rating.Exhausted:
		return false
	}
	return true
}

// verification is the match that decides whether the tuned values are better.
func (s *Spec) verification(best params.Vector, stage int) schedule.Source {
	seats := [2]player.Config{s.tuned(best), s.start()}
	switch {
	case s.VerifyPairs == 0 || slices.Equal(best, s.Start.Values):
		return &schedule.Listed{}
	case s.VerifySPRT.Given:
		return &schedule.Match{PhaseName: PhaseVerify, Seats: seats, Pairs: s.VerifyPairs, Verdict: s.VerifySPRT, First: stream(stage)}
	}
	return &schedule.Sequential{
		PhaseName: PhaseVerify, Seats: seats, Min: s.VerifyMin, Max: s.VerifyPairs, Batch: min(max(1, s.VerifyMin/looks), maxBatch),
		Verdict: decided{s.rule()}, First: stream(stage),
	}
}

// verified reports whether the verification has nothing left to play.
func (t *Result) verified() bool {
	s := t.Spec
	if s.VerifyPairs == 0 || slices.Equal(t.Recommend(), s.Start.Values) {
		return t.tuned()
	}
	if len(t.Verify) == 0 {
		return false
	}
	pairs := t.Verify[len(t.Verify)-1]
	switch n := pairs.N(); {
	case n >= s.VerifyPairs:
		return true
	case s.VerifySPRT.Given:
		return s.VerifySPRT.Decided(pairs)
	default:
		return n >= s.VerifyMin && decided{s.rule()}.Decided(pairs)
	}
}

const (
	// mostBatch is how many pairs the verification plays between two looks at most:
	// they are in memory until the last has ended.
	maxBatch = 2048
	// mostAgainst bounds the pairs of start and of tuned against an opponent.
	maxAgainst = 1_000_000
)

// file is a parameter file of the run, with a comment on top that says what it
// is worth.
func (t *Result) file(name, doc string, values params.Vector) []byte {
	f := params.File{Game: t.Spec.task.Game.Name, Name: name, Doc: doc, Vector: values}
	return append([]byte("# "+doc+"\n"), f.Encode(t.Spec.task.Space())...)
}

// Files implements run.Result.
func (t *Result) Files() (map[string][]byte, error) {
	name := filepath.Base(filepath.Clean(t.Head.Dir))
	files := map[string][]byte{
		TunedName: t.file(name, t.fileDoc(), t.Recommend()),
		StartName: t.file(name+"-start", "Where the tuning started.", t.Spec.Start.Values),
	}
	space, err := t.Spec.tunedSpace(t.Recommend())
	if err != nil {
		return nil, err
	}
	maps.Copy(files, space)
	return files, t.programFiles(files)
}

// fileDoc says in the file of the tuned values what they are worth. It names no
// folder, so that equal runs leave equal files wherever they are.
func (t *Result) fileDoc() string {
	o, verdict := t.Outcome(), t.Verdict()
	if e, test := t.Verified(); e != nil && test == nil && !t.Spec.byPool() {
		verdict = runs.Marked(e.String(), t.Spec.players()...) // the words stand before it
	}
	if g := t.OverPool(); g != nil {
		verdict = runs.Marked(g.String(), t.Spec.players()...)
	}
	if t.Spec.Program != nil {
		return t.programDoc(o, verdict)
	}
	play := ""
	if t.Spec.Objective == nil {
		play = t.watching()
	}
	switch o {
	case Better:
		return "Better than the start: " + verdict + "." + play
	case NotShown:
		return "NOT SHOWN TO BE BETTER THAN THE START: " + verdict + ". Keep " + StartName + "." + play
	case Worse:
		return "WORSE THAN THE START: " + verdict + ". Keep " + StartName + "." + play
	case Same:
		return "The same as the start: " + verdict + "."
	}
	return "NOT VERIFIED: nothing is known about the strength of these values." + play
}

// watching is how to see the tuned values play, as a sentence.
func (t *Result) watching() string {
	return fmt.Sprintf(" To see them play, in this folder: selfplay match --game %s --rules %s --a %s --b %s",
		runs.Quote(t.Head.Meta.Game), runs.Quote(t.Head.Meta.Rules), runs.Quote(t.playing(TunedName)), runs.Quote(t.playing(StartName)))
}

// playing is a file as a player within the limits it was tuned for.
func (t *Result) playing(file string) string {
	if l := t.Spec.Start.Limits; !l.IsZero() {
		return file + "@" + l.String()
	}
	return file
}

// verification is the section of the match that decides.
func (t *Result) verification() reports.Section {
	s := t.Spec
	level := gamestats.Level(s.Level)
	e, test := t.Verified()
	fig := figure.EloSequence{
		Title:    "Tuned against start",
		Subtitle: "running Elo difference with its " + level + " confidence sequence, " + t.fresh(),
		Level:    level + " confidence sequence",
		Verdict:  e.String(),
	}
	for _, tally := range t.Verify {
		e := s.Sequence().Estimate(tally)
		point := figure.Point{X: float64(tally.N()), Y: e.Elo, N: tally.N()}
		if !e.Few { // else there is no interval yet
			point.Lo, point.Hi = e.EloRange.Low, e.EloRange.High
		}
		fig.Points = append(fig.Points, point)
	}
	tally := t.Verify[len(t.Verify)-1]
	stops := fmt.Sprintf("The match stops as soon as the running interval excludes an even score, after at least %s and at most %s pairs.", gamestats.Count(s.VerifyMin), gamestats.Count(s.VerifyPairs))
	if s.VerifyGain > 0 {
		stops += fmt.Sprintf(" It is given up before where a gain of %v Elo is excluded, or would be shown with a chance below %s only.", s.VerifyGain, gamestats.Percent(fewChances))
	}
	caption := "The match is decided when the band leaves zero."
	if test != nil {
		stops = fmt.Sprintf("The match stops as soon as a sequential test decides, after at most %s pairs: %s. %s", gamestats.Count(s.VerifyPairs), test.Verdict(), test.Bounds())
		caption = "The measured difference; it is the test that decides."
	}
	section := reports.Section{Title: "Verification", Blocks: []reports.Block{
		reports.Text("The tuned values played the start on " + t.fresh() + ", both colours of each. " + stops),
		reports.Plot{Name: "verification", Caption: caption, Figure: fig},
		gamestats.Pairs(tally, *e),
		reports.List{
			"The running interval, in the figure and the table, may be looked at any number of times and holds whatever stopped the match: " + e.String() + ".",
			"The interval of one look, narrower, is for a number of pairs that was fixed beforehand: " + tally.Estimate(s.Level).String() + ". It is of the kind that the ratings below have, and does not decide.",
		},
	}}
	if t.Margins.N() > 0 {
		section.Blocks = append(section.Blocks, reports.Text("The margin of the tuned values, the mean of a pair's two games: "+t.Margins.Text(s.Level, s.task.Game.Margins.Unit)+"; at one look."))
	}
	return section
}

// fresh says which openings the verification had.
func (t *Result) fresh() string {
	if t.Spec.Objective != nil {
		return "fresh seeds, which the tuner never saw"
	}
	if t.Spec.InOrder() {
		return "openings drawn anew from the file, which the tuner drew from, too"
	}
	return "fresh openings, which the tuner never saw"
}
