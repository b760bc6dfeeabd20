// Package config reads and writes a struct by its tags for all callers: flags of a command, a table
// of an experiment file, a form, the canonical command. The tags are the only list of names and
// help. The values before a change are the defaults.
//
//	type Config struct {
//		Pairs  int            `toml:"pairs" arg:"N" help:"game pairs to play"`
//		A      player.Config  `toml:"a" arg:"PLAYER" help:"player A"`
//		Level  float64        `toml:"level" flag:"confidence" help:"confidence of intervals"`
//		Limits engines.Limits `toml:"-" flag:"limits" help:"budget of all players"`
//		Hash   string         `toml:"hash" flag:"-"`
//	}
//
// The tag group is the heading in help of a field and of the fields after it. The tag label names a
// field in words, for forms; without it they are those of its name. The tag toml names a
// value in run.toml, flag everywhere else; without flag the names are the same. A value with
// toml:"-" sets others and is not kept. A value with flag:"-" is kept and cannot be given. The tag
// alias lists former names of either kind, separated by commas, which are read for ever: renaming a
// field takes nothing else.
package config

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// Error is an error in one field of a config.
type Error struct {
	Field string // its name in files
	Text  string // text after the name: a value and its remedy
	Err   error  // or the error of reading it
}

// Error begins with the field's name.
func (e *Error) Error() string { return e.With(e.Field) }

// With returns the error with the field called by another name, such as its flag.
func (e *Error) With(name string) string {
	if e.Err != nil {
		return name + ": " + e.Err.Error()
	}
	return name + " " + e.Text
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an Error about a value, such as "0: want at least 1".
func Errorf(field, format string, args ...any) error {
	return &Error{Field: field, Text: fmt.Sprintf(format, args...)}
}

// Wrap makes an error one of a field; nil stays nil.
func Wrap(field string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Field: field, Err: err}
}

// Unset is a whole number that was not given: it has no text.
const Unset = math.MinInt

// Parts is a field that holds pointers to more structs, such as the settings of several methods.
// Their fields count as the config's own. Parts may share a name: a value under it is set in all of
// them, which must have the same type. The zero value of a part's field should mean "not set".
type Parts []any

// Names is a list that may also be written in one text, separated by commas.
type Names []string

// Field is one setting.
type Field struct {
	Name string // in files: small letters, joined by _
	Arg  string // placeholder of its value in help; "" for the kind of its type
	Help string
	// Label names the field in words, such as "Pairs of the verification".
	Label string
	// Aliases are the field's former names, which are still read.
	Aliases []string
	// Group is the heading in help: the tag group of the field, or of the nearest field
	// before it with one; "" for none.
	Group string

	value reflect.Value
	same  []reflect.Value // fields of other parts under the same name
	kept  bool            // in run.toml
	omit  bool            // left out if it is zero
	named bool            // players are written with their names
}

// Fields returns the fields of the struct that cfg points to. The fields of an embedded struct are
// listed in its place.
func Fields(cfg any) []Field {
	return fieldsOf(reflect.ValueOf(cfg).Elem())
}

func fieldsOf(v reflect.Value) []Field {
	var list []Field
	group, grouped := "", 0
	for i := range v.NumField() {
		f := v.Type().Field(i)
		group = cmp.Or(f.Tag.Get("group"), group)
		switch {
		case f.Type == reflect.TypeFor[Parts]():
			list = append(list, fieldsOfParts(v.Field(i).Interface().(Parts))...)
		case f.Anonymous:
			only, some := f.Tag.Lookup("only")
			for _, one := range fieldsOf(v.Field(i)) {
				if !some || slices.ContainsFunc(strings.Split(only, ","), one.Called) {
					list = append(list, one)
				}
			}
		default:
			if one := fieldOf(f, v.Field(i)); one.Name != "" && one.Name != "-" {
				list = append(list, one)
			}
		}
		for ; grouped < len(list); grouped++ {
			list[grouped].Group = cmp.Or(list[grouped].Group, group)
		}
	}
	return list
}

