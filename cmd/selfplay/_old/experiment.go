package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/experiment"
	"selfplaylab/cmd/internal/tunecmd"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/match"
	"selfplaylab/params"
	"selfplaylab/params/tuning"
	"selfplaylab/reports"
)

// kind is a kind of runs: the command that plays them, and how their record is
// read.
type kind struct {
	command func(args []string, stdout, stderr io.Writer) *cobra.Command
	preset  []string // flags that every run of the kind has
	workers bool     // the command takes --workers
}

func (k kind) start(args []string, stdout, stderr io.Writer) *cobra.Command {
	cmd := k.command(args, stdout, stderr)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	return cmd
}

// kinds are the experiment.Kinds.
func kinds() map[string]kind {
	return map[string]kind{
		"match":      {command: matchCommand, workers: true},
		"tournament": {command: tournamentCommand, workers: true},
		"ladder":     {command: ladderCommand, workers: true},
		"tune":       {command: tunecmd.New, workers: true},
		"grid":       {command: tunecmd.New, preset: []string{"--method=grid"}, workers: true},
		"search":     {command: searchCommand},
	}
}

// reserved are flags that an experiment gives its runs itself.
var reserved = []string{"out", "resume", "json", "discard", "workers", "publish", "help"}

// Names that stand in flags for folders.
const (
	runsMark = "{runs}" // where the experiment's runs are
	hereMark = "{here}" // where the experiment file is
)

// asked is what an experiment's run directory keeps of how it was started,
// beside a copy of the experiment file.
type asked struct {
	Name    string `toml:"name"`
	Quick   bool   `toml:"quick"`
	File    string `toml:"file"` // absolute; "" for one that came with the program
	Typed   string `toml:"typed"`
	Program string `toml:"program"`
}

// here is the folder of the experiment's file; "" for one that came with the
// program.
func (a asked) here() string {
	if a.File == "" {
		return ""
	}
	return filepath.Dir(a.File)
}

// askedName is the file of an asked.
const askedName = "asked.toml"

// underway is an experiment being run.
type underway struct {
	asked
	experiment experiment.Experiment
	dir        string
	workers    int
	args       []string // typed
	stderr     io.Writer
}

// decodeExperiment reads an experiment file and checks it as far as that goes
// before anything is played. here is its folder, "" for one that came with the
// program.
func decodeExperiment(ctx context.Context, filename string, data []byte, here string) (experiment.Experiment, error) {
	e, err := experiment.Decode(filename, data)
	if err != nil {
		return e, err
	}
	for _, r := range e.Runs {
		for _, quick := range []bool{false, true} {
			if err := checkRun(ctx, filename, r, quick, here); err != nil {
				return e, err
			}
		}
	}
	return e, nil
}

// checkRun has the run's command check its flags. A run that reads what an
// earlier one leaves cannot be checked whole.
func checkRun(ctx context.Context, filename string, r experiment.Run, quick bool, here string) error {
	k := kinds()[r.Kind]
	cmd := k.start(nil, io.Discard, io.Discard)
	words := slices.Clone(k.preset)
	whole := true
	for _, f := range r.Asked(quick) {
		fail := func(err error) error {
			return fmt.Errorf("%s:%d: [[run]] %q: %w", filename, f.Line, r.Name, err)
		}
		known := cmd.Flags().Lookup(f.Name)
		switch {
		case slices.Contains(reserved, f.Name):
			return fail(fmt.Errorf("%s cannot be set here: the experiment's own flags decide it", f.Name))
		case known == nil:
			var names []string
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				if !slices.Contains(reserved, f.Name) {
					names = append(names, f.Name)
				}
			})
			return fail(fmt.Errorf("%s is no flag of %s%s", f.Name, cmd.CommandPath(), params.Suggest(f.Name, names)))
		}
		for _, v := range f.Values {
			whole = whole && !strings.Contains(v, runsMark)
			if here == "" && strings.Contains(v, hereMark) {
				return fail(fmt.Errorf("%s means nothing in an experiment that comes with the program", hereMark))
			}
			if err := known.Value.Set(strings.ReplaceAll(v, hereMark, here)); err != nil {
				return fail(fmt.Errorf("%s = %q: %w", f.Name, v, err))
			}
			words = append(words, "--"+f.Name+"="+strings.ReplaceAll(v, hereMark, here))
		}
	}
	if !whole {
		return nil
	}
	cmd = k.start(nil, io.Discard, io.Discard)
	cmd.SetArgs(words)
	if err := cmd.ExecuteContext(cli.WithCheckOnly(ctx)); !errors.Is(err, cli.ErrChecked) {
		return fmt.Errorf("%s:%d: [[run]] %q: %w", filename, r.Line, r.Name, err)
	}
	return nil
}

