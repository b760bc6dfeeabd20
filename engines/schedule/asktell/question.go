package asktell

import (
	"encoding/json"
	"fmt"
	"strings"

	"selfplaylab/params"
)

// Question is a request for games of A against B. Their number is even: A moves first in half
// of them.
type Question struct {
	ID    string          `json:"id"`    // unique in its run
	A     json.RawMessage `json:"a"`     // values of A by name
	B     json.RawMessage `json:"b"`     // values of B by name
	Games int             `json:"games"` // number of games
	Seed  uint64          `json:"seed"`  // the openings should depend only on it

	trial int64
	pairs []int // numbers of its pairs in the trial
}

// whole returns a seed that every JSON reader accepts: a whole number below 2^53.
func whole(seed uint64) uint64 { return seed >> 11 }

// byName returns a vector as a JSON object, in the order of the space.
func byName(space params.Space, v params.Vector) (json.RawMessage, error) {
	if err := space.Check(v); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, p := range space {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		value := []byte(params.FormatValue(v[i]))
		if len(p.Labels) > 0 { // a label instead of a number
			if value, err = json.Marshal(p.Format(v[i])); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(&b, "%s:%s", name, value)
	}
	b.WriteByte('}')
	return json.RawMessage(b.String()), nil
}
