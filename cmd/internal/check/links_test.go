package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"selfplaylab/datasets"
)

// markdown returns the project's pages, without those of testdata.
func markdown(t *testing.T) []string {
	noteTop()
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "runs" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case path.Ext(file) == ".md":
			files = append(files, filepath.ToSlash(file))
		}
		return nil
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("Markdown files: %v, %v", files, err)
	}
	return files
}

var (
	docLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docHeading = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
	docFence   = regexp.MustCompile("(?ms)^```.*?^```")
)

// TestLinksLeadSomewhere follows every relative link of every page, anchors included.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, file := range markdown(t) {
		text := docFence.ReplaceAllString(readText(t, file), "")
		for _, m := range docLink.FindAllStringSubmatch(text, -1) {
			if fault := followLink(t, file, m[1]); fault != "" {
				t.Errorf("%s: link %s: %s", file, m[1], fault)
			}
		}
	}
	for link, want := range map[string]string{"docs/tune.md": "", "docs/tune.md#methods": "", "docs/tune.md#none": "no such heading", "docs/none.md": "no such file"} {
		if got := followLink(t, "README.md", link); got != want {
			t.Errorf("link %s: %q, want %q", link, got, want)
		}
	}
}

// followLink returns the error of a link in a page; "" for none.
func followLink(t *testing.T, file, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return ""
	}
	target, anchor, _ := strings.Cut(link, "#")
	if target == "" {
		target = file
	} else {
		target = path.Join(path.Dir(file), target)
	}
	if strings.HasPrefix(target, "..") || path.IsAbs(target) {
		return "leaves the project"
	}
	if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
		return "no such file"
	}
	if anchor != "" && path.Ext(target) == ".md" && !slices.Contains(anchors(readText(t, target)), anchor) {
		return "no such heading"
	}
	return ""
}

// anchors returns the anchors of a page's headings, as GitHub makes them.
func anchors(text string) []string {
	var list []string
	for _, m := range docHeading.FindAllStringSubmatch(docFence.ReplaceAllString(text, ""), -1) {
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, m[1]))
	}
	return list
}

// TestReadmeIsShort bounds the README, which names every direct dependency.
func TestReadmeIsShort(t *testing.T) {
	text := readText(t, "README.md")
	if n := strings.Count(text, "\n"); n > 130 {
		t.Errorf("the README has %d lines, at most 130 are read", n)
	}
	require, _, _ := strings.Cut(readText(t, "go.mod"), "// indirect")
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(require, -1) {
		if !strings.Contains(text, m[1]) {
			t.Errorf("the README's dependencies lack %s", m[1])
		}
	}
}

// TestChangelogIsShort: each release names its format, and the newest one has at most 80 lines
// under the five headings.
func TestChangelogIsShort(t *testing.T) {
	text := readText(t, "CHANGELOG.md")
	releases := strings.Split(text, "\n## ")[1:]
	format := regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+ \((?:unreleased, )?format [0-9]+\)\n`)
	for _, r := range releases {
		if !format.MatchString(r) {
			t.Errorf("%.40q: want VERSION (format N)", r)
		}
	}
	newest := releases[0]
	if n := strings.Count(newest, "\n"); n > 80 {
		t.Errorf("the newest release has %d lines, at most 80 are read", n)
	}
	if want := fmt.Sprintf("format %d)\n", datasets.Schema); !strings.Contains(newest, want) {
		t.Errorf("the newest release does not name %s", want)
	}
	for _, m := range regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(newest, -1) {
		if !slices.Contains([]string{"Added", "Changed", "Removed", "Fixed", "Library"}, m[1]) {
			t.Errorf("the newest release has a heading %s", m[1])
		}
	}
}

// TestArchitectureNamesEveryPackage compares the table of ARCHITECTURE.md with the packages.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads the whole module")
	}
	_, table, _ := strings.Cut(readText(t, "ARCHITECTURE.md"), "\n## Packages\n")
	table, _, _ = strings.Cut(table, "\n## ")
	named := map[string]bool{}
	quoted := regexp.MustCompile("`([a-z0-9/]+)`")
	for line := range strings.Lines(table) {
		cells := strings.SplitN(line, "|", 3)
		if len(cells) < 3 {
			continue
		}
		base := ""
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			name := m[1]
			if base == "" {
				base = path.Dir(name)
			} else {
				name = path.Join(base, name)
			}
			named[name] = true
			if info, err := os.Stat(filepath.FromSlash(name)); err != nil || !info.IsDir() {
				t.Errorf("ARCHITECTURE.md names %s, which is no folder", name)
			}
		}
	}
	for _, p := range goList(t) {
		folder, _ := own(p.ImportPath)
		if path.Base(folder) == "testmode" {
			continue
		}
		covered := slices.ContainsFunc([]string{folder, path.Dir(folder), path.Join(path.Base(path.Dir(folder)), path.Base(folder))}, func(f string) bool { return named[f] })
		if !covered {
			t.Errorf("ARCHITECTURE.md does not name %s", folder)
		}
	}
}
