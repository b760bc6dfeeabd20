package experiment

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// Marks that stand for folders in the settings of runs.
const (
	runsMark = "{runs}" // where the experiment's runs are
	hereMark = "{here}" // where the experiment file is
	// enginesMark is where the engine files are that it needs.
	enginesMark = "{engines}"
)

// kindOf returns the kind of a name.
func kindOf(kinds []runs.Kind, name string) (runs.Kind, error) {
	if i := slices.IndexFunc(kinds, func(k runs.Kind) bool { return k.Name == name }); i >= 0 {
		return kinds[i], nil
	}
	names := text.Each(kinds, kindName)
	return runs.Kind{}, fmt.Errorf("kind = %q: want one of %s%s", name, strings.Join(names, ", "), onlyNear(name, names))
}

func kindName(k runs.Kind) string { return k.Name }

// onlyNear suggests a name, but does not list them.
func onlyNear(name string, names []string) string {
	if s := params.Suggest(name, names); strings.HasPrefix(s, "; did you mean ") {
		return s
	}
	return ""
}

// Check checks the settings of every run, in full and quick, as far as possible before playing:
// a run that reads another run's results is planned when its turn comes. here is the folder of
// the file, "" for a built-in experiment. Errors name the file and the line.
func (e Experiment) Check(kinds []runs.Kind, here string) error {
	for i, r := range e.Runs {
		if err := r.checkReads(e.Runs[:i]); err != nil {
			return err
		}
		kind, err := kindOf(kinds, r.Kind)
		if err != nil {
			return r.fault(r.lines["kind"], err)
		}
		for _, quick := range []bool{false, true} {
			if _, err := r.plan(kind, quick, places{here: here, engines: here}); err != nil {
				return err
			}
		}
	}
	return nil
}

var runRead = regexp.MustCompile(regexp.QuoteMeta(runsMark) + `[/\\]([^/\\,@]+)`)

// reads names the runs whose folders a value refers to.
func (i Item) reads() (names []string) {
	for _, text := range i.Texts {
		for _, match := range runRead.FindAllStringSubmatch(text, -1) {
			names = append(names, match[1])
		}
	}
	return names
}

// checkReads checks that a run refers to earlier runs only, and to files that they leave.
func (r Run) checkReads(earlier []Run) error {
	names := text.Each(earlier, func(r Run) string { return r.Name })
	for _, item := range slices.Concat(r.Full, r.Quick) {
		for _, name := range item.reads() {
			if !slices.Contains(names, name) {
				return r.fault(item.Line, fmt.Errorf("%s: %s/%s: no earlier run %q%s", item.Field, runsMark, name, name, params.Suggest(name, names)))
			}
		}
	}
	return nil
}

// places holds the folders that replace marks; "" for a folder that does not exist yet.
type places struct{ runs, here, engines string }

// put replaces marks by folders.
func (p places) put(text string) string {
	if p.runs != "" {
		text = strings.ReplaceAll(text, runsMark, p.runs)
	}
	if p.engines != "" {
		text = strings.ReplaceAll(text, enginesMark, p.engines)
	}
	return strings.ReplaceAll(text, hereMark, p.here)
}

// plan checks the settings of a run. The plan is nil if they depend on a folder that does not exist
// yet.
func (r Run) plan(kind runs.Kind, quick bool, at places) (p *runs.Plan, err error) {
	cfg, whole := kind.New(), true
	table := map[string]any{}
	for _, item := range r.settings(quick) {
		for _, text := range item.Texts {
			whole = whole && (at.runs != "" || !strings.Contains(text, runsMark)) && (at.engines != "" || !strings.Contains(text, enginesMark))
			if at.here == "" && strings.Contains(text, hereMark) {
				return nil, r.fault(item.Line, fmt.Errorf("%s is not supported in an experiment that comes with the program", hereMark))
			}
		}
		table[item.Field] = text.Each(item.Texts, at.put)
	}
	if err = config.Table(cfg, table); err == nil && whole {
		p, err = cfg.Plan()
	}
	if err == nil && whole && len(r.Bins) > 0 && p.Config.Conditions().RecordMoves == runs.Moves(datasets.NoMoves) {
		return nil, r.fault(r.lines["calibration"], errors.New(`calibration: scores are those of recorded moves; want record_moves = "on"`))
	}
	return p, r.located(err, quick)
}

// located puts an error about a field where the file asks it.
func (r Run) located(err error, quick bool) error {
	if err == nil {
		return nil
	}
	line := 0
	if e, ok := errors.AsType[*config.Error](err); ok {
		for _, item := range r.settings(quick) {
			if item.Field == e.Field {
				line = item.Line
			}
		}
	}
	return r.fault(line, err)
}

// unplaced replaces folders by marks in a player's name, because results must not depend on the
// place where they were made.
func (r Run) unplaced(name string, quick bool) string {
	for _, item := range r.settings(quick) {
		for _, text := range item.Texts {
			budget := strings.LastIndexByte(text, '@')
			for _, form := range []string{text, text[:max(budget, 0)]} { // a name may do without
				if plain, ok := withoutPlace(name, form); ok {
					return plain
				}
			}
		}
	}
	return name
}

// withoutPlace reports whether a name is a text with some folder in the place of
// its mark, and returns it without.
func withoutPlace(name, text string) (string, bool) {
	for _, mark := range []string{runsMark, hereMark, enginesMark} {
		before, after, found := strings.Cut(text, mark)
		if found && len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			return before + strings.TrimLeft(after, `/\`), true
		}
	}
	return name, false
}
