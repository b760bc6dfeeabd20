package kinds_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/runs/view"
	"selfplaylab/params"
)

// random is a player of one's own, which plays legal moves at random.
type random struct {
	v        engines.Variant
	position string
	seed     uint64
}

func (r *random) Configure([]float64) error { return nil }

func (r *random) Reset(position string, seed uint64) error {
	r.position, r.seed = position, seed
	return nil
}

func (p *random) Choose(_ context.Context, history []engines.Move, _ engines.Limits) (engines.Decision, error) {
	ref := p.v.NewReferee()
	if err := ref.Reset(p.position); err != nil {
		return engines.Decision{}, err
	}
	for _, m := range history {
		ref.Play(m)
	}
	moves := ref.Moves(nil)
	r := rand.New(rand.NewPCG(p.seed, uint64(len(history)))) // of seed and history alone, so it repeats
	return engines.Decision{Move: moves[r.IntN(len(moves))]}, nil
}

// custom is the player in the form that runs take. It has no parameters, and is declared to repeat
// itself.
var custom = player.Custom{Name: "random-1", Repeatable: true, New: func(v engines.Variant) (engines.Player, error) {
	return &random{v: v}, nil
}}

// A match of a player written in Go by a user of the library.
func Example_customMatch() {
	dir, remove := folder()
	defer remove()
	cfg := match.New()
	cfg.Game.Game, cfg.Custom = "connectfour", []player.Custom{custom}
	cfg.A, cfg.B = player.Ask("mine:custom:random-1"), player.Ask("bad@playouts=5")
	cfg.Pairs = 6
	result := playRun(filepath.Join(dir, "run"), cfg).(*match.Result)
	fmt.Println(result.Pairs.N(), "pairs")
	// Output: 6 pairs
}

// The custom player among others in a tournament.
func Example_customTournament() {
	dir, remove := folder()
	defer remove()
	cfg := tournament.New()
	cfg.Game.Game, cfg.Custom = "quoridor", []player.Custom{custom}
	cfg.Players, cfg.Pairs = player.AskAll("mine:custom:random-1", "final", "bad"), 2
	summary, err := playRun(filepath.Join(dir, "run"), cfg).Summary()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.What)
	// Output: 3 players
}

// A custom player with the game's parameters, tuned against another.
func Example_customTuning() {
	dir, remove := folder()
	defer remove()
	cfg := tuning.New()
	cfg.Game.Game, cfg.Start, cfg.Active = "quoridor", player.Ask("custom:wrapped"), config.Names{"a_E", "b_gain"}
	cfg.Against = player.AskAll("custom:random-1")
	cfg.Custom = []player.Custom{custom, wrapped()}
	if err := config.Table(cfg, map[string]any{"iters": int64(12), "pairs": int64(4), "verify_pairs": int64(8)}); err != nil {
		log.Fatal(err)
	}
	result := playRun(filepath.Join(dir, "run"), cfg).(*tuning.Result)
	fmt.Println("finished:", result.Finished())
	// Output: finished: true
}

// wrapped returns the game's own player as custom code sees it: it takes vectors of the
// game's parameters.
func wrapped() player.Custom {
	return player.Custom{
		Name: "wrapped", Repeatable: true, Values: weak("quoridor"),
		New: func(v engines.Variant) (engines.Player, error) { return v.NewPlayer(), nil },
	}
}

func weak(name string) params.Vector {
	game, err := games.Find(name)
	if err != nil {
		log.Fatal(err)
	}
	p, err := game.Preset(game.WeakPreset)
	if err != nil {
		log.Fatal(err)
	}
	return p.Vector
}

// TestCustomPlayersAreNeededToResume resumes and replays a run of custom players only in a program
// that gives the same players.
func TestCustomPlayersAreNeededToResume(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	cfg := match.New()
	cfg.Game.Game, cfg.Custom = "quoridor", []player.Custom{custom, wrapped()}
	cfg.A, cfg.B, cfg.Pairs = player.Ask("custom:random-1"), player.Ask("custom:wrapped,a_E=3"), 70
	plan, err := cfg.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Create(dir, plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	if err := r.Play(ctx, runs.Options{Workers: 1, Progress: func(p runs.Progress) {
		if p.Games > 0 {
			stop()
		}
	}}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := r.Play(t.Context(), runs.Options{}); err == nil || !strings.Contains(err.Error(), "Resume makes another") {
		t.Errorf("played twice: %v", err)
	}
	if _, err := record.Create(dir, nil, record.Origin{}); err == nil || !strings.Contains(err.Error(), "want what the Plan of a Config returns") {
		t.Errorf("without a plan: %v", err)
	}
	again := func(players ...player.Custom) error {
		r, err := record.Resume(dir, kinds.All().Find, record.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Play(t.Context(), runs.Options{Workers: 2, Custom: players})
	}
	if err := again(); err == nil || !strings.Contains(err.Error(), `custom player "random-1" is Go code that this program does not have`) {
		t.Errorf("without the players: %v", err)
	}
	if err := again(wrapped(), custom); err != nil {
		t.Fatal(err)
	}
	if err := view.Report(t.Context(), kinds.All(), dir); err != nil {
		t.Fatal(err)
	}
	if page, err := os.ReadFile(filepath.Join(dir, "report.md")); err != nil || !strings.Contains(string(page), "no parameters to compare") {
		t.Errorf("%v: the report does not say why no parameters are compared", err)
	}
	recorded, err := kinds.All().Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, players := range [][]player.Custom{nil, {custom, wrapped()}} {
		replay, err := replay.Find(recorded, "0:0:1")
		if err != nil {
			t.Fatal(err)
		}
		replay.Custom = players
		if err := replay.Play(t.Context(), nil); (err == nil) != (players != nil) {
			t.Errorf("replay with %d players: %v", len(players), err)
		}
	}
}

// TestConfigNeedsNew refuses a Config that New did not make.
func TestConfigNeedsNew(t *testing.T) {
	duel := &match.Config{A: player.Ask("final"), B: player.Ask("bad"), Pairs: 2}
	duel.Game.Game = "quoridor"
	for _, cfg := range []runs.Config{duel, &tuning.Config{}} {
		if _, err := cfg.Plan(); !errors.Is(err, runs.ErrNotNew) {
			t.Errorf("%T: %v", cfg, err)
		}
	}
}
