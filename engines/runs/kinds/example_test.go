package kinds_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/experiment"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/runs/view"
)

// folder makes a folder that the example removes at its end.
func folder() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "runs")
	if err != nil {
		log.Fatal(err)
	}
	return dir, func() {
		if err := os.RemoveAll(dir); err != nil {
			log.Fatal(err)
		}
	}
}

// playRun plans, plays and reports a run in dir.
func playRun(dir string, cfg runs.Config) runs.Result {
	plan, err := cfg.Plan()
	if err != nil {
		log.Fatal(err)
	}
	r, err := record.Create(dir, plan, record.Origin{})
	if err != nil {
		log.Fatal(err)
	}
	if err := r.Play(context.Background(), runs.Options{Workers: 2}); err != nil {
		log.Fatal(err)
	}
	if err := view.Report(context.Background(), kinds.All(), dir); err != nil {
		log.Fatal(err)
	}
	return r.Result
}

// A match from the openings of a file, stopped by a sequential test.
func Example_match() {
	dir, remove := folder()
	defer remove()
	book := filepath.Join(dir, "book.txt")
	lines := ""
	for _, a := range "abcdefghi" {
		for _, b := range "12345678" {
			lines += fmt.Sprintf("%c%ch\n", a, b) // a wall
		}
	}
	if err := os.WriteFile(book, []byte(lines[:8*4*8]), 0o666); err != nil { // i has no walls
		log.Fatal(err)
	}
	cfg := match.New()
	cfg.Game.Game, cfg.A, cfg.B = "quoridor", player.Ask("final"), player.Ask("bad")
	cfg.Openings = book
	if err := cfg.SPRT.UnmarshalText([]byte("elo0=0,elo1=100")); err != nil {
		log.Fatal(err)
	}
	result := playRun(filepath.Join(dir, "run"), cfg).(*match.Result)
	fmt.Println(result.Test().State, result.Pairs.N() < 64)
	// Output: H1 true
}

// Three players rated together.
func Example_tournament() {
	dir, remove := folder()
	defer remove()
	cfg := tournament.New()
	cfg.Game.Game, cfg.Players = "quoridor", player.AskAll("final", "v30.7", "weak:bad")
	pairs := 20
	cfg.Pairs = pairs
	result := playRun(filepath.Join(dir, "run"), cfg)
	summary, err := result.Summary()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.What, summary.Finished)
	// Output: 3 players true
}

// A player on the ladder of its game's calibrated opponents.
func Example_ladder() {
	dir, remove := folder()
	defer remove()
	cfg := tournament.NewLadder()
	rounds := 2
	cfg.Game.Game, cfg.Players, cfg.Rounds = "quoridor", player.AskAll("final"), rounds
	result := playRun(filepath.Join(dir, "run"), cfg).(*tournament.LadderResult)
	placed, err := result.Placed()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(placed.SE > 0)
	// Output: true
}

// smallMatch returns a match of two presets with this number of pairs.
func smallMatch(pairs int) runs.Config {
	cfg := match.New()
	cfg.Game.Game, cfg.A, cfg.B, cfg.Pairs = "quoridor", player.Ask("final"), player.Ask("v12.7"), pairs
	return cfg
}

// A recorded game played again, move by move, by the players that played it.
func Example_replay() {
	dir, remove := folder()
	defer remove()
	playRun(filepath.Join(dir, "run"), smallMatch(2))
	recorded, err := kinds.All().Open(filepath.Join(dir, "run"))
	if err != nil {
		log.Fatal(err)
	}
	game, err := replay.Find(recorded, "0:1:1") // trial, pair, game
	if err != nil {
		log.Fatal(err)
	}
	plies := 0
	if err := game.Play(context.Background(), func(play.Ply) { plies++ }); err != nil {
		log.Fatal(err)
	}
	fmt.Println(plies == int(game.Row.Plies))
	// Output: true
}

// The games of a run as CSV.
func Example_export() {
	dir, remove := folder()
	defer remove()
	playRun(filepath.Join(dir, "run"), smallMatch(3))
	record, err := datasets.Read(filepath.Join(dir, "run"))
	if err != nil {
		log.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "games.csv"))
	if err != nil {
		log.Fatal(err)
	}
	n, err := datasets.Export(context.Background(), file, datasets.CSV, record.Meta, "", record.Games(datasets.Filter{}))
	if err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "games")
	// Output: 6 games
}

// Two weights tuned by self-play, verified on fresh openings.
func Example_tuning() {
	dir, remove := folder()
	defer remove()
	cfg := tuning.New()
	cfg.Game.Game, cfg.Start, cfg.Active = "quoridor", player.Ask("bad"), config.Names{"a_E", "b_gain"}
	if err := config.Table(cfg, map[string]any{"iters": int64(60), "pairs": int64(16)}); err != nil {
		log.Fatal(err)
	}
	result := playRun(filepath.Join(dir, "run"), cfg).(*tuning.Result)
	fmt.Println(result.Outcome(), result.Finished())
	// Output: better true
}

// An experiment: runs from a file, one page about all of them.
func Example_experiment() {
	dir, remove := folder()
	defer remove()
	file := filepath.Join(dir, "half.toml")
	text := `schema = 1
title = "Is a_E = 11 as good?"

[[run]]
name = "half"
kind = "match"
game = "quoridor"
a = "final,a_E=11"
b = "final"
pairs = 20
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
	study, err := experiment.ReadFile(file, false, kinds.All().WithCommand())
	if err != nil {
		log.Fatal(err)
	}
	if err := study.Begin(filepath.Join(dir, "runs"), ""); err != nil {
		log.Fatal(err)
	}
	show := func(int, experiment.Run) (runs.Options, func()) { return runs.Options{Workers: 2}, func() {} }
	if err := study.Play(context.Background(), "", show); err != nil {
		log.Fatal(err)
	}
	result, _, err := study.Finish(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(result.Results.Rows), "result of", result.Results.Rows[0].Pairs().N(), "pairs")
	// Output: 1 result of 20 pairs
}
