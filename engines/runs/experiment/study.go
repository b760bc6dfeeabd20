package experiment

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/view"
	"selfplaylab/params"
	"selfplaylab/params/tomlx"
	"selfplaylab/reports"
	"selfplaylab/reports/published"
)

// beginningName is the file in an experiment's directory that keeps a beginning.
const beginningName = "asked.toml"

// beginning records how an experiment was begun. Its directory keeps it with a copy of the
// experiment file.
type beginning struct {
	Name    string `toml:"name"`
	Quick   bool   `toml:"quick"`
	File    string `toml:"file"`    // absolute; "" for a built-in experiment
	Typed   string `toml:"typed"`   // the command line; "" for none
	Program string `toml:"program"` // name and version
}

// Here returns the folder of the experiment's file; "" for a built-in one.
func (b beginning) Here() string {
	if b.File == "" {
		return ""
	}
	return filepath.Dir(b.File)
}

// Study is an experiment that is to be played, or has been, in a directory.
type Study struct {
	beginning
	source
	Dir string // "" before Begin
	// Reworded is false if the experiment's file has other runs now than at the beginning.
	// The runs at the beginning then count.
	Reworded bool
	// LeftOut lists the runs that are not played because a program is missing.
	LeftOut []string

	kinds []runs.Kind
}

// ReadFile reads and checks an experiment file. It creates nothing. The experiment's name is
// the file's, or the folder's if the file has the default name.
func ReadFile(file string, quick bool, kinds []runs.Kind) (*Study, error) {
	whole, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(whole), ".toml")
	if filepath.Base(whole) == fileName {
		name = filepath.Base(filepath.Dir(whole))
	}
	s := &Study{beginning: beginning{Name: name, Quick: quick, File: whole}, kinds: kinds, Reworded: true}
	if s.source, err = readSource(filepath.Dir(file), filepath.Base(file), s.beside()); err != nil {
		return nil, err
	}
	if err := s.Experiment.Check(kinds, s.Here()); err != nil {
		return nil, err
	}
	s.leaveOut()
	return s, nil
}

// leaveOut drops runs whose programs are missing, and runs that read their results, unless they
// were begun. They are played if the program is there when the experiment continues.
func (s *Study) leaveOut() {
	var out []string
	s.Experiment.Runs = slices.DeleteFunc(s.Experiment.Runs, func(r Run) bool {
		if _, err := os.Lstat(filepath.Join(s.folder(r), "run.toml")); s.Dir != "" && err == nil {
			return false
		}
		why := ""
		for _, item := range r.settings(s.Quick) {
			for _, name := range item.reads() {
				if slices.Contains(out, name) {
					why = "it reads the results of " + name
				}
			}
		}
		if r.Needs != "" {
			if err := s.missing(r.Needs); err != nil { // in words that may be published: without this machine's folders
				why = strings.ReplaceAll(err.Error(), s.Here()+string(filepath.Separator), "")
			}
		}
		if why == "" {
			return false
		}
		out, s.LeftOut = append(out, r.Name), append(s.LeftOut, fmt.Sprintf("%s is left out: %s", r.Name, why))
		return true
	})
}

// ReadPublished reads an experiment that comes with the program.
func ReadPublished(name string, quick bool, kinds []runs.Kind) (*Study, error) {
	p, err := Published(name)
	if err != nil {
		return nil, err
	}
	s := &Study{beginning: beginning{Name: name, Quick: quick}, source: p.source, kinds: kinds, Reworded: true}
	return s, s.Experiment.Check(kinds, "")
}

// Begin makes the experiment's directory, which may exist if nothing is in it.
func (s *Study) Begin(dir, typed string) error {
	if err := s.checkFree(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder %s: %w; choose another", dir, err)
	}
	s.Dir, s.Typed, s.Program = dir, typed, runs.ThisBuild().Program
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(s.beginning); err != nil {
		return err
	}
	if s.File == "" {
		for _, name := range s.Experiment.Needs {
			data, err := s.engineFile(name)
			if err == nil {
				err = datasets.WriteFile(filepath.Join(dir, name), data)
			}
			if err != nil {
				return err
			}
		}
	}
	if s.Reading != "" {
		if err := datasets.WriteFile(filepath.Join(dir, readingName), []byte(s.Reading)); err != nil {
			return err
		}
	}
	// The beginning comes last: it makes the folder an experiment's.
	return cmp.Or(datasets.WriteFile(filepath.Join(dir, fileName), s.data), datasets.WriteFile(filepath.Join(dir, beginningName), b.Bytes()))
}

