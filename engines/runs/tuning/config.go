// Package tuning tunes a player in phases: a test of the parameters, the tuning, the verification
// of the result on new openings, and a rating. A new tuner is a folder in params, a file here and a
// line in methods.go.
package tuning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/schedule/asktell"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// Name of the kind, in run.toml and experiment files.
const Name = "tune"

// The default lengths of a verification follow the game's own pairs, which are
// about a second's worth, and the tuning: as long as a third of it.
const (
	minVerified   = 60  // times the game's own pairs
	maxVerified   = 300 // times the game's own pairs
	verifiedShare = 3   // of the tuning's pairs: one in this many
)

// maxAgainst bounds the pairs of start and of tuned against an opponent.
const maxAgainst = 1_000_000

// maxSeeds bounds the tunings of a run: all pairings of their results are played.
const maxSeeds = 20

// Config is the runs.Config of a tuning.
type Config struct {
	runs.Game `toml:"-"`
	// AskTell holds an askTellConfig for games that are played elsewhere; nil for others.
	AskTell config.Parts  `toml:"-"`
	Method  string        `group:"Method and parameters" toml:"method" arg:"METHOD" help:"tuning method: {methods}"`
	Start   player.Config `group:"Players" toml:"start" label:"Player to tune" arg:"PLAYER" help:"start from this player: preset or FILE.toml, with ,name=value overrides and @BUDGET (default: the game's default preset)"`
	Engine  string        `toml:"engine,omitempty" label:"External engine" arg:"FILE.toml" help:"tune the options of an external engine in self-play: its engine file, with ,NAME=VALUE and @BUDGET; see selfplay engine (default: the game's player)"`
	Set     []string      `toml:"-" flag:"set" label:"Start values" arg:"name=value" help:"override one start value (repeatable)"`
	Active  config.Names  `group:"Method and parameters" toml:"active" flag:"params" label:"Parameters to tune" arg:"a,b" help:"tune only these parameters (default: all that are not frozen; see tune params)"`
	Freeze  config.Names  `toml:"-" flag:"freeze" label:"Frozen parameters" arg:"a,b" help:"do not tune these parameters"`
	Space   string        `toml:"space,omitempty" label:"Ranges" arg:"FILE" help:"ranges and start values for --engine or ask-tell: [[param]] tables or rows such as OpenBench's (see tune params); FORM:FILE forces a format"`
	Pairs   int           `group:"Length and stopping" toml:"pairs" label:"Pairs an iteration" arg:"N" help:"game pairs per iteration (default: set by the game, 32 for quoridor), or per grid point (default 500)"`
	// Methods holds the methods with their settings; a planned config has the chosen one.
	// Settings are its settings as in run.toml.
	Methods  config.Parts   `group:"Method and parameters" toml:"-"`
	Settings map[string]any `toml:"settings" flag:"-"`
	// Stops are increasing numbers of games, all below the method's budget.
	Stops        []int           `group:"Length and stopping" toml:"stops,omitempty" flag:"stop" label:"Intermediate verifications" arg:"N" help:"also verify and rate after N tuning games, then continue tuning (repeatable; tune resume --games adds such a stop)"`
	Limits       engines.Limits  `group:"Players" toml:"-" flag:"limits" label:"Budget" arg:"BUDGET" help:"budget of each decision, such as depth=3, nodes=20000, playouts=500 or time=1s, or a game clock such as tc=8+0.08 (default: set by the game)"`
	Against      []player.Config `toml:"opponents,omitempty" flag:"against" label:"Opponents" arg:"PLAYER" help:"tune against this fixed opponent: both candidates play it on the same openings (repeatable, or A,B,C for a pool; default: they play each other)"`
	AgainstPairs int             `group:"Verification and rating" toml:"against_pairs" label:"Pairs against opponents" arg:"N" help:"with --against: pairs that start and tuned values each play the opponent after the verification; 0 for none (default: --verify-min)"`
	Seeds        int             `group:"Length and stopping" toml:"seeds,omitempty" label:"Independent tunings" arg:"N" help:"number of independent tunings, each with the full budget; a fresh match selects the best and another measures its gain (default 1, at most 20)"` // 0 for one
	SelectPairs  int             `toml:"select_pairs,omitempty" label:"Pairs of the selection" arg:"N" help:"with --seeds: game pairs of each pairing, or against each opponent, that select the best tuning (default: as many per tuning as --verify-min)"`
	FitPairs     int             `group:"Verification and rating" toml:"fit_pairs" label:"Pairs for fitted weights" arg:"N" help:"pairs of each pairing of tuned values, weights fitted to the tuning's games and their midpoint; 0: no fit (default: a quarter of the verification)"`
	ScreenPairs  int             `toml:"screen_pairs" label:"Pairs of the sensitivity test" arg:"N" help:"game pairs of the sensitivity test of each parameter before tuning; 0 skips it (default: set by the game)"`
	VerifyPairs  int             `toml:"verify_pairs" label:"Pairs of the verification" arg:"N" help:"maximum pairs of the verification, tuned against start; 0 skips it (default: a third of the tuning's pairs, from 60 to 300 times the game's)"`
	VerifySPRT   runs.Test       `toml:"verify_sprt" label:"Sequential test" arg:"elo0=0,elo1=5" help:"verify by a sequential test: elo0=0,elo1=5, optionally with alpha, beta, model (default: until the interval excludes an even score)"` // in place of the interval and VerifyMin
	VerifyMin    int             `toml:"verify_min,omitempty" label:"Fewest pairs of the verification" arg:"N" help:"minimum game pairs of the verification (default: 60 times the game's pairs, at most --verify-pairs)"`
	VerifyGain   float64         `toml:"verify_gain,omitempty" label:"Smallest gain to verify" arg:"ELO" help:"stop the verification once a gain of this many Elo is excluded or has less than a 10 % chance of being shown (default 0: never)"`
	VerifyLimits config.Names    `toml:"verify_limits,omitempty" label:"Other budgets" arg:"BUDGET,BUDGET" help:"also compare start, tuned and fitted values at these other limits, such as depth=6,time=100ms, and report gains that disappear"`
	RatePairs    int             `toml:"rate_pairs" label:"Pairs of the rating" arg:"N" help:"game pairs that start and tuned values each play with every other player of the rating; 0 skips it (default: set by the game, or a tenth of the tuning)"`
	// WorthPairs is the number of pairs that measure the worth of all changes at the end; 0 in runs of
	// earlier versions, which have no such phase. WorthStops are those at the stops; without them each
	// stop has WorthPairs.
	WorthPairs int             `toml:"worth_pairs,omitempty" flag:"-"`
	WorthStops []int           `toml:"worth_stops,omitempty" flag:"-"`
	Pool       []player.Config `toml:"pool,omitempty" label:"Players of the rating" arg:"PLAYER|FOLDER" help:"also rate these players (repeatable); a folder of runs adds the values tuned there for the same game"`
	// GamePool holds the players of the game's own pool, which are rated, too.
	GamePool []player.Config `toml:"game_pool,omitempty" flag:"-"`
	// PoolStar has only start and tuned values meet the players of the rating. In runs of earlier versions
	// all of them meet each other.
	PoolStar bool `toml:"pool_star,omitempty" flag:"-"`
	MarginTarget
	runs.MatchRules

	// FirstOpponent and OtherOpponents are Against in runs of the first builds of 0.4.
	FirstOpponent  *player.Config  `toml:"against,omitempty" flag:"-"`
	OtherOpponents []player.Config `toml:"others,omitempty" flag:"-"`
	// Tuner is the version of the method's tuner; 0 for firstTuner.
	Tuner int `toml:"tuner,omitempty" flag:"-"`
	// Mean has the mean of several tunings among the results that one is chosen of.
	Mean bool `toml:"mean,omitempty" flag:"-"`
	// Program is the external engine that is tuned; nil for the game's own player.
	Program *Program `toml:"program,omitempty" flag:"-"`
	// Elsewhere replaces the game if the games are played elsewhere; nil for others.
	Elsewhere *elsewhere `toml:"elsewhere" alias:"objective" flag:"-"`
	// LeaveIdle keeps parameters at their start values that change no decision around the
	// start and the tuned values.
	LeaveIdle bool `toml:"leave_idle,omitempty" flag:"-"`

	methods  func() []Method
	method   Method
	recorded earlier // of a run that is resumed
	task     *analysis.Task
	unused   params.Space  // of the start's file, with ranges and steps that do not count
	answered *asktell.Pool // of Elsewhere
}

