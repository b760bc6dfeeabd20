package gametest_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/gametest"
	"selfplaylab/engines/mills"
	"selfplaylab/params"
	picture "selfplaylab/reports/board"
)

// A promise that nothing can break proves nothing. Below, tic-tac-toe is broken in many small
// ways, and each time the suite must report the promise that is broken.

// broken is a game with one fault.
type broken struct {
	promise string
	words   string // part of the error
	spoil   func(*engines.Game)
}

var tables = slices.Concat(descriptions, limits, referees, openings, evaluations, players)

func TestBrokenGameIsReported(t *testing.T) {
	if testing.Short() {
		t.Skip("short: holds a hundred broken games to a promise each")
	}
	for _, b := range tables {
		t.Run(b.promise+", "+b.words, func(t *testing.T) {
			g := spoilt(b.spoil)
			if b.promise != "options" && b.promise != "rules text" { // one size suffices
				g.Options[0].Values = []string{"3"}
			}
			wantBroken(t, gametest.CheckOne(g, b.promise), b.promise, b.words)
		})
	}
}

// spoilt returns a new tic-tac-toe, changed by spoil.
func spoilt(spoil func(*engines.Game)) *engines.Game {
	g := ticTacToe()
	g.Space, g.Presets = slices.Clone(g.Space), slices.Clone(g.Presets)
	spoil(g)
	return g
}

// wantBroken fails the test unless the promise is among the broken ones, with words in its
// error.
func wantBroken(t *testing.T, errs []error, promise, words string) {
	t.Helper()
	for _, err := range errs {
		b, ok := errors.AsType[*gametest.Broken](err)
		if !ok {
			t.Fatalf("%v is a %T, not a *Broken", err, err)
		}
		if b.Promise == promise && strings.Contains(err.Error(), words) {
			return
		}
	}
	t.Errorf("promise %q was not found broken with %q; found: %v", promise, words, errors.Join(errs...))
}

// TestEveryPromiseHasBrokenGame compares the tables of broken games with the list of promises.
func TestEveryPromiseHasBrokenGame(t *testing.T) {
	tested := map[string]bool{}
	for _, b := range tables {
		tested[b.promise] = true
	}
	for _, name := range gametest.Promises(ticTacToe()) {
		if !tested[name] {
			t.Errorf("no broken game tests the promise %q", name)
		}
	}
}

func TestBrokenErrorNamesGameAndPromise(t *testing.T) {
	cause := errors.New("cause")
	b := &gametest.Broken{Game: "chess", Rules: "size=9", Promise: "moves", Err: cause}
	if got, want := b.Error(), `chess under size=9 breaks the promise "moves": cause`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(b, cause) {
		t.Error("does not wrap its cause")
	}
}

// TestListedAndExtraRulesAreChecked also reports bad extra rules.
func TestListedAndExtraRulesAreChecked(t *testing.T) {
	if testing.Short() {
		t.Skip("short: holds toy games to the contract")
	}
	bigBoards := func(g *engines.Game) {
		open := g.New
		g.New = func(r engines.Rules) (engines.Variant, error) {
			if !slices.Contains([]string{"3", "4", "5"}, r["size"]) {
				return engines.Variant{}, fmt.Errorf("rule size=%s: want 3 to 5", r["size"])
			}
			v, err := open(r)
			if r["size"] != "3" {
				referee(func(r *fakeReferee) { r.board = func() picture.Board { return picture.Board{} } })(&v)
			}
			return v, err
		}
	}
	g := spoilt(bigBoards)
	wantBroken(t, gametest.Check(g), "board", "under size=4")
	g.Options[0].Values, g.Options[0].Offered = nil, engines.Choices("3")
	if errs := gametest.Check(g); len(errs) != 0 {
		t.Errorf("the default rules: %v", errs)
	}
	wantBroken(t, gametest.Check(g, "size=5"), "board", "under size=5")
	wantBroken(t, gametest.Check(g, "size=7"), "options", "size=7")
	wantBroken(t, gametest.Check(g, "size"), "options", "name=value")
}

// TestOptionalPartsMayBeMissing leaves out parts that a game need not have: no promise is
// broken.
func TestOptionalPartsMayBeMissing(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays games of seven changed games")
	}
	for _, c := range []broken{
		{"no preset to recover from", "", func(g *engines.Game) { g.WeakPreset = "" }},
		{"no openings", "", func(g *engines.Game) { g.OpeningPlies = 0 }},
		{"limits of other kinds", "", func(g *engines.Game) {
			g.Limits = engines.Limits{Nodes: 1000, Playouts: 1000}
			g.Budgets = []engines.Budget{{Kind: engines.BudgetPlayouts, Slack: 25}, {Kind: engines.BudgetNodes, Slack: 25}}
		}},
		{"an illegal action plays the first move", "", func(g *engines.Game) {
			g.Margins = engines.Margins{}
			brokenReferee("", "", func(r *fakeReferee) {
				r.penalty = func() engines.Move { m := r.Moves(nil)[0]; r.Play(m); return m }
			}).spoil(g)
		}},
		{"a player without limits", "", func(g *engines.Game) {
			g.Budgets = nil
			brokenPlayer("", "", func(p *fakePlayer) {
				p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
					if !l.IsZero() {
						return engines.Decision{}, errors.New("keeps no limits")
					}
					return p.Player.Choose(ctx, h, l)
				}
			}).spoil(g)
		}},
		{"a player that proves nothing", "", func(g *engines.Game) {
			g.Proves = 0
			decided(func(d *engines.Decision) { d.Mate = 0 })(g)
		}},
		brokenPlayer("a player returns its context's error", "", func(p *fakePlayer) {
			p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
				d, err := p.Player.Choose(ctx, h, l)
				return d, errors.Join(err, ctx.Err())
			}
		}),
	} {
		if errs := gametest.Check(spoilt(c.spoil)); len(errs) != 0 {
			t.Errorf("%s: %v", c.promise, errors.Join(errs...))
		}
	}
}

