package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"
)

// settingTag matches the tag of a setting, with its key of run.toml and, if there is one, its
// flag.
var settingTag = regexp.MustCompile(`toml:"([^",]*)([^"]*)"( flag:"([^",]*)([^"]*)")?( alias:"([^"]*)")?[^` + "`" + `]* help:"`)

// TestRenamedFlagsBreakNoRun renames every flag of every kind of runs, with its former name as
// its alias. Runs of earlier versions are then read, described and resumed as before, and
// commands accept both names.
func TestRenamedFlagsBreakNoRun(t *testing.T) {
	noteTop()
	testmode.SkipUnlessLong(t) // compiles most of the program again
	files, renamed := map[string]string{}, 0
	err := filepath.WalkDir("engines/runs", func(path string, entry fs.DirEntry, err error) error {
		if entry.IsDir() && entry.Name() == "experiment" { // its keys are those of files
			return filepath.SkipDir
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := settingTag.ReplaceAllStringFunc(string(data), func(tag string) string {
			part := settingTag.FindStringSubmatch(tag)
			key, options, flagTag, flag, flagOptions, aliasTag, alias := part[1], part[2], part[3], part[4], part[5], part[6], part[7]
			if flagTag == "" {
				flag = key
			}
			if flag == "-" || flag == "" {
				return tag
			}
			renamed++
			now := `toml:"` + key + options + `" flag:"` + flag + "_renamed" + flagOptions + `" alias:"` + strings.TrimSuffix(flag+","+alias, ",") + `"`
			return now + strings.TrimPrefix(tag, `toml:"`+key+options+`"`+flagTag+aliasTag)
		})
		if text != string(data) {
			files[filepath.ToSlash(path)] = text
		}
		return nil
	})
	if err != nil || renamed < 50 {
		t.Fatal(renamed, err)
	}
	f := layOver(t, files)
	f.goes(t, "test", "-count=1", "-run", "TestCorpus", "./engines/runs/kinds")
	f.goes(t, "build", "-o", f.bin+string(filepath.Separator), "./cmd/selfplay")
	want := ""
	for _, suffix := range []string{"", "-renamed"} {
		cmd := exec.Command(filepath.Join(f.bin, "selfplay"), "match", "--game"+suffix, "quoridor", "--a"+suffix, "final", "--b"+suffix, "bad",
			"--pairs"+suffix, "4", "--discard", "--json", "-q")
		out, err := cmd.Output()
		var result struct{ Pentanomial, Estimate, Margin any }
		if err := errors.Join(err, json.Unmarshal(out, &result)); err != nil {
			t.Fatalf("%q: %v", cmd.Args, err)
		}
		if got := fmt.Sprint(result); want != "" && got != want {
			t.Errorf("%q: %s\nnot\n%s", cmd.Args, got, want)
		} else {
			want = got
		}
	}
}
