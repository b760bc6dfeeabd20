package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"selfplaylab/engines/runs"
	"selfplaylab/reports/text"
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
	t := text.Table{}
	for _, e := range o {
		line := fmt.Sprint(e.Value)
		if e.Value == nil {
			line = "-"
		}
		t = append(t, []string{e.Name, line})
	}
	t.Print(out)
	return nil
}
