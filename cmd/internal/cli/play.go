package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/cmd/internal/web"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/gamestats"
)

// Watch, if not nil, sees the progress of every run before it is shown: tests stop
// the process there.
var Watch func(runs.Progress)

// RunsFolder is where runs are made and looked for by default.
const RunsFolder = "runs"

// Play is the part of a command that plays a run of any kind.
type Play struct {
	Workers              int
	Out, Resume          string
	Discard, JSON, Quiet bool
	Serve                bool            // show the run in a browser while it is played
	Labels               datasets.Labels // what people call the run
	Cluster              Cluster
	// Keep are more flags that may be given when resuming.
	Keep []string
	// Extend, if not nil, changes what the run to resume was asked, so that it goes on
	// for longer; see run.Extend.
	Extend func(runs.Spec, runs.Result) (bool, error)
	// What names the run's folder, after the game; the kind if nil.
	What func() string

	kind           string
	args           []string // as typed
	Stdout, Stderr io.Writer

	pages func() // ends the pages of Serve, and waits; nil where there are none
}

// NewPlay returns the part for a command that plays runs of a kind; args are what
// was typed.
func NewPlay(kind string, args []string, stdout, stderr io.Writer) *Play {
	return &Play{kind: kind, args: args, Stdout: stdout, Stderr: stderr}
}

// Register adds the flags.
func (p *Play) Register(cmd *cobra.Command) {
	p.RegisterWorkers(cmd)
	p.registerKept(cmd)
}

// RegisterAlone adds the flags of a kind that does one thing at a time.
func (p *Play) RegisterAlone(cmd *cobra.Command) {
	p.Workers = 1
	p.registerQuiet(cmd)
	p.registerKept(cmd)
}

func (p *Play) registerKept(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&p.Out, "out", "", "run directory to create (default: runs/TIME-GAME-"+p.kind+")")
	fl.StringVar(&p.Labels.Name, "name", "", "`NAME` of the run, shown by selfplay runs")
	fl.StringArrayVar(&p.Labels.Tags, "tag", nil, "`TAG` of the run, shown by selfplay runs (repeatable)")
	fl.BoolVar(&p.Discard, "discard", false, "record no games and write no report")
	fl.StringVar(&p.Resume, "resume", "", "continue the "+p.kind+" in `DIR`")
	fl.BoolVar(&p.Serve, "serve", false, "show the run live in a browser; prints the address and serves it until Ctrl-C")
	fl.BoolVar(&p.JSON, "json", false, "print one JSON object")
}

// RegisterWorkers adds the flags of how a run is played.
func (p *Play) RegisterWorkers(cmd *cobra.Command) {
	cmd.Flags().IntVar(&p.Workers, "workers", runtime.NumCPU(), "games played in parallel; never changes the result (0 with --cluster: only other processes play)")
	p.Cluster.Register(cmd.Flags())
	p.registerQuiet(cmd)
}

func (p *Play) registerQuiet(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&p.Quiet, "quiet", "q", false, "show no progress on standard error")
}

// noun is what people call a run of the kind.
func (p *Play) noun() string {
	if p.kind == "tune" {
		return "run"
	}
	return p.kind
}

// Origin is how the run was asked for.
func (p *Play) Origin() runs.Origin { return runs.Origin{CommandLine: CommandLine(p.args)} }

