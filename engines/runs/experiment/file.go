// Package experiment runs experiments: questions that take several runs. It reads the file of
// an experiment, plays its runs one after the other in one directory, keeps their results,
// compares two sets of results, and writes the page. The kinds of runs are given to it.
package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/params/tomlx"
	"selfplaylab/reports/text"
)

// fileName is the name of an experiment's file in its folder.
const fileName = "experiment.toml"

// schema is the version of the file's format.
const schema = 1

// Experiment is the content of an experiment file: runs, and the claims to check.
type Experiment struct {
	Title  string
	Doc    string // question and method, in paragraphs
	Source string // source of the claims, for people
	// Needs are engine files in its folder, of programs that must be installed.
	Needs   []string
	Runs    []Run
	Figures []Figure
	Claims  []claim
}

// Run is one run of an experiment: its own keys, and the settings of its kind.
type Run struct {
	own
	Full  []Item // settings of a full run, by field
	Quick []Item // settings that a quick run changes, by field

	file  string         // its name, for errors
	lines map[string]int // of the keys; "" is the heading
}

// Item is a setting of a run.
type Item struct {
	Field string   // as the kind calls it
	Texts []string // its values as a user would type them
	Line  int      // of the file
}

// settings returns the settings of a full or a quick run.
func (r Run) settings(quick bool) []Item {
	if !quick {
		return r.Full
	}
	items := slices.Clone(r.Full)
	for _, q := range r.Quick {
		if i := slices.IndexFunc(items, func(f Item) bool { return f.Field == q.Field }); i >= 0 {
			items[i] = q
		} else {
			items = append(items, q)
		}
	}
	return items
}

// sameRuns reports whether two experiments have the same runs: equal names, kinds and settings.
// Titles and texts may differ.
func (e Experiment) sameRuns(other Experiment) bool {
	same := func(a, b Item) bool { return a.Field == b.Field && slices.Equal(a.Texts, b.Texts) }
	return slices.EqualFunc(e.Runs, other.Runs, func(a, b Run) bool {
		return a.Name == b.Name && a.Kind == b.Kind && slices.EqualFunc(a.Full, b.Full, same) && slices.EqualFunc(a.Quick, b.Quick, same)
	})
}

// Figure shows results of several runs side by side.
type Figure struct {
	Name    string    `toml:"name" arg:"NAME" help:"name of the figure's file"`
	Title   string    `toml:"title" arg:"TEXT" help:"heading above the figure"`
	Caption string    `toml:"caption" arg:"TEXT" help:"text below the figure; with calls like measured of a [[claim]]"`
	Value   string    `toml:"value" arg:"WORD" help:"quantity shown: elo, score, first (score of the side that moves first), nodes, time or calibration"`
	Rows    []string  `toml:"rows" arg:"[ROW, ...]" help:"results by their names in results.csv, RUN or RUN/PART; for nodes, time and calibration: names of runs"`
	Labels  []string  `toml:"labels" arg:"[TEXT, ...]" help:"labels of the rows, one each (default: their names)"`
	X       []float64 `toml:"x" arg:"[X, ...]" help:"x values of the rows, one each: draws a curve instead of one bar per row"`
	XLabel  string    `toml:"x_label" arg:"TEXT" help:"label of the x axis, with its unit"`
	LogX    bool      `toml:"log_x" help:"use a logarithmic x axis"`
}

// claim is a statement of a source and its check.
type claim struct {
	Says     string   `toml:"says" arg:"TEXT" help:"the claim, in the words of the source"`
	Measured string   `toml:"measured" arg:"TEXT" help:"the measured result, with {{FUNCTION \"ROW\"}} for values, see below"`
	Verdict  string   `toml:"verdict" arg:"TEXT" help:"the answer; starts with held, partly, did not hold or open"`
	Checks   []string `toml:"checks" arg:"[\"ROW WORD\", ...]" help:"results the verdict depends on; WORD is better, worse, even, identical, first, second or same-scores"`
}

// verdicts are the words that a claim's verdict begins with.
var verdicts = []string{"held", "partly", "did not hold", "open"}

// file is the layout of an experiment file.
type file struct {
	Schema int              `toml:"schema" arg:"1" help:"version of the file format"`
	Title  string           `toml:"title" arg:"TEXT" help:"title of the page"`
	Doc    string           `toml:"doc" arg:"TEXT" help:"the question and how the experiment answers it; blank lines separate paragraphs"`
	Source string           `toml:"source" arg:"TEXT" help:"the source whose claims are tested"`
	Needs  []string         `toml:"needs" arg:"[FILE.toml, ...]" help:"engine files in the same folder whose programs must be installed; runs refer to them as {engines}/FILE.toml"`
	Run    []map[string]any `toml:"run"`
	Figure []Figure         `toml:"figure"`
	Claim  []claim          `toml:"claim"`
}