// begin makes the directory of an experiment.
func begin(ctx context.Context, dir, filename string, data []byte, a asked, workers int, args []string, stderr io.Writer) (*underway, error) {
	e, err := decodeExperiment(ctx, filename, data, a.here())
	if err != nil {
		return nil, err
	}
	if err := checkFree(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the folder %s: %w; choose another with --out", dir, err)
	}
	a.Typed, a.Program = cli.Typed(args), cli.ThisBuild().Program
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(a); err != nil {
		return nil, err
	}
	if err := errors.Join(datasets.WriteFile(filepath.Join(dir, experiment.FileName), data), datasets.WriteFile(filepath.Join(dir, askedName), b.Bytes())); err != nil {
		return nil, err
	}
	return &underway{asked: a, experiment: e, dir: dir, workers: workers, args: args, stderr: stderr}, nil
}

// checkFree refuses a folder with anything in it but what a begin that was killed
// before its end leaves behind.
func checkFree(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == askedName:
			return fmt.Errorf("%s already holds an experiment; go on with --resume %s or choose another folder with --out", dir, cli.Quote(dir))
		case name != experiment.FileName && !strings.HasSuffix(name, ".tmp"):
			return fmt.Errorf("%s is not empty; choose another folder with --out", dir)
		}
	}
	return nil
}

// reopenExperiment opens the directory of an experiment to go on with it.
func reopenExperiment(ctx context.Context, dir string, workers int, args []string, stderr io.Writer) (*underway, error) {
	u := &underway{dir: dir, workers: workers, args: args, stderr: stderr}
	path := filepath.Join(dir, askedName)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no experiment (no %s)", dir, askedName)
	}
	if err == nil {
		err = params.DecodeStrict(path, data, &u.asked)
	}
	if err != nil {
		return nil, err
	}
	path = filepath.Join(dir, experiment.FileName)
	if data, err = os.ReadFile(path); err != nil {
		return nil, err
	}
	if u.experiment, err = decodeExperiment(ctx, path, data, u.here()); err != nil {
		return nil, err
	}
	return u, u.reword(ctx)
}

// reword takes titles, claims and figures from the experiment's file as it is
// now, if that still asks for the same runs: words may change without playing
// again.
func (u *underway) reword(ctx context.Context) error {
	if u.File == "" {
		return nil
	}
	data, err := os.ReadFile(u.File)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	now, err := decodeExperiment(ctx, u.File, data, u.here())
	if err != nil {
		return err
	}
	if !now.SameRuns(u.experiment) {
		fmt.Fprintf(u.stderr, "warning: %s asks for other runs than this experiment was begun with; going on with those in %s\n", u.File, u.dir)
		return nil
	}
	u.experiment = now
	return nil
}

// folder is the directory of a run.
func (u *underway) folder(r experiment.Run) string { return filepath.Join(u.dir, r.Name) }

// play plays every run, one after the other, or goes on with it.
func (u *underway) play(ctx context.Context) error {
	ctx = cli.WithResume(ctx, "selfplay run --resume "+cli.Quote(u.dir))
	for i, r := range u.experiment.Runs {
		fmt.Fprintf(u.stderr, "%s, run %d of %d: %s (%s)\n", u.Name, i+1, len(u.experiment.Runs), r.Name, r.Kind)
		if err := u.playRun(ctx, r); err != nil {
			return fmt.Errorf("run %s: %w", r.Name, err)
		}
	}
	return nil
}

