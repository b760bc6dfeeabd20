package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
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
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// RandomOpenings, as MatchRules.Openings, draws them from the seed.
const RandomOpenings = "random"

// BookName is the file in a run directory that keeps the book of openings.
const BookName = "openings.txt"

const (
	// maxOpening is the longest drawn opening: beyond it few positions are
	// worth playing.
	maxOpening = 40
	// MaxPairs bounds counts of pairs against slips of the keyboard: at a million
	// games a second they would take three hours. Twice as many fit an int.
	MaxPairs = min(5_000_000_000, math.MaxInt/2)
	// MaxInTrial bounds the pairs of what is recorded as one trial, all of which are
	// in memory until the last has ended: some 20 MB.
	MaxInTrial = 20_000
)

// Game is the part of what is asked that chooses a game.
type Game struct {
	Game  string `toml:"game" arg:"GAME" help:"game to play: {games} (default: the game named in the players' parameter files)"`
	Rules string `toml:"rules" arg:"name=value,..." help:"rule variants of the game (default: its standard rules; see selfplay params)"`
	// Custom are players of the caller's own Go code, which the texts of players name
	// as custom:NAME.
	Custom []player.Custom `toml:"-"`
}

// Variant opens the game under the rules. Where no game is said, it is that of the
// parameter files among the texts of players.
func (g Game) Variant(players ...string) (engines.Variant, error) {
	name, err := g.name(players)
	if err != nil {
		return engines.Variant{}, err
	}
	game, err := games.Find(name)
	if err != nil {
		return engines.Variant{}, config.Wrap("game", err)
	}
	v, err := game.OpenText(g.Rules)
	return v, config.Wrap("rules", err)
}

// name is the game's.
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

// MatchRules is the part of what is asked that says how games start and end, and
// what is kept of them.
type MatchRules struct {
	Openings     string              `toml:"openings" arg:"FILE" help:"random (drawn from the seed), or a file with one opening a line"`
	OpeningPlies *int                `toml:"opening_plies" arg:"N" help:"random plies before each pair starts (default: set by the game)"`
	MaxPlies     int                 `toml:"max_plies" arg:"N" help:"adjudication: declare a draw after N plies, opening included (0: off)"`
	Resign       play.Resign         `toml:"resign" arg:"score=S,moves=N" help:"adjudication: a player loses after N consecutive moves with its own score at -S or below (score=-0.05: a winning chance below 5 %)"`
	Draw         play.DrawRule       `toml:"draw" arg:"score=S,moves=N,after=P" help:"adjudication: draw after N consecutive moves of both sides with scores within S of even, from ply P on (even=0.5 for winning chances)"`
	Stall        time.Duration       `toml:"timeout" alias:"stall" arg:"TIME" help:"forfeit a player that does not answer within this time, such as 60s (default: its time limit plus 10 s; without a limit: wait)"`
	TimeMargin   Margin              `toml:"timemargin" arg:"TIME" help:"time overrun allowed per move before the game is forfeited, unless the player's limits set it (default: set by the engine file, or 20ms)"`
	FaultLimit   schedule.FaultLimit `toml:"fault_limit" arg:"games=N,share=P" help:"stop once a player has forfeited more than N games and more than share P of its games: games=N,share=P, or off"`
	Confidence   float64             `toml:"confidence" arg:"LEVEL" help:"confidence level of all intervals"`
	Seed         uint64              `toml:"seed" arg:"N" help:"seed of all randomness"`
	RecordMoves  Moves               `toml:"record_moves" arg:"off|on|time" help:"record a row for every decision (position key, move, score, nodes, depth) in moves/: off, on, or time (adds wall time; implied by clocks)"`
}

// DefaultMatchRules draws openings, ends no game early and is patient with faults
// up to a tenth.
func DefaultMatchRules() MatchRules {
	return MatchRules{Openings: RandomOpenings, FaultLimit: schedule.DefaultFaultLimit, Confidence: 0.95, Seed: 1}
}

// Moves says which decisions a run keeps, in the user's words.
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

// Book is a file of openings.
type Book struct {
	Data     []byte
	Openings []engines.Opening
}

// hash is the SHA-256 of the file.
func (b Book) hash() string {
	sum := sha256.Sum256(b.Data)
	return hex.EncodeToString(sum[:])
}

// Terms are a checked MatchRules, as a part of a spec.
type Terms struct {
	OpeningPlies int     `toml:"opening_plies"` // of drawn openings
	Level        float64 `toml:"level"`         // of all intervals

	Openings     string `toml:"openings"`      // the file as given, for people; "" for drawn openings
	OpeningsHash string `toml:"openings_hash"` // SHA-256 of its content, which is in openings.txt
	OpeningCount int    `toml:"opening_count"`

	MaxPlies   int                 `toml:"max_plies"`
	Resign     play.Resign         `toml:"resign"`
	Draw       play.DrawRule       `toml:"draw"`
	Stall      Duration            `toml:"stall"`
	TimeMargin Margin              `toml:"time_margin,omitempty"`
	FaultLimit schedule.FaultLimit `toml:"fault_limit"`
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
	*d = Duration(t)
	return err
}

