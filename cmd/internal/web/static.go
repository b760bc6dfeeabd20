package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
)

// MaxStatic is how many games of a run a static folder holds at most: some megabytes.
const MaxStatic = 2000

// Static writes a folder that any web server can host: the board with the engines
// compiled for the browser, and the games of some runs. It replaces files of the same
// names. left is the number of games that did not fit.
func Static(kinds runs.Kinds, dir string, runDirs []string) (left int64, err error) {
	if left, err = staticRuns(kinds, dir, runDirs); err != nil { // before the engines, which take longest
		return left, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "static", "lang"), 0o777); err != nil {
		return 0, err
	}
	if err := engineFiles(dir); err != nil {
		return 0, err
	}
	names := []string{"lang.js", "app.js", "board.js", "walk.js", "games.js", "openings.js", "play.js", "engines.js", "worker.js", "icon.svg", "style.css", gamesFile}
	for _, l := range languages {
		names = append(names, strings.TrimPrefix(l.file, "static/"))
	}
	for _, name := range names {
		data := madeAssets().files[name].data
		if name != gamesFile {
			data = unneeded.ReplaceAll(served.ReplaceAll(data, []byte("$1")), nil)
		}
		if err := datasets.WriteFile(filepath.Join(dir, "static", name), data); err != nil {
			return 0, err
		}
	}
	for _, p := range []struct{ file, template, title string }{{"index.html", "play", "Play"}, {"games.html", "games", "Games"}, {"openings.html", "openings", "Openings"}} {
		if p.template != "play" && len(runDirs) == 0 {
			continue
		}
		data, err := page{Title: p.title, Here: p.template, Static: true, Data: len(runDirs) > 0}.render(p.template)
		if err == nil {
			err = datasets.WriteFile(filepath.Join(dir, p.file), data)
		}
		if err != nil {
			return left, err
		}
	}
	return left, nil
}

// served is what a language's table has for pages of a server alone.
var served = regexp.MustCompile(`(?s)// What follows is said only where a server is\..*(\n}\);\n)$`)

// unneeded is what pages need not download of scripts and styles: comments, and indentation.
var unneeded = regexp.MustCompile(`(?m)^\s*//.*\n|[ \t]+// .*$|[ \t]*/\* .*? \*/|^[ \t]+`)

// engineFiles compiles the engines and writes them compressed, so that any server will do.
func engineFiles(dir string) error {
	source, err := sourceDir()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "engines")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	out := filepath.Join(temp, "engines.wasm")
	// Inlining only our own packages makes the file a tenth smaller, and as fast.
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-gcflags=selfplaylab/...=", "-o", out,
		"./cmd/internal/web/wasm")
	build.Dir, build.Env = source, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("compile the engines for a browser: %w\n%s", err, text)
	}
	data, err := os.ReadFile(out)
	if err == nil {
		data, err = joinSegments(data)
	}
	if err != nil {
		return fmt.Errorf("the engines for a browser: %w", err)
	}
	if err := datasets.WriteFile(filepath.Join(dir, "static", "engines.bin"), packed(data)); err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("find GOROOT: %w", err)
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return fmt.Errorf("read the script that starts Go programs in a browser: %w", err)
	}
	return datasets.WriteFile(filepath.Join(dir, "static", "wasm_exec.js"), unneeded.ReplaceAll(glue, nil))
}

// sourceDir is the folder of this program's source: where it was compiled, or here.
func sourceDir() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	for _, dir := range []string{filepath.Join(filepath.Dir(file), "..", "..", ".."), "."} {
		if _, err := os.Stat(filepath.Join(dir, "cmd", "internal", "web", "wasm", "main.go")); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("the engines for the browser are compiled from this program's source, which is not here: run it in a checkout, " +
		"with Go installed")
}

// staticRun is a run of a static folder.
type staticRun struct {
	ID     string      `json:"id"`
	Name   string      `json:"name"`
	Result string      `json:"result"`
	Tree   bool        `json:"tree,omitempty"` // its openings are there too
	Games  []*gameView `json:"games,omitempty"`
	Left   int64       `json:"left,omitempty"` // later games, which did not fit
}

// maxTree is how many bytes of a run's opening tree a static folder holds: as many moves
// from the start as fit, of all games.
const maxTree = 200_000

// staticRuns writes the runs' games as runs/1.json and so on, and an index.
func staticRuns(kinds runs.Kinds, dir string, runDirs []string) (left int64, err error) {
	if len(runDirs) == 0 {
		return 0, nil
	}
	if err := os.MkdirAll(filepath.Join(dir, "runs"), 0o777); err != nil {
		return 0, err
	}
	index := []staticRun{}
	for i, from := range runDirs {
		r, err := staticGames(kinds, from)
		if err != nil {
			return left, err
		}
		left += r.Left
		r.ID = strconv.Itoa(i + 1)
		if r.Tree = len(r.Games) > 0; r.Tree {
			if err := staticTree(kinds, filepath.Join(dir, "runs", r.ID+".tree.json"), from); err != nil {
				return left, err
			}
		}
		if err := writeJSON(filepath.Join(dir, "runs", r.ID+".json"), r); err != nil {
			return left, err
		}
		r.Games = nil
		index = append(index, r)
	}
	return left, writeJSON(filepath.Join(dir, "runs", "index.json"), index)
}

func writeJSON(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return datasets.WriteFile(path, data)
}

func staticTree(kinds runs.Kinds, path, from string) error {
	run, err := kinds.OpenAll([]string{from})
	if err != nil {
		return err
	}
	all, err := runs.NewOpenings(context.Background(), run, "", 0, new(runs.Reading))
	var data []byte
	for moves := 40; err == nil && moves > 0 && (data == nil || len(data) > maxTree); moves-- {
		var at *runs.Openings
		if at, err = all.At("", moves); err == nil {
			data, err = json.Marshal(at)
		}
	}
	if err != nil {
		return err
	}
	return datasets.WriteFile(path, data)
}

// staticGames reads the first games of a run.
func staticGames(kinds runs.Kinds, dir string) (r staticRun, err error) {
	rec, err := kinds.Open(dir)
	if err != nil {
		return r, err
	}
	told, err := rec.Config.NewResult(rec.Head)
	if err != nil {
		return r, err
	}
	labels, err := datasets.ReadLabels(dir)
	if err != nil {
		return r, err
	}
	r.Name = cmp.Or(labels.Name, filepath.Base(filepath.Clean(dir)))
	for t, err := range schedule.Recorded(rec.Log, datasets.Filter{}) {
		if err == nil {
			err = told.Add(t)
		}
		if err != nil {
			return r, err
		}
		trial, err := told.Trial(t.Trial)
		if err != nil {
			return r, fmt.Errorf("%s: %w", dir, err)
		}
		for _, g := range t.Games {
			if len(r.Games) >= MaxStatic {
				r.Left++
				continue
			}
			shown, err := recorded(&runs.Replay{Run: rec.Recorded, Row: g, Trial: trial}, t.Games)
			if err != nil {
				return r, err
			}
			r.Games = append(r.Games, shown)
		}
	}
	summary, err := told.Summary()
	r.Result = summary.Result
	return r, err
}