// Changes to a part of every variant of a game.

func variant(spoil func(*engines.Variant)) func(*engines.Game) {
	return func(g *engines.Game) {
		open := g.New
		g.New = func(r engines.Rules) (engines.Variant, error) {
			v, err := open(r)
			spoil(&v)
			return v, err
		}
	}
}

func referee(spoil func(*fakeReferee)) func(*engines.Variant) {
	return func(v *engines.Variant) {
		whole := v.NewReferee
		v.NewReferee = func() engines.Referee {
			r := &fakeReferee{Referee: whole()}
			spoil(r)
			return r
		}
	}
}

func brokenReferee(promise, words string, spoil func(*fakeReferee)) broken {
	return broken{promise, words, variant(referee(spoil))}
}

func brokenPlayer(promise, words string, spoil func(*fakePlayer)) broken {
	return broken{promise, words, variant(func(v *engines.Variant) {
		whole := v.NewPlayer
		v.NewPlayer = func() engines.Player {
			p := &fakePlayer{Player: whole()}
			spoil(p)
			return p
		}
	})}
}

// brokenBoard changes the board of every position.
func brokenBoard(words string, spoil func(*picture.Board)) broken {
	return brokenReferee("board", words, func(r *fakeReferee) {
		r.board = func() picture.Board {
			b := r.Referee.Board()
			spoil(&b)
			return b
		}
	})
}

// last returns a last move to another place.
func last(m *picture.Move, to *picture.At) *picture.Move {
	if m == nil {
		return nil
	}
	return &picture.Move{Text: m.Text, To: to}
}

func brokenParam(words string, spoil func(*params.Param)) broken {
	return broken{"space", words, func(g *engines.Game) { spoil(&g.Space[own]) }}
}

func brokenOpening(words string, draw func(whole engines.Variant, r *rand.Rand, plies int) engines.Opening) broken {
	return broken{"openings", words, variant(func(v *engines.Variant) {
		whole := *v
		v.Opening = func(r *rand.Rand, plies int) engines.Opening { return draw(whole, r, plies) }
	})}
}

func brokenTerms(words string, spoil func([]engines.Term, error) ([]engines.Term, error)) broken {
	return broken{"evaluation", words, variant(func(v *engines.Variant) {
		whole := v.Evaluate
		v.Evaluate = func(p string, m []engines.Move, w params.Vector) ([]engines.Term, error) {
			return spoil(whole(p, m, w))
		}
	})}
}

// count is state outside the game, which no repeatable code may read.
var count atomic.Uint64

var descriptions = []broken{
	{"names", "not of the form", func(g *engines.Game) { g.Name = "Tic Tac Toe" }},
	{"names", "Title", func(g *engines.Game) { g.Title = "" }},
	{"names", "Version", func(g *engines.Game) { g.Version = 0 }},
	{"names", "OpeningPlies", func(g *engines.Game) { g.OpeningPlies = -1 }},
	{"names", "clock", func(g *engines.Game) { g.Limits.Time = 1 }},
	{"names", "read back", func(g *engines.Game) { g.Limits.Depth = -1 }},
	brokenParam("not of the form", func(p *params.Param) { p.Name = "a b" }),
	brokenParam("listed twice", func(p *params.Param) { p.Name = "theirs" }),
	brokenParam("no Doc", func(p *params.Param) { p.Doc = " " }),
	brokenParam("Min < Max", func(p *params.Param) { p.Max = p.Min }),
	brokenParam("finite numbers", func(p *params.Param) { p.Max = math.Inf(1) }),
	brokenParam("Step", func(p *params.Param) { p.Step = 0 }),
	brokenParam("a Log", func(p *params.Param) { p.Log = true }),
	brokenParam("a Whole", func(p *params.Param) { p.Whole, p.Min = true, -0.5 }),
	brokenParam("Default", func(p *params.Param) { p.Default = 11 }),
	brokenParam("2 Labels", func(p *params.Param) { p.Labels = []string{"a", "b"} }),
	{"space", `label "no"`, func(g *engines.Game) { g.Space[wins].Labels = []string{"no", "no"} }},
	{"space", `label "not so"`, func(g *engines.Game) { g.Space[wins].Labels = []string{"not so", "yes"} }},
	{"space", "frozen", func(g *engines.Game) { g.Space[own].Frozen, g.Space[theirs].Frozen = true, true }},
	{"presets", "out of range", func(g *engines.Game) { g.Presets[1].Vector = params.Vector{-11, 0, 0} }},
	{"presets", "2 values", func(g *engines.Game) { g.Presets[1].Vector = params.Vector{0, 0} }},
	{"presets", "listed twice", func(g *engines.Game) { g.Presets[1].Name = "steady" }},
	{"presets", "no Doc", func(g *engines.Game) { g.Presets[1].Doc = "" }},
	{"presets", "preset name", func(g *engines.Game) { g.Presets[1].Name = "a=b" }},
	{"presets", "DefaultPreset", func(g *engines.Game) { g.DefaultPreset = "" }},
	{"presets", "PlayPreset", func(g *engines.Game) { g.PlayPreset = "nobody" }},
	{"presets", "WeakPreset", func(g *engines.Game) { g.WeakPreset = "worse" }},
	{"options", "not of the form", func(g *engines.Game) { g.Options[0].Name = "Size" }},
	{"options", "listed twice", func(g *engines.Game) { g.Options = append(g.Options, g.Options...) }},
	{"options", "no Doc", func(g *engines.Game) { g.Options[0].Doc = "" }},
	{"options", "not among", func(g *engines.Game) { g.Options[0].Values = []string{"4", "5"} }},
	{"options", "each once", func(g *engines.Game) { g.Options[0].Values = []string{"3", "3"} }},
	{"options", "its Sets has", func(g *engines.Game) { g.Options[0].Sets = map[string]engines.Rules{"6": nil} }},
	{"options", "either Values or", func(g *engines.Game) { g.Options[0].Values = nil }},
	{"options", "either Values or", func(g *engines.Game) { g.Options[0].Offered = engines.Choices("3") }},
	offering("is not Offered", engines.Choice{Value: "4", Label: "four"}),
	offering("each value and label once", engines.Choice{Value: "3", Label: " "}),
	offering("each value and label once", engines.Choice{Value: "3", Label: "a"}, engines.Choice{Value: "3", Label: "b"}),
	offering("each value and label once", engines.Choice{Value: "3", Label: "a"}, engines.Choice{Value: "4", Label: "a"}),
	offering("of what it offers", engines.Choice{Value: "3", Label: "a"}, engines.Choice{Value: "6", Label: "b"}),
	{"options", "what 4 sets", func(g *engines.Game) {
		g.Options[0].Sets = map[string]engines.Rules{"4": {"colour": "red"}}
	}},
	{"options", "no size 5", func(g *engines.Game) {
		open := g.New
		g.New = func(r engines.Rules) (engines.Variant, error) {
			if r["size"] == "5" {
				return engines.Variant{}, errors.New("no size 5")
			}
			return open(r)
		}
	}},
	{"bad rules", "were accepted", func(g *engines.Game) {
		g.Options = append(g.Options, engines.Option{Name: "colour", Doc: "any", Default: "red", Offered: engines.Choices("red")})
	}},
	{"bad rules", "without naming", func(g *engines.Game) {
		g.Options = append(g.Options, engines.Option{Name: "colour", Doc: "red", Default: "red", Offered: engines.Choices("red")})
		open := g.New
		g.New = func(r engines.Rules) (engines.Variant, error) {
			if r["colour"] != "red" {
				return engines.Variant{}, errors.New("bad colour")
			}
			return open(r)
		}
	}},
}

