package selfplay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/fit"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/params/paramfile"
	"selfplaylab/params/tomlx"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// fitFlags are the flags of selfplay fit.
type fitFlags struct {
	gameFlags
	options              fit.Options
	start, limits, phase string
	names                []string
	out                  string
	json                 bool
	skip                 bool
	left                 int // games or positions of files that were left out
	progress             *cli.Progress
}

func fitCommand(stdout, stderr io.Writer) *cobra.Command {
	f := &fitFlags{progress: cli.NewProgress(stderr)}
	cmd := &cobra.Command{
		Use: "fit RUN...", Short: "fit a player's weights to the results of recorded games",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("want run directories or files of games: %s", c.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Flags(), args, stdout) },
	}
	fl := cmd.Flags()
	f.gameFlags.register(cmd)
	fl.StringVar(&f.start, "start", "", "`PLAYER` that the weights are pulled to (default: the start of a tuning, else the game's default preset)")
	fl.StringSliceVar(&f.names, "params", nil, "fit only these parameters, `a,b` (default: all linear ones that are not frozen, or that the start sets)")
	fl.StringVar(&f.limits, "limits", "", "`BUDGET` of a decision, which may say how the player evaluates (default: that of the first run)")
	fl.StringVar(&f.phase, "phase", "", "only games of this `PHASE`: tune, verify, match, ...")
	fl.BoolVar(&f.options.Quiet, "quiet", false, "use only positions in which the side to move cannot capture or win at once (always in gobang and chess, whose searches resolve these first)")
	fl.Float64Var(&f.options.Score, "score-weight", 0, "share of the recorded search score in what is predicted, 0 to 0.5 (requires --record-moves)")
	fl.Float64Var(&f.options.Ridge, "ridge", 0, "strength of the pull to the start (default 0: chosen on games held out)")
	fl.Float64Var(&f.options.Confidence, "confidence", .95, "confidence level of the intervals")
	fl.BoolVar(&f.skip, "skip-unreadable", false, "leave out games of files that cannot be read, and count them (default: the first one is an error)")
	fl.StringVar(&f.out, "out", "fitted.toml", "`FILE` for the fitted weights; the page goes into a folder of the same name")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

func (f *fitFlags) run(fl *pflag.FlagSet, args []string, stdout io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	sources, v, err := f.sources(fl, args)
	if err != nil {
		return err
	}
	start, err := f.startOf(v, args[0], &f.options)
	if err != nil {
		return err
	}
	passes := int64(0)
	f.options.Pass = func() {
		f.progress.Unit = "passes over the positions"
		f.progress.Show("fit", passes, max(usualPasses, passes), false, "")
		passes++
	}
	set, err := fit.NewSet(v, f.options)
	if err != nil {
		return err
	}
	defer f.progress.Close()
	defer set.Close()
	for _, s := range sources {
		if s.run == nil && s.games == nil {
			err = f.addPositions(set, s.name)
		} else if err = s.addTo(set, f.phase); err != nil {
			err = fmt.Errorf("%s: %w", s.name, err)
		}
		if err != nil {
			return err
		}
	}
	r, err := set.Fit()
	f.progress.Close()
	if err != nil {
		return err
	}
	r.LeftOut = f.left
	return f.tell(v, r, start, stdout)
}

func (f *fitFlags) check() error {
	switch {
	case !(f.options.Score >= 0 && f.options.Score <= .5):
		return fmt.Errorf("--score-weight %v: want 0 to 0.5", f.options.Score)
	case !(f.options.Ridge >= 0 && f.options.Ridge <= math.MaxFloat64):
		return fmt.Errorf("--ridge %v: want above 0, or 0 to choose it on games held out", f.options.Ridge)
	case !(f.options.Confidence > 0 && f.options.Confidence < 1):
		return fmt.Errorf("--confidence %v: want a share between 0 and 1", f.options.Confidence)
	case !strings.HasSuffix(f.out, ".toml"):
		return fmt.Errorf("--out %s: want a file that ends in .toml", f.out)
	case filepath.Base(f.out) == "run.toml":
		return fmt.Errorf("--out %s: a run has its settings in a file of this name: want another", f.out)
	}
	return nil
}

// startOf reads the player that the weights are pulled to.
func (f *fitFlags) startOf(v engines.Variant, first string, o *fit.Options) (player.Config, error) {
	text := f.start
	if text == "" {
		text = v.Game.DefaultPreset
		if file := startFile(first); file != "" {
			text = file
		}
	}
	limits, err := f.budget(v, first)
	if err != nil {
		return player.Config{}, err
	}
	start, err := player.Parse(v.Game, text, limits)
	if err != nil {
		return start, fmt.Errorf("--start: %w", err)
	}
	if start.External() {
		return start, errors.New("--start: want a player of the game: an external engine's evaluation is not known")
	}
	for _, name := range f.names {
		if _, err := v.Game.Space.Lookup(name); err != nil {
			return start, fmt.Errorf("--params: %w", err)
		}
	}
	o.Start, o.Limits, o.Params = start.Values, start.Limits, f.names
	return start, nil
}