// Missing reports the first program that the experiment needs and that is not
// there; nil if all are.
func (s *Study) Missing() error {
	for _, name := range s.Experiment.Needs {
		if err := s.missing(name); err != nil {
			return err
		}
	}
	return nil
}

// missing is Missing of one engine file.
func (s *Study) missing(name string) error {
	data, err := s.engineFile(name)
	if err != nil {
		return err
	}
	return player.Present(filepath.Join(s.Here(), name), data)
}

// engineFile reads an engine file beside the experiment's file.
func (s *Study) engineFile(name string) ([]byte, error) {
	data, err := s.beside()(name)
	if err != nil {
		err = fmt.Errorf("engine file of %s: %w", s.Name, err)
	}
	return data, err
}

// beside reads the files beside the experiment's file.
func (s *Study) beside() reader {
	if s.File == "" {
		return inFS(published.Files(), s.Name)
	}
	return inFS(os.DirFS(s.Here()), ".")
}

// ErrBegun is the error for a folder that already holds an experiment.
var ErrBegun = errors.New("already holds an experiment; resume it, or choose another folder")

// checkFree rejects a folder with any content, except the remains of a Begin that was killed.
func (s *Study) checkFree(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == beginningName:
			return fmt.Errorf("%s %w", dir, ErrBegun)
		case name != fileName && name != readingName && !slices.Contains(s.Experiment.Needs, name) && !strings.HasSuffix(name, ".tmp"):
			return fmt.Errorf("%s is not empty; choose another folder", dir)
		}
	}
	return nil
}

// Open opens the directory of an experiment, to continue or read it.
func Open(dir string, kinds []runs.Kind) (*Study, error) {
	s := &Study{Dir: dir, kinds: kinds, Reworded: true}
	path := filepath.Join(dir, beginningName)
	data, err := datasets.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no experiment (no %s)", dir, beginningName)
	}
	if err == nil {
		err = tomlx.Decode(path, data, &s.beginning, params.Suggest)
	}
	if err != nil {
		return nil, err
	}
	in := func(name string) ([]byte, error) { return datasets.ReadFile(filepath.Join(dir, name)) }
	if s.source, err = readSource(dir, fileName, in); err != nil {
		return nil, err
	}
	if err := s.reword(); err != nil {
		return nil, err
	}
	s.leaveOut()
	return s, nil
}

// reword takes titles, claims, figures and the reading from the present file of the experiment if
// its runs are the same, so that texts can change without playing again.
func (s *Study) reword() error {
	folder, file := s.Here(), filepath.Base(s.File)
	if s.File == "" {
		folder, file = s.Name, fileName
	}
	now, err := readSource(folder, file, s.beside())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if s.Reworded = err == nil && now.Experiment.sameRuns(s.Experiment); s.Reworded {
		s.source = now
	}
	return err
}

// Words returns the file that titles, claims and figures are taken from, in a directory that
// was begun.
func (s *Study) Words() string {
	if _, err := os.Stat(s.File); err == nil && s.Reworded {
		return s.File
	}
	return filepath.Join(s.Dir, fileName)
}

// folder returns the directory of a run.
func (s *Study) folder(r Run) string { return filepath.Join(s.Dir, r.Name) }

// Show returns the options of the i-th run. done is called when it has been played.
type Show func(place int, r Run) (o runs.Options, done func())

// Play plays or continues every run, one after the other, and writes its report. typed is the
// command line.
func (s *Study) Play(ctx context.Context, typed string, show Show) error {
	for i, r := range s.Experiment.Runs {
		o, done := show(i, r)
		err := s.playRun(ctx, r, typed, o)
		done()
		if err != nil {
			return fmt.Errorf("run %s: %w", r.Name, err)
		}
	}
	return nil
}

