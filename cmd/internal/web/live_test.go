package web

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gofrs/flock"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/testmode"
)

// half plays half of a match and leaves it as a kill would.
func half(t *testing.T, root string) (dir string) {
	t.Helper()
	a := match.New()
	a.Game.Game, a.A, a.B, a.Pairs = "quoridor", player.Ask("final"), player.Ask("v12.7"), 400
	plan, err := a.Plan()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(root, "half")
	r, err := record.Create(dir, plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	err = r.Play(ctx, runs.Options{Workers: 1, Progress: func(p runs.Progress) {
		if p.Games > 256 { // two trials are recorded, enough for a curve
			stop(errStopped)
		}
	}})
	if !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	return dir
}

// TestLiveReportIsNotUnfinished expects no word of an unfinished run and no command to resume it in
// the report of a run that is being played.
func TestLiveReportIsNotUnfinished(t *testing.T) {
	root := t.TempDir()
	dir := half(t, root)
	s := serving(t, root)
	reported := func(id string) string {
		var shown struct{ HTML string }
		if w := s.get("/data/report?id=" + id); json.Unmarshal(w.Body.Bytes(), &shown) != nil {
			t.Fatal(w.Body)
		}
		return shown.HTML
	}
	writer, _, err := datasets.Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	if text := reported("half"); !strings.Contains(text, "is being played: ") || strings.Contains(text, "continues it") || strings.Contains(text, "not finished") {
		t.Errorf("while it is played the report says\n%s", text[:min(len(text), 1000)])
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	s.library.models = nil // time goes by
	if text := reported("half"); !strings.Contains(text, "is not finished: ") || !strings.Contains(text, "continues it") {
		t.Errorf("when nobody plays it the report says\n%s", text[:min(len(text), 1000)])
	}
	c := tuning.New()
	c.Game.Game = "quoridor"
	plan, err := c.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.Create(filepath.Join(root, "begun"), plan, record.Origin{}); err != nil {
		t.Fatal(err)
	}
	if text := reported("begun"); !strings.Contains(text, "follows the first results") {
		t.Errorf("before the first result the report says\n%s", text)
	}
}

// TestGameOfOtherProcessShows expects the latest recorded game of a run that another process plays
// on the front page, where the run comes first, and on the run's page.
func TestGameOfOtherProcessShows(t *testing.T) {
	testmode.SkipUnlessLong(t) // plays elsewhere
	t.Parallel()
	root := t.TempDir()
	dir := half(t, root)
	playMatch(t, root, "later", 5)
	lock := flock.New(filepath.Join(dir, "run.lock")) // as the other process holds it
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	s := serving(t, root)
	last := datasets.GameRow{}
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for g, err := range log.Games(datasets.Filter{}) {
		if last = g; err != nil {
			t.Fatal(err)
		}
	}
	var shown struct{ Games []playView }
	if w := s.get("/data/live?id=half"); json.Unmarshal(w.Body.Bytes(), &shown) != nil || len(shown.Games) != 1 || shown.Games[0].Whole != last.Name() || shown.Games[0].Moves != last.Moves {
		t.Errorf("%s; want game %s", w.Body, last.Name())
	}
	if w := s.get("/data/live?id=later"); !strings.Contains(w.Body.String(), errNotHere.Error()) {
		t.Errorf("a finished run: %s", w.Body)
	}
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/")))
	b.until(`document.querySelector("#runs tbody tr:first-child .latest svg") && document.querySelectorAll(".latest").length === 1 && document.querySelector("#runs tbody tr").dataset.id === "half"`)
	b.do(chromedp.Navigate(s.path("/run?id=half")), chromedp.Click(`#inplay summary`))
	b.until(`inPlay.length === 1 && document.querySelector("#inplay .boards p").textContent.includes("the latest that another program has recorded")`)
}

// TestElsewhereInPlay: games that are played elsewhere have no board.
func TestElsewhereInPlay(t *testing.T) {
	elsewhere := &runs.Head{Variant: engines.Variant{Game: &engines.Game{Name: "elsewhere"}}}
	if _, why, err := inPlay(t.Context(), nil, elsewhere, playView{}, true); !errors.Is(why, errNotHere) || err != nil {
		t.Errorf("%v, %v", why, err)
	}
}

// TestInPlayStart expects the first ply of a running game's moves, which the board no longer shows.
func TestInPlayStart(t *testing.T) {
	four, err := games.Open("connectfour", "")
	if err != nil {
		t.Fatal(err)
	}
	start := four.Opening(rand.New(rand.NewPCG(1, 1)), 0).Position
	head := &runs.Head{Variant: four}
	head.Meta.Game = "connectfour"
	list, why, err := inPlay(t.Context(), nil, head, playView{Start: start, Moves: "1 2"}, true)
	if err != nil || why != nil || len(list) != 1 || list[0].Start != start || list[0].Position == start || list[0].Ply != 2 {
		t.Errorf("%+v, %v, %v", list, why, err)
	}
}
