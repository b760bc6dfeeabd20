package table

import (
	"context"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/games"
	"selfplaylab/engines/levels"
)

// gameInfo describes a game for a page.
type gameInfo struct {
	Name    string         `json:"name"`
	Title   string         `json:"title"`
	Doc     string         `json:"doc"` // its rules in short
	Options []Option       `json:"options"`
	Presets []string       `json:"presets"`
	Levels  []levels.Level `json:"levels"`
	Plays   string         `json:"plays"` // preset that plays against people by default
	Limits  string         `json:"limits"`
	Budgets []string       `json:"budgets"` // kinds of limits its player supports
	Chance  bool           `json:"chance"`  // its player's score is a chance of winning
	Review  reviewer       `json:"review"`
	Files   []string       `json:"files"` // formats in which a finished game is saved
	// Starts are boards on which a game by the default rules begins: the only one, or some of the
	// drawn ones.
	Starts []start        `json:"starts"`
	Drawn  bool           `json:"drawn,omitempty"`
	Strict engines.Strict `json:"strict"`
}

// start is a board on which a game begins.
type start struct {
	Position string `json:"position"`
	Shown    any    `json:"shown"`
}

// maxStarts is how many boards a page has ready of a game that draws them.
const maxStarts = 4

// Option is an option of the rules.
type Option struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc"`
	Default string   `json:"default"`
	Values  []choice `json:"values"`
	Open    bool     `json:"open,omitempty"` // other values may be allowed too
}

// choice is a value of an option.
type choice struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// Options describes the options of a game's rules for a form.
func Options(g *engines.Game) []Option {
	list := []Option{}
	for _, o := range g.Options {
		one := Option{o.Name, o.Doc, o.Default, nil, o.Values == nil}
		for _, c := range append(engines.Choices(o.Values...), o.Offered...) {
			one.Values = append(one.Values, choice(c))
		}
		list = append(list, one)
	}
	return list
}

// Games describes all games.
func Games() ([]gameInfo, error) {
	list := []gameInfo{}
	for _, g := range games.Games() {
		rules, _, _ := strings.Cut(g.Doc, "\n\n")
		out := gameInfo{
			Name: g.Name, Title: g.Title, Doc: rules, Plays: g.PlayerPreset(), Limits: g.Limits.String(),
			Chance: g.Unit == engines.UnitChance, Strict: g.Strict,
			Options: Options(g), Presets: []string{}, Levels: []levels.Level{}, Budgets: []string{},
		}
		for _, p := range g.Presets {
			out.Presets = append(out.Presets, p.Name)
		}
		if list, err := levels.Of(g); err == nil {
			out.Levels = append(out.Levels, list...)
		}
		for _, f := range gamefile.Of(g.Name) {
			out.Files = append(out.Files, f.Name)
		}
		out.Review = reviewerOf(g, out.Levels)
		for _, b := range g.Budgets {
			out.Budgets = append(out.Budgets, b.Kind)
		}
		if err := out.begin(); err != nil {
			return nil, err
		}
		list = append(list, out)
	}
	return list, nil
}

// begin draws the boards on which a game begins.
func (g *gameInfo) begin() error {
	seen := map[string]bool{}
	for seed := range uint64(maxStarts) {
		q := Question{Op: "opening", Game: g.Name, Plies: -1, Seed: seed}
		o, err := Ask(context.Background(), q)
		if err != nil {
			return err
		}
		q.Op, q.Position = "show", o.(openingInfo).Position
		if seen[q.Position] {
			continue
		}
		seen[q.Position] = true
		shown, err := Ask(context.Background(), q)
		if err != nil {
			return err
		}
		g.Starts = append(g.Starts, start{q.Position, shown})
	}
	g.Drawn = len(g.Starts) > 1
	return nil
}