// offering lets a game offer other sizes. The game parses sizes up to 5.
func offering(words string, list ...engines.Choice) broken {
	return broken{"options", words, func(g *engines.Game) {
		g.Options[0].Values, g.Options[0].Offered = nil, list
		open := g.New
		g.New = func(r engines.Rules) (engines.Variant, error) {
			if !slices.Contains([]string{"3", "4", "5"}, r["size"]) {
				return engines.Variant{}, fmt.Errorf("rule size=%s: want 3 to 5", r["size"])
			}
			return open(r)
		}
	}}
}

// limited lets a game declare other limits.
func limited(words string, b ...engines.Budget) broken {
	return broken{"budgets", words, func(g *engines.Game) { g.Budgets = b }}
}

// generous is a board with a margin even after a draw.
type generous struct{ board }

func (g *generous) Margin() float64 {
	if g.Outcome() == engines.Draw {
		return 1
	}
	return g.board.Margin()
}

// TestOverlookedWinIsFoundByThinkingLonger has a player that sees less far than Game.Proves
// declares. The same player with more time finds the win.
func TestOverlookedWinIsFoundByThinkingLonger(t *testing.T) {
	g := *mills.Game()
	g.Proves = 7
	if err := gametest.Holds(&g, "player's proofs"); err == nil || !strings.Contains(err.Error(), "Proves is 7 plies, but") {
		t.Errorf("found %v", err)
	}
}

// decided changes every decision of a game's player.
func decided(spoil func(*engines.Decision)) func(*engines.Game) {
	return brokenPlayer("", "", func(p *fakePlayer) {
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			d, err := p.Player.Choose(ctx, h, l)
			spoil(&d)
			return d, err
		}
	}).spoil
}