// startFile returns the file with a run's start values, "" for none.
func startFile(dir string) string {
	log, err := datasets.Read(dir)
	if err != nil {
		return ""
	}
	kind, err := kinds.All().Find(log.Meta.Kind)
	if err != nil || kind.StartFile == "" {
		return ""
	}
	file := filepath.Join(dir, kind.StartFile)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// budget returns the limits of the flag, else those of the first run.
func (f *fitFlags) budget(v engines.Variant, first string) (engines.Limits, error) {
	if f.limits != "" {
		return budget(v.Game, f.limits)
	}
	if log, err := datasets.Read(first); err == nil {
		if l, err := engines.ParseLimits(log.Meta.Limits); err == nil {
			return l, nil
		}
	}
	return v.Game.Limits, nil
}

// usualPasses is a common number of passes over the positions in a fit.
const usualPasses = 40

// fitSource is a run, or a file with games or labelled positions.
type fitSource struct {
	name  string
	run   *runs.Recorded // nil for a file
	games []fit.Game     // of a file; nil for positions
}

// holdsGames reports whether a file holds games, by the ending of its name; others hold positions.
func holdsGames(name string) bool {
	return slices.ContainsFunc(gamefile.Formats(), func(f gamefile.Format) bool { return f.Name == gamefile.Ending(name) })
}

// isExport reports whether a file holds exported positions, by the ending of its name.
func isExport(name string) bool { return gamefile.Ending(name) == "parquet" }

// sources opens the named runs and files and returns the game they share.
func (f *fitFlags) sources(fl *pflag.FlagSet, args []string) (list []fitSource, v engines.Variant, err error) {
	files := 0
	for _, name := range args {
		s, own := fitSource{name: name}, v
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, v, fmt.Errorf("no run and no file of games at %s", name)
		}
		if err == nil && !info.IsDir() {
			if isExport(name) {
				own, err = exportedOf(name)
			} else if files++; v.Game == nil || f.gameFlags != (gameFlags{}) {
				own, err = f.gameFlags.open()
			}
			if err == nil && holdsGames(name) {
				s.games, err = f.readGames(own, name)
			}
			if err != nil {
				return nil, v, err
			}
			if s.games != nil && !fl.Changed("rules") { // the file's, if it states any
				own = s.games[0].Variant
			}
			if i := slices.IndexFunc(s.games, func(g fit.Game) bool { return g.Variant.Rules != own.Rules }); i >= 0 {
				return nil, v, fmt.Errorf("%s: game %d has the rules %s, and want %s: fit games of one kind at a time", name, i+1, s.games[i].Variant.Rules, own.Rules)
			}
		} else {
			if s.run, err = kinds.All().Open(name); err != nil {
				return nil, v, err
			}
			if s.run.Head.Unavailable != nil {
				return nil, v, fmt.Errorf("%s: %w", name, s.run.Head.Unavailable)
			}
			own = s.run.Head.Variant
		}
		switch {
		case v.Game == nil:
			v = own
		case v.Game.Name != own.Game.Name || v.Rules != own.Rules:
			return nil, v, fmt.Errorf("%s is of %s (%s), %s of %s (%s): want games of one kind", args[0], v.Game.Name, v.Rules, name, own.Game.Name,
				own.Rules)
		}
		list = append(list, s)
	}
	switch files {
	case 0:
		err = cli.NoEffect(fl, "on runs and exported positions, which have their own", "game", "rules", "skip-unreadable")
	case len(args):
		err = cli.NoEffect(fl, "on files, whose games have no phases", "phase")
	}
	return list, v, err
}

// readGames reads a file of another program's games.
func (f *fitFlags) readGames(v engines.Variant, name string) (list []fit.Game, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var first error
	games, err := gamefile.Read(v, name, tomlx.WithoutMark(data), func(err error) { first, f.left = cmp.Or(first, err), f.left+1 })
	if err != nil {
		return nil, err
	}
	if first != nil && !f.skip {
		return nil, fmt.Errorf("%w; --skip-unreadable leaves out %s of this file", first, text.Plural(f.left, "game"))
	}
	if len(games) == 0 {
		return nil, fmt.Errorf("%s: none of its %s can be read", name, text.Plural(f.left, "game"))
	}
	o, err := newOpenings(games[0].Variant)
	if err != nil {
		return nil, err
	}
	for i, g := range games {
		opening, err := o.of(&g, fmt.Sprint(name, " ", i))
		if err != nil {
			return nil, err
		}
		list = append(list, fit.Game{Game: g, Opening: opening})
	}
	return list, nil
}

