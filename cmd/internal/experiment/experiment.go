// Package experiment is what experiments are made of: the file that asks for
// runs, the results that are kept of them, how two sets of results compare, and
// the page that tells them. It starts no run and plays nothing.
package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/params"
)

// FileName is the name of an experiment's file in its folder.
const FileName = "experiment.toml"

// Schema is the version of the file's format.
const Schema = 1

// Experiment is what an experiment file asks: runs, and what they are to answer.
type Experiment struct {
	Title   string
	Doc     string // the question and how it is answered, in paragraphs
	Source  string // whose claims it answers, for people
	Runs    []Run
	Figures []Figure
	Claims  []Claim
}

// Run is one run of an experiment: a command and its flags.
type Run struct {
	Name     string    // of its folder
	Kind     string    // match, tournament, ladder, tune, grid, search
	Title    string    // of its section; "" is made of the name
	About    string    // a sentence or two for the page
	Label    string    // of player X in a match; "" is the player as given
	Sections []string  // of the run's own report that the page shows; nil for the kind's usual ones
	Bins     []float64 // edges of shown scores, for the calibration of a match; nil for none
	Flags    []Flag
	Quick    []Flag // replace Flags of the same name in a quick run
	Line     int    // of the file
}

// Flag is a flag of the run's command with its values: several if the flag may
// be given repeatedly.
type Flag struct {
	Name   string
	Values []string
	Line   int // of the file
}

// Asked returns the flags of a full or of a quick run.
func (r Run) Asked(quick bool) []Flag {
	if !quick {
		return r.Flags
	}
	flags := slices.Clone(r.Flags)
	for _, q := range r.Quick {
		if i := slices.IndexFunc(flags, func(f Flag) bool { return f.Name == q.Name }); i >= 0 {
			flags[i] = q
		} else {
			flags = append(flags, q)
		}
	}
	return flags
}

// SameRuns reports whether two experiments ask for the same runs: names, kinds and
// flags are equal, whatever is said about them.
func (e Experiment) SameRuns(other Experiment) bool {
	same := func(a, b Flag) bool { return a.Name == b.Name && slices.Equal(a.Values, b.Values) }
	return slices.EqualFunc(e.Runs, other.Runs, func(a, b Run) bool {
		return a.Name == b.Name && a.Kind == b.Kind && slices.EqualFunc(a.Flags, b.Flags, same) && slices.EqualFunc(a.Quick, b.Quick, same)
	})
}

// Figure shows results of several runs side by side.
type Figure struct {
	Name    string    `toml:"name"`
	Title   string    `toml:"title"`
	Caption string    `toml:"caption"`
	Value   string    `toml:"value"`  // elo, score, first (score of the side that plays first), nodes, time or calibration
	Rows    []string  `toml:"rows"`   // of results, by name
	Labels  []string  `toml:"labels"` // of Rows; empty for their names
	X       []float64 `toml:"x"`      // of Rows: then a curve; empty: one bar a row
	XLabel  string    `toml:"x_label"`
	LogX    bool      `toml:"log_x"`
}

// Claim is what a source says, and what came out.
type Claim struct {
	Says     string   `toml:"says"`
	Measured string   `toml:"measured"` // a template over the results, see Told.Fill
	Verdict  string   `toml:"verdict"`  // in words; begins with one of Verdicts
	Checks   []string `toml:"checks"`   // what the results must show for the verdict to stand: "ROW better", see Check
}

// Verdicts are the words that a claim's verdict begins with.
var Verdicts = []string{"held", "partly", "did not hold", "open"}

// Kinds are the kinds of runs.
var Kinds = []string{"match", "tournament", "ladder", "tune", "grid", "search"}

// file is the layout of an experiment file.
type file struct {
	Schema int              `toml:"schema"`
	Title  string           `toml:"title"`
	Doc    string           `toml:"doc"`
	Source string           `toml:"source"`
	Run    []map[string]any `toml:"run"`
	Figure []Figure         `toml:"figure"`
	Claim  []Claim          `toml:"claim"`
}

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// Decode reads an experiment file; filename appears in errors, with the line.
// Flags are checked by the commands they belong to.
func Decode(filename string, data []byte) (Experiment, error) {
	var f file
	if err := params.DecodeStrict(filename, data, &f); err != nil {
		return Experiment{}, err
	}
	e := Experiment{Title: f.Title, Doc: strings.TrimSpace(f.Doc), Source: f.Source, Figures: f.Figure, Claims: f.Claim}
	switch {
	case f.Schema != Schema:
		return e, fmt.Errorf("%s: schema = %d: this program reads %d", filename, f.Schema, Schema)
	case e.Title == "":
		return e, fmt.Errorf("%s: no title", filename)
	case len(f.Run) == 0:
		return e, fmt.Errorf("%s: no [[run]]", filename)
	}
	for i, table := range f.Run {
		r, err := decodeRun(filename, data, i, table)
		if err != nil {
			return e, err
		}
		if slices.ContainsFunc(e.Runs, func(other Run) bool { return other.Name == r.Name }) {
			return e, fmt.Errorf("%s:%d: two runs are named %q", filename, r.Line, r.Name)
		}
		e.Runs = append(e.Runs, r)
	}
	return e, e.check(filename)
}

