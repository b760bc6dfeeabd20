package web

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
)

// errStopped ends a run that somebody stopped from a page.
var errStopped = errors.New("stopped from the page")

// mostJobs bounds the runs that are played at a time from pages.
const maxJobs = 4

// jobs are the runs that this process plays.
type jobs struct {
	server *Server
	mu     sync.Mutex
	list   []*live
	group  sync.WaitGroup
}

func newJobs(s *Server) *jobs { return &jobs{server: s} }

// live returns the run of a folder if this process plays it, or played it last.
func (j *jobs) live(dir string) *live {
	j.mu.Lock()
	defer j.mu.Unlock()
	if i := slices.IndexFunc(j.list, func(l *live) bool { return sameDir(l.dir, dir) }); i >= 0 {
		return j.list[i]
	}
	return nil
}

// Watch returns what a run that the program plays beside this server is told to:
// its page shows it from there. stop ends it so that it can be gone on with.
func (s *Server) Watch(dir string, workers int, stop func()) (o runs.Options, over func(error)) {
	l := s.jobs.add(dir, workers, stop)
	return runs.Options{Progress: l.Progress, Observe: l.Observe, Fault: l.Fault, Window: &l.window}, l.end
}

func (j *jobs) add(dir string, workers int, stop func()) *live {
	l := &live{dir: dir, workers: workers, stop: stop}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = slices.DeleteFunc(j.list, func(old *live) bool { return sameDir(old.dir, dir) })
	j.list = append(j.list, l)
	return l
}

// playing counts the runs under way.
func (j *jobs) playing() (n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, l := range j.list {
		if !l.ended() {
			n++
		}
	}
	return n
}

func (l *live) ended() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over
}

// play plays a run in the background until it ends or is stopped.
func (j *jobs) play(r *runs.Run) {
	ctx, cancel := context.WithCancelCause(context.Background())
	workers := j.server.options.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	l := j.add(r.Head.Dir, workers, func() { cancel(errStopped) })
	j.group.Go(func() {
		defer cancel(nil)
		err := r.Play(ctx, runs.Options{Workers: workers, Progress: l.Progress, Observe: l.Observe, Fault: l.Fault, Window: &l.window})
		if err == nil {
			err = kinds.Report(ctx, r.Head.Dir)
		}
		l.end(err)
	})
}

// stopAll ends all runs and waits for them to be saved.
func (j *jobs) stopAll() {
	j.mu.Lock()
	list := slices.Clone(j.list)
	j.mu.Unlock()
	for _, l := range list {
		l.stop()
	}
	j.group.Wait()
}

// stop ends a run that this process plays.
func (j *jobs) stop(dir string) error {
	l := j.live(dir)
	if l == nil || l.ended() {
		return fmt.Errorf("%s is not played by this program: stop it with Ctrl-C where it was started", filepath.Base(dir))
	}
	l.stop()
	return nil
}

// resume goes on with a run.
func (j *jobs) resume(dir string) error {
	if j.playing() >= maxJobs {
		return fmt.Errorf("%d runs are being played already: stop one or wait", maxJobs)
	}
	r, err := kinds.Resume(dir, runs.Origin{CommandLine: "selfplay serve (go on)"})
	if err != nil {
		return err
	}
	j.play(r)
	return nil
}

// asked reads a form into the question of a kind.
func asked(kind string, values map[string][]string) (runs.Config, error) {
	k, err := kinds.Find(kind)
	if err != nil {
		return nil, err
	}
	a := k.New()
	table := map[string]any{}
	for name, texts := range values {
		texts = slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return strings.TrimSpace(t) == "" })
		switch len(texts) {
		case 0:
		case 1:
			table[name] = texts[0]
		default:
			list := []any{}
			for _, t := range texts {
				list = append(list, t)
			}
			table[name] = list
		}
	}
	return a, config.Table(a, table)
}

// command is what asks the same on a command line: what differs from the defaults.
func command(kind string, a runs.Config) (string, error) {
	k, err := kinds.Find(kind)
	if err != nil {
		return "", err
	}
	words := []string{"selfplay", kind}
	if kind == "tune" {
		words = words[1:]
	}
	for _, said := range config.Differences(a, k.New()) {
		for _, v := range said.Values {
			words = append(words, "--"+strings.ReplaceAll(said.Name, "_", "-"), runs.Quote(v))
		}
	}
	return strings.Join(words, " "), nil
}

// start makes a run of what is asked and plays it.
func (j *jobs) start(kind string, a runs.Config) (dir string, err error) {
	if j.playing() >= maxJobs {
		return "", fmt.Errorf("%d runs are being played already: stop one or wait", maxJobs)
	}
	plan, err := a.Plan()
	if err != nil {
		return "", err
	}
	typed, err := command(kind, a)
	if err != nil {
		return "", err
	}
	r, err := runs.CreateIn(j.server.options.Root, plan, kind, runs.Origin{CommandLine: typed})
	if err != nil {
		return "", err
	}
	j.play(r)
	return r.Head.Dir, nil
}
