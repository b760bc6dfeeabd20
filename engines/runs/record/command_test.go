package record_test

import (
	"strings"
	"testing"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
)

// TestCommandOfAnySystem expects one command of a run on all systems, so that each can continue the
// runs of the others.
func TestCommandOfAnySystem(t *testing.T) {
	config := match.New()
	config.Game.Game, config.A, config.B = "quoridor", player.Ask("final"), player.Ask("bad")
	plan, err := config.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.New(plan, record.Origin{})
	if err != nil || !strings.Contains(r.Head.Meta.Command, " --a a_E=22,") {
		t.Errorf("%s, %v", r.Head.Meta.Command, err)
	}
}
