// Package tunecmd is the tune command: its flags and what it prints. It stands
// apart from the program of that name because experiments start tunings too.
package tunecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/catalog"
	"selfplaylab/params/tuning"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
)

const long = `Tune plays a game's player against itself in parallel, follows what wins, and
verifies the result on fresh openings before it calls it better. Every game is
kept in a run directory, which a killed run resumes from and which other tools
read as parquet. The same command with the same --seed gives the same rows, at
any number of workers.`

const examples = `  tune --game quoridor --iters 1000
  tune --game quoridor --start bad --params a_E,b_gain
  tune --game quoridor --method grid --grid b_gain=0:100:10 --pairs 500
  tune params --game quoridor
  tune --resume runs/20261120-101500-quoridor-spsa`

// flags are those of the tune command itself.
type flags struct {
	game, rules, limits, method, start, gains string
	only, freeze, set, axes                   []string
	iters, pairs, plies, workers              int
	verify, verifyMin, screen, rate           int
	verifySPRT                                string
	confidence                                float64
	seed                                      uint64
	out, resume                               string
	moves                                     cli.MovesFlag
}

// New returns the command. args are what the user typed, for the record.
func New(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use: "tune --game GAME [flags]", Short: "find better parameters by self-play, verified",
		Long: long, Example: examples, Args: cli.NoArgs, Version: cli.Version,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("resume") {
				return resume(cmd, f.resume, f.workers, args, stdout, stderr)
			}
			return f.tune(cmd, args, stdout, stderr)
		},
	}
	f.register(cmd)
	cmd.AddCommand(paramsCommand(stdout), resumeCommand(args, stdout, stderr), reportCommand(stdout))
	return cmd
}

func (f *flags) register(cmd *cobra.Command) {
	methods, docs := tuning.Methods()
	var list strings.Builder
	for i, m := range methods {
		fmt.Fprintf(&list, "\n  %s: %s", m, docs[i])
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.game, "game", "", "game to tune: "+strings.Join(catalog.Names(), ", "))
	fl.IntVar(&f.iters, "iters", 1000, "iterations of SPSA")
	fl.StringVar(&f.method, "method", "spsa", "how to tune:"+list.String())
	fl.StringVar(&f.start, "start", "", "start from a `PRESET`, or FILE.toml, each with ,name=value overrides (default: the game's own)")
	fl.StringArrayVar(&f.set, "set", nil, "override a start value: `name=value` (repeatable)")
	fl.StringSliceVar(&f.only, "params", nil, "tune these parameters only: `a,b` (default: all but frozen ones; see tune params)")
	fl.StringSliceVar(&f.freeze, "freeze", nil, "leave these parameters alone: `a,b`")
	fl.IntVar(&f.pairs, "pairs", 0, "game pairs an iteration (default: the game's own, 32 for quoridor), or a point of a grid (default 500)")
	fl.StringVar(&f.gains, "gains", "budget", "step sizes of SPSA: budget (derived from --iters, --pairs and the parameters) or classic (fishtest's)")
	fl.StringArrayVar(&f.axes, "grid", nil, "axis of a grid: `name=lo:hi:step`, name=lo:hi:xFACTOR or name=v1,v2,... (repeatable)")
	fl.StringVar(&f.rules, "rules", "", "rules of the game: `name=value,...`")
	fl.StringVar(&f.limits, "limits", "", "`BUDGET` of a decision, such as depth=3, nodes=20000, playouts=500 or time=1s (default: the game's own)")
	fl.IntVar(&f.plies, "opening-plies", 0, "random plies each pair starts from (default: the game's own)")
	fl.IntVar(&f.screen, "screen-pairs", 0, "game pairs that test each parameter alone before tuning, 0 for none (default: the game's own --pairs)")
	fl.IntVar(&f.verify, "verify-pairs", 0, "most game pairs of the verification, 0 for none (default: 300 times the game's own --pairs)")
	fl.IntVar(&f.verifyMin, "verify-min", 0, "fewest game pairs of the verification (default: 60 times the game's own --pairs)")
	fl.StringVar(&f.verifySPRT, "verify-sprt", "", "verify by a sequential test: `elo0=0,elo1=5` with any of alpha=0.05, beta=0.05, model=normalized (default: by the interval, once it excludes equality)")
	fl.IntVar(&f.rate, "rate-pairs", 0, "game pairs of each pairing in a joint rating of start, tuned values and presets, 0 for none (default: the game's own --pairs)")
	fl.Float64Var(&f.confidence, "confidence", 0.95, "confidence of all intervals")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of everything random")
	f.registerWorkers(cmd)
	fl.StringVar(&f.out, "out", "", "run directory to make (default: runs/TIME-GAME-METHOD)")
	f.moves.Register(cmd)
	fl.StringVar(&f.resume, "resume", "", "go on with the run in `DIR`; all but --workers is taken from there")
}

func (f *flags) registerWorkers(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.workers, "workers", runtime.NumCPU(), "games played at the same time; never changes the result")
}

