//go:build !js

package params

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"selfplaylab/params/tomlx"
)

// File is a parameter file: one vector for one game, as people read, edit and
// exchange it.
type File struct {
	Game   string
	Name   string
	Doc    string
	Vector Vector
	Edited bool // the values were changed by hand, so Doc may not hold for them
}

// fileTOML is the layout of a parameter file.
type fileTOML struct {
	Game   string         `toml:"game"`
	Name   string         `toml:"name"`
	Doc    string         `toml:"doc,multiline"`
	Sum    string         `toml:"values_sha256"` // of the values that Doc is about; "" in files written by hand
	Values map[string]any `toml:"values"`
}

// ReadFile reads a parameter file for game. A parameter that the file does not
// name keeps its default; a name, type or value the space does not allow is an
// error with file, line and allowed range.
func ReadFile(path, game string, space Space) (File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return File{}, fmt.Errorf("parameter file: %w", err)
	}
	return Decode(path, data, game, space)
}

// FileGame reads which game a parameter file is for; nothing else of it is checked.
func FileGame(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("parameter file: %w", err)
	}
	var doc fileTOML
	err = toml.Unmarshal(WithoutMark(data), &doc)
	return doc.Game, err
}

// Decode is ReadFile on bytes; filename appears in errors.
func Decode(filename string, data []byte, game string, space Space) (File, error) {
	var doc fileTOML
	if err := DecodeStrict(filename, data, &doc); err != nil {
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
	lines := func() map[string]int { return KeyLines(data, "values") }
	v, err := fill(filename, lines, space, space.Default(), doc.Values)
	if err != nil {
		return File{}, err
	}
	edited := doc.Sum != "" && doc.Sum != sum(space, v, slices.Sorted(maps.Keys(doc.Values)))
	return File{Game: doc.Game, Name: doc.Name, Doc: doc.Doc, Vector: v, Edited: edited}, nil
}

// sum is a hash of the named values of a vector, in the order of the names.
func sum(space Space, v Vector, names []string) string {
	h := sha256.New()
	for _, name := range names {
		i := space.Index(name)
		fmt.Fprintf(h, "%s = %s\n", name, space[i].Format(v[i]))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// EditedMark follows the name of a player whose parameter file was changed by hand after
// a run wrote it with its verdict.
const EditedMark = " (edited)"

// Encode writes f so that Decode reads the same values back, in space's order
// and with every parameter's meaning as a comment.
func (f File) Encode(space Space) []byte {
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
		if p.Doc == "" {
			fmt.Fprintf(&b, "%s = %s\n", p.Name, text)
			continue
		}
		fmt.Fprintf(&b, "%-28s # %s\n", p.Name+" = "+text, p.Doc)
	}
	return b.Bytes()
}

// DecodeStrict decodes TOML into the value that into points to, turning syntax
// errors and the first unknown key into file:line errors. A byte order mark before
// the text is skipped. After an unknown key, what into points to may be changed.
func DecodeStrict(filename string, data []byte, into any) error {
	err := tomlx.Decode(filename, data, into)
	if u, ok := errors.AsType[*tomlx.UnknownKey](err); ok {
		return fmt.Errorf("%w%s", u, Suggest(u.Key[strings.LastIndexByte(u.Key, '.')+1:], u.Known))
	}
	return err
}

// WithoutMark drops the byte order mark that some editors put before a text.
func WithoutMark(data []byte) []byte { return tomlx.WithoutMark(data) }

// KeyLines returns the line of every key directly inside the named table of a
// TOML text, and under "" that of the table's heading. The n-th table of an array
// [[t]] is called "t#n".
func KeyLines(data []byte, table string) map[string]int {
	lines := map[string]int{}
	arrays := map[string]int{}
	current := ""
	data = WithoutMark(data)
	parser := unstable.Parser{}
	parser.Reset(data)
	line, seen := 1, 0 // the parser's own search for a line begins at the first one each time
	for parser.NextExpression() {
		e := parser.Expression()
		var parts []string
		row := 0
		for keys := e.Key(); keys.Next(); {
			node := keys.Node()
			if row == 0 {
				at := int(node.Raw.Offset)
				line += bytes.Count(data[seen:at], []byte("\n"))
				row, seen = line, at
			}
			parts = append(parts, string(node.Data))
		}
		switch e.Kind {
		case unstable.ArrayTable:
			name := strings.Join(parts, ".")
			arrays[name]++
			current = fmt.Sprintf("%s#%d", name, arrays[name])
			if current == table {
				lines[""] = row
			}
		case unstable.Table:
			if n := arrays[parts[0]]; n > 0 {
				parts[0] = fmt.Sprintf("%s#%d", parts[0], n)
			}
			if current = strings.Join(parts, "."); current == table {
				lines[""] = row
			}
		case unstable.KeyValue:
			if current == table && len(parts) == 1 {
				lines[parts[0]] = row
			}
		}
	}
	return lines
}

func presetTables(filename string, data []byte) (doc presetsTOML, err error) {
	err = DecodeStrict(filename, data, &doc)
	return doc, err
}

// presetLines are the lines of the values of the n-th preset, from 1.
func presetLines(data []byte, n int) map[string]int {
	return KeyLines(data, fmt.Sprintf("preset#%d.values", n))
}
