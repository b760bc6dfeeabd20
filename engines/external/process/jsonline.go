package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// DecodeLine reads a line of JSON into the struct that into points to.
// It refuses unknown keys.
// Its errors are for the author of the program, who need not know Go.
func DecodeLine(line string, into any) error {
	line = strings.TrimPrefix(line, "\ufeff")
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	typed, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case err == nil && d.More():
		return errors.New("more than one JSON value on a line")
	case err == nil:
		return nil
	case ok:
		found, number, _ := strings.Cut(typed.Value, " ")
		kind := typed.Type.Kind()
		text := fmt.Sprintf("%s in the place of %s", found, kindWords[kind])
		if number != "" && (kind == reflect.Float64 || strings.Trim(number, "0123456789") == "") {
			text = number + " is too large"
		}
		if key := typed.Field[strings.LastIndexByte(typed.Field, '.')+1:]; key != "" {
			text = key + ": " + text
		}
		return errors.New(text)
	case !strings.HasPrefix(strings.TrimSpace(line), "{"):
		return errors.New("no JSON object")
	case notFinite.MatchString(line):
		return errors.New("JSON has no NaN and no Infinity")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// notFinite finds Python's forms of numbers that JSON lacks.
var notFinite = regexp.MustCompile(`[:\[,]\s*-?(NaN|Infinity)\b`)

// kindWords are the names of the kinds of values; other kinds are objects.
var kindWords = map[reflect.Kind]string{
	reflect.String: "a text", reflect.Bool: "true or false", reflect.Float64: "a number", reflect.Slice: "a list", reflect.Array: "a list",
	reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Uint64: "a whole number", reflect.Struct: "an object",
	reflect.Map: "an object",
}
