package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Watch, if not nil, receives the progress of every run before it is shown, and the context that a
// signal ends. Tests stop the process there.
var Watch func(context.Context, runs.Progress)

// RunsFolder is where runs are made and looked for by default.
const RunsFolder = "runs"

// ServeRun serves pages that show a growing run, until ctx ends.
type ServeRun func(ctx context.Context, live *view.Live) (view.Pages, error)

// playing is the part of a command that plays a run of any kind.
type playing struct {
	Workers              int
	Affinity             bool // each worker on a processor of its own
	Resume               string
	Discard, JSON, Quiet bool
	Serve                bool // show the run in a browser during the games
	Cluster              Cluster
	GamesOut             string // file for the games, as they end
	LogEngines           bool   // keep the lines of engines of all games

	place          record.Place
	origin         record.Origin
	kind           runs.Kind
	flags          any // of Command.Flags; nil for none
	serveRun       ServeRun
	finished       bool // nothing is left to play of a run that is resumed; not looked for where it does not matter
	stdout, stderr io.Writer
	wait           func() // until the pages of Serve end; nil where there are none
}

// RunCommand returns the command that plays runs of a kind. args is the command line.
func RunCommand(kind runs.Kind, serve ServeRun, args []string, stdout, stderr io.Writer) *cobra.Command {
	cfg, c := kind.New(), kind.Command
	p := &playing{kind: kind, serveRun: serve, stdout: stdout, stderr: stderr}
	p.origin.CommandLine = CommandLine(args)
	words := kind.Words()
	cmd := &cobra.Command{
		Use: words[len(words)-1] + " " + c.Use, Short: kind.Short, Args: NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer p.stay()
			if path := cmd.CommandPath(); path != strings.Join(words, " ") { // a command built on this one
				p.origin.Resume = path + " --resume"
			}
			r, err := p.open(cmd, cfg)
			if err != nil {
				return err
			}
			return p.finish(cmd, r)
		},
	}
	cmd.Long, cmd.Example = SplitHelp(c.Help)
	kindFlags(cmd, kind, cfg)
	group(cmd.Flags(), "Settings")
	if c.Flags != nil {
		p.flags = c.Flags()
		Flags(cmd, p.flags)
	}
	group(cmd.Flags(), groupOutput)
	p.register(cmd)
	if c.Text != nil {
		for _, f := range config.Fields(p.flags) {
			cmd.MarkFlagsMutuallyExclusive("json", flagName(f.Name))
		}
	}
	return cmd
}

// OpenCommand makes cmd a command that creates a run, or continues the run in the folder of
// --out, and passes it to use.
func OpenCommand(cmd *cobra.Command, kind runs.Kind, cfg runs.Config, serve ServeRun, args []string, stderr io.Writer,
	use func(ctx context.Context, r *record.Run, o runs.Options) error) {
	p := &playing{kind: kind, serveRun: serve, stdout: io.Discard, stderr: stderr, Workers: 1}
	p.origin.CommandLine = CommandLine(args)
	cmd.Args, cmd.RunE = NoArgs, func(cmd *cobra.Command, _ []string) error {
		defer p.stay()
		p.origin.Resume = cmd.CommandPath() + " --out"
		r, err := p.openOut(cmd, cfg)
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "run directory: %s\n", r.Head.Dir)
		options, shown := Show(cmd.Context(), stderr, p.Workers, true)
		defer shown()
		ctx, over, err := p.serve(cmd.Context(), r.Head.Dir, &options)
		if err != nil {
			fmt.Fprintf(stderr, "no pages: %v\n", err) // the run does not need them
		}
		err = use(ctx, r, options)
		over(err)
		return err
	}
	kindFlags(cmd, kind, cfg)
	group(cmd.Flags(), "Settings")
	cmd.Flags().StringVar(&p.place.Dir, "out", "", "run directory `DIR` to create or continue (default: a new one in "+RunsFolder+")")
	cmd.Flags().BoolVar(&p.Serve, "serve", false, "show the run live in a browser; prints the address and serves it until Ctrl-C")
	group(cmd.Flags(), groupOutput)
}

