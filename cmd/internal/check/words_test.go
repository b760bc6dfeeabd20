package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A wording is a pattern that readers have to read twice, and its replacement.
type wording struct {
	pattern string
	write   string
	allowed int // maximum number in the program's texts; lower it, never raise it
}

// wordings apply to the program's string literals (help, messages, reports) and to all pages,
// where none is allowed.
var wordings = []wording{
	{`\bsomebody('s)?\b`, "an external engine, another program", 0},
	{`\bmeans nothing to\b`, "cannot be used with", 0},
	{`\bso many\b`, "the number", 0},
	{`\blacking under\b`, "left under", 0},
	{`\bmend(s|ed|ing)?\b`, "fix", 0},
	{`\bbeside\b`, "with, next to, in the folder of", 2},
	{`\b(which|that|it|what|also|who|command|protocol|method|game|kind) wants\b|\bwants (the|a|an|at|more|--)`, "requires, needs", 1},
	{`\btold\b`, "reported, known, printed", 0},
	{`\bis asked for\b|\bwas asked for\b`, "is requested", 2},
	{`\bflatters?\b`, "biases upwards", 0},
	{`\bleans away\b`, "is biased", 0},
	{`\bthe compared\b`, "the candidates", 0},
	{`\bwhoever\b`, "a player that, anyone who", 1},
	{`\bsits? down\b`, "starts, takes part", 0},
	{`\bgo(es)? on with\b`, "continue", 0},
	{`\bforetell`, "predict", 0},
	{`\bhow far it has come\b`, "progress", 0},
	{`%\+\.\df`, "text.Signed, which has no sign on zero", 5},
	{`(^|[.!] )(What|Of) [a-z][^?.!\n]*([.!:]|$)`, "a sentence in the order subject, verb, object", 4},
}

// TestTextsUsePlainWords searches texts for people for the worst patterns.
func TestTextsUsePlainWords(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads every page")
	}
	texts := programTexts(t)
	pages := map[string]string{}
	for _, file := range markdown(t) {
		if !strings.HasPrefix(file, "reports/published/") { // written by a command from measurements
			pages[file] = docFence.ReplaceAllString(readText(t, file), "")
		}
	}
	for _, w := range wordings {
		pattern := regexp.MustCompile(`(?m)` + w.pattern)
		for file, text := range pages {
			for _, at := range pattern.FindAllStringIndex(text, -1) {
				t.Errorf("%s:%d: %q: write %s", file, 1+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]], w.write)
			}
		}
		var found []string
		for _, s := range texts {
			if m := pattern.FindString(s.text); m != "" {
				found = append(found, fmt.Sprintf("%s: %q", s.at, s.text))
			}
		}
		if len(found) > w.allowed {
			t.Errorf("%d texts hold %s, at most %d may: write %s\n%s", len(found), w.pattern, w.allowed, w.write, strings.Join(found, "\n"))
		}
	}
}

// A programText is a string literal of the program.
type programText struct{ at, text string }

// programTexts returns the string literals of the program, but not of its tests, struct
// tags included.
func programTexts(t *testing.T) []programText {
	noteTop()
	t.Helper()
	var list []programText
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
			source, err := os.ReadFile(file)
			list = append(list, literals(filepath.ToSlash(file), source)...)
			return err
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		t.Fatalf("texts: %d, %v", len(list), err)
	}
	return list
}

// literals returns the string literals of a source.
func literals(file string, source []byte) (list []programText) {
	set := token.NewFileSet()
	f := set.AddFile(file, -1, len(source))
	var s scanner.Scanner
	s.Init(f, source, nil, 0)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return list
		}
		if tok != token.STRING {
			continue
		}
		if plain, err := strconv.Unquote(text); err == nil {
			list = append(list, programText{fmt.Sprintf("%s:%d", file, f.Line(pos)), plain})
		}
	}
}
