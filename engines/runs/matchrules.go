package runs

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

const (
	// maxOpening is the longest drawn opening: beyond it few positions are
	// worth playing.
	maxOpening = 40
	// MaxPairs bounds counts of pairs against slips of the keyboard: at a million
	// games a second they would take three hours. Twice as many fit an int.
	MaxPairs = min(5_000_000_000, math.MaxInt/2)
	// MaxInTrial bounds the pairs of one recorded trial. All of them are in memory until the last
	// has ended: some 20 MB.
	MaxInTrial = 20_000
)

// Game is the part of a config that chooses a game.
type Game struct {
	Game  string `group:"Players" toml:"-" flag:"game" arg:"GAME" help:"game to play: {games}, or a referee's FILE.toml or command (default: the game named in the players' parameter files)"`
	Rules string `toml:"-" flag:"rules" arg:"name=value,..." help:"rule variants of the game (default: its standard rules; see selfplay params)"`
	// Value is the game itself, in place of its name: one of another module, which the program then
	// finds by its name, too (games.Include). Nil for a game by name.
	Value *engines.Game `toml:"-"`
	// Custom are players of the caller's own Go code, which the texts of players name
	// as custom:NAME.
	Custom []player.Custom `toml:"-"`
}

// Variant opens the game under the rules. If no game is named, the parameter files among the
// players' texts name it.
func (g Game) Variant(players ...player.Config) (engines.Variant, error) {
	if g.Value != nil {
		if err := games.Include(g.Value); err != nil {
			return engines.Variant{}, config.Wrap("game", err)
		}
		g.Game = g.Value.Name
	}
	name, err := g.name(player.Asked(players))
	if err != nil {
		return engines.Variant{}, err
	}
	open := games.Find
	if g.Game != "" {
		open = games.Load
	}
	game, err := open(name)
	if err != nil {
		return engines.Variant{}, config.Wrap("game", err)
	}
	v, err := game.OpenText(g.Rules)
	return v, config.Wrap("rules", err)
}

// name returns the game's.
func (g Game) name(players []string) (string, error) {
	if g.Game != "" {
		return g.Game, nil
	}
	name, from := "", ""
	for _, text := range players {
		switch own := player.GameOf(text); {
		case own == "" || own == name:
		case name == "":
			name, from = own, text
		default:
			return "", config.Wrap("game", fmt.Errorf("none is given, and the files of the players are of several: %s of %s, %s of %s", from, name,
				text, own))
		}
	}
	if name == "" {
		return "", config.Wrap("game", fmt.Errorf("none is given%s", params.Suggest("", games.Names())))
	}
	return name, nil
}

// MatchRules holds the rules for the start and the end of games, and for the record: the user's
// before Resolve, the complete ones of run.toml after it.
type MatchRules struct {
	Resign     play.Resign         `group:"Adjudication and faults" toml:"resign" label:"Adjudicated losses" arg:"score=S,moves=N" help:"adjudication: a player loses after N moves in a row with its score at -S or below (-0.05: a winning chance below 5 %); both=yes: if the other agrees"`
	Draw       play.DrawRule       `toml:"draw" label:"Adjudicated draws" arg:"score=S,moves=N,after=P" help:"adjudication: draw after N consecutive moves of both sides with scores within S of even, from ply P on (even=0.5 for winning chances)"`
	Stall      Duration            `toml:"stall" flag:"timeout" label:"Longest answer" arg:"TIME" help:"forfeit a player with no answer within this time, such as 60s (default: its time limit plus 10 s, of an engine 5 s; without one 10m for an engine, else never)"`
	TimeMargin Margin              `toml:"time_margin,omitempty" flag:"timemargin" label:"Time overrun" arg:"TIME" help:"time overrun allowed per move before the game is forfeited, unless the player's limits set it (default: set by the engine file, or 20ms)"`
	MaxPlies   int                 `toml:"max_plies,omitempty" label:"Longest game" arg:"N" help:"adjudication: declare a draw after N plies, opening included (0: off)"`
	FaultLimit schedule.FaultLimit `toml:"fault_limit" label:"Limit of forfeits" arg:"games=N,share=P" help:"stop once a player has forfeited more than N games and more than share P of its games: games=N,share=P, or off"`
	// Openings is the file as given, for people; once resolved "" for drawn ones.
	Openings     string `group:"Openings" toml:"openings" arg:"FILE" help:"random (drawn from the seed), or a file of openings: moves or EPD, one a line, or PGN; for gobang also SGF, PSQ or Gomocup's offsets"`
	OpeningPlies int    `toml:"opening_plies" arg:"N" help:"random plies of each drawn opening, or plies kept of each in a file (default: set by the game; of a file's, all)"`
	OpeningsHash string `toml:"openings_hash" flag:"-"` // SHA-256 of the file, which is kept as openings.txt
	OpeningCount int    `toml:"opening_count" flag:"-"`
	// OpeningDuplicates are the openings of the file that play.ParseBook left out.
	OpeningDuplicates int `toml:"opening_duplicates,omitempty" flag:"-"`
	// OpeningOrder is the order of a file of openings.
	OpeningOrder play.BookOrder `toml:"openings_order,omitempty" label:"Order of openings" arg:"ORDER" help:"order of a file of openings: shuffle (drawn from the seed), repeat (start again after the last), or shuffle,repeat (default: the file's, each opening once)"`
	Level        float64        `group:"Intervals and seed" toml:"level" flag:"confidence" arg:"LEVEL" help:"confidence level of all intervals"`
	Seed         uint64         `toml:"-" flag:"seed" arg:"N" help:"seed of all randomness"`
	RecordMoves  Moves          `group:"Output" toml:"-" flag:"record_moves" label:"Recorded moves" arg:"off|on|time" help:"record a row for every decision (position key, move, score, nodes, depth) in moves/: off, on, or time (adds wall time; implied by clocks)"`
}