// fieldOf reads the tags of a struct field. A field without a name, or named "-", is no setting.
func fieldOf(f reflect.StructField, v reflect.Value) Field {
	key, written, _ := strings.Cut(f.Tag.Get("toml"), ",")
	name, option, _ := strings.Cut(f.Tag.Get("flag"), ",")
	one := Field{
		Name: cmp.Or(name, key), Arg: f.Tag.Get("arg"), Help: f.Tag.Get("help"), value: v,
		kept: key != "-", omit: written == "omitempty", named: option == "named",
	}
	if one.Label = f.Tag.Get("label"); one.Label == "" && one.Name != "" {
		one.Label = strings.ToUpper(one.Name[:1]) + strings.ReplaceAll(one.Name[1:], "_", " ")
	}
	if alias := f.Tag.Get("alias"); alias != "" {
		one.Aliases = strings.Split(alias, ",")
	}
	return one
}

// Called reports whether the field has, or had, a name.
func (f Field) Called(name string) bool { return f.Name == name || slices.Contains(f.Aliases, name) }

// NameOf returns the name of the field that a pointer leads to.
func NameOf(cfg, field any) string {
	for _, f := range Fields(cfg) {
		if f.of(field) {
			return f.Name
		}
	}
	panic(fmt.Sprintf("config: a %T is no field of %T", field, cfg))
}

// of reports whether a pointer leads to the field.
func (f Field) of(field any) bool { return f.value.Addr().Interface() == field }

// readable reports whether set reads a field of this type.
func (f Field) readable() bool {
	switch f.value.Addr().Interface().(type) {
	case encoding.TextUnmarshaler, *string, *bool, *int, **int, *[]int, *player.Config, *[]player.Config, *uint64, *float64, **float64, *[]float64,
		*time.Duration, *[]string, *Names:
		return true
	}
	return false
}

// fieldsOfParts lists the fields of parts, each name once.
func fieldsOfParts(parts Parts) []Field {
	var list []Field
	for _, part := range parts {
		for _, f := range Fields(part) {
			i := slices.IndexFunc(list, func(o Field) bool { return o.Name == f.Name })
			if i < 0 {
				list = append(list, f)
				continue
			}
			if f.value.Type() != list[i].value.Type() {
				panic(fmt.Sprintf("config: %s is one flag of several parts and needs one type, not %s and %s", f.Name,
					list[i].value.Type(), f.value.Type()))
			}
			list[i].same = append(list[i].same, f.value)
			if f.Help != list[i].Help {
				list[i].Help += "; " + f.Help
			}
		}
	}
	return list
}

// List reports whether the field takes several values.
func (f Field) List() bool {
	_, isText := f.value.Addr().Interface().(encoding.TextUnmarshaler)
	return f.value.Kind() == reflect.Slice && !isText
}

// parseFinite reads a number. NaN and infinities are errors.
func parseFinite(text string) (x float64, err error) {
	x, err = strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		err = errors.New("not finite")
	}
	return x, err
}

// Bool reports whether the field is true or false.
func (f Field) Bool() bool { return f.value.Kind() == reflect.Bool }

// Type names the type of the field's values.
func (f Field) Type() string {
	switch f.value.Interface().(type) {
	case int, int64, uint64, *int, []int:
		return "int"
	case float64, *float64:
		return "float"
	case time.Duration:
		return "TIME"
	case bool:
		return "bool"
	}
	return "string"
}

// Reset empties a list.
func (f Field) Reset() { f.each(reflect.Value.SetZero) }

// SetUnset sets the named field from text if it exists and is not set. It reports whether it
// did.
func SetUnset(cfg any, name, text string) (bool, error) {
	for _, f := range Fields(cfg) {
		if f.Called(name) && len(f.Texts()) == 0 {
			return true, f.Set(text)
		}
	}
	return false, nil
}

// each calls do with the value and with the values of other parts under the same name.
func (f Field) each(do func(reflect.Value)) {
	do(f.value)
	for _, v := range f.same {
		do(v)
	}
}

// Texts returns the value as text, or the values of a list; nil if the field is not set.
func (f Field) Texts() []string { return f.texts(nil) }

