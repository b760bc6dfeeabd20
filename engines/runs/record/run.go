// Package record makes runs and plays them: New without a directory, Create with one, Make at a
// Place, and Resume and Extend of a recorded run. A stopped run continues by replay of its rows.
//
// Read place.go and run.go first, then writer.go, which writes trials and the finished pairs of
// unfinished trials. pace.go and speed.go estimate the duration of a run before it is made.
package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
)

// showEvery is the interval of progress reports while no trial ends.
const showEvery = 200 * time.Millisecond

// Run is a run that is to be played or gone on with. Play it once.
type Run struct {
	Head   *runs.Head
	Config runs.Config
	Result runs.Result

	setup    runs.Setup
	common   play.Setup // of all games
	writer   *writer    // nil if nothing is kept
	replayed iter.Seq2[schedule.Finished, error]
	typed    string
	played   bool  // by Play, to the end or not
	trials   int64 // trials that Result has
	games    int64 // of them

	// Unfinished trials have these first pairs (of the oldest) and games (of all).
	partial [5]int
	arrived int64
	shown   time.Time
}

// Origin describes how a run was started.
type Origin struct {
	CommandLine string    // the command line as typed; "" for none
	Resume      string    // as in datasets.Meta
	Created     time.Time // time of the command; the zero time is now
	ReadOnly    bool      // of a recorded run nothing more is kept: its directory is only read, and may be in use
}

// New returns a run that keeps nothing.
func New(p *runs.Plan, from Origin) (*Run, error) {
	if p == nil || p.Config == nil {
		return nil, errors.New("no plan of a run: want what the Plan of a Config returns")
	}
	if err := p.Seated(); err != nil {
		return nil, err
	}
	r := &Run{Config: p.Config, typed: from.CommandLine}
	var err error
	if r.setup, err = p.Config.Setup(); err != nil {
		return nil, err
	}
	build, rules := runs.ThisBuild(), p.Config.Conditions()
	r.Head = &runs.Head{Kind: p.Kind, Variant: p.Variant, Meta: datasets.Meta{
		Kind: p.Kind.Name, Game: p.Variant.Game.ID(), GameVersion: p.Variant.Game.Version, Rules: p.Variant.Rules, Seed: rules.Seed,
		Limits: p.Config.Budgets(), Revision: build.Revision, Program: build.Program, Go: build.Go,
		CommandLine: from.CommandLine, Resume: from.Resume, Created: cmp.Or(from.Created, time.Now()).UTC().Truncate(time.Second),
		Parameters: p.Variant.Game.Space.Names(), RecordMoves: datasets.RecordMoves(rules.RecordMoves),
	}}
	r.Head.Meta.Command = runs.CanonicalCommand(r.Head, p.Config, r.setup)
	r.common = rules.PlaySetup(p.Variant, p.Book)
	r.Result, err = p.Config.NewResult(r.Head)
	return r, err
}

// Create is New with a run directory.
func Create(dir string, p *runs.Plan, from Origin) (*Run, error) {
	r, err := New(p, from)
	if err != nil {
		return nil, err
	}
	w, err := datasets.Create(dir, r.Head.Meta, p.Config)
	if err != nil {
		return nil, err
	}
	r.Head.Dir, r.writer = dir, &writer{Writer: w, saved: time.Now()}
	if err := p.Book.Keep(dir); err != nil {
		return nil, errors.Join(err, r.writer.Close())
	}
	return r, nil
}

// Resume opens a recorded run to continue it. Everything is read and checked before the run is
// locked.
func Resume(dir string, find func(name string) (runs.Kind, error), from Origin) (*Run, error) {
	return Extend(dir, find, from, nil)
}

