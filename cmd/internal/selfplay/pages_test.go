package selfplay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports/pagetest"
)

// strainedMatch is a match that strains a page: names without a place to break, all
// parameters different, openings from long positions, every warning.
func strainedMatch() *recorded {
	r := newRecorded()
	long := strings.Repeat("a_very_long_name/", 12)
	r.spec.A.Name, r.spec.B.Name = long+"tuned.toml,a=1,b=2", long+"other.toml"
	r.spec.A.Limits = engines.Limits{Depth: 12, Nodes: 123456789, Time: 90 * time.Minute}
	r.spec.B.Limits = engines.Limits{Playouts: 123456789, Time: 2 * time.Second}
	r.spec.Pairs = 123456
	if err := r.spec.SPRT.UnmarshalText([]byte("elo0=-1.5,elo1=3.25,alpha=0.01,beta=0.02,model=normalized")); err != nil {
		panic(err)
	}
	r.meta.Parameters, r.spec.A.Values, r.spec.B.Values = nil, nil, nil
	for i := range 60 {
		r.meta.Parameters = append(r.meta.Parameters, fmt.Sprintf("bonus_of_the_%dth_line_when_far_behind", i))
		r.spec.A.Values, r.spec.B.Values = append(r.spec.A.Values, float64(i)/7), append(r.spec.B.Values, -1e6*float64(i+1)/3)
	}
	r.meta.Command = "selfplay match --a " + strings.Repeat("x=123456789,", 300)
	r.meta.CommandLine = "selfplay match " + strings.Repeat("y", 900)
	for range 20 {
		r.pairs = append(r.pairs, r.pairs[:40]...)
	}
	reasons := []engines.Reason{"goal", engines.Crash, engines.Adjudicated, engines.PlyBound, engines.OutOfTime, "a_reason_with_a_long_name_of_its_own"}
	r.change = func(g *datasets.GameRow) {
		g.Position = strings.Repeat("...............", 15) + strings.Repeat("x", int(g.Pair)%30) + " W"
		if g.Outcome != "1/2" {
			g.Reason = string(reasons[int(g.Pair)%len(reasons)])
		}
	}
	return r
}

// tunedRun is a finished tuning run of Quoridor, as asked.
func tunedRun(t *testing.T, change func(a *tuning.Config)) (dir string) {
	t.Helper()
	cfg := tuning.New()
	cfg.Game.Game, cfg.Seed = "quoridor", 7
	change(cfg)
	plan, err := cfg.Plan()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "run")
	r, err := record.Create(dir, plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Play(t.Context(), runs.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// set asks a tuning for settings of its method.
func set(t *testing.T, a *tuning.Config, name string, values ...string) {
	t.Helper()
	for _, f := range config.Fields(a) {
		if f.Name != name {
			continue
		}
		for _, v := range values {
			if err := f.Set(v); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	t.Fatalf("no setting is named %s", name)
}

// TestPagesInBrowser shows a page of every kind to a real browser, at a phone's width and
// at a desktop's.
func TestPagesInBrowser(t *testing.T) {
	clitest.SkipUnderRace(t)
	testmode.SkipUnlessLong(t) // every page in a browser
	t.Parallel()
	game, err := games.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tournament := []string{"tournament", "--game", "quoridor", "--pairs", "2", "--out", filepath.Join(dir, "tournament")}
	for i, preset := range []string{"final", "v12.7", "bad"} {
		for k := range 4 {
			tournament = append(tournament, "--player", fmt.Sprintf("%s with a name that is far too long for a column %d:%s,a_E=%d", preset, k, preset, 10+i+4*k))
		}
	}
	mustCommand(t, tournament...)
	mustCommand(t, "ladder", "--game", "quoridor", "--player", "final", "--rounds", "4", "--out", filepath.Join(dir, "ladder"))
	var all config.Names // but those that choose among names
	for _, p := range game.Space {
		if len(p.Labels) == 0 {
			all = append(all, p.Name)
		}
	}
	runs := []struct {
		name    string
		dir     string
		figures int // with the scale of the answer
	}{
		{"long match", strainedMatch().write(t), 6},
		{"match", newRecorded().write(t), 5},
		{"tournament", filepath.Join(dir, "tournament"), 9},
		{"ladder", filepath.Join(dir, "ladder"), 7},
		{"tuning", tunedRun(t, func(a *tuning.Config) {
			a.Active, a.Pairs, a.ScreenPairs, a.VerifyMin, a.VerifyPairs, a.RatePairs = all, 2, 1, 64, 64, 1
			set(t, a, "iters", "500")
		}), 13 + len(all)}, // with a panel for each parameter
		{"grid", tunedRun(t, func(a *tuning.Config) {
			a.Method, a.Pairs = "grid", 4
			set(t, a, "grid", "a_E=0:40:10", "b_gain=0:100:20")
		}), 6}, // two panels, ratings, heat, lengths, endings: nothing better was found, so nothing is verified and there is no scale
		{"line", tunedRun(t, func(a *tuning.Config) {
			a.Method, a.Pairs = "grid", 20
			set(t, a, "grid", "b_gain=0:100:10")
		}), 13}, // scale, strength by games, panel, openings, verification, ratings, response, lengths, endings, and four boards
	}
	var pages []pagetest.Page
	figures := map[string]int{}
	for _, r := range runs {
		mustCommand(t, "report", r.dir)
		html, err := os.ReadFile(filepath.Join(r.dir, "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		figures[r.name] = r.figures
		pages = append(pages, pagetest.Page{Name: r.name, HTML: html, Width: 390}, pagetest.Page{Name: r.name, HTML: html, Width: 1280})
	}
	// The page of a game.
	one := filepath.Join(dir, "game.html")
	mustCommand(t, "replay", filepath.Join(dir, "ladder"), "0:0:0", "--html", one)
	for name, file := range map[string]string{"game": one} {
		html, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		figures[name] = strings.Count(string(html), "<figure>")
		for _, width := range []int{390, 1280} {
			pages = append(pages, pagetest.Page{Name: name, HTML: html, Width: width, Dark: width == 390})
		}
	}
	pagetest.Check(t, figures, pages...)
}
