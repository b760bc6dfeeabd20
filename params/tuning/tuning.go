// Package tuning drives a tuner with matches: it keeps the run directory,
// resumes what was killed, and verifies the outcome on fresh openings before
// calling it better. It proposes no values itself and plays no game itself.
package tuning

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/catalog"
	"selfplaylab/engines/match"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
)

// Phases of a run, as recorded.
const (
	PhaseTune   = "tune" // PhaseScreen comes before it
	PhaseVerify = "verify"
)

// TunedName is the parameter file a finished run leaves in its directory.
const TunedName = "tuned.toml"

// Spec is what is asked of a tuning run: the [spec] table of its run.toml.
// Together with the Meta it decides every game.
type Spec struct {
	Method string    `toml:"method"`
	Start  string    `toml:"start"`  // where the start values come from, for people
	Values []float64 `toml:"values"` // the start
	Active []string  `toml:"active"` // names of the parameters tuned

	Iterations int      `toml:"iterations"` // of SPSA
	Pairs      int      `toml:"pairs"`      // game pairs an iteration, or a point of a grid
	Gains      string   `toml:"gains"`      // of SPSA: budget or classic
	Grid       []string `toml:"grid"`       // axes of a grid

	OpeningPlies int `toml:"opening_plies"`

	// Screen is the number of game pairs that test each parameter alone before
	// tuning; 0 for none.
	Screen int `toml:"screen"`

	// Verification: tuned against start on fresh openings, at least VerifyMin
	// pairs, then until the interval of the given Level excludes an even score,
	// at most VerifyMax pairs. VerifyMax 0 verifies nothing.
	VerifyMin int     `toml:"verify_min"`
	VerifyMax int     `toml:"verify_max"`
	Level     float64 `toml:"level"`

	// VerifySPRT, if not "", is the test (as rating.ParseSPRT reads it) that
	// decides about the tuned values and ends the verification, in place of the
	// interval and VerifyMin.
	VerifySPRT string `toml:"verify_sprt"`

	// RatePairs is the number of game pairs of each pairing in the joint rating
	// of start, tuned values and presets; 0 for none.
	RatePairs int `toml:"rate_pairs"`
}

// looks is how often the verification is looked at before its fewest pairs are
// played: often enough to draw its course, seldom enough that workers need not
// wait.
const looks = 8

// Request is a run to be made.
type Request struct {
	Game   *engines.Game
	Rules  engines.Rules
	Limits engines.Limits
	Seed   uint64
	Spec   Spec

	RecordMoves datasets.RecordMoves // whether the run keeps a row a decision

	// Provenance, recorded as it is.
	Revision, Program, Go string
	Typed                 string    // the command line as typed
	Created               time.Time // when it was asked
}

// Run is a tuning run in its directory, new or resumed.
type Run struct {
	Spec   Spec
	run    *match.Run
	method method
	tuner  params.Tuner
	game   *engines.Game
}

// Progress is told after every finished trial.
type Progress struct {
	Phase    string
	Games    int64 // finished in this phase
	Planned  int64 // of this phase, at most
	Replayed bool  // taken from the record, not played now
	Note     string
}

// Options say how to execute a run; none of them changes what comes out.
type Options struct {
	Workers  int
	Progress func(Progress)                 // may be nil
	Fault    func(datasets.GameRow, string) // may be nil
	Typed    string                         // the command line of this process
	CPU      string                         // operating system and architecture
}

// Result is how a run ended.
type Result struct {
	Dir         string
	Game        *engines.Game
	Start, Best params.Vector
	Verified    *rating.Estimate // of Best against Start; nil if not verified
	Test        *rating.Progress // where Spec.VerifySPRT ended; nil without one
	Games       int64            // all phases, replayed ones included
	Warnings    []string         // about parameters that cannot matter
}

// Create checks a request and makes its run directory.
func Create(dir string, q Request) (*Run, error) {
	r, variant, err := q.open()
	if err != nil {
		return nil, err
	}
	r.run, err = match.CreateRun(dir, datasets.Meta{
		Kind: "tune", Game: q.Game.Name, GameVersion: q.Game.Version, Rules: variant.Rules, Seed: q.Seed,
		Limits: q.Limits.String(), Revision: q.Revision, Program: q.Program, Go: q.Go, Created: q.Created,
		Command: q.command(variant.Rules), Typed: q.Typed, Parameters: q.Game.Space.Names(),
		RecordMoves: q.RecordMoves,
	}, q.Spec)
	if err != nil {
		return nil, err
	}
	r.seat(variant, q.Limits)
	return r, nil
}

