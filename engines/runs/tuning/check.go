package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/objective"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// prepare makes the method of the spec's settings, and completes them.
func (s *Config) prepare(game *engines.Game) error {
	list := s.methods()
	m, err := find(list, s.Method)
	if err != nil {
		return err
	}
	if err := config.Table(m, s.Settings); err != nil {
		return err
	}
	if err := s.MarginTarget.check(m, game); err != nil {
		return err
	}
	if s.Methods = (config.Parts{m}); s.Program != nil {
		s.Engine = strings.TrimPrefix(s.Start.Text(game.Space), player.EnginePrefix)
	}
	s.method, s.task = m, &analysis.Task{MarginCap: s.Full, Game: game, Start: s.Start.Values, Active: s.Active, Pairs: s.Pairs}
	if err := m.Check(s.task); err != nil {
		return err
	}
	s.Pairs = s.task.Pairs
	if n := m.Pairs(s.task); n < 1 || n > runs.MaxPairs {
		return config.Errorf("pairs", "%d: the tuning would have %d pairs of games; want 1 to %d", s.Pairs, n, int64(runs.MaxPairs))
	}
	return nil
}

func (s *Config) Check(v engines.Variant) error {
	if len(s.Active) == 0 {
		return errors.New("active: names no parameter")
	}
	for _, name := range s.Active {
		if _, err := v.Game.Space.Lookup(name); err != nil {
			return fmt.Errorf("active: %w", err)
		}
	}
	if s.Pairs < 1 {
		return config.Errorf("pairs", "%d: want at least 1", s.Pairs)
	}
	if err := s.CheckRules(v.Game, s.players()); err != nil {
		return err
	}
	if err := s.prepare(v.Game); err != nil {
		return err
	}
	if err := s.checkStops(); err != nil {
		return err
	}
	for _, n := range []struct {
		field string
		pairs int
		none  string
		most  int64
	}{
		{"screen_pairs", s.ScreenPairs, "none", runs.MaxInTrial}, {"verify_pairs", s.VerifyPairs, "no verification", runs.MaxPairs},
		{"against_pairs", s.AgainstPairs, "none", maxAgainst}, {"fit_pairs", s.FitPairs, "none", maxAgainst},
		{"rate_pairs", s.RatePairs, "none", runs.MaxInTrial},
		{"select_pairs", s.SelectPairs, "the default", maxAgainst},
	} {
		switch {
		case n.pairs < 0:
			return config.Errorf(n.field, "%d: want at least 1, or 0 for %s", n.pairs, n.none)
		case int64(n.pairs) > n.most:
			return config.Errorf(n.field, "%d: want at most %d", n.pairs, n.most)
		}
	}
	if err := s.checkSeeds(); err != nil {
		return err
	}
	if err := s.checkPool(); err != nil {
		return err
	}
	if err := s.checkOtherLimits(s.task.Game); err != nil {
		return err
	}
	switch byTest := s.VerifySPRT.Given; {
	case !(s.VerifyGain >= 0 && s.VerifyGain <= rating.MaxBound):
		return config.Errorf("verify_gain", "%v: want an Elo above 0 and at most %d, or 0 to give nothing up", s.VerifyGain, rating.MaxBound)
	case s.VerifyGain > 0 && byTest:
		return config.Errorf("verify_gain", "%v: cannot be used with --verify-sprt: the test decides when to stop", s.VerifyGain)
	case s.VerifyMin < 0 || s.VerifyPairs > 0 && s.VerifyMin < 1 && !byTest:
		return config.Errorf("verify_min", "%d: want at least 1; no verification is one of at most 0 pairs", s.VerifyMin)
	case s.VerifyMin > s.VerifyPairs:
		return config.Errorf("verify_min", "%d is more than the %d pairs that are played at most", s.VerifyMin, s.VerifyPairs)
	}
	return nil
}

// seedable reports why there cannot be that many tunings.
func (s *Config) seedable(m Method) error {
	if s.Seeds < 2 || s.Seeds > maxSeeds {
		return config.Errorf("seeds", "%d: want 1 to %d tunings", s.Seeds, maxSeeds)
	}
	if m.Info().Point != nil {
		return config.Errorf("seeds", "%d: method %s draws nothing that another seed would change: more pairs tell more", s.Seeds, m.Info().Name)
	}
	return nil
}

// checkSeeds checks the number of tunings, which is 0 for one, and of the pairs that choose.
func (s *Config) checkSeeds() error {
	switch {
	case s.Seeds == 0 && s.SelectPairs != 0:
		return config.Errorf("select_pairs", "%d: chooses among several tunings, and there is one; see seeds", s.SelectPairs)
	case s.Seeds == 0:
		return nil
	case s.SelectPairs < 1:
		return config.Errorf("select_pairs", "%d: want at least 1", s.SelectPairs)
	}
	return s.seedable(s.method)
}

func (s *Config) Budgets() string {
	own := func(e player.Config) bool { return e.Limits != s.Start.Limits }
	if !slices.ContainsFunc(s.Against, own) {
		return s.Start.Limits.String()
	}
	names := slices.Compact(text.Each(s.Against, runs.LimitsName))
	return fmt.Sprintf("tuned: %s; against: %s", runs.LimitsName(s.Start), strings.Join(names, ", "))
}

// implied reports what the canonical command leaves out.
func (s *Config) implied(field string) bool {
	switch field {
	case "start":
		return s.Program != nil // the engine says it
	case "params":
		return s.method.Info().Tuned != nil // its settings say them
	case "against_pairs":
		return len(s.Against) == 0
	case "verify_gain":
		return s.VerifyPairs == 0
	}
	return false
}

