package record

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
)

// Place is where a new run is kept, and its name and tags. The zero value keeps nothing.
type Place struct {
	Dir    string          // the run's directory; "" for a new one in Root
	Root   string          // the folder of a new directory, named by time, game and kind
	Labels datasets.Labels // of the run
}

// Make creates the run of a seated plan in a place.
func Make(p *runs.Plan, at Place, from Origin) (*Run, error) {
	if err := at.Labels.Check(); err != nil {
		return nil, err
	}
	dir := at.Dir
	switch {
	case dir == "" && at.Root == "":
		return New(p, from)
	case dir == "":
		name := p.Kind.Name
		if c := p.Kind.Command; c != nil && c.Folder != nil {
			name = c.Folder(p.Config)
		}
		var err error
		if dir, err = NewFolder(at.Root, p.Variant.Game.Name+"-"+name); err != nil {
			return nil, err
		}
	}
	r, err := Create(dir, p, from)
	if err != nil {
		return nil, err
	}
	return r, Label(dir, at.Labels)
}

// Label gives the run in a directory a name, unless it is "", and more tags.
func Label(dir string, labels datasets.Labels) error {
	if labels.Name == "" && len(labels.Tags) == 0 {
		return nil
	}
	l, err := datasets.LabelsOf(dir)
	if err != nil {
		return err
	}
	l.Name, l.Tags = cmp.Or(labels.Name, l.Name), append(l.Tags, labels.Tags...)
	return datasets.SetLabels(dir, l)
}

// NewFolder creates a folder below root, named by the time and name.
func NewFolder(root, name string) (string, error) {
	if err := os.MkdirAll(root, 0o777); err != nil {
		return "", fmt.Errorf("cannot make the folder %s: %w", root, err)
	}
	base := filepath.Join(root, time.Now().Format("20060102-150405")+"-"+name)
	for n := 2; ; n++ {
		dir := base
		if n > 2 {
			dir = fmt.Sprintf("%s-%d", base, n-1)
		}
		switch err := os.Mkdir(dir, 0o777); {
		case err == nil:
			return dir, nil
		case !errors.Is(err, fs.ErrExist):
			return "", fmt.Errorf("cannot make the folder %s: %w", dir, err)
		}
	}
}