// own lists the keys of a [[run]] that are not settings of its kind.
type own struct {
	Name     string         `toml:"name" arg:"NAME" help:"name of the run and of its folder"`
	Kind     string         `toml:"kind" arg:"KIND" help:"{kinds}"`
	Title    string         `toml:"title" arg:"TEXT" help:"title of the run's section on the page (default: derived from the name)"`
	About    string         `toml:"about" arg:"TEXT" help:"one or two sentences for the page"`
	Label    string         `toml:"label" arg:"TEXT" help:"name of player A of a match in the results"`
	Sections []string       `toml:"sections" arg:"[TITLE, ...]" help:"sections of the run's report to show on the page (default: those with the result)"`
	Bins     []float64      `toml:"calibration" arg:"[EDGE, ...]" help:"compare the players' scores with game results, in bins with these increasing edges; requires record_moves"`
	Showing  string         `toml:"calibration_of" arg:"a|b" help:"the player whose scores bins uses (default: both)"`
	Needs    string         `toml:"needs" arg:"FILE.toml" help:"engine file in the same folder: without its program the run is left out, and the page says so (not in published experiments)"`
	Quick    map[string]any `toml:"quick" arg:"TABLE" help:"settings changed by --quick, such as { pairs = 20 }"`
}

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// decode reads an experiment file. Errors name filename and the line. Check checks the settings
// of the runs.
func decode(filename string, data []byte) (Experiment, error) {
	var f file
	if err := tomlx.Decode(filename, data, &f, params.Suggest); err != nil {
		return Experiment{}, err
	}
	e := Experiment{Title: f.Title, Doc: strings.TrimSpace(f.Doc), Source: f.Source, Needs: f.Needs, Figures: f.Figure, Claims: f.Claim}
	switch {
	case f.Schema == 0:
		return e, fmt.Errorf("%s: no schema: add schema = %d", filename, schema)
	case f.Schema != schema:
		return e, fmt.Errorf("%s: schema = %d: this program reads %d", filename, f.Schema, schema)
	case e.Title == "":
		return e, fmt.Errorf("%s: no title", filename)
	case len(f.Run) == 0:
		return e, fmt.Errorf("%s: no [[run]]", filename)
	}
	for _, name := range e.Needs {
		if !nameForm.MatchString(name) || !strings.HasSuffix(name, ".toml") || name == fileName {
			return e, fmt.Errorf("%s: needs %q: want the name of an engine file in the same folder, such as \"sanmill.toml\"", filename, name)
		}
	}
	lines := tomlx.KeyLines(data)
	for i, table := range f.Run {
		heading := fmt.Sprintf("run#%d", i+1)
		r := Run{file: filename, lines: lines[heading]}
		if err := r.decode(table, lines[heading+".quick"]); err != nil {
			return e, err
		}
		if slices.ContainsFunc(e.Runs, func(other Run) bool { return other.Name == r.Name }) {
			return e, fmt.Errorf("%s:%d: two runs are named %q", filename, r.lines[""], r.Name)
		}
		e.Runs = append(e.Runs, r)
	}
	for i, f := range e.Figures {
		if err := e.checkFigure(f); err != nil {
			return e, fmt.Errorf("%s:%d: [[figure]] %q: %w", filename, lines[fmt.Sprintf("figure#%d", i+1)][""], f.Name, err)
		}
	}
	for i, c := range e.Claims {
		if err := e.checkClaim(c); err != nil {
			return e, fmt.Errorf("%s:%d: [[claim]] %d: %w", filename, lines[fmt.Sprintf("claim#%d", i+1)][""], i+1, err)
		}
	}
	return e, nil
}

// fault returns an error of a run at a line of its file, 0 for its heading.
func (r Run) fault(line int, err error) error {
	return fmt.Errorf("%s:%d: [[run]] %q: %w", r.file, cmp.Or(line, r.lines[""]), r.Name, err)
}