func (s *Study) playRun(ctx context.Context, r Run, typed string, o runs.Options) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	playing, err := s.open(ctx, r, record.Origin{CommandLine: typed})
	if err != nil {
		return err
	}
	if err := playing.Play(ctx, o); err != nil {
		return err
	}
	return view.ReportPlayed(ctx, playing.Reread)
}

// open creates a run, or opens it to continue.
func (s *Study) open(ctx context.Context, r Run, from record.Origin) (*record.Run, error) {
	dir := s.folder(r)
	switch _, err := os.Lstat(filepath.Join(dir, "run.toml")); {
	case err == nil:
		return record.Resume(dir, runs.Kinds(s.kinds).Find, from)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	kind, err := kindOf(s.kinds, r.Kind)
	if err != nil {
		return nil, err
	}
	at := places{runs: s.Dir, here: s.Here(), engines: cmp.Or(s.Here(), s.Dir)}
	plan, err := r.plan(kind, s.Quick, at)
	if err != nil {
		return nil, err
	}
	if err := plan.Seat(ctx, nil); err != nil {
		return nil, err
	}
	return record.Create(dir, plan, from)
}

// NewResult reads the results of the runs from their records. All runs must be finished.
func (s *Study) NewResult() (Result, error) {
	t := Result{
		Name: s.Name, Dir: s.Dir, Experiment: s.Experiment, Quick: s.Quick, Reading: s.Reading, Sections: map[string][]reports.Section{},
		LeftOut: s.LeftOut, Outcome: Outcome{Machine: runs.Machine()},
	}
	if s.File != "" && !s.comesWithProgram() {
		t.File = filepath.Base(s.File)
	}
	cost := &t.Outcome.Full
	if s.Quick {
		cost = &t.Outcome.Quick
	}
	for _, r := range s.Experiment.Runs {
		if err := s.add(r, &t, cost); err != nil {
			return t, fmt.Errorf("run %s: %w", r.Name, err)
		}
	}
	b := runs.ThisBuild()
	t.Outcome.Revision, t.Outcome.Program, t.Outcome.Go = b.Revision, b.Program, b.Go
	if len(t.heads) > 0 { // of the build that played
		m := t.heads[0].Meta
		t.Outcome.Revision, t.Outcome.Program, t.Outcome.Go = m.Revision, m.Program, m.Go
	}
	return t, nil
}

// comesWithProgram reports whether an experiment of a file is also built in, and so made again
// by its name.
func (s *Study) comesWithProgram() bool {
	if !slices.Contains(published.Experiments(), s.Name) {
		return false
	}
	p, err := Published(s.Name)
	return err == nil && p.Experiment.sameRuns(s.Experiment)
}

// add adds the results of a run.
func (s *Study) add(r Run, t *Result, cost *Cost) error {
	recorded, err := runs.Open(s.folder(r), runs.Kinds(s.kinds).Find)
	if err != nil {
		return err
	}
	result, err := recorded.Result()
	if err != nil {
		return err
	}
	summary, err := result.Summary()
	if err != nil {
		return err
	}
	if !summary.Finished {
		return fmt.Errorf("is not finished: %s", summary.Result)
	}
	if searches := recorded.Head.Kind.Searches; searches != nil {
		for _, sum := range searches(result) {
			t.Results.Searches = append(t.Results.Searches, Search{r.Name, sum})
		}
	}
	game, err := recorded.Head.Game()
	if err != nil {
		return err
	}
	rows, err := gather(recorded.Log, game.Space, result.Part, func(p runs.Part) Row { return s.row(r, recorded.Log.Meta.Game, p) })
	if err != nil {
		return err
	}
	t.Results.Rows = append(t.Results.Rows, rows...)
	if len(r.Bins) > 0 {
		shown, err := calibrate(r.Name, recorded.Log, r.Bins, showing(r.Showing))
		if err != nil {
			return err
		}
		t.Results.Shown = append(t.Results.Shown, shown...)
	}
	t.heads = append(t.heads, recorded.Head)
	cost.Games += recorded.Log.NumGames
	for _, session := range recorded.Head.Sessions {
		cost.Seconds += session.Seconds
		cost.Workers = max(cost.Workers, session.Workers)
	}
	page, err := result.Page()
	if err != nil {
		return err
	}
	for _, w := range page.Warnings {
		if !s.Quick { // which has too few games for nearly everything, and says so
			t.Warnings = append(t.Warnings, fmt.Sprintf("`%s`: %s", r.Name, s.relative(w)))
		}
	}
	t.Sections[r.Name], err = s.sections(r, page.Sections)
	return err
}

// row describes a part of a run. The name of a part that is named after its players changes with
// theirs.
func (s *Study) row(r Run, game string, p runs.Part) Row {
	a, b := p.Seats[0], p.Seats[1]
	row := Row{
		Run: r.Name, Game: game, A: r.unplaced(a.Name, s.Quick), B: r.unplaced(b.Name, s.Quick),
		ALimits: a.Limits.String(), BLimits: b.Limits.String(), Repeats: runs.Repeatable(a, b),
	}
	row.Part = strings.NewReplacer(a.Name, row.A, b.Name, row.B).Replace(p.Name)
	if p.Name == "" {
		row.A = cmp.Or(r.Label, row.A)
	}
	return row
}

// shown names the sections of the run's own report that the page shows.
func (r Run) shown(kind runs.Kind) []string {
	if r.Sections != nil {
		return r.Sections
	}
	return kind.Sections
}

// sections returns the sections of a run's own report that the page shows.
func (s *Study) sections(r Run, all []reports.Section) ([]reports.Section, error) {
	kind, err := kindOf(s.kinds, r.Kind)
	if err != nil {
		return nil, err
	}
	wanted := r.shown(kind)
	sections := slices.DeleteFunc(all, func(section reports.Section) bool { return !slices.Contains(wanted, section.Title) })
	for _, title := range r.Sections {
		if !s.Quick && !slices.ContainsFunc(sections, func(section reports.Section) bool { return section.Title == title }) {
			return nil, fmt.Errorf("run %s: its report has no section %q: correct sections in the experiment's file", r.Name, title)
		}
	}
	for _, section := range sections {
		s.unplace(section.Blocks)
	}
	return sections, nil
}

// relative removes the experiment's folder from a text, because publications must not depend on
// the place where they were made.
func (s *Study) relative(text string) string {
	return strings.ReplaceAll(text, s.Dir+string(filepath.Separator), "")
}

// unplace takes it out of the tables.
func (s *Study) unplace(blocks []reports.Block) {
	for _, block := range blocks {
		table, ok := block.(reports.Table)
		if !ok {
			continue
		}
		for _, row := range table.Rows {
			for i, cell := range row {
				row[i] = s.relative(cell)
			}
		}
	}
}

// PageError is the error for complete runs whose page cannot be made.
type PageError struct{ error }

func (p *PageError) Unwrap() error { return p.error }

// Finish writes page and counts of finished runs into the experiment's directory. The error is
// a *PageError if the page cannot be made, for example because a claim does not follow from the
// results.
func (s *Study) Finish(ctx context.Context) (Result, reports.Page, error) {
	t, err := s.NewResult()
	if err != nil {
		return t, reports.Page{}, err
	}
	if err := writeCounts(s.Dir, t.Results); err != nil {
		return t, reports.Page{}, err
	}
	page, err := t.page()
	if cause := context.Cause(ctx); cause != nil {
		return t, page, cause
	}
	if err != nil {
		return t, page, &PageError{err}
	}
	for _, r := range s.Experiment.Runs {
		to := r.Name + "/report.html"
		if _, err := os.Stat(filepath.Join(s.Dir, filepath.FromSlash(to))); err == nil && reports.Reachable(to) {
			page.Nav = append(page.Nav, reports.Link{Name: r.Name, To: to})
		}
	}
	return t, page, page.Write(s.Dir, datasets.WriteFile)
}

// writeCounts writes the results as CSV into a folder.
func writeCounts(dir string, r Results) error {
	files, err := r.files()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := datasets.WriteFile(filepath.Join(dir, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}