// openings identifies the openings of games.
type openings struct {
	ref     engines.Referee
	initial string // the position that a game begins in if nothing else is said
}

func newOpenings(v engines.Variant) (openings, error) {
	ref := v.NewReferee()
	err := ref.Reset("")
	return openings{ref, ref.String()}, err
}

// of returns a key that all games of an opening share, however a source writes positions and
// moves: the position after the opening. A game without an opening has its own key.
func (o openings) of(g *gamefile.Game, own any) (any, error) {
	err := o.ref.Reset(g.Position)
	for _, m := range g.Moves {
		if err == nil && m.Opening {
			_, err = engines.PlayText(o.ref, m.Text)
		}
	}
	if key := o.ref.String(); key != o.initial {
		return key, err
	}
	return own, err
}

// gamesAtOnce are in memory while rows are made of them.
const gamesAtOnce = 512

// addTo adds the games of a source to a set.
func (f *fitSource) addTo(set *fit.Set, phase string) error {
	if f.run == nil {
		return set.Add(f.games)
	}
	if err := checkPhase(f.run.Log, phase); err != nil {
		return err
	}
	o, err := newOpenings(f.run.Head.Variant)
	if err != nil {
		return err
	}
	var batch []fit.Game
	for g, err := range replay.Games(f.run, datasets.Filter{Phase: phase}) {
		if err != nil {
			return err
		}
		opening, err := o.of(&g.Game, g.Opening)
		if err != nil {
			return err
		}
		batch = append(batch, fit.Game{Game: g.Game, Opening: opening})
		if len(batch) == gamesAtOnce {
			if err := set.Add(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return set.Add(batch)
}

// tell writes the files and prints the result.
func (f *fitFlags) tell(v engines.Variant, r *fit.Result, start player.Config, stdout io.Writer) error {
	file := paramfile.File{Game: v.Game.Name, Name: strings.TrimSuffix(filepath.Base(f.out), ".toml"),
		Doc: "Fitted to recorded games, not verified: nothing is known about the strength of these values.", Vector: r.Values}
	if err := datasets.WriteFile(f.out, file.Encode(v.Game.Space)); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	verify := runs.CommandText("selfplay", "match", "--game", v.Game.Name, "--rules", v.Rules, "--a", atLimits(f.out, start.Limits), "--b",
		atLimits(start.Player, start.Limits))
	if err := f.page(v, r, verify); err != nil {
		return err
	}
	if f.json {
		return cli.PrintObject(stdout, runs.Object{{Name: "game", Value: v.Game.Name}, {Name: "rules", Value: v.Rules}, {Name: "fit", Value: r},
			{Name: "verify", Value: verify}}, true)
	}
	r.Table(v).Print(stdout, 1, 2, 3, 4)
	fmt.Fprintf(stdout, "\n%s Intervals are at %s.\n%s\n", r.Basis(), text.Level(f.options.Confidence), r.HeldOut(f.options.Confidence))
	if len(r.Excluded) > 0 {
		fmt.Fprintf(stdout, "Not linear in the evaluation, so not fitted: %s\n", strings.Join(r.Excluded, ", "))
	}
	fmt.Fprintf(stdout, "\nparameters  %s\nreport      %s\nverify      %s\n", f.out, filepath.Join(f.folder(), "report.html"), verify)
	return nil
}

// folder is where the page goes.
func (f *fitFlags) folder() string { return strings.TrimSuffix(f.out, ".toml") }

// page writes the report.
func (f *fitFlags) page(v engines.Variant, r *fit.Result, verify string) error {
	page := reports.Page{
		Title: "Weights fitted to recorded games", Subtitle: v.Game.Title + ", " + v.Rules,
		Lead:     []string{r.HeldOut(f.options.Confidence), "Nothing is known about the strength of these weights yet. This match shows it: `" + verify + "`"},
		Sections: []reports.Section{r.Section(v, f.options.Confidence)},
	}
	if len(r.Excluded) > 0 {
		page.Warnings = []string{"Not linear in the evaluation, so not fitted: `" + strings.Join(r.Excluded, "`, `") + "`."}
	}
	if err := os.MkdirAll(f.folder(), 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return page.Write(f.folder(), datasets.WriteFile)
}

// atLimits is a player's text with its limits.
func atLimits(text string, l engines.Limits) string {
	if l.IsZero() || player.HasBudget(text) {
		return text
	}
	return text + "@" + l.String()
}
