package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/params"
	"selfplaylab/params/tomlx"
)

// Format is a tool's file format for parameters. The value of a parameter becomes its Default,
// and c_end (the size of a change at the end of an SPSA run) its Step. Other columns (r_end,
// delta) are dropped; Write fills them with the tools' defaults.
type Format struct {
	Name, Doc string // for --help and error messages

	read  func(data []byte) (params.Space, error)
	write func(s params.Space, v params.Vector) ([]byte, error)
}

// tables names the format whose values may have names.
const tables = "toml"

// REnd is the default of r_end in fishtest and OpenBench: SPSA's learning rate at the end of a
// run.
const REnd = "0.002"

// All returns the formats, in the order of --help.
func All() []Format {
	return []Format{
		{tables, "TOML: [[param]] tables with name, min, max, default, step, whole, log, frozen, or with name, choices, default, as " +
			"in an engine file", readTables, writeTables},
		{"rows", "info string param NAME real|int VALUE MIN MAX STEP [log], as our engines print them", readRows(ownRow), writeRows(ownLine)},
		{"openbench", "OpenBench: name, int|float, value, min, max, c_end, r_end", readRows(openBench.read), writeRows(openBench.write)},
		{"fishtest", "fishtest and Stockfish's TUNE: name,value,min,max,c_end,r_end", readRows(ParseFishtestRow), writeRows(fishtest.write)},
		{"yaneuraou", "YaneuraOu's .params: NAME,int|float,value,min,max,step,delta", readRows(yaneuraouRow), writeRows(yaneuraouLine)},
		{"weather-factory", "weather-factory's JSON: {NAME: {value, min_value, max_value, step}}", readWeather, writeWeather},
	}
}

// findFormat returns the named format. The error lists all names.
func findFormat(name string) (Format, error) {
	var names []string
	for _, f := range All() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("unknown form of parameters %q; known: %s", name, strings.Join(names, ", "))
}

// Read reads a space in the named format; an unknown format or an empty space is an error.
// Errors name the line or the parameter. Every parameter returned is Sound.
func Read(format string, data []byte) (params.Space, error) {
	f, err := findFormat(format)
	if err != nil {
		return nil, err
	}
	s, err := f.read(data)
	if err != nil {
		return nil, fmt.Errorf("%s parameters: %w", f.Name, err)
	}
	if len(s) == 0 {
		return nil, fmt.Errorf("%s parameters: there are none; want %s", f.Name, f.Doc)
	}
	return s, nil
}

// Write returns a space with a vector's values in the named format, without the parameters that
// Omitted names. Read reads these values back as defaults. It is an error if v is no point of
// s, or if the format cannot express a parameter.
func Write(format string, s params.Space, v params.Vector) ([]byte, error) {
	f, err := findFormat(format)
	if err != nil {
		return nil, err
	}
	if err := s.Check(v); err != nil {
		return nil, fmt.Errorf("%s parameters: %w", f.Name, err)
	}
	var kept params.Space
	var values params.Vector
	for i, p := range s {
		if f.holds(p) {
			kept, values = append(kept, p), append(values, v[i])
		}
	}
	return f.write(kept, values)
}

// Omitted returns the names of the parameters that Write leaves out: those with named values,
// unless the format can name values.
func Omitted(format string, s params.Space) (names []string) {
	f, err := findFormat(format)
	for _, p := range s {
		if err == nil && !f.holds(p) {
			names = append(names, p.Name)
		}
	}
	return names
}

// holds reports whether the format can hold a parameter.
func (f Format) holds(p params.Param) bool { return f.Name == tables || len(p.Labels) == 0 }

// fixed reads a step of 0 or a range of a single value as the tools do: the parameter is not
// tuned. OpenBench, fishtest, Stockfish and weather-factory write such rows.
func fixed(p params.Param) params.Param {
	p.Frozen = p.Frozen || p.Step == 0 || p.Min == p.Max
	return p
}

// stepOf returns the step to write in a row: 0 keeps the parameter from being tuned.
func stepOf(p params.Param) string {
	if p.Frozen {
		return "0"
	}
	return params.FormatValue(p.Step)
}

// add appends a parameter after checking it.
func add(s params.Space, p params.Param) (params.Space, error) {
	const most = 5000 // more than a run can record
	if len(s) == most {
		return nil, fmt.Errorf("more than %d parameters: want those that are to be tuned", most)
	}
	if s.Index(p.Name) >= 0 {
		return nil, fmt.Errorf("parameter %q stands twice; keep one", p.Name)
	}
	if err := Sound(p); err != nil {
		return nil, err
	}
	if p.Step == 0 {
		p.Step = DefaultStep(p)
	}
	return append(s, p), nil
}

