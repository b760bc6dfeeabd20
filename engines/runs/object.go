package runs

import (
	"bytes"
	"encoding/json"
	"fmt"

	"selfplaylab/reports/rating"
)

// Entry is a name with a value: an alias, so that all packages may write it as {name, value}.
type Entry = struct {
	Name  string
	Value any
}

// Object is a JSON object that keeps the order of its keys.
type Object []Entry

// MarshalJSON writes the entries in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(e.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(e.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Counts returns an object of counts by name, in the order of the names given.
func Counts(names []string, counts map[string]int) Object {
	o := Object{}
	for _, name := range names {
		o = append(o, Entry{name, counts[name]})
	}
	return o
}

// MarginObject returns margins as JSON, with nulls for an unknown interval; nil for none.
func MarginObject(m rating.Margins, level float64) any {
	if m.N() == 0 {
		return nil
	}
	mean, in := m.Interval(level)
	var low, high any
	if m.Known() {
		low, high = in.Low, in.High
	}
	return Object{{"mean", mean}, {"low", low}, {"high", high}, {"pairs", m.N()}}
}

// TestObject returns the state of a sequential test as JSON; nil without one.
func TestObject(test *rating.Progress) any {
	if test == nil {
		return nil
	}
	return Object{{"state", test.State}, {"llr", test.LLR}, {"lower", test.Lower}, {"upper", test.Upper}, {"pairs", test.N},
		{"test", test.Test}, {"verdict", test.Verdict()}}
}
