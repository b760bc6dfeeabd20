package tuning

import (
	"encoding/json"
	"errors"
	"html"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/rating"
)

// TestPoolIsRatedWithPresets rates the pool with the presets. A folder gives the tuned values of
// its runs, and the run repeats by its command.
func TestPoolIsRatedWithPresets(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	dir := t.TempDir()
	plan, err := quadOf("bad", map[string]any{"games": int64(200)}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Create(filepath.Join(dir, "earlier"), plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	playRun(t, r, 2)
	result := playRun(t, create(t, quadOf("bad", map[string]any{"games": int64(200), "seed": "8", "rate_pairs": int64(2),
		"pool": []any{dir, "slow:final,a_E=3"}})), 2)
	p, err := result.Pool()
	others := len(result.Config.task.Game.StandardPresets()) + 3
	if err != nil || p == nil || p.Others != others || p.Pairs != 2*others || !(p.Low < p.Elo && p.Elo < p.High) {
		t.Errorf("%+v, %v", p, err)
	}
	if !strings.Contains(p.String(), " (95 %, ") {
		t.Error(p)
	}
	text := html.UnescapeString(page(t, result))
	for _, want := range []string{"| earlier |", "| slow |", "Tuned vs start, using only games against other players: " + p.String()} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if c := result.Head.Meta.Command; strings.Count(c, " --pool ") != 2 {
		t.Error(c)
	}
	for pool, want := range map[string]string{t.TempDir(): "holds no finished tuning of quoridor", "nobody": "no preset"} {
		_, err := quadOf("bad", map[string]any{"pool": pool}).Plan()
		if e, ok := errors.AsType[*config.Error](err); !ok || e.Field != "pool" || !strings.Contains(err.Error(), want) {
			t.Errorf("pool %s: %v", pool, err)
		}
	}
}

// TestPoolWarnsOfContradiction expects a warning where games with others contradict the
// verification, and none where they agree.
func TestPoolWarnsOfContradiction(t *testing.T) {
	plan, err := quadOf("final", map[string]any{"games": int64(2)}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.New(plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	result := r.Result.(*Result)
	best := result.Recommend().Clone()
	best[0]++
	joint := result.ratingPhase.joint
	joint.names, result.ratingPhase.games = result.Config.rated(best), 2
	openings := uint64(0)
	both := func(x, other, wins, losses int) {
		for k := range wins + losses {
			f := schedule.Finished{Games: make([]datasets.GameRow, 2)}
			if openings++; k < wins {
				f.Games[0].AScore, f.Games[1].AScore = 1, 1
			}
			f.Trial.Openings = openings
			joint.add(x, other, f)
		}
	}
	result.tallies = []rating.Pairs{{0: 100, 4: 300}} // 75 %
	both(1, 0, 300, 100)
	both(0, 2, 200, 200)
	both(1, 2, 200, 200) // and no better than the start
	if p, err := result.Pool(); err != nil || !p.Differs || p.Elo > 20 || p.Elo < -20 || p.Pairs != 400 || result.ratingPhase.Warnings() == nil {
		t.Errorf("%+v, %v, %v", p, err, result.ratingPhase.Warnings())
	}
	both(1, 2, 400, 0) // now 75 % against the others, too
	if p, err := result.Pool(); err != nil || p.Differs || result.ratingPhase.Warnings() != nil {
		t.Errorf("%+v, %v, %v", p, err, result.ratingPhase.Warnings())
	}
	both(1, 2, 40_000, 0) // nearly everything: beyond what is ever reported
	both(0, 2, 0, 40_000)
	p, err := result.Pool()
	if err != nil || p.Elo != rating.MaxElo || p.High != rating.MaxElo || !strings.HasPrefix(p.String(), "> +1200 Elo, from ") || !strings.Contains(p.String(), " to > +1200 (95 %") {
		t.Errorf("far beyond the bounds: %v, %+v, %v", p, p, err)
	}
	if data, err := json.Marshal(p); err != nil || !strings.Contains(string(data), `"differs":`) {
		t.Errorf("%s, %v", data, err)
	}
}