// ResumeCommand returns the command that continues a run of a kind in the folder of its argument, with
// flags for the fields that extend such a run.
func ResumeCommand(kind runs.Kind, args []string, stdout, stderr io.Writer) *cobra.Command {
	p := &playing{kind: kind, stdout: stdout, stderr: stderr}
	p.origin.CommandLine = CommandLine(args)
	cmd := &cobra.Command{
		Use: "resume DIR", Args: OneRun,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			p.Resume = dirs[0]
			r, err := p.reopen(cmd)
			if err != nil {
				return err
			}
			return p.finish(cmd, r)
		},
	}
	for _, f := range p.extensions() {
		addFlag(cmd, f, kind.Help(f.Help))
	}
	p.registerWorkers(cmd)
	cmd.Flags().BoolVar(&p.JSON, "json", false, "print one JSON object")
	group(cmd.Flags(), groupOutput)
	return cmd
}

// ReportCommand returns the command that writes the report of a recorded run of some kinds.
func ReportCommand(kinds runs.Kinds, stdout io.Writer) *cobra.Command {
	var figures []string
	var card string
	cmd := &cobra.Command{
		Use: "report RUN", Short: "write the report of a recorded run", Args: OneRun,
		Long: "Report writes report.html, report.md and their figures into the folder of a run, from the\n" +
			"rows recorded there. It also works on unfinished runs. Figures are SVG; --figures png,pdf\n" +
			"also writes them for slides and papers. --card FILE.svg writes the result alone, as one\n" +
			"picture for a page or a chat.",
		RunE: func(cmd *cobra.Command, dirs []string) error {
			for i, format := range figures {
				if !slices.Contains(figure.Formats[1:], format) || slices.Contains(figures[:i], format) {
					return fmt.Errorf("--figures %s: want png, pdf or png,pdf (SVG is always written)", strings.Join(figures, ","))
				}
			}
			dir := filepath.Clean(dirs[0])
			open, err := kinds.Open(dir)
			if err != nil {
				return err
			}
			if card != "" {
				return writeCard(cmd.Context(), view.Of(open), card, stdout)
			}
			if err := view.Report(cmd.Context(), kinds, dir, figures...); err != nil {
				return err
			}
			fmt.Fprintln(stdout, filepath.Join(dir, "report.html"))
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&figures, "figures", nil, "also write each figure in these `FORMATS`: png, pdf")
	cmd.Flags().StringVar(&card, "card", "", "write only the result as a picture into this `FILE`: .svg, .png or .pdf")
	return cmd
}

// writeCard writes the head of a run as a picture, whose format is the file's extension.
func writeCard(ctx context.Context, open *view.View, file string, stdout io.Writer) error {
	format := strings.TrimPrefix(filepath.Ext(file), ".")
	if !slices.Contains(figure.Formats, format) {
		return fmt.Errorf("--card %s: want a file that ends in .%s", file, strings.Join(figure.Formats, ", ."))
	}
	if _, err := open.Result(ctx); err != nil {
		return err
	}
	verdict, err := open.Verdict()
	if err != nil {
		return err
	}
	data, err := figure.File(verdict.Card(), format)
	if err == nil {
		err = datasets.WriteFile(file, data)
	}
	if err == nil {
		fmt.Fprintln(stdout, file)
	}
	return err
}

// register adds the flags of all kinds.
func (p *playing) register(cmd *cobra.Command) {
	if p.kind.Command.Sequential {
		p.Workers = 1
		p.registerQuiet(cmd)
	} else {
		p.registerWorkers(cmd)
	}
	fl := cmd.Flags()
	fl.StringVar(&p.place.Dir, "out", "", "run directory `DIR` to create (default: a new one in "+RunsFolder+")")
	fl.StringVar(&p.place.Labels.Name, "name", "", "`NAME` of the run, shown by selfplay runs")
	fl.StringArrayVar(&p.place.Labels.Tags, "tag", nil, "`TAG` of the run, shown by selfplay runs (repeatable)")
	fl.BoolVar(&p.Discard, "discard", false, "record no games and write no report")
	fl.StringVar(&p.Resume, "resume", "", "continue the run in `DIR` with its settings"+p.extensionHelp())
	fl.BoolVar(&p.Serve, "serve", false, "show the run live in a browser; prints the address and serves it until Ctrl-C")
	fl.BoolVar(&p.JSON, "json", false, "print one JSON object")
	group(fl, groupOutput)
}

// extensionHelp lists, for help, the settings that a resumed run may be given.
func (p *playing) extensionHelp() string {
	text := ""
	for _, f := range p.extensions() {
		text += "; --" + flagName(f.Name) + " may be larger"
	}
	return text
}

// registerWorkers adds the flags of how a run is played.
func (p *playing) registerWorkers(cmd *cobra.Command) {
	cmd.Flags().IntVar(&p.Workers, "workers", runtime.NumCPU(),
		"games played in parallel; never changes the result (0 with --cluster: only other processes play)")
	cmd.Flags().BoolVar(&p.Affinity, "affinity", false,
		"bind each worker and its engines to a processor; never changes the result, may change times (Linux)")
	group(cmd.Flags(), groupWorkers)
	p.Cluster.Register(cmd.Flags())
	cmd.Flags().StringVar(&p.GamesOut, "games-out", "",
		"append every finished game to this `FILE`.pgn, .sgf or .psq (one file a game), in the order of the record; "+
			"a resumed run writes it again")
	cmd.Flags().BoolVar(&p.LogEngines, "log-engines", false,
		"keep the lines sent to and received from engines in every game, in engine-logs of the run; else only for games lost by a fault")
	p.registerQuiet(cmd)
}

// checkWorkers checks them before the run has a folder.
func (p *playing) checkWorkers(cmd *cobra.Command) error {
	if p.Affinity && p.Cluster.wanted(cmd.Flags()) {
		return errors.New("--affinity binds the workers of this process only; with --cluster start each worker under taskset or numactl")
	}
	if p.Affinity && runtime.GOOS != "linux" {
		return errors.New("--affinity: workers can be bound to processors on Linux only")
	}
	return p.Cluster.CheckWorkers(cmd, p.Workers)
}

func (p *playing) registerQuiet(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&p.Quiet, "quiet", "q", false, "show no progress on standard error")
}