// readRows reads one parameter per line. It skips empty lines and comments (# or //).
func readRows(row func(string) (params.Param, error)) func([]byte) (params.Space, error) {
	return func(data []byte) (params.Space, error) {
		var s params.Space
		n := 0
		for line := range strings.Lines(string(data)) {
			n++
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") {
				continue
			}
			p, err := row(line)
			if err == nil {
				s, err = add(s, p)
			}
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
		return s, nil
	}
}

// writeRows returns a Format's write for a format with a parameter on each line; line writes
// one of them.
func writeRows(line func(p params.Param, value float64) (string, error)) func(params.Space, params.Vector) ([]byte, error) {
	return func(s params.Space, v params.Vector) ([]byte, error) {
		var b bytes.Buffer
		for i, p := range s {
			text, err := line(p, v[i])
			if err != nil {
				return nil, err
			}
			b.WriteString(text + "\n")
		}
		return b.Bytes(), nil
	}
}

// short truncates a row for an error.
func short(row string) string {
	const most = 200
	if len(row) > most {
		row = strings.ToValidUTF8(row[:most], "?") + "…"
	}
	return row
}

// fields splits a row at its commas.
func fields(row, want string) ([]string, error) {
	f := strings.Split(row, ",")
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	if len(f) != 1+strings.Count(want, ",") {
		return nil, fmt.Errorf("row %q has %d fields; want %s", short(row), len(f), want)
	}
	return f, nil
}

// numbers parses fields as finite numbers.
func numbers(row string, f []string, to ...*float64) error {
	for i, p := range to {
		x, err := strconv.ParseFloat(f[i], 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("row %q: %q is no finite number", short(row), f[i])
		}
		*p = x
	}
	return nil
}

// whole reports whether all numbers are written without a fraction.
func whole(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(t string) bool {
		_, err := strconv.ParseInt(t, 10, 64)
		return err != nil
	})
}

