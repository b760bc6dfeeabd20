package runs

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
	"strconv"
	"strings"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// checkpointEvery bounds how much a kill can lose, in wall time.
const checkpointEvery = 10 * time.Second

// showEvery is the interval of progress reports while no trial ends.
const showEvery = 200 * time.Millisecond

// Run is a run that is to be played or gone on with. Play it once.
type Run struct {
	Head   *Head
	Config Config
	Result Result

	setup    Setup
	common   play.Setup       // of all games
	writer   *datasets.Writer // nil if nothing is kept
	replayed iter.Seq2[schedule.Finished, error]
	typed    string
	played   bool // by Play, to the end or not
	saved    time.Time
	trials   int64                // told
	games    int64                // of them
	pending  int64                // games kept of unfinished trials
	kept     map[string]play.Pair // pairs that earlier sessions kept of them, by job

	// Trials under way have these first pairs (of the oldest) and games (of all).
	partial [5]int
	arrived int64
	shown   time.Time
}

// Origin describes how a run was started.
type Origin struct {
	CommandLine string    // the command line as typed; "" for none
	Resume      string    // as in datasets.Meta
	Created     time.Time // when it was asked; the zero time is now
	ReadOnly    bool      // of a recorded run nothing more is kept: its directory is only read, and may be in use
}

// New returns a run that keeps nothing.
func New(p *Plan, from Origin) (*Run, error) {
	if p == nil || p.Config == nil {
		return nil, errors.New("no plan of a run: want what the Plan of a Config returns")
	}
	if err := p.seated(); err != nil {
		return nil, err
	}
	r := &Run{Config: p.Config, typed: from.CommandLine}
	var err error
	if r.setup, err = p.Config.Setup(); err != nil {
		return nil, err
	}
	build, rules := ThisBuild(), p.Config.Conditions()
	r.Head = &Head{Kind: p.Kind, Variant: p.Variant, Meta: datasets.Meta{
		Kind: p.Kind.Name, Game: p.Variant.Game.ID(), GameVersion: p.Variant.Game.Version, Rules: p.Variant.Rules, Seed: rules.Seed,
		Limits: p.Config.Budgets(), Revision: build.Revision, Program: build.Program, Go: build.Go,
		CommandLine: from.CommandLine, Resume: from.Resume, Created: cmp.Or(from.Created, time.Now()).UTC().Truncate(time.Second),
		Parameters: p.Variant.Game.Space.Names(), RecordMoves: datasets.RecordMoves(rules.RecordMoves),
	}}
	r.Head.Meta.Command = command(r.Head, p.Config, r.setup)
	r.common = rules.setup(p.Variant, p.Book)
	r.Result, err = p.Config.NewResult(r.Head)
	return r, err
}

// command is the canonical command line: equal for runs with equal games, whichever
// system records them. It is "" for a kind without a command.
func command(h *Head, c Config, setup Setup) string {
	return strings.Join(text.Each(commandWords(h, c, setup), QuotePOSIX), " ")
}

func commandWords(h *Head, c Config, setup Setup) []string {
	words := h.Kind.Words()
	if words == nil {
		return nil
	}
	if e := setup.Elsewhere; e != nil {
		words = append(words, e.Command)
	} else {
		words = append(words, "--game", h.Meta.Game, "--rules", h.Meta.Rules)
	}
	for _, said := range settings(h, c, setup) {
		words = append(words, said.Words()...)
	}
	return append(words, "--seed", strconv.FormatUint(h.Meta.Seed, 10))
}

// CommandLine is the command line of such a run, in the game of h, as this system's
// shells take it.
func CommandLine(h *Head, c Config) string {
	setup, err := c.Setup()
	if err != nil {
		return ""
	}
	return CommandText(commandWords(h, c, setup)...)
}

// settings are what decides the games of a run, but for its game, rules and seed: its
// config.
func settings(h *Head, c Config, setup Setup) (list []config.Said) {
	var space params.Space
	if h.Variant.Game != nil {
		space = h.Variant.Game.Space
	}
	for _, said := range config.All(c, space) {
		said, ok := c.Conditions().said(said)
		if ok && (setup.Implied == nil || !setup.Implied(said)) {
			list = append(list, said)
		}
	}
	return list
}

