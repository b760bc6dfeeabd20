package params

import (
	"fmt"
	"strconv"
	"strings"
)

// presetTables reads presets as the games' own files write them: comments, tables [[preset]]
// with [preset.values], and keys with a text in double quotes, a number, true or false, each on
// a line of its own. All other TOML is an error.
//
// The package imports no reader of TOML, because every package above would then be a layer
// higher.
func presetTables(filename string, data []byte) (doc presetsTOML, err error) {
	var now *presetTOML
	values, n := false, 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case line == "[[preset]]":
			doc.Preset = append(doc.Preset, presetTOML{})
			now, values = &doc.Preset[len(doc.Preset)-1], false
			continue
		case line == "[preset.values]" && now != nil:
			values = true
			continue
		}
		name, text, ok := strings.Cut(line, "=")
		if !ok || now == nil {
			return doc, fmt.Errorf("%s:%d: %q is no key of a preset", filename, n, line)
		}
		name = strings.TrimSpace(name)
		value, err := plainValue(strings.TrimSpace(text))
		if err == nil {
			err = now.set(name, value, values, n)
		}
		if err != nil {
			return doc, fmt.Errorf("%s:%d: %s: %w", filename, n, name, err)
		}
	}
	return doc, nil
}

// set stores a value of the preset under its key.
func (p *presetTOML) set(name string, value any, parameter bool, line int) error {
	if parameter {
		if p.Values == nil {
			p.Values, p.lines = map[string]any{}, map[string]int{}
		}
		p.Values[name], p.lines[name] = value, line
		return nil
	}
	ok := false
	switch name {
	case "name":
		p.Name, ok = value.(string)
	case "doc":
		p.Doc, ok = value.(string)
	case "base":
		p.Base, ok = value.(string)
	case "added":
		p.Added, ok = value.(bool)
	}
	if !ok {
		return fmt.Errorf("%v cannot stand there", value)
	}
	return nil
}

// plainValue parses a value: int64, float64, string or bool.
func plainValue(text string) (any, error) {
	if strings.HasPrefix(text, `"`) {
		return strconv.Unquote(text)
	}
	if text == "true" || text == "false" {
		return text == "true", nil
	}
	if x, err := strconv.ParseInt(text, 10, 64); err == nil {
		return x, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%s: want a number, true, false or a text in double quotes, and nothing behind it", text)
	}
	return x, nil
}

// presetsTOML is the layout of a game's embedded presets.
type presetsTOML struct {
	Preset []presetTOML `toml:"preset"`
}

type presetTOML struct {
	Name   string         `toml:"name"`
	Doc    string         `toml:"doc"`
	Base   string         `toml:"base"`
	Added  bool           `toml:"added"`
	Values map[string]any `toml:"values"`

	lines map[string]int // of each value
}
