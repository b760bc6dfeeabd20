package datasets

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/params/tomlx"
)

// csvColumn is a column of a text format: a field of a row, or an element of an array or vector
// in it.
type csvColumn struct {
	name     string
	index    []int // index of the field, for reflection
	elements []int // indices in the field's array or vector
	decimals int   // -1 for as many as necessary
	derived  bool  // written, but not read
}

// csvColumns returns the columns of a row type. A field's tag is
//
//	`csv:"name"`           a text, truth value, count or number
//	`csv:"name,4"`         a number with four decimals
//	`csv:"name,derived"`   follows from other fields: written, but not read
//
// Fields without a tag are not columns, but the fields of embedded structs are. An array
// becomes a column for each element, with its indices after the name.
func csvColumns(row reflect.Type) (columns []csvColumn) {
	for _, f := range reflect.VisibleFields(row) {
		tag, tagged := f.Tag.Lookup("csv")
		if !tagged {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		c := csvColumn{name: name, index: f.Index, decimals: -1}
		for option := range strings.SplitSeq(options, ",") {
			if digits, err := strconv.Atoi(option); err == nil {
				c.decimals = digits
			}
			c.derived = c.derived || option == "derived"
		}
		columns = append(columns, c.spread(f.Type)...)
	}
	return columns
}

// spread returns a column for each element of an array, and c for other types.
func (c csvColumn) spread(t reflect.Type) []csvColumn {
	if t.Kind() != reflect.Array {
		return []csvColumn{c}
	}
	var columns []csvColumn
	for i := range t.Len() {
		e := c
		e.name, e.elements = c.name+strconv.Itoa(i), append(slices.Clone(c.elements), i)
		columns = append(columns, e.spread(t.Elem())...)
	}
	return columns
}

// in returns the column's value in a row. It is not valid if the row has none.
func (c csvColumn) in(row reflect.Value) reflect.Value {
	v := row.FieldByIndex(c.index)
	for _, i := range c.elements {
		if i >= v.Len() {
			return reflect.Value{}
		}
		v = v.Index(i)
	}
	if v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	return v
}

// namesOf returns the names of columns.
func namesOf(columns []csvColumn) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

// EncodeCSV returns rows as CSV with a heading. The columns are the fields of T with a tag such
// as `csv:"name"` or, for a number with four decimals, `csv:"name,4"`. NaN is written as an
// empty text.
func EncodeCSV[T any](rows []T) ([]byte, error) {
	columns := csvColumns(reflect.TypeFor[T]())
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	record := namesOf(columns)
	err := w.Write(record)
	for i := range rows {
		for k, c := range columns {
			record[k] = c.text(c.in(reflect.ValueOf(&rows[i]).Elem()))
		}
		err = errors.Join(err, w.Write(record))
	}
	w.Flush()
	return b.Bytes(), errors.Join(err, w.Error())
}

// text returns a value as CSV writes it.
func (c csvColumn) text(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Float64 && math.IsNaN(v.Float()):
		return ""
	case v.Kind() == reflect.Float64 && c.decimals >= 0:
		return strconv.FormatFloat(v.Float(), 'f', c.decimals, 64)
	}
	return string(appendNumber(nil, v))
}

// DecodeCSV returns the rows that EncodeCSV wrote. Errors have filename and line. Columns
// tagged as derived are not read.
func DecodeCSV[T any](filename string, data []byte) ([]T, error) {
	columns := csvColumns(reflect.TypeFor[T]())
	in := csv.NewReader(bytes.NewReader(tomlx.WithoutMark(data)))
	head, err := in.Read()
	if names := namesOf(columns); err != nil || !slices.Equal(head, names) {
		return nil, fmt.Errorf("%s:1: want the columns %s", filename, strings.Join(names, ","))
	}
	var rows []T
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filename, err)
		}
		var row T
		for i, c := range columns {
			if c.derived {
				continue
			}
			if err := c.parse(record[i], c.in(reflect.ValueOf(&row).Elem())); err != nil {
				line, _ := in.FieldPos(i)
				return nil, fmt.Errorf("%s:%d: %s = %q: %w", filename, line, c.name, record[i], err)
			}
		}
		rows = append(rows, row)
	}
}

// parse reads a value as text writes it.
func (c csvColumn) parse(text string, into reflect.Value) error {
	switch into.Kind() {
	case reflect.String:
		into.SetString(text)
	case reflect.Bool:
		ok, err := strconv.ParseBool(text)
		if err != nil {
			return errors.New("want true or false")
		}
		into.SetBool(ok)
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if text == "" {
			x, err = math.NaN(), nil
		}
		if err != nil {
			return errors.New("want a number")
		}
		into.SetFloat(x)
	default:
		n, err := strconv.ParseInt(text, 10, into.Type().Bits())
		if err != nil || n < 0 {
			return errors.New("want a count")
		}
		into.SetInt(n)
	}
	return nil
}

// appendNumber appends a number or truth value as text.
func appendNumber(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Int, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Float64:
		form := byte('g')
		if size := math.Abs(v.Float()); size >= 1e6 && size < 1e21 { // as in JSON: 1999999997, not 1.999999997e+09
			form = 'f'
		}
		return strconv.AppendFloat(b, v.Float(), form, -1, 64)
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	}
	panic("datasets: no text of a " + v.Kind().String()) // row types are constants
}
