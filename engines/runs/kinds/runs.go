// Package kinds is the list of the kinds of runs, and what can be done with a run
// of any kind: resume it, read it, report on it. A new kind is a folder
// beside this file and a line in it.
package kinds

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
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/manual"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/search"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/params"
	"selfplaylab/reports"
)

// all returns the kinds of runs: the one list to extend for a new kind.
func all() []runs.Kind {
	return []runs.Kind{
		match.Kind(),
		tournament.Kind(),
		tournament.LadderKind(),
		tuning.Kind(),
		search.Kind(),
		manual.Kind(),
	}
}

// Kinds returns the kinds that have a command.
func Kinds() []runs.Kind {
	return slices.DeleteFunc(all(), func(k runs.Kind) bool { return k.Command == nil })
}

// Names returns the names of the kinds that have a command.
func Names() (names []string) {
	for _, k := range Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Asked returns the kinds that experiment files may ask for, by all their names.
func Asked() []runs.Kind {
	list := Kinds()
	for _, k := range list {
		list = append(list, k.Former...)
	}
	return list
}

// Find returns the kind of a name, also one without a command; its error names all
// kinds.
func Find(name string) (runs.Kind, error) {
	var names []string
	for _, k := range all() {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return runs.Kind{}, fmt.Errorf("is a run of %q, which this program does not know%s", name, params.Suggest(name, names))
}

// files are the files and folders that runs leave in their directories besides the
// record.
func files() []string {
	list := []string{"report.html", "report.md", reports.FigureFolder, reports.ReadmeName, runs.BookName}
	for _, k := range all() {
		list = append(list, k.Files...)
	}
	return list
}

// CheckRemove returns the error with which Remove would refuse, and deletes
// nothing.
func CheckRemove(dir string) error { return datasets.CheckRemove(dir, files()...) }

// Remove deletes a recorded run with its directory, as datasets.Remove does.
func Remove(dir string) error { return datasets.Remove(dir, files()...) }

// List reads the runs in and below some folders, the newest first. Those whose
// age cannot be read come last.
func List(folders ...string) ([]runs.Summary, error) {
	list := []runs.Summary{}
	for _, folder := range folders {
		dirs, err := datasets.Find(folder)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no folder %s: %w", folder, err)
		}
		if err != nil {
			return nil, fmt.Errorf("list of runs: %w", err)
		}
		known := openIndex(folder, len(dirs))
		list = append(list, lookAt(dirs, known)...)
		known.save()
	}
	slices.SortStableFunc(list, func(a, b runs.Summary) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Run, b.Run))
	})
	return list, nil
}

// lookAt returns what a list shows of some runs, in their order. All processors read, and
// nothing of a run stays in memory but that.
func lookAt(dirs []string, known *index) []runs.Summary {
	list := make([]runs.Summary, len(dirs))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(dirs)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(dirs)); i = next.Add(1) - 1 {
				list[i] = known.look(dirs[i])
			}
		})
	}
	group.Wait()
	return list
}

// Open opens a recorded run to show it.
func Open(dir string) (*runs.View, error) {
	r, err := runs.Open(dir, Find)
	if err != nil {
		return nil, err
	}
	return runs.NewView(r), nil
}

// Resume opens a recorded run to continue it.
func Resume(dir string, from runs.Origin) (*runs.Run, error) { return runs.Resume(dir, Find, from) }

// Extend opens a recorded run to continue it for longer, as change says; see runs.extend.
func Extend(dir string, from runs.Origin, change func(runs.Config, runs.Result) (bool, error)) (*runs.Run, error) {
	return runs.Extend(dir, Find, from, change)
}

// Page makes the report of a recorded run, finished or not, from its record
// alone. It stops with the cause of ctx when ctx ends.
func Page(ctx context.Context, dir string) (reports.Page, error) {
	v, err := Open(dir)
	if err != nil {
		return reports.Page{}, err
	}
	page, err := v.Page(ctx, true)
	if err != nil {
		return page, fmt.Errorf("report of %s: %w", dir, err)
	}
	return page, nil
}

// Report writes the report of a recorded run into its directory. Where ctx ends
// before that is done it returns its cause.
func Report(ctx context.Context, dir string) error {
	page, err := Page(ctx, dir)
	if err == nil && ctx.Err() == nil {
		page.Nav = upwards(dir)
		err = page.Write(dir)
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("report of %s: %w", dir, err)
	}
	return nil
}

// ReadBoard reads a finished game from the JSON of a page's board, to save it as a run.
func ReadBoard(data []byte) (runs.Config, error) {
	for _, k := range all() {
		if k.ReadBoard != nil {
			return k.ReadBoard(data)
		}
	}
	return nil, errors.New("no kind of runs keeps games that were played on a board")
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