// Program is the tuned external engine for the record of its run.
type Program struct {
	Protocol string `toml:"protocol"`
	// Differs lists parameters of the engine file whose default is another than the
	// value that the engine reports, a line each.
	Differs []string `toml:"differs"`
	// Bounded lists parameters with the range of the engine's option: no value lies beyond.
	Bounded []string     `toml:"bounded,omitempty"`
	File    string       `toml:"file,omitempty"` // of --space
	Form    string       `toml:"form,omitempty"` // of that file
	Params  params.Space `toml:"param"`
}

// players are all that play, but for the presets of the rating.
func (c *Config) players() []player.Config {
	list := slices.Concat([]player.Config{c.Start}, c.Against, c.Pool, c.GamePool)
	for _, text := range c.VerifyLimits {
		if l, err := engines.ParseLimits(text); err == nil { // else checkOtherLimits refuses it
			e := c.Start
			e.Limits = l
			list = append(list, e)
		}
	}
	return list
}

// named returns the player that is tuned with other values, under a name.
func (c *Config) named(name string, values params.Vector) player.Config {
	e := c.Start.With(values)
	e.Name = name
	return e
}

// tuned returns the player with tuned values.
func (c *Config) tuned(values params.Vector) player.Config { return c.named("tuned", values) }

// start returns the start player, under its name in tables.
func (c *Config) start() player.Config {
	e := c.Start
	e.Name = "start"
	return e
}

