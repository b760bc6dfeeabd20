package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"syscall"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/params/tomlx"
)

// runName is the file that makes a directory a run.
const runName = "run.toml"

// runTOML is the layout of run.toml.
type runTOML struct {
	Meta
	Seed   string `toml:"seed"`
	SHA256 string `toml:"spec_sha256"`
	Spec   any    `toml:"spec"`
}

// encodeRun returns the content of run.toml, with its checksum.
func encodeRun(meta Meta, spec any) ([]byte, error) {
	doc := runTOML{Meta: meta, Seed: strconv.FormatUint(meta.Seed, 10), Spec: spec}
	data, err := doc.encode()
	if err != nil {
		return nil, err
	}
	if doc.SHA256, _, err = meaning(data); err != nil {
		return nil, fmt.Errorf("%s: %w", runName, err)
	}
	return doc.encode()
}

// encode returns the TOML of run.toml.
func (r runTOML) encode() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# The configuration of this run. Written once; its rows depend on it.\n")
	if err := toml.NewEncoder(&b).Encode(r); err != nil {
		return nil, fmt.Errorf("%s: %w", runName, err)
	}
	return b.Bytes(), nil
}

// readRun reads and checks DIR/run.toml, and returns its bytes too.
func readRun(dir string) (Meta, []byte, error) {
	path := filepath.Join(dir, runName)
	data, err := ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return Meta{}, nil, notRun(dir)
	}
	if err != nil {
		return Meta{}, nil, fmt.Errorf("run: %w", err)
	}
	data = tomlx.WithoutMark(data)
	meta, err := decodeRun(path, data)
	if err == nil {
		err = checkMeaning(path, data)
	}
	return meta, data, err
}

// decodeRun reads and checks the content of run.toml. Errors name path and line.
func decodeRun(path string, data []byte) (Meta, error) {
	// The version is read first: a newer file may have keys that are unknown here.
	var version struct {
		Schema int `toml:"schema"`
	}
	if err := tomlx.DecodeAny(path, data, &version); err != nil {
		return Meta{}, err
	}
	if err := checkSchema(path, version.Schema); err != nil {
		return Meta{}, err
	}
	var doc runTOML
	err := tomlx.Decode(path, data, &doc, nil)
	if err != nil {
		return Meta{}, err
	}
	if doc.Meta.Seed, err = strconv.ParseUint(doc.Seed, 10, 64); err != nil {
		return Meta{}, fmt.Errorf("%s: seed %q is not a whole number from 0 to 2^64-1", path, doc.Seed)
	}
	if err := doc.check(); err != nil {
		return Meta{}, fmt.Errorf("%s: %w", path, err)
	}
	return doc.Meta, nil
}

// notRun explains why a directory without run.toml is not a run.
func notRun(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("no run at %s: there is no such folder", dir)
	case err != nil:
		return fmt.Errorf("no run at %s: %w", dir, err)
	case !info.IsDir():
		return fmt.Errorf("no run at %s: it is a file; name the run's folder", dir)
	}
	return fmt.Errorf("no run at %s: it holds no %s", dir, runName)
}

// checkSchema returns an error if this program does not read a version of the format.
func checkSchema(path string, schema int) error {
	i := slices.IndexFunc(versions, func(v version) bool { return v.number == schema })
	switch {
	case schema > newest:
		return fmt.Errorf("%s: format version %d is newer than this program, which reads versions %d to %d; use the program that wrote it "+
			"or a later one", path, schema, oldest, newest)
	case i < 0:
		return fmt.Errorf("%s: format version %d does not exist; the file is damaged or not of a run", path, schema)
	case !versions[i].read:
		return fmt.Errorf("%s: format version %d is older than this program, which reads versions %d to %d; play the run again, or use "+
			"selfplaylab %s, which wrote it", path, schema, oldest, newest, versions[i].program)
	}
	return nil
}

// decodeSpec decodes the [spec] table into the struct to which into points. It decodes the
// whole document with the type of Spec exchanged, so that errors have the right line.
func decodeSpec(path string, data []byte, into any) error {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fmt.Errorf("spec of a run decodes into a pointer, not a %T", into)
	}
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeFor[runTOML]()) {
		switch {
		case f.Anonymous || f.Tag.Get("toml") == "-":
			continue
		case f.Name == "Spec":
			f.Type = target.Type().Elem()
		}
		fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
	}
	doc := reflect.New(reflect.StructOf(fields))
	doc.Elem().FieldByName("Spec").Set(target.Elem()) // fields that are not in the file keep their values
	if err := tomlx.Decode(path, data, doc.Interface(), nil); err != nil {
		return err
	}
	target.Elem().Set(doc.Elem().FieldByName("Spec"))
	return nil
}

// pair is one entry of a part's metadata.
type pair struct{ key, value string }

// commandKey is the metadata key of a part's canonical command.
const commandKey = "selfplay.command"

// identity returns the metadata that every part repeats from run.toml. Program, Go release,
// CommandLine, Resume and Created are left out, because they may differ between runs of equal
// rows.
func (m Meta) identity() []pair {
	names, err := json.Marshal(append([]string{}, m.Parameters...))
	if err != nil {
		panic(err) // strings always marshal
	}
	return []pair{
		{"selfplay.schema", strconv.Itoa(m.Schema)},
		{"selfplay.kind", m.Kind},
		{"selfplay.game", m.Game},
		{"selfplay.game_version", strconv.Itoa(m.GameVersion)},
		{"selfplay.rules", m.Rules},
		{"selfplay.seed", strconv.FormatUint(m.Seed, 10)},
		{"selfplay.limits", m.Limits},
		{"selfplay.revision", m.Revision},
		{commandKey, m.Command},
		{"selfplay.parameters", string(names)},
	}
}
