package tuning

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// Files that the tuning of somebody's engine leaves beside tuned.toml.
const (
	RowsName  = "tuned.rows"     // the tuned values as the rows by which the engine offers them
	TypedName = "tuned-type.txt" // what to type to have them
)

// Program is what somebody's engine is tuned by, as its run keeps it.
type Program struct {
	Protocol string `toml:"protocol"`
	// Differs lists parameters of the engine file whose default is another than the
	// value that the engine reports, a line each.
	Differs []string   `toml:"differs"`
	Params  []ParamRow `toml:"param"`
}

// ParamRow is a parameter of somebody's engine.
type ParamRow struct {
	Name    string  `toml:"name"`
	Doc     string  `toml:"doc"`
	Unit    string  `toml:"unit"`
	Min     float64 `toml:"min"`
	Max     float64 `toml:"max"`
	Default float64 `toml:"default"`
	Step    float64 `toml:"step"`
	Whole   bool    `toml:"whole"`
	Log     bool    `toml:"log"`
	Frozen  bool    `toml:"frozen"`
}

// space is that of the rows.
func (p *Program) space() params.Space {
	var s params.Space
	for _, r := range p.Params {
		s = append(s, params.Param{
			Name: r.Name, Doc: r.Doc, Unit: r.Unit, Min: r.Min, Max: r.Max, Default: r.Default, Step: r.Step,
			Whole: r.Whole, Log: r.Log, Frozen: r.Frozen,
		})
	}
	return s
}

func paramRows(s params.Space) (rows []ParamRow) {
	for _, p := range s {
		rows = append(rows, ParamRow{
			Name: p.Name, Doc: p.Doc, Unit: p.Unit, Min: p.Min, Max: p.Max, Default: p.Default, Step: p.Step,
			Whole: p.Whole, Log: p.Log, Frozen: p.Frozen,
		})
	}
	return rows
}

// variant opens the game, which for somebody's engine is that of its file unless
// another is said, and its parameters are the engine's.
func (a *Config) variant(s *Spec) (engines.Variant, error) {
	if a.Engine == "" {
		return a.Game.Variant(append([]string{a.Start}, playerList(a.Against)...)...)
	}
	asked := a.Game
	if asked.Game == "" {
		game, rules, err := player.PlayedBy(a.Engine)
		if err != nil {
			return engines.Variant{}, config.Wrap("engine", err)
		}
		if asked.Game = game; asked.Rules == "" {
			asked.Rules = rules
		}
	}
	v, err := asked.Variant()
	if err != nil {
		return v, err
	}
	return v, a.seatProgram(s, &v)
}

// seatProgram starts the engine that is tuned, learns its parameters, and has the
// variant's be those.
func (a *Config) seatProgram(s *Spec, v *engines.Variant) (err error) {
	if s.Start, err = player.Parse(v.Game, player.EnginePrefix+a.Engine, runs.Budget(v.Game, a.Limits)); err != nil {
		return config.Wrap("engine", err)
	}
	if !a.Limits.IsZero() && !player.HasBudget(a.Engine) {
		s.Start.Limits = a.Limits // and not those of its file
	}
	offer, err := s.Start.Offer(context.Background(), *v)
	if err != nil {
		return config.Wrap("engine", err)
	}
	s.Program = &Program{Protocol: offer.Protocol, Differs: offer.Differs, Params: paramRows(offer.Space)}
	v.Game = v.Game.ForEngine(offer.Space)
	if a.Start != "" {
		if s.Start.Values, err = player.Values(v.Game, a.Start); err != nil {
			return config.Wrap("start", err)
		}
	}
	if s.Start.Values, err = offer.Space.Set(s.Start.Values, a.Set); err != nil {
		return config.Wrap("set", err)
	}
	return s.oppose(a.Against, func(text string) (player.Config, error) {
		if !strings.Contains(text, player.EnginePrefix) { // its values would be of another space
			return player.Config{}, config.Errorf("against", "%s: an engine is tuned against itself or another engine; ours is one by selfplay engine, in an engine file", text)
		}
		opponent, err := player.Parse(v.Game, text, s.Start.Limits)
		return opponent, config.Wrap("against", err)
	})
}

// Starts are the start values of the engine that is tuned and a hash of them, in
// lines for people; none for a player of ours.
func (s *Spec) Starts() []string {
	if s.Program == nil {
		return nil
	}
	var fields []string
	for i, p := range s.Program.space() {
		fields = append(fields, p.Name+"="+p.Format(s.Start.Values[i]))
	}
	text := strings.Join(fields, " ")
	sum := sha256.Sum256([]byte(text))
	lines := []string{fmt.Sprintf("start values: %s (SHA-256 %s)", text, hex.EncodeToString(sum[:8]))}
	for _, d := range s.Program.Differs {
		lines = append(lines, "warning: the default in the engine file is not what the engine reports: "+d)
	}
	return lines
}

// Typed is what to type for a player with the tuned values: as a seat here, and
// as its own protocol has it. Nothing for a player of ours.
func (t *Result) Typed() ([]string, error) {
	s := t.Spec
	if s.Program == nil {
		return nil, nil
	}
	return player.Typed(s.Start.With(t.Recommend()), s.Program.Protocol, s.task.Space())
}

// programFiles are the tuned values in the forms of somebody's engine.
func (t *Result) programFiles(files map[string][]byte) error {
	if t.Spec.Program == nil {
		return nil
	}
	rows, err := player.Rows(t.Spec.Program.Protocol, t.Spec.task.Space(), t.Recommend())
	if err != nil {
		return fmt.Errorf("%s: %w", RowsName, err)
	}
	files[RowsName] = rows
	typed, err := t.Typed()
	files[TypedName] = []byte(strings.Join(typed, "\n") + "\n")
	return err
}

// programSection tells how to have the tuned values in somebody's engine.
func (t *Result) programSection() (s reports.Section, err error) {
	typed, err := t.Typed()
	if err != nil || len(typed) == 0 {
		return s, err
	}
	s = reports.Section{Title: "The engine", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("`%s` was tuned against itself, with %s of its own; every process was told its values before its game. What to type for the tuned ones:",
			t.Spec.Start.Name, text.Plural(len(t.Spec.Active), "parameter"))),
	}}
	list := reports.List{}
	for _, line := range typed {
		list = append(list, "`"+line+"`")
	}
	s.Blocks = append(s.Blocks, list)
	if len(t.Spec.Program.Differs) > 0 {
		s.Blocks = append(s.Blocks, reports.Text("Defaults of the engine file that are not what the engine reports: "+strings.Join(t.Spec.Program.Differs, "; ")+"."))
	}
	return s, nil
}

// programDoc says in the file of the tuned values of somebody's engine what they
// are worth.
func (t *Result) programDoc(o Outcome, verdict string) string {
	say := " What to type for them is in " + TypedName + ", and their rows are in " + RowsName + "."
	switch o {
	case Better:
		return "Better than the start: " + verdict + "." + say
	case NotShown:
		return "NOT SHOWN TO BE BETTER THAN THE START: " + verdict + ". Keep " + StartName + "." + say
	case Worse:
		return "WORSE THAN THE START: " + verdict + ". Keep " + StartName + "." + say
	case Same:
		return "The same as the start: " + verdict + "."
	}
	return "NOT VERIFIED: nothing is known about the strength of these values." + say
}