// decode reads the table of a [[run]]: its own keys, and the settings of its kind. quickLines are
// the lines of the table quick; nil for one in the line of its key.
func (r *Run) decode(table map[string]any, quickLines map[string]int) error {
	quick, hasQuick := table["quick"]
	keys := map[string]any{}
	for _, f := range config.Fields(&r.own) {
		if value, given := table[f.Name]; given && f.Name != "quick" {
			keys[f.Name] = value
		}
		delete(table, f.Name)
	}
	err := config.Table(&r.own, keys)
	if e, ok := errors.AsType[*config.Error](err); ok {
		return r.fault(r.lines[e.Field], err)
	}
	switch {
	case !slices.Contains([]showing{shownByBoth, shownByA, shownByB}, showing(r.Showing)):
		return r.fault(r.lines["calibration_of"], fmt.Errorf("calibration_of %q: want a or b", r.Showing))
	case !nameForm.MatchString(r.Name):
		return r.fault(r.lines["name"], errors.New("want a name of small letters, digits, '-', '_' and '.'; it becomes a folder"))
	case keys["calibration"] != nil && !rising(r.Bins):
		return r.fault(r.lines["calibration"], errors.New("calibration: want two or more rising numbers, such as [0, 0.25, 0.5, 0.75, 1]"))
	case keys["sections"] != nil && r.Sections == nil: // none are to be shown
		r.Sections = []string{}
	}
	if r.Full, err = r.items(table, r.lines); err != nil || !hasQuick {
		return err
	}
	quickTable, ok := quick.(map[string]any)
	if !ok {
		return r.fault(r.lines["quick"], errors.New("quick must be a table, such as { pairs = 50 }"))
	}
	if quickLines == nil {
		quickLines = map[string]int{"": r.lines["quick"]}
	}
	r.Quick, err = r.items(quickTable, quickLines)
	return err
}

// items turns a table into settings. Keys may have hyphens, as flags do.
func (r *Run) items(table map[string]any, lines map[string]int) ([]Item, error) {
	var list []Item
	for _, key := range slices.Sorted(maps.Keys(table)) {
		item := Item{Field: strings.ReplaceAll(key, "-", "_"), Line: cmp.Or(lines[key], lines[""])}
		var err error
		if item.Texts, err = config.Texts(table[key]); err != nil {
			return nil, r.fault(item.Line, config.Wrap(item.Field, err))
		}
		list = append(list, item)
	}
	slices.SortFunc(list, func(a, b Item) int { return strings.Compare(a.Field, b.Field) })
	for i := range list[:max(0, len(list)-1)] {
		if a, b := list[i], list[i+1]; a.Field == b.Field {
			return nil, r.fault(max(a.Line, b.Line), config.Errorf(a.Field, "is given twice"))
		}
	}
	return list, nil
}

// rising reports whether numbers are the edges of bins, each above the one before.
func rising(edges []float64) bool {
	for i := 1; i < len(edges); i++ {
		if !(edges[i] > edges[i-1]) {
			return false
		}
	}
	return len(edges) > 1
}

func (e Experiment) checkFigure(f Figure) error {
	switch {
	case !nameForm.MatchString(f.Name):
		return fmt.Errorf("name = %q: want a name of small letters, digits, '-', '_' and '.'", f.Name)
	case !slices.Contains(figureValues, f.Value):
		return fmt.Errorf("value = %q: want one of %s", f.Value, strings.Join(figureValues, ", "))
	case len(f.Rows) == 0:
		return errors.New("no rows")
	case len(f.Labels) > 0 && len(f.Labels) != len(f.Rows):
		return fmt.Errorf("%d labels for %d rows", len(f.Labels), len(f.Rows))
	case len(f.X) > 0 && len(f.X) != len(f.Rows):
		return fmt.Errorf("%d x for %d rows", len(f.X), len(f.Rows))
	}
	for _, id := range f.Rows {
		if err := e.checkRow(id); err != nil {
			return err
		}
	}
	return e.checkCalls("caption", f.Caption)
}

func (e Experiment) checkClaim(c claim) error {
	if c.Says == "" || c.Measured == "" {
		return errors.New("want says and measured")
	}
	if !slices.ContainsFunc(verdicts, func(v string) bool { return strings.HasPrefix(c.Verdict, v) }) {
		return fmt.Errorf("verdict = %q: want it to begin with one of: %s", c.Verdict, strings.Join(verdicts, ", "))
	}
	for _, text := range c.Checks {
		check, err := parseCheck(text)
		if err == nil {
			err = e.checkRow(check.ID)
		}
		if err != nil {
			return err
		}
	}
	return e.checkCalls("measured", c.Measured)
}

// checkRow checks that a result is of a run there is.
func (e Experiment) checkRow(id string) error {
	name := runOf(id)
	names := text.Each(e.Runs, func(r Run) string { return r.Name })
	if slices.Contains(names, name) {
		return nil
	}
	return fmt.Errorf("no run %q for the result %q%s", name, id, params.Suggest(name, names))
}

// showing selects whose scores are compared with results: both players', or one's.
type showing string

const (
	shownByBoth showing = ""
	shownByA    showing = "a" // player A
	shownByB    showing = "b"
)

// figureValues lists the values that a figure may show.
var figureValues = []string{"elo", "score", "first", "nodes", "time", "calibration"}