// Open makes the run that is asked for, or opens the one to resume.
func (p *Play) Open(cmd *cobra.Command, asked runs.Config) (*runs.Run, error) {
	if err := p.Cluster.CheckWorkers(cmd.Flags(), p.Workers); err != nil {
		return nil, err
	}
	changed := cmd.Flags().Changed
	if changed("resume") {
		return p.Reopen(cmd)
	}
	switch {
	case p.Discard && p.Out != "":
		return nil, errors.New("--discard keeps no games, so --out has nothing to hold; want one of the two")
	case p.Discard && changed("record-moves"):
		return nil, errors.New("--discard keeps no games, so --record-moves has nothing to write to; want one of the two")
	case p.Discard && p.Serve:
		return nil, errors.New("--discard keeps no games, so --serve has nothing to show; want one of the two")
	case p.Discard && (changed("name") || changed("tag")):
		return nil, errors.New("--discard keeps nothing that could have a --name or --tag; want one of the two")
	case changed("out") && p.Out == "":
		return nil, errors.New("--out: want a folder to make")
	}
	if err := p.Labels.Check(); err != nil {
		return nil, fmt.Errorf("--name, --tag: %w", err)
	}
	plan, err := asked.Plan()
	if err != nil {
		return nil, Flagged(err)
	}
	if err := plan.Seat(cmd.Context(), p.tell); err != nil {
		return nil, SeatAdvice(plan.Variant.Game.Name, err)
	}
	what := p.kind
	if p.What != nil {
		what = p.What()
	}
	var r *runs.Run
	switch {
	case p.Discard:
		return runs.New(plan, p.Origin())
	case p.Out != "":
		r, err = runs.Create(p.Out, plan, p.Origin())
	default:
		r, err = runs.CreateIn(RunsFolder, plan, what, p.Origin())
	}
	if err != nil {
		return nil, err
	}
	return r, p.label(r.Head.Dir)
}

// label gives a run the name and the tags asked for, beside those it has.
func (p *Play) label(dir string) error {
	if p.Labels.Name == "" && len(p.Labels.Tags) == 0 {
		return nil
	}
	l, err := datasets.LabelsOf(dir)
	if err != nil {
		return err
	}
	l.Name, l.Tags = cmp.Or(p.Labels.Name, l.Name), append(l.Tags, p.Labels.Tags...)
	return datasets.SetLabels(dir, l)
}

// tell says on stderr what happens before anything is played.
func (p *Play) tell(text string) { fmt.Fprintln(p.Stderr, text) }

// SeatAdvice says how to look closer at a program that cannot sit down.
func SeatAdvice(game string, err error) error {
	seat, is := errors.AsType[*runs.SeatError](err)
	if !is {
		return err
	}
	return fmt.Errorf("%w\nTo see what it is and what to mend:\n  selfplay engine check --game %s %s", err, game, runs.Quote(seat.Player.Engine.File))
}

// Reopen opens the run to resume, which keeps what it was asked.
func (p *Play) Reopen(cmd *cobra.Command) (*runs.Run, error) {
	if err := p.Cluster.CheckWorkers(cmd.Flags(), p.Workers); err != nil {
		return nil, err
	}
	var clash error
	keep := slices.Concat([]string{"resume", "workers", "json", "quiet", "serve", "help", "name", "tag"}, clusterFlags, p.Keep)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(keep, f.Name) && clash == nil {
			clash = fmt.Errorf("--%s cannot be changed when resuming: %s keeps what the %s was asked", f.Name, filepath.Join(p.Resume, "run.toml"), p.noun())
		}
	})
	if clash != nil {
		return nil, clash
	}
	if p.Resume == "" {
		return nil, fmt.Errorf("--resume: want the folder of a %s", p.noun())
	}
	log, err := datasets.Read(p.Resume)
	if err != nil {
		return nil, err
	}
	if log.Meta.Kind != p.kind {
		return nil, fmt.Errorf("%s: is a run of %q, not of %s", p.Resume, log.Meta.Kind, p.kind)
	}
	if err := p.label(p.Resume); err != nil {
		return nil, fmt.Errorf("--name, --tag: %w", err)
	}
	if p.Extend == nil {
		return kinds.Resume(p.Resume, p.Origin())
	}
	r, err := kinds.Extend(p.Resume, p.Origin(), p.Extend)
	return r, Flagged(err)
}

// Ended says what a run left to print.
type Ended struct {
	Result bool   // there is a result to print, whatever the error is
	Report string // the file of the report; "" if there is none
}

