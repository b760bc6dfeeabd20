package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// table describes one table of a run: a folder of parts with rows of type T.
type table[T any] struct {
	name string
	key  func(T) (trial int64, phase string)
	// count is the metadata key of a part's number of rows.
	count string
	// rows returns the number of the table's rows for the trials of part k.
	rows func(l *Log, k int) (int64, error)
	// follows reports whether a row of trial b may come after a row of trial a.
	follows func(a, b int64) bool
	// chosen, if not nil, reports whether a filter chooses a row, given that it chooses the
	// row's trial.
	chosen  func(Filter, T) bool
	columns func(schema int) []format.SchemaElement // in the form of parquet footers
}

// Metadata keys of the numbers of rows.
const (
	trialsKey = "selfplay.trials"
	gamesKey  = "selfplay.games"
	movesKey  = "selfplay.moves"
)

// identity returns the metadata that the table's parts repeat from run.toml. Only parts of the
// moves table have the setting of that table, so recording moves does not change other tables.
func (t table[T]) identity(m Meta) []pair {
	if t.count != movesKey {
		return m.identity()
	}
	return append(m.identity(), pair{"selfplay.record_moves", string(m.RecordMoves)})
}

// size returns the metadata about the content of a part.
func (t table[T]) size(s span, rows int) []pair {
	if t.count != movesKey {
		return s.pairs()
	}
	return append(s.pairs(), pair{movesKey, strconv.Itoa(rows)})
}

// columns returns a function that returns the column list of a table by format version; each
// list is made once. The library's own comparison of schemas ignores the order of columns and
// matches them by name, so one damaged name would shift the values of others.
func columns[T any]() func(schema int) []format.SchemaElement {
	list := func(schema int) func() []format.SchemaElement {
		return sync.OnceValue(func() []format.SchemaElement {
			var b bytes.Buffer
			if err := parquet.NewGenericWriter[T](&b, without[T](schema)).Close(); err != nil {
				panic(err) // row types are constants
			}
			f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil {
				panic(err)
			}
			return f.Metadata().Schema
		})
	}
	byVersion := map[int]func() []format.SchemaElement{}
	for _, v := range versions {
		byVersion[v.number] = list(v.number)
	}
	return func(schema int) []format.SchemaElement { return byVersion[schema]() }
}

// without returns options that leave out the columns that rows of type T do not have in a
// format version.
func without[T any](schema int) *parquet.SchemaConfig {
	var config parquet.SchemaConfig
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if !has(schema, f) {
			parquet.StructTag(`parquet:"-"`, f.Name).ConfigureSchema(&config)
		}
	}
	return &config
}

// has reports whether a field of a row is a column in a version of the format.
func has(schema int, f reflect.StructField) bool {
	return schema >= taggedVersion(f, "since", 0) && schema <= taggedVersion(f, "until", math.MaxInt)
}

// taggedVersion returns the version in a field's tag, or without if the field has no such tag.
func taggedVersion(f reflect.StructField, tag string, without int) int {
	text, ok := f.Tag.Lookup(tag)
	if !ok {
		return without
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err) // row types are constants
	}
	return n
}

func (t table[T]) path(dir string, k int) string { return filepath.Join(dir, t.name, partName(k)) }

func (t table[T]) folder(dir string) string { return filepath.Join(dir, t.name) }

func partName(k int) string { return fmt.Sprintf("part-%06d.parquet", k) }

// span is the content of a part: whole trials with all their games, in all tables.
type span struct {
	first  int64 // first trial
	trials int64
	games  int64
}

func (s span) end() int64 { return s.first + s.trials }

// pairs returns the span as metadata of a part.
func (s span) pairs() []pair {
	return []pair{
		{"selfplay.first_trial", strconv.FormatInt(s.first, 10)},
		{trialsKey, strconv.FormatInt(s.trials, 10)},
		{gamesKey, strconv.FormatInt(s.games, 10)},
	}
}

// compression is a level that suits the moves, nine tenths of the bytes. The next level saves a
// few per cent and costs as much time as a fifth of a core's play. A list of dictionary words
// would save more, but cost every reader a nested column. Vectors stay plain, because
// dictionaries and byte streams make them larger.
var compression = &zstd.Codec{Level: zstd.SpeedBetterCompression}

// pageSize lets every column of most parts be one page, so that zstd compresses it as a whole:
// the moves of 4,096 games of Quoridor have 1 MB. A larger size costs time, because the library
// allocates it for some columns.
const pageSize = 1 << 20

// options returns the options of every file of rows. Without them the library would write its own
// version into the file.
func options[T any](schema int) []parquet.WriterOption {
	return []parquet.WriterOption{
		without[T](schema), parquet.CreatedBy("selfplaylab-datasets", strconv.Itoa(schema), "none"),
		parquet.Compression(compression), parquet.PageBufferSize(pageSize),
	}
}

