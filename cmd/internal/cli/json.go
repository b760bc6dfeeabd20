package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"selfplaylab/engines/runs"
)

// PrintJSON prints one object on a line of its own.
func PrintJSON(out io.Writer, object func() (runs.Object, error)) error {
	o, err := object()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(o)
}

// PrintObject prints entries as JSON, or as lines for people.
func PrintObject(out io.Writer, o runs.Object, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(o)
	}
	t := Table{}
	for _, e := range o {
		text := fmt.Sprint(e.Value)
		if e.Value == nil {
			text = "-"
		}
		t = append(t, []string{e.Name, text})
	}
	t.Print(out)
	return nil
}
