package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/view"
	"selfplaylab/reports/text"
)

// openOut continues the run in the folder of --out, or creates it. Other flags must then
// describe the same run.
func (p *playing) openOut(cmd *cobra.Command, cfg runs.Config) (*record.Run, error) {
	dir := p.place.Dir
	log, err := datasets.Read(dir)
	if dir == "" || err != nil {
		return p.open(cmd, cfg)
	}
	same := true
	cmd.Flags().Visit(func(f *pflag.Flag) { same = same && (f.Name == "out" || f.Name == "serve") })
	if !same {
		plan, err := cfg.Plan()
		if err != nil {
			return nil, Flagged(err)
		}
		r, err := record.New(plan, p.origin)
		if err != nil {
			return nil, err
		}
		begun, err := runs.OpenLog(log, p.kinds().Find)
		if err != nil {
			return nil, err
		}
		// Both in the words of this program: another may have recorded the run in other ones.
		if before, now := runs.CommandLine(begun.Head, begun.Config), runs.CommandLine(r.Head, r.Config); now != before {
			return nil, fmt.Errorf("--out %s holds another run:\n  %s\nnot\n  %s\nTo continue that run, leave out the other flags", dir, before, now)
		}
		if !reflect.DeepEqual(begun.Head.Variant.Game.Space, r.Head.Variant.Game.Space) {
			return nil, fmt.Errorf("--out %s holds a run with other parameters than the file has now: put the file back as it was; or, to "+
				"continue that run with those it began with, leave out the other flags", dir)
		}
	}
	return record.Extend(dir, p.kinds().Find, p.origin, nil)
}

// checkDiscard reports flags that have no use where nothing is kept.
func (p *playing) checkDiscard(changed func(string) bool) error {
	switch {
	case !p.Discard:
		return nil
	case p.place.Dir != "":
		return errors.New("--discard keeps no games, so --out has nothing to hold; want one of the two")
	case changed("record-moves"):
		return errors.New("--discard keeps no games, so --record-moves has nothing to write to; want one of the two")
	case p.LogEngines:
		return errors.New("--discard keeps no run, so --log-engines has no folder to write to; want one of the two")
	case p.Serve:
		return errors.New("--discard keeps no games, so --serve has nothing to show; want one of the two")
	case changed("name") || changed("tag"):
		return errors.New("--discard keeps nothing that could have a --name or --tag; want one of the two")
	}
	return nil
}

// open creates the run that the flags describe, or opens the run to resume.
func (p *playing) open(cmd *cobra.Command, cfg runs.Config) (*record.Run, error) {
	changed := cmd.Flags().Changed
	if changed("resume") {
		return p.reopen(cmd)
	}
	if err := p.checkWorkers(cmd); err != nil {
		return nil, err
	}
	if err := p.checkDiscard(changed); err != nil {
		return nil, err
	}
	if changed("out") && p.place.Dir == "" {
		return nil, errors.New("--out: want a folder to make")
	}
	if err := datasets.CheckFree(p.place.Dir); err != nil { // before programs are started
		return nil, err
	}
	if err := p.place.Labels.Check(); err != nil {
		return nil, fmt.Errorf("--name, --tag: %w", err)
	}
	if check := p.kind.Command.Check; check != nil {
		if err := check(cfg, nil, p.flags, p.Discard); err != nil {
			return nil, err
		}
	}
	plan, err := runs.SeatedPlan(cmd.Context(), cfg, func(line string) { fmt.Fprintln(p.stderr, line) })
	if err != nil {
		return nil, planError(err)
	}
	timed := func(c player.Config) bool { return c.Limits.Timed() }
	if n := runtime.NumCPU(); p.Workers > n && slices.ContainsFunc(plan.Players, timed) {
		fmt.Fprintf(p.stderr, "warning: --workers %d on %s with a time limit: games share processors, and players lose time by it\n",
			p.Workers, text.Plural(n, "processor"))
	}
	if err := checkGamesOut(p.GamesOut, plan.Variant.Game.Name, false); err != nil {
		return nil, err
	}
	if !p.Discard {
		p.place.Root = RunsFolder
	}
	return record.Make(plan, p.place, p.origin)
}