// ErrNotNew is the error of a Config that was not made by its package's New.
var ErrNotNew = errors.New("the settings lack their defaults: begin with the Config that New returns")

// DefaultMatchRules draws openings, ends no game early and is patient with faults
// up to a tenth.
func DefaultMatchRules() MatchRules {
	return MatchRules{Openings: RandomOpenings, OpeningPlies: config.Unset, FaultLimit: schedule.DefaultFaultLimit, Level: 0.95, Seed: 1}
}

// Moves selects the decisions that a run records, in the user's words.
type Moves datasets.RecordMoves

// MarshalText writes off, on or time.
func (m Moves) MarshalText() ([]byte, error) {
	if m == Moves(datasets.NoMoves) {
		return []byte("off"), nil
	}
	return []byte(m), nil
}

// UnmarshalText reads off, on or time.
func (m *Moves) UnmarshalText(text []byte) error {
	r, err := datasets.ParseRecordMoves(string(text))
	*m = Moves(r)
	return err
}

// Margin is a play.Setup.Margin with a text form; "" is 0, and "0s" none.
type Margin time.Duration

// MarshalText writes what UnmarshalText reads.
func (m Margin) MarshalText() ([]byte, error) {
	if m == 0 {
		return nil, nil
	}
	return []byte(max(time.Duration(m), 0).String()), nil
}

// UnmarshalText reads such as "50ms".
func (m *Margin) UnmarshalText(text []byte) error {
	if *m = 0; len(text) == 0 {
		return nil
	}
	d, err := engines.ParseMargin(string(text))
	*m = Margin(d)
	return err
}

// Duration is a time.Duration with a text form; "" is 0.
type Duration time.Duration

// MarshalText writes what UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) {
	if d == 0 {
		return nil, nil
	}
	return []byte(time.Duration(d).String()), nil
}

// UnmarshalText reads such as "60s".
func (d *Duration) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = 0
		return nil
	}
	t, err := time.ParseDuration(string(text))
	if *d = Duration(t); err != nil || t == 0 {
		return fmt.Errorf("%q: want a time above 0 with its unit, such as 500ms or 60s", text)
	}
	return nil
}

// Conditions returns the rules themselves, for every config that embeds them.
func (m *MatchRules) Conditions() *MatchRules { return m }

