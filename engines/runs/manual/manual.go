// Package manual is a game that a person played on a board, kept as a run like any
// other: listed, shown, walked through and exported. It is over when it is made:
// nothing can be asked of it, and nothing is left to play.
package manual

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// kindName of the kind, in run.toml.
const kindName = "game"

// phase is that of the one trial.
const phase = "play"

// Kind returns the kind.
func Kind() runs.Kind {
	return runs.Kind{
		Name: kindName, Short: "a game that a person played on a board",
		New:       func() runs.Config { return &Config{} },
		ReadBoard: readBoard,
	}
}

// Seat is who sat at one side.
type Seat struct {
	Player string         `toml:"player"` // a preset, engine:NAME or what people call it; "" for a person
	Values params.Vector  `toml:"values"` // empty for a person and for an external engine
	Limits engines.Limits `toml:"limits"`
}

// name is how people call who sat there.
func (s Seat) name() string {
	if s.Player == "" {
		return "a person"
	}
	return s.Player
}

// Config is the runs.Config of a finished game to be kept, or of one that is.
type Config struct {
	First  Seat `toml:"first" flag:"-"`
	Second Seat `toml:"second" flag:"-"`
	runs.MatchRules

	Variant engines.Variant `toml:"-"`
	Game    *play.Game      `toml:"-"` // to be written; nil in a config that was read
}

// Plan implements runs.Config. It plays the moves again by the rules: a game that did
// not go so, or an end that the rules do not give, is an error.
func (c *Config) Plan() (*runs.Plan, error) {
	if c.Variant.Game == nil {
		return nil, errors.New("a game is played on a board: see selfplay serve")
	}
	c.MatchRules = runs.MatchRules{Level: runs.DefaultMatchRules().Level}
	if err := c.Check(c.Variant); err != nil {
		return nil, err
	}
	return &runs.Plan{Kind: Kind(), Variant: c.Variant, Config: c}, c.check()
}

// check plays the game again by the rules of the game.
func (c *Config) check() error {
	agreed := c.Game.Reason == engines.Agreed
	if c.Game.Outcome == engines.Ongoing || c.Game.Reason == engines.Resigned && c.Game.Outcome == engines.Draw || agreed &&
		c.Game.Outcome != engines.Draw {
		return fmt.Errorf("a game does not end %s by %s", c.Game.Outcome, c.Game.Reason)
	}
	return play.Retrace(c.Variant.NewReferee(), *c.Game, func(play.Step) error { return nil })
}

func (c *Config) Check(v engines.Variant) error {
	for _, Seat := range []Seat{c.First, c.Second} {
		if (Seat.Player == "" || strings.HasPrefix(Seat.Player, player.EnginePrefix)) && len(Seat.Values) == 0 {
			continue
		}
		if err := v.Game.Space.Check(Seat.Values); err != nil {
			return fmt.Errorf("player %q: %w", Seat.Player, err)
		}
	}
	return c.CheckRules(nil, nil)
}

func (c *Config) Budgets() string {
	return fmt.Sprintf("first: %s; second: %s", c.First.Limits, c.Second.Limits)
}

func (c *Config) Setup() (runs.Setup, error) {
	return runs.Setup{}, nil
}

// Play implements runs.Config: it writes the game down.
func (c *Config) Play(_ context.Context, session *runs.Session) error {
	if c.Game == nil {
		return errors.New("the game is over and cannot be continued")
	}
	g := rowOf(c.Game)
	t := datasets.TrialRow{Phase: phase, A: c.First.Values, B: c.Second.Values, Games: 1, Plies: int64(g.Plies)}
	switch g.AScore {
	case 1:
		t.Wins, t.FirstPoints = 1, 2
	case 0.5:
		t.Draws, t.FirstPoints = 1, 1
	default:
		t.Losses = 1
	}
	games := []datasets.GameRow{g}
	if err := session.Record.Append(t, games, nil); err != nil {
		return err
	}
	return session.Observe(schedule.Finished{Trial: t, Games: games})
}

