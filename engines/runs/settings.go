package runs

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// setting is one thing that decides a run's games, by its key in run.toml.
type setting struct{ key, value string }

// settings lists what decides the games of a run, but for its game, rules and seed,
// in the order of run.toml. Names of players and files are no part of it.
func settings(r *Recorded) []setting {
	l := &lister{names: r.Log.Meta.Parameters}
	l.add("", reflect.ValueOf(r.Spec))
	return l.list
}

// without returns the settings of a list that another list lacks, as text.
func without(list, other []setting) string {
	var words []string
	for _, s := range list {
		if !slices.Contains(other, s) {
			words = append(words, s.key+" "+s.value)
		}
	}
	return cmp.Or(strings.Join(words, ", "), "(nothing more)")
}

// lister lists the fields of a spec.
type lister struct {
	names []string // of parameters
	list  []setting
}

// add lists a value under a key: of a struct its fields by their toml tags.
func (l *lister) add(key string, v reflect.Value) {
	if e, is := v.Interface().(player.Config); is {
		l.player(key, e)
		return
	}
	if m, is := v.Interface().(encoding.TextMarshaler); is && v.Kind() != reflect.Pointer {
		text, err := m.MarshalText()
		if err != nil {
			text = []byte(err.Error())
		}
		l.list = append(l.list, setting{key, string(text)})
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			l.add(key, v.Elem())
		}
	case reflect.Struct:
		l.fields(key, v)
	case reflect.Slice:
		for i := range v.Len() {
			l.add(fmt.Sprintf("%s[%d]", key, i), v.Index(i))
		}
	default:
		l.list = append(l.list, setting{key, fmt.Sprint(v.Interface())})
	}
}

// fields lists the fields of a struct; those of an embedded one are in its place.
// The name of a file of openings does not matter: its hash does.
func (l *lister) fields(key string, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		switch {
		case f.Anonymous && name == "":
			l.add(key, v.Field(i))
		case name != "" && name != "-" && name != "openings":
			l.add(strings.TrimPrefix(key+"."+name, "."), v.Field(i))
		}
	}
}

// player lists how a player plays.
func (l *lister) player(key string, e player.Config) {
	if e.Engine != nil {
		l.list = append(l.list, setting{key, "engine:" + strings.Join(append([]string{e.Engine.File}, e.Engine.Set...), ",")})
	}
	for i, x := range e.Values {
		name := fmt.Sprint(i)
		if i < len(l.names) {
			name = l.names[i]
		}
		l.list = append(l.list, setting{key, name + "=" + params.FormatValue(x)})
	}
	l.list = append(l.list, setting{key, "@" + e.Limits.String()})
}