// Resolve fills in defaults, checks the rules for games of players, and reads the book. If a
// player has a clock, the times of moves are recorded, because clocks follow from them.
func (m *MatchRules) Resolve(v engines.Variant, players []player.Config) (b Book, err error) {
	if slices.ContainsFunc(players, func(e player.Config) bool { return !e.Limits.Clock.IsZero() }) {
		m.RecordMoves = Moves(datasets.TimeMoves)
	}
	switch {
	case m.Openings == "" && m.Level == 0:
		return b, ErrNotNew
	case m.Openings == RandomOpenings && m.OpeningOrder != play.BookOrder{}:
		return b, config.Errorf("openings_order", "is that of a file of openings, and none is given")
	case m.Openings == RandomOpenings:
		if m.Openings = ""; m.OpeningPlies == config.Unset {
			m.OpeningPlies = v.Game.OpeningPlies
		}
		return b, m.check(players, b)
	case m.OpeningPlies == config.Unset:
		m.OpeningPlies = 0
	case m.OpeningPlies < 1:
		return b, config.Errorf("opening_plies", "%d: want at least 1 with a file of openings", m.OpeningPlies)
	}
	if b, err = readBook(m.Openings, v, m.OpeningPlies); err != nil {
		return b, config.Wrap("openings", err)
	}
	m.OpeningsHash, m.OpeningCount, m.OpeningDuplicates = b.hash(), len(b.Openings), b.duplicates
	return b, m.check(players, b)
}

// check reports the first thing wrong with the rules for games of players.
func (m *MatchRules) check(players []player.Config, b Book) error {
	longest := time.Duration(0)
	for _, p := range players {
		longest = max(longest, p.Limits.AtStart().Longest())
	}
	opening := m.OpeningPlies
	for _, o := range b.Openings {
		opening = max(opening, len(o.Moves))
	}
	switch stall := time.Duration(m.Stall); {
	case !(m.Level > 0.5 && m.Level < 1):
		return config.Errorf("confidence", "%v: want above 0.5 and below 1, such as 0.95", m.Level)
	case m.OpeningPlies < 0 || m.OpeningPlies > maxOpening && !m.InOrder():
		return config.Errorf("opening_plies", "%d: want 0 to %d", m.OpeningPlies, maxOpening)
	case m.MaxPlies < 0:
		return config.Errorf("max_plies", "%d: want at least 1, or 0 for no bound", m.MaxPlies)
	case m.MaxPlies > 0 && m.MaxPlies <= opening:
		return config.Errorf("max_plies", "%d: an opening alone has %d plies", m.MaxPlies, opening)
	case stall < 0:
		return config.Errorf("timeout", "%v: want a time above 0, such as 60s", stall)
	case stall > 0 && stall <= longest:
		return config.Errorf("timeout", "%v: want more than the time limit, %v", stall, longest)
	}
	return nil
}

// InOrder reports whether the pairs of a match take the openings of a file in
// its order.
func (m *MatchRules) InOrder() bool { return m.OpeningsHash != "" }

// PairsFor returns the number of pairs to play: the given one, else the default, but not more
// than the openings of a file.
func (m *MatchRules) PairsFor(want, standard int) int {
	switch {
	case want != config.Unset:
		return want
	case m.InOrder() && !m.OpeningOrder.Repeat:
		return min(standard, m.OpeningCount)
	}
	return standard
}

// CheckPairs checks a number of pairs that the file of openings, if there is
// one, must suffice for.
func (m *MatchRules) CheckPairs(field string, pairs int) error {
	switch {
	case pairs < 1:
		return config.Errorf(field, "%d: want at least 1", pairs)
	case pairs > MaxPairs:
		return config.Errorf(field, "%d: want at most %d", pairs, int64(MaxPairs))
	case m.InOrder() && pairs > m.OpeningCount && !m.OpeningOrder.Repeat:
		return config.Errorf(field, "%d: %s holds %s, and each is played once with either colour; want at most that many, or "+
			"--openings-order repeat", pairs, m.Openings, m.Holds())
	}
	return nil
}

// Holds describes the openings of a file: their number, the duplicates left out, and the plies
// kept of each.
func (m *MatchRules) Holds() string {
	s := text.Plural(int64(m.OpeningCount), "opening")
	if m.OpeningDuplicates > 0 {
		s += fmt.Sprintf(" (%s left out)", text.Plural(int64(m.OpeningDuplicates), "duplicate"))
	}
	if m.OpeningPlies > 0 {
		s += fmt.Sprintf(" of at most %s", text.Plural(int64(m.OpeningPlies), "ply"))
	}
	return s
}

