package engines

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplaylab/params"
)

// Game describes a game and its own player: mostly data.
type Game struct {
	Name string // as in --game
	// Source is the file or command of the referee program that keeps the game's rules; ""
	// for a game of this program. The game is opened by it again.
	Source string
	Title  string // for people, with the Chinese name
	Doc    string // two paragraphs: the game; its player and what is tuned

	// Version counts changes of rules or player that change games. A run
	// recorded under another version is not resumed.
	Version int

	Options       []Option     // rules a user may choose
	Space         params.Space // the player's parameters
	Presets       []params.Preset
	DefaultPreset string // preset that play and tuning start from
	// PlayPreset is the preset for people who just want to play or to ask for a move;
	// "" for DefaultPreset, which tunings, runs and replays depend on. Call
	// PlayerPreset.
	PlayPreset string
	WeakPreset string // preset that a tuner should recover from; "" if none

	// Tuned names the parameters that are worth tuning, if the user names none, for a
	// player with values v under limits l. Nil, or an empty list: all that are not
	// frozen.
	Tuned func(v params.Vector, l Limits) []string

	Limits Limits // default budget of a decision
	// Budgets lists the kinds of limits that the player supports; see CheckLimits.
	Budgets []Budget
	// Proves is within how many plies of its end the player, with the default preset
	// and Limits, finds every forced win and reports it in Decision.Mate; 0 if it
	// proves nothing.
	Proves int
	// Unit is the unit of a Decision's Score, in the plural if it has one: "points";
	// "" for a unit of the player's own.
	Unit string
	// Margins describe by how much games are won; the zero value is for a game whose
	// states are no MarginScorers.
	Margins      Margins
	Strict       Strict // play with people in which illegal actions count
	OpeningPlies int    // default length of a drawn opening
	Pairs        int    // default game pairs of a tuner's iteration: what a second or less can play; 0 is 1

	// Pool lists players that the rating of a tuning has besides the presets, as users write them.
	Pool []string
	// PoolPairs is the default number of pairs of each pairing there, for a game of which many cost
	// little: a tuning's own games are then no measure; 0 for a share of these.
	PoolPairs int

	// New makes the game under complete, canonical rules. Call Open, which
	// checks them.
	New func(Rules) (Variant, error)
}

// ID names the game for opening it: its source, or its name for a game of this program.
func (g *Game) ID() string { return cmp.Or(g.Source, g.Name) }

// UnitChance is the Unit of players whose score is the chance to win, from 0 to 1.
// All other scores are of opposite sign for the other side.
const UnitChance = "chance of winning"

// Strict describes play with people in which illegal actions count: State.Penalty is
// applied, and Actions of them lose the game. The zero value is for a game that the
// first one loses.
type Strict struct {
	Doc     string `json:"doc"`     // the rule in a few words
	Seconds int    `json:"seconds"` // a move then
	Actions int    `json:"actions"`
}

// Margins describe by how much games are won, for a game whose states are
// MarginScorers.
type Margins struct {
	Unit string // in the plural: "discs"
	// Cap is the margin, above 0, from which a win counts fully for a tuner whose
	// target is the margin; smaller margins count for less. At about 1.25 times the
	// root mean square of margins between equal players, which selfplay bench prints, the
	// margin of a game tells as much about a small difference in strength as its result,
	// with less noise.
	Cap float64
}

// Has reports whether there are margins.
func (m Margins) Has() bool { return m != Margins{} }

// enginePreset names the one preset of a game that an external engine plays.
const enginePreset = "engine"

// ForEngine returns the game as an external engine with these parameters plays it,
// without the parameters and presets of the game's own player.
func (g *Game) ForEngine(space params.Space) *Game {
	own := *g
	own.Space, own.DefaultPreset, own.PlayPreset, own.WeakPreset, own.Tuned = space, enginePreset, "", "", nil
	own.Presets = []params.Preset{{Name: enginePreset, Doc: "The engine's own defaults.", Vector: space.Default()}}
	own.Pairs, own.Proves, own.Unit, own.Pool, own.PoolPairs = enginePairs, 0, "", nil, 0
	return &own
}

// enginePairs is the number of game pairs in a tuner's iteration for an engine of
// unknown speed.
const enginePairs = 8

// Option is one rule a user may choose.
type Option struct {
	Name, Doc, Default string
	// Values lists the allowed values. If it is nil, the game parses the value itself; Doc
	// then describes it, and Offered are the choices for people.
	Values  []string
	Offered []Choice
	// Sets maps a value of this option to the defaults it gives other options, which
	// makes the value a preset of rules. Nil for most options.
	Sets map[string]Rules
}

