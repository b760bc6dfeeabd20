package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"selfplaylab/datasets"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// Kinds is the list of kinds of runs that a program knows, with operations on runs of any of
// them: resume, read, report.
type Kinds []Kind

// WithCommand returns the kinds that have a command.
func (k Kinds) WithCommand() Kinds {
	return slices.DeleteFunc(slices.Clone(k), func(one Kind) bool { return one.Command == nil })
}

// Names returns the names of the kinds that have a command.
func (k Kinds) Names() []string { return text.Each(k.WithCommand(), kindName) }

func kindName(k Kind) string { return k.Name }

// Asked returns the kinds that experiment files may name, by all their names.
func (k Kinds) Asked() []Kind {
	list := k.WithCommand()
	for _, one := range list {
		list = append(list, one.Former...)
	}
	return list
}

// Find returns the kind of a name, also one without a command; its error names all
// kinds.
func (k Kinds) Find(name string) (Kind, error) {
	if i := slices.IndexFunc(k, func(one Kind) bool { return one.Name == name }); i >= 0 {
		return k[i], nil
	}
	if len(k) == 1 {
		return Kind{}, fmt.Errorf("is a run of %q, not of %s", name, k[0].Name)
	}
	return Kind{}, fmt.Errorf("is a run of %q, which this program does not know%s", name, params.Suggest(name, text.Each(k, kindName)))
}

// files are the files and folders that runs leave in their directories besides the
// record.
func (k Kinds) files() []string {
	list := []string{"report.html", "report.md", reports.FigureFolder, reports.ReadmeName, bookName}
	for _, one := range k {
		list = append(list, one.Files...)
	}
	return list
}

// CheckRemove returns the error with which Remove would refuse, and deletes
// nothing.
func (k Kinds) CheckRemove(dir string) error { return datasets.CheckRemove(dir, k.files()...) }

// Remove deletes a recorded run with its directory, as datasets.Remove does.
func (k Kinds) Remove(dir string) error { return datasets.Remove(dir, k.files()...) }

// List reads the runs in and below some folders, the newest first. Runs of unknown age come
// last.
func (k Kinds) List(folders ...string) ([]Summary, error) {
	list := []Summary{}
	for _, folder := range folders {
		dirs, err := datasets.Find(folder)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no folder %s: %w", folder, err)
		}
		if err != nil {
			return nil, fmt.Errorf("list of runs: %w", err)
		}
		known := openIndex(folder, len(dirs))
		list = append(list, k.lookAt(dirs, known)...)
		known.save()
	}
	slices.SortStableFunc(list, func(a, b Summary) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Run, b.Run))
	})
	return list, nil
}

// lookAt returns the summaries of some runs, in order. All processors read; only the summaries
// stay in memory.
func (k Kinds) lookAt(dirs []string, known *index) []Summary {
	list := make([]Summary, len(dirs))
	InParallel(0, len(dirs), func(i int) { list[i] = known.look(dirs[i], k.Find) })
	return list
}

// InParallel calls do with 0 to n-1, in order, by a number of workers, 0 for one a processor,
// and waits for the last.
func InParallel(workers, n int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(cmp.Or(workers, runtime.GOMAXPROCS(0)), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// Open opens a recorded run to show it.
func (k Kinds) Open(dir string) (*View, error) {
	r, err := Open(dir, k.Find)
	if err != nil {
		return nil, err
	}
	return newView(r), nil
}

// OpenAll opens several recorded runs to read them.
func (k Kinds) OpenAll(dirs []string) (list []*Recorded, err error) {
	for _, dir := range dirs {
		r, err := Open(dir, k.Find)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// Report writes the report of a recorded run into its directory, with its figures in
// these formats besides SVG. Where ctx ends before that is done it returns its cause.
func (k Kinds) Report(ctx context.Context, dir string, figures ...string) error {
	v, err := k.Open(dir)
	if err != nil {
		return fmt.Errorf("report of %s: %w", dir, err)
	}
	return v.report(ctx, figures...)
}

// Report is Kinds.Report for a run that was just played. It reads the record again only if Play
// did not see all of it. A run that keeps nothing has no report.
func (r *Run) Report(ctx context.Context) error {
	if r.writer == nil {
		return nil
	}
	log, err := datasets.Read(r.Head.Dir)
	if err == nil {
		r.Head.Sessions, err = log.Sessions()
	}
	if err != nil {
		return fmt.Errorf("report of %s: %w", r.Head.Dir, err)
	}
	v := newView(&Recorded{Log: log, Head: r.Head, Config: r.Config, setup: r.setup})
	if r.trials == log.NumTrials {
		v.full, v.read = r.Result, r.trials
	}
	return v.report(ctx)
}

// report writes the report into the run's directory.
func (v *View) report(ctx context.Context, figures ...string) error {
	page, err := v.Page(ctx, true)
	if err == nil && ctx.Err() == nil {
		page.Nav, page.FigureFormats = upwards(v.Log.Dir), figures
		err = page.Write(v.Log.Dir, datasets.WriteFile)
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("report of %s: %w", v.Log.Dir, err)
	}
	return nil
}

// upwards links a run's report to the page of the experiment that it belongs to, if
// that is there.
func upwards(dir string) []reports.Link {
	const up = "../report.html"
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(up))); err != nil {
		return nil
	}
	return []reports.Link{{Name: "the experiment", To: up}}
}
