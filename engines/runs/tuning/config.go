// Package tuning is the tuning of a game's player: screen, tune, verify on fresh
// openings before calling anything better, and rate. A tuner joins it with a file
// beside this one and a line in methods.go.
package tuning

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
)

// Name of the kind, in run.toml and experiment files.
const Name = "tune"

// The default lengths of a verification follow the game's own pairs, which are
// about a second's worth, and the tuning: as long as a third of it.
const (
	minVerified   = 60  // times the game's own pairs
	maxVerified   = 300 // times the game's own pairs
	verifiedShare = 3   // of the tuning's pairs: one in so many
)

// maxAgainst bounds the pairs of start and of tuned against an opponent.
const maxAgainst = 1_000_000

// Kind returns the kind.
func Kind() runs.Kind {
	kind := kindOf(Name, Methods()[0].Info().Name, Methods, "Verification", "Parameters", analysis.ImportanceTitle)
	kind.PlayerFile, kind.StartFile = TunedName, StartName
	return kind
}

// GridKind returns the kind as experiment files ask for it under the name of
// grid: a tuning by that method unless another is said. Its runs are of kind tune.
func GridKind() runs.Kind {
	return kindOf((&Grid{}).Info().Name, (&Grid{}).Info().Name, Methods, "Every point against the start")
}

// kindOf is a kind with other methods than the list has; sections are run.Kind's.
func kindOf(name, method string, methods func() []Method, sections ...string) runs.Kind {
	return runs.Kind{
		Name: name, Short: "tune parameters by self-play and verify the result on new games",
		Sections: sections, Command: command(), Files: []string{TunedName, StartName, RowsName, TypedName},
		New:  func() runs.Config { return newAsked(method, methods) },
		Spec: func() runs.Spec { return &Spec{methods: methods} },
	}
}

// Config is a tuning in the user's words.
type Config struct {
	runs.Game
	Engine string `toml:"engine" arg:"FILE.toml" help:"tune the options of an external engine in self-play: its engine file, with ,NAME=VALUE and @BUDGET; see selfplay engine (default: the game's player)"`
	Judged
	Method      string         `toml:"method" arg:"METHOD" help:"tuning method: {methods}"`
	Start       string         `toml:"start" arg:"PLAYER" help:"start from this player: preset or FILE.toml, with ,name=value overrides and @BUDGET (default: the game's default preset)"`
	Set         []string       `toml:"set" arg:"name=value" help:"override one start value (repeatable)"`
	Params      config.Names   `toml:"params" arg:"a,b" help:"tune only these parameters (default: all that are not frozen; see tune params)"`
	Freeze      config.Names   `toml:"freeze" arg:"a,b" help:"do not tune these parameters"`
	Pairs       *int           `toml:"pairs" arg:"N" help:"game pairs per iteration (default: set by the game, 32 for quoridor), or per grid point or, on average, per racing choice (default 500)"`
	Settings    config.Parts   // of all methods
	Stop        config.Names   `toml:"stop" arg:"N" help:"also verify and rate after N tuning games, then continue tuning (repeatable; tune resume --games adds such a stop)"`
	Limits      engines.Limits `toml:"limits" arg:"BUDGET" help:"budget of each decision, such as depth=3, nodes=20000, playouts=500 or time=1s, or a game clock such as tc=8+0.08 (default: set by the game)"`
	Against     []string       `toml:"against" arg:"PLAYER" help:"tune against this fixed opponent: both candidates play it on the same openings (repeatable, or A,B,C for a pool; default: they play each other)"`
	Seeds       *int           `toml:"seeds" arg:"N" help:"number of independent tunings, each with the full budget; a fresh match selects the best and another measures its gain (default 1, at most 20)"`
	SelectPairs *int           `toml:"select_pairs" arg:"N" help:"with --seeds: game pairs of each pairing, or against each opponent, that select the best tuning (default: as many per tuning as --verify-min)"`
	ScreenPairs *int           `toml:"screen_pairs" arg:"N" help:"game pairs of the sensitivity test of each parameter before tuning; 0 skips it (default: set by the game)"`
	VerifyPairs *int           `toml:"verify_pairs" arg:"N" help:"maximum pairs of the verification, tuned against start; 0 skips it (default: a third of the tuning's pairs, from 60 to 300 times the game's)"`
	VerifyMin   *int           `toml:"verify_min" arg:"N" help:"minimum game pairs of the verification (default: 60 times the game's pairs, at most --verify-pairs)"`
	VerifyGain  float64        `toml:"verify_gain" arg:"ELO" help:"stop the verification once a gain of this many Elo is excluded or has less than a 10 % chance of being shown (default 0: never)"`
	VerifySPRT  runs.Test      `toml:"verify_sprt" arg:"elo0=0,elo1=5" help:"verify by a sequential test: elo0=0,elo1=5, optionally with alpha, beta, model (default: until the interval excludes an even score)"`
	MarginTarget
	AgainstPairs *int     `toml:"against_pairs" arg:"N" help:"with --against: pairs that start and tuned values each play the opponent after the verification; 0 for none (default: --verify-min)"`
	RatePairs    *int     `toml:"rate_pairs" arg:"N" help:"game pairs of each pairing in the joint rating of start, tuned values and presets; 0 skips it (default: set by the game)"`
	Pool         []string `toml:"pool" arg:"PLAYER|FOLDER" help:"also rate these players (repeatable); a folder of runs adds the values tuned there for the same game"`
	runs.MatchRules

	methods func() []Method
}

