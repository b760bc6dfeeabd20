package table

import (
	"math/rand/v2"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

// Game describes a game for a page.
type Game struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Doc     string   `json:"doc"`
	Options []Option `json:"options"`
	Presets []Preset `json:"presets"`
	Default string   `json:"default"` // preset
	Plays   string   `json:"plays"`   // preset that plays against people by default
	Limits  string   `json:"limits"`
	Budgets []string `json:"budgets"` // kinds of limits its player supports
	Plies   int      `json:"plies"`   // of a random opening
	Chance  bool     `json:"chance"`  // its player's score is a chance of winning
}

// Option is an option of the rules.
type Option struct {
	Name    string                   `json:"name"`
	Doc     string                   `json:"doc"`
	Default string                   `json:"default"`
	Values  []string                 `json:"values"` // empty if any text is allowed
	Sets    map[string]engines.Rules `json:"sets,omitempty"`
}

// Preset is a preset of a game.
type Preset struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

func gameList() []Game {
	list := []Game{}
	for _, g := range games.Games() {
		out := Game{
			Name: g.Name, Title: g.Title, Doc: g.Doc, Default: g.DefaultPreset, Plays: g.PlayerPreset(), Limits: g.Limits.String(),
			Plies: g.OpeningPlies, Chance: g.Unit == engines.UnitChance,
			Options: []Option{}, Presets: []Preset{}, Budgets: []string{},
		}
		for _, o := range g.Options {
			out.Options = append(out.Options, Option{o.Name, o.Doc, o.Default, append([]string{}, o.Values...), o.Sets})
		}
		for _, p := range g.Presets {
			out.Presets = append(out.Presets, Preset{p.Name, p.Doc})
		}
		for _, b := range g.Budgets {
			out.Budgets = append(out.Budgets, b.Kind)
		}
		list = append(list, out)
	}
	return list
}

// Opening is a random start of a game.
type Opening struct {
	Position string `json:"position"`
	Moves    string `json:"moves"`
}

// maxOpening bounds the plies of an opening.
const maxOpening = 40

func opening(v engines.Variant, q Question) (Opening, error) {
	plies := q.Plies
	if plies == 0 {
		plies = v.Game.OpeningPlies
	}
	o := v.Opening(rand.New(rand.NewPCG(q.Seed, 1)), min(max(plies, 0), maxOpening))
	ref := v.NewReferee()
	if err := ref.Reset(o.Position); err != nil {
		return Opening{}, err
	}
	var moves []string
	for _, m := range o.Moves {
		moves = append(moves, ref.MoveString(m))
		ref.Play(m)
	}
	return Opening{o.Position, strings.Join(moves, " ")}, nil
}
