package tournament_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// small returns a tournament of three of Quoridor's presets: 9 trials of 2 pairs.
func small() *tournament.Config {
	a := tournament.New()
	a.Game.Game, a.Players, a.Pairs, a.Round, a.Seed = "quoridor", player.AskAll("final", "v12.7", "bad"), 6, 2, 4
	return a
}

func plan(t testing.TB, a runs.Config) *runs.Plan {
	t.Helper()
	p, err := a.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// playRun plays a config into dir.
func playRun(t testing.TB, dir string, a runs.Config) *record.Run {
	t.Helper()
	r, err := record.Create(dir, plan(t, a), record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Play(t.Context(), runs.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return r
}

func open(t testing.TB, dir string) *runs.Recorded {
	t.Helper()
	r, err := kinds.All().Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// resultOf reads the first trials of a run, with their games or without.
func resultOf(t testing.TB, dir string, trials int64, games bool) *tournament.Result {
	t.Helper()
	r := open(t, dir)
	result, err := r.Config.NewResult(r.Head)
	if err != nil {
		t.Fatal(err)
	}
	for f, err := range schedule.Recorded(r.Log, datasets.Filter{To: trials}) {
		if err != nil {
			t.Fatal(err)
		}
		if f.Trial.Trial >= trials { // To 0 is no bound
			break
		}
		if !games {
			f.Games = nil
		}
		if err := result.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	return result.(*tournament.Result)
}

// TestPresetsPlayByDefault expects all presets to play but the bad and the late ones, with the
// default one at 0.
func TestPresetsPlayByDefault(t *testing.T) {
	a := tournament.New()
	a.Game.Game = "quoridor"
	p := plan(t, a)
	s := p.Config.(*tournament.Config)
	var names []string
	for _, e := range s.Players {
		names = append(names, e.Name)
	}
	if len(names) != len(p.Variant.Game.StandardPresets())-1 || slices.Contains(names, p.Variant.Game.WeakPreset) {
		t.Errorf("players %q", names)
	}
	if s.Anchor != p.Variant.Game.DefaultPreset || s.Pairs != 200 || s.Round != 32 || s.Schedule != "round robin" {
		t.Errorf("%+v", s)
	}
	a.Game.Game = "connectfour"
	for _, e := range plan(t, a).Config.(*tournament.Config).Players {
		if e.Name == "master" {
			t.Error("a preset that came late plays without being named")
		}
	}
	a.Game.Game = "quoridor"
	a.Players, a.Pairs = player.AskAll("first:final@time=9s", "bad", "v12.7"), 5
	s = plan(t, a).Config.(*tournament.Config)
	if s.Anchor != "first" || s.Round != 5 || s.Budgets() != "first: time=9s; bad: ; v12.7: " {
		t.Errorf("anchor %s, rounds of %d, limits %q", s.Anchor, s.Round, s.Budgets())
	}
}

// TestResultGrowsByTrial expects the result trial by trial, and the same result live and read
// again.
func TestResultGrowsByTrial(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	live := playRun(t, dir, small()).Result.(*tournament.Result)
	again := resultOf(t, dir, 9, true)
	for _, page := range []func(*tournament.Result) (any, error){
		func(t *tournament.Result) (any, error) { return t.Summary() },
		func(t *tournament.Result) (any, error) { return t.JSON() },
		func(t *tournament.Result) (any, error) {
			p, err := t.Page()
			if err != nil {
				return nil, err
			}
			text, err := p.Markdown(reports.FigureFolder)
			return string(text), err
		},
	} {
		want, err := page(live)
		if err != nil {
			t.Fatal(err)
		}
		got, err := page(again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
			t.Errorf("read again (-live +read):\n%s", diff)
		}
	}
	for trials, want := range map[int64]string{
		0: runs.NothingYet, 4: "unfinished, 16 of 36 games: first is ", 9: "first is final, +",
	} {
		s, err := resultOf(t, dir, trials, true).Summary()
		if err != nil || !strings.HasPrefix(s.Result, want) || s.Finished != (trials == 9) || s.What != "3 players" {
			t.Errorf("after %d trials %+v, %v; want %q", trials, s, err, want)
		}
	}
	var none strings.Builder
	err := resultOf(t, dir, 0, true).Text(&none, runs.Ended{})
	if err != nil || !strings.Contains(none.String(), "No result yet  no game is recorded\n") {
		t.Errorf("without games: %v:\n%s", err, &none)
	}
	for trials, want := range map[int64]string{0: runs.NothingYet, 4: "unfinished, 16 of 36 games: first by mean score is ", 9: "first by mean score is "} {
		s, err := resultOf(t, dir, trials, false).Summary()
		if err != nil || !strings.HasPrefix(s.Result, want) {
			t.Errorf("without games, after %d trials: %+v, %v; want %q", trials, s, err, want)
		}
	}
	for trials, want := range map[int64]runs.Progress{
		0: {Phase: "tournament", Planned: 36, Note: "pairs 1 to 2 of 6 in each pairing"},
		4: {Phase: "tournament", Planned: 36, Games: 16, Note: "pairs 3 to 4 of 6 in each pairing"},
		9: {Phase: "tournament", Planned: 36, Games: 36, Note: "pairs 5 to 6 of 6 in each pairing"},
	} {
		if got := resultOf(t, dir, trials, true).Progress("", [5]int{}); !cmp.Equal(got, want) {
			t.Errorf("progress %+v, want %+v", got, want)
		}
	}
	if got := resultOf(t, dir, 4, true).Progress("", [5]int{0, 0, 1}).Games; got != 18 {
		t.Errorf("with a pair under way %d games, want 18", got)
	}
}

// TestUnfinishedPageSaysSo expects the page of a record that was cut short to name it unfinished.
func TestUnfinishedPageSaysSo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	playRun(t, dir, small())
	for _, trials := range []int64{0, 1, 4, 9} {
		page, err := resultOf(t, dir, trials, true).Page()
		if err != nil {
			t.Fatal(err)
		}
		text, err := page.Markdown(reports.FigureFolder)
		if err != nil {
			t.Fatal(err)
		}
		if unmet := strings.Contains(string(text), "| - | 0 |"); unmet != (trials == 1) {
			t.Errorf("%d trials: a player without games and without a score is %v in\n%s", trials, unmet, text)
		}
		want := fmt.Sprintf("The tournament is not finished: %d of 36 games are recorded. `selfplay tournament --resume %s` continues it.", 4*trials, dir)
		if strings.Contains(string(text), want) == (trials == 9) {
			t.Errorf("%d trials: the sentence %q in\n%s", trials, want, text)
		}
	}
}

// TestTrialsReplayByPairing expects the part of every trial, and a trial that plays its games
// again.
func TestTrialsReplayByPairing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	a := small()
	a.Players[1] = player.Ask("v12.7@time=40s")
	playRun(t, dir, a)
	r, tour := open(t, dir), resultOf(t, dir, 9, true)
	w := play.NewWorker(r.Head.Variant, r.PlaySetup())
	defer w.Close()
	parts := map[string]int{}
	for f, err := range schedule.Recorded(r.Log, datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		part, ok := tour.Part(f.Trial)
		parts[part.Name]++
		trial, err := tour.Trial(f.Trial)
		if !ok || err != nil || part.Name != f.Trial.Phase || part.Seats[0].Name+" v "+part.Seats[1].Name != part.Name {
			t.Fatalf("trial %d: %+v, %v", f.Trial.Trial, part, err)
		}
		pairs, err := w.Play(t.Context(), play.Job{Seats: trial.Seats, Stream: trial.Stream, Openings: trial.Openings, Book: trial.Book, To: trial.Pairs})
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range f.Games {
			if again := pairs[i/2].Games[i%2]; again.Moves != g.Moves {
				t.Errorf("trial %d, game %d: %s, recorded %s", f.Trial.Trial, i, again.Moves, g.Moves)
			}
		}
		f.Trial.Phase = "x v y"
		if _, err := tour.Trial(f.Trial); !errors.Is(err, schedule.ErrDiverged) {
			t.Errorf("a trial of others: %v", err)
		}
	}
	if len(parts) != 3 || parts["final v v12.7@time=40s"] != 3 {
		t.Errorf("parts %v", parts)
	}
}

// TestConductHoldsInEveryPairing expects openings of a file, adjudication and limits in every
// pairing.
func TestConductHoldsInEveryPairing(t *testing.T) {
	dir := t.TempDir()
	book := filepath.Join(dir, "book")
	if err := os.WriteFile(book, []byte("e2 e8\ne2 e8 e3\ne2 e8 d2 f8\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	a := small()
	a.Pairs, a.Openings, a.MaxPlies = config.Unset, book, 40
	a.Players[0] = player.Ask("low:final@time=1m")
	r := playRun(t, filepath.Join(dir, "run"), a)
	if s := r.Config.(*tournament.Config); s.Pairs != 3 || s.Players[0].Limits != (engines.Limits{Time: time.Minute}) {
		t.Errorf("%d pairs, limits %v; want one pair an opening", s.Pairs, s.Players[0].Limits)
	}
	starts, seen, adjudicated := []string{"e2 e8", "e2 e8 e3", "e2 e8 d2 f8"}, map[string]int{}, 0
	for g, err := range open(t, filepath.Join(dir, "run")).Log.Games(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		start := starts[seen[g.Phase]/2]
		seen[g.Phase]++
		if !strings.HasPrefix(g.Moves, start) || int(g.OpeningPlies) != len(strings.Fields(start)) || g.Plies > 40 {
			t.Errorf("%s: %d plies from %.20s, want %s", g.Phase, g.Plies, g.Moves, start)
		}
		if g.Reason == string(engines.Adjudicated) {
			adjudicated++
		}
	}
	if len(seen) != 3 || adjudicated == 0 {
		t.Errorf("games %v, %d adjudicated", seen, adjudicated)
	}
	a.Pairs = 4
	if _, err := a.Plan(); err == nil || !strings.Contains(err.Error(), "holds 3 openings") {
		t.Errorf("more pairs than openings: %v", err)
	}
}

// TestRatingsExpectPlayedScore expects the ratings of two players, with the advantage of the first
// move, to give the score that was played.
func TestRatingsExpectPlayedScore(t *testing.T) {
	a := small()
	a.Players, a.Pairs, a.Round = player.AskAll("final", "bad"), 200, 50
	tour := playRun(t, filepath.Join(t.TempDir(), "run"), a).Result.(*tournament.Result)
	s, err := tour.Standing()
	if err != nil {
		t.Fatal(err)
	}
	score := tour.Pairs(0, 1).Score()
	if got := tour.Pairs(1, 0).Score(); score+got != 1 || tour.Mean(0) != score {
		t.Errorf("scores %v and %v, mean %v", score, got, tour.Mean(0))
	}
	lead, half := s.Lead()
	expected := func(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
	if got := (expected(lead+s.Ratings.Advantage) + expected(lead-s.Ratings.Advantage)) / 2; math.Abs(got-score) > 0.01 || !(half > 0 && half < lead) {
		t.Errorf("lead %v ± %v with an advantage of %v is a score of %v, played were %v", lead, half, s.Ratings.Advantage, got, score)
	}
	if rows := s.Scores(); s.Name(0) != "final" || rows[0][0] != "final" || rows[0][1] != "-" || rows[0][2] != text.Number(100*score, 1) {
		t.Errorf("cross table %q", rows)
	}
	if rows := s.Chances(); rows[0][2] != "> 99.9" || rows[1][1] != "< 0.1" || rows[1][2] != "-" {
		t.Errorf("chances %q", rows)
	}
	if s.Rating(0) != "0" || s.Rating(1) != fmt.Sprintf("%+.1f ± %.1f", -lead, half) {
		t.Errorf("ratings %s and %s, lead %v ± %v", s.Rating(0), s.Rating(1), lead, half)
	}
}

// TestFaultNamesPairing expects the pairing and its round in the error of a player with too many
// faults.
func TestFaultNamesPairing(t *testing.T) {
	a := small()
	a.FaultLimit, a.Pairs, a.Round = schedule.FaultLimit{Games: 3}, 4, 4
	p := plan(t, a)
	p.Variant.NewPlayer = func() engines.Player { return mute{} }
	r, err := record.New(p, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	err = r.Play(t.Context(), runs.Options{Workers: 2})
	if fault, ok := errors.AsType[*schedule.FaultError](err); !ok || fault.Phase != "final v v12.7" || !strings.HasPrefix(err.Error(), "final v v12.7, round 1: stopped: ") {
		t.Errorf("ended with %v", err)
	}
	if w := r.Result.(*tournament.Result).Cautions(); len(w) == 0 || !strings.Contains(w[0], "by faults") {
		t.Errorf("warnings %q", w)
	}
}

// mute never starts a game.
type mute struct{ engines.Player }

func (mute) Configure([]float64) error  { return nil }
func (mute) Reset(string, uint64) error { return errors.New("mute") }

// TestAlikePlayersAreNamed expects the names of players that decide alike, on the terminal too, and
// no others.
func TestAlikePlayersAreNamed(t *testing.T) {
	a := small()
	a.Players = player.AskAll("one:final", "two:final", "v12.7")
	var out strings.Builder
	if err := playRun(t, t.TempDir(), a).Result.Text(&out, runs.Ended{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "play alike"); n != 1 || !strings.Contains(out.String(), "\nwarning: one and two decided alike in all of ") {
		t.Error(out.String())
	}
}