// words are the flags of a run as on a command line.
func (u *underway) words(r experiment.Run) []string {
	folders := strings.NewReplacer(runsMark, u.dir, hereMark, u.here())
	var words []string
	for _, f := range r.Asked(u.Quick) {
		for _, v := range f.Values {
			words = append(words, "--"+f.Name+"="+folders.Replace(v))
		}
	}
	return words
}

func (u *underway) playRun(ctx context.Context, r experiment.Run) error {
	k := kinds()[r.Kind]
	words := []string{"--resume=" + u.folder(r)}
	if _, err := os.Stat(filepath.Join(u.folder(r), "run.toml")); err != nil {
		words = append(slices.Concat(k.preset, u.words(r)), "--out="+u.folder(r))
	}
	if k.workers {
		words = append(words, fmt.Sprintf("--workers=%d", u.workers))
	}
	cmd := k.start(u.args, io.Discard, u.stderr)
	cmd.SetArgs(words)
	return cmd.ExecuteContext(ctx)
}

// results reads what the runs came to, and what they cost.
func (u *underway) results() (experiment.Results, experiment.Cost, error) {
	var all experiment.Results
	cost := experiment.Cost{Workers: u.workers}
	for _, r := range u.experiment.Runs {
		if err := u.resultsOf(r, &all, &cost); err != nil {
			return all, cost, fmt.Errorf("run %s: %w", r.Name, err)
		}
	}
	return all, cost, nil
}

func (u *underway) resultsOf(r experiment.Run, all *experiment.Results, cost *experiment.Cost) error {
	dir := u.folder(r)
	if r.Kind == "search" {
		searches, err := u.searches(r)
		for _, s := range searches {
			cost.Seconds += s.Seconds
		}
		all.Searches = append(all.Searches, searches...)
		return err
	}
	log, err := datasets.Read(dir)
	if err != nil {
		return err
	}
	label, err := u.label(r, log)
	if err != nil {
		return err
	}
	rows, err := experiment.Gather(log, label)
	if err != nil {
		return err
	}
	all.Rows = append(all.Rows, rows...)
	if len(r.Bins) > 0 {
		shown, err := experiment.Calibrate(r.Name, log, r.Bins)
		if err != nil {
			return err
		}
		all.Shown = append(all.Shown, shown...)
	}
	cost.Games += log.NumGames
	sessions, err := match.Sessions(dir)
	for _, s := range sessions {
		cost.Seconds += s.Seconds
	}
	return err
}

// searches reads a search run again.
func (u *underway) searches(r experiment.Run) ([]experiment.Search, error) {
	f := &searchFlags{}
	cmd := searchCommandOf(f, io.Discard, io.Discard)
	if err := cmd.ParseFlags(u.words(r)); err != nil {
		return nil, err
	}
	s, err := f.open(cmd)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(u.folder(r), searchName)
	data, err := os.ReadFile(path)
	if err == nil {
		err = s.read(path, data)
	}
	if err == nil && len(s.done) != s.positions*len(s.players) {
		err = fmt.Errorf("%s: %d of %d searches", path, len(s.done), s.positions*len(s.players))
	}
	if err != nil {
		return nil, err
	}
	return s.sums(r.Name), nil
}

// label says how the trials of a run make rows.
func (u *underway) label(r experiment.Run, log *datasets.Log) (experiment.Label, error) {
	row := experiment.Row{Run: r.Name, Game: log.Meta.Game}
	switch log.Meta.Kind {
	case "match":
		return u.matchLabel(r, row, log)
	case tournamentKind, ladderKind:
		return tournamentLabel(row, log)
	}
	return tuneLabel(row, log)
}

