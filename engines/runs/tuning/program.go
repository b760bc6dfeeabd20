package tuning

import (
	"selfplaylab/params"
)

// Files that the tuning of an external engine leaves next to tuned.toml.
const (
	rowsName  = "tuned.rows"     // the tuned values as the rows by which the engine offers them
	typedName = "tuned-type.txt" // what to type to have them
)

// Program is what an external engine is tuned by, as its run keeps it.
type Program struct {
	Protocol string `toml:"protocol"`
	// Differs lists parameters of the engine file whose default is another than the
	// value that the engine reports, a line each.
	Differs []string   `toml:"differs"`
	Params  []paramRow `toml:"param"`
}

// paramRow is a parameter of an external engine.
type paramRow struct {
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

func paramRows(s params.Space) (rows []paramRow) {
	for _, p := range s {
		rows = append(rows, paramRow{
			Name: p.Name, Doc: p.Doc, Unit: p.Unit, Min: p.Min, Max: p.Max, Default: p.Default, Step: p.Step,
			Whole: p.Whole, Log: p.Log, Frozen: p.Frozen,
		})
	}
	return rows
}