// texts is Texts, with the values of players by the names of a space.
func (f Field) texts(space params.Space) []string {
	if !f.readable() {
		panic(fmt.Sprintf("config: field %s has the type %s, which no text is read as", f.Name, f.value.Type()))
	}
	switch x := f.value.Interface().(type) {
	case *int:
		if x == nil {
			return nil
		}
		return []string{strconv.Itoa(*x)}
	case *float64:
		if x == nil {
			return nil
		}
		return []string{strconv.FormatFloat(*x, 'g', -1, 64)}
	case player.Config:
		return textIf(f.player(x, space))
	case int:
		if x == Unset {
			return nil
		}
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		if err != nil {
			return nil
		}
		return textIf(string(text))
	case time.Duration:
		if x == 0 {
			return nil
		}
	case string:
		return textIf(x)
	case []player.Config:
		var list []string
		for _, e := range x {
			list = append(list, f.player(e, space))
		}
		return list
	}
	if f.List() {
		var list []string
		for i := range f.value.Len() {
			list = append(list, fmt.Sprint(f.value.Index(i)))
		}
		return list
	}
	return []string{fmt.Sprint(f.value.Interface())}
}

// textIf returns a list of one text, or nil for "".
func textIf(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func (f Field) player(e player.Config, space params.Space) string {
	if text := e.Text(space); !f.named || e.Name == "" {
		return text
	}
	return e.Name + ":" + e.Text(space)
}

// Set parses text into the field. A list is extended by it. The error describes the values
// allowed.
func (f Field) Set(text string) error {
	if text == "" {
		return errors.New("want a value; leave it out for none")
	}
	var err error
	f.each(func(v reflect.Value) { err = cmp.Or(err, Field{Name: f.Name, value: v}.set(text)) })
	return err
}

func (f Field) set(text string) error {
	if u, ok := f.value.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	var err error
	switch to := f.value.Addr().Interface().(type) {
	case *string:
		*to = text
	case *bool:
		*to, err = strconv.ParseBool(text)
	case *int:
		*to, err = strconv.Atoi(text)
	case **int:
		n := 0
		n, err = strconv.Atoi(text)
		*to = &n
	case *[]int:
		for one := range strings.SplitSeq(text, ",") {
			n := 0
			if n, err = strconv.Atoi(strings.TrimSpace(one)); err != nil {
				break
			}
			*to = append(*to, n)
		}
	case *player.Config:
		*to = player.Ask(text)
	case *[]player.Config:
		*to = append(*to, player.Ask(text))
	case *uint64:
		*to, err = strconv.ParseUint(text, 10, 64)
	case *float64:
		*to, err = parseFinite(text)
	case **float64:
		*to = new(0.)
		**to, err = parseFinite(text)
	case *[]float64:
		x := 0.0
		x, err = strconv.ParseFloat(text, 64)
		*to = append(*to, x)
	case *time.Duration:
		*to, err = time.ParseDuration(text)
	case *[]string:
		*to = append(*to, text)
	case *Names:
		for name := range strings.SplitSeq(text, ",") {
			*to = append(*to, strings.TrimSpace(name))
		}
	}
	if n, whole := f.value.Interface().(int); err == nil && !(whole && n == Unset) {
		return nil
	}
	return fmt.Errorf("%q: want %s", text, f.wants())
}

// wants describes the values of a field of a plain type.
func (f Field) wants() string {
	switch f.value.Interface().(type) {
	case bool:
		return "true or false"
	case uint64:
		return "a whole number from 0 to 18446744073709551615"
	case float64, *float64, []float64:
		return "a number"
	case time.Duration:
		return "a time with its unit, such as 500ms or 60s"
	}
	return "a whole number of ordinary size"
}

// Table sets fields by a table of a TOML document, as decoded: texts, numbers,
// true or false, or lists of them. An unknown key is an Error that suggests a
// known one; keys are read in the order of the alphabet.
func Table(cfg any, table map[string]any) error {
	fields := Fields(cfg)
	for _, key := range slices.Sorted(maps.Keys(table)) {
		name := strings.ReplaceAll(key, "-", "_")
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Called(name) })
		if i < 0 {
			var names []string
			for _, f := range fields {
				names = append(names, f.Name)
			}
			return Errorf(key, "is not a known key%s", params.Suggest(key, names))
		}
		if err := fields[i].setAny(table[key]); err != nil {
			return Wrap(key, err)
		}
	}
	return nil
}

