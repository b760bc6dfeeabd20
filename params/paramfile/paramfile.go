// Package paramfile reads and writes parameter files: one vector of a game's parameters in a
// form that people read, edit and exchange.
package paramfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/params"
	"selfplaylab/params/tomlx"
)

// File is a parameter file: one vector for one game. Its fields are the keys of the file.
type File struct {
	Game   string        // as engines call it, such as "gobang"
	Name   string        // of the vector; "" if the file has none
	Doc    string        // one line about the values; "" for none
	Vector params.Vector // complete: missing parameters have their defaults
	Edited bool          // the values were changed by hand, so Doc may not hold for them
}

// fileTOML is the layout of a parameter file.
type fileTOML struct {
	Game   string         `toml:"game"`
	Name   string         `toml:"name"`
	Doc    string         `toml:"doc,multiline"`
	Sum    string         `toml:"values_sha256"` // hash of the values that Doc describes; "" in files written by hand
	Values map[string]any `toml:"values"`
}

// Read reads a parameter file of game. Parameters missing from the file keep their defaults.
// Another game, an unknown name or a value outside its range is an error with file, line and
// allowed range.
func Read(path, game string, space params.Space) (File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return File{}, fmt.Errorf("parameter file: %w", err)
	}
	return Decode(path, data, game, space)
}

// Game returns the game that a parameter file names, "" if none. It checks nothing else. An
// error says why the file cannot be read.
func Game(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("parameter file: %w", err)
	}
	var doc fileTOML
	err = toml.Unmarshal(tomlx.WithoutMark(data), &doc)
	return doc.Game, err
}

// Decode reads the content of a file as Read does. Errors name filename.
func Decode(filename string, data []byte, game string, space params.Space) (File, error) {
	var doc fileTOML
	if err := tomlx.Decode(filename, data, &doc, params.Suggest); err != nil {
		return File{}, err
	}
	switch {
	case doc.Game == "":
		return File{}, fmt.Errorf("%s: no game; add a line such as game = %q", filename, game)
	case doc.Game != game:
		return File{}, fmt.Errorf("%s: holds parameters of %s, not of %s", filename, doc.Game, game)
	case doc.Values == nil:
		return File{}, fmt.Errorf("%s: no [values] table", filename)
	}
	lines := func() map[string]int { return tomlx.KeyLines(data)["values"] }
	v, err := space.Fill(filename, lines, space.Default(), doc.Values)
	if err != nil {
		return File{}, err
	}
	edited := doc.Sum != "" && doc.Sum != sum(space, v, slices.Sorted(maps.Keys(doc.Values)))
	return File{Game: doc.Game, Name: doc.Name, Doc: doc.Doc, Vector: v, Edited: edited}, nil
}

// sum hashes the named values of a vector, in the order of the names.
func sum(space params.Space, v params.Vector, names []string) string {
	h := sha256.New()
	for _, name := range names {
		i := space.Index(name)
		fmt.Fprintf(h, "%s = %s\n", name, space[i].Format(v[i]))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// EditedMark follows the name of a player if its parameter file was edited after a run wrote
// it with its verdict.
const EditedMark = " (edited)"

// Encode returns the file of f, which must hold a vector of space. Decode reads the same values
// back and Edited false. Parameters are in the order of the space, each with its meaning as a
// comment.
func (f File) Encode(space params.Space) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "game = %q\nname = %q\n", f.Game, f.Name)
	if f.Doc != "" {
		fmt.Fprintf(&b, "doc = %q\n", f.Doc)
	}
	fmt.Fprintf(&b, "values_sha256 = %q\n\n[values]\n", sum(space, f.Vector, slices.Sorted(slices.Values(space.Names()))))
	for i, p := range space {
		text := p.Format(f.Vector[i])
		if len(p.Labels) > 0 {
			text = fmt.Sprintf("%q", text)
		}
		line := key(p.Name) + " = " + text
		if p.Doc != "" {
			line = fmt.Sprintf("%-28s # %s", line, strings.Join(strings.Fields(p.Doc), " "))
		}
		b.WriteString(line + "\n")
	}
	return b.Bytes()
}

// key returns a name as a TOML key, in quotes if it has blanks or dots.
func key(name string) string {
	plain := func(r rune) bool {
		return r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return strconv.Quote(name)
}
