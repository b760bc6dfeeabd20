package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
)

// Format is a file format for exported rows.
type Format string

// The formats. In CSV and JSON lines a vector becomes one column a parameter, a.b_gain and so
// on, and every number is the shortest text that reads back as the same number.
const (
	CSV     Format = "csv"     // with a heading; an empty text is no value
	JSONL   Format = "jsonl"   // one object a line; rowSink describes numbers that JSON lacks
	Parquet Format = "parquet" // columns as in the run's own parts
)

// exportRow is a type of row that Export writes.
type exportRow interface {
	TrialRow | GameRow | MoveRow | PositionRow
}

// exportGroup is the number of rows of parquet that are held in memory: one row group.
const exportGroup = 1 << 16

// Export writes rows of the run with this meta to w, until ctx ends, and returns their number.
// run is the value of a first column that tells the rows of several runs apart, such as Meta.RunID;
// "" writes no such column. After an error w holds a part of the rows. The caller should buffer w.
func Export[T exportRow](ctx context.Context, w io.Writer, format Format, meta Meta, run string, rows iter.Seq2[T, error],
) (n int64, err error) {
	sink, err := newSink[T](w, format, meta, run)
	if err != nil {
		return 0, err
	}
	for row, err := range rows {
		if err == nil && n%1024 == 0 && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = sink.write(&row)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, sink.close()
}

// rowSink writes rows of one kind to a stream and holds little in memory. close ends the
// export, but does not close the stream.
//
// In JSON, uint64 values are strings, because many readers lose digits of large numbers; so are
// "NaN", "Infinity" and "-Infinity".
type rowSink[T exportRow] interface {
	write(*T) error
	close() error
}

// RunID identifies the run in exported tables: 16 digits of a hash of when and how it began. Resuming,
// extending, moving and renaming a run do not change it.
func (m *Meta) RunID() string {
	began := m.Created.UTC().Format(time.RFC3339Nano)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%s\n%s\n%d", began, m.CommandLine, m.Kind, m.Game, m.Rules, m.Seed))
	return hex.EncodeToString(sum[:8])
}

// runColumn is the name of the column with the run.
const runColumn = "run"

// newSink starts an export of rows. The caller must close it.
func newSink[T exportRow](w io.Writer, format Format, meta Meta, run string) (rowSink[T], error) {
	switch format {
	case CSV:
		t := newTextRow[T](meta)
		s, names := &csvSink[T]{textRow: t, w: csv.NewWriter(w)}, namesOf(t.columns)
		if run != "" {
			s.lead, names = []string{run}, append([]string{runColumn}, names...)
		}
		return s, s.w.Write(names)
	case JSONL:
		return newJSONSink[T](w, meta, run), nil
	case Parquet:
		return newParquetSink[T](w, meta, run), nil
	}
	return nil, fmt.Errorf("export format %q: want %s, %s or %s", format, CSV, JSONL, Parquet)
}

// textRow converts rows to texts.
type textRow[T exportRow] struct {
	columns []csvColumn
	buf     []byte
}

// newTextRow returns the columns of a row type for a run: a vector becomes a column for each of
// its parameters.
func newTextRow[T exportRow](meta Meta) textRow[T] {
	var t textRow[T]
	kind := reflect.TypeFor[T]()
	for i := range kind.NumField() {
		if !has(meta.Schema, kind.Field(i)) {
			continue
		}
		name, _, _ := strings.Cut(kind.Field(i).Tag.Get("parquet"), ",")
		if kind.Field(i).Type.Kind() != reflect.Slice {
			t.columns = append(t.columns, csvColumn{name: name, index: []int{i}})
			continue
		}
		for k, parameter := range meta.Parameters {
			t.columns = append(t.columns, csvColumn{name: name + "." + parameter, index: []int{i}, elements: []int{k}})
		}
	}
	return t
}

type csvSink[T exportRow] struct {
	textRow[T]
	w      *csv.Writer
	lead   []string // the run, if there is a column for it
	record []string
}

// write implements rowSink.
func (s *csvSink[T]) write(row *T) error {
	s.record = append(s.record[:0], s.lead...)
	whole := reflect.ValueOf(row).Elem()
	for _, c := range s.columns {
		switch v := c.in(whole); {
		case !v.IsValid():
			s.record = append(s.record, "")
		case v.Kind() == reflect.String:
			s.record = append(s.record, v.String())
		default:
			s.buf = appendNumber(s.buf[:0], v)
			s.record = append(s.record, string(s.buf))
		}
	}
	return s.w.Write(s.record)
}

func (c *csvSink[T]) close() error {
	c.w.Flush()
	return c.w.Error()
}

type jsonSink[T exportRow] struct {
	textRow[T]
	w    io.Writer
	keys [][]byte // of the columns, with the text before and after each
}

// newJSONSink returns a sink of JSON lines.
func newJSONSink[T exportRow](w io.Writer, meta Meta, run string) *jsonSink[T] {
	s := &jsonSink[T]{textRow: newTextRow[T](meta), w: w}
	for i, name := range namesOf(s.columns) {
		open := ","
		if i == 0 {
			open = "{"
		}
		if i == 0 && run != "" {
			open = fmt.Sprintf("{%q:%q,", runColumn, run)
		}
		s.keys = append(s.keys, append(appendString([]byte(open), name), ':'))
	}
	return s
}

// write implements rowSink.
func (j *jsonSink[T]) write(row *T) error {
	b := j.buf[:0]
	whole := reflect.ValueOf(row).Elem()
	for i, c := range j.columns {
		b = appendJSON(append(b, j.keys[i]...), c.in(whole))
	}
	j.buf = append(b, "}\n"...)
	_, err := j.w.Write(j.buf)
	return err
}

func (j *jsonSink[T]) close() error { return nil }

// appendJSON appends a value, null if there is none.
func appendJSON(b []byte, v reflect.Value) []byte {
	switch {
	case !v.IsValid():
		return append(b, "null"...)
	case v.Kind() == reflect.String:
		return appendString(b, v.String())
	case v.Kind() == reflect.Uint64:
		return append(appendNumber(append(b, '"'), v), '"')
	case v.Kind() == reflect.Float64 && math.IsNaN(v.Float()):
		return append(b, `"NaN"`...)
	case v.Kind() == reflect.Float64 && math.IsInf(v.Float(), 1):
		return append(b, `"Infinity"`...)
	case v.Kind() == reflect.Float64 && math.IsInf(v.Float(), -1):
		return append(b, `"-Infinity"`...)
	}
	return appendNumber(b, v)
}

// appendString appends a JSON string.
func appendString(b []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings always marshal
	}
	return append(b, quoted...)
}

