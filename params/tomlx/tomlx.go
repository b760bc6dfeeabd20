// Package tomlx reads TOML files that people write. Errors name the line in plain words, and an
// unknown key is an error.
package tomlx

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Decode decodes TOML into the struct to which into points. Syntax errors, values of a wrong
// type and the first unknown key are reported as file:line, or as "line N" if filename is "".
// suggest returns what to add to the error of an unknown key, "table.key", given the known
// ones; it may be nil.
//
// A byte order mark is skipped, as WithoutMark does. A key may have a former name: the tag
// alias of a field lists former names, separated by commas. After an error the value may be
// changed in part.
func Decode(filename string, data []byte, into any, suggest func(key string, known []string) string) error {
	if err := DecodeAny(filename, data, into); err != nil {
		return err
	}
	data = WithoutMark(data)
	w := walkKeys(data, reflect.TypeOf(into))
	if key := w.found; key != "" {
		hint := ""
		if suggest != nil {
			hint = suggest(key[strings.LastIndexByte(key, '.')+1:], w.known)
		}
		return fmt.Errorf("%s: unknown key %q%s", place(filename, w.line), key, hint)
	}
	if w.former == nil {
		return nil
	}
	return DecodeAny(filename, present(data, w.former), into)
}

// place names a line of a file, or of a text without a name.
func place(filename string, line int) string {
	if filename == "" {
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("%s:%d", filename, line)
}

// maxKeys bounds the keys of a file: the library compares each key with all before it.
const maxKeys = 20_000

// DecodeAny decodes as Decode does, but ignores unknown keys.
func DecodeAny(filename string, data []byte, into any) error {
	data = WithoutMark(data)
	name, what := cmp.Or(filename, "the text"), ""
	switch {
	case bytes.IndexByte(data, 0) >= 0: // no text file has such a byte
		what = "no text"
	case bytes.HasPrefix(data, []byte("#!")):
		what = "a script"
	}
	if what != "" {
		return fmt.Errorf("%s is %s; a program is named in an engine file (cmd, protocol, games), as in engine:FILE.toml", name, what)
	}
	if n := bytes.Count(data, []byte("=")); n > maxKeys {
		return fmt.Errorf("%s: it has about %d keys; want at most %d", name, n, maxKeys)
	}
	err := toml.Unmarshal(data, into)
	if syntax, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, column := syntax.Position()
		return fmt.Errorf("%s:%d: %s", place(filename, row), column, inWords(syntax))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// wrongType matches the library's error for a value of a wrong type, which names Go types.
var wrongType = regexp.MustCompile(`^toml: cannot (?:decode TOML|store an?) (.+?) in(?:to| a) (?:struct field .+ of type )?(.+)$`)

// typeWords names types in plain words, by the beginning of their Go names.
var typeWords = [...][2]string{
	{"string", "a text in quotes"}, {"bool", "true or false"}, {"int", "a whole number"}, {"uint", "a whole number"}, {"float", "a number"},
	{"[", "a list in [ ]"}, {"", "a table"},
}

// inWords rewrites an error of the library for readers who do not know Go.
func inWords(e *toml.DecodeError) string {
	text := e.Error()
	switch m := wrongType.FindStringSubmatch(text); {
	case m != nil:
		i := slices.IndexFunc(typeWords[:], func(w [2]string) bool { return strings.HasPrefix(m[2], w[0]) })
		return fmt.Sprintf("%s: %s in the place of %s", strings.Join(e.Key(), "."), m[1], typeWords[i][1])
	case strings.Contains(text, "after key"):
		text += " (a key with spaces stands in quotes)"
	case strings.Contains(text, "escape"):
		text += ` (a text with backslashes, such as 'C:\engine.exe', stands in single quotes)`
	case strings.Contains(text, "at start of value"):
		text += " (a text stands in quotes)"
	}
	return text
}

// WithoutMark returns data without the byte order mark that some editors put before a text.
// UTF-16 with a mark, as PowerShell's > writes it, becomes UTF-8. Other data is returned
// unchanged, without a copy.
func WithoutMark(data []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	}
	units := make([]uint16, len(data)/2-1)
	for i := range units {
		units[i] = order.Uint16(data[2+2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// KeyLines returns the line, from 1, of every key of a TOML text by its table, and under "" the
// line of the table's heading. The table at the top is "", the n-th table of an array [[t]],
// from 1, is "t#n". A table that the text lacks has no lines.
func KeyLines(data []byte) map[string]map[string]int {
	tables := map[string]map[string]int{"": {}}
	arrays := map[string]int{}
	current := tables[""]
	data = WithoutMark(data)
	parser := unstable.Parser{}
	parser.Reset(data)
	line, seen := 1, 0 // the parser would search each line from the first one again
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
			current = map[string]int{"": row}
			tables[fmt.Sprintf("%s#%d", name, arrays[name])] = current
		case unstable.Table:
			if n := arrays[parts[0]]; n > 0 {
				parts[0] = fmt.Sprintf("%s#%d", parts[0], n)
			}
			current = map[string]int{"": row}
			tables[strings.Join(parts, ".")] = current
		case unstable.KeyValue:
			if len(parts) == 1 {
				current[parts[0]] = row
			}
		}
	}
	return tables
}