// Value returns x as text that is read back as whole or real, as p is.
func Value(p params.Param, x float64) string {
	if p.Whole {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return decimal(x)
}

// decimal writes x with a decimal point or an exponent.
func decimal(x float64) string {
	text := params.FormatValue(x)
	if whole(text) {
		text += ".0"
	}
	return text
}

// linear rejects a logarithmic scale, which most formats cannot express.
func linear(form string, p params.Param) error {
	if p.Log {
		return fmt.Errorf("parameter %s is on a logarithmic scale, which %s does not know; toml and rows do", p.Name, form)
	}
	return nil
}

func ownRow(row string) (params.Param, error) {
	return ParseRow(strings.TrimPrefix(row, "info string "))
}

// ownLine returns a parameter as this project's engines print it. A name with blanks is an
// error, because a row is split at blanks.
func ownLine(p params.Param, x float64) (string, error) {
	if strings.ContainsAny(p.Name, " \t") {
		return "", fmt.Errorf("parameter %q: the rows have no room for blanks in a name", p.Name)
	}
	return "info string " + Row(p, x), nil
}

// commaRow is a format with one parameter a line, separated by commas: name, type (in some
// tools), value, min, max, step, and a column that is dropped.
type commaRow struct{ tool, fields, between string }

var (
	openBench = commaRow{"OpenBench", "name,int|float,value,min,max,c_end,r_end", ", "}
	fishtest  = commaRow{"fishtest", "name,value,min,max,c_end,r_end", ","}
	yaneuraou = commaRow{"YaneuraOu", "NAME,int|float,value,min,max,step,delta", ","}
)

// typed reports whether rows have a type. In other formats a parameter is whole if its value
// and bounds have no fraction.
func (c commaRow) typed() bool { return strings.Contains(c.fields, "int|float") }

// read parses one row. Its error quotes the row and states the expected fields.
func (c commaRow) read(row string) (params.Param, error) {
	f, err := fields(row, c.fields)
	if err != nil {
		return params.Param{}, err
	}
	p, rest := params.Param{Name: f[0]}, f[1:]
	switch {
	case !c.typed():
		p.Whole = whole(f[1:4]...)
	case f[1] != "int" && f[1] != "float":
		return params.Param{}, fmt.Errorf("row %q: type %q; want int or float", short(row), f[1])
	default:
		p.Whole, rest = f[1] == "int", f[2:]
	}
	var dropped float64
	err = numbers(row, rest, &p.Default, &p.Min, &p.Max, &p.Step, &dropped)
	return fixed(p), err
}

// write returns a parameter as one row. A logarithmic scale is an error.
func (c commaRow) write(p params.Param, x float64) (string, error) {
	list := []string{p.Name, "float", Value(p, x), Value(p, p.Min), Value(p, p.Max), stepOf(p), REnd}
	switch {
	case !c.typed():
		list = slices.Delete(list, 1, 2)
	case p.Whole:
		list[1] = "int"
	}
	return strings.Join(list, c.between), linear(c.tool, p)
}

// ParseFishtestRow reads one row in fishtest's format, name,value,min,max,c_end,r_end. An error
// quotes the row. The parameter is Sound.
func ParseFishtestRow(row string) (params.Param, error) {
	p, err := fishtest.read(row)
	if err != nil {
		return params.Param{}, err
	}
	return p, Sound(p)
}

// notUsed marks a parameter that YaneuraOu's tuner skips.
const notUsed = "[[NOT USED]]"

// yaneuraouRow parses a row of YaneuraOu's .params. A row marked as not used is a frozen
// parameter.
func yaneuraouRow(row string) (params.Param, error) {
	values, _, _ := strings.Cut(strings.ReplaceAll(row, notUsed, ""), "//") // YaneuraOu's tuner writes the mark behind the comment
	p, err := yaneuraou.read(values)
	p.Frozen = p.Frozen || strings.Contains(row, notUsed)
	if p.Whole { // YaneuraOu's tuner leaves fractions in whole parameters
		p.Default = math.Round(p.Default)
	}
	return p, err
}

// yaneuraouLine returns a parameter as a row of YaneuraOu's .params. A frozen parameter is
// marked as not used.
func yaneuraouLine(p params.Param, x float64) (string, error) {
	used := p
	used.Frozen = p.Min == p.Max // the mark alone freezes it, and the row keeps its step
	line, err := yaneuraou.write(used, x)
	if p.Frozen {
		line += " " + notUsed
	}
	return line, err
}

// eachMember calls member for each member of a JSON object, in order.
func eachMember(data []byte, member func(name string, raw json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("want a JSON object"), err)
	}
	for d.More() {
		t, err := d.Token()
		line := 1 + bytes.Count(data[:d.InputOffset()], []byte("\n"))
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		name, ok := t.(string)
		if !ok {
			return fmt.Errorf("line %d: %v: want a name", line, t)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return fmt.Errorf("line %d: %s: %w", line, name, err)
		}
		if err := member(name, raw); err != nil {
			return fmt.Errorf("line %d: %s: %w", line, name, err)
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more text after the JSON object")
	}
	return nil
}

// weatherParam is one parameter in weather-factory's JSON.
type weatherParam struct {
	Value *json.Number `json:"value"`
	Min   *json.Number `json:"min_value"`
	Max   *json.Number `json:"max_value"`
	Step  *json.Number `json:"step"`
}

// readWeather reads weather-factory's JSON, in the order of the file. Errors name the
// parameter.
func readWeather(data []byte) (s params.Space, err error) {
	err = eachMember(data, func(name string, raw json.RawMessage) error {
		var w weatherParam
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&w); err != nil && !bytes.HasPrefix(raw, []byte("{")) {
			return fmt.Errorf("%s: want an object of value, min_value, max_value and step", short(string(raw)))
		} else if err != nil {
			return err
		}
		if w.Value == nil || w.Min == nil || w.Max == nil {
			return errors.New("want value, min_value, max_value and step")
		}
		texts := []string{w.Value.String(), w.Min.String(), w.Max.String()}
		p := params.Param{Name: name, Whole: whole(texts...)}
		if err := numbers(name, texts, &p.Default, &p.Min, &p.Max); err != nil {
			return err
		}
		var err error
		if w.Step != nil {
			err = numbers(name, []string{w.Step.String()}, &p.Step)
			p = fixed(p)
		}
		if err != nil {
			return err
		}
		s, err = add(s, p)
		return err
	})
	return s, err
}

// writeWeather writes a JSON object in the order of s.
func writeWeather(s params.Space, v params.Vector) ([]byte, error) {
	var b bytes.Buffer
	for i, p := range s {
		name, err := json.Marshal(p.Name)
		if err := errors.Join(err, linear("weather-factory", p)); err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `  %s: {"value": %s, "min_value": %s, "max_value": %s, "step": %s}`,
			name, Value(p, v[i]), Value(p, p.Min), Value(p, p.Max), stepOf(p))
	}
	return fmt.Appendf(nil, "{\n%s\n}\n", &b), nil
}

