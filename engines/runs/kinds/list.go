package kinds

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
)

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
		list = append(list, lookAt(dirs)...)
	}
	slices.SortStableFunc(list, func(a, b runs.Summary) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Run, b.Run))
	})
	return list, nil
}

// lookAt returns what a list shows of some runs, in their order. All processors read, and
// nothing of a run stays in memory but that.
func lookAt(dirs []string) []runs.Summary {
	list := make([]runs.Summary, len(dirs))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(dirs)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(dirs)); i = next.Add(1) - 1 {
				list[i], _ = runs.Look(dirs[i], Find)
			}
		})
	}
	group.Wait()
	return list
}
