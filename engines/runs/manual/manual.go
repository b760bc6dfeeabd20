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

// Name of the kind, in run.toml.
const Name = "game"

// phase is that of the one trial.
const phase = "play"

// Kind returns the kind.
func Kind() runs.Kind {
	return runs.Kind{
		Name: Name, Short: "a game that a person played on a board",
		New:  func() runs.Config { return &Config{} },
		Spec: func() runs.Spec { return &Spec{} }, ReadBoard: readBoard,
	}
}

// Seat is who sat at one side.
type Seat struct {
	Player string         `toml:"player"` // a preset, engine:NAME or what people call it; "" for a person
	Values params.Vector  `toml:"values"` // empty for a person and for an external engine
	Limits engines.Limits `toml:"limits"`
}

// Name is how people call who sat there.
func (s Seat) Name() string {
	if s.Player == "" {
		return "a person"
	}
	return s.Player
}

// Config is a finished game to be kept.
type Config struct {
	Variant engines.Variant
	Seats   [2]Seat // who moved first, and second
	Game    play.Game
}

// Plan implements runs.Config. It plays the moves again by the rules: a game that did
// not go so, or an end that the rules do not give, is an error.
func (a *Config) Plan() (*runs.Plan, error) {
	if a.Variant.Game == nil {
		return nil, errors.New("a game is played on a board: see selfplay serve")
	}
	s := &Spec{First: a.Seats[0], Second: a.Seats[1], game: &a.Game}
	s.Level = runs.DefaultMatchRules().Confidence
	if err := s.Check(a.Variant); err != nil {
		return nil, err
	}
	return &runs.Plan{Kind: Kind(), Variant: a.Variant, Moves: datasets.NoMoves, Spec: s}, a.check()
}

// check plays the game again by the rules of the game.
func (a *Config) check() error {
	agreed := a.Game.Reason == engines.Agreed
	if a.Game.Outcome == engines.Ongoing || a.Game.Reason == engines.Resigned && a.Game.Outcome == engines.Draw || agreed &&
		a.Game.Outcome != engines.Draw {
		return fmt.Errorf("a game does not end %s by %s", a.Game.Outcome, a.Game.Reason)
	}
	return play.Retrace(a.Variant.NewReferee(), a.Game, func(play.Step) error { return nil })
}

// Spec is the [spec] table of the run.
type Spec struct {
	First  Seat `toml:"first"`
	Second Seat `toml:"second"`
	runs.Terms

	game *play.Game // to be written; nil in a spec that was read
}

// Check implements runs.Spec.
func (s *Spec) Check(v engines.Variant) error {
	for _, seat := range []Seat{s.First, s.Second} {
		if (seat.Player == "" || strings.HasPrefix(seat.Player, player.EnginePrefix)) && len(seat.Values) == 0 {
			continue
		}
		if err := v.Game.Space.Check(seat.Values); err != nil {
			return fmt.Errorf("player %q: %w", seat.Player, err)
		}
	}
	return s.CheckTerms(nil)
}

// Limits implements runs.Spec.
func (s *Spec) Limits() string {
	return fmt.Sprintf("first: %s; second: %s", s.First.Limits, s.Second.Limits)
}

// Words implements runs.Spec.
func (s *Spec) Words(engines.Variant) []string {
	return append([]string{"--first", s.First.Name(), "--second", s.Second.Name()}, s.Terms.Words()...)
}

// Setup implements runs.Spec.
func (s *Spec) Setup() (runs.Setup, error) {
	return runs.Setup{Unmergeable: errors.New("is one game played on a board, which is no part of a larger result")}, nil
}