// Choice is a value in the words of players.
type Choice struct{ Value, Label string }

// Choices returns choices that are labelled by their value.
func Choices(values ...string) []Choice {
	list := make([]Choice, len(values))
	for i, value := range values {
		list[i] = Choice{value, value}
	}
	return list
}

// Rules maps option names to values.
type Rules map[string]string

// Variant is a game under fixed rules.
type Variant struct {
	Game  *Game
	Rules string // canonical: every option, in the order of Game.Options

	NewReferee func() Referee
	NewPlayer  func() Player
	// Opening draws a start for a pair of games: legal, not ended, about equal
	// for both sides. It depends on nothing but the draws and plies.
	Opening func(r *rand.Rand, plies int) Opening
	// Evaluate returns every term of the evaluator for the side to move in
	// position (as Referee.Reset takes it) after moves.
	Evaluate func(position string, moves []Move, v params.Vector) ([]Term, error)
	// Linear returns the terms of the evaluation by which a player with values v
	// searches under limits l; nil if it is not linear in parameters, or unknown.
	// Nil for none at all.
	Linear func(v params.Vector, l Limits) *LinearTerms
	// Candidates returns up to count moves that the player compares in position after
	// moves, each with the terms it is compared by, the chosen one first. Nil for a
	// player that does not compare single moves.
	Candidates func(position string, moves []Move, v params.Vector, count int) ([]Candidate, error)
	// Why returns why a move that is not legal in position is not, in a sentence for players.
	// Nil where the picture of the position shows it.
	Why func(position string, m Move) string
	// Verify plays games twice and reports rules that do not repeat; nil for rules of this
	// program.
	Verify func() error
	// Files is how files of other programs write games; nil where they write them as
	// the states do.
	Files *Notation
}

// Notation writes games as files of other programs do, such as chess in PGN.
type Notation struct {
	Tags [][2]string // names and values of tags besides the usual
	// Start writes the position (as Referee.Reset takes it) that a game starts from.
	Start func(position string) (string, error)
	// Moves writes the moves that follow position, lost turns among them.
	Moves func(position string, moves []Move) ([]string, error)
	// Score writes a decision's judgement of the position, for comments.
	Score func(Decision) string
}

// Candidate is a move that a player considers, with the terms of its evaluation.
type Candidate struct {
	Move  Move
	Terms []Term // the same names for all moves of a decision; a nil Value where a move has none
}

// ParseRules reads "k=v,k=v" (or "" for none).
func ParseRules(text string) (Rules, error) {
	rules := Rules{}
	for field := range strings.SplitSeq(text, ",") {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		key, value, ok := strings.Cut(field, "=")
		if !ok || key == "" || value == "" {
			return nil, ParseError("rules", text, "want name=value[,name=value...]")
		}
		if _, twice := rules[key]; twice {
			return nil, ParseError("rules", text, key+" is set twice")
		}
		rules[key] = value
	}
	return rules, nil
}

// Open returns the game under the given rules, the defaults filled in. An
// unknown option or value is an error that lists what is allowed.
func (g *Game) Open(rules Rules) (Variant, error) {
	full := Rules{}
	for _, o := range g.Options {
		full[o.Name] = o.Default
	}
	for _, key := range slices.Sorted(maps.Keys(rules)) {
		i := slices.IndexFunc(g.Options, func(o Option) bool { return o.Name == key })
		if i < 0 {
			return Variant{}, fmt.Errorf("%s has no rule %q%s", g.Name, key, params.Suggest(key, g.optionNames()))
		}
		o := g.Options[i]
		if o.Values != nil && !slices.Contains(o.Values, rules[key]) {
			return Variant{}, fmt.Errorf("rule %s=%s of %s: want %s", key, rules[key], g.Name, strings.Join(o.Values, " | "))
		}
		full[key] = rules[key]
	}
	for _, o := range g.Options {
		for key, value := range o.Sets[full[o.Name]] {
			if _, given := rules[key]; !given {
				full[key] = value
			}
		}
	}
	v, err := g.New(full)
	if err != nil {
		return Variant{}, fmt.Errorf("%s: %w", g.Name, err)
	}
	v.Game = g
	if v.Rules == "" {
		v.Rules = g.canonical(full)
	}
	return v, nil
}

// OpenText is Open of rules as ParseRules reads them.
func (g *Game) OpenText(rules string) (Variant, error) {
	r, err := ParseRules(rules)
	if err != nil {
		return Variant{}, err
	}
	return g.Open(r)
}