var limits = []broken{
	limited("each once", engines.Budget{Kind: "patience"}),
	limited("each once", engines.Budget{Kind: "time"}, engines.Budget{Kind: "time"}),
	limited("each once", engines.Budget{Kind: "time", Slack: 1}),
	limited("each once", engines.Budget{Kind: "nodes", Max: -1}),
	{"budgets", "the default Limits: the player of tictactoe does not support a limit of depth; it supports nodes, time, such as depth=3", func(g *engines.Game) { g.Limits.Depth = 3 }},
	{"budgets", "the default Limits: limit of tictactoe: nodes=30: want 1 to 20", func(g *engines.Game) {
		g.Limits.Nodes, g.Budgets[0].Max = 30, 20
	}},
	{"margins declared", "Margins have no Unit", func(g *engines.Game) { g.Margins = engines.Margins{Cap: 3} }},
	{"margins declared", "Margins.Cap is -1", func(g *engines.Game) { g.Margins.Cap = -1 }},
	{"margins", "the state is a MarginScorer, but Game.Margins does not say", func(g *engines.Game) { g.Margins = engines.Margins{} }},
	{"margins", "this end (line) has no margin", variant(referee(func(*fakeReferee) {}))},
	{"margins", "in a draw with margin 1", variant(func(v *engines.Variant) {
		v.NewReferee = func() engines.Referee { return engines.NewReferee(generous{board{size: 3}}, engines.Bounds{}) }
	})},
	{"budgets", "Proves is -1", func(g *engines.Game) { g.Proves = -1 }},
	{"player's limits", "counted 1000", decided(func(d *engines.Decision) { d.Nodes = 1000 })},
	{"player's limits", "depth 9", func(g *engines.Game) {
		g.Budgets = []engines.Budget{{Kind: engines.BudgetDepth}}
		decided(func(d *engines.Decision) { d.Depth = 9 })(g)
	}},
	{"player's proofs", "says Mate 0", decided(func(d *engines.Decision) { d.Mate = 0 })},
	{"player's proofs", "says Mate -1", decided(func(d *engines.Decision) { d.Mate = -d.Mate })},
	{"player's proofs", "says Mate 3", decided(func(d *engines.Decision) { d.Mate *= 3 })},
	{"player's proofs", "which is not so", decided(func(d *engines.Decision) {
		if d.Mate == 0 {
			d.Mate = 2
		}
	})},
	{"player's proofs", "which is not so", decided(func(d *engines.Decision) {
		if d.Mate == 0 {
			d.Mate = -2
		}
	})},
	{"player's proofs", "is won in 3 plies", func(g *engines.Game) { g.Proves = 3 }},
	brokenPlayer("default beats bad", "a sign turned around", func(p *fakePlayer) { // the evaluator has a wrong sign
		p.configure = func(v []float64) error {
			turned := slices.Clone(v)
			turned[own], turned[theirs] = -v[own], -v[theirs]
			return p.Player.Configure(turned)
		}
	}),
	{"player's scores", "a sign turned around", decided(func(d *engines.Decision) { d.Score = -d.Score })},
	{"player's scores", "its scores are not between 0 and 1", func(g *engines.Game) { g.Unit = engines.UnitChance }},
	{"player's scores", "scores lie between 0 and 1", decided(func(d *engines.Decision) { d.Score = 1 / (1 + math.Exp(-d.Score)) })},
	{"player's scores", "in 50.0 % of pairs", decided(func(d *engines.Decision) { d.Score = 1 })},
	brokenPlayer("default beats bad", "scores 50.0 %", func(p *fakePlayer) { // ignores its parameters
		p.configure = func(v []float64) error { return p.Player.Configure(vectors[0].Vector) }
	}),
}