// setAny sets a field by a value of a TOML document.
func (f Field) setAny(value any) error {
	texts, err := Texts(value)
	if err != nil {
		return err
	}
	if f.List() {
		f.Reset()
	} else if len(texts) != 1 {
		return errors.New("want one value, not a list")
	}
	for _, text := range texts {
		if err := f.Set(text); err != nil {
			return err
		}
	}
	return nil
}

// Texts writes a value of a TOML document as a user would type it, a list value
// by value.
func Texts(value any) ([]string, error) {
	switch x := value.(type) {
	case string:
		return []string{x}, nil
	case []string:
		return x, nil
	case bool:
		return []string{strconv.FormatBool(x)}, nil
	case int, int64: // a caller's, a file's
		return []string{fmt.Sprint(x)}, nil
	case float64:
		return []string{strconv.FormatFloat(x, 'g', -1, 64)}, nil
	case []any:
		var all []string
		for _, item := range x {
			one, err := Texts(item)
			if err != nil {
				return nil, err
			}
			all = append(all, one...)
		}
		return all, nil
	}
	return nil, errors.New("want a text, a number, true or false, or a list of them")
}

// Setting is a field with its value as text.
type Setting struct {
	Name   string
	Values []string

	field Field
}

// Of reports whether a pointer leads to the field.
func (s Setting) Of(field any) bool { return s.field.of(field) }

// Words returns the flags that set the field. A list of names is one word.
func (s Setting) Words() []string {
	flag := "--" + strings.ReplaceAll(s.Name, "_", "-")
	var words []string
	for _, value := range s.Values {
		switch {
		case !s.field.Bool():
			words = append(words, flag, value)
		case value == "true":
			words = append(words, flag)
		default:
			words = append(words, flag+"="+value)
		}
	}
	return words
}

// Clear makes everything zero that is kept in files.
func Clear(kept any) { zero(reflect.ValueOf(kept).Elem()) }

func zero(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch key := f.Tag.Get("toml"); {
		case f.Anonymous && key == "":
			zero(v.Field(i))
		case key != "" && key != "-":
			v.Field(i).SetZero()
		}
	}
}

// All lists the recorded fields with the texts that set them. Values of players have the names of
// space. Zero values with omitempty are left out, as in files. Players are written with their names
// if the tag flag has the option named.
func All(kept any, space params.Space) []Setting {
	var settings []Setting
	for _, f := range Fields(kept) {
		if values := f.texts(space); f.kept && len(values) > 0 && !(f.omit && f.value.IsZero()) {
			settings = append(settings, f.setting(values))
		}
	}
	return settings
}

func (f Field) setting(values []string) Setting {
	if f.value.Type() == reflect.TypeFor[Names]() {
		values = []string{strings.Join(values, ",")}
	}
	return Setting{f.Name, values, f}
}

// Differences lists the fields in which a config differs from the defaults, another struct of
// its type.
func Differences(cfg, defaults any) []Setting {
	var settings []Setting
	from := Fields(defaults)
	for i, f := range Fields(cfg) {
		if now := f.Texts(); !slices.Equal(now, from[i].Texts()) {
			settings = append(settings, f.setting(now))
		}
	}
	return settings
}

// Values returns fields in the types that Table reads: whole numbers, numbers, booleans, texts and
// lists of texts. Unset fields are left out.
func Values(cfg any) map[string]any {
	table := map[string]any{}
	for _, f := range Fields(cfg) {
		texts := f.Texts()
		switch x := reflect.Indirect(f.value); {
		case len(texts) == 0:
		case f.List():
			list := []any{}
			for _, text := range texts {
				list = append(list, text)
			}
			table[f.Name] = list
		case x.Type() == reflect.TypeFor[int](), x.Type() == reflect.TypeFor[int64]():
			table[f.Name] = x.Int()
		case x.Type() == reflect.TypeFor[float64](), x.Type() == reflect.TypeFor[bool]():
			table[f.Name] = x.Interface()
		default: // also numbers above the largest of TOML
			table[f.Name] = texts[0]
		}
	}
	return table
}
