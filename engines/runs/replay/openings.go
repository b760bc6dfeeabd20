package replay

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/board"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// Openings is the opening tree of some runs of one game.
type Openings struct {
	Game    string          `json:"game"`
	Title   string          `json:"title"` // of the game
	Rules   string          `json:"rules"`
	Games   int             `json:"games"`
	Level   float64         `json:"level"`   // of the intervals
	Min     int             `json:"min"`     // games that a line needs
	Players []string        `json:"players"` // A and B, if all games are between the same two; else empty
	Phases  []string        `json:"phases"`  // of the runs, in their order
	Notes   []string        `json:"notes"`
	Line    string          `json:"line"`  // where Tree begins, as At takes it; "" for all games
	Board   *History        `json:"board"` // after Line; nil if its games start from several positions or the game is not known here
	Tree    *gamestats.Line `json:"tree"`

	head *runs.Head
}

// History is the way to a position: its start, "" for the initial position, and the moves.
type History struct {
	Position string `json:"position"`
	Moves    string `json:"moves"`
}

// Reading is the progress of NewOpenings, which reads every game twice.
type Reading struct {
	Read, Of atomic.Int64 // games; Of is 0 before their number is known
}

// openingsLevel is the level of the intervals, because the levels of several runs may differ.
const openingsLevel = 0.95

// NewOpenings reads the games of the phase, "" for all, until ctx ends. least is how many
// games a line needs, 0 for a share of all. It reads the games twice, and holds some tens
// of MB however many there are.
func NewOpenings(ctx context.Context, list []*runs.Recorded, phase string, least int, far *Reading) (*Openings, error) {
	o := &Openings{Level: openingsLevel, Players: []string{}, Phases: []string{}}
	var seats *[2]player.Config
	tree := &gamestats.Tree{Min: least}
	for i, r := range list {
		meta := r.Log.Meta
		if i == 0 {
			o.head, o.Game, o.Title, o.Rules = r.Head, meta.Game, r.Head.Title(), meta.Rules
		}
		if meta.Game != o.Game || meta.Rules != o.Rules {
			return nil, fmt.Errorf("%s is a run of %s (%s), and %s of %s (%s): a tree is of one game and its rules", r.Log.Dir, r.Head.Title(),
				meta.Rules, list[0].Log.Dir, o.head.Title(), o.Rules)
		}
		tree.Drawn = tree.Drawn || !r.Config.Conditions().InOrder()
		if err := r.Shown(); err != nil {
			return nil, err
		}
		these, games, err := o.players(r, phase)
		far.Of.Add(2 * games)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			seats = these
		}
		if seats == nil || these == nil || !alike(*seats, *these) {
			seats = nil
		}
	}
	if err := eachGame(ctx, list, phase, far, tree.Count); err != nil {
		return nil, err
	}
	if err := tree.CheckMin(); err != nil {
		return nil, fmt.Errorf("the least number of games: %w", err)
	}
	if err := eachGame(ctx, list, phase, far, tree.Add); err != nil {
		return nil, err
	}
	if o.Tree = tree.Lines(o.Level, seats != nil); o.Tree.Games == 0 {
		return nil, fmt.Errorf("%s: no game is recorded%s", list[0].Log.Dir, inPhase(phase))
	}
	if seats != nil {
		o.Players = []string{seats[0].Name, seats[1].Name}
	}
	o.Games, o.Min, o.Notes = o.Tree.Games, tree.Min, tree.Notes()
	return o, nil
}

func inPhase(phase string) string {
	if phase == "" {
		return ""
	}
	return fmt.Sprintf(" in phase %q", phase)
}

func eachGame(ctx context.Context, list []*runs.Recorded, phase string, far *Reading, add func(datasets.GameRow)) error {
	for _, r := range list {
		for g, err := range r.Log.Games(datasets.Filter{Phase: phase}) {
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			add(g)
			far.Read.Add(1)
		}
	}
	return nil
}

// players returns A and B if they are the same in all trials of the phase, else nil, and the
// number of games. It notes the run's phases.
func (o *Openings) players(r *runs.Recorded, phase string) (seats *[2]player.Config, games int64, err error) {
	result, err := r.Config.NewResult(r.Head)
	if err != nil {
		return nil, 0, err
	}
	same := true
	for row, err := range r.Log.Trials(datasets.Filter{}) {
		if err == nil {
			err = result.Add(schedule.Finished{Trial: row, Replayed: true})
		}
		if err != nil {
			return nil, 0, err
		}
		if !slices.Contains(o.Phases, row.Phase) {
			o.Phases = append(o.Phases, row.Phase)
		}
		if phase != "" && row.Phase != phase {
			continue
		}
		games += int64(row.Games)
		part, counts := result.Part(row)
		if seats == nil {
			seats = &part.Seats
		}
		same = same && counts && alike(*seats, part.Seats)
	}
	if !same {
		return nil, games, nil
	}
	return seats, games, nil
}

// alike reports whether the same two play, whatever they are called.
func alike(a, b [2]player.Config) bool {
	for i := range a {
		a[i].Name, a[i].Player, b[i].Name, b[i].Player = "", "", "", ""
	}
	return reflect.DeepEqual(a, b)
}

// At returns the tree from a line on, cut n moves after it. A line is a text as files of openings
// have it: moves, or a start position, " | " and moves; "*" is all start positions that are
// counted together, and "start" the initial one among others.
func (o *Openings) At(name string, n int) (*Openings, error) {
	line, history, err := o.find(name)
	if err != nil {
		return nil, err
	}
	at := *o
	at.Line, at.Tree = name, line.Cut(n)
	if several := line.Starts > 0 || line == o.Tree && len(line.Next) > 0 && line.Next[0].Move == ""; !several && o.head.Unavailable == nil {
		at.Board = &history
	}
	return &at, nil
}

func (o *Openings) find(name string) (*gamestats.Line, History, error) {
	line, at := o.Tree, History{Position: o.Tree.Start}
	start, moves, both := strings.Cut(name, " | ")
	if !both {
		start, moves = "", name
	}
	at.Moves = moves
	for _, l := range o.Tree.Next {
		label := cmp.Or(l.Start, "start")
		if l.Starts > 0 {
			label = "*"
		}
		if l.Move == "" && label == cmp.Or(start, moves) {
			if line, at.Position = l, l.Start; !both {
				at.Moves = ""
			}
		}
	}
	if line == o.Tree && start != line.Start && start != "" {
		return nil, at, fmt.Errorf("no start position %q with %s", start, text.Plural(o.Min, "game"))
	}
	if line == o.Tree && !both && moves == line.Start {
		at.Moves = ""
	}
	for move := range strings.FieldsSeq(at.Moves) {
		i := slices.IndexFunc(line.Next, func(l *gamestats.Line) bool { return l.Move == move })
		if i < 0 {
			known := text.Each(line.Next[:min(len(line.Next), 5)], func(l *gamestats.Line) string { return l.Move })
			return nil, at, fmt.Errorf("no line %q with %s or more: of %s in place of %s the first are %s", name, text.Plural(o.Min, "game"),
				text.Plural(len(line.Next), "move"), move, cmp.Or(strings.Join(known, ", "), "none"))
		}
		line = line.Next[i]
	}
	return line, at, nil
}

// Position returns the position on the Board, if there is one.
func (o *Openings) Position() (b board.Board, ok bool) {
	if o.Board == nil {
		return b, false
	}
	ref := o.head.Variant.NewReferee()
	err := play.SetUp(ref, o.Board.Position+" | "+o.Board.Moves)
	return ref.Board(), err == nil
}
