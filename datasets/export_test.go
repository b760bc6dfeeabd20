package datasets

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"selfplaylab/engines/testmode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
)

// awkward returns numbers and texts that formats often lose.
func awkward() ([]TrialRow, []GameRow, []MoveRow, []PositionRow) {
	trial, games := testTrial(0)
	empty, _ := testTrial(6) // vectors without values
	trial.A = []float64{0.1, math.Nextafter(1e300, math.Inf(1))}
	trial.B = []float64{math.Copysign(0, -1), 5e-324}
	trial.Openings = math.MaxUint64
	games[0].Phase = `a "b", c` + "\tü 步 <&>"
	games[1].Moves = "a,b\nc"
	games[0].ValueA, games[0].ValueB = ptr(-0.1), ptr(math.MaxFloat64)
	moves := testDecisionsOf(games)
	moves[1].Score, moves[2].Score = math.NaN(), math.Inf(-1)
	moves[0].Key = math.MaxUint64
	score, nodes := math.Inf(1), int64(math.MaxInt64)
	positions := []PositionRow{
		{Seed: math.MaxUint64, Phase: "x", Split: "train", Position: "..|..", Key: 1 << 63, Player: PlayerA, Move: "e2", Outcome: 0.5, Score: &score, Nodes: &nodes},
		{Trial: 7, Ply: 3, Player: PlayerOpening, Penalty: true},
	}
	return []TrialRow{trial, empty}, games, moves, positions
}

// valuesMeta returns the configuration of a run with an objective's values, which has all
// columns.
func valuesMeta() Meta {
	meta := testMeta
	meta.Schema = newest
	return meta
}

func ptr(x float64) *float64 { return &x }

// TestOnlyRunsWithValuesHaveTheirColumns checks the columns of values in parts and in exports.
func TestOnlyRunsWithValuesHaveTheirColumns(t *testing.T) {
	for _, schema := range []int{Schema, newest} {
		meta := testMeta
		meta.Schema = schema
		trial, games := testTrial(0)
		games[0].ValueA, games[1].ValueB = ptr(2.5), ptr(-1e-300)
		dir := filepath.Join(t.TempDir(), "run")
		w := must[*Writer](t)(createVersion(dir, meta, map[string]any{}, osDisk))
		if err := errors.Join(w.Append(trial, games, nil), w.Close()); err != nil {
			t.Fatal(err)
		}
		log := must[*Log](t)(Read(dir))
		if log.Meta.Schema != schema {
			t.Errorf("format version %d; want %d", log.Meta.Schema, schema)
		}
		if schema == Schema {
			games[0].ValueA, games[1].ValueB = nil, nil
		}
		if diff := cmp.Diff(games, collect(t, log.Games(Filter{})), equalEmpty); diff != "" {
			t.Errorf("format version %d (-written +read):\n%s", schema, diff)
		}
		columns := newTextRow[GameRow](log.Meta)
		if has := strings.HasSuffix(strings.Join(namesOf(columns.columns), " "), " margin value_a value_b"); has != (schema == newest) {
			t.Errorf("format version %d: exports values: %v", schema, has)
		}
	}
}

