package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/engines/external"
)

// TestMissingNamesProgram expects the first program of the experiment's engine files that is not
// installed.
func TestMissingNamesProgram(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, cmd := range map[string]string{"there.toml": self, "gone.toml": filepath.Join(dir, "no-such-program")} {
		text := "name = \"" + strings.TrimSuffix(name, ".toml") + "\"\ncmd = '" + cmd + "'\nprotocol = \"ugi\"\ngames = [\"quoridor\"]\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for needs, want := range map[string]string{"": "", "there.toml": "", "there.toml gone.toml": "no-such-program", "nofile.toml": "nofile.toml"} {
		s := Study{beginning: beginning{Name: "x", File: filepath.Join(dir, fileName)}, source: source{Experiment: Experiment{Needs: strings.Fields(needs)}}}
		err := s.Missing()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", needs, err, want)
		}
	}
}

// TestRunWithoutProgramIsLeftOut leaves out a run whose program is missing, and a run that reads
// its results. The reason holds no folder of this machine. A run that was begun is kept, and the
// page of an experiment without any run names its gaps.
func TestRunWithoutProgramIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	text := "name = \"gone\"\ncmd = 'no-such-program'\ninstall = \"see the manual\"\nprotocol = \"ugi\"\ngames = [\"quoridor\"]\n"
	if err := os.WriteFile(filepath.Join(dir, "gone.toml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	study := func(names ...string) *Study {
		s := &Study{beginning: beginning{Name: "x", File: filepath.Join(dir, fileName)}}
		for _, name := range names {
			s.Experiment.Runs = append(s.Experiment.Runs, Run{own: own{Name: name, Needs: map[string]string{"far": "gone.toml"}[name]}})
		}
		return s
	}
	s := study("far", "near", "later")
	s.Experiment.Runs[2].Full = []Item{{Field: "a", Texts: []string{"{runs}/far/tuned.toml"}}}
	if s.leaveOut(); len(s.Experiment.Runs) != 1 || len(s.LeftOut) != 2 || !strings.Contains(s.LeftOut[0], "to install it: see the manual") ||
		!strings.Contains(s.LeftOut[0], "far is left out") || strings.Contains(s.LeftOut[0], dir) || !strings.Contains(s.LeftOut[1], "later is left out") {
		t.Errorf("%q", s.LeftOut)
	}
	s.Experiment.Claims = []claim{{Says: "it is better", Measured: `{{elo "far"}}`, Verdict: "held", Checks: []string{"far better"}}}
	s.Experiment.Figures = []Figure{{Name: "f", Value: "elo", Rows: []string{"far"}, Caption: `{{ratio "near/a" "far/a"}}`}}
	result := Result{Experiment: s.Experiment, LeftOut: s.LeftOut}
	if page, err := result.page(); err != nil || len(page.Warnings) == 0 || page.Warnings[0] != s.LeftOut[0] {
		t.Errorf("%v: %q", err, page.Warnings)
	}
	if got, err := result.Answers(); err != nil || got[0].Measured != "(left out)" || got[0].Verdict != "open: its run is left out" {
		t.Errorf("%v, %v", got, err)
	}
	none := study("far")
	none.leaveOut()
	none.Dir = t.TempDir()
	if _, page, err := none.Finish(t.Context()); err != nil || len(page.Warnings) != 1 || page.Warnings[0] != none.LeftOut[0] {
		t.Errorf("an experiment without any program: %v, %q", err, page.Warnings)
	}
	s = study("far")
	s.Dir = dir
	if err := os.MkdirAll(filepath.Join(dir, "far"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "far", "run.toml"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if s.leaveOut(); len(s.Experiment.Runs) != 1 {
		t.Errorf("a run that was begun is left out: %q", s.LeftOut)
	}
}

// TestOpponentsOfManualAreRead reads the experiment of the manual with its engine files.
func TestOpponentsOfManualAreRead(t *testing.T) {
	data, err := os.ReadFile("../../../docs/opponents/" + fileName)
	if err != nil {
		t.Fatal(err)
	}
	e, err := decode(fileName, data)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range e.Runs {
		if r.Needs == "" || r.About == "" {
			t.Errorf("%s does not say what it needs or what its opponent lacked", r.Name)
		}
		text, err := os.ReadFile("../../../docs/opponents/" + r.Needs)
		if err != nil {
			t.Fatal(err)
		}
		e, err := external.Decode(r.Needs, text)
		if err != nil {
			t.Error(err)
		} else if e.Install == "" || !strings.Contains(e.Install, e.Cmd) || !strings.Contains(string(text), "\ntimemargin = ") {
			t.Errorf("%s does not say how to get %s, or its margin", r.Needs, e.Cmd)
		}
	}
}
