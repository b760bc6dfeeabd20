package play

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/connectfour"
	"selfplaylab/engines/gobang"
	"selfplaylab/engines/mills"
	"selfplaylab/engines/player"
	"selfplaylab/engines/quoridor"
)

// pairOf plays one pair of a game's default player, with notes.
func pairOf(t *testing.T, game *engines.Game) (*Checker, Job, Pair) {
	t.Helper()
	v, err := game.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	preset, err := game.Preset(game.DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	l := game.Limits
	l.Depth, l.Playouts = min(l.Depth, 2), min(l.Playouts, 50)
	e := player.Config{Name: "x", Values: preset.Vector, Limits: l}
	s := Setup{Game: game.Name, Version: game.Version, Rules: v.Rules, Seed: 3, OpeningPlies: game.OpeningPlies, Notes: true}
	job := Job{Seats: [2]player.Config{e, e}, From: 2, To: 3, Book: Drawn}
	w := NewWorker(v, s)
	defer w.Close()
	pairs, err := w.Play(context.Background(), job)
	if err != nil {
		t.Fatal(err)
	}
	return NewChecker(v, s), job, pairs[0]
}

// boaster reports impossible numbers of its work.
type boaster struct{ engines.Player }

func (b boaster) Choose(ctx context.Context, history []engines.Move, l engines.Limits) (engines.Decision, error) {
	d, err := b.Player.Choose(ctx, history, l)
	d.Nodes, d.Depth, d.Mate = -5, math.MaxInt, math.MinInt
	return d, err
}

// TestImpossibleCountsAreClipped plays a player that reports impossible numbers; a checker
// accepts the clipped ones.
func TestImpossibleCountsAreClipped(t *testing.T) {
	v := open(t, nil)
	open := func(v engines.Variant) (engines.Player, error) { return boaster{v.NewPlayer()}, nil }
	seat := player.Config{Name: "x", Values: v.Game.Space.Default(), Custom: &player.Custom{Name: "x", New: open}}
	s := Setup{Game: v.Game.Name, Version: v.Game.Version, Rules: v.Rules, Seed: 3, Notes: true}
	job := Job{Seats: [2]player.Config{seat, seat}, To: 1, Book: Drawn}
	w := NewWorker(v, s)
	defer w.Close()
	pairs, err := w.Play(t.Context(), job)
	if err == nil {
		err = NewChecker(v, s).Check(&job, &pairs[0])
	}
	if err != nil {
		t.Error(err)
	}
}

// TestCheckAcceptsPlayedPairsOnly accepts a played pair of every game, and rejects it with any
// change.
func TestCheckAcceptsPlayedPairsOnly(t *testing.T) {
	var c *Checker
	var job Job
	var pair Pair
	for _, game := range []*engines.Game{gobang.Game(), mills.Game(), connectfour.Game(), quoridor.Game()} {
		c, job, pair = pairOf(t, game)
		if err := c.Check(&job, &pair); err != nil {
			t.Errorf("%s: %v", game.Name, err)
		}
	}
	data, err := json.Marshal(pair)
	if err != nil {
		t.Fatal(err)
	}
	drop := func(g *Game) {
		g.Moves = g.Moves[:strings.LastIndexByte(g.Moves, ' ')]
		g.Plies--
		g.Chosen--
		g.Notes = g.Notes[:g.Chosen]
	}
	resign := func(p *Pair, g *Game) {
		last, number := g.Notes[len(g.Notes)-1], 1
		if g == &p.Games[0] {
			number = 0
		}
		g.Nodes[int(last.Side)^number] -= last.Nodes
		drop(g)
		p.Compared-- // both games had this move
		g.Outcome, g.Reason, g.Margin = engines.Win(last.Side.Other()), engines.Resigned, nil
	}
	crash := func(p *Pair, g *Game, detail string) {
		resign(p, g)
		g.Reason, g.Detail = engines.Crash, detail
	}
	bare := NewChecker(c.variant, c.setup)
	bare.setup.Notes = false
	for what, change := range map[string]func(p *Pair, g *Game){
		"winner":           func(_ *Pair, g *Game) { g.Outcome = engines.FirstWins + engines.SecondWins - g.Outcome },
		"draw":             func(_ *Pair, g *Game) { g.Outcome = engines.Draw },
		"unknown reason":   func(_ *Pair, g *Game) { g.Reason = "\x1b[31mgoal" },
		"adjudicated":      func(_ *Pair, g *Game) { drop(g); g.Reason = engines.Adjudicated },
		"resigned":         func(p *Pair, g *Game) { resign(p, g) },
		"fault of other":   func(_ *Pair, g *Game) { drop(g); g.Reason, g.Outcome = engines.Crash, engines.Win(c.ref.Turn()) },
		"illegal move":     func(_ *Pair, g *Game) { g.Moves = strings.Replace(g.Moves, " ", " e9 ", 1) },
		"other notation":   func(_ *Pair, g *Game) { g.Moves = strings.ToUpper(g.Moves) },
		"two spaces":       func(_ *Pair, g *Game) { g.Moves = strings.Replace(g.Moves, " ", "  ", 1) },
		"shorter":          func(_ *Pair, g *Game) { drop(g) },
		"plies":            func(_ *Pair, g *Game) { g.Plies++ },
		"other opening":    func(p *Pair, _ *Game) { p.Number++ },
		"longer opening":   func(_ *Pair, g *Game) { g.Opening++ },
		"position":         func(_ *Pair, g *Game) { g.Position = "x" },
		"nodes":            func(_ *Pair, g *Game) { g.Nodes[0] = 1<<63 - 1 },
		"negative nodes":   func(_ *Pair, g *Game) { g.Nodes[1] = -1 },
		"nodes of a note":  func(_ *Pair, g *Game) { g.Notes[0].Nodes++ },
		"ply of a note":    func(_ *Pair, g *Game) { g.Notes[len(g.Notes)-1].Ply = 1 << 30 },
		"key of a note":    func(_ *Pair, g *Game) { g.Notes[1].Key++ },
		"side of a note":   func(_ *Pair, g *Game) { g.Notes[1].Side ^= 1 },
		"depth of a note":  func(_ *Pair, g *Game) { g.Notes[1].Depth = -1 },
		"time of a note":   func(_ *Pair, g *Game) { g.Notes[1].Elapsed = 1 },
		"no notes":         func(_ *Pair, g *Game) { g.Notes = nil },
		"chosen":           func(_ *Pair, g *Game) { g.Chosen++ },
		"illegal actions":  func(_ *Pair, g *Game) { g.Illegal[0] = -1 },
		"detail":           func(_ *Pair, g *Game) { g.Detail = "all well" },
		"log":              func(_ *Pair, g *Game) { g.Log = "0 >x: uci" },
		"long log":         func(p *Pair, g *Game) { crash(p, g, ""); g.Log = strings.Repeat("x", maxLog+1) },
		"long detail":      func(p *Pair, g *Game) { crash(p, g, strings.Repeat("x", maxDetail+1)) },
		"control detail":   func(p *Pair, g *Game) { crash(p, g, "\x1b[31mred") },
		"margin":           func(_ *Pair, g *Game) { g.Margin = new(1.0) },
		"equal decisions":  func(p *Pair, _ *Game) { p.Compared++ },
		"differing at all": func(p *Pair, _ *Game) { p.Differs = !p.Differs },
	} {
		for n := range 2 {
			var p Pair
			if err := json.Unmarshal(data, &p); err != nil {
				t.Fatal(err)
			}
			change(&p, &p.Games[n])
			if c.Check(&job, &p) == nil {
				t.Errorf("%s: game %d is taken", what, n)
			}
			if noted := strings.Contains(what, "note"); !noted { // the change is wrong without notes, too
				q := p
				q.Games[0].Notes, q.Games[1].Notes = nil, nil
				if bare.Check(&job, &q) == nil {
					t.Errorf("%s: game %d is taken where nothing is noted", what, n)
				}
			}
			loser := p.Games[n].Outcome == engines.Win(engines.Side(n)) // false means A
			for index, taken := range []bool{what == "resigned" && !loser, what == "resigned" && loser} {
				program := job
				program.Seats[index].Engine = &player.Engine{}
				if err := c.Check(&program, &p); taken != (err == nil) {
					t.Errorf("%s: game %d, where player %d is an engine: %v", what, n, index, err)
				}
			}
		}
	}
	if bare.Check(&job, &pair) == nil {
		t.Error("notes are taken where nothing is noted")
	}
	crash(&pair, &pair.Games[0], "line\n\tline")
	if err := c.Check(&job, &pair); err != nil {
		t.Errorf("a crash: %v", err)
	}
}

// TestAdjudicationAllowsLongEnoughGames accepts an adjudication by a rule of the run, unless
// the game is too short for it.
func TestAdjudicationAllowsLongEnoughGames(t *testing.T) {
	a := Adjudication{MaxPlies: 40, Resign: Resign{Moves: 3}, Draw: DrawRule{Moves: 5, After: 20}}
	for _, v := range []struct {
		rule *Adjudication
		game Game
		want bool
	}{
		{&a, Game{Outcome: engines.Draw, Plies: 20, Chosen: 5}, true},
		{&a, Game{Outcome: engines.Draw, Plies: 19, Chosen: 5}, false},
		{&a, Game{Outcome: engines.Draw, Plies: 20, Chosen: 4}, false},
		{&a, Game{Outcome: engines.Draw, Plies: 40, Chosen: 4}, true},
		{&a, Game{Outcome: engines.FirstWins, Plies: 40, Chosen: 3}, true},
		{&a, Game{Outcome: engines.FirstWins, Plies: 40, Chosen: 2}, false},
		{&Adjudication{}, Game{Outcome: engines.FirstWins, Plies: 40, Chosen: 40}, false},
		{&Adjudication{}, Game{Outcome: engines.Draw, Plies: 40, Chosen: 40}, false},
	} {
		if err := v.rule.allows(&v.game); (err == nil) != v.want {
			t.Errorf("%+v by %+v: %v", v.game, v.rule, err)
		}
	}
}