// Conditions are the terms themselves: what every spec that embeds them has.
func (t *Terms) Conditions() *Terms { return t }

// Check checks the rules for games of players, and reads the book.
func (c *MatchRules) Check(v engines.Variant, players []player.Config) (Terms, Book, error) {
	t := Terms{
		OpeningPlies: v.Game.OpeningPlies, Level: c.Confidence,
		MaxPlies: c.MaxPlies, Resign: c.Resign, Draw: c.Draw, Stall: Duration(c.Stall), TimeMargin: c.TimeMargin, FaultLimit: c.FaultLimit,
	}
	if c.OpeningPlies != nil {
		t.OpeningPlies = *c.OpeningPlies
	}
	var b Book
	if c.Openings != RandomOpenings {
		if c.OpeningPlies != nil {
			return t, b, config.Errorf("opening_plies", "%d: cannot be used with a file of openings", *c.OpeningPlies)
		}
		var err error
		if b, err = readBook(c.Openings, v); err != nil {
			return t, b, config.Wrap("openings", err)
		}
		t.OpeningPlies, t.Openings, t.OpeningsHash, t.OpeningCount = 0, c.Openings, b.hash(), len(b.Openings)
	}
	return t, b, t.check(players, b)
}

func readBook(name string, v engines.Variant) (b Book, err error) {
	if name == "" {
		return b, fmt.Errorf("want %s or a file of openings", RandomOpenings)
	}
	if b.Data, err = os.ReadFile(name); err != nil {
		return b, fmt.Errorf("%w; want %s or a file", err, RandomOpenings)
	}
	b.Openings, err = play.ParseBook(name, b.Data, v)
	return b, err
}

// check reports the first thing wrong with the terms for games of players.
func (t *Terms) check(players []player.Config, b Book) error {
	longest := time.Duration(0)
	for _, p := range players {
		longest = max(longest, p.Limits.Longest())
	}
	opening := t.OpeningPlies
	for _, o := range b.Openings {
		opening = max(opening, len(o.Moves))
	}
	switch stall := time.Duration(t.Stall); {
	case !(t.Level > 0.5 && t.Level < 1):
		return config.Errorf("confidence", "%v: want above 0.5 and below 1, such as 0.95", t.Level)
	case t.OpeningPlies < 0 || t.OpeningPlies > maxOpening:
		return config.Errorf("opening_plies", "%d: want 0 to %d", t.OpeningPlies, maxOpening)
	case t.MaxPlies < 0:
		return config.Errorf("max_plies", "%d: want at least 1, or 0 for no bound", t.MaxPlies)
	case t.MaxPlies > 0 && t.MaxPlies <= opening:
		return config.Errorf("max_plies", "%d: an opening alone has %d plies", t.MaxPlies, opening)
	case stall < 0:
		return config.Errorf("timeout", "%v: want a time above 0, such as 60s", stall)
	case stall > 0 && stall <= longest:
		return config.Errorf("timeout", "%v: want more than the time limit, %v", stall, longest)
	}
	return nil
}

// InOrder reports whether the pairs of a match take the openings of a file in
// its order.
func (t *Terms) InOrder() bool { return t.OpeningsHash != "" }

// PairsFor is the number of pairs to play: as asked, or where nothing is the
// usual number, but not more than the openings of a file.
func (t *Terms) PairsFor(asked *int, usual int) int {
	switch {
	case asked != nil:
		return *asked
	case t.InOrder():
		return min(usual, t.OpeningCount)
	}
	return usual
}

// CheckPairs checks a number of pairs that the file of openings, if there is
// one, must suffice for.
func (t *Terms) CheckPairs(field string, pairs int) error {
	switch {
	case pairs < 1:
		return config.Errorf(field, "%d: want at least 1", pairs)
	case pairs > MaxPairs:
		return config.Errorf(field, "%d: want at most %d", pairs, int64(MaxPairs))
	case t.InOrder() && pairs > t.OpeningCount:
		return config.Errorf(field, "%d: %s holds %d openings, and each is played once with either colour; want at most that many", pairs,
			t.Openings, t.OpeningCount)
	}
	return nil
}

// Words are the terms as flags of the canonical command.
func (t *Terms) Words() []string {
	var words []string
	for _, option := range []struct {
		flag string
		text interface{ MarshalText() ([]byte, error) }
	}{{"--resign", t.Resign}, {"--draw", t.Draw}, {"--timeout", t.Stall}, {"--timemargin", t.TimeMargin}} {
		if text, err := option.text.MarshalText(); err == nil && len(text) > 0 {
			words = append(words, option.flag, string(text))
		}
	}
	if t.MaxPlies > 0 {
		words = append(words, "--max-plies", strconv.Itoa(t.MaxPlies))
	}
	if t.FaultLimit != schedule.DefaultFaultLimit {
		words = append(words, "--fault-limit", t.FaultLimit.String())
	}
	if t.InOrder() { // the name of the file does not matter
		words = append(words, "--openings", "sha256:"+t.OpeningsHash)
	} else {
		words = append(words, "--opening-plies", strconv.Itoa(t.OpeningPlies))
	}
	return append(words, "--confidence", params.FormatValue(t.Level))
}

