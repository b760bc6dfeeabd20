package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/board"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// Openings is the opening tree of some runs of one game.
type Openings struct {
	Game    string          `json:"game"`
	Rules   string          `json:"rules"`
	Games   int             `json:"games"`
	Level   float64         `json:"level"`   // of the intervals
	Min     int             `json:"min"`     // games that a line needs
	Players []string        `json:"players"` // A and B, if all games are between the same two; else empty
	Notes   []string        `json:"notes"`
	Tree    *gamestats.Line `json:"tree"`

	head *Head
}

// openingsLevel is that of the intervals: runs together may have several.
const openingsLevel = 0.95

// NewOpenings reads the games of the phase, "" for all, until ctx ends. least is how many
// games a line needs, 0 for a share of all. It reads the games twice, and holds some tens
// of MB however many there are.
func NewOpenings(ctx context.Context, list []*Recorded, phase string, least int) (*Openings, error) {
	o := &Openings{Level: openingsLevel, Players: []string{}}
	var seats *[2]player.Config
	tree := &gamestats.Tree{Min: least}
	for i, r := range list {
		meta := r.Log.Meta
		if i == 0 {
			o.head, o.Game, o.Rules = r.Head, meta.Game, meta.Rules
		}
		if meta.Game != o.Game || meta.Rules != o.Rules {
			return nil, fmt.Errorf("%s is a run of %s (%s), and %s of %s (%s): a tree is of one game and its rules", r.Log.Dir, r.Head.Title(),
				meta.Rules, list[0].Log.Dir, o.head.Title(), o.Rules)
		}
		tree.Drawn = tree.Drawn || !r.Config.Conditions().InOrder()
		if r.setup.Variant != nil {
			return nil, fmt.Errorf("%s: a program judged, and no game was played that could be shown", r.Log.Dir)
		}
		these, err := r.players(phase)
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
	if err := eachGame(ctx, list, phase, tree.Count); err != nil {
		return nil, err
	}
	if err := tree.CheckMin(); err != nil {
		return nil, fmt.Errorf("the least number of games: %w", err)
	}
	if err := eachGame(ctx, list, phase, tree.Add); err != nil {
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

func eachGame(ctx context.Context, list []*Recorded, phase string, add func(datasets.GameRow)) error {
	for _, r := range list {
		for g, err := range r.Log.Games(datasets.Filter{Phase: phase}) {
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			add(g)
		}
	}
	return nil
}

// players returns A and B if they are the same in all trials of the phase; else nil.
func (r *Recorded) players(phase string) (seats *[2]player.Config, err error) {
	result, err := r.Config.NewResult(r.Head)
	if err != nil {
		return nil, err
	}
	same := true
	for row, err := range r.Log.Trials(datasets.Filter{}) {
		if err == nil {
			err = result.Add(schedule.Finished{Trial: row, Replayed: true})
		}
		if err != nil {
			return nil, err
		}
		if phase != "" && row.Phase != phase {
			continue
		}
		part, counts := result.Part(row)
		if seats == nil {
			seats = &part.Seats
		}
		same = same && counts && alike(*seats, part.Seats)
	}
	if !same {
		return nil, nil
	}
	return seats, nil
}

// alike reports whether the same two play, whatever they are called.
func alike(a, b [2]player.Config) bool {
	for i := range a {
		a[i].Name, a[i].Player, b[i].Name, b[i].Player = "", "", "", ""
	}
	return reflect.DeepEqual(a, b)
}

// Find returns the line of a text as files of openings have it: moves, or a start position,
// " | " and moves; "*" is all start positions that are counted together.
func (o *Openings) Find(name string) (*gamestats.Line, error) {
	line := o.Tree
	start, moves, both := strings.Cut(name, " | ")
	if !both {
		start, moves = "", name
	}
	steps := strings.Fields(moves)
	for _, l := range o.Tree.Next {
		if l.Move == "" && (l.Start == cmp.Or(start, moves) || l.Starts > 0 && cmp.Or(start, moves) == "*") {
			if line = l; !both {
				steps = nil
			}
		}
	}
	if line == o.Tree && start != line.Start && start != "" {
		return nil, fmt.Errorf("no start position %q with %s", start, text.Plural(o.Min, "game"))
	}
	for _, move := range steps {
		i := slices.IndexFunc(line.Next, func(l *gamestats.Line) bool { return l.Move == move })
		if i < 0 {
			return nil, fmt.Errorf("no line %q with %s: after the moves before %s there are %s", name, text.Plural(o.Min, "game"), move,
				text.Plural(len(line.Next), "line"))
		}
		line = line.Next[i]
	}
	return line, nil
}

// Board is the position after the line that Find finds by name; an error where the line is
// of several start positions.
func (o *Openings) Board(name string) (b board.Board, err error) {
	line, err := o.Find(name)
	if err != nil {
		return b, err
	}
	if line.Starts > 0 || line == o.Tree && len(line.Next) > 0 && line.Next[0].Move == "" {
		return b, errors.New("these games start from several positions")
	}
	if o.head.Unavailable != nil {
		return b, o.head.Unavailable
	}
	if o.Tree.Start != "" && !strings.Contains(name, " | ") && name != o.Tree.Start {
		name = strings.TrimSuffix(o.Tree.Start+" | "+name, " | ")
	}
	ref := o.head.Variant.NewReferee()
	err = setUp(ref, name)
	return ref.Board(), err
}