// tune makes a run and executes it.
func (f *flags) tune(cmd *cobra.Command, args []string, stdout, stderr io.Writer) error {
	q, err := f.request(cmd)
	if err == nil {
		err = q.Check()
	}
	if err == nil {
		err = cli.CheckOnly(cmd.Context())
	}
	if err != nil {
		return err
	}
	q.Typed = cli.Typed(args)
	dir := f.out
	if dir == "" {
		dir = filepath.Join("runs", time.Now().Format("20060102-150405")+"-"+q.Game.Name+"-"+q.Spec.Method)
	}
	r, err := tuning.Create(dir, q)
	if err != nil {
		return err
	}
	return execute(cmd.Context(), r, f.workers, args, stdout, stderr)
}

// request turns flags into a checked request.
func (f *flags) request(cmd *cobra.Command) (tuning.Request, error) {
	var q tuning.Request
	game, err := cli.FindGame(f.game)
	if err != nil {
		return q, err
	}
	if err := cli.CheckWorkers(f.workers); err != nil {
		return q, err
	}
	b := cli.ThisBuild()
	q = tuning.Request{Game: game, Limits: game.Limits, Seed: f.seed, RecordMoves: f.moves.Value, Revision: b.Revision, Program: b.Program, Go: b.Go, Created: time.Now().UTC().Truncate(time.Second)}
	if q.Rules, err = engines.ParseRules(f.rules); err != nil {
		return q, fmt.Errorf("--rules: %w", err)
	}
	if _, err = game.Open(q.Rules); err != nil {
		return q, fmt.Errorf("--rules: %w", err)
	}
	if f.limits != "" {
		if q.Limits, err = engines.ParseLimits(f.limits); err != nil {
			return q, fmt.Errorf("--limits: %w", err)
		}
	}
	if f.start == "" {
		f.start = game.Default
	}
	start, err := cli.ParsePlayer(game, f.start)
	if err != nil {
		return q, fmt.Errorf("--start: %w", err)
	}
	if start.Vector, err = game.Space.Set(start.Vector, f.set); err != nil {
		return q, fmt.Errorf("--set: %w", err)
	}
	if !cmd.Flags().Changed("verify-pairs") {
		f.verify = 300 * game.Pairs
	}
	if !cmd.Flags().Changed("rate-pairs") {
		f.rate = game.Pairs
	}
	if !cmd.Flags().Changed("screen-pairs") {
		f.screen = game.Pairs
	}
	if !cmd.Flags().Changed("verify-min") {
		f.verifyMin = 60 * game.Pairs
	}
	q.Spec = tuning.Spec{
		Method: f.method, Start: f.start, Values: start.Vector, Iterations: f.iters, Pairs: f.pairs, Gains: f.gains, Grid: f.axes,
		Screen: f.screen, VerifyMin: min(f.verifyMin, f.verify), VerifyMax: f.verify, Level: f.confidence, RatePairs: f.rate,
	}
	if q.Spec.OpeningPlies, err = cli.OpeningPlies(cmd, game, f.plies); err != nil {
		return q, err
	}
	if err := f.checkVerification(cmd); err != nil {
		return q, err
	}
	if cmd.Flags().Changed("verify-sprt") {
		test, err := rating.ParseSPRT(f.verifySPRT)
		if err != nil {
			return q, fmt.Errorf("--verify-sprt: %w", err)
		}
		q.Spec.VerifySPRT = test.String()
	}
	return q, f.checkMethod(cmd, &q)
}

// checkVerification checks the flags of the verification. The default of
// --verify-min gives way to a smaller --verify-pairs; one that was typed does
// not.
func (f *flags) checkVerification(cmd *cobra.Command) error {
	switch {
	case f.screen < 0:
		return fmt.Errorf("--screen-pairs %d: want at least 1, or 0 for none", f.screen)
	case f.rate < 0:
		return fmt.Errorf("--rate-pairs %d: want at least 1, or 0 for none", f.rate)
	case f.verify < 0:
		return fmt.Errorf("--verify-pairs %d: want at least 1, or 0 for no verification", f.verify)
	case cmd.Flags().Changed("verify-sprt") && cmd.Flags().Changed("verify-min"):
		return errors.New("--verify-min means nothing to --verify-sprt: the test decides when to stop")
	case cmd.Flags().Changed("verify-sprt") && f.verify == 0:
		return errors.New("--verify-sprt wants pairs to play: --verify-pairs above 0")
	case f.verify > 0 && f.verifyMin < 1:
		return fmt.Errorf("--verify-min %d: want at least 1; no verification is --verify-pairs 0", f.verifyMin)
	case f.verify > 0 && f.verifyMin > f.verify && cmd.Flags().Changed("verify-min"):
		return fmt.Errorf("--verify-min %d is more than --verify-pairs %d, the most that are played", f.verifyMin, f.verify)
	case !(f.confidence > 0.5 && f.confidence < 1):
		return fmt.Errorf("--confidence %v: want above 0.5 and below 1, such as 0.95", f.confidence)
	}
	return nil
}