// rowOf is the game as a row.
func rowOf(g *play.Game) datasets.GameRow {
	return datasets.GameRow{
		Phase: phase, Position: g.Position, OpeningPlies: int32(g.Opening), Moves: g.Moves, Plies: int32(g.Plies),
		Outcome: g.Outcome.String(), AScore: float64(g.Outcome.Points(engines.First)) / 2, Reason: string(g.Reason),
		IllegalFirst: int32(g.Illegal[0]), IllegalSecond: int32(g.Illegal[1]),
	}
}

// result is the runs.Result of a game.
type result struct {
	Head   *runs.Head
	Config *Config
	game   *datasets.GameRow // nil before it is read, or where a list asks for no games
	over   bool
	wins   [3]int32 // of the trial: won, drawn, lost by who moved first
}

func (c *Config) NewResult(h *runs.Head) (runs.Result, error) {
	return &result{Head: h, Config: c}, nil
}

func (r *result) Add(f schedule.Finished) error {
	r.over, r.wins = true, [3]int32{f.Trial.Wins, f.Trial.Draws, f.Trial.Losses}
	if len(f.Games) == 1 {
		r.game = &f.Games[0]
	}
	return nil
}

func (r *result) what() string { return r.Config.First.name() + " v " + r.Config.Second.name() }

// result says who won.
func (r *result) result() string {
	line := runs.NothingYet
	switch {
	case r.wins[0] > 0:
		line = r.Config.First.name() + ", who moved first, won"
	case r.wins[1] > 0:
		line = "a draw"
	case r.wins[2] > 0:
		line = r.Config.Second.name() + ", who moved second, won"
	}
	if r.game != nil {
		line += fmt.Sprintf(" by %s after %s", r.game.Reason, text.Plural(r.game.Plies, "ply"))
	}
	return line
}

func (r *result) Summary() (runs.Summary, error) {
	question := fmt.Sprintf("Who won at %s, %s or %s?", r.Head.ShortTitle(), r.Config.First.name(), r.Config.Second.name())
	return runs.Summary{What: r.what(), Question: question, Finished: r.over, Result: r.result()}, nil
}

func (r *result) Progress(string, [5]int) runs.Progress {
	p := runs.Progress{Phase: phase, Planned: 1}
	if r.over {
		p.Games = 1
	}
	return p
}

func (r *result) Page() (reports.Page, error) {
	page := reports.Page{
		Title: fmt.Sprintf("A game of %s: %s", r.Head.Title(), filepath.Base(filepath.Clean(r.Head.Dir))),
		Lead:  []string{r.what() + ": " + r.result() + "."}, Facts: gamestats.Facts(r.Head.Meta, r.Head.Sessions),
	}
	if r.game == nil || r.Head.Unavailable != nil {
		return page, nil
	}
	ref := r.Head.Variant.NewReferee()
	if err := schedule.Retrace(ref, *r.game, func(play.Step) error { return nil }); err != nil {
		return page, err
	}
	end := reports.Boards{Name: "end", Boards: []reports.Position{{Board: ref.Board(), Caption: "The last position."}}}
	page.Sections = []reports.Section{{Title: "The game", Blocks: []reports.Block{end, reports.Code(r.game.Moves)}}}
	return page, nil
}

func (r *result) JSON() (runs.Object, error) {
	o := runs.Object{{"first", r.Config.First.name()}, {"second", r.Config.Second.name()}, {"result", r.result()}, {"run", r.Head.Dir}}
	if r.game != nil {
		o = append(o, runs.Object{{"outcome", r.game.Outcome}, {"reason", r.game.Reason}, {"moves", r.game.Moves}}...)
	}
	return o, nil
}

func (r *result) Text(out io.Writer, _ runs.Ended) error {
	_, err := fmt.Fprintf(out, "%s: %s\n", r.what(), r.result())
	return err
}

func (r *result) Files() (map[string][]byte, error) { return nil, nil }

// Part implements runs.Result: one game is no part of any table of results.
func (r *result) Part(datasets.TrialRow) (p runs.Part, ok bool) { return p, false }

func (r *result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	c := schedule.Trial{Phase: row.Phase, Stream: play.Stream(phase)}
	for i, s := range []Seat{r.Config.First, r.Config.Second} {
		c.Seats[i] = player.Config{Name: s.name(), Player: s.Player, Values: s.Values, Limits: s.Limits}
	}
	return c, nil
}