// finish plays a run to its end and prints the result.
func (p *playing) finish(cmd *cobra.Command, r *record.Run) error {
	started, c := time.Now(), p.kind.Command
	p.before(r)
	ended, err := p.run(cmd, r)
	if !ended.result {
		return err
	}
	if err == nil && c.After != nil {
		line := ""
		if line, err = c.After(r.Result, p.flags); line != "" {
			fmt.Fprintln(p.stderr, line)
		}
	}
	if p.JSON {
		err = errors.Join(PrintJSON(p.stdout, r.Result.JSON), err)
	} else if done, failed := p.text(r, true); done {
		err = errors.Join(failed, err)
	} else {
		end := runs.Ended{Report: ended.report}
		if p.Resume == "" {
			end.Elapsed = time.Since(started)
		}
		err = errors.Join(r.Result.Text(p.stdout, end), err)
	}
	if err == nil && c.ExitCode != nil {
		if code := c.ExitCode(r.Result); code != 0 {
			return Exit(code)
		}
	}
	return err
}

// run plays a run to its end and writes its report. Where a player's faults ended
// the run, or its report could not be written, there is a result to print before
// the error is returned.
func (p *playing) run(cmd *cobra.Command, r *record.Run) (ended ended, err error) {
	dir, resume := r.Head.Dir, p.resumeText(r)
	if dir != "" && !p.Quiet {
		fmt.Fprintf(p.stderr, "run directory: %s\n", dir)
		if p.Resume == "" {
			fmt.Fprintf(p.stderr, "if it is interrupted, continue with: %s\n", resume)
		}
	}
	err = p.play(cmd, r)
	dir, resume = r.Head.Dir, p.resumeText(r) // of a folder that was renamed meanwhile
	fault, stopped := errors.AsType[*schedule.FaultError](err)
	switch {
	case Interrupted(err) && dir == "":
		fmt.Fprintln(p.stderr, "interrupted; nothing was kept (--discard)")
		return ended, err
	case Interrupted(err):
		fmt.Fprintf(p.stderr, "interrupted; nothing is lost%s. Continue with:\n  %s\n", held(r), resume)
		return ended, err
	case stopped:
		err = faultAdvice(fault, err, dir)
	case err != nil && dir != "":
		return ended, fmt.Errorf("%w\nThe record is kept; once the cause is fixed, continue with: %s", err, resume)
	case err != nil:
		return ended, err
	}
	ended.result = true
	if dir == "" {
		return ended, err
	}
	if reportErr := view.ReportPlayed(cmd.Context(), r.Reread); reportErr != nil {
		again := runs.CommandText("selfplay", "report", dir)
		if Interrupted(reportErr) {
			fmt.Fprintf(p.stderr, "interrupted; the run is complete, its report is not. Write it with:\n  %s\n", again)
		}
		return ended, errors.Join(err, fmt.Errorf("%w\nThe run is complete; once the cause is fixed: %s", reportErr, again))
	}
	ended.report = filepath.Join(dir, "report.html")
	return ended, err
}

