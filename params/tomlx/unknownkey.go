package tomlx

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2/unstable"
)

// walkKeys finds the first key of a TOML document for which type t has no field, and the keys by
// former names before it. The document must be correct.
//
// It reads the document once. The library's own search splits the document into lines again
// for each unknown key, which takes seconds for thousands of them.
func walkKeys(data []byte, t reflect.Type) keyWalk {
	parser := &unstable.Parser{}
	parser.Reset(data)
	w := keyWalk{parser: parser}
	table := t
	var path []string
	for parser.NextExpression() && w.found == "" {
		e := parser.Expression()
		if e.Kind == unstable.KeyValue {
			w.keyValue(e, table, path)
			continue
		}
		table, path = w.descend(e, t, nil)
	}
	return w
}

// keyWalk walks through a document until it finds a key without a field.
type keyWalk struct {
	parser *unstable.Parser
	found  string
	line   int
	known  []string
	former []renamed // keys by former names, in order
}

// renamed is a place in a document where a key has a former name, and its present one.
type renamed struct {
	at  unstable.Range
	now string
}

// present returns a document with the present names of keys that have former ones. Lines stay.
func present(data []byte, former []renamed) []byte {
	var b []byte
	end := 0
	for _, r := range former {
		b = append(append(b, data[end:r.at.Offset]...), r.now...)
		end = int(r.at.Offset + r.at.Length)
	}
	return append(b, data[end:]...)
}

// descend follows a node's key from a value of type t at path. It returns the type and path
// of the value there. A nil type takes any key.
func (k *keyWalk) descend(node *unstable.Node, t reflect.Type, path []string) (reflect.Type, []string) {
	path = path[:len(path):len(path)]
	for keys := node.Key(); keys.Next() && k.found == ""; {
		name := string(keys.Node().Data)
		path = append(path, name)
		inner, now, ok := fieldOf(t, name)
		if now != name {
			k.former = append(k.former, renamed{keys.Node().Raw, now})
		}
		if !ok {
			k.found, k.line = strings.Join(path, "."), k.parser.Shape(keys.Node().Raw).Start.Line
			k.known = fieldNames(t)
		}
		t = inner
	}
	return t, path
}

// keyValue checks a key and the tables in its value.
func (k *keyWalk) keyValue(node *unstable.Node, t reflect.Type, path []string) {
	t, path = k.descend(node, t, path)
	if k.found == "" && t != nil {
		k.value(node.Value(), t, path)
	}
}

// value checks the keys in a value: of an inline table, and of the elements of an array.
func (k *keyWalk) value(node *unstable.Node, t reflect.Type, path []string) {
	switch node.Kind {
	case unstable.InlineTable:
		for entries := node.Children(); entries.Next() && k.found == ""; {
			k.keyValue(entries.Node(), t, path)
		}
	case unstable.Array:
		for elements := node.Children(); elements.Next() && k.found == ""; {
			k.value(elements.Node(), t, path)
		}
	}
}

// fieldNames lists the keys of type t.
func fieldNames(t reflect.Type) (names []string) {
	for _, f := range fieldsOf(within(t)) {
		names = append(names, f.name)
	}
	return names
}

// within returns the element type of pointers and lists.
func within(t reflect.Type) reflect.Type {
	for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		t = t.Elem()
	}
	return t
}

// fieldOf returns the type of the field of t under a key, and the present name of the key. ok is
// false if there is no such field. A nil type takes any value.
func fieldOf(t reflect.Type, key string) (in reflect.Type, name string, ok bool) {
	t = within(t)
	switch {
	case t == nil || t.Kind() == reflect.Interface:
		return nil, key, true
	case t.Kind() == reflect.Map:
		return t.Elem(), key, true
	case t.Kind() != reflect.Struct:
		return nil, key, true // decoding reports the wrong type
	}
	fields := fieldsOf(t)
	for _, f := range fields {
		if strings.EqualFold(f.name, key) {
			return f.in, key, true
		}
	}
	for _, f := range fields {
		if slices.Contains(f.former, key) {
			return f.in, f.name, true
		}
	}
	return nil, key, false
}

// field is a key of a struct type.
type field struct {
	name   string
	former []string // its names in older files
	in     reflect.Type
}

// known caches the fields of struct types, because a list of runs decodes thousands of files.
var known sync.Map // of reflect.Type to []field

// fieldsOf returns the keys of a struct type and of its embedded structs. It reads each type once.
// Several goroutines may call it at once; the list must not be changed.
func fieldsOf(t reflect.Type) []field {
	if list, ok := known.Load(t); ok {
		return list.([]field)
	}
	var list []field
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		name = cmp.Or(name, f.Name)
		embedded := f.Anonymous && f.Tag.Get("toml") == ""
		if f.IsExported() && name != "-" && !embedded {
			one := field{name: name, in: f.Type}
			if alias := f.Tag.Get("alias"); alias != "" {
				one.former = strings.Split(alias, ",")
			}
			list = append(list, one)
		}
	}
	known.Store(t, list)
	return list
}
