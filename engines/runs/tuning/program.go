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
	Differs []string     `toml:"differs"`
	Params  params.Space `toml:"param"`
}