// Run plays a run to its end and writes its report. Where a player's faults ended
// the run, or its report could not be written, there is a result to print before
// the error is returned.
func (p *Play) Run(cmd *cobra.Command, r *runs.Run) (ended Ended, err error) {
	dir := r.Head.Dir
	if dir != "" && !p.Quiet {
		fmt.Fprintf(p.Stderr, "run directory: %s\n", dir)
	}
	err = p.play(cmd, r)
	fault, stopped := errors.AsType[*schedule.FaultError](err)
	switch {
	case Interrupted(err) && dir == "":
		fmt.Fprintln(p.Stderr, "interrupted; nothing was kept (--discard)")
		return ended, err
	case Interrupted(err):
		fmt.Fprintf(p.Stderr, "interrupted; nothing is lost%s. Go on with:\n  %s\n", held(r), p.resuming(dir))
		return ended, err
	case stopped:
		err = faultAdvice(fault, err, dir)
	case err != nil && dir != "":
		return ended, fmt.Errorf("%w\nWhat was played is kept; once the cause is mended: %s", err, p.resuming(dir))
	case err != nil:
		return ended, err
	}
	ended.Result = true
	if dir == "" {
		return ended, err
	}
	if reportErr := kinds.Report(cmd.Context(), dir); reportErr != nil {
		if Interrupted(reportErr) {
			fmt.Fprintf(p.Stderr, "interrupted; the %s is complete, its report is not. Write it with:\n  selfplay report %s\n", p.noun(), runs.Quote(dir))
		}
		return ended, errors.Join(err, fmt.Errorf("%w\nThe %s is complete; once the cause is mended: selfplay report %s", reportErr, p.noun(), runs.Quote(dir)))
	}
	ended.Report = filepath.Join(dir, "report.html")
	return ended, err
}

// held says how many games a run has kept; "" for one that keeps something else.
func held(r *runs.Run) string {
	if _, own := r.Result.(runs.Keeper); own {
		return ""
	}
	text := ", " + gamestats.Plural(r.Recorded(), "game") + " recorded"
	if n := r.Pending(); n > 0 {
		text += ", " + gamestats.Count(n) + " of unfinished trials kept"
	}
	return text
}

// serve opens pages that show a run in a folder, if that is asked for. They see
// what the options are told, and may stop the run through the context returned.
func (p *Play) serve(ctx context.Context, dir string, o *runs.Options) (playing context.Context, over func(error), err error) {
	if !p.Serve || dir == "" {
		return ctx, func(error) {}, nil
	}
	s, err := web.New(web.Options{Root: filepath.Dir(dir), Workers: o.Workers})
	if err != nil {
		return ctx, nil, err
	}
	playing, stop := context.WithCancelCause(ctx)
	live := &runs.Live{Dir: dir, Workers: o.Workers, Stop: func() { stop(ErrInterrupted) }}
	s.Watch(live)
	watch := live.Options()
	progress := o.Progress
	o.Progress = func(at runs.Progress) { progress(at); watch.Progress(at) }
	fault := o.Fault
	o.Fault = func(g datasets.GameRow, detail string) { fault(g, detail); watch.Fault(g, detail) }
	o.Observe, o.Window = watch.Observe, watch.Window
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	p.pages = func() {
		fmt.Fprintf(p.Stderr, "the pages stay until Ctrl-C: %s\n", s.PageOf(dir))
		if err := <-ended; err != nil && ctx.Err() == nil {
			fmt.Fprintf(p.Stderr, "the pages ended: %v\n", err)
		}
	}
	fmt.Fprintf(p.Stderr, "look at it: %s\n", s.PageOf(dir))
	return playing, live.End, nil
}

// Stay keeps the pages of --serve open until Ctrl-C; without it returns at once.
func (p *Play) Stay() {
	if p.pages != nil {
		p.pages()
	}
}

