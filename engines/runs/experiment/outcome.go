package experiment

import (
	"bytes"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/params"
)

// Outcome is what is known of how an experiment's results came about.
type Outcome struct {
	Revision string `toml:"revision"`
	Program  string `toml:"program"`
	Go       string `toml:"go"`
	Machine  string `toml:"machine"`
	Full     Cost   `toml:"full"`
	Quick    Cost   `toml:"quick"`
}

// Cost is what a full or quick run took.
type Cost struct {
	Games   int64   `toml:"games"`
	Seconds float64 `toml:"seconds"` // of playing, all runs
	Workers int     `toml:"workers"` // the most at a time
}

// OutcomeName is the file of an Outcome.
const OutcomeName = "outcome.toml"

// Encode writes the outcome.
func (o Outcome) Encode() ([]byte, error) {
	var b bytes.Buffer
	err := toml.NewEncoder(&b).Encode(o)
	return b.Bytes(), err
}

// DecodeOutcome reads an outcome; filename appears in errors.
func DecodeOutcome(filename string, data []byte) (Outcome, error) {
	var o Outcome
	return o, params.DecodeStrict(filename, data, &o)
}
