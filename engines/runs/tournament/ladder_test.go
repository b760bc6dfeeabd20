package tournament

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
)

// find knows one kind.
func find(string) (runs.Kind, error) { return LadderKind(), nil }

// challenge returns a run of a player against the published ladder of Quoridor.
func challenge(name string, rounds int) *LadderConfig {
	a := NewLadder()
	a.Game.Game, a.Players, a.Rounds, a.Seed = "quoridor", player.AskAll(name), rounds, 3
	return a
}

func plan(t testing.TB, a *LadderConfig) *runs.Plan {
	t.Helper()
	p, err := a.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func play(t testing.TB, dir string, a *LadderConfig) *LadderResult {
	t.Helper()
	r, err := record.Create(dir, plan(t, a), record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Play(t.Context(), runs.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return r.Result.(*LadderResult)
}

// TestNoLadderNamesRemedy expects an error for a game without a published ladder, with the ways to
// have one.
func TestNoLadderNamesRemedy(t *testing.T) {
	for _, a := range []*LadderConfig{{}, {File: "sha256:00"}} {
		_, err := a.find(&engines.Game{Name: "hex"})
		e, ok := errors.AsType[*config.Error](err)
		if !ok || e.Field != "ladder" || !errors.Is(err, published.ErrNoLadder) {
			t.Fatalf("error %v", err)
		}
		for _, want := range []string{`for "hex"`, "there are those of connectfour, ", "measure one: calibrate, with a player for each rung"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("no %q in %v", want, err)
			}
		}
	}
}

// TestChallengePlaysPublishedRungs expects the rungs of the ladder under its rules and openings. A
// player named like a rung gets another name.
func TestChallengePlaysPublishedRungs(t *testing.T) {
	l, err := published.ReadLadder("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, challenge("final", 20))
	s := p.Config.(*LadderConfig)
	contest, err := s.contest()
	if err != nil {
		t.Fatal(err)
	}
	if contest.Players[0].Name != "player final" || len(contest.Players) != 1+len(l.Rungs) || contest.Pairs != 20 || contest.Round != 16 {
		t.Errorf("%d players, the first is %q; %d pairs, %d a round", len(contest.Players), contest.Players[0].Name, contest.Pairs, contest.Round)
	}
	if l, err = l.Extend(p.Variant.Game.Space.Names(), p.Variant.Game.Space.Default()); err != nil {
		t.Fatal(err)
	}
	for i, r := range l.Rungs {
		if e := contest.Players[1+i]; e.Name != r.Name || !slices.Equal(e.Values, r.Values) || e.Limits.String() != r.Limits {
			t.Errorf("%+v, want rung %+v", e, r)
		}
	}
	if p.Variant.Rules != l.Rules || s.OpeningPlies != l.OpeningPlies || len(s.foreign(l.GameVersion)) != 0 {
		t.Errorf("rules %s, openings of %d plies, %q", p.Variant.Rules, s.OpeningPlies, s.foreign(l.GameVersion))
	}
	if w := s.foreign(l.GameVersion + 1); len(w) != 1 || !strings.Contains(w[0], "the ladder was measured with version 1 of quoridor, this is version 2") {
		t.Errorf("another version: %q", w)
	}
	a := challenge("final", 20)
	a.OpeningPlies, a.MaxPlies = 2, 90
	w := plan(t, a).Config.(*LadderConfig).foreign(l.GameVersion)
	if len(w) != 2 || !strings.Contains(w[0], "from openings of 4 random plies") || !strings.Contains(w[1], "may be adjudicated") {
		t.Errorf("other conditions: %q", w)
	}
	a = challenge("x:final@time=9s", 20)
	a.Against = "bad"
	s = plan(t, a).Config.(*LadderConfig)
	if contest, err = s.contest(); err != nil || len(contest.Players) != 2 || contest.Players[1].Name != "bad" || s.Budgets() != "x: time=9s; bad: " {
		t.Errorf("against one: %+v, %v, limits %q", contest, err, s.Budgets())
	}
}

// TestCustomPlayerIsNoRung lets a custom player play a ladder, and refuses it as a rung.
func TestCustomPlayerIsNoRung(t *testing.T) {
	a := challenge("custom:mine", 1)
	a.Custom = []player.Custom{{Name: "mine", Repeatable: true, New: func(v engines.Variant) (engines.Player, error) { return v.NewPlayer(), nil }}}
	if result := play(t, filepath.Join(t.TempDir(), "run"), a); !result.finished() || result.player() != "mine" {
		t.Errorf("%d games of %s", result.Played(), result.player())
	}
	a.Calibrate, a.Players = true, player.AskAll("custom:mine", "final")
	if _, err := a.Plan(); err == nil || !strings.Contains(err.Error(), "cannot keep a program") {
		t.Errorf("calibrated: %v", err)
	}
}

// TestUncheckedSpecMayLackAnything lists a record without its game, whose spec was not checked.
func TestUncheckedSpecMayLackAnything(t *testing.T) {
	for _, s := range []*LadderConfig{{}, {Players: plan(t, challenge("final", 1)).Config.(*LadderConfig).Players}, {Calibrate: true}} {
		if result, err := s.NewResult(&runs.Head{}); err == nil {
			t.Errorf("%+v tells %+v", s, result)
		}
	}
}

// TestChallengeInList expects the summary of a challenge with games and without, and its page.
func TestChallengeInList(t *testing.T) {
	l, err := published.ReadLadder("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	games := fmt.Sprintf(", %d games", 2*4*len(l.Rungs))
	dir := filepath.Join(t.TempDir(), "run")
	live := play(t, dir, challenge("v16.7", 4))
	r, err := runs.Open(dir, find)
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Result()
	if err != nil {
		t.Fatal(err)
	}
	want, err := live.Summary()
	if err != nil {
		t.Fatal(err)
	}
	got, err := result.Summary()
	if err != nil || !reflect.DeepEqual(got, want) || !got.Finished || got.What != fmt.Sprintf("v16.7 v %d opponents", len(l.Rungs)) ||
		!strings.HasPrefix(got.Result, "rating on the ladder ") || !strings.HasSuffix(got.Result, ", where final is 0"+games) {
		t.Errorf("%+v, %v; live %+v", got, err, want)
	}
	bare, err := r.Config.NewResult(r.Head)
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range r.Log.Trials(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := bare.Add(schedule.Finished{Trial: row}); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := bare.Summary(); err != nil || !strings.HasPrefix(s.Result, "mean score ") || !strings.HasSuffix(s.Result, " %"+games) {
		t.Errorf("without games: %+v, %v", s, err)
	}
	page, err := result.Page()
	if err != nil {
		t.Fatal(err)
	}
	text, err := page.Markdown(reports.FigureFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" Elo**, ", "| bad | ", "figures/ladder.svg"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if files, err := result.Files(); err != nil || len(files) != 0 {
		t.Errorf("a challenge leaves %v, %v", files, err)
	}
	if _, err := os.Stat(filepath.Join(dir, published.LadderName)); !errors.Is(err, os.ErrNotExist) {
		t.Error("a challenge leaves a ladder")
	}
}

// TestOneSidedChallengeIsOpen expects no rating of a player that wins nearly every game.
func TestOneSidedChallengeIsOpen(t *testing.T) {
	l, err := published.ReadLadder("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		against, reason, want string
	}{
		{"", string(engines.Crash), fmt.Sprintf("the player is beyond the ladder, whose rungs go from %.0f to ", l.Rungs[0].Elo)},
		{"final", string(engines.Crash), "try another rung"},
		{"", "goal", ""},
	} {
		a := challenge("v16.7", 2)
		a.Against = c.against
		p := plan(t, a)
		if c.want != "" { // it loses every game
			own := p.Variant.NewPlayer
			weak := p.Config.(*LadderConfig).Players[0].Values
			p.Variant.NewPlayer = func() engines.Player { return &mute{Player: own(), weak: weak} }
			p.Config.(*LadderConfig).FaultLimit = schedule.FaultLimit{}
		}
		r, err := record.New(p, record.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Play(t.Context(), runs.Options{Workers: 2}); err != nil {
			t.Fatal(err)
		}
		result := r.Result.(*LadderResult)
		placed, err := result.Placed()
		if err != nil || c.want != "" && c.against == "" && !(placed.Elo < l.Rungs[0].Elo) {
			t.Errorf("placed at %v, %v", placed, err)
		}
		if got := strings.Join(result.beyond(placed), ""); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("against %q: %q, want %q", c.against, got, c.want)
		}
		few := placed
		if err := few.Warnings.UnmarshalText([]byte("few-points")); err != nil {
			t.Error(err)
		}
		if got := result.beyond(few); c.want == "" && (len(got) != 1 || !strings.Contains(got[0], "hardly any game: `v16.7`. The intervals")) {
			t.Errorf("with few points: %q", got)
		}
		lost := *result.Result
		lost.tallies = [][]rating.Pairs{slices.Clone(result.tallies[0])}
		lost.tallies[0][1] = rating.Pairs{60}
		odd := &LadderResult{Result: &lost, Config: result.Config}
		if got := odd.beyond(placed); c.want == "" && (len(got) != 1 || !strings.Contains(got[0], "`v16.7` scored 0.0 % against `"+l.Rungs[0].Name)) {
			t.Errorf("losing to the weakest rung alone: %q", got)
		}
		// Two lost pairs leave a score of 1 - 0.025^(1/2) at most, +290 Elo.
		want := "rating on the ladder [+-][0-9.]+ ± "
		if in, open := result.interval(placed); c.want != "" {
			want = "rating on the ladder at most [+-][0-9.]+ Elo"
			if rung := result.Pairs(0, 1).Estimate(result.Config.Level); open >= 0 || in.Low > -rating.MaxElo || rung.EloRange.High > 300 {
				t.Errorf("against %q: within %v (%d)", c.against, in, open)
			}
		}
		if text := result.placing(placed); !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("against %q: %s, want %s", c.against, text, want)
		}
	}
}

// mute does not start a game as the weak player.
type mute struct {
	engines.Player
	weak []float64
	mute bool
}

func (m *mute) Configure(v []float64) error {
	m.mute = slices.Equal(v, m.weak)
	return m.Player.Configure(v)
}

func (m *mute) Reset(position string, seed uint64) error {
	if m.mute {
		return errors.New("mute")
	}
	return m.Player.Reset(position, seed)
}

// TestCalibrationLeavesLadder expects the ladder in the run when all is played, and names and
// conditions in its command.
func TestCalibrationLeavesLadder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	a := challenge("", 20)
	a.Calibrate, a.Players, a.MaxPlies = true, player.AskAll("top:final", "bad@time=9s", "v30.7,a_E=11"), 200
	result := play(t, dir, a)
	data, err := os.ReadFile(filepath.Join(dir, published.LadderName))
	if err != nil {
		t.Fatal(err)
	}
	l, err := published.DecodeLadder("ladder.toml", data)
	if err != nil {
		t.Fatal(err)
	}
	if l.Rungs[0].Name != "bad@time=9s" || l.Rungs[0].Limits != "time=9s" || l.Anchor != "top" || len(l.Results) != 3 {
		t.Errorf("%+v", l)
	}
	for _, want := range []string{"--player top:final --player bad@time=9s --player v30.7,a_E=11 ", "--max-plies 200", "--seed 3", "--anchor top"} {
		if !strings.Contains(l.Command, want) {
			t.Errorf("no %q in %s", want, l.Command)
		}
	}
	readme, err := os.ReadFile(filepath.Join(dir, reports.ReadmeName))
	if err != nil || !strings.Contains(string(readme), l.Command) {
		t.Errorf("README.md without the command: %v\n%s", err, readme)
	}
	s, err := result.Summary()
	if err != nil || s.What != "3 rungs, measured" || !strings.HasPrefix(s.Result, "first is ") || !s.Finished {
		t.Errorf("%+v, %v", s, err)
	}
	// Without players, the players of a ladder are measured again, here against the next one only.
	again := challenge("", 20)
	again.Calibrate, again.Players, again.File, again.Neighbours = true, nil, filepath.Join(dir, published.LadderName), 1
	again.Seed = 3
	next := play(t, filepath.Join(t.TempDir(), "next"), again)
	if l, err = next.measured(); err != nil {
		t.Fatal(err)
	}
	spec := next.Config
	if spec.Anchor != "top" || len(spec.Players) != 3 || spec.Players[0].Name != "bad@time=9s" || len(l.Results) != 2 ||
		!strings.Contains(l.Command, "--neighbours 1") || strings.Contains(result.recipe(), "--neighbours") {
		t.Errorf("%+v, %s", spec, l.Command)
	}
}