var referees = []broken{
	{"random games end", "has not ended", func(g *engines.Game) {
		g.OpeningPlies = 0
		variant(referee(func(r *fakeReferee) {
			r.result = func() (engines.Outcome, engines.Reason) { return engines.Ongoing, "" }
			r.moves = func(buf []engines.Move) []engines.Move { return append(buf, 1) }
			r.play = func(engines.Move) {}
		}))(g)
	}},
	brokenReferee("random games end", "without a move", func(r *fakeReferee) {
		r.moves = func(buf []engines.Move) []engines.Move { return buf }
	}),
	{"rules text", "do not open it", variant(func(v *engines.Variant) { v.Rules = "size=9" })},
	{"rules text", "open as", func(g *engines.Game) { // the text grows at each opening
		g.Options = append(g.Options, engines.Option{Name: "colour", Doc: "any", Default: "red", Offered: engines.Choices("red")})
		open := g.New
		g.New = func(r engines.Rules) (engines.Variant, error) {
			v, err := open(r)
			v.Rules = "size=" + r["size"] + ",colour=" + r["colour"] + "y"
			return v, err
		}
	}},
	{"rules text", "reopened by its rules", variant(func(v *engines.Variant) { v.Rules = "size=4" })},
	brokenReferee("reset", "after other games", func(r *fakeReferee) {
		plies := 0 // counts over all games
		r.play = func(m engines.Move) { plies++; r.Referee.Play(m) }
		r.result = func() (engines.Outcome, engines.Reason) {
			if plies >= 30 {
				return engines.Draw, engines.Repetition
			}
			return r.Referee.Result()
		}
	}),
	brokenReferee("moves", "looked at twice", func(r *fakeReferee) {
		calls := 0
		r.moves = func(buf []engines.Move) []engines.Move {
			n := len(buf)
			buf = r.Referee.Moves(buf)
			if calls++; calls%3 == 0 {
				slices.Reverse(buf[n:])
			}
			return buf
		}
	}),
	brokenReferee("moves", "a move twice", func(r *fakeReferee) {
		r.moves = func(buf []engines.Move) []engines.Move {
			if o, _ := r.Result(); o == engines.Ongoing {
				buf = append(buf, 1)
			}
			return r.Referee.Moves(buf)
		}
	}),
	brokenReferee("moves", "Turn is", func(r *fakeReferee) { r.turn = func() engines.Side { return r.Referee.Turn() + 1 } }),
	brokenReferee("position text", "side to move was", func(r *fakeReferee) { // the side that moves first depends on the last game
		played := engines.Side(0)
		r.reset = func(text string) error { played = 0; return r.Referee.Reset(text) }
		r.play = func(m engines.Move) { played ^= 1; r.Referee.Play(m) }
		r.turn = func() engines.Side { return played }
	}),
	brokenReferee("end", "outcome 9", func(r *fakeReferee) {
		r.result = func() (engines.Outcome, engines.Reason) {
			o, why := r.Referee.Result()
			if o == engines.Draw {
				o = 9
			}
			return o, why
		}
	}),
	brokenReferee("moves", "appended", func(r *fakeReferee) {
		r.moves = func(buf []engines.Move) []engines.Move { return r.Referee.Moves(buf[:0]) }
	}),
	brokenReferee("legal", "is false", func(r *fakeReferee) {
		r.legal = func(m engines.Move) bool { return m != 5 && r.Referee.Legal(m) }
	}),
	brokenReferee("legal", "is true", func(r *fakeReferee) {
		r.legal = func(m engines.Move) bool { return m > 0 && m < 10 }
	}),
	brokenReferee("end", "exactly at the end", func(r *fakeReferee) {
		r.result = func() (engines.Outcome, engines.Reason) { o, _ := r.Referee.Result(); return o, "" }
	}),
	brokenReferee("end", "exactly at the end", func(r *fakeReferee) {
		r.result = func() (engines.Outcome, engines.Reason) { o, _ := r.Referee.Result(); return o, "line" }
	}),
	brokenReferee("end", "lower-case", func(r *fakeReferee) {
		r.result = func() (engines.Outcome, engines.Reason) {
			o, why := r.Referee.Result()
			return o, engines.Reason(strings.ToUpper(string(why)))
		}
	}),
	brokenReferee("end", "every move was legal", func(r *fakeReferee) {
		r.result = func() (engines.Outcome, engines.Reason) {
			o, why := r.Referee.Result()
			if o == engines.FirstWins {
				why = engines.IllegalMove
			}
			return o, why
		}
	}),
	brokenReferee("end", "but Moves lists", func(r *fakeReferee) {
		r.moves = func(buf []engines.Move) []engines.Move {
			if o, _ := r.Result(); o != engines.Ongoing {
				return append(buf, 1)
			}
			return r.Referee.Moves(buf)
		}
	}),
	brokenReferee("end", "but Legal", func(r *fakeReferee) {
		r.legal = func(m engines.Move) bool {
			o, _ := r.Result()
			return o != engines.Ongoing || r.Referee.Legal(m)
		}
	}),
	brokenReferee("end", "still going on", func(r *fakeReferee) { // the bound differs between referees
		plies := 0
		r.reset = func(text string) error { plies = 0; return r.Referee.Reset(text) }
		r.play = func(m engines.Move) { plies++; r.Referee.Play(m) }
		r.result = func() (engines.Outcome, engines.Reason) {
			if o, why := r.Referee.Result(); o != engines.Ongoing || plies < 4+int(r.Key()%5) {
				return o, why
			}
			return engines.Draw, engines.PlyBound
		}
	}),
	brokenReferee("position text", "refused", func(r *fakeReferee) {
		r.text = func() string { text, _, _ := strings.Cut(r.Referee.String(), " "); return text }
	}),
	brokenReferee("position text", "one trimmed line", func(r *fakeReferee) {
		r.text = func() string { return r.Referee.String() + "\n" }
	}),
	brokenReferee("position text", "the moves were", func(r *fakeReferee) { // sorted by the moves that led there
		played := false
		r.reset = func(text string) error { played = false; return r.Referee.Reset(text) }
		r.play = func(m engines.Move) { played = true; r.Referee.Play(m) }
		r.moves = func(buf []engines.Move) []engines.Move {
			n := len(buf)
			if buf = r.Referee.Moves(buf); played {
				slices.Reverse(buf[n:])
			}
			return buf
		}
	}),
	brokenReferee("position text", "when read from its text", func(r *fakeReferee) { // loses the winner
		read := false
		r.reset = func(text string) error { read = text != ""; return r.Referee.Reset(text) }
		r.result = func() (engines.Outcome, engines.Reason) {
			o, why := r.Referee.Result()
			if read && o != engines.Ongoing {
				o = engines.Draw
			}
			return o, why
		}
	}),
	brokenReferee("move text", "want one word", func(r *fakeReferee) {
		r.write = func(m engines.Move) string { return "to " + r.Referee.MoveString(m) }
	}),
	brokenReferee("move text", "which reads as", func(r *fakeReferee) {
		r.write = func(m engines.Move) string { return r.Referee.MoveString(max(m, 2)) }
	}),
	brokenReferee("move text", "MoveString(", func(r *fakeReferee) {
		r.write = func(m engines.Move) string { return r.Referee.MoveString([]engines.Move{25: 25}[m] | m) }
	}),
	brokenReferee("key", "the same key", func(r *fakeReferee) {
		r.key = func() uint64 { return r.Referee.Key() % 64 }
	}),
	brokenReferee("key", "has the keys", func(r *fakeReferee) {
		r.key = func() uint64 { return count.Add(1) }
	}),
	brokenReferee("transpositions", "in another order", func(r *fakeReferee) { // a key of the moves instead of the position
		key := uint64(0)
		r.reset = func(text string) error { key = 0; return r.Referee.Reset(text) }
		r.play = func(m engines.Move) { key = engines.Seed(key, uint64(m)); r.Referee.Play(m) }
		r.key = func() uint64 { return key }
	}),
	brokenReferee("perft", "counted", func(r *fakeReferee) {
		r.perft = func(depth int) uint64 { return r.Referee.Perft(depth) + uint64(depth)/2 }
	}),
	brokenReferee("perft", "after Perft", func(r *fakeReferee) {
		r.perft = func(depth int) uint64 {
			n := r.Referee.Perft(depth)
			if list := r.Moves(nil); depth == 2 && len(list) > 0 {
				r.Play(list[0])
			}
			return n
		}
	}),
	brokenBoard("several lines", func(b *picture.Board) { *b = picture.Board{Caption: "a board"} }),
	brokenBoard("changed", func(b *picture.Board) { b.Walls = []picture.Wall{} }),
	brokenBoard("json", func(b *picture.Board) { b.Walls = []picture.Wall{{X1: math.NaN()}} }),
	brokenBoard("is called", func(b *picture.Board) { b.Title = "" }),
	brokenBoard("with other labels", func(b *picture.Board) { slices.Reverse(b.Ranks) }),
	brokenBoard("goes to", func(b *picture.Board) { // labels and names are upside down
		slices.Reverse(b.Ranks)
		for i, p := range b.Places {
			b.Places[i].Name = b.Files[p.X] + b.Ranks[p.Y]
		}
	}),
	brokenBoard("says turn", func(b *picture.Board) { b.Turn = 1 }),
	brokenBoard("says turn", func(b *picture.Board) { b.Outcome = "1-0" }),
	brokenBoard("the place", func(b *picture.Board) { b.Places = append(b.Places, b.Places[0]) }),
	brokenBoard("off the board", func(b *picture.Board) { b.Width-- }),
	brokenBoard("on one taken", func(b *picture.Board) { b.Pieces = append(b.Pieces, b.Pieces...) }),
	brokenBoard("two, of one character", func(b *picture.Board) { b.Sides[1].Letter = "X" }),
	brokenBoard("look the same", func(b *picture.Board) { b.Pieces, b.Last = nil, last(b.Last, nil) }),
	brokenBoard("before the first", func(b *picture.Board) {
		if b.Last == nil {
			b.Last = &picture.Move{Text: "a1"}
		}
	}),
	brokenBoard("the last move of its Board is", func(b *picture.Board) { b.Last = nil }),
	brokenBoard("where the mover has no piece", func(b *picture.Board) { b.Last = last(b.Last, &b.Places[0].At) }),
	brokenBoard("where there is a new piece", func(b *picture.Board) { b.Last = last(b.Last, nil) }),
	brokenBoard("has the wall", func(b *picture.Board) {
		if b.Last != nil {
			b.Last.Wall = &picture.Wall{X1: 1, X2: 2}
		}
	}),
	brokenBoard("whose piece is gone", func(b *picture.Board) {
		if n := len(b.Pieces); n > 4 {
			b.Pieces = slices.DeleteFunc(b.Pieces, func(p picture.Piece) bool { return p.At == b.Pieces[0].At && b.Last != nil && *b.Last.To != p.At })
		}
	}),
	brokenReferee("board", "after Board", func(r *fakeReferee) {
		r.board = func() picture.Board { b := r.Referee.Board(); r.Reset(""); return b }
	}),
	brokenReferee("bad move text", "no error", func(r *fakeReferee) {
		r.parse = func(text string) (engines.Move, error) { m, _ := r.Referee.ParseMove(text); return max(m, 1), nil }
	}),
	brokenReferee("bad move text", "without being quoted", func(r *fakeReferee) {
		r.parse = func(text string) (engines.Move, error) {
			m, err := r.Referee.ParseMove(text)
			if err != nil {
				err = errors.New("bad move")
			}
			return m, err
		}
	}),
	brokenReferee("bad move text", "panic", func(r *fakeReferee) {
		r.parse = func(text string) (engines.Move, error) { _ = text[1]; return r.Referee.ParseMove(text) }
	}),
	brokenReferee("bad move text", "which is written", func(r *fakeReferee) { // accepts ranks off the board
		r.parse = func(text string) (engines.Move, error) {
			if len(text) == 2 && text[1] > '5' {
				return 99, nil
			}
			return r.Referee.ParseMove(text)
		}
	}),
	brokenReferee("bad position text", "no error", func(r *fakeReferee) {
		r.reset = func(text string) error {
			if r.Referee.Reset(text) != nil {
				return r.Referee.Reset("")
			}
			return nil
		}
	}),
	brokenReferee("bad position text", "without being quoted", func(r *fakeReferee) {
		r.reset = func(text string) error {
			if r.Referee.Reset(text) != nil {
				return errors.New("bad position")
			}
			return nil
		}
	}),
	brokenReferee("bad position text", "panic", func(r *fakeReferee) {
		r.reset = func(text string) error {
			if strings.HasSuffix(text, "/") {
				panic("row missing")
			}
			return r.Referee.Reset(text)
		}
	}),
	brokenReferee("bad position text", "its own text is refused", func(r *fakeReferee) { // accepts another side to move
		odd := false
		r.reset = func(text string) error {
			if odd = strings.HasSuffix(text, "x") && !odd; odd {
				return r.Referee.Reset("")
			}
			return r.Referee.Reset(text)
		}
		r.text = func() string {
			if odd {
				return "odd"
			}
			return r.Referee.String()
		}
	}),
	brokenReferee("penalty", "lost the game", func(r *fakeReferee) { r.penalty = func() engines.Move { return 0 } }),
	brokenReferee("penalty", "recorded as", func(r *fakeReferee) { r.penalty = func() engines.Move { return 1000 } }),
	{"penalty", "nothing but illegal actions", func(g *engines.Game) { // an endless loss of turns
		g.OpeningPlies = 0
		variant(referee(func(r *fakeReferee) {
			r.result = func() (engines.Outcome, engines.Reason) { return engines.Ongoing, "" }
			r.play = func(engines.Move) {}
			r.penalty = func() engines.Move { return 1 }
		}))(g)
	}},
	brokenReferee("penalty", "when replayed", func(r *fakeReferee) { // the game ends with the penalty
		lost := false
		r.reset = func(text string) error { lost = false; return r.Referee.Reset(text) }
		r.penalty = func() engines.Move {
			m := r.Moves(nil)[0]
			r.Play(m)
			lost = true
			return m
		}
		r.result = func() (engines.Outcome, engines.Reason) {
			if lost {
				return engines.Draw, "patience"
			}
			return r.Referee.Result()
		}
	}),
	brokenReferee("penalty", "replayed from the record", func(r *fakeReferee) { // plays another move than it returns
		r.penalty = func() engines.Move {
			list := r.Moves(nil)
			r.Play(list[len(list)-1])
			return list[0]
		}
	}),
}

