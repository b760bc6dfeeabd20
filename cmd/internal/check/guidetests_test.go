package main

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestGuidesNameTestsThatRun expects tests under each name that a guide gives to go test -run, and
// the switch of the long form where all of them have no other.
func TestGuidesNameTestsThatRun(t *testing.T) {
	noteTop()
	command := regexp.MustCompile(`((?:[A-Z_]+=\S+ )*)go test (\./\S+)[^` + "`" + `\n]*?\s-run\s+'?([\w|\\]+)`)
	declared := regexp.MustCompile(`(?m)^func (Test\w+|Example\w*)\(.*\) \{\n(.*)`)
	found := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" || strings.Contains(path, "published/") || path == "CHANGELOG.md" {
			return err
		}
		for _, m := range command.FindAllStringSubmatch(readText(t, path), -1) {
			found++
			switches, folder := m[1], strings.TrimSuffix(m[2], "/...")
			var tests [][]string
			files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
			if err != nil || len(files) == 0 {
				t.Errorf("%s: %s: the package has no tests (%v)", path, m[0], err)
				continue
			}
			for _, file := range files {
				tests = append(tests, declared.FindAllStringSubmatch(readText(t, file), -1)...)
			}
			for _, name := range strings.Split(strings.ReplaceAll(m[3], "\\", ""), "|") {
				matching := slices.DeleteFunc(slices.Clone(tests), func(d []string) bool { return !strings.Contains(d[1], name) })
				long := !slices.ContainsFunc(matching, func(d []string) bool { return !strings.Contains(d[2], "SkipUnlessLong") })
				switch {
				case len(matching) == 0:
					t.Errorf("%s: %s: no test is called %s", path, m[0], name)
				case long && !strings.Contains(switches, "SELFPLAYLAB_LONG") && !strings.Contains(switches, "SELFPLAYLAB_UPDATE"):
					t.Errorf("%s: %s: %s runs only with SELFPLAYLAB_LONG=1", path, m[0], matching[0][1])
				}
			}
		}
		return nil
	})
	if err != nil || found < 8 {
		t.Errorf("%d commands: %v", found, err)
	}
}
