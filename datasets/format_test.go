package datasets

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFormatDocumentListsColumns compares FORMAT.md with the columns that are written, in
// order, with their types, and with the bounds and metadata keys in force.
func TestFormatDocumentListsColumns(t *testing.T) {
	doc := string(must[[]byte](t)(os.ReadFile("FORMAT.md")))
	for _, table := range []struct {
		heading string
		row     reflect.Type
	}{{"## Trials", reflect.TypeFor[TrialRow]()}, {"## Games", reflect.TypeFor[GameRow]()}, {"## Moves", reflect.TypeFor[MoveRow]()}, {"## Exported positions", reflect.TypeFor[PositionRow]()}} {
		_, section, _ := strings.Cut(doc, table.heading+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		var documented []string
		for line := range strings.Lines(section) {
			if cells := strings.Split(line, "|"); len(cells) > 3 && strings.HasPrefix(cells[1], " `") {
				documented = append(documented, strings.Trim(cells[1], " `")+" "+strings.TrimSpace(cells[2]))
			}
		}
		var written []string
		for i := range table.row.NumField() {
			f := table.row.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
			written = append(written, name+" "+documentedType(f.Type))
		}
		if diff := cmp.Diff(written, documented); diff != "" {
			t.Errorf("%s (-written +documented):\n%s", table.heading, diff)
		}
	}
	for _, key := range append(movesTable.identity(testMeta), movesTable.size(span{}, 0)...) {
		if name := strings.TrimPrefix(key.key, "selfplay"); !strings.Contains(doc, name+"`") {
			t.Errorf("metadata key %s is not documented", key.key)
		}
	}
	for _, text := range []string{
		checksumKey,
		fmt.Sprintf("new runs have version %d", Schema),
		fmt.Sprintf("%d,%03d games or %d,000,000 nodes", partGames/1000, partGames%1000, partNodes/1_000_000),
	} {
		if !strings.Contains(doc, text) {
			t.Errorf("FORMAT.md lacks %q", text)
		}
	}
}

// TestVersionsAreASequence numbers versions without gaps and finds each in FORMAT.md. A column
// exists from one version number to another.
func TestVersionsAreASequence(t *testing.T) {
	doc, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range versions {
		if v.number != i+1 || v.read != (v.program == "") || !strings.Contains(string(doc), fmt.Sprintf("\n| %d | ", v.number)) {
			t.Errorf("version %d is not the next, or not documented: %+v", i+1, v)
		}
	}
	row := reflect.TypeFor[struct {
		Always  int
		Later   int `since:"4"`
		Between int `since:"4" until:"9"`
		Before  int `until:"3"`
		Tenth   int `since:"10"`
	}]()
	for schema, want := range map[int]string{3: "Always Before", 4: "Always Later Between", 9: "Always Later Between", 10: "Always Later Tenth"} {
		var got []string
		for i := range row.NumField() {
			if has(schema, row.Field(i)) {
				got = append(got, row.Field(i).Name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("version %d has %q, want %s", schema, got, want)
		}
	}
}

// documentedType returns FORMAT.md's name for the type of a field.
func documentedType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "double"
	case reflect.Slice:
		return "list of " + documentedType(t.Elem())
	case reflect.Pointer:
		return "optional " + documentedType(t.Elem())
	}
	return t.Kind().String()
}