// setup is what all games under the terms have in common.
func (t *Terms) setup(v engines.Variant, seed uint64, moves datasets.RecordMoves, b Book) play.Setup {
	return play.Setup{
		Game: v.Game.Name, Version: v.Game.Version, Rules: v.Rules, Seed: seed,
		OpeningPlies: t.OpeningPlies, Book: b.Openings, Stall: time.Duration(t.Stall),
		Margin:       time.Duration(t.TimeMargin),
		Adjudication: play.Adjudication{MaxPlies: t.MaxPlies, Resign: t.Resign, Draw: t.Draw},
		Notes:        moves != datasets.NoMoves, Times: moves == datasets.TimeMoves,
	}
}

// keptBook reads the book that a run directory keeps.
func (t *Terms) keptBook(dir string, v engines.Variant) (b Book, err error) {
	if !t.InOrder() {
		return b, nil
	}
	path := dir + string(os.PathSeparator) + BookName
	if b.Data, err = datasets.ReadFile(path); err != nil {
		return b, fmt.Errorf("the run's openings: %w", err)
	}
	if now := b.hash(); now != t.OpeningsHash {
		return b, fmt.Errorf("%s was changed since the run began: its SHA-256 is %s, not %s; put the file of %d openings back (it was %s), "+
			"or start a new run",
			path, now, t.OpeningsHash, t.OpeningCount, t.Openings)
	}
	b.Openings, err = play.ParseBook(path, b.Data, v)
	return b, err
}

// Budget returns the limits asked for, or the game's own for none.
func Budget(game *engines.Game, asked engines.Limits) engines.Limits {
	if asked.IsZero() {
		return game.Limits
	}
	return asked
}

// Seat reads a player from a field, as player.Parse does. limits are for players
// without their own, and were asked for in another field: an error names the one
// that is wrong.
func Seat(game *engines.Game, field, text, limitsField string, limits engines.Limits, custom ...player.Custom) (player.Config, error) {
	e, err := player.Parse(game, text, limits, custom...)
	if u, is := errors.AsType[*player.LimitsError](err); is && !u.Own {
		return e, config.Wrap(limitsField, err)
	}
	return e, config.Wrap(field, err)
}

// CheckTerms reports the first thing wrong with terms that were read from a file.
func (t *Terms) CheckTerms(players []player.Config) error { return t.check(players, Book{}) }

// Kept says which decisions a run of players keeps: their times too where one
// plays by a clock, since clocks follow from them.
func Kept(m Moves, players ...player.Config) datasets.RecordMoves {
	if slices.ContainsFunc(players, func(e player.Config) bool { return !e.Limits.Clock.IsZero() }) {
		return datasets.TimeMoves
	}
	return datasets.RecordMoves(m)
}

// PlayerWord writes a player as a canonical command takes it.
func PlayerWord(v engines.Variant, e player.Config) string {
	var words []string
	if e.Engine != nil {
		words = append([]string{player.EnginePrefix + e.Engine.File}, e.Engine.Set...)
	}
	if e.Custom != nil {
		words = append(words, player.CustomPrefix+e.Custom.Name)
	}
	for i, x := range e.Values {
		words = append(words, v.Game.Space[i].Name+"="+v.Game.Space[i].Format(x))
	}
	text := strings.Join(words, ",")
	if !e.Limits.IsZero() {
		text += "@" + e.Limits.String()
	}
	return text
}

// Facts are the terms as lines of a report.
func (t *Terms) Facts() []reports.Fact {
	openings := gamestats.RandomOpenings(t.OpeningPlies)
	if t.InOrder() {
		openings = fmt.Sprintf("`%s`, %s, SHA-256 `%s`", t.Openings, text.Plural(t.OpeningCount, "opening"), t.OpeningsHash)
	}
	facts := []reports.Fact{{Key: "openings", Value: openings}}
	for _, f := range []struct {
		key   string
		value interface{ MarshalText() ([]byte, error) }
	}{{"resignation", t.Resign}, {"draws", t.Draw}, {"timeout", t.Stall}, {"margin of time", t.TimeMargin}, {"fault limit", t.FaultLimit}} {
		if data, err := f.value.MarshalText(); err == nil && len(data) > 0 {
			facts = append(facts, reports.Fact{Key: f.key, Value: string(data)})
		}
	}
	if t.MaxPlies > 0 {
		facts = append(facts, reports.Fact{Key: "bound of plies", Value: text.Count(t.MaxPlies)})
	}
	return facts
}