// decodeRun reads the i-th [[run]]: the keys of its own, and flags.
func decodeRun(filename string, data []byte, i int, table map[string]any) (Run, error) {
	lines := params.KeyLines(data, fmt.Sprintf("run#%d", i+1))
	r := Run{Line: lines[""]}
	fail := func(key string, err error) (Run, error) {
		return r, fmt.Errorf("%s:%d: [[run]] %q: %w", filename, max(lines[key], r.Line), r.Name, err)
	}
	for key, into := range map[string]*string{"name": &r.Name, "kind": &r.Kind, "title": &r.Title, "about": &r.About, "label": &r.Label} {
		if value, given := table[key]; given {
			text, ok := value.(string)
			if !ok {
				return fail(key, fmt.Errorf("%s wants a text", key))
			}
			*into = text
		}
		delete(table, key)
	}
	switch {
	case !nameForm.MatchString(r.Name):
		return fail("name", errors.New("want a name of small letters, digits, '-', '_' and '.'; it becomes a folder"))
	case !slices.Contains(Kinds, r.Kind):
		return fail("kind", fmt.Errorf("kind = %q: want one of %s", r.Kind, strings.Join(Kinds, ", ")))
	}
	var err error
	if sections, given := table["sections"]; given {
		if r.Sections, err = texts(sections); err != nil {
			return fail("sections", err)
		}
		delete(table, "sections")
	}
	if bins, given := table["calibration"]; given {
		if r.Bins, err = edges(bins); err != nil {
			return fail("calibration", fmt.Errorf("calibration: %w", err))
		}
		delete(table, "calibration")
	}
	quick, given := table["quick"]
	delete(table, "quick")
	if r.Flags, err = flags(table, lines); err != nil {
		return fail("", err)
	}
	if !given {
		return r, nil
	}
	quickTable, ok := quick.(map[string]any)
	if !ok {
		return fail("quick", errors.New("quick wants a table of flags, such as { pairs = 50 }"))
	}
	quickLines := params.KeyLines(data, fmt.Sprintf("run#%d.quick", i+1))
	if len(quickLines) == 0 { // an inline table is on the line of its key
		quickLines[""] = lines["quick"]
	}
	if r.Quick, err = flags(quickTable, quickLines); err != nil {
		return fail("quick", err)
	}
	return r, nil
}

// flags turns a table into flags, by name.
func flags(table map[string]any, lines map[string]int) ([]Flag, error) {
	var list []Flag
	for name, value := range table {
		values, err := texts(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line := lines[name]
		if line == 0 {
			line = lines[""]
		}
		list = append(list, Flag{Name: strings.ReplaceAll(name, "_", "-"), Values: values, Line: line})
	}
	slices.SortFunc(list, func(a, b Flag) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// texts writes a TOML value as a command line would: a list value by value.
func texts(value any) ([]string, error) {
	switch x := value.(type) {
	case string:
		return []string{x}, nil
	case bool:
		return []string{strconv.FormatBool(x)}, nil
	case int64:
		return []string{strconv.FormatInt(x, 10)}, nil
	case float64:
		return []string{strconv.FormatFloat(x, 'g', -1, 64)}, nil
	case []any:
		var all []string
		for _, item := range x {
			one, err := texts(item)
			if err != nil {
				return nil, err
			}
			all = append(all, one...)
		}
		return all, nil
	}
	return nil, errors.New("want a text, a number, true or false, or a list of them")
}

// edges reads the rising edges of bins.
func edges(value any) ([]float64, error) {
	list, err := texts(value)
	if err != nil {
		return nil, err
	}
	var e []float64
	for i, text := range list {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || i > 0 && x <= e[i-1] {
			return nil, errors.New("want rising numbers, such as [0, 0.25, 0.5, 0.75, 1]")
		}
		e = append(e, x)
	}
	if len(e) < 2 {
		return nil, errors.New("want at least two edges")
	}
	return e, nil
}

// check reports the first thing wrong with what goes beyond single runs.
func (e Experiment) check(filename string) error {
	for _, f := range e.Figures {
		switch {
		case !nameForm.MatchString(f.Name):
			return fmt.Errorf("%s: figure %q: want a name of small letters, digits, '-', '_' and '.'", filename, f.Name)
		case !slices.Contains(figureValues, f.Value):
			return fmt.Errorf("%s: figure %s: value = %q: want one of %s", filename, f.Name, f.Value, strings.Join(figureValues, ", "))
		case len(f.Rows) == 0:
			return fmt.Errorf("%s: figure %s: no rows", filename, f.Name)
		case len(f.Labels) > 0 && len(f.Labels) != len(f.Rows):
			return fmt.Errorf("%s: figure %s: %d labels for %d rows", filename, f.Name, len(f.Labels), len(f.Rows))
		case len(f.X) > 0 && len(f.X) != len(f.Rows):
			return fmt.Errorf("%s: figure %s: %d x for %d rows", filename, f.Name, len(f.X), len(f.Rows))
		}
	}
	for i, c := range e.Claims {
		if c.Says == "" || c.Measured == "" {
			return fmt.Errorf("%s: claim %d: want says and measured", filename, i+1)
		}
		if !slices.ContainsFunc(Verdicts, func(v string) bool { return strings.HasPrefix(c.Verdict, v) }) {
			return fmt.Errorf("%s: claim %d: verdict = %q: want it to begin with one of: %s", filename, i+1, c.Verdict, strings.Join(Verdicts, ", "))
		}
		for _, text := range c.Checks {
			if _, err := ParseCheck(text); err != nil {
				return fmt.Errorf("%s: claim %d: %w", filename, i+1, err)
			}
		}
	}
	return nil
}

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
	Workers int     `toml:"workers"`
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