// paramTables writes a space as [[param]] tables, to paste into an engine file.
func paramTables(s params.Space) string {
	var b strings.Builder
	for _, p := range s {
		if len(p.Labels) > 0 {
			quoted := make([]string, len(p.Labels))
			for i, label := range p.Labels {
				quoted[i] = strconv.Quote(label)
			}
			fmt.Fprintf(&b, "[[param]]\nname = %q\nchoices = [%s]\ndefault = %q\n", p.Name, strings.Join(quoted, ", "), p.Format(p.Default))
		} else {
			fmt.Fprintf(&b, "[[param]]\nname = %q\nmin = %s\nmax = %s\ndefault = %s\nstep = %s\n",
				p.Name, params.FormatValue(p.Min), params.FormatValue(p.Max), params.FormatValue(p.Default), params.FormatValue(p.Step))
		}
		for _, text := range []struct{ name, value string }{{"ratio", p.Ratio}, {"unit", p.Unit}, {"doc", p.Doc}} {
			if text.value != "" {
				fmt.Fprintf(&b, "%s = %q\n", text.name, text.value)
			}
		}
		for _, flag := range []struct {
			name string
			set  bool
		}{{"whole", p.Whole}, {"log", p.Log}, {"frozen", p.Frozen}} {
			if flag.set && len(p.Labels) == 0 {
				fmt.Fprintf(&b, "%s = true\n", flag.name)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Row returns a parameter as servers of this project print it: "param NAME real|int VALUE MIN
// MAX STEP", with " log" for a logarithmic scale.
func Row(p params.Param, value float64) string {
	kind := "real"
	if p.Whole || len(p.Labels) > 0 {
		kind = "int"
	}
	row := fmt.Sprintf("param %s %s %s %s %s %s", p.Name, kind, params.FormatValue(value),
		params.FormatValue(p.Min), params.FormatValue(p.Max), params.FormatValue(p.Step))
	if p.Log {
		row += " log"
	}
	return row
}

// ParseRow reads a row as Row writes it. An error quotes the row. The parameter is Sound.
func ParseRow(row string) (params.Param, error) {
	f := strings.Fields(row)
	if len(f) < 7 || len(f) > 8 || f[0] != "param" || f[2] != "real" && f[2] != "int" || len(f) == 8 && f[7] != "log" {
		return params.Param{}, fmt.Errorf("parameter row %q: want param NAME real|int VALUE MIN MAX STEP [log]", short(row))
	}
	p := params.Param{Name: f[1], Whole: f[2] == "int", Log: len(f) == 8}
	for i, to := range []*float64{&p.Default, &p.Min, &p.Max, &p.Step} {
		x, err := strconv.ParseFloat(f[3+i], 64)
		if err != nil {
			return params.Param{}, fmt.Errorf("parameter row %q: %q is no number", short(row), f[3+i])
		}
		*to = x
	}
	if err := Sound(p); err != nil {
		return params.Param{}, fmt.Errorf("parameter row %q: %w", short(row), err)
	}
	if p.Step == 0 {
		p.Step = DefaultStep(p)
	}
	return p, nil
}

// spaceTOML is the layout of a file of [[param]] tables.
type spaceTOML struct {
	Param []Table `toml:"param"`
}

// readTables reads a TOML file of [[param]] tables. Errors name the line or the parameter.
func readTables(data []byte) (params.Space, error) {
	var doc spaceTOML
	if err := tomlx.Decode("", data, &doc, params.Suggest); err != nil {
		return nil, err
	}
	var s params.Space
	for i, t := range doc.Param {
		p, err := t.Param()
		if err == nil {
			s, err = add(s, p)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", tomlx.KeyLines(data)[fmt.Sprintf("param#%d", i+1)][""], err)
		}
	}
	if i, err := SoundRatios(s); err != nil {
		return nil, fmt.Errorf("line %d: %w", tomlx.KeyLines(data)[fmt.Sprintf("param#%d", i+1)]["ratio"], err)
	}
	return s, nil
}

// writeTables returns a space as [[param]] tables, with v as the defaults.
func writeTables(s params.Space, v params.Vector) ([]byte, error) {
	s = slices.Clone(s)
	for i := range s {
		s[i].Default = v[i]
	}
	return []byte(paramTables(s)), nil
}