// resumeText returns the command that continues a run.
func (p *playing) resumeText(r *record.Run) string {
	words := r.Head.Resume()
	if p.GamesOut != "" {
		words += " " + runs.CommandText("--games-out", p.GamesOut)
	}
	if p.LogEngines {
		words += " --log-engines"
	}
	return words
}

// ended describes a run that has ended.
type ended struct {
	result bool   // there is a result to print, whatever the error is
	report string // the file of the report; "" if there is none
}

// play plays a run, with pages and a cluster if flags start them.
func (p *playing) play(cmd *cobra.Command, r *record.Run) error {
	var co *coordinator // nil if nothing is to be played
	var err error
	switch wanted := p.Cluster.wanted(cmd.Flags()); {
	case wanted && r.Alone() != "":
		fmt.Fprintf(p.stderr, "note: %s by programs of this process: --cluster changes nothing\n", r.Alone())
	case !p.finished:
		co, err = p.Cluster.Open(cmd.Context(), cmd.Flags(), p.Workers, p.stderr)
	}
	if err != nil {
		return errors.Join(err, r.Abandon())
	}
	if cores, limit, ok := r.UsefulCores(); ok && co != nil && !p.Quiet {
		fmt.Fprintf(p.stderr, "keeps about %s busy: %s\n", text.Plural(int64(cores), "core"), limit)
	}
	options, shown := Show(cmd.Context(), p.stderr, p.Workers, p.Quiet)
	options.Affinity, options.Logs = p.Affinity, p.LogEngines
	options.Observe = func(f schedule.Finished) {
		if !f.Replayed {
			p.text(r, false) // a failed write is reported at the end
		}
	}
	var games *gamesOut
	if p.GamesOut != "" {
		if games, err = openGamesOut(p.GamesOut, r, p.kinds().Find); err != nil {
			return errors.Join(err, r.Abandon())
		}
		options.Pair = games.pair
	}
	ctx, over, err := p.serve(cmd.Context(), r.Head.Dir, &options)
	if err != nil {
		fmt.Fprintf(p.stderr, "no pages: %v\n", err) // the run does not need them
	}
	options = co.Pooled(options) // the pages show the workers, too
	err = r.Play(ctx, options)
	if Interrupted(err) {
		over(nil)
	} else {
		over(err)
	}
	shown()
	if games != nil {
		err = errors.Join(err, games.close())
	}
	return errors.Join(err, co.End(p.stderr, p.Quiet))
}

// before prints notes and warnings before the first game.
func (p *playing) before(r *record.Run) {
	if other := r.Head.OtherBuild(runs.ThisBuild()); other != "" && !p.finished {
		fmt.Fprintln(p.stderr, "warning: "+text.Clean(text.Unmarked(other)))
	}
	if rules := r.Config.Conditions(); rules.OpeningDuplicates > 0 {
		fmt.Fprintf(p.stderr, "warning: %s: %s\n", text.Clean(rules.Openings), rules.Holds())
	}
	if p.kind.Command.Before == nil {
		return
	}
	b := p.kind.Command.Before(r.Result)
	if p.Resume == "" && !p.Quiet {
		for _, note := range b.Notes {
			fmt.Fprintln(p.stderr, text.Clean(note))
		}
	}
	for _, warning := range b.Warnings {
		fmt.Fprintln(p.stderr, "warning: "+text.Clean(warning))
	}
}

// text prints the result in the form of a flag, if one is given.
func (p *playing) text(r *record.Run, end bool) (bool, error) {
	if p.kind.Command.Text == nil {
		return false, nil
	}
	return p.kind.Command.Text(p.stdout, r.Result, p.flags, end)
}