var openings = []broken{
	brokenOpening("different openings", func(whole engines.Variant, _ *rand.Rand, plies int) engines.Opening {
		return whole.Opening(rand.New(rand.NewPCG(1, 1)), plies)
	}),
	brokenOpening("equal draws", func(whole engines.Variant, _ *rand.Rand, plies int) engines.Opening {
		return whole.Opening(rand.New(rand.NewPCG(count.Add(1), 1)), plies)
	}),
	brokenOpening("asked for", func(whole engines.Variant, r *rand.Rand, plies int) engines.Opening {
		return whole.Opening(r, plies/2)
	}),
	brokenOpening("not legal", func(whole engines.Variant, r *rand.Rand, plies int) engines.Opening {
		o := whole.Opening(r, plies)
		if plies > 1 {
			o.Moves[1] = o.Moves[0]
		}
		return o
	}),
	brokenOpening("the game is over", func(whole engines.Variant, r *rand.Rand, plies int) engines.Opening {
		if plies == 0 {
			return engines.Opening{Position: "XXX/OO./... O"}
		}
		return whole.Opening(r, plies)
	}),
	brokenOpening("nowhere", func(engines.Variant, *rand.Rand, int) engines.Opening {
		return engines.Opening{Position: "nowhere"}
	}),
}

