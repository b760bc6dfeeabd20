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
// written. No row depends on them.
type Labels struct {
	// Name has up to 200 printable characters. "" in the file means Meta.Name.
	Name string `toml:"name"`
	// Tags are printable names of 1 to 200 characters, sorted, each once.
	Tags []string `toml:"tags"`
	// Note is free text of up to 2,000 characters; it may have several lines.
	Note string `toml:"note,multiline,omitempty"`
}

// longestNote is the maximum number of characters of a note.
const longestNote = 2000

// maxLabels bounds the file of labels, in bytes.
const maxLabels = 1 << 20

// SetLabels replaces the labels of the run in dir. It sorts the tags and trims the note. An
// error says why the labels or the run are not accepted. It may be called while another process
// writes the run.
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

// Check reports the first name, tag or note that SetLabels rejects.
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

// LabelsOf returns the labels of the run in dir, with Meta.Name as the name if the labels have
// none. It is an error if dir holds no run.
func LabelsOf(dir string) (Labels, error) {
	meta, _, err := readRun(dir)
	if err != nil {
		return Labels{}, err
	}
	l, err := ReadLabels(dir)
	l.Name = cmp.Or(l.Name, meta.Name)
	return l, err
}

// ReadLabels returns the labels of the run in dir, the zero value if it has no file of labels.
// An invalid file is an error.
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
