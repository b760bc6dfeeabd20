package experiment

import (
	"bytes"
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

// quickFolder is where the counts of a quick run are published.
const quickFolder = "quick"

// Publication is a published experiment: its source and results.
type Publication struct {
	source
	Name    string
	Outcome Outcome
	Full    Results
	Quick   Results
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
func AllPublished() ([]*Publication, error) { return readPublications(published.Files()) }

// readPublications reads the experiments published in the folders of a file system.
func readPublications(files fs.FS) (all []*Publication, err error) {
	paths, err := fs.Glob(files, "*/"+fileName)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, errors.New("the folder holds no experiments")
	}
	for _, file := range paths {
		p, err := readPublication(files, path.Dir(file))
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
	p, read := &Publication{Name: name}, inFS(files, name)
	var err error
	if p.source, err = readSource(name, fileName, read); err != nil {
		return nil, err
	}
	outcome, err := read.ifThere(outcomeName)
	if err != nil {
		return nil, err
	}
	if p.Outcome, err = decodeOutcome(name+"/"+outcomeName, outcome); err != nil {
		return nil, err
	}
	if p.Full, err = readResults(name, read); err != nil {
		return nil, err
	}
	p.Quick, err = readResults(name+"/"+quickFolder, inFS(files, name+"/"+quickFolder))
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