// Create is New with a run directory.
func Create(dir string, p *Plan, from Origin) (*Run, error) {
	r, err := New(p, from)
	if err != nil {
		return nil, err
	}
	if r.writer, err = datasets.Create(dir, r.Head.Meta, p.Config); err != nil {
		return nil, err
	}
	r.Head.Dir, r.saved = dir, time.Now()
	if p.Book.Openings != nil {
		if err := datasets.WriteFile(filepath.Join(dir, bookName), p.Book.Data); err != nil {
			return nil, errors.Join(err, r.writer.Close())
		}
	}
	return r, nil
}

// CreateIn is Create in a new folder of root, named by time, game and what. Runs of the same
// second get names of their own.
func CreateIn(root string, p *Plan, what string, from Origin) (*Run, error) {
	dir, err := NewFolder(root, p.Variant.Game.Name+"-"+what)
	if err != nil {
		return nil, err
	}
	return Create(dir, p, from)
}

// NewFolder creates a folder below root, named by the time and what.
func NewFolder(root, what string) (string, error) {
	if err := os.MkdirAll(root, 0o777); err != nil {
		return "", fmt.Errorf("cannot make the folder %s: %w", root, err)
	}
	name := filepath.Join(root, time.Now().Format("20060102-150405")+"-"+what)
	for n := 2; ; n++ {
		dir := name
		if n > 2 {
			dir = fmt.Sprintf("%s-%d", name, n-1)
		}
		switch err := os.Mkdir(dir, 0o777); {
		case err == nil:
			return dir, nil
		case !errors.Is(err, fs.ErrExist):
			return "", fmt.Errorf("cannot make the folder %s: %w", dir, err)
		}
	}
}

// Recorded is a run as its directory records it.
type Recorded struct {
	Log    *datasets.Log
	Head   *Head
	Config Config

	setup Setup
}

// Open reads what a recorded run was asked. find returns the kind of a name. A
// run of a game, rules or parameters that this program does not have can be read
// too, as far as its kind can tell of it without them: Head.Unavailable says why.
func Open(dir string, find func(name string) (Kind, error)) (*Recorded, error) {
	log, err := datasets.Read(dir)
	if err != nil {
		return nil, err
	}
	return OpenLog(log, find)
}

// OpenLog is Open of a log that is read already.
func OpenLog(log *datasets.Log, find func(name string) (Kind, error)) (*Recorded, error) {
	m := log.Meta
	fail := func(err error) (*Recorded, error) { return nil, fmt.Errorf("%s: %w", log.Dir, err) }
	if gone := removed(m); gone != "" {
		return fail(fmt.Errorf("is %s; selfplay export still reads its rows, and %s of revision %s reports it", gone, m.Program, m.Revision))
	}
	kind, err := find(m.Kind)
	if err != nil {
		return fail(err)
	}
	r := &Recorded{Log: log, Head: &Head{Kind: kind, Dir: log.Dir, Meta: m}, Config: kind.New()}
	config.Clear(r.Config)
	rules := r.Config.Conditions()
	if r.Head.Sessions, err = log.Sessions(); err != nil {
		return nil, err
	}
	if err := log.Spec(r.Config); err != nil {
		return nil, err
	}
	rules.Seed, rules.RecordMoves = m.Seed, Moves(m.RecordMoves)
	if r.setup, err = r.Config.Setup(); err == nil {
		if e := r.setup.Elsewhere; e != nil {
			r.Head.Variant = e.Variant
		} else {
			r.Head.Variant, r.Head.Unavailable = r.game().Rule()
		}
		err = rules.CheckRules(nil, nil)
	}
	if err == nil && r.Head.Unavailable == nil {
		err = r.Config.Check(r.Head.Variant)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: [spec]: %w", filepath.Join(log.Dir, "run.toml"), err)
	}
	return r, nil
}