// The rows of exported parquet, with the run.
type (
	trialOfRun struct {
		Run string `parquet:"run,dict"`
		TrialRow
	}
	gameOfRun struct {
		Run string `parquet:"run,dict"`
		GameRow
	}
	moveOfRun struct {
		Run string `parquet:"run,dict"`
		MoveRow
	}
	positionOfRun struct {
		Run string `parquet:"run,dict"`
		PositionRow
	}
)

// newParquetSink returns a sink of parquet with the run's metadata.
func newParquetSink[T exportRow](w io.Writer, meta Meta, run string) rowSink[T] {
	if run == "" {
		return parquetOf(w, meta, func(r *T) T { return *r })
	}
	var write any // of a *T
	var end func() error
	switch any((*T)(nil)).(type) {
	case *TrialRow:
		s := parquetOf(w, meta, func(r *TrialRow) trialOfRun { return trialOfRun{run, *r} })
		write, end = s.write, s.close
	case *GameRow:
		s := parquetOf(w, meta, func(r *GameRow) gameOfRun { return gameOfRun{run, *r} })
		write, end = s.write, s.close
	case *MoveRow:
		s := parquetOf(w, meta, func(r *MoveRow) moveOfRun { return moveOfRun{run, *r} })
		write, end = s.write, s.close
	case *PositionRow:
		s := parquetOf(w, meta, func(r *PositionRow) positionOfRun { return positionOfRun{run, *r} })
		write, end = s.write, s.close
	}
	return &calledSink[T]{write.(func(*T) error), end}
}

// calledSink is a rowSink of two functions.
type calledSink[T exportRow] struct {
	put func(*T) error
	end func() error
}

func (c *calledSink[T]) write(row *T) error { return c.put(row) }
func (c *calledSink[T]) close() error       { return c.end() }

// parquetSink writes rows of type T as rows of type W.
type parquetSink[T exportRow, W any] struct {
	w    *parquet.GenericWriter[W]
	of   func(*T) W
	one  []W
	held int
}

// parquetOf returns a sink that writes rows as of makes them.
func parquetOf[T exportRow, W any](w io.Writer, meta Meta, of func(*T) W) *parquetSink[T, W] {
	list := options[W](meta.Schema)
	for _, p := range meta.identity() {
		list = append(list, parquet.KeyValueMetadata(p.key, p.value))
	}
	return &parquetSink[T, W]{w: parquet.NewGenericWriter[W](w, list...), of: of, one: make([]W, 1)}
}

// write implements rowSink. It ends a row group after exportGroup rows.
func (p *parquetSink[T, W]) write(row *T) error {
	p.one[0] = p.of(row)
	if _, err := p.w.Write(p.one); err != nil {
		return err
	}
	if p.held++; p.held < exportGroup {
		return nil
	}
	p.held = 0
	return p.w.Flush()
}

func (p *parquetSink[T, W]) close() error { return p.w.Close() }