// checkMethod fills in what depends on the method and refuses flags that the
// method would ignore.
func (f *flags) checkMethod(cmd *cobra.Command, q *tuning.Request) error {
	changed := cmd.Flags().Changed
	s := &q.Spec
	ignored := map[string][]string{"grid": {"iters", "gains", "params", "freeze"}, "spsa": {"grid"}}
	for _, name := range ignored[s.Method] {
		if changed(name) {
			return fmt.Errorf("--%s means nothing to --method %s", name, s.Method)
		}
	}
	switch {
	case s.Method == "spsa" && s.Iterations < 1:
		return fmt.Errorf("--iters %d: want at least 1", s.Iterations)
	case changed("pairs") && s.Pairs < 1:
		return fmt.Errorf("--pairs %d: want at least 1", s.Pairs)
	case s.Method == "grid" && len(s.Grid) == 0:
		return errors.New("--method grid wants at least one --grid name=lo:hi:step")
	}
	space := q.Game.Space
	if s.Method == "grid" {
		s.Iterations, s.Gains = 0, ""
		if s.Pairs == 0 {
			s.Pairs = 500
		}
		for _, axis := range s.Grid {
			name, _, _ := strings.Cut(axis, "=")
			s.Active = append(s.Active, name)
		}
		return nil
	}
	if s.Pairs == 0 {
		s.Pairs = q.Game.Pairs
	}
	active, err := space.Active(f.only, f.freeze)
	if err != nil {
		return fmt.Errorf("--params or --freeze: %w", err)
	}
	for _, i := range active {
		s.Active = append(s.Active, space[i].Name)
	}
	if len(s.Active) == 0 {
		return errors.New("nothing left to tune: every parameter is frozen; see tune params")
	}
	return nil
}

func resume(cmd *cobra.Command, dir string, workers int, args []string, stdout, stderr io.Writer) error {
	var clash error
	cmd.Flags().Visit(func(f *flagT) {
		if f.Name != "resume" && f.Name != "workers" && f.Name != "help" && clash == nil {
			clash = fmt.Errorf("--%s cannot be changed when resuming: %s keeps what the run was asked", f.Name, filepath.Join(dir, "run.toml"))
		}
	})
	if clash != nil {
		return clash
	}
	if err := cli.CheckWorkers(workers); err != nil {
		return err
	}
	if dir == "" {
		return errors.New("--resume: want the folder of a run")
	}
	r, err := tuning.Resume(dir)
	if err != nil {
		return err
	}
	return execute(cmd.Context(), r, workers, args, stdout, stderr)
}

// execute plays a run to its end, reports and says what came out.
func execute(ctx context.Context, r *tuning.Run, workers int, args []string, stdout, stderr io.Writer) error {
	dir := r.Dir()
	again := cli.Resuming(ctx, "tune --resume "+cli.Quote(dir))
	fmt.Fprintf(stderr, "run directory: %s\n", dir)
	show := cli.NewProgress(stderr)
	started := time.Now()
	faults := 0
	res, err := r.Execute(ctx, tuning.Options{
		Workers: workers, Typed: cli.Typed(args), CPU: cli.ThisBuild().CPU,
		Progress: func(p tuning.Progress) { show.Show(p.Phase, p.Games, p.Planned, p.Replayed, p.Note) },
		Fault: func(g datasets.GameRow, detail string) {
			if faults++; faults <= 3 {
				fmt.Fprintf(stderr, "fault in trial %d, pair %d, game %d (%s): %s\n", g.Trial, g.Pair, g.Game, g.Reason, detail)
			}
		},
	})
	show.Close()
	if cli.Interrupted(err) {
		fmt.Fprintf(stderr, "interrupted; nothing is lost. Go on with:\n  %s\n", again)
		return err
	}
	if err != nil {
		return fmt.Errorf("%w\nWhat was played is kept; once the cause is mended: %s", err, again)
	}
	if err := tuning.WriteReport(dir); err != nil {
		return fmt.Errorf("%w\nThe run is complete; once the cause is mended: tune report %s", err, cli.Quote(dir))
	}
	outcome(stdout, r, res, time.Since(started))
	return nil
}

// outcome prints the result for people.
func outcome(out io.Writer, r *tuning.Run, res tuning.Result, elapsed time.Duration) {
	fmt.Fprintf(out, "\n%s, %s games in %.1f s\n\n", res.Game.Title, reports.Number(float64(res.Games), 0), elapsed.Seconds())
	t := cli.Table{{"parameter", "start", "tuned", "allowed"}}
	for _, name := range r.Spec.Active {
		i := res.Game.Space.Index(name)
		p := res.Game.Space[i]
		t = append(t, []string{p.Name, p.Format(res.Start[i]), p.Format(res.Best[i]), p.Range()})
	}
	t.Print(out, 1, 2)
	for _, w := range res.Warnings {
		fmt.Fprintf(out, "\nwarning: %s\n", strings.ReplaceAll(w, "`", ""))
	}
	fmt.Fprintf(out, "\nTuned against start, on fresh openings: %s\n", res.Verdict())
	fmt.Fprintf(out, "\nparameters  %s\nreport      %s\n", filepath.Join(res.Dir, tuning.TunedName), filepath.Join(res.Dir, "report.html"))
}