// New returns a tuning with the defaults.
func New() *Config { return newAsked(Methods()[0].Info().Name, Methods) }

func newAsked(method string, methods func() []Method) *Config {
	a := &Config{Method: method, MatchRules: runs.DefaultMatchRules(), methods: methods}
	for _, m := range methods() {
		a.Settings = append(a.Settings, m)
	}
	return a
}

// Spec is the [spec] table of a tuning's run.toml.
type Spec struct {
	Method   string         `toml:"method"`
	Start    player.Config  `toml:"start"`    // who is tuned: the values are where it starts
	Active   []string       `toml:"active"`   // names of the parameters tuned
	Pairs    int            `toml:"pairs"`    // game pairs of an iteration, or of a point of a grid
	Settings map[string]any `toml:"settings"` // of the method
	// Stops are budgets, in games as the method counts them, after which the tuned
	// values are verified and rated, too, before the tuning goes on: increasing, and
	// all below the method's own.
	Stops   []int           `toml:"stops,omitempty"`
	Against *player.Config  `toml:"against"`          // the opponent; nil for none
	Others  []player.Config `toml:"others,omitempty"` // more opponents: with the first a pool
	// Seeds is the number of independent tunings, 0 for one; SelectPairs are those of
	// each pairing of the match among their results.
	Seeds       int      `toml:"seeds,omitempty"`
	SelectPairs int      `toml:"select_pairs,omitempty"`
	Program     *Program `toml:"program,omitempty"` // somebody's engine that is tuned; nil for the game's own player
	// Objective stands in the place of the game; nil for one of the catalogue.
	Objective *Objective `toml:"objective"`

	ScreenPairs int `toml:"screen_pairs"` // of each parameter; 0 for none
	// Verification: tuned against start on fresh openings, at least VerifyMin
	// pairs, then until the interval excludes an even score, at most VerifyPairs;
	// 0 for none. A test decides in place of the interval and VerifyMin.
	VerifyPairs  int       `toml:"verify_pairs"`
	VerifyMin    int       `toml:"verify_min"`
	VerifyGain   float64   `toml:"verify_gain,omitempty"` // give up once so much is out of reach; 0 for never
	VerifySPRT   runs.Test `toml:"verify_sprt"`
	AgainstPairs int       `toml:"against_pairs"` // of start and of tuned against the opponent
	RatePairs    int       `toml:"rate_pairs"`    // of each pairing of the rating; 0 for none
	// Pool are more players of the rating, beside the presets.
	Pool []player.Config `toml:"pool,omitempty"`
	MarginTarget
	runs.Terms

	methods func() []Method
	method  Method
	task    *analysis.Task
}