// canonical returns a field of a config as the canonical command has it; ok is false for a field
// that it leaves out. The hash of a file of openings replaces its name.
func (m *MatchRules) canonical(s config.Setting) (_ config.Setting, ok bool) {
	switch {
	case s.Of(&m.Openings):
		s.Values = []string{"sha256:" + m.OpeningsHash}
	case s.Of(&m.OpeningPlies):
		return s, !m.InOrder() || m.OpeningPlies > 0
	case s.Of(&m.FaultLimit):
		return s, m.FaultLimit != schedule.DefaultFaultLimit
	}
	return s, true
}

// PlaySetup returns the setup that all games under the rules share.
func (m *MatchRules) PlaySetup(v engines.Variant, b Book) play.Setup {
	moves := datasets.RecordMoves(m.RecordMoves)
	return play.Setup{
		Game: v.Game.ID(), Version: v.Game.Version, Rules: v.Rules, Seed: m.Seed,
		OpeningPlies: m.OpeningPlies, Book: m.OpeningOrder.Of(b.Openings, m.Seed),
		BookRepeats: m.OpeningOrder.Repeat, Stall: time.Duration(m.Stall),
		Margin:       time.Duration(m.TimeMargin),
		Adjudication: play.Adjudication{MaxPlies: m.MaxPlies, Resign: m.Resign, Draw: m.Draw},
		Notes:        moves != datasets.NoMoves, Times: moves == datasets.TimeMoves,
	}
}

// KeptBook reads the book that a run directory keeps.
func (m *MatchRules) KeptBook(dir string, v engines.Variant) (b Book, err error) {
	if !m.InOrder() {
		return b, nil
	}
	path := dir + string(os.PathSeparator) + bookName
	if b.Data, err = datasets.ReadFile(path); err != nil {
		return b, fmt.Errorf("the run's openings: %w", err)
	}
	if now := b.hash(); now != m.OpeningsHash {
		return b, fmt.Errorf("%s was changed since the run began: its SHA-256 is %s, not %s; put the file of %d openings back (it was %s), "+
			"or start a new run",
			path, now, m.OpeningsHash, m.OpeningCount, m.Openings)
	}
	b.Openings, b.duplicates, err = play.ParseBook(path, b.Data, v, m.OpeningPlies)
	return b, err
}

// Seat reads the player of a field, as player.Parse does. limits, zero for none, are for players
// without a budget: they replace the limits of an engine's file. They come from limitsField: an
// error names the field that is wrong.
func Seat(game *engines.Game, field string, cfg player.Config, limitsField string, limits engines.Limits,
	custom ...player.Custom) (player.Config, error) {
	budget := limits
	if budget.IsZero() {
		budget = game.Limits
	}
	e, err := player.Parse(game, cfg.Player, budget, custom...)
	if e.Engine != nil && !limits.IsZero() && !player.HasBudget(cfg.Player) {
		e.Limits = limits
	}
	if u, ok := errors.AsType[*player.LimitsError](err); ok && !u.Own {
		return e, config.Wrap(limitsField, err)
	}
	return e, config.Wrap(field, err)
}

// CheckRules reports the first thing wrong with rules that were read from a file, or with
// the players of a game under them.
func (m *MatchRules) CheckRules(game *engines.Game, players []player.Config) error {
	for _, p := range players {
		if err := p.Check(game); err != nil {
			return err
		}
	}
	return m.check(players, Book{})
}

// Facts returns the rules as lines of a report.
func (m *MatchRules) Facts() []reports.Fact {
	openings := text.Plural(m.OpeningPlies, "random ply")
	if m.InOrder() {
		openings = fmt.Sprintf("`%s`, %s, SHA-256 `%s`", m.Openings, m.Holds(), m.OpeningsHash)
	}
	facts := []reports.Fact{{Key: "openings", Value: openings}}
	for _, f := range []struct {
		key   string
		value interface{ MarshalText() ([]byte, error) }
	}{{"resignation", m.Resign}, {"draws", m.Draw}, {"timeout", m.Stall}, {"margin of time", m.TimeMargin}, {"fault limit", m.FaultLimit}} {
		if data, err := f.value.MarshalText(); err == nil && len(data) > 0 {
			facts = append(facts, reports.Fact{Key: f.key, Value: string(data)})
		}
	}
	if m.MaxPlies > 0 {
		facts = append(facts, reports.Fact{Key: "bound of plies", Value: text.Count(m.MaxPlies)})
	}
	return facts
}
