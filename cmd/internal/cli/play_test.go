package cli

import (
	"errors"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/text"
)

// TestFaultAdviceNamesReplayCommand expects the command that shows the game, or the list of games
// if only the pair is known.
func TestFaultAdviceNamesReplayCommand(t *testing.T) {
	fault := &schedule.FaultError{Phase: "tune", Name: "my player", Faults: 12, Games: 12, Trial: 3, Pair: 5, Game: 1, Reason: "crash", Seed: 77, Detail: "boom"}
	err := faultAdvice(fault, fault, "my run")
	for _, want := range []string{"my player lost 12 of 12 games (tune, as A) by its own faults", "trial 3, pair 5, game 1", "77", "boom", "selfplay replay 'my run' 3:5:1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %q", err, want)
		}
	}
	fault.Game = -1
	if err := faultAdvice(fault, fault, "run"); !strings.Contains(err.Error(), "selfplay export run --csv") {
		t.Error(err)
	}
	if err := faultAdvice(fault, fault, ""); !errors.Is(err, fault) || strings.Contains(err.Error(), "replay") {
		t.Error(err)
	}
}

// TestCleanEscapesControlCharacters expects no character that steers a terminal.
func TestCleanEscapesControlCharacters(t *testing.T) {
	if got := text.Clean("a\x1b[31mb\u202ec\x00\u0085é 步"); got != `a\u001b[31mb\u202ec\u0000\u0085é 步` {
		t.Errorf("%q", got)
	}
}

// TestTableCountsUnplayableGames expects a line with the games that the run's process played
// because no worker could.
func TestTableCountsUnplayableGames(t *testing.T) {
	members := []schedule.Member{{Games: 40}, {Games: 20, Own: true}}
	for games, want := range map[int64]string{60: "", 1260: "1,200 games that no worker could play: this process played them itself\n"} {
		if got := alone(games, members); got != want {
			t.Errorf("%d games: %q, want %q", games, got, want)
		}
	}
}

// ruled is a config that has rules alone.
type ruled struct{ runs.Config }

func (ruled) Conditions() *runs.MatchRules { return &runs.MatchRules{} }

// TestOtherBuildOfFinished: where nothing is left to play, no build makes a mixture of a run.
func TestOtherBuildOfFinished(t *testing.T) {
	for finished, want := range map[bool]int{false: 1, true: 0} {
		var out strings.Builder
		p := &playing{stderr: &out, kind: runs.Kind{Command: &runs.Command{}}, finished: finished}
		p.before(&record.Run{Head: &runs.Head{Meta: datasets.Meta{Revision: "other"}}, Config: ruled{}})
		if n := strings.Count(out.String(), "began this run"); n != want {
			t.Errorf("finished %v: %q", finished, out.String())
		}
	}
}