// open checks a request and makes a run of it that has no directory yet.
func (q *Request) open() (*Run, engines.Variant, error) {
	r := &Run{Spec: q.Spec, game: q.Game}
	variant, err := q.Game.Open(q.Rules)
	if err != nil {
		return nil, variant, err
	}
	return r, variant, r.prepare(q.Seed)
}

// Check reports the first thing wrong with a request, as Create does, and makes
// nothing.
func (q *Request) Check() error {
	_, _, err := q.open()
	return err
}

// Resume opens a recorded run to go on with it.
func Resume(dir string) (*Run, error) {
	// Looked at without the lock first: a run of another kind or game should be
	// named as that, not locked, cut or cleaned.
	log, err := datasets.Read(dir)
	if err != nil {
		return nil, err
	}
	game, variant, spec, err := Describe(log)
	if err != nil {
		return nil, err
	}
	limits, err := engines.ParseLimits(log.Meta.Limits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	r := &Run{Spec: spec, game: game}
	if err := r.prepare(log.Meta.Seed); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if r.run, _, err = match.ResumeRun(dir); err != nil {
		return nil, err
	}
	r.seat(variant, limits)
	return r, nil
}

// Describe reads what a recorded tuning run was asked, and checks that this
// program can still play it the same way.
func Describe(log *datasets.Log) (*engines.Game, engines.Variant, Spec, error) {
	fail := func(err error) (*engines.Game, engines.Variant, Spec, error) {
		return nil, engines.Variant{}, Spec{}, fmt.Errorf("%s: %w", log.Dir, err)
	}
	m := log.Meta
	if m.Kind != "tune" {
		return fail(fmt.Errorf("is a run of %q, not of tune", m.Kind))
	}
	variant, err := recorded(m).Open()
	if err != nil {
		return fail(err)
	}
	var spec Spec
	if err := log.Spec(&spec); err != nil {
		return nil, engines.Variant{}, Spec{}, err // it names the file
	}
	return variant.Game, variant, spec, nil
}

// recorded is the game of a run as the catalog checks it.
func recorded(m datasets.Meta) catalog.Recorded {
	return catalog.Recorded{Game: m.Game, Version: m.GameVersion, Rules: m.Rules, Parameters: m.Parameters, Revision: m.Revision}
}

// prepare checks the spec by making its tuner.
func (r *Run) prepare(seed uint64) error {
	s := &r.Spec
	m, err := findMethod(s.Method)
	if err != nil {
		return err
	}
	switch {
	case s.VerifyMax < 0 || s.VerifyMax > 0 && (s.VerifyMin < 1 || s.VerifyMin > s.VerifyMax):
		return fmt.Errorf("verification of %d to %d pairs: want 1 <= least <= most, or 0 for none", s.VerifyMin, s.VerifyMax)
	case !(s.Level > 0.5 && s.Level < 1):
		return fmt.Errorf("confidence %v: want above 0.5 and below 1, such as 0.95", s.Level)
	case s.VerifySPRT != "" && s.VerifyMax == 0:
		return errors.New("a test to verify by, but no pairs to play: want both or neither")
	case s.RatePairs < 0:
		return fmt.Errorf("rating of %d pairs a pairing: want 0 or more", s.RatePairs)
	case s.Screen < 0:
		return fmt.Errorf("screen of %d pairs a parameter: want 0 or more", s.Screen)
	case s.OpeningPlies < 0 || s.OpeningPlies > 40:
		return fmt.Errorf("openings of %d plies: want 0 to 40", s.OpeningPlies)
	}
	if s.VerifySPRT != "" {
		if _, err := rating.ParseSPRT(s.VerifySPRT); err != nil {
			return err
		}
	}
	r.method = m
	r.tuner, err = m.new(s, r.game.Space, engines.Seed(seed, 0x74756e65)) // "tune": apart from the games' seeds
	return err
}

func (r *Run) seat(v engines.Variant, limits engines.Limits) {
	r.run.Variant, r.run.OpeningPlies = v, r.Spec.OpeningPlies
	r.run.Limits = [2]engines.Limits{limits, limits}
}

// Dir returns the run directory.
func (r *Run) Dir() string { return r.run.Dir }

// Execute plays what is left to play, writes the tuned parameters and closes the
// run, whatever happens. When ctx ends it returns ctx's cause, and the run can
// be resumed.
func (r *Run) Execute(ctx context.Context, o Options) (Result, error) {
	r.run.Workers, r.run.Fault = o.Workers, o.Fault
	res := Result{Dir: r.run.Dir, Game: r.game, Start: r.Spec.Values}
	err := r.phases(ctx, o, &res)
	if err == nil {
		err = r.write(res)
	}
	return res, r.run.Close(o.Typed, o.CPU, err)
}

func (r *Run) phases(ctx context.Context, o Options, res *Result) error {
	first, err := r.screen(ctx, o, res, PhaseScreen, r.Spec.Values, r.Spec.Active)
	if err != nil {
		return err
	}
	told := 0
	var compared, differing int64
	tell := r.watch(o, res, PhaseTune, r.method.games(r.tuner, &r.Spec), func() string {
		return r.method.note(r.tuner, &r.Spec, r.game.Space, told)
	})
	count := func(t datasets.TrialRow) {
		told++
		compared += t.Compared
		differing += int64(t.Differing)
		tell(t)
	}
	if err := r.run.Run(ctx, PhaseTune, r.tuner, count); err != nil {
		return err
	}
	res.warn(idleTuning(r.Spec.Active, compared, differing))
	res.Best = r.tuner.Best()
	again, err := r.screen(ctx, o, res, PhaseRecheck, res.Best, idle(r.game.Space, first))
	if err != nil {
		return err
	}
	if differing > 0 { // else the warning above says more
		res.warn(idleScreen(r.game.Space, again))
	}
	if err := r.verify(ctx, o, res); err != nil {
		return err
	}
	src := r.Spec.rating(r.Spec.field(r.game.Presets, res.Best))
	tell = r.watch(o, res, PhaseRate, 2*int64(r.Spec.RatePairs)*int64(len(src.Trials)), func() string {
		return "start, tuned values and presets against each other"
	})
	return r.run.Run(ctx, PhaseRate, src, tell)
}

// verify plays the tuned values against the start.
func (r *Run) verify(ctx context.Context, o Options, res *Result) error {
	if r.Spec.VerifyMax == 0 || slices.Equal(res.Best, res.Start) {
		return nil
	}
	v := r.Spec.verification(res.Best)
	tell := r.watch(o, res, PhaseVerify, 2*int64(r.Spec.VerifyMax), func() string {
		res.judge(&r.Spec, v.Tally())
		if res.Test != nil {
			return res.Test.String() + "; " + res.Verified.String()
		}
		return res.Verified.String()
	})
	if err := r.run.Run(ctx, PhaseVerify, v, tell); err != nil {
		return err
	}
	res.judge(&r.Spec, v.Tally())
	return nil
}

// judge sets what the verification shows after these pairs.
func (r *Result) judge(s *Spec, pairs rating.Pairs) {
	e := s.sequence().Estimate(pairs)
	r.Verified = &e
	if test, ok := s.test(); ok {
		at := test.Pairs(pairs)
		r.Test = &at
	}
}

// Better reports whether the verification showed Best to be better than Start.
func (r Result) Better() bool {
	if r.Test != nil {
		return r.Test.State == rating.AcceptH1 && r.Test.Test.Elo0 >= 0
	}
	return r.Verified != nil && r.Verified.Decided() > 0
}

// screen tests each named parameter alone around a vector.
func (r *Run) screen(ctx context.Context, o Options, res *Result, phase string, around params.Vector, names []string) ([]screened, error) {
	src := r.Spec.screening(r.game.Space, around, names)
	var rows []screened
	tell := r.watch(o, res, phase, 2*int64(r.Spec.Screen)*int64(len(src.Trials)), func() string {
		return "does " + names[len(rows)-1] + " change a decision?"
	})
	err := r.run.Run(ctx, phase, src, func(t datasets.TrialRow) {
		rows = append(rows, screenRow(r.game.Space, names[len(rows)], t))
		tell(t)
	})
	return rows, err
}

func (r *Result) warn(sentence string) {
	if sentence != "" {
		r.Warnings = append(r.Warnings, sentence)
	}
}

// watch returns an observer that counts games and reports progress. The note is
// made before the trial is told, so it trails by one.
func (r *Run) watch(o Options, res *Result, phase string, planned int64, note func() string) func(datasets.TrialRow) {
	p := Progress{Phase: phase, Planned: planned}
	replays := r.run.Replays()
	return func(t datasets.TrialRow) {
		p.Games += int64(t.Games)
		res.Games += int64(t.Games)
		p.Replayed = r.run.Replays() > replays
		replays = r.run.Replays()
		if o.Progress != nil {
			p.Note = note()
			o.Progress(p)
		}
	}
}

// verifier is a match that ends when its question is settled.
type verifier interface {
	match.Source
	Settled() bool
	Tally() [5]int
}

// verification returns the match that decides whether best is better.
func (s *Spec) verification(best params.Vector) verifier {
	if test, ok := s.test(); ok {
		return &match.Until{Fixed: match.Fixed{X: best, Than: s.Values, Pairs: s.VerifyMax}, Verdict: tested{test}}
	}
	return &match.Sequential{
		X: best, Than: s.Values, Min: s.VerifyMin, Max: s.VerifyMax, Batch: max(1, s.VerifyMin/looks),
		Verdict: decided{s.sequence()},
	}
}

// sequence is the interval that may be looked at after every batch.
func (s *Spec) sequence() rating.Sequence {
	return rating.Sequence{Alpha: 1 - s.Level, Tightest: max(s.VerifyMin, 1)}
}

// test is the sequential test of the verification, if there is one. The spec has
// been checked.
func (s *Spec) test() (rating.SPRT, bool) {
	if s.VerifySPRT == "" {
		return rating.SPRT{}, false
	}
	test, err := rating.ParseSPRT(s.VerifySPRT)
	return test, err == nil
}

type tested struct{ test rating.SPRT }

// Decided implements match.Verdict.
func (t tested) Decided(pairs [5]int) bool { return t.test.Pairs(pairs).State != rating.Continue }

type decided struct{ sequence rating.Sequence }

// Decided implements match.Verdict.
func (d decided) Decided(pairs [5]int) bool {
	interval, ok := d.sequence.Interval(pairs)
	return ok && !interval.Contains(0.5)
}

// write leaves the tuned parameters in the run directory.
func (r *Run) write(res Result) error {
	f := params.File{Game: r.game.Name, Name: filepath.Base(res.Dir), Doc: res.Verdict(), Vector: res.Best}
	path := filepath.Join(res.Dir, TunedName)
	if err := datasets.WriteFile(path, f.Encode(r.game.Space)); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Verdict says in words what the verification showed.
func (r Result) Verdict() string {
	switch {
	case slices.Equal(r.Best, r.Start):
		return "nothing better than the start was found"
	case r.Verified == nil:
		return "not verified: nothing is known about its strength"
	}
	if r.Test != nil {
		return r.Test.Verdict() + "; measured " + r.Verified.String()
	}
	return r.Verified.Verdict()
}

// command is the canonical command line: equal for runs with equal games.
func (q *Request) command(rules string) string {
	s := &q.Spec
	words := []string{"tune", "--game", q.Game.Name, "--rules", rules, "--method", s.Method, "--start", s.Start}
	for i, p := range q.Game.Space {
		words = append(words, "--set", p.Name+"="+p.Format(s.Values[i]))
	}
	switch s.Method {
	case "grid":
		for _, g := range s.Grid {
			words = append(words, "--grid", g)
		}
	default:
		words = append(words, "--params", strings.Join(s.Active, ","), "--iters", strconv.Itoa(s.Iterations), "--gains", s.Gains)
	}
	words = append(words, "--pairs", strconv.Itoa(s.Pairs), "--screen-pairs", strconv.Itoa(s.Screen))
	if !q.Limits.IsZero() {
		words = append(words, "--limits", q.Limits.String())
	}
	words = append(words, "--opening-plies", strconv.Itoa(s.OpeningPlies))
	if s.VerifySPRT != "" {
		words = append(words, "--verify-sprt", s.VerifySPRT)
	} else {
		words = append(words, "--verify-min", strconv.Itoa(s.VerifyMin))
	}
	if s.RatePairs > 0 {
		words = append(words, "--rate-pairs", strconv.Itoa(s.RatePairs))
	}
	words = append(words, "--verify-pairs", strconv.Itoa(s.VerifyMax),
		"--confidence", params.FormatValue(s.Level), "--seed", strconv.FormatUint(q.Seed, 10))
	return strings.Join(words, " ")
}

// ErrUnfinished says that a run has not reached its end.
var ErrUnfinished = errors.New("the run is not finished")