var evaluations = []broken{
	{"evaluation", "has no Evaluate", variant(func(v *engines.Variant) { v.Evaluate = nil })},
	brokenTerms("there twice", func(l []engines.Term, err error) ([]engines.Term, error) { return append(l, l...), err }),
	brokenTerms("no terms", func(l []engines.Term, err error) ([]engines.Term, error) { return nil, err }),
	brokenTerms("NaN", func(l []engines.Term, err error) ([]engines.Term, error) {
		return append(l, engines.Term{Name: "ratio", Value: math.NaN()}), err
	}),
	brokenTerms("and then as", func(l []engines.Term, err error) ([]engines.Term, error) {
		return append(l, engines.Term{Name: "draw", Value: count.Add(1)}), err
	}),
	brokenTerms("is evaluated as", func(l []engines.Term, err error) ([]engines.Term, error) { return l, nil }),
	brokenTerms("not today", func(l []engines.Term, err error) ([]engines.Term, error) { return l, errors.New("not today") }),
	{"evaluation", "vector was changed", variant(func(v *engines.Variant) {
		whole := v.Evaluate
		v.Evaluate = func(p string, m []engines.Move, w params.Vector) ([]engines.Term, error) {
			list, err := whole(p, m, w)
			w[own]++
			return list, err
		}
	})},
}

// shift changes a decision's score, and nothing else, by a number.
func shift(p *fakePlayer, number func(context.Context, engines.Limits) uint64) {
	p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
		n := number(ctx, l)
		d, err := p.Player.Choose(ctx, h, l)
		d.Score += float64(n)
		return d, err
	}
}