// removed says what a run of a removed kind is, and what replaces it; "" for others.
func removed(m datasets.Meta) string {
	switch {
	case m.Kind == "game":
		return "a game played on a board, which this version saves as a file of games and no longer as a run"
	case m.Game == "objective":
		return "a tuning for a program's scores, which this version leaves to tools such as Optuna; tune ask-tell compares vectors"
	}
	return ""
}

// playable returns an error unless this program plays the run's game as the recording one did.
func (r *Recorded) playable() error {
	if r.setup.Elsewhere != nil {
		return nil
	}
	if _, err := r.game().Open(); err != nil {
		return fmt.Errorf("%s: %w", r.Log.Dir, err)
	}
	return nil
}

// game is the run's game as its record names it.
func (r *Recorded) game() games.Recorded {
	m := r.Log.Meta
	return games.Recorded{
		Game: m.Game, Version: m.GameVersion, Rules: m.Rules, Parameters: m.Parameters, Revision: m.Revision, Space: r.setup.Space,
	}
}

// Result returns the result of the recorded trials.
func (r *Recorded) Result() (Result, error) { return newView(r).Result(context.Background()) }

// Setup returns what all games of the run share, without its book.
func (r *Recorded) Setup() play.Setup {
	return r.Config.Conditions().setup(r.Head.Variant, Book{})
}

// Resume opens a recorded run to go on with it. Everything is read and checked
// before the run is locked.
func Resume(dir string, find func(name string) (Kind, error), from Origin) (*Run, error) {
	return Extend(dir, find, from, nil)
}

