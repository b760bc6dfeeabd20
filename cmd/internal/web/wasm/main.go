//go:build js && wasm

// Command wasm is the table compiled for a page without a server: it answers
// questions of a Web Worker until that is ended.
package main

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"syscall/js"

	"selfplaylab/cmd/internal/web/table"
)

func main() {
	js.Global().Set("selfplayAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		json := js.Global().Get("JSON")
		var q table.Question
		var answer any
		err := read(json.Call("parse", args[0]), reflect.ValueOf(&q).Elem())
		if err == nil {
			answer, err = table.Ask(context.Background(), q)
		}
		if err != nil {
			answer = map[string]string{"error": err.Error()}
		}
		return json.Call("stringify", plain(reflect.ValueOf(answer)))
	}))
	select {}
}

// read fills a struct from an object of the page by the tags of encoding/json: with the
// browser's own JSON the program is an eighth smaller than with that package.
func read(from js.Value, into reflect.Value) (err error) {
	for field, value := range into.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		x := from.Get(name)
		switch kind := field.Type.Kind(); {
		case x.IsUndefined():
		case kind == reflect.String && x.Type() == js.TypeString:
			value.SetString(x.String())
		case kind == reflect.Uint64 && x.Type() == js.TypeString:
			var n uint64
			if n, err = strconv.ParseUint(x.String(), 10, 64); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			value.SetUint(n)
		case kind == reflect.Int && x.Type() == js.TypeNumber:
			value.SetInt(int64(x.Int()))
		case kind == reflect.Float64 && x.Type() == js.TypeNumber:
			value.SetFloat(x.Float())
		default:
			return fmt.Errorf("%s is a %s, not a %s", name, x.Type(), field.Type)
		}
	}
	return nil
}

// plain is a value as js.ValueOf takes it, by the tags of encoding/json.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return plain(v.Elem())
	case reflect.Invalid:
		return nil
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			return nil
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		object := map[string]any{}
		addFields(object, v)
		return object
	case reflect.Map:
		object := map[string]any{}
		for key, value := range v.Seq2() {
			object[key.String()] = plain(value)
		}
		return object
	case reflect.Slice, reflect.Array:
		list := []any{}
		for _, value := range v.Seq2() {
			list = append(list, plain(value))
		}
		return list
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	}
	return v.Convert(reflect.TypeFor[float64]()).Float()
}

// addFields adds a struct's fields to an object, those of embedded structs too.
func addFields(object map[string]any, v reflect.Value) {
	for field, value := range v.Fields() {
		tag, given := field.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case field.Anonymous && !given:
			addFields(object, value)
		case !field.IsExported() || name == "-":
		case options == "omitempty" && (value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0):
		default:
			object[cmp.Or(name, field.Name)] = plain(value)
		}
	}
}
