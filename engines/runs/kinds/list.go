package kinds

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
)

// List reads the runs in and below some folders, the newest first. Those whose
// age cannot be read come last.
func List(folders ...string) ([]runs.Summary, error) {
	list := []runs.Summary{}
	for _, folder := range folders {
		infos, err := datasets.List(folder)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no folder %s: %w", folder, err)
		}
		if err != nil {
			return nil, fmt.Errorf("list of runs: %w", err)
		}
		for _, info := range infos {
			s, _ := runs.Look(info, Find)
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b runs.Summary) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Run, b.Run))
	})
	return list, nil
}
