package table

import (
	"math/rand/v2"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/levels"
)

// gameInfo describes a game for a page.
type gameInfo struct {
	Name    string         `json:"name"`
	Title   string         `json:"title"`
	Doc     string         `json:"doc"` // its rules in short
	Options []Option       `json:"options"`
	Presets []presetInfo   `json:"presets"`
	Levels  []levels.Level `json:"levels"`
	Default string         `json:"default"` // preset
	Plays   string         `json:"plays"`   // preset that plays against people by default
	Limits  string         `json:"limits"`
	Budgets []string       `json:"budgets"` // kinds of limits its player supports
	Plies   int            `json:"plies"`   // of a random opening
	Chance  bool           `json:"chance"`  // its player's score is a chance of winning
	Review  reviewer       `json:"review"`
}

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

// presetInfo is a preset of a game.
type presetInfo struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

func gameList() []gameInfo {
	list := []gameInfo{}
	for _, g := range games.Games() {
		rules, _, _ := strings.Cut(g.Doc, "\n\n")
		out := gameInfo{
			Name: g.Name, Title: g.Title, Doc: rules, Default: g.DefaultPreset, Plays: g.PlayerPreset(), Limits: g.Limits.String(),
			Plies: g.OpeningPlies, Chance: g.Unit == engines.UnitChance,
			Options: Options(g), Presets: []presetInfo{}, Levels: []levels.Level{}, Budgets: []string{},
		}
		for _, p := range g.Presets {
			out.Presets = append(out.Presets, presetInfo{p.Name, p.Doc})
		}
		if list, err := levels.Of(g); err == nil {
			out.Levels = append(out.Levels, list...)
		}
		out.Review = reviewerOf(g, out.Levels)
		for _, b := range g.Budgets {
			out.Budgets = append(out.Budgets, b.Kind)
		}
		list = append(list, out)
	}
	return list
}

// openingInfo is a random start of a game.
type openingInfo struct {
	Position string `json:"position"`
	Moves    string `json:"moves"`
}

// maxOpening bounds the plies of an opening.
const maxOpening = 40

func opening(v engines.Variant, q Question) (openingInfo, error) {
	plies := q.Plies
	if plies == 0 {
		plies = v.Game.OpeningPlies
	}
	o := v.Opening(rand.New(rand.NewPCG(q.Seed, 1)), min(max(plies, 0), maxOpening))
	ref := v.NewReferee()
	if err := ref.Reset(o.Position); err != nil {
		return openingInfo{}, err
	}
	var moves []string
	for _, m := range o.Moves {
		moves = append(moves, ref.MoveString(m))
		ref.Play(m)
	}
	return openingInfo{o.Position, strings.Join(moves, " ")}, nil
}