// Plan implements run.Config.
func (a *Config) Plan() (*runs.Plan, error) {
	m, err := a.chosen()
	if err != nil {
		return nil, err
	}
	s := &Spec{Method: a.Method, MarginTarget: a.MarginTarget, Settings: config.Values(m), VerifyGain: a.VerifyGain, VerifySPRT: a.VerifySPRT, methods: a.methods}
	var v engines.Variant
	if s.Objective, err = a.objective(); err == nil && s.Objective != nil {
		v, err = s.Objective.variant()
	} else if err == nil {
		v, err = a.variant(s)
	}
	if err != nil {
		return nil, err
	}
	if s.Program == nil {
		err = s.seat(a, v.Game)
	}
	if err != nil {
		return nil, err
	}
	if s.Active, err = s.active(a, m, v.Game); err != nil {
		return nil, err
	}
	if err := s.askSeeds(a, m); err != nil {
		return nil, err
	}
	if a.Pairs != nil {
		if s.Pairs = *a.Pairs; s.Pairs < 1 {
			return nil, config.Errorf("pairs", "%d: want at least 1", s.Pairs)
		}
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Seed: a.Seed, Moves: runs.Kept(a.RecordMoves, s.players()...), Spec: s, Players: s.players()}
	if s.Terms, p.Book, err = a.MatchRules.Check(v, s.players()); err != nil {
		return nil, err
	}
	if err := s.prepare(v.Game); err != nil {
		return nil, err
	}
	if err := s.lengths(a, v.Game.TuningPairs()); err != nil {
		return nil, err
	}
	s.Settings = config.Values(s.method)
	if err := s.stops(a.Stop); err != nil {
		return nil, err
	}
	if _, err := s.method.Tuner(s.task, 0); err != nil { // it looks closest at its settings
		return nil, err
	}
	return p, s.check()
}

// chosen returns the method that is asked for, with its settings. Those of other
// methods must not have been given.
func (a *Config) chosen() (Method, error) {
	var list []Method
	for _, part := range a.Settings {
		list = append(list, part.(Method))
	}
	m, err := find(list, a.Method)
	if err != nil {
		return nil, err
	}
	own := config.Fields(m)
	for _, other := range list {
		said := config.Differences(other, reflect.New(reflect.TypeOf(other).Elem()).Interface())
		for _, s := range said {
			if !slices.ContainsFunc(own, func(f config.Field) bool { return f.Name == s.Name }) {
				return nil, config.Errorf(s.Name, "means nothing to method %s: it is a setting of %s", m.Info().Name, strings.Join(having(list, s.Name), " and "))
			}
		}
	}
	return m, nil
}

// having names the methods with a setting.
func having(list []Method, setting string) (names []string) {
	for _, m := range list {
		if slices.ContainsFunc(config.Fields(m), func(f config.Field) bool { return f.Name == setting }) {
			names = append(names, m.Info().Name)
		}
	}
	return names
}

// active lists what is to be tuned.
func (s *Spec) active(a *Config, m Method, game *engines.Game) ([]string, error) {
	space, info := game.Space, m.Info()
	for _, field := range []struct {
		name  string
		names config.Names
	}{{"params", a.Params}, {"freeze", a.Freeze}} {
		if info.Tuned != nil && len(field.names) > 0 {
			return nil, config.Errorf(field.name, "means nothing to method %s, whose own settings name the parameters", m.Info().Name)
		}
		for i, name := range field.names {
			if _, err := space.Lookup(name); err != nil {
				return nil, config.Wrap(field.name, err)
			}
			if slices.Contains(field.names[:i], name) {
				return nil, config.Wrap(field.name, fmt.Errorf("%s is there twice", name))
			}
		}
	}
	if info.Tuned != nil {
		return info.Tuned(space)
	}
	only := a.Params
	if len(only) == 0 && game.Tuned != nil {
		only = game.Tuned(s.Start.Values, s.Start.Limits)
	}
	on, err := space.Active(only, a.Freeze)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, i := range on {
		names = append(names, space[i].Name)
	}
	if names, err = withChoices(m, space, names); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("nothing left to tune: every parameter is frozen; see tune params")
	}
	return names, nil
}

// withChoices adds the parameters that a method tunes in addition to those named, in the
// order of the space.
func withChoices(m Method, space params.Space, names []string) ([]string, error) {
	choices := m.Info().Choices
	if choices == nil {
		return names, nil
	}
	raced, err := choices(space)
	if len(raced) == 0 {
		return names, err
	}
	return slices.DeleteFunc(space.Names(), func(name string) bool {
		return !slices.Contains(names, name) && !slices.Contains(raced, name)
	}), err
}