// planError returns an error of a plan in the words of the command line. An error of a program
// names the command that checks the program.
func planError(err error) error {
	seat, ok := errors.AsType[*runs.SeatError](err)
	if !ok {
		return Flagged(err)
	}
	return fmt.Errorf("%w\nTo see its capabilities and what to fix:\n  selfplay engine check --game %s %s", err, seat.Game,
		runs.Quote(seat.Player.Engine.File))
}

// reopen opens the run to resume, which keeps its settings.
func (p *playing) reopen(cmd *cobra.Command) (*record.Run, error) {
	if err := p.checkWorkers(cmd); err != nil {
		return nil, err
	}
	if err := p.checkKept(cmd.Flags()); err != nil {
		return nil, err
	}
	if p.Resume == "" {
		return nil, errors.New("--resume: want the folder of a run")
	}
	log, err := datasets.Read(p.Resume)
	if err != nil {
		return nil, err
	}
	recorded, err := runs.OpenLog(log, p.kinds().Find)
	if err != nil {
		return nil, err
	}
	if check := p.kind.Command.Check; check != nil {
		if err := check(nil, recorded.Config, p.flags, false); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Resume, err)
		}
	}
	if err := checkGamesOut(p.GamesOut, log.Meta.Game, true); err != nil {
		return nil, err
	}
	if err := record.Label(p.Resume, p.place.Labels); err != nil {
		return nil, fmt.Errorf("--name, --tag: %w", err)
	}
	change, err := p.extension(cmd.Flags())
	if err != nil {
		return nil, err
	}
	if change == nil && (p.Cluster.wanted(cmd.Flags()) || recorded.Head.OtherBuild(runs.ThisBuild()) != "") { // or it does not matter
		summary, _ := view.Look(p.Resume, p.kinds())
		p.finished = summary.Finished
	}
	r, err := record.Extend(p.Resume, p.kinds().Find, p.origin, change)
	return r, Flagged(err)
}

// kinds returns the command's kind alone: it resumes no other.
func (p *playing) kinds() runs.Kinds { return runs.Kinds{p.kind} }

// checkKept reports a flag that cannot be given when resuming.
func (p *playing) checkKept(fl *pflag.FlagSet) error {
	may := slices.Concat([]string{"resume", "workers", "affinity", "json", "quiet", "serve", "help", "name", "tag", "games-out", "log-engines"}, clusterAsking, clusterOnly)
	for _, f := range p.extensions() {
		may = append(may, text.Each(append(f.Aliases, f.Name), flagName)...)
	}
	if p.flags != nil {
		for _, f := range config.Fields(p.flags) {
			may = append(may, flagName(f.Name))
		}
	}
	var clash error
	fl.Visit(func(f *pflag.Flag) {
		if !slices.Contains(may, f.Name) && clash == nil {
			clash = fmt.Errorf("--%s cannot be changed when resuming: the run keeps the settings in %s", f.Name, filepath.Join(p.Resume, "run.toml"))
		}
	})
	return clash
}

// extension returns the change of a resumed run by the flags; nil for none.
func (p *playing) extension(fl *pflag.FlagSet) (func(runs.Config, runs.Result) (bool, error), error) {
	for _, field := range p.extensions() {
		for _, name := range append(field.Aliases, field.Name) {
			if f := fl.Lookup(flagName(name)); f != nil && f.Changed {
				return p.kind.Command.Extension(field)(f.Value.String())
			}
		}
	}
	return nil, nil
}

// extensions lists the fields that extend a resumed run.
func (p *playing) extensions() []config.Field {
	return slices.DeleteFunc(config.Fields(p.kind.New()), func(f config.Field) bool { return p.kind.Command.Extension(f) == nil })
}