// TestNumbersHaveExponentsAsInJSON writes an exponent in a text only where JSON does.
func TestNumbersHaveExponentsAsInJSON(t *testing.T) {
	for x, want := range map[float64]string{1999999997: "1999999997", -1234567.5: "-1234567.5", 1e300: "1e+300", 12.5: "12.5", 0: "0"} {
		if got := string(appendNumber(nil, reflect.ValueOf(x))); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}

// Exported rows read back unchanged.
func TestExportRoundTrip(t *testing.T) {
	trials, games, moves, positions := awkward()
	t.Run("trials", func(t *testing.T) { testExport(t, trials) })
	t.Run("games", func(t *testing.T) { testExport(t, games) })
	t.Run("moves", func(t *testing.T) { testExport(t, moves) })
	t.Run("positions", func(t *testing.T) { testExport(t, positions) })
}

func testExport[T exportRow](t *testing.T, rows []T) {
	for format, read := range map[Format]func(testing.TB, []byte) []T{CSV: readCSV[T], JSONL: readJSONL[T], Parquet: readParquet[T]} {
		t.Run(string(format), func(t *testing.T) {
			for _, run := range []string{"", "0123456789abcdef"} { // readers of rows pass over the run
				if diff := cmp.Diff(rows, read(t, export(t, format, run, rows)), cmpopts.EquateNaNs(), equalEmpty); diff != "" {
					t.Errorf("run %q (-exported +read):\n%s", run, diff)
				}
				if n := len(read(t, export(t, format, run, rows[:0]))); n != 0 {
					t.Errorf("%d rows of none", n)
				}
			}
		})
	}
}

// TestExportedRowsHaveTheirRun writes the run as the first column.
func TestExportedRowsHaveTheirRun(t *testing.T) {
	_, games, _, _ := awkward()
	if text := string(export(t, CSV, "r1", games)); !strings.HasPrefix(text, "run,trial,") || !strings.Contains(text, "\nr1,") {
		t.Errorf("CSV: %s", text)
	}
	if text := string(export(t, JSONL, "r1", games)); strings.Count(text, "{\"run\":\"r1\",\"trial\":") != len(games) {
		t.Errorf("JSON lines: %s", text)
	}
	type row struct {
		Run   string `parquet:"run"`
		Trial int64  `parquet:"trial"`
	}
	data := export(t, Parquet, "r1", games)
	read := must[[]row](t)(parquet.Read[row](bytes.NewReader(data), int64(len(data))))
	if len(read) != len(games) || read[0].Run != "r1" || read[len(read)-1].Trial != games[len(games)-1].Trial {
		t.Errorf("parquet: %+v", read)
	}
}

// TestRunIDOutlivesItsFolder gives other runs other IDs, and a run the same one wherever it lies.
func TestRunIDOutlivesItsFolder(t *testing.T) {
	m := valuesMeta()
	id := m.RunID()
	for name, change := range map[string]func(*Meta){
		"seed": func(m *Meta) { m.Seed++ }, "time": func(m *Meta) { m.Created = m.Created.Add(1e9) }, "command": func(m *Meta) { m.CommandLine += " --x" },
		"game": func(m *Meta) { m.Game += "x" },
	} {
		other := m
		if change(&other); other.RunID() == id {
			t.Errorf("another %s gives the same ID", name)
		}
	}
	if m.Command += " --games 9"; m.RunID() != id || len(id) != 16 {
		t.Errorf("an extended run has the ID %s, not %s", m.RunID(), id)
	}
}

func export[T exportRow](t testing.TB, format Format, run string, rows []T) []byte {
	t.Helper()
	var b bytes.Buffer
	e, err := newSink[T](&b, format, valuesMeta(), run)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := e.write(&row); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readCSV[T exportRow](t testing.TB, data []byte) []T {
	t.Helper()
	lines := must[[][]string](t)(csv.NewReader(bytes.NewReader(data)).ReadAll())
	var rows []T
	for _, line := range lines[1:] {
		values := map[string]string{}
		for i, name := range lines[0] {
			values[name] = line[i]
		}
		rows = append(rows, fromTexts[T](t, values))
	}
	return rows
}

func readJSONL[T exportRow](t testing.TB, data []byte) []T {
	t.Helper()
	var rows []T
	for line := range bytes.Lines(data) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var object map[string]any
		if err := d.Decode(&object); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		values := map[string]string{}
		for name, v := range object {
			if values[name] = fmt.Sprint(v); v == nil {
				values[name] = ""
			}
		}
		rows = append(rows, fromTexts[T](t, values))
	}
	return rows
}

// fromTexts fills a row with values by their column.
func fromTexts[T exportRow](t testing.TB, values map[string]string) (row T) {
	t.Helper()
	delete(values, runColumn)
	whole := reflect.ValueOf(&row).Elem()
	for i := range whole.NumField() {
		name, _, _ := strings.Cut(whole.Type().Field(i).Tag.Get("parquet"), ",")
		field := whole.Field(i)
		if field.Kind() == reflect.Slice {
			for _, parameter := range testMeta.Parameters {
				if text := take(t, values, name+"."+parameter); text != "" {
					field.Set(reflect.Append(field, reflect.ValueOf(must[float64](t)(strconv.ParseFloat(text, 64)))))
				}
			}
			continue
		}
		set(t, field, take(t, values, name))
	}
	if len(values) > 0 {
		t.Errorf("columns too many: %v", values)
	}
	return row
}

func take(t testing.TB, values map[string]string, name string) string {
	t.Helper()
	text, ok := values[name]
	if !ok {
		t.Errorf("no column %s", name)
	}
	delete(values, name)
	return text
}

func set(t testing.TB, field reflect.Value, text string) {
	t.Helper()
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Int32, reflect.Int64:
		field.SetInt(must[int64](t)(strconv.ParseInt(text, 10, 64)))
	case reflect.Uint64:
		field.SetUint(must[uint64](t)(strconv.ParseUint(text, 10, 64)))
	case reflect.Float64:
		field.SetFloat(must[float64](t)(strconv.ParseFloat(text, 64)))
	case reflect.Bool:
		field.SetBool(must[bool](t)(strconv.ParseBool(text)))
	case reflect.Pointer:
		if text != "" {
			field.Set(reflect.New(field.Type().Elem()))
			set(t, field.Elem(), text)
		}
	default:
		t.Fatalf("a field of kind %v", field.Kind())
	}
}