// seat reads who plays.
func (s *Spec) seat(a *Config, game *engines.Game) (err error) {
	budget := runs.Budget(game, a.Limits)
	start := a.Start
	if start == "" {
		start = game.DefaultPreset
	}
	if s.Start, err = runs.Seat(game, "start", start, "limits", budget, a.Custom...); err != nil {
		return err
	}
	if s.Start.Custom != nil && s.Start.Values == nil {
		return config.Errorf("start", "%s has no parameters to tune: give its Values", start)
	}
	if s.Start.Values, err = game.Space.Set(s.Start.Values, a.Set); err != nil {
		return config.Wrap("set", err)
	}
	if s.Pool, err = pool(game, a.Pool, budget); err != nil {
		return err
	}
	return s.oppose(a.Against, func(text string) (player.Config, error) {
		return runs.Seat(game, "against", text, "limits", budget, a.Custom...)
	})
}

// lengths fills in how many pairs each phase plays.
func (s *Spec) lengths(a *Config, own int) error {
	or := func(asked *int, usual int) int {
		if asked != nil {
			return *asked
		}
		return usual
	}
	tuned := int(s.tuneGames() / 2)
	s.ScreenPairs = or(a.ScreenPairs, own)
	s.RatePairs = or(a.RatePairs, own)
	s.VerifyPairs = or(a.VerifyPairs, min(max(tuned/verifiedShare, minVerified*own), maxVerified*own))
	fewest := min(minVerified*own, s.VerifyPairs)
	s.VerifyMin = or(a.VerifyMin, fewest)
	switch {
	case s.VerifySPRT.Given && a.VerifyMin != nil:
		return config.Errorf("verify_min", "%d: means nothing to a verification by a test, which decides when to stop", s.VerifyMin)
	case s.VerifySPRT.Given && s.VerifyPairs == 0:
		return config.Errorf("verify_sprt", "wants pairs to play: a verification of more than 0 pairs")
	case s.Against == nil && a.AgainstPairs != nil:
		return config.Errorf("against_pairs", "%d: wants an opponent to play against", *a.AgainstPairs)
	case s.VerifySPRT.Given:
		s.VerifyMin = 0
	}
	if s.Against != nil {
		n := len(s.opponents())
		s.AgainstPairs = or(a.AgainstPairs, (fewest+n-1)/n)
	}
	s.selectLengths(a, own)
	return nil
}

