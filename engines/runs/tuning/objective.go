package tuning

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/external/objective"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/reports"
)

// startName is the preset that holds the values of the file of parameters.
const startName = "file"

// objectivePairs stand for the game's own pairs: programs differ in speed as games
// do, and a few hundred comparisons are the least that shows anything.
const objectivePairs = 4

// ObjectiveConfig is the part of what is asked that puts a program in the place of a game.
type ObjectiveConfig struct {
	Objective string              `group:"Objective" toml:"objective" arg:"COMMAND" help:"program that scores parameter vectors, instead of a game: reads one JSON line per question and writes one answer (see docs/objective.md)"`
	Space     string              `toml:"space" arg:"FILE" help:"parameters and start values of an objective: TOML with [[param]] tables, or another tool's file (tune params --help lists formats); FORM:FILE forces one"`
	AskGames  int                 `toml:"ask_games,omitempty" arg:"N" help:"tune ask-tell: games of a question at most, an even number; 2 for single comparisons (default: a question asks for all games of a trial)"`
	Direction objective.Direction `toml:"direction" alias:"sense" arg:"pair|maximize|minimize" help:"answer of the objective: pair (points of one vector against another, the default), or the value of one vector, to maximize or minimize"`
}

// Objective is the program that is tuned for, as a spec keeps it.
type Objective struct {
	Command   string              `toml:"command"`
	Direction objective.Direction `toml:"sense"`
	File      string              `toml:"file"` // of parameters
	Form      string              `toml:"form"` // of that file
	Space     string              `toml:"space,multiline"`
	// Values says that the values of single vectors are recorded; false in older runs, and
	// where pairs of vectors are compared.
	Values   bool `toml:"values,omitempty"`
	AskGames int  `toml:"ask_games,omitempty"`
}

// read checks what is asked, looks for the program and reads its parameters; nil
// where no objective is asked for.
func (c *ObjectiveConfig) read() (*Objective, error) {
	elsewhere := c.Objective == AskTellObjective
	if c.AskGames != 0 && (!elsewhere || c.AskGames < 2 || c.AskGames%2 != 0) {
		return nil, config.Errorf("ask_games", "%d: want an even number of games, with tune ask-tell", c.AskGames)
	}
	if c.Objective == "" {
		for _, f := range []struct{ name, text string }{{"space", c.Space}, {"direction", string(c.Direction)}} {
			if f.text != "" {
				return nil, config.Errorf(f.name, "%q: belongs to an objective, and none is given", f.text)
			}
		}
		return nil, nil
	}
	switch {
	case c.Space == "":
		return nil, config.Wrap("space", errors.New("an objective requires a file of its parameters"))
	case elsewhere && c.Direction != "" && c.Direction != objective.Pair:
		return nil, config.Errorf("direction", "%s: ask-tell compares two vectors", c.Direction)
	}
	f, err := formats.ReadFile(c.Space)
	if err != nil {
		return nil, config.Wrap("space", err)
	}
	space, err := formats.Write("toml", f.Space, f.Space.Default())
	if err != nil {
		return nil, config.Wrap("space", err)
	}
	if !elsewhere {
		program, err := objective.OpenProgram(context.Background(), c.Objective, f.Space, process.Options{})
		if err == nil {
			err = program.Close()
		}
		if err != nil {
			return nil, config.Wrap("objective", err)
		}
	}
	o := &Objective{Command: c.Objective, Direction: c.Direction, AskGames: c.AskGames, File: f.Path, Form: f.Form,
		Space: string(bytes.TrimSpace(space)) + "\n"}
	o.Direction = cmp.Or(o.Direction, objective.Pair)
	o.Values = o.Direction != objective.Pair
	return o, nil
}

// variant is what stands in the place of a game.
func (o *Objective) variant() (engines.Variant, error) {
	space, err := formats.Read("toml", []byte(o.Space))
	if err != nil {
		return engines.Variant{}, fmt.Errorf("objective: space: %w", err)
	}
	game := &engines.Game{
		Name: analysis.ObjectiveName, Title: "objective " + o.Command, Version: 1, Space: space, Pairs: objectivePairs,
		Presets:       []params.Preset{{Name: startName, Doc: "the values of the file of parameters", Vector: space.Default()}},
		DefaultPreset: startName,
		New:           func(engines.Rules) (engines.Variant, error) { return engines.Variant{}, nil },
	}
	if o.Command == AskTellObjective {
		game.Name, game.Title, game.Margins = "elsewhere", "games played elsewhere", engines.Margins{Unit: "points"}
	}
	return game.Open(nil)
}

// asked is what asks for the objective, in the words that runs have recorded.
func (o *Objective) asked() ObjectiveConfig {
	return ObjectiveConfig{o.Command, o.Form + ":" + o.File, o.AskGames, o.Direction}
}

// direction is the Direction as the command line has it.
func (o *Objective) direction() string {
	if o.Direction == objective.Pair {
		return string(o.Direction)
	}
	return string(o.Direction) + "imize"
}

// facts are lines of a report.
func (o *Objective) facts() []reports.Fact {
	asked := map[objective.Direction]string{
		objective.Pair: "points of one vector against another", objective.Max: "a value, larger is better",
		objective.Min: "a value, smaller is better",
	}
	return []reports.Fact{
		{Key: "objective", Value: "`" + o.Command + "`"}, {Key: "asked for", Value: asked[o.Direction]},
		{Key: "parameters", Value: fmt.Sprintf("`%s`, format %s", o.File, o.Form)},
	}
}

// luck names what trials draw that players cannot choose.
func luck(t *analysis.Task) string {
	if !t.InElo() {
		return "seeds"
	}
	return "openings"
}

// AskTellObjective is the objective of a tuning whose games are played elsewhere.
const AskTellObjective = "ask-tell"
