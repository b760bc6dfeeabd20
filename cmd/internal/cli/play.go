package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/datasets"
	"selfplaylab/engines/campaign"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/run"
)

// RunsFolder is where runs are made and looked for by default.
const RunsFolder = "runs"

// Play is the part of a command that plays a run of any kind.
type Play struct {
	Workers              int
	Out, Resume          string
	Discard, JSON, Quiet bool
	// Keep are more flags that may be given when resuming.
	Keep []string
	// What names the run's folder, after the game; the kind if nil.
	What func() string
	// Progress, if not nil, sees all progress before it is shown: where tests stop
	// a run.
	Progress func(run.Progress)

	kind           string
	args           []string // as typed
	Stdout, Stderr io.Writer
}

// NewPlay returns the part for a command that plays runs of a kind; args are what
// was typed.
func NewPlay(kind string, args []string, stdout, stderr io.Writer) *Play {
	return &Play{kind: kind, args: args, Stdout: stdout, Stderr: stderr}
}

// Register adds the flags.
func (p *Play) Register(cmd *cobra.Command) {
	fl := cmd.Flags()
	p.RegisterWorkers(cmd)
	fl.StringVar(&p.Out, "out", "", "run directory to make (default: runs/TIME-GAME-"+p.kind+")")
	fl.BoolVar(&p.Discard, "discard", false, "keep no games and write no report")
	fl.StringVar(&p.Resume, "resume", "", "go on with the "+p.kind+" in `DIR`")
	fl.BoolVar(&p.JSON, "json", false, "print one JSON object")
}

// RegisterWorkers adds the flags of how a run is played.
func (p *Play) RegisterWorkers(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.IntVar(&p.Workers, "workers", runtime.NumCPU(), "games played at the same time; never changes the result")
	fl.BoolVarP(&p.Quiet, "quiet", "q", false, "show no progress on standard error")
}

// Origin is how the run was asked for.
func (p *Play) Origin() run.Origin { return run.Origin{Typed: Typed(p.args)} }

// Open makes the run that is asked for, or opens the one to resume.
func (p *Play) Open(cmd *cobra.Command, asked run.Asked) (*run.Run, error) {
	if err := CheckWorkers(p.Workers); err != nil {
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
	case changed("out") && p.Out == "":
		return nil, errors.New("--out: want a folder to make")
	}
	plan, err := asked.Plan()
	if err != nil {
		return nil, Flagged(err)
	}
	what := p.kind
	if p.What != nil {
		what = p.What()
	}
	switch {
	case p.Discard:
		return run.New(plan, p.Origin())
	case p.Out != "":
		return run.Create(p.Out, plan, p.Origin())
	}
	return run.CreateIn(RunsFolder, plan, what, p.Origin())
}

// Reopen opens the run to resume, which keeps what it was asked.
func (p *Play) Reopen(cmd *cobra.Command) (*run.Run, error) {
	if err := CheckWorkers(p.Workers); err != nil {
		return nil, err
	}
	var clash error
	keep := append([]string{"resume", "workers", "json", "quiet", "help"}, p.Keep...)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(keep, f.Name) && clash == nil {
			clash = fmt.Errorf("--%s cannot be changed when resuming: %s keeps what the run was asked", f.Name, filepath.Join(p.Resume, "run.toml"))
		}
	})
	if clash != nil {
		return nil, clash
	}
	if p.Resume == "" {
		return nil, fmt.Errorf("--resume: want the folder of a %s", p.kind)
	}
	log, err := datasets.Read(p.Resume)
	if err != nil {
		return nil, err
	}
	if log.Meta.Kind != p.kind {
		return nil, fmt.Errorf("%s: is a run of %q, not of %s", p.Resume, log.Meta.Kind, p.kind)
	}
	return runs.Resume(p.Resume, p.Origin())
}

// Run plays a run to its end and writes its report. report is the file, "" if
// nothing is kept. Where a player's faults ended the run the result is whole up
// to there, and the error is a *campaign.FaultError to return after printing it.
func (p *Play) Run(cmd *cobra.Command, r *run.Run) (report string, err error) {
	dir := r.Head.Dir
	show := NewProgress(p.Stderr)
	if p.Quiet {
		show = NewProgress(io.Discard)
	}
	if dir != "" && !p.Quiet {
		fmt.Fprintf(p.Stderr, "run directory: %s\n", dir)
	}
	faults := 0
	err = r.Play(cmd.Context(), run.Options{
		Workers: p.Workers,
		Progress: func(at run.Progress) {
			if p.Progress != nil {
				p.Progress(at)
			}
			show.Show(at.Phase, at.Games, at.Planned, at.Replayed, at.Note)
		},
		Fault: func(g datasets.GameRow, detail string) {
			if faults++; faults <= mostFaults {
				fmt.Fprintf(p.Stderr, "fault in trial %d (%s), pair %d, game %d (%s): %s\n", g.Trial, Clean(g.Phase), g.Pair, g.Game, g.Reason, Clean(detail))
			}
		},
	})
	show.Close()
	if faults > mostFaults {
		fmt.Fprintf(p.Stderr, "and %d faults more; selfplay export --table games has all\n", faults-mostFaults)
	}
	fault, stopped := errors.AsType[*campaign.FaultError](err)
	switch {
	case Interrupted(err) && dir == "":
		fmt.Fprintln(p.Stderr, "interrupted; nothing was kept (--discard)")
		return "", err
	case Interrupted(err):
		fmt.Fprintf(p.Stderr, "interrupted; nothing is lost. Go on with:\n  %s\n", p.resuming(dir))
		return "", err
	case stopped:
		err = faultAdvice(fault, err, dir)
	case err != nil && dir != "":
		return "", fmt.Errorf("%w\nWhat was played is kept; once the cause is mended: %s", err, p.resuming(dir))
	case err != nil:
		return "", err
	}
	if dir == "" {
		return "", err
	}
	if reportErr := runs.Report(dir); reportErr != nil {
		return "", errors.Join(err, fmt.Errorf("%w\nThe run is complete; once the cause is mended: selfplay report %s", reportErr, run.Quote(dir)))
	}
	return filepath.Join(dir, "report.html"), err
}

// mostFaults is how many faults are told one by one.
const mostFaults = 10

// resuming is the command that goes on with a run.
func (p *Play) resuming(dir string) string {
	if p.kind == "tune" {
		return "tune --resume " + run.Quote(dir)
	}
	return "selfplay " + p.kind + " --resume " + run.Quote(dir)
}

// faultAdvice says how to look at the game that ended a run.
func faultAdvice(fault *campaign.FaultError, err error, dir string) error {
	if dir == "" {
		return fmt.Errorf("%w\n--fault-limit off plays on", err)
	}
	if fault.Game < 0 {
		return fmt.Errorf("%w\nTo find it: selfplay export %s --csv", err, run.Quote(dir))
	}
	return fmt.Errorf("%w\nTo see it again:\n  selfplay replay %s %d:%d:%d", err, run.Quote(dir), fault.Trial, fault.Pair, fault.Game)
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