// prepare makes the method of the spec's settings, and completes them.
func (s *Spec) prepare(game *engines.Game) error {
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

// check checks the lengths.
func (s *Spec) check() error {
	for _, n := range []struct {
		field string
		pairs int
		none  string
		most  int64
	}{
		{"screen_pairs", s.ScreenPairs, "none", runs.MaxInTrial}, {"verify_pairs", s.VerifyPairs, "no verification", runs.MaxPairs},
		{"against_pairs", s.AgainstPairs, "none", maxAgainst}, {"rate_pairs", s.RatePairs, "none", runs.MaxInTrial},
		{"select_pairs", s.SelectPairs, "the default", maxAgainst},
	} {
		switch {
		case n.pairs < 0:
			return config.Errorf(n.field, "%d: want at least 1, or 0 for %s", n.pairs, n.none)
		case int64(n.pairs) > n.most:
			return config.Errorf(n.field, "%d: want at most %d", n.pairs, n.most)
		}
	}
	if err := s.checkPool(); err != nil {
		return err
	}
	switch byTest := s.VerifySPRT.Given; {
	case !(s.VerifyGain >= 0 && s.VerifyGain <= rating.MaxBound):
		return config.Errorf("verify_gain", "%v: want an Elo above 0 and at most %d, or 0 to give nothing up", s.VerifyGain, rating.MaxBound)
	case s.VerifyGain > 0 && byTest:
		return config.Errorf("verify_gain", "%v: means nothing to a verification by a test, which decides when to stop", s.VerifyGain)
	case s.VerifyMin < 0 || s.VerifyPairs > 0 && s.VerifyMin < 1 && !byTest:
		return config.Errorf("verify_min", "%d: want at least 1; no verification is one of at most 0 pairs", s.VerifyMin)
	case s.VerifyMin > s.VerifyPairs:
		return config.Errorf("verify_min", "%d is more than the %d pairs that are played at most", s.VerifyMin, s.VerifyPairs)
	}
	return nil
}

// players are all that play, but for the presets of the rating.
func (s *Spec) players() []player.Config {
	return slices.Concat([]player.Config{s.Start}, s.opponents(), s.Pool)
}

// Check implements run.Spec.
func (s *Spec) Check(v engines.Variant) error {
	for _, p := range s.players() {
		if err := p.Check(v.Game); err != nil {
			return err
		}
	}
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
	if err := s.CheckTerms(s.players()); err != nil {
		return err
	}
	if err := s.prepare(v.Game); err != nil {
		return err
	}
	if err := s.checkStops(); err != nil {
		return err
	}
	if s.Against == nil && len(s.Others) > 0 {
		return errors.New("others: more opponents beside none")
	}
	if err := s.checkSeeds(); err != nil {
		return err
	}
	return s.check()
}

// Limits implements run.Spec.
func (s *Spec) Limits() string {
	own := func(e player.Config) bool { return e.Limits != s.Start.Limits }
	if !slices.ContainsFunc(s.opponents(), own) {
		return s.Start.Limits.String()
	}
	var names []string
	for _, e := range s.opponents() {
		names = append(names, runs.LimitsName(e))
	}
	return fmt.Sprintf("tuned: %s; against: %s", runs.LimitsName(s.Start), strings.Join(slices.Compact(names), ", "))
}

// Words implements run.Spec.
func (s *Spec) Words(v engines.Variant) []string {
	words := []string{"--method", s.Method, "--start", runs.PlayerWord(v, s.Start)}
	if s.Program != nil {
		words = []string{"--method", s.Method, "--engine", strings.TrimPrefix(runs.PlayerWord(v, s.Start), player.EnginePrefix)}
	}
	if s.Objective != nil {
		words = append(s.Objective.words(), words...)
	}
	if s.method.Info().Tuned == nil {
		words = append(words, "--params", strings.Join(s.Active, ","))
	}
	words = append(words, "--pairs", strconv.Itoa(s.Pairs))
	for _, f := range config.Fields(s.method) {
		flag := "--" + strings.ReplaceAll(f.Name, "_", "-")
		for _, text := range f.Texts() {
			if f.Bool() { // takes no word of its own
				words = append(words, flag+"="+text)
				continue
			}
			words = append(words, flag, text)
		}
	}
	for _, n := range s.Stops {
		words = append(words, "--stop", strconv.Itoa(n))
	}
	if s.Against != nil {
		for _, e := range s.opponents() {
			words = append(words, "--against", runs.PlayerWord(v, e))
		}
		words = append(words, "--against-pairs", strconv.Itoa(s.AgainstPairs))
	}
	if s.Seeds > 1 {
		words = append(words, "--seeds", strconv.Itoa(s.Seeds), "--select-pairs", strconv.Itoa(s.SelectPairs))
	}
	words = append(words, "--screen-pairs", strconv.Itoa(s.ScreenPairs), "--verify-pairs", strconv.Itoa(s.VerifyPairs))
	switch {
	case s.VerifySPRT.Given:
		words = append(words, "--verify-sprt", s.VerifySPRT.String())
	case s.VerifyPairs > 0:
		words = append(words, "--verify-min", strconv.Itoa(s.VerifyMin))
		if s.VerifyGain > 0 {
			words = append(words, "--verify-gain", params.FormatValue(s.VerifyGain))
		}
	}
	words = append(words, "--rate-pairs", strconv.Itoa(s.RatePairs))
	for _, e := range s.Pool {
		words = append(words, "--pool", runs.PlayerWord(v, e))
	}
	words = append(words, s.MarginTarget.words()...)
	return append(words, s.Terms.Words()...)
}

// tuneGames is the number of games of the tuner's trials, of each of several tunings.
func (s *Spec) tuneGames() int64 {
	n := 2 * int64(s.method.Pairs(s.task))
	if s.Against != nil {
		n *= 2 // X and Than each play the opponent
	}
	return n
}

// allTuneGames is tuneGames of all tunings.
func (s *Spec) allTuneGames() int64 { return s.tuneGames() * int64(s.tunings()) }

// named is the player that is tuned with other values, under a name.
func (s *Spec) named(name string, values params.Vector) player.Config {
	e := s.Start.With(values)
	e.Name = name
	return e
}

// tuned is the player with tuned values.
func (s *Spec) tuned(values params.Vector) player.Config { return s.named("tuned", values) }

// start is the player as it was, under the name that tables have for it.
func (s *Spec) start() player.Config {
	e := s.Start
	e.Name = "start"
	return e
}

// usefulCores is that of runs.Setup, by what a new tuner asks for at once. Screening and
// verification have no order.
func (s *Spec) usefulCores() (cores int, limit string) {
	tuner, err := s.method.Tuner(s.task, 1)
	if err != nil { // Check has told
		return 1, err.Error()
	}
	pairs := 0
	for _, t := range tuner.Ask() {
		pairs += t.Pairs
	}
	if s.Against != nil {
		pairs *= 2 // X and Than each play an opponent
	}
	if 2*int64(pairs) >= s.tuneGames() {
		return runs.FeedsUnordered(int64(pairs))
	}
	return runs.FeedsOrdered(pairs)
}

// Setup implements runs.Spec.
func (s *Spec) Setup() (runs.Setup, error) {
	setup := runs.Setup{
		MarginCap: s.Full, UsefulCores: s.usefulCores, Charts: s.charts,
		Unmergeable: errors.New("is a tuning, whose trials build on each other: another seed leads to other trials, which cannot be added up"),
	}
	if s.Program != nil {
		setup.Space = s.Program.space()
	}
	if s.Objective == nil {
		return setup, nil
	}
	v, err := s.Objective.variant()
	setup.Variant, setup.Evaluators = &v, s.evaluators
	return setup, err
}

// maxSeeds bounds the tunings of a run: all pairings of their results are played.
const maxSeeds = 20

// askSeeds reads how many tunings are asked for.
func (s *Spec) askSeeds(a *Config, m Method) error {
	switch {
	case a.Seeds == nil && a.SelectPairs != nil, a.Seeds != nil && *a.Seeds == 1 && a.SelectPairs != nil:
		return config.Errorf("select_pairs", "%d: chooses among several tunings, and there is one; see seeds", *a.SelectPairs)
	case a.Seeds == nil || *a.Seeds == 1:
		return nil
	case a.SelectPairs != nil && *a.SelectPairs < 1:
		return config.Errorf("select_pairs", "%d: want at least 1", *a.SelectPairs)
	}
	s.Seeds = *a.Seeds
	return s.seedable(m)
}

// seedable reports why there cannot be so many tunings.
func (s *Spec) seedable(m Method) error {
	if s.Seeds < 2 || s.Seeds > maxSeeds {
		return config.Errorf("seeds", "%d: want 1 to %d tunings", s.Seeds, maxSeeds)
	}
	if m.Info().Point != nil {
		return config.Errorf("seeds", "%d: method %s draws nothing that another seed would change: more pairs tell more", s.Seeds, m.Info().Name)
	}
	return nil
}

// checkSeeds is the same for a spec that was read.
func (s *Spec) checkSeeds() error {
	switch {
	case s.Seeds == 0 && s.SelectPairs != 0:
		return config.Errorf("select_pairs", "%d: chooses among several tunings, and there is one", s.SelectPairs)
	case s.Seeds == 0:
		return nil
	case s.SelectPairs < 1:
		return config.Errorf("select_pairs", "%d: want at least 1", s.SelectPairs)
	}
	return s.seedable(s.method)
}

// selectLengths fills in how many pairs choose: every tuning plays as many as the
// verification has at least.
func (s *Spec) selectLengths(a *Config, own int) {
	switch {
	case s.tunings() == 1:
		return
	case a.SelectPairs != nil:
		s.SelectPairs = *a.SelectPairs
		return
	}
	each := minVerified * own
	if s.VerifyPairs > 0 {
		each = min(each, s.VerifyPairs)
	}
	meets := s.Seeds - 1
	if s.Against != nil {
		meets = len(s.opponents())
	}
	s.SelectPairs = max(1, (each+meets-1)/meets)
}

// tunings is how many there are.
func (s *Spec) tunings() int { return max(1, s.Seeds) }