// usefulCores is that of runs.Setup, by what a new tuner asks for at once. Screening and
// verification have no order.
func (s *Config) usefulCores() (cores int, limit string) {
	tuner, err := s.method.Tuner(s.task, 1)
	if err != nil { // Check has reported it
		return 1, err.Error()
	}
	pairs := 0
	for _, t := range tuner.Ask() {
		pairs += t.Pairs
	}
	if len(s.Against) > 0 {
		pairs *= 2 // A and B each play an opponent
	}
	if 2*int64(pairs) >= s.tuneGames() {
		return runs.FeedsUnordered(int64(pairs))
	}
	return runs.FeedsOrdered(pairs)
}

func (s *Config) Setup() (runs.Setup, error) {
	setup := runs.Setup{
		MarginCap: s.Full, UsefulCores: s.usefulCores, Charts: s.charts, GamesInSummary: s.byValue() || s.byPool(), Implied: s.implied,
		Unmergeable: errors.New("is a tuning, whose trials build on each other: another seed leads to other trials, which cannot be added up"),
	}
	if s.Program != nil {
		setup.Space = s.Program.Params
	}
	if s.Objective == nil {
		return setup, nil
	}
	s.ObjectiveConfig = s.Objective.asked()
	v, err := s.Objective.variant()
	setup.Variant, setup.Evaluators = &v, s.evaluators
	if s.elsewhere() {
		s.answered = objective.NewAskTell(v.Game.Space, s.Objective.AskGames, s.Full > 0)
		setup.Idle = s.answered.Idle
	}
	return setup, err
}

func (s *Config) checkStops() error {
	if len(s.Stops) == 0 {
		return nil
	}
	e := s.method.Info().Extension
	if e == nil {
		return config.Errorf("stop", "%d: cannot be used with method %s: its steps depend on the whole budget", s.Stops[0], s.Method)
	}
	if e.Err != nil {
		return e.Err
	}
	before := 0
	for _, n := range s.Stops {
		if n <= before || n >= e.Games || n%2 != 0 {
			return config.Errorf("stop", "%d: want even numbers of games, increasing, above 0 and below the %s of the tuning", n,
				text.Plural(e.Games, "game"))
		}
		before = n
	}
	return nil
}

// checkPool reports a pool that has too many opponents for the method.
func (s *Config) checkPool() error {
	n := len(s.Against)
	if s.method.Info().Point != nil && n > 1 && s.Pairs < eachPoint*n {
		return config.Errorf("pairs", "%d: want at least %d, so that every point meets all of %d opponents", s.Pairs, eachPoint*n, n)
	}
	return nil
}

// eachPoint is the minimum number of pairs that a given point plays against each
// opponent: a grid changes the opponent after every round of this length.
const eachPoint = 50

// evaluators is where the objective's programs score pairs.
func (s *Config) evaluators(workers int) schedule.Pool {
	o := s.Objective
	if s.elsewhere() {
		return s.answered
	}
	return objective.Pool{Command: o.Command, Space: s.task.Space(), Direction: o.Direction, Stall: time.Duration(s.Stall), Workers: workers}
}

// facts are the conditions as lines of a report.
func (s *Config) facts() []reports.Fact {
	if s.Objective != nil {
		return s.Objective.facts()
	}
	return s.MatchRules.Facts()
}

// spaceFile is the file in which a finished run leaves the tuned values in the
// form that its space was read in; "" for a game.
func (s *Config) spaceFile() string {
	if s.Objective == nil {
		return ""
	}
	return "tuned-" + filepath.Base(s.Objective.File)
}

// tunedSpace writes that file.
func (s *Config) tunedSpace(best params.Vector) (map[string][]byte, error) {
	if s.Objective == nil {
		return nil, nil
	}
	data, err := formats.Write(s.Objective.Form, s.task.Space(), best)
	return map[string][]byte{s.spaceFile(): data}, err
}

// charts are the recommended values, trial by trial, and the verification.
func (s *Config) charts() runs.Charts {
	c := runs.Charts{
		Part: verifyPart, Bands: new(s.sequence()), Test: s.VerifySPRT, Shares: !s.task.InElo(),
		Tuned: s.Active, Start: s.Start.Values,
	}
	for k := range s.tunings() {
		c.Phases = append(c.Phases, (&seedTuning{number: k}).phaseName())
	}
	return c
}

// check checks the target for a method and a game, and fills in what was not said.
func (a *MarginTarget) check(m Method, game *engines.Game) error {
	switch a.Target {
	case "", analysis.TargetWin:
		if a.Target = ""; a.Full != 0 {
			return config.Errorf("full_margin", "%v: requires --target margin", a.Full)
		}
		return nil
	case analysis.TargetMargin:
	default:
		return config.Errorf("target", "%q: unknown target%s", a.Target,
			params.Suggest(a.Target, []string{analysis.TargetWin, analysis.TargetMargin}))
	}
	if !game.Margins.Has() {
		return config.Errorf("target", "%s: games of %s are only won or lost", a.Target, game.Name)
	}
	if !m.Info().Margins {
		return config.Errorf("target", "%s: method %s counts pairs of points; want one of %s", a.Target, m.Info().Name,
			strings.Join(methodNames(Methods(), func(m Method) bool { return m.Info().Margins }), ", "))
	}
	a.Full = cmp.Or(a.Full, game.Margins.Cap)
	if !(a.Full > 0 && a.Full <= maxMargin) {
		return config.Errorf("full_margin", "%v: want a number above 0 and at most %v", a.Full, maxMargin)
	}
	return nil
}

// maxMargin is more than any game is won by.
const maxMargin = 1e9