// play plays a run, with pages and with other processes where that is asked for.
func (p *Play) play(cmd *cobra.Command, r *runs.Run) error {
	co, err := p.Cluster.Open(cmd.Context(), cmd.Flags(), p.Workers, p.Stderr)
	if err != nil {
		return errors.Join(err, r.Abandon())
	}
	if cores, limit, ok := r.UsefulCores(); ok && co != nil && !p.Quiet {
		fmt.Fprintf(p.Stderr, "keeps about %s busy: %s\n", gamestats.Plural(int64(cores), "core"), limit)
	}
	options, shown := Show(p.Stderr, p.Workers, p.Quiet)
	ctx, over, err := p.serve(cmd.Context(), r.Head.Dir, &options)
	if err != nil {
		fmt.Fprintf(p.Stderr, "no pages: %v\n", err) // the run does not need them
		over = func(error) {}
	}
	options = co.Pooled(options) // the pages are told who plays, too
	err = r.Play(ctx, options)
	if Interrupted(err) {
		over(nil)
	} else {
		over(err)
	}
	shown()
	return errors.Join(err, co.End(p.Stderr, p.Quiet))
}

// Show returns options that play a run with some workers and show on stderr how
// far it has come, unless quiet, and the faults of players. shown must be called
// when the run has been played.
func Show(stderr io.Writer, workers int, quiet bool) (o runs.Options, shown func()) {
	show := NewProgress(stderr)
	if quiet {
		show = NewProgress(io.Discard)
	}
	faults, warned := 0, false
	o = runs.Options{
		Workers: workers,
		Progress: func(at runs.Progress) {
			if Watch != nil {
				Watch(at)
			}
			show.Unit = at.Unit
			show.Show(at.Phase, at.Games, at.Planned, at.Replayed, at.Note)
			if left := show.left(); left > longest && !warned {
				warned = true
				fmt.Fprintf(stderr, "warning: at this speed %s takes %s more; Ctrl-C stops it, and what is played is kept where the run is\n", at.Phase, Span(left))
			}
		},
		Fault: func(g datasets.GameRow, detail string) {
			if faults++; faults <= maxFaults {
				fmt.Fprintf(stderr, "fault in trial %d (%s), pair %d, game %d (%s): %s\n", g.Trial, Clean(g.Phase), g.Pair, g.Game, g.Reason, Clean(detail))
			}
		},
	}
	return o, func() {
		show.Close()
		if faults > maxFaults {
			fmt.Fprintf(stderr, "and %d faults more; selfplay export --table games has all\n", faults-maxFaults)
		}
	}
}

// longest is the time in seconds, a month, beyond which a run was hardly meant so.
const longest = 30 * 24 * 3600

// mostFaults is how many faults are told one by one.
const maxFaults = 10

// resuming is the command that goes on with a run.
func (p *Play) resuming(dir string) string {
	if p.kind == "tune" {
		return "tune --resume " + runs.Quote(dir)
	}
	return "selfplay " + p.kind + " --resume " + runs.Quote(dir)
}

// faultAdvice says how to look at the game that ended a run.
func faultAdvice(fault *schedule.FaultError, err error, dir string) error {
	if dir == "" {
		return fmt.Errorf("%w\n--fault-limit off plays on", err)
	}
	if fault.Game < 0 {
		return fmt.Errorf("%w\nTo find it: selfplay export %s --csv", err, runs.Quote(dir))
	}
	return fmt.Errorf("%w\nTo see it again:\n  selfplay replay %s %d:%d:%d", err, runs.Quote(dir), fault.Trial, fault.Pair, fault.Game)
}

// Clean makes a text from outside safe to print on a terminal: control characters
// are shown as their code.
func Clean(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || r == '\t' || r >= ' ' && r != 0x7f && !(r >= 0x80 && r < 0xa0) && !(r >= 0x202a && r <= 0x202e) && !(r >= 0x2066 && r <= 0x2069) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "\\u%04x", r)
	}
	return b.String()
}
