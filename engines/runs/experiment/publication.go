package experiment

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/params"
	"selfplaylab/params/tomlx"
	"selfplaylab/reports/published"
)

// outcomeName is the file of an Outcome.
const outcomeName = "outcome.toml"

// readingName is the file with the words of an experiment's page, in the folder of its file.
const readingName = "reading.md"

// Publication is a published experiment: its file and results.
type Publication struct {
	Name       string
	File       []byte
	Experiment Experiment
	Reading    string
	Outcome    Outcome
	Full       Results
	Quick      Results
}

// Published returns a built-in experiment. The error lists their names.
func Published(name string) (*Publication, error) {
	p, err := readPublication(published.Files(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, published.Unknown(name)
	}
	return p, err
}

// AllPublished returns the experiments that come with the program.
func AllPublished() ([]*Publication, error) {
	var all []*Publication
	for _, name := range published.Experiments() {
		p, err := Published(name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// readPublication reads the experiment published in a folder. The error wraps
// fs.ErrNotExist if there is none.
func readPublication(files fs.FS, name string) (*Publication, error) {
	read := func(file string) ([]byte, error) {
		data, err := fs.ReadFile(files, path.Join(name, file))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return data, err
	}
	p := &Publication{Name: name}
	var err error
	if p.File, err = fs.ReadFile(files, path.Join(name, fileName)); err != nil {
		return nil, err
	}
	if p.Experiment, err = decode(name+"/"+fileName, p.File); err != nil {
		return nil, err
	}
	reading, unread := read(readingName)
	outcome, err := read(outcomeName)
	if err := cmp.Or(unread, err); err != nil {
		return nil, err
	}
	p.Reading = string(reading)
	if p.Outcome, err = decodeOutcome(name+"/"+outcomeName, outcome); err != nil {
		return nil, err
	}
	if p.Full, err = readResults(name, read); err != nil {
		return nil, err
	}
	p.Quick, err = readResults(name+"/"+quickFolder, func(file string) ([]byte, error) { return read(quickFolder + "/" + file) })
	return p, err
}

// encode writes the outcome.
func (o Outcome) encode() ([]byte, error) {
	var b bytes.Buffer
	err := toml.NewEncoder(&b).Encode(o)
	return b.Bytes(), err
}

// decodeOutcome reads an outcome; filename appears in errors.
func decodeOutcome(filename string, data []byte) (Outcome, error) {
	var o Outcome
	return o, tomlx.Decode(filename, data, &o, params.Suggest)
}
