package datasets

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/params/tomlx"
)

const labelsName = "labels.toml"

// Labels are a run's name, tags and note. They may change at any time, also while the run is
// written, and no row depends on them.
type Labels struct {
	// Name is up to 200 characters, none of them a control character. "" in the
	// file means Meta.Name.
	Name string `toml:"name"`
	// Tags are names of the same kind, none of them empty, in order and each once.
	Tags []string `toml:"tags"`
	// Note is free text of up to 2,000 characters, in lines.
	Note string `toml:"note,multiline,omitempty"`
}

// longestNote is how many characters a note may have.
const longestNote = 2000

// maxLabels bounds the file of labels, in bytes.
const maxLabels = 1 << 20

// SetLabels replaces the labels of the run in dir.
func SetLabels(dir string, l Labels) error {
	if _, _, err := readRun(dir); err != nil {
		return err
	}
	if err := l.Check(); err != nil {
		return fmt.Errorf("labels of %s: %w", dir, err)
	}
	l.Tags = slices.Compact(slices.Sorted(slices.Values(l.Tags)))
	l.Note = strings.TrimSpace(l.Note)
	var b bytes.Buffer
	b.WriteString("# What people call this run. It may be changed.\n")
	if err := toml.NewEncoder(&b).Encode(l); err != nil {
		return fmt.Errorf("labels of %s: %w", dir, err)
	}
	return WriteFile(filepath.Join(dir, labelsName), b.Bytes())
}

// Check reports the first name, tag or note that SetLabels refuses.
func (l Labels) Check() error {
	if slices.Contains(l.Tags, "") {
		return errors.New("an empty tag")
	}
	for _, text := range append([]string{l.Name}, l.Tags...) {
		if err := checkText(text, longestLabel, Printable); err != nil {
			return err
		}
	}
	if err := checkText(l.Note, longestNote, PrintableLines); err != nil {
		return fmt.Errorf("note: %w", err)
	}
	return nil
}

// LabelsOf is ReadLabels of a folder that must hold a run, whose own name is taken
// where it was given no other.
func LabelsOf(dir string) (Labels, error) {
	meta, _, err := readRun(dir)
	if err != nil {
		return Labels{}, err
	}
	l, err := ReadLabels(dir)
	l.Name = cmp.Or(l.Name, meta.Name)
	return l, err
}

// ReadLabels returns the labels of the run in dir; zero if it has none.
func ReadLabels(dir string) (l Labels, err error) {
	path := filepath.Join(dir, labelsName)
	data, err := readFile(path, maxLabels)
	if errors.Is(err, os.ErrNotExist) {
		return Labels{}, nil
	}
	if err != nil {
		return Labels{}, fmt.Errorf("labels of the run: %w", err)
	}
	if err := tomlx.Decode(path, data, &l, nil); err != nil {
		return Labels{}, err
	}
	if err := l.Check(); err != nil {
		return Labels{}, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}