// encoder encodes one part after another in the same memory. The library allocates some MB per
// part, which would be garbage after each.
type encoder[T any] struct {
	table  table[T]
	out    bytes.Buffer
	writer *parquet.GenericWriter[T] // nil before the first part and after an error
}

// encode returns the bytes of a part, valid until the next call. A part is one row group,
// because it is small and a row group costs a footer entry for each column.
//
// The bytes depend only on the arguments and on the kind of processor: vector instructions,
// where there are some, find run lengths in dictionary columns.
func (e *encoder[T]) encode(rows []T, meta Meta, s span) ([]byte, error) {
	e.out.Reset()
	if e.writer == nil {
		e.writer = parquet.NewGenericWriter[T](&e.out, options[T](meta.Schema)...)
	} else {
		e.writer.Reset(&e.out)
	}
	for _, p := range append(e.table.identity(meta), append(e.table.size(s, len(rows)), pair{checksumKey, unsealed})...) {
		e.writer.SetKeyValueMetadata(p.key, p.value)
	}
	_, err := e.writer.Write(rows)
	if err == nil {
		err = e.writer.Close()
	}
	if err != nil {
		e.writer = nil
		return nil, err
	}
	e.detach()
	return e.out.Bytes(), seal(e.out.Bytes())
}

// detach gives the finished footer lists of its own. The library's Reset empties the lists of
// the last footer, which it shares with the columns of the next part; these would lose their
// names.
func (e *encoder[T]) detach() {
	for _, group := range e.writer.File().Metadata().RowGroups {
		for i := range group.Columns {
			m := &group.Columns[i].MetaData
			m.PathInSchema, m.Encoding = slices.Clone(m.PathInSchema), slices.Clone(m.Encoding)
		}
	}
}

// part is an open part of a table.
type part[T any] struct {
	span
	table  table[T]
	schema int // format version of the run
	path   string
	os     opened
	body   int64  // bytes before the footer
	crc    string // checksum of these bytes
	file   *parquet.File
}

// open opens part k of the run in dir. It rejects a damaged part, or one of another run.
func (t table[T]) open(dir string, k int, meta Meta) (*part[T], error) {
	path := t.path(dir, k)
	f, err := openRegular(path, os.O_RDONLY, maxRows)
	if err != nil {
		return nil, err
	}
	p := &part[T]{table: t, schema: meta.Schema, path: path, os: f}
	if err := p.read(meta); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return p, nil
}

// read opens the part's file and verifies its footer, columns, metadata and span.
func (p *part[T]) read(meta Meta) error {
	info, err := p.os.Stat()
	if err != nil {
		return err
	}
	if p.body, p.crc, err = checkFooter(p.os, info.Size()); err != nil {
		return err
	}
	err = guarded(func() (err error) {
		p.file, err = parquet.OpenFile(p.os, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		return err
	})
	if err != nil {
		return fmt.Errorf("damaged (%w)", err)
	}
	if err := p.checkIdentity(meta); err != nil {
		return err
	}
	if !reflect.DeepEqual([]format.SchemaElement(p.file.Metadata().Schema), p.table.columns(p.schema)) {
		return fmt.Errorf("its columns are not those of format version %d", p.schema)
	}
	return p.readSpan()
}

// checkIdentity compares the part's metadata with run.toml's.
func (p *part[T]) checkIdentity(meta Meta) error {
	text, _ := p.file.Lookup("selfplay.schema")
	schema, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("selfplay.schema is %q, not a number", text)
	}
	if err := checkSchema("metadata", schema); err != nil {
		return err
	}
	for _, want := range p.table.identity(meta) {
		got, _ := p.file.Lookup(want.key)
		if want.key == commandKey && slices.ContainsFunc(meta.Extended, func(e Extended) bool { return e.Command == got }) {
			continue
		}
		if got != want.value {
			return fmt.Errorf("it belongs to another run: its %s is %q, %s says %q", want.key, got, runName, want.value)
		}
	}
	return nil
}

// readSpan reads the span from the part's metadata and compares it with the number of rows.
func (p *part[T]) readSpan() error {
	var rows int64
	for _, v := range []struct {
		key  string
		into *int64
	}{
		{"selfplay.first_trial", &p.first},
		{trialsKey, &p.trials},
		{gamesKey, &p.games},
		{p.table.count, &rows},
	} {
		text, _ := p.file.Lookup(v.key)
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%s is %q, not a count", v.key, text)
		}
		*v.into = n
	}
	if n := p.file.NumRows(); n != rows {
		return fmt.Errorf("it holds %d rows, its metadata says %d", n, rows)
	}
	return nil
}

// close closes the part's file. An error names it.
func (p *part[T]) close() error {
	if err := p.os.Close(); err != nil {
		return fmt.Errorf("%s: %w", p.path, err)
	}
	return nil
}

// batch is the number of rows to decode at a time: large enough to be fast, small enough for
// memory.
const batch = 256