func (g *Game) optionNames() []string {
	names := make([]string, len(g.Options))
	for i, o := range g.Options {
		names[i] = o.Name
	}
	return names
}

func (g *Game) canonical(full Rules) string {
	fields := make([]string, len(g.Options))
	for i, o := range g.Options {
		fields[i] = o.Name + "=" + full[o.Name]
	}
	return strings.Join(fields, ",")
}

// Describe returns a decision's score from the view of the side to move: "99 points",
// "0.61 chance of winning", or "wins in 3 plies" where the end is proven.
func (g *Game) Describe(d Decision) string {
	plies := func(n int) string {
		if n == 1 {
			return "1 ply"
		}
		return fmt.Sprintf("%d plies", n)
	}
	switch {
	case d.Mate > 0:
		return "wins in " + plies(d.Mate)
	case d.Mate < 0:
		return "loses in " + plies(-d.Mate)
	case math.IsNaN(d.Score):
		return "no score"
	}
	form, digits := byte('g'), 4
	if math.Abs(d.Score) >= 1000 {
		form, digits = 'f', 0
	}
	return strconv.FormatFloat(d.Score, form, digits, 64) + " " + cmp.Or(g.Unit, "in its own unit")
}

// TuningPairs is Pairs, at least 1.
func (g *Game) TuningPairs() int { return max(1, g.Pairs) }

// StandardPresets returns the presets that play in a tournament or a pool if the user names
// none. Presets added after results were published are not among them.
func (g *Game) StandardPresets() []params.Preset {
	return slices.DeleteFunc(slices.Clone(g.Presets), func(p params.Preset) bool { return p.Added })
}

// PlayerPreset names the preset that people play against if they name none.
func (g *Game) PlayerPreset() string { return cmp.Or(g.PlayPreset, g.DefaultPreset) }

// Preset returns the named preset.
func (g *Game) Preset(name string) (params.Preset, error) {
	names := make([]string, len(g.Presets))
	for i, p := range g.Presets {
		if p.Name == name {
			return p, nil
		}
		names[i] = p.Name
	}
	return params.Preset{}, fmt.Errorf("%s has no preset %q%s", g.Name, name, params.Suggest(name, names))
}

// Budget returns the budget of a kind, if the game's player keeps it.
func (g *Game) Budget(kind string) (Budget, bool) {
	i := slices.IndexFunc(g.Budgets, func(b Budget) bool { return b.Kind == kind })
	if i < 0 {
		return Budget{}, false
	}
	return g.Budgets[i], true
}

// CheckLimits reports the first limit in l that the game's player does not support
// or that is out of bounds. A limit of zero is no limit and always allowed. The
// error says which limits the player supports, with an example.
func (g *Game) CheckLimits(l Limits) error {
	if !l.Clock.IsZero() {
		b, known := g.Budget(BudgetTime)
		if !known {
			return fmt.Errorf("the player of %s does not support a clock; %s", g.Name, g.known())
		}
		if err := l.Clock.check(b); err != nil {
			return fmt.Errorf("limit of %s: %w", g.Name, err)
		}
	}
	for _, kind := range []string{BudgetDepth, BudgetNodes, BudgetPlayouts, BudgetTime} {
		value := Budget{Kind: kind}.value(l)
		if value == 0 {
			continue
		}
		b, known := g.Budget(kind)
		if !known {
			return fmt.Errorf("the player of %s does not support a limit of %s; %s", g.Name, kind, g.known())
		}
		if err := b.check(value); err != nil {
			return fmt.Errorf("limit of %s: %w; %s", g.Name, err, g.known())
		}
	}
	return nil
}

// known lists the limits that the player supports.
func (g *Game) known() string {
	if len(g.Budgets) == 0 {
		return "it supports none: leave limits out"
	}
	kinds := make([]string, len(g.Budgets))
	for i, b := range g.Budgets {
		kinds[i] = b.Kind
	}
	return fmt.Sprintf("it supports %s, such as %s", strings.Join(kinds, ", "), g.example())
}

// example returns valid limits: the game's default, or one of its first kind.
func (g *Game) example() string {
	if !g.Limits.IsZero() {
		return g.Limits.String()
	}
	b := g.Budgets[0]
	typical := map[string]int64{BudgetDepth: 3, BudgetNodes: 20000, BudgetPlayouts: 5000, BudgetTime: int64(time.Second)}[b.Kind]
	return b.limit(min(typical, b.max())).String()
}
