package clitest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestObjectKeysKeepOrder(t *testing.T) {
	for text, want := range map[string][]string{
		`{"b":1,"a":{"x":[1,2]}}` + "\n": {"b", "a"},
		`{}`:                             nil,
	} {
		if got, err := objectKeys([]byte(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "[]", `"a"`, `{"a":1`, `{"a":1}{"b":2}`, `{"a":1} x`, `{"a":NaN}`, "x {}"} {
		if got, err := objectKeys([]byte(text)); err == nil {
			t.Errorf("%s: %q and no error", text, got)
		}
	}
}

// TestSameSeesEveryDifference tries every kind of difference: other tests rely on Same.
func TestSameSeesEveryDifference(t *testing.T) {
	tree := func(contents ...string) string {
		dir := t.TempDir()
		for i := 0; i < len(contents); i += 2 {
			path := filepath.Join(dir, contents[i])
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(contents[i+1]), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	one := tree("trials/a.parquet", "1", "run.toml", "x", "run.lock", "l")
	for _, c := range []struct {
		other  string
		choose func(string) bool
		want   string
	}{
		{tree("trials/a.parquet", "1", "run.toml", "y"), Repeatable, ""},
		{tree("trials/a.parquet", "1", "run.toml", "y"), Kept, "run.toml differs"},
		{tree("trials/a.parquet", "1", "run.toml", "x"), Kept, ""},
		{tree("trials/a.parquet", "2"), Repeatable, "trials/a.parquet differs"},
		{tree("trials/b.parquet", "1"), Repeatable, "trials/a.parquet is in"},
		{tree("trials/a.parquet", "1", "tuned.toml", "t"), Repeatable, "tuned.toml is in"},
		{filepath.Join(one, "nothing"), Repeatable, "no such file"},
	} {
		err := Same(one, c.other, c.choose)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("equal folders: %v", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	if err := Same(tree("x", ""), tree("x", ""), Repeatable); err == nil {
		t.Error("nothing to compare is the same")
	}
}