var players = []broken{
	brokenPlayer("player's moves", "not legal", func(p *fakePlayer) {
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			d, err := p.Player.Choose(ctx, h, l)
			if len(h) == 6 {
				d.Move = h[0]
			}
			return d, err
		}
	}),
	brokenPlayer("player's moves", "score is", func(p *fakePlayer) {
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			d, err := p.Player.Choose(ctx, h, l)
			d.Score = math.Inf(1)
			return d, err
		}
	}),
	brokenPlayer("player's moves", "depth -1", func(p *fakePlayer) {
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			d, err := p.Player.Choose(ctx, h, l)
			d.Depth = -1
			return d, err
		}
	}),
	brokenPlayer("player's moves", "changed the history", func(p *fakePlayer) {
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			d, err := p.Player.Choose(ctx, h, l)
			h[0]++
			return d, err
		}
	}),
	brokenPlayer("player's moves", "score is NaN", func(p *fakePlayer) { // keeps its vector
		var kept []float64
		p.configure = func(v []float64) error { kept = v; return p.Player.Configure(v) }
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			d, err := p.Player.Choose(ctx, h, l)
			d.Score += kept[own]
			return d, err
		}
	}),
	brokenPlayer("player's moves", "changed its vector", func(p *fakePlayer) {
		p.configure = func(v []float64) error { v[own]++; return p.Player.Configure(v) }
	}),
	{"player's moves", "after a lost turn", func(g *engines.Game) { // the player does not learn of lost turns
		variant(referee(func(r *fakeReferee) {
			r.penalty = func() engines.Move { m := r.Moves(nil)[0]; r.Play(m); return m }
		}))(g)
		brokenPlayer("", "", func(p *fakePlayer) {
			decided := false
			p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
				if !decided && len(h) == 4 {
					return engines.Decision{}, errors.New("how did this come about?")
				}
				decided = true
				return p.Player.Choose(ctx, h, l)
			}
		}).spoil(g)
	}},
	brokenPlayer("player's limits", "time=1ns", func(p *fakePlayer) {
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			if l.Time == 1 {
				return engines.Decision{}, errors.New("no time")
			}
			return p.Player.Choose(ctx, h, l)
		}
	}),
	brokenPlayer("player's memory", "player decided", func(p *fakePlayer) {
		shift(p, func(context.Context, engines.Limits) uint64 { return count.Add(1) })
	}),
	brokenPlayer("player's memory", "asked only for one side", func(p *fakePlayer) { // depends on the number of its decisions
		decisions := uint64(0)
		p.reset = func(text string, seed uint64) error { decisions = 0; return p.Player.Reset(text, seed) }
		shift(p, func(context.Context, engines.Limits) uint64 { decisions++; return decisions })
	}),
	brokenPlayer("player's memory", "after another game", func(p *fakePlayer) { // depends on the number of its games
		games := uint64(0)
		p.reset = func(text string, seed uint64) error { games++; return p.Player.Reset(text, seed) }
		shift(p, func(context.Context, engines.Limits) uint64 { return games })
	}),
	brokenPlayer("player's memory", "after other parameters", func(p *fakePlayer) { // keeps former parameters
		least := math.Inf(1)
		p.configure = func(v []float64) error { least = min(least, v[own]); return p.Player.Configure(v) }
		shift(p, func(context.Context, engines.Limits) uint64 { return uint64(20 + least) })
	}),
	brokenPlayer("player's memory", "after a jump", func(p *fakePlayer) { // recognises a history by its length
		var length int
		var score float64
		p.reset = func(text string, seed uint64) error { length = 0; return p.Player.Reset(text, seed) }
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			d, err := p.Player.Choose(ctx, h, l)
			if len(h) != length {
				length, score = len(h), d.Score
			}
			d.Score = score
			return d, err
		}
	}),
	brokenPlayer("player's memory", "after a jump", func(p *fakePlayer) { // keeps the history
		var kept []engines.Move
		var last engines.Decision
		p.reset = func(text string, seed uint64) error { kept = nil; return p.Player.Reset(text, seed) }
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			if kept != nil && slices.Equal(h, kept) {
				return last, nil
			}
			d, err := p.Player.Choose(ctx, h, l)
			kept, last = h, d
			return d, err
		}
	}),
	brokenPlayer("player's memory", "under a limit of nodes", func(p *fakePlayer) {
		shift(p, func(_ context.Context, l engines.Limits) uint64 {
			if l.Nodes > 0 {
				return count.Add(1)
			}
			return 0
		})
	}),
	brokenPlayer("player's presets", "preset bad", func(p *fakePlayer) {
		p.configure = func(v []float64) error {
			if v[own] == -1 {
				return errors.New("too bad")
			}
			return p.Player.Configure(v)
		}
	}),
	brokenPlayer("player's presets", "a used one", func(p *fakePlayer) {
		sets := uint64(0)
		p.configure = func(v []float64) error { sets++; return p.Player.Configure(v) }
		shift(p, func(context.Context, engines.Limits) uint64 { return sets })
	}),
	brokenPlayer("player's parameters", "parameters [10", func(p *fakePlayer) { // loses at a corner of the space
		corner := false
		p.configure = func(v []float64) error { corner = v[own] == 10 && v[theirs] == 10; return p.Player.Configure(v) }
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			if corner {
				return engines.Decision{}, errors.New("overflow")
			}
			return p.Player.Choose(ctx, h, l)
		}
	}),
	brokenPlayer("player's parameters", "takes a vector", func(p *fakePlayer) {
		p.configure = func(v []float64) error {
			if len(v) > parameters {
				v = v[:parameters]
			}
			return p.Player.Configure(v)
		}
	}),
	brokenPlayer("player's positions", "the referee's Reset says", func(p *fakePlayer) {
		p.reset = func(text string, seed uint64) error {
			if p.Player.Reset(text, seed) != nil {
				return p.Player.Reset("", seed)
			}
			return nil
		}
	}),
	{"equal players", "colours swapped", func(g *engines.Game) { // players draw from a shared source
		g.OpeningPlies = 1 // leaves room for games to differ
		variant(func(v *engines.Variant) {
			whole := v.NewPlayer
			v.NewPlayer = func() engines.Player {
				number := count.Add(1)
				p := &fakePlayer{Player: whole()}
				p.reset = func(text string, seed uint64) error { return p.Player.Reset(text, engines.Seed(seed, number)) }
				return p
			}
		})(g)
	}},
	brokenPlayer("equal players", "one worker played", func(p *fakePlayer) {
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			d, err := p.Player.Choose(ctx, h, l)
			d.Nodes += int64(count.Add(1))
			return d, err
		}
	}),
	brokenPlayer("equal players", "lost by crash", func(p *fakePlayer) {
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			if len(h) == 5 {
				panic("five")
			}
			return p.Player.Choose(ctx, h, l)
		}
	}),
	brokenPlayer("player stops", "was told to", func(p *fakePlayer) { // returns an error of its own
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			if ctx.Err() != nil {
				return engines.Decision{}, errors.New("was told to")
			}
			return p.Player.Choose(ctx, h, l)
		}
	}),
	brokenPlayer("player stops", "not legal", func(p *fakePlayer) { // returns no move
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			if ctx.Err() != nil {
				return engines.Decision{}, nil
			}
			return p.Player.Choose(ctx, h, l)
		}
	}),
	brokenPlayer("player stops", "after a decision broken off", func(p *fakePlayer) { // remembers the end of the context
		stopped := uint64(0)
		shift(p, func(ctx context.Context, _ engines.Limits) uint64 {
			if ctx.Err() != nil {
				stopped++
			}
			return stopped
		})
	}),
}

// TestDeafPlayerIsGivenUp has a player that ignores its context: the suite stops waiting for
// it.
func TestDeafPlayerIsGivenUp(t *testing.T) {
	defer gametest.SetPatience(20 * time.Millisecond)()
	release := make(chan struct{})
	defer close(release)
	deaf := brokenPlayer("player stops", "did not return", func(p *fakePlayer) {
		p.choose = func(ctx context.Context, h []engines.Move, l engines.Limits) (engines.Decision, error) {
			if l.Depth > 5 {
				<-release
			}
			return p.Player.Choose(ctx, h, l)
		}
	})
	g := spoilt(deaf.spoil)
	g.Limits, g.Budgets = engines.Limits{Depth: 3}, []engines.Budget{{Kind: engines.BudgetDepth}}
	wantBroken(t, gametest.Check(g), deaf.promise, deaf.words)
}
