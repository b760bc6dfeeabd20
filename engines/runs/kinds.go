package runs

import (
	"cmp"
	"fmt"
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

// ForExperiments returns the kinds that experiment files may name, by all their names.
func (k Kinds) ForExperiments() []Kind {
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

// files returns the files and folders that runs leave in their directories besides the
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

// Open opens a recorded run, as the function Open does.
func (k Kinds) Open(dir string) (*Recorded, error) { return Open(dir, k.Find) }

// OpenAll opens several recorded runs to read them.
func (k Kinds) OpenAll(dirs []string) (list []*Recorded, err error) {
	for _, dir := range dirs {
		r, err := k.Open(dir)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}