// Play implements runs.Spec: it writes the game down.
func (s *Spec) Play(_ context.Context, session *runs.Session) error {
	if s.game == nil {
		return errors.New("the game is over and cannot be continued")
	}
	g := rowOf(s.game)
	t := datasets.TrialRow{Phase: phase, A: s.First.Values, B: s.Second.Values, Games: 1, Plies: int64(g.Plies)}
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

// Result is what there is to tell of a game.
type Result struct {
	Head *runs.Head
	Spec *Spec
	game *datasets.GameRow // nil before it is read, or where a list asks for no games
	over bool
	wins [3]int32 // of the trial: won, drawn, lost by who moved first
}

// NewResult implements runs.Spec.
func (s *Spec) NewResult(h *runs.Head) (runs.Result, error) { return &Result{Head: h, Spec: s}, nil }

// Add implements runs.Result.
func (t *Result) Add(f schedule.Finished) error {
	t.over, t.wins = true, [3]int32{f.Trial.Wins, f.Trial.Draws, f.Trial.Losses}
	if len(f.Games) == 1 {
		t.game = &f.Games[0]
	}
	return nil
}

func (t *Result) what() string { return t.Spec.First.Name() + " v " + t.Spec.Second.Name() }

// result says who won.
func (t *Result) result() string {
	line := runs.NothingYet
	switch {
	case t.wins[0] > 0:
		line = t.Spec.First.Name() + ", who moved first, won"
	case t.wins[1] > 0:
		line = "a draw"
	case t.wins[2] > 0:
		line = t.Spec.Second.Name() + ", who moved second, won"
	}
	if t.game != nil {
		line += fmt.Sprintf(" by %s after %s", t.game.Reason, text.Plural(t.game.Plies, "ply"))
	}
	return line
}

// Summary implements runs.Result.
func (t *Result) Summary() (runs.Summary, error) {
	return runs.Summary{What: t.what(), Finished: t.over, Result: t.result()}, nil
}

// Progress implements runs.Result.
func (t *Result) Progress(string, [5]int) runs.Progress {
	p := runs.Progress{Phase: phase, Planned: 1}
	if t.over {
		p.Games = 1
	}
	return p
}

// Page implements runs.Result.
func (t *Result) Page() (reports.Page, error) {
	page := reports.Page{
		Title: fmt.Sprintf("A game of %s: %s", t.Head.Title(), filepath.Base(filepath.Clean(t.Head.Dir))),
		Lead:  []string{t.what() + ": " + t.result() + "."}, Facts: gamestats.Facts(t.Head.Meta, t.Head.Sessions),
	}
	if t.game == nil || t.Head.Unavailable != nil {
		return page, nil
	}
	ref := t.Head.Variant.NewReferee()
	if err := schedule.Retrace(ref, *t.game, func(play.Step) error { return nil }); err != nil {
		return page, err
	}
	end := reports.Boards{Name: "end", Boards: []reports.Position{{Board: ref.Board(), Caption: "The last position."}}}
	page.Sections = []reports.Section{{Title: "The game", Blocks: []reports.Block{end, reports.Code(t.game.Moves)}}}
	return page, nil
}

// JSON implements runs.Result.
func (t *Result) JSON() (runs.Object, error) {
	o := runs.Object{{Name: "first", Value: t.Spec.First.Name()}, {Name: "second", Value: t.Spec.Second.Name()},
		{Name: "result", Value: t.result()}, {Name: "run", Value: t.Head.Dir}}
	if t.game != nil {
		o = append(o, runs.Entry{Name: "outcome", Value: t.game.Outcome}, runs.Entry{Name: "reason", Value: t.game.Reason},
			runs.Entry{Name: "moves", Value: t.game.Moves})
	}
	return o, nil
}

// Text implements runs.Result.
func (t *Result) Text(out io.Writer, _ runs.Ended) error {
	_, err := fmt.Fprintf(out, "%s: %s\n", t.what(), t.result())
	return err
}

// Files implements runs.Result.
func (t *Result) Files() (map[string][]byte, error) { return nil, nil }

// Part implements runs.Result: one game is no part of any table of results.
func (t *Result) Part(datasets.TrialRow) (p runs.Part, ok bool) { return p, false }

// Trial implements runs.Result.
func (t *Result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	c := schedule.Trial{Phase: row.Phase, Stream: play.Stream(phase)}
	for i, s := range []Seat{t.Spec.First, t.Spec.Second} {
		c.Seats[i] = player.Config{Name: s.Name(), Player: s.Player, Values: s.Values, Limits: s.Limits}
	}
	return c, nil
}