// repeats reports whether no clock bounds decisions under any of the limits.
func repeats(limits ...string) bool {
	return !slices.ContainsFunc(limits, func(l string) bool { return strings.Contains(l, "time=") })
}

// matchLabel makes all of a match one row.
func (u *underway) matchLabel(r experiment.Run, row experiment.Row, log *datasets.Log) (experiment.Label, error) {
	var s matchSpec
	if err := log.Spec(&s); err != nil {
		return nil, err
	}
	short := func(name string) string { return strings.ReplaceAll(name, u.dir+string(filepath.Separator), "") }
	row.X, row.Than, row.XLimits, row.ThanLimits = short(s.A), short(s.B), s.ALimits, s.BLimits
	row.Repeats = repeats(s.ALimits, s.BLimits)
	row.X = cmp.Or(r.Label, row.X)
	return func(datasets.TrialRow) (experiment.Row, bool) { return row, true }, nil
}

// tournamentLabel makes every pairing a row.
func tournamentLabel(row experiment.Row, log *datasets.Log) (experiment.Label, error) {
	var s tournamentSpec
	if err := log.Spec(&s); err != nil {
		return nil, err
	}
	t, err := s.schedule()
	if err != nil {
		return nil, err
	}
	return func(trial datasets.TrialRow) (experiment.Row, bool) {
		p, one := t.Of(trial.Trial), row
		x, than := s.Players[p.X], s.Players[p.Than]
		one.Part, one.X, one.Than, one.XLimits, one.ThanLimits = trial.Phase, x.Name, than.Name, x.Limits, than.Limits
		one.Repeats = repeats(x.Limits, than.Limits)
		return one, true
	}, nil
}

// tuneLabel makes every point of a grid a row, and the verification of the tuned
// values.
func tuneLabel(row experiment.Row, log *datasets.Log) (experiment.Label, error) {
	game, _, spec, err := tuning.Describe(log)
	if err != nil {
		return nil, err
	}
	row.XLimits, row.ThanLimits, row.Than = log.Meta.Limits, log.Meta.Limits, spec.Start
	row.Repeats = repeats(log.Meta.Limits)
	return func(t datasets.TrialRow) (experiment.Row, bool) {
		one := row
		switch {
		case t.Phase == tuning.PhaseVerify:
			one.X, one.Part = "tuned", experiment.VerifyPart
		case t.Phase == tuning.PhaseTune && spec.Method == "grid":
			one.X = point(game, spec.Active, t.X)
			one.Part = one.X
		default:
			return one, false
		}
		return one, true
	}, nil
}

// point names a vector by the parameters that differ from point to point.
func point(game *engines.Game, active []string, x []float64) string {
	var fields []string
	for _, name := range active {
		i := game.Space.Index(name)
		fields = append(fields, name+"="+game.Space[i].Format(x[i]))
	}
	return strings.Join(fields, ",")
}

// pages are the runs' own reports.
func (u *underway) pages() (map[string]reports.Page, error) {
	all := map[string]reports.Page{}
	for _, r := range u.experiment.Runs {
		if r.Kind == "search" || r.Kind == "match" && len(r.Sections) == 0 {
			continue
		}
		page, err := pageOf(u.folder(r))
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", r.Name, err)
		}
		all[r.Name] = page
	}
	return all, nil
}

// told gathers all that the experiment's page tells. reading is the template of
// its reading, "" for none.
func (u *underway) told(reading string) (experiment.Told, error) {
	t := experiment.Told{Name: u.Name, Experiment: u.experiment, Quick: u.Quick, Reading: reading}
	var cost experiment.Cost
	var err error
	if t.Results, cost, err = u.results(); err != nil {
		return t, err
	}
	b := cli.ThisBuild()
	t.Outcome = experiment.Outcome{Revision: b.Revision, Program: b.Program, Go: b.Go, Machine: cli.Machine()}
	if u.Quick {
		t.Outcome.Quick = cost
	} else {
		t.Outcome.Full = cost
	}
	t.Pages, err = u.pages()
	return t, err
}
