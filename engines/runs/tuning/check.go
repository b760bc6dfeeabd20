package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/schedule/asktell"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// prepare makes the method of the spec's settings, and completes them.
func (c *Config) prepare(game *engines.Game) error {
	list := c.methods()
	m, err := find(list, c.Method)
	if err != nil {
		return err
	}
	if c.Settings["choice"] != nil {
		return config.Errorf("choice", "was removed: method grid with --alpha chooses among names; selfplay export still reads the "+
			"rows of this run")
	}
	settings := maps.Clone(c.Settings)
	if info := m.Info(); cmp.Or(c.Tuner, firstTuner) < info.Version {
		maps.DeleteFunc(settings, func(key string, _ any) bool { return slices.Contains(info.Former, key) })
	}
	if err := config.Table(m, settings); err != nil {
		return err
	}
	if err := c.MarginTarget.check(m, game); err != nil {
		return err
	}
	if c.Methods = (config.Parts{m}); c.Program != nil {
		c.Engine = strings.TrimPrefix(c.Start.Text(game.Space), player.EnginePrefix)
	}
	c.method, c.task = m, &analysis.Task{MarginCap: c.Full, Game: game, Start: c.Start.Values, Active: c.Active, Pairs: c.Pairs}
	if err := m.Check(c.task); err != nil {
		return err
	}
	c.Pairs = c.task.Pairs
	if n := m.Pairs(c.task); n < 1 || n > runs.MaxPairs {
		return config.Errorf("pairs", "%d: the tuning would have %d pairs of games; want 1 to %d", c.Pairs, n, int64(runs.MaxPairs))
	}
	return nil
}

func (c *Config) Check(v engines.Variant) error {
	if len(c.Active) == 0 {
		return errors.New("active: names no parameter")
	}
	for _, name := range c.Active {
		if _, err := v.Game.Space.Lookup(name); err != nil {
			return fmt.Errorf("active: %w", err)
		}
	}
	if c.Pairs < 1 {
		return config.Errorf("pairs", "%d: want at least 1", c.Pairs)
	}
	if err := c.CheckRules(v.Game, c.players()); err != nil {
		return err
	}
	if err := c.prepare(v.Game); err != nil {
		return err
	}
	if err := c.checkStops(); err != nil {
		return err
	}
	for _, n := range []struct {
		field string
		pairs int
		none  string
		most  int64
	}{
		{"screen_pairs", c.ScreenPairs, "none", runs.MaxInTrial}, {"verify_pairs", c.VerifyPairs, "no verification", runs.MaxPairs},
		{"against_pairs", c.AgainstPairs, "none", maxAgainst}, {"fit_pairs", c.FitPairs, "none", maxAgainst},
		{"rate_pairs", c.RatePairs, "none", runs.MaxInTrial},
		{"select_pairs", c.SelectPairs, "the default", maxAgainst},
	} {
		switch {
		case n.pairs < 0:
			return config.Errorf(n.field, "%d: want at least 1, or 0 for %s", n.pairs, n.none)
		case int64(n.pairs) > n.most:
			return config.Errorf(n.field, "%d: want at most %d", n.pairs, n.most)
		}
	}
	if err := c.checkSeeds(); err != nil {
		return err
	}
	if err := c.checkPool(); err != nil {
		return err
	}
	if err := c.checkOtherLimits(c.task.Game); err != nil {
		return err
	}
	switch byTest := c.VerifySPRT.Given; {
	case !(c.VerifyGain >= 0 && c.VerifyGain <= rating.MaxBound):
		return config.Errorf("verify_gain", "%v: want an Elo above 0 and at most %d, or 0 to give nothing up", c.VerifyGain, rating.MaxBound)
	case c.VerifyGain > 0 && byTest:
		return config.Errorf("verify_gain", "%v: cannot be used with --verify-sprt: the test decides when to stop", c.VerifyGain)
	case c.VerifyMin < 0 || c.VerifyPairs > 0 && c.VerifyMin < 1 && !byTest:
		return config.Errorf("verify_min", "%d: want at least 1; no verification is one of at most 0 pairs", c.VerifyMin)
	case c.VerifyMin > c.VerifyPairs:
		return config.Errorf("verify_min", "%d is more than the %d pairs that are played at most", c.VerifyMin, c.VerifyPairs)
	}
	return nil
}

// seedable reports why there cannot be that many tunings.
func (c *Config) seedable(m Method) error {
	if c.Seeds < 2 || c.Seeds > maxSeeds {
		return config.Errorf("seeds", "%d: want 1 to %d tunings", c.Seeds, maxSeeds)
	}
	if m.Info().Point != nil {
		return config.Errorf("seeds", "%d: method %s draws nothing that another seed would change: more pairs tell more", c.Seeds, m.Info().Name)
	}
	return nil
}

// checkSeeds checks the number of tunings, 0 for one, and the number of pairs for the choice among
// them.
func (c *Config) checkSeeds() error {
	switch {
	case c.Seeds == 0 && c.SelectPairs != 0:
		return config.Errorf("select_pairs", "%d: chooses among several tunings, and there is one; see seeds", c.SelectPairs)
	case c.Seeds == 0:
		return nil
	case c.SelectPairs < 1:
		return config.Errorf("select_pairs", "%d: want at least 1", c.SelectPairs)
	}
	return c.seedable(c.method)
}

