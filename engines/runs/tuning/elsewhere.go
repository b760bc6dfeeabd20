package tuning

import (
	"bytes"
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/reports"
)

// startName is the preset that holds the values of the file of parameters.
const startName = "file"

// elsewherePairs replaces the game's number of pairs if the game is unknown.
const elsewherePairs = 4

// askTellConfig holds the settings that a tuning has in addition if its games are played elsewhere.
type askTellConfig struct {
	AskGames int `group:"Questions" toml:"ask_games,omitempty" arg:"N" help:"maximum number of games of a question, an even number; 2 for single comparisons (default: a question has all games of a trial)"`
}

// elsewhere holds the settings of a tuning whose games are played elsewhere, for the run's record.
type elsewhere struct {
	// Command and Sense hold "ask-tell" and "pair" in runs of 0.4.0, which called a program with a
	// score an objective.
	Command  string `toml:"command,omitempty"`
	Sense    string `toml:"sense,omitempty"`
	File     string `toml:"file"` // of parameters
	Form     string `toml:"form"` // of that file
	Space    string `toml:"space,multiline"`
	AskGames int    `toml:"ask_games,omitempty"`
}

// read checks the settings and reads the file of parameters.
func (c *askTellConfig) read(spaceFile string) (*elsewhere, error) {
	if c.AskGames < 0 || c.AskGames%2 != 0 {
		return nil, config.Errorf("ask_games", "%d: want an even number of games", c.AskGames)
	}
	if spaceFile == "" {
		return nil, config.Errorf("space", "is missing: want a file of parameters")
	}
	f, tables, err := readSpace(spaceFile)
	return &elsewhere{AskGames: c.AskGames, File: f.Path, Form: f.Form, Space: tables}, err
}

// readSpace reads a file of parameters. tables holds them as [[param]] tables.
func readSpace(file string) (f formats.File, tables string, err error) {
	var data []byte
	if f, err = formats.ReadFile(file); err == nil {
		data, err = formats.Write("toml", f.Space, f.Space.Default())
	}
	return f, string(bytes.TrimSpace(data)) + "\n", config.Wrap("space", err)
}

// variant returns the variant in place of a game.
func (e *elsewhere) variant() (engines.Variant, error) {
	space, err := formats.Read("toml", []byte(e.Space))
	if err != nil {
		return engines.Variant{}, fmt.Errorf("space: %w", err)
	}
	game := &engines.Game{
		Name: "elsewhere", Title: "games played elsewhere", Version: 1, Space: space, Pairs: elsewherePairs,
		Presets:       []params.Preset{{Name: startName, Doc: "the values of the file of parameters", Vector: space.Default()}},
		DefaultPreset: startName, Margins: engines.Margins{Unit: "points"},
		New: func(engines.Rules) (engines.Variant, error) { return engines.Variant{}, nil },
	}
	return game.Open(nil)
}

// facts returns lines of a report.
func (e *elsewhere) facts() []reports.Fact {
	return []reports.Fact{{Key: "parameters", Value: fmt.Sprintf("`%s`, format %s", e.File, e.Form)}}
}