func readParquet[T exportRow](t testing.TB, data []byte) []T {
	t.Helper()
	f := must[*parquet.File](t)(parquet.OpenFile(bytes.NewReader(data), int64(len(data))))
	for _, want := range valuesMeta().identity() {
		if got, _ := f.Lookup(want.key); got != want.value {
			t.Errorf("metadata %s is %q, want %q", want.key, got, want.value)
		}
	}
	r := parquet.NewGenericReader[T](f)
	rows := make([]T, f.NumRows())
	if n, err := r.Read(rows); n != len(rows) || err != nil && err != io.EOF {
		t.Fatalf("%d rows of %d: %v", n, len(rows), err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestExportMatchesGoldenTexts compares headings and texts of each format.
func TestExportMatchesGoldenTexts(t *testing.T) {
	trials, games, moves, positions := awkward()
	for name, got := range map[string][]byte{
		"trials.csv": export(t, CSV, "", trials), "games.csv": export(t, CSV, "", games), "moves.csv": export(t, CSV, "", moves), "positions.csv": export(t, CSV, "", positions),
		"trials.jsonl": export(t, JSONL, "", trials), "games.jsonl": export(t, JSONL, "", games), "moves.jsonl": export(t, JSONL, "", moves), "positions.jsonl": export(t, JSONL, "", positions),
	} {
		testmode.Golden(t, filepath.Join("testdata", "export", name), got)
	}
}

// TestExportHoldsOneRowGroup divides parquet into row groups, so that memory does not grow with
// the export.
func TestExportHoldsOneRowGroup(t *testing.T) {
	var b bytes.Buffer
	e := must[rowSink[MoveRow]](t)(newSink[MoveRow](&b, Parquet, testMeta, ""))
	for i := range int64(exportGroup + 1) {
		if err := e.write(&MoveRow{Trial: i, Key: uint64(i) * 0x9e3779b97f4a7c15}); err != nil {
			t.Fatal(err)
		}
	}
	if b.Len() == 0 {
		t.Error("nothing was written before the end")
	}
	if err := e.close(); err != nil {
		t.Fatal(err)
	}
	f := must[*parquet.File](t)(parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len())))
	var sizes []int64
	for _, g := range f.RowGroups() {
		sizes = append(sizes, g.NumRows())
	}
	if !slices.Equal(sizes, []int64{exportGroup, 1}) {
		t.Errorf("row groups of %v rows", sizes)
	}
}

// TestExportReportsFailingStream expects an error in every format, at the end at the latest.
func TestExportReportsFailingStream(t *testing.T) {
	_, games, _, _ := awkward()
	for _, format := range []Format{CSV, JSONL, Parquet} {
		e, err := newSink[GameRow](brokenPipe{}, format, testMeta, "")
		for i := 0; err == nil && i < len(games); i++ {
			err = e.write(&games[i])
		}
		if err == nil {
			err = e.close()
		}
		if err == nil || !strings.Contains(err.Error(), "closed pipe") {
			t.Errorf("%s: %v", format, err)
		}
	}
	_, err := newSink[GameRow](io.Discard, "xml", testMeta, "")
	wantError(t, err, `"xml"`, "csv, jsonl or parquet")
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// FuzzJSONString writes any text as one line of JSON that reads back.
func FuzzJSONString(f *testing.F) {
	f.Add("e2 e8")
	f.Add("a\"\\\n\x00\u2028<ü")
	f.Fuzz(func(t *testing.T, text string) {
		line := appendString(nil, text)
		var back string
		if err := json.Unmarshal(line, &back); err != nil || bytes.ContainsAny(line, "\n\r") {
			t.Errorf("%q became %s: %v", text, line, err)
		}
		if utf8.ValidString(text) && back != text {
			t.Errorf("%q became %s, read as %q", text, line, back)
		}
	})
}