func (c *Config) Budgets() string {
	own := func(e player.Config) bool { return e.Limits != c.Start.Limits }
	if !slices.ContainsFunc(c.Against, own) {
		return c.Start.Limits.String()
	}
	names := slices.Compact(text.Each(c.Against, runs.LimitsName))
	return fmt.Sprintf("tuned: %s; against: %s", runs.LimitsName(c.Start), strings.Join(names, ", "))
}

// implied reports whether the canonical command leaves out a field.
func (c *Config) implied(s config.Setting) bool {
	switch {
	case s.Of(&c.Start):
		return c.Program != nil // the engine says it
	case s.Of(&c.Active):
		return c.method.Info().Tuned != nil // its settings say them
	case s.Of(&c.AgainstPairs):
		return len(c.Against) == 0
	case s.Of(&c.VerifyGain):
		return c.VerifyPairs == 0
	}
	return false
}

// usefulCores implements runs.Setup.UsefulCores, by the number of trials in a new tuner's first
// question. Sensitivity test and verification have no order.
func (c *Config) usefulCores() (cores int, limit string) {
	tuner, err := c.method.Tuner(c.task, 1)
	if err != nil { // Check has reported it
		return 1, err.Error()
	}
	pairs := 0
	for _, t := range tuner.Ask() {
		pairs += t.Pairs
	}
	if len(c.Against) > 0 {
		pairs *= 2 // A and B each play an opponent
	}
	if 2*int64(pairs) >= c.tuneGames() {
		return runs.FeedsUnordered(int64(pairs))
	}
	return runs.FeedsOrdered(pairs)
}

func (c *Config) Setup() (runs.Setup, error) {
	if c.FirstOpponent != nil {
		c.Against = append([]player.Config{*c.FirstOpponent}, c.OtherOpponents...)
		c.FirstOpponent, c.OtherOpponents = nil, nil
	}
	setup := runs.Setup{
		Resume:    c.resume,
		MarginCap: c.Full, UsefulCores: c.usefulCores, Charts: c.charts, GamesInSummary: c.byPool(), Implied: c.implied,
	}
	if c.Program != nil {
		setup.Space = c.Program.Params
	}
	if c.Elsewhere == nil {
		return setup, nil
	}
	c.AskTell, c.Space = config.Parts{&askTellConfig{c.Elsewhere.AskGames}}, c.Elsewhere.Form+":"+c.Elsewhere.File
	v, err := c.Elsewhere.variant()
	if err != nil {
		return setup, err
	}
	c.answered = asktell.New(v.Game.Space, c.Elsewhere.AskGames, c.Full > 0)
	setup.Elsewhere = &runs.Elsewhere{Command: "ask-tell", Variant: v, Pool: c.answered, Idle: c.answered.Idle}
	return setup, nil
}

func (c *Config) checkStops() error {
	if len(c.Stops) == 0 {
		return nil
	}
	e := c.method.Info().Extension
	if e == nil {
		return config.Errorf("stop", "%d: cannot be used with method %s: its steps depend on the whole budget", c.Stops[0], c.Method)
	}
	before := 0
	for _, n := range c.Stops {
		if n <= before || n >= e.Games || n%2 != 0 {
			return config.Errorf("stop", "%d: want even numbers of games, increasing, above 0 and below the %s of the tuning", n,
				text.Plural(e.Games, "game"))
		}
		before = n
	}
	return nil
}

// checkPool reports a pool that has too many opponents for the method.
func (c *Config) checkPool() error {
	n := len(c.Against)
	if c.method.Info().Point != nil && n > 1 && c.Pairs < eachPoint*n {
		return config.Errorf("pairs", "%d: want at least %d, so that every point meets all of %d opponents", c.Pairs, eachPoint*n, n)
	}
	return nil
}

// eachPoint is the minimum number of pairs that a given point plays against each
// opponent: a grid changes the opponent after every round of this length.
const eachPoint = 50

// facts returns the conditions as lines of a report.
func (c *Config) facts() []reports.Fact {
	if c.Elsewhere != nil {
		return c.Elsewhere.facts()
	}
	return c.MatchRules.Facts()
}

// spaceFile returns the file in which a finished run leaves the tuned values in the
// form that its space was read in; "" for a space of the game or program.
func (c *Config) spaceFile() string {
	if file, _ := c.spaceSource(); file != "" {
		return "tuned-" + filepath.Base(file)
	}
	return ""
}

// spaceSource returns the file that the parameters were read from, and its form; "" for none.
func (c *Config) spaceSource() (file, form string) {
	switch {
	case c.Elsewhere != nil:
		return c.Elsewhere.File, c.Elsewhere.Form
	case c.Program != nil:
		return c.Program.File, c.Program.Form
	}
	return "", ""
}

// tunedSpace writes that file.
func (c *Config) tunedSpace(best params.Vector) (map[string][]byte, error) {
	file, form := c.spaceSource()
	if file == "" {
		return nil, nil
	}
	data, err := formats.Write(form, c.task.Space(), best)
	return map[string][]byte{c.spaceFile(): data}, err
}

// charts describes the Elo of the verification.
func (s *Config) charts() runs.Charts {
	return runs.Charts{Part: verifyPart, Bands: new(s.sequence()), Test: s.VerifySPRT}
}

// check checks the target for a method and a game, and fills in its defaults.
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