// rows iterates over the part. It ends after an error.
func (p *part[T]) rows() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if err := p.each(func(row T) bool { return yield(row, nil) }); err != nil {
			var none T
			yield(none, fmt.Errorf("%s: damaged (%w)", p.path, err))
		}
	}
}

// each calls take with every row until it returns false.
func (p *part[T]) each(take func(T) bool) error {
	if err := checkBody(p.os, p.body, p.crc); err != nil {
		return err
	}
	r := parquet.NewGenericReader[T](p.file, without[T](p.schema))
	for buf := make([]T, min(batch, max(1, p.file.NumRows()))); ; {
		clear(buf) // yielded rows keep their slices
		n := 0
		err := guarded(func() (err error) { n, err = r.Read(buf); return err })
		for _, row := range buf[:n] {
			if !take(row) {
				return r.Close()
			}
		}
		switch {
		case err == io.EOF:
			return r.Close()
		case err != nil:
			return errors.Join(p.inColumn(err), r.Close())
		}
	}
}

// errPanic is the error of a reader that panicked: the library trusts the headers of pages, which
// a forged file may fill with anything.
var errPanic = errors.New("the reader failed")

// guarded runs f and returns its panic as an error.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return f()
}

// inColumn adds to an error of reading the name of the first column that alone cannot be read.
func (p *part[T]) inColumn(err error) error {
	fields := reflect.VisibleFields(reflect.TypeFor[T]())
	for _, f := range fields {
		alone := without[T](p.schema)
		for _, other := range fields {
			if other.Name != f.Name {
				parquet.StructTag(`parquet:"-"`, other.Name).ConfigureSchema(alone)
			}
		}
		if !has(p.schema, f) {
			continue
		}
		read := int64(0)
		bad := guarded(func() (err error) {
			r := parquet.NewGenericReader[T](p.file, alone)
			for buf := make([]T, batch); err == nil; {
				var n int
				n, err = r.Read(buf)
				read += int64(n)
			}
			return err
		})
		if bad != io.EOF || read != p.file.NumRows() {
			name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
			return fmt.Errorf("column %s: %w", name, err)
		}
	}
	return fmt.Errorf("headers of its columns contradict each other: %w", err)
}

// parts returns the number of the table's parts. They must be numbered without a gap. No other
// parquet file may be in the folder, because readers with a glob would read it.
func (t table[T]) parts(dir string) (int, error) {
	folder := filepath.Join(dir, t.name)
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		lost := ". If it is lost, make an empty one: the next error says how to go on"
		if t.count == trialsKey {
			lost = "" // an empty run would give up the games
		}
		return 0, fmt.Errorf("the folder %s of the run is missing; put it back%s", folder, lost)
	case err != nil:
		return 0, fmt.Errorf("run: %w", err)
	}
	found := map[string]bool{}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".parquet") {
			found[e.Name()] = true
		}
	}
	n := 0
	for found[partName(n)] || len(found) > 0 && t.exists(dir, n) {
		delete(found, partName(n))
		n++
	}
	if len(found) == 0 {
		return n, nil
	}
	rest := slices.Sorted(maps.Keys(found))[0]
	path := filepath.Join(dir, t.name, rest)
	if k, ok := partNumber(rest); ok && k > n {
		return 0, fmt.Errorf("%s is missing but %s is there; put the missing part back, or move %s and all later parts of all tables away",
			t.path(dir, n), rest, partName(k))
	}
	return 0, fmt.Errorf("%s is not a part of this run; move it away", path)
}

// exists looks again for a part that a listing did not show, because a writer may be replacing
// it.
func (t table[T]) exists(dir string, k int) bool {
	_, err := os.Stat(t.path(dir, k))
	return err == nil
}

// partNumber returns the number in the name of a part, and false for other names.
func partNumber(name string) (int, bool) {
	digits, _ := strings.CutPrefix(strings.TrimSuffix(name, ".parquet"), "part-")
	k, err := strconv.Atoi(digits)
	return k, err == nil && k >= 0 && name == partName(k)
}

// Filter chooses rows. The zero value chooses all; several fields must all hold.
type Filter struct {
	Phase string // only this phase; "" for any
	From  int64  // trials From and later
	To    int64  // trials before To; 0 for no bound

	// Outcome and Reason choose games and their moves. Trials ignores them.
	Outcome string // only games that ended "1-0", "0-1" or "1/2"; "" for any
	Reason  string // only games that ended by this reason; "" for any
}

// game reports whether f chooses a game of a chosen trial.
func (f Filter) game(g GameRow) bool {
	return (f.Outcome == "" || f.Outcome == g.Outcome) && (f.Reason == "" || f.Reason == g.Reason)
}

func (f Filter) overlaps(s span) bool {
	return s.end() > f.From && (f.To == 0 || s.first < f.To)
}

func (f Filter) takes(trial int64, phase string) bool {
	return trial >= f.From && (f.To == 0 || trial < f.To) && (f.Phase == "" || f.Phase == phase)
}
