package web

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/view"
)

// errStopped ends a run that was stopped on a page.
var errStopped = errors.New("stopped from the page")

// maxJobs bounds the runs that pages play at a time.
const maxJobs = 4

// jobs are the runs that this process plays.
type jobs struct {
	kinds   runs.Kinds
	root    string // folder of new runs
	workers int    // games at a time of a run
	mu      sync.Mutex
	list    []*view.Live
	group   sync.WaitGroup
}

// live returns the run of a folder if this process plays it, or played it last.
func (j *jobs) live(dir string) *view.Live {
	j.mu.Lock()
	defer j.mu.Unlock()
	if i := slices.IndexFunc(j.list, func(l *view.Live) bool { return sameDir(l.Dir, dir) }); i >= 0 {
		return j.list[i]
	}
	return nil
}

// add takes a run that this process plays in place of an earlier one of its folder.
func (j *jobs) add(l *view.Live) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = slices.DeleteFunc(j.list, func(old *view.Live) bool { return sameDir(old.Dir, l.Dir) })
	j.list = append(j.list, l)
}

// sameDir reports whether two paths are of one folder.
func sameDir(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}

// playing counts the running runs.
func (j *jobs) playing() (n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, l := range j.list {
		if !l.Ended() {
			n++
		}
	}
	return n
}

// play plays a run in the background until it ends or is stopped.
func (j *jobs) play(r *record.Run) {
	ctx, cancel := context.WithCancelCause(context.Background())
	l := &view.Live{Dir: r.Head.Dir, Workers: j.workers, Stop: func() { cancel(errStopped) }}
	j.add(l)
	j.group.Go(func() {
		defer cancel(nil)
		err := r.Play(ctx, l.Options())
		if err == nil {
			err = view.ReportPlayed(ctx, r.Reread)
		}
		if errors.Is(err, errStopped) {
			err = nil
		}
		l.End(err)
	})
}

// stopAll ends all runs and waits for them to be saved.
func (j *jobs) stopAll() {
	j.mu.Lock()
	list := slices.Clone(j.list)
	j.mu.Unlock()
	for _, l := range list {
		l.Stop()
	}
	j.group.Wait()
}

// stop ends a run that this process plays.
func (j *jobs) stop(dir string) error {
	l := j.live(dir)
	if l.Ended() {
		return fmt.Errorf("%s is not played by this program: stop it with Ctrl-C in the terminal where it was started", filepath.Base(dir))
	}
	l.Stop()
	return nil
}

// room reports whether another run can be started.
func (j *jobs) room() error {
	if j.playing() >= maxJobs {
		return fmt.Errorf("%d runs are being played already: stop one or wait", maxJobs)
	}
	return nil
}

// resume resumes a run.
func (j *jobs) resume(dir string) error {
	if err := j.room(); err != nil {
		return err
	}
	r, err := record.Resume(dir, j.kinds.Find, record.Origin{CommandLine: "selfplay serve (resume)"})
	if err != nil {
		return err
	}
	j.play(r)
	return nil
}

// start plays a new run.
func (j *jobs) start(ctx context.Context, kind runs.Kind, c runs.Config) (dir string, err error) {
	if err := j.room(); err != nil {
		return "", err
	}
	plan, err := runs.SeatedPlan(ctx, c, nil)
	if err != nil {
		return "", err
	}
	r, err := record.Make(plan, record.Place{Root: j.root}, record.Origin{CommandLine: commandLine(kind, c)})
	if err != nil {
		return "", err
	}
	j.play(r)
	return r.Head.Dir, nil
}

// commandLine returns the command line with the same config: its values that are not the
// defaults.
func commandLine(kind runs.Kind, c runs.Config) string {
	words := kind.Words()
	for _, given := range config.Differences(c, kind.New()) {
		words = append(words, given.Words()...)
	}
	return runs.CommandText(words...)
}
