package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
)

// readingName is the file with the words of an experiment's page, in the folder of its file.
const readingName = "reading.md"

// source is an experiment as its author wrote it.
type source struct {
	Experiment Experiment
	Reading    string // the words of the page, see Result.Fill; "" for none
	data       []byte // of the file
}

// readSource reads an experiment's file of that name, and the reading beside it. Errors name the
// files inside folder; the error wraps fs.ErrNotExist if there is no such file.
func readSource(folder, name string, read reader) (s source, err error) {
	if s.data, err = read(name); err != nil {
		return s, fmt.Errorf("experiment file: %w", err)
	}
	if s.Experiment, err = decode(filepath.Join(folder, name), s.data); err != nil {
		return s, err
	}
	reading, err := read.ifThere(readingName)
	s.Reading = string(reading)
	return s, cmp.Or(err, s.Experiment.checkCalls(filepath.Join(folder, readingName), s.Reading))
}

// reader reads a file of a folder by its name. The error wraps fs.ErrNotExist if there is none.
type reader func(name string) ([]byte, error)

// inFS reads the files of a folder of a file system.
func inFS(files fs.FS, folder string) reader {
	return func(name string) ([]byte, error) { return fs.ReadFile(files, path.Join(folder, name)) }
}

// ifThere reads a file; nil for none.
func (r reader) ifThere(name string) ([]byte, error) {
	data, err := r(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}