// Extend is Resume of a run that is to go on longer than was asked. change is given
// its spec, to change it, and what shows of it; it reports whether it changed
// anything. The trials recorded must be the first ones of the changed spec too. The
// run's canonical command becomes that of the changed spec; see
// datasets.Writer.Extend. A nil change changes nothing.
func Extend(dir string, find func(name string) (Kind, error), from Origin, change func(Config, Result) (bool, error)) (*Run, error) {
	rec, err := Open(dir, find)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(rec.playable(), verify(rec.Head.Variant)); err != nil {
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
	book, err := rules.keptBook(dir, rec.Head.Variant)
	if err != nil {
		return nil, err
	}
	if rec.setup.Resume != nil {
		v := newView(rec)
		if err := v.addTrials(); err != nil {
			return nil, err
		}
		if err := rec.setup.Resume(v.brief); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	r := &Run{Head: rec.Head, Config: rec.Config, setup: rec.setup, typed: from.CommandLine, saved: time.Now()}
	m := rec.Log.Meta
	r.common = rules.setup(rec.Head.Variant, book)
	if r.Result, err = rec.Config.NewResult(rec.Head); err != nil {
		return nil, err
	}
	if from.ReadOnly {
		r.replayed = schedule.Recorded(rec.Log, datasets.Filter{})
		return r, nil
	}
	writer, log, err := datasets.Resume(dir)
	if err != nil {
		return nil, err
	}
	if longer {
		r.Head.Meta.Extended = append(slices.Clone(m.Extended), datasets.Extended{Command: m.Command, Trials: log.NumTrials})
		r.Head.Meta.Command = command(r.Head, r.Config, r.setup)
		err = writer.Extend(r.Head.Meta.Command, r.Config)
	}
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	r.writer, r.replayed = writer, schedule.Recorded(log, datasets.Filter{})
	if err := r.readPending(); err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	return r, nil
}

// Options are settings for playing a run. None of them changes the result.
type Options struct {
	Workers  int           // games at a time; 0 is one a processor
	Affinity bool          // bind each worker of this process to a processor; Linux only
	Pool     schedule.Pool // where to play; nil is Workers of this process
	// Progress, if not nil, is called after every trial and at intervals.
	Progress func(Progress)
	// Fault, if not nil, is called with every game lost by a fault.
	Fault func(datasets.GameRow, string)
	// Observe, if not nil, sees every trial in schedule order once it counts, from
	// the goroutine that decides: it should only put it aside. It must not change
	// the rows.
	Observe func(schedule.Finished)
	// Windows show games in play, where this process plays them itself: one of each of
	// the first workers.
	Windows []play.Window
	// Custom holds the custom players of a resumed run; a new run has them from its config.
	Custom []player.Custom
}

// Play plays what is left to play, and closes the run whatever happens: a Run is played
// once. When ctx ends it returns ctx's cause, and a run that is kept can be resumed. A
// finished one has left its files in its directory.
func (r *Run) Play(ctx context.Context, o Options) error {
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
	var idle func(jobs, results int)
	pool := o.Pool
	if e := r.setup.Elsewhere; e != nil {
		pool, idle = e.Pool, e.Idle
	}
	if pool == nil {
		pool = schedule.Local{Variant: r.Head.Variant, Workers: o.Workers, Windows: o.Windows, Custom: o.Custom, Affinity: o.Affinity}
	}
	s := &Session{Head: r.Head, Result: r.Result, Runner: &schedule.Runner{
		Setup: r.common, Pool: pool, MarginCap: r.setup.MarginCap, FaultLimit: r.Config.Conditions().FaultLimit, Replayed: r.replayed,
		Fault: o.Fault, Idle: idle,
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
		Partial: func(_ string, pairs [5]int) { r.partial = pairs },
		Arrived: func(phase string, games int64, kept bool) {
			if now := time.Now(); kept || now.Sub(r.shown) > showEvery {
				r.arrived = games
				r.show(o, phase, kept)
			}
		},
	}}
	if r.writer != nil {
		s.Runner.Record, s.Runner.Pending = r, r
	}
	build := ThisBuild()
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
	err = cmp.Or(err, s.Runner.Close()) // after an error too: it closes what is being replayed
	if err == nil && r.writer != nil {
		err = r.leave()
	}
	session.Seconds, session.Games = time.Since(started).Seconds(), s.Runner.Games()
	session.Machines, session.CPUTime = pool.Machines(), s.Runner.CPUTime()
	return r.close(session, err)
}

// UsefulCores returns how many cores the run keeps busy and what limits it, in words; ok is
// false for a run that uses a single core.
func (r *Run) UsefulCores() (cores int, limit string, ok bool) {
	if r.setup.UsefulCores == nil {
		return 1, "", false
	}
	cores, limit = r.setup.UsefulCores()
	return cores, limit, true
}

// Alone says what programs do that only this process starts, so that no worker elsewhere can play; "" if one can.
func (r *Run) Alone() string {
	switch {
	case r.setup.Elsewhere != nil:
		return "answers to questions are awaited"
	case r.Head.Variant.Game != nil && r.Head.Variant.Game.Source != "":
		return "the games of a referee are played"
	}
	return ""
}

// Abandon gives up a run that could not be begun. It can be resumed.
func (r *Run) Abandon() error {
	if r.writer == nil {
		return nil
	}
	return r.writer.Close()
}

// Recorded is the number of games of all trials so far, replayed ones included.
func (r *Run) Recorded() int64 { return r.games }

// show reports the progress of the run, with the games of unfinished trials.
func (r *Run) show(o Options, phase string, replayed bool) {
	if o.Progress == nil {
		return
	}
	if !replayed { // the first new games are told at once
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

// Append implements schedule.Recorder.
func (r *Run) Append(t datasets.TrialRow, games []datasets.GameRow, moves []datasets.MoveRow) error {
	if err := r.writer.Append(t, games, moves); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(r.saved) > checkpointEvery {
		r.saved = now
		return r.writer.Checkpoint()
	}
	return nil
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

// close saves the rest, records the session and releases the directory. It returns the error
// that ended play, joined with its own.
func (r *Run) close(s datasets.Session, played error) error {
	if r.writer == nil {
		r.Head.Sessions = append(r.Head.Sessions, s)
		return played
	}
	if e, ok := errors.AsType[*schedule.TaintedError](played); ok {
		return errors.Join(played, r.writer.Drop(e.Trial), r.writer.Note(s), r.writer.Close())
	}
	unsaved := r.writer.Checkpoint()
	if unsaved == nil && played == nil { // there is nothing to go on with
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