// Extend is Resume of a run with a larger budget. change may edit its spec, given the Result so
// far, and reports whether it did. The recorded trials must be the first trials of the changed spec
// too. The run's canonical command becomes the command of the changed spec; see
// datasets.Writer.Extend. A nil change changes nothing.
func Extend(dir string, find func(name string) (runs.Kind, error), from Origin,
	change func(runs.Config, runs.Result) (bool, error)) (*Run, error) {
	rec, err := runs.Open(dir, find)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(rec.Playable(), runs.Verify(rec.Head.Variant)); err != nil {
		return nil, err
	}
	longer := false
	if change != nil {
		result, err := rec.Result()
		if err != nil {
			return nil, err
		}
		if longer, err = change(rec.Config, result); err != nil {
			return nil, err
		}
	}
	rules := rec.Config.Conditions()
	book, err := rules.KeptBook(dir, rec.Head.Variant)
	if err != nil {
		return nil, err
	}
	if rec.Setup.Resume != nil {
		brief, err := rec.Brief()
		if err != nil {
			return nil, err
		}
		if err := rec.Setup.Resume(brief); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	r := &Run{Head: rec.Head, Config: rec.Config, setup: rec.Setup, typed: from.CommandLine}
	m := rec.Log.Meta
	r.common = rules.PlaySetup(rec.Head.Variant, book)
	if r.Result, err = rec.Config.NewResult(rec.Head); err != nil {
		return nil, err
	}
	if from.ReadOnly {
		r.replayed = schedule.Recorded(rec.Log, datasets.Filter{})
		return r, nil
	}
	w, log, err := datasets.Resume(dir)
	if err != nil {
		return nil, err
	}
	if longer {
		r.Head.Meta.Extended = append(slices.Clone(m.Extended), datasets.Extended{Command: m.Command, Trials: log.NumTrials})
		r.Head.Meta.Command = runs.CanonicalCommand(r.Head, r.Config, r.setup)
		err = w.Extend(r.Head.Meta.Command, r.Config)
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	r.writer, r.replayed = &writer{Writer: w, saved: time.Now()}, schedule.Recorded(log, datasets.Filter{})
	if err := r.writer.readPending(dir); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return r, nil
}

// Play plays the rest of the run and closes it in any case: a Run is played once. When ctx ends it
// returns ctx's cause, and a run that is kept can be resumed. A finished run has left its files in
// its directory.
func (r *Run) Play(ctx context.Context, o runs.Options) error {
	if r.played {
		return errors.New("this Run was played before: Resume makes another, which continues it")
	}
	r.played = true
	started := time.Now()
	if r.Alone() != "" {
		o.Pool = nil
	}
	if o.Workers < 1 && o.Pool == nil {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	r.common.Logs = o.Logs && r.writer != nil
	var idle func(jobs, results int)
	pool := o.Pool
	if e := r.setup.Elsewhere; e != nil {
		pool, idle = e.Pool, e.Idle
	}
	if pool == nil {
		pool = schedule.Local{Variant: r.Head.Variant, Workers: o.Workers, Windows: o.Windows, Custom: o.Custom, Affinity: o.Affinity}
	}
	s := &runs.Session{Head: r.Head, Result: r.Result, Runner: &schedule.Runner{
		Setup: r.common, Pool: pool, MarginCap: r.setup.MarginCap, FaultLimit: r.Config.Conditions().FaultLimit, Replayed: r.replayed,
		Idle: idle,
		Noted: func(g datasets.GameRow, p *play.Game) (err error) {
			if r.writer != nil && p.Log != "" {
				err = r.writer.Log(g, p.Log)
			}
			if o.Fault != nil && p.Detail != "" {
				o.Fault(g, p.Detail+datasets.LogNote(r.Head.Dir, r.Head.Dir, g))
			}
			return err
		},
		Observe: func(f schedule.Finished) error {
			if err := r.Result.Add(f); err != nil {
				return err
			}
			if o.Observe != nil {
				o.Observe(f)
			}
			r.partial, r.arrived = [5]int{}, 0
			r.trials++
			r.games += int64(f.Trial.Games)
			r.show(o, f.Trial.Phase, f.Replayed)
			return nil
		},
		Pair:    o.Pair,
		Partial: func(_ string, pairs [5]int) { r.partial = pairs },
		Arrived: func(phase string, games int64, kept bool) {
			if now := time.Now(); kept || now.Sub(r.shown) > showEvery {
				r.arrived = games
				r.show(o, phase, kept)
			}
		},
	}}
	if r.writer != nil {
		s.Runner.Record, s.Runner.Pending = r.writer, r.writer
	}
	build := runs.ThisBuild()
	session := datasets.Session{
		Started: started, Workers: o.Workers, CPU: build.CPU, CommandLine: r.typed, Revision: build.Revision, Cores: runtime.NumCPU(),
	}
	var err error
	if r.writer != nil && r.Head.OtherBuild(build) != "" {
		err = r.writer.Note(session) // which says so even if this process is killed
	}
	if err == nil {
		err = r.Config.Play(ctx, s)
	}
	err = cmp.Or(err, s.Runner.Close()) // also after an error, to close the replayed files
	if err == nil && r.writer != nil {
		err = r.leave()
	}
	session.Seconds, session.Games = time.Since(started).Seconds(), s.Runner.Games()
	session.Machines, session.CPUTime = pool.Machines(), s.Runner.CPUTime()
	return r.close(session, err)
}

// UsefulCores returns the number of cores that the run keeps busy and its limit in words; ok is
// false for a run that uses a single core.
func (r *Run) UsefulCores() (cores int, limit string, ok bool) {
	if r.setup.UsefulCores == nil {
		return 1, "", false
	}
	cores, limit = r.setup.UsefulCores()
	return cores, limit, true
}

// Alone describes the work of programs that only this process starts, so that no other worker can
// play; "" if workers can.
func (r *Run) Alone() string {
	switch {
	case r.setup.Elsewhere != nil:
		return "answers to questions are awaited"
	case r.Head.Variant.Game != nil && r.Head.Variant.Game.Source != "":
		return "the games of a referee are played"
	}
	return ""
}

// Reread returns a run that was just played as its directory records it now, with the result of
// all its trials; nil if Play did not see all of them. For a run that keeps nothing all are nil.
func (r *Run) Reread() (*runs.Recorded, runs.Result, error) {
	if r.writer == nil {
		return nil, nil, nil
	}
	log, err := datasets.Read(r.Head.Dir)
	if err == nil {
		r.Head.Sessions, err = log.Sessions()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("report of %s: %w", r.Head.Dir, err)
	}
	result := r.Result
	if r.trials != log.NumTrials {
		result = nil
	}
	return &runs.Recorded{Log: log, Head: r.Head, Config: r.Config, Setup: r.setup}, result, nil
}

// Abandon gives up a run that could not be begun. It can be resumed.
func (r *Run) Abandon() error {
	if r.writer == nil {
		return nil
	}
	return r.writer.Close()
}

// Recorded returns the number of games of all trials so far, replayed ones included.
func (r *Run) Recorded() int64 { return r.games }

// Pending returns the number of games kept of unfinished trials, which have no rows yet.
func (r *Run) Pending() int64 {
	if r.writer == nil {
		return 0
	}
	return r.writer.pending
}

// show reports the progress of the run, with the games of unfinished trials.
func (r *Run) show(o runs.Options, phase string, replayed bool) {
	if o.Progress == nil {
		return
	}
	if !replayed { // the first new games are reported at once
		r.shown = time.Now()
	}
	p := r.Result.Progress(phase, r.partial)
	first := int64(0)
	for _, n := range r.partial {
		first += 2 * int64(n)
	}
	p.Games = min(p.Planned, p.Games+max(0, r.arrived-first))
	p.Replayed = replayed
	o.Progress(p)
}

// leave writes the files of a finished run.
func (r *Run) leave() error {
	files, err := r.Result.Files()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if files[name] == nil { // left by a shorter run that was extended
			if err := os.Remove(filepath.Join(r.Head.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err := datasets.WriteFile(filepath.Join(r.Head.Dir, name), files[name]); err != nil {
			return fmt.Errorf("write %s: %w", filepath.Join(r.Head.Dir, name), err)
		}
	}
	return nil
}

// close saves the rest, records the session and releases the directory. Its error is joined to
// played, the error that ended play.
func (r *Run) close(s datasets.Session, played error) error {
	if r.writer == nil {
		r.Head.Sessions = append(r.Head.Sessions, s)
		return played
	}
	if e, ok := errors.AsType[*schedule.TaintedError](played); ok {
		return errors.Join(played, r.writer.Drop(e.Trial), r.writer.Note(s), r.writer.Close())
	}
	defer func(dir string) { r.Head.Dir = dir }(r.writer.Dir())
	unsaved := r.writer.Checkpoint()
	if unsaved == nil && played == nil { // the finished run needs no pending pairs
		unsaved = r.writer.SetPending(nil)
	}
	switch {
	case unsaved == nil:
		s.Summary = r.note()
	case errors.Is(played, unsaved): // the write that ended the play
		unsaved = nil
	}
	r.Head.Sessions = append(r.Head.Sessions, s)
	return errors.Join(played, unsaved, r.writer.Note(s), r.writer.Close())
}

// note returns the summary of the run for lists; nil where more than the rows is needed
// for it, or there is none.
func (r *Run) note() *datasets.CachedSummary {
	if r.trials != r.writer.Trials() {
		return nil
	}
	s, err := r.Result.Summary()
	if err != nil {
		return nil
	}
	s.Describe(r.Head.Meta)
	s.Trials, s.Games = r.trials, r.games
	return s.Cached(r.Head.Dir)
}