// held returns the number of games that a run has recorded, for people.
func held(r *record.Run) string {
	if p := r.Result.Progress("", [5]int{}); p.Unit != "" {
		return fmt.Sprintf(", %s %s recorded", text.Count(p.Games), p.Unit)
	}
	line := ", " + text.Plural(r.Recorded(), "game") + " recorded"
	if n := r.Pending(); n > 0 {
		line += ", " + text.Count(n) + " of unfinished trials kept"
	}
	return line
}

// serve serves pages that show a run, if --serve is given. They receive everything that the
// options receive, and may stop the run through the context returned.
func (p *playing) serve(ctx context.Context, dir string, o *runs.Options) (playing context.Context, over func(error), err error) {
	over = func(error) {}
	if !p.Serve || dir == "" {
		return ctx, over, nil
	}
	playing, stop := context.WithCancelCause(ctx)
	live := &view.Live{Dir: dir, Workers: o.Workers, Stop: func() { stop(ErrInterrupted) }}
	pages, err := p.serveRun(ctx, live)
	if err != nil {
		return ctx, over, err
	}
	watch, progress, fault, observe := live.Options(), o.Progress, o.Fault, o.Observe
	o.Progress = func(at runs.Progress) { progress(at); watch.Progress(at) }
	o.Fault = func(g datasets.GameRow, detail string) { fault(g, detail); watch.Fault(g, detail) }
	o.Observe = func(f schedule.Finished) { observe(f); watch.Observe(f) }
	o.Windows = watch.Windows
	p.wait = func() {
		fmt.Fprintf(p.stderr, "the pages stay until Ctrl-C: %s\n", pages.Address)
		if err := pages.Wait(); err != nil && ctx.Err() == nil {
			fmt.Fprintf(p.stderr, "the pages ended: %v\n", err)
		}
	}
	fmt.Fprintf(p.stderr, "look at it: %s\n", pages.Address)
	return playing, live.End, nil
}

// stay keeps the pages of --serve open until Ctrl-C; without it returns at once.
func (p *playing) stay() {
	if p.wait != nil {
		p.wait()
	}
}

// faultAdvice adds the command that shows the game that ended a run.
func faultAdvice(fault *schedule.FaultError, err error, dir string) error {
	if dir == "" {
		return fmt.Errorf("%w\n--fault-limit off plays on", err)
	}
	if fault.Game < 0 {
		return fmt.Errorf("%w\nTo find it: selfplay export %s --csv", err, runs.Quote(dir))
	}
	game := datasets.GameRow{Trial: fault.Trial, Pair: int32(fault.Pair), Game: int32(fault.Game)}
	return fmt.Errorf("%w%s\nTo see it again:\n  selfplay replay %s %s", err, datasets.LogNote(dir, dir, game), runs.Quote(dir), game.Name())
}

// Show returns options that play a run with some workers and show on stderr how
// far it has come, unless quiet, and the faults of players. shown must be called
// when the run has been played.
func Show(ctx context.Context, stderr io.Writer, workers int, quiet bool) (o runs.Options, shown func()) {
	show := NewProgress(stderr)
	if quiet {
		show = NewProgress(io.Discard)
	}
	faults, warned := 0, false
	o = runs.Options{
		Workers: workers,
		Progress: func(at runs.Progress) {
			if Watch != nil {
				Watch(ctx, at)
			}
			show.Unit, show.Workers = at.Unit, at.Workers
			show.Show(at.Phase, at.Games, at.Planned, at.Replayed, at.Note)
			if left := show.left(); left > longest && !warned {
				warned = true
				fmt.Fprintf(stderr, "warning: at this speed %s takes %s more; Ctrl-C stops it, and what is played is kept where the run is\n",
					at.Phase, text.Span(left))
			}
		},
		Fault: func(g datasets.GameRow, detail string) {
			if faults++; faults <= maxFaults {
				fmt.Fprintf(stderr, "fault in trial %d (%s), pair %d, game %d (%s): %s\n", g.Trial, text.Clean(g.Phase), g.Pair, g.Game, g.Reason,
					text.Clean(detail))
			}
		},
	}
	return o, func() {
		show.Close()
		if faults > maxFaults {
			fmt.Fprintf(stderr, "and %s; selfplay export --table games has all\n", text.Plural(faults-maxFaults, "more fault"))
		}
	}
}

// longest is the time in seconds, a month, beyond which a run was hardly meant so.
const longest = 30 * 24 * 3600

// maxFaults is the number of faults that are printed separately.
const maxFaults = 10