// tuneGames returns the number of games of the tuner's trials, of each of several tunings.
func (c *Config) tuneGames() int64 {
	n := 2 * int64(c.method.Pairs(c.task))
	if len(c.Against) > 0 {
		n *= 2 // A and B each play the opponent
	}
	return n
}

// tunings returns the number of tunings.
func (c *Config) tunings() int { return max(1, c.Seeds) }

// New returns a tuning with the defaults.
func New() *Config { return newAsked(Methods()[0].Info().Name, Methods) }

// NewAskTell returns a tuning with the defaults whose games are played elsewhere.
func NewAskTell() *Config {
	c := New()
	c.AskTell = config.Parts{&askTellConfig{}}
	return c
}

func newAsked(method string, methods func() []Method) *Config {
	a := &Config{Method: method, MatchRules: runs.DefaultMatchRules(), methods: methods}
	for _, n := range []*int{&a.Pairs, &a.AgainstPairs, &a.Seeds, &a.SelectPairs, &a.FitPairs, &a.ScreenPairs, &a.VerifyPairs,
		&a.VerifyMin, &a.RatePairs} {
		*n = config.Unset
	}
	for _, m := range methods() {
		a.Methods = append(a.Methods, m)
	}
	return a
}

// until returns the budget of the tuner at the end of a stage, in games as its method
// counts them.
func (c *Config) until(n int) int {
	if n < len(c.Stops) {
		return c.Stops[n]
	}
	return 2 * c.method.Pairs(c.task)
}

// tunedBy returns the number of games of the tuner's trials by the end of a stage.
func (c *Config) tunedBy(stageIndex int) int64 {
	n := int64(c.until(stageIndex))
	if len(c.Against) > 0 {
		n *= 2
	}
	return n
}

// worthAt returns the number of pairs that measure the worth of changes in a stage.
func (c *Config) worthAt(stageIndex int) int {
	if stageIndex < len(c.WorthStops) {
		return c.WorthStops[stageIndex]
	}
	return c.WorthPairs
}

// MarginTarget is the target of a tuning by margins.
type MarginTarget struct {
	Target string  `group:"Method and parameters" toml:"target,omitempty" arg:"win|margin" help:"score that the tuner maximises: win (points, the default) or margin (the size of the win, if the game defines it); verification uses points"`
	Full   float64 `toml:"full_margin,omitempty" arg:"N" help:"with --target margin: the margin that counts as a full win; smaller margins count proportionally less (default: set by the game)"`
}

// firstTuner is the version of the tuner of a run that records none.
const firstTuner = 1

// earlier is the state of the phases of a resumed run.
type earlier struct {
	over   int // number of the first phases, in order, that have all their trials
	games  int64
	values params.Vector // recommended after these games of the tunings
}

// sameTuner reports whether this program has the version of the tuner that began the run.
func (c *Config) sameTuner() bool {
	return cmp.Or(c.Tuner, firstTuner) == cmp.Or(c.method.Info().Version, firstTuner)
}

// remedy returns sentences on the program that continues a tuning, and on how to verify the values
// found so far.
func (c *Config) remedy(h *runs.Head) string {
	line := fmt.Sprintf("; it is resumed by the program that began it, %s of revision %s", h.Meta.Program, h.Meta.Revision)
	switch {
	case c.recorded.games == 0:
		return line
	case c.Elsewhere != nil:
		return line + ". The values it has found are in its report: " + runs.CommandText("tune", "report", h.Dir)
	}
	space := c.task.Space()
	words := []string{"selfplay", "match", "--game", h.Meta.Game, "--rules", h.Meta.Rules, "--a", c.Start.With(c.recorded.values).Text(space), "--b",
		c.Start.Text(space)}
	return line + fmt.Sprintf(". To verify what it has found by %s: %s", text.Plural(c.recorded.games, "game"), runs.CommandText(words...))
}

// parameters names the tuned parameters: by name where they are few.
func (c *Config) parameters() string {
	if len(c.Active) > 3 {
		return text.Plural(len(c.Active), "parameter")
	}
	return "`" + strings.Join(c.Active, "`, `") + "`"
}
