package view

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
)

// List reads the runs in and below some folders, the newest first. Runs of unknown
// age come last.
func List(kinds runs.Kinds, folders ...string) ([]runs.Summary, error) {
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
		list = append(list, lookAt(dirs, kinds, known)...)
		known.save()
	}
	slices.SortStableFunc(list, func(a, b runs.Summary) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Run, b.Run))
	})
	return list, nil
}

// lookAt returns the summaries of some runs, in order. All processors read; only the summaries
// stay in memory.
func lookAt(dirs []string, kinds runs.Kinds, known *index) []runs.Summary {
	list := make([]runs.Summary, len(dirs))
	runs.InParallel(0, len(dirs), func(i int) { list[i] = known.look(dirs[i], kinds) })
	return list
}
