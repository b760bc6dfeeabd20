package runs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// maxBoards is how many positions a page shows of one kind.
const maxBoards = 4

// Faults keeps the first games that were lost by a fault, to be looked at.
type Faults struct {
	games []datasets.GameRow
}

// Add sees a game.
func (f *Faults) Add(g datasets.GameRow) {
	if _, is := g.Fault(); is && len(f.games) < maxBoards {
		f.games = append(f.games, g)
	}
}

// FaultCounts is how many games a player lost by which fault.
type FaultCounts map[string]int

// String lists them, the most frequent first: "3 by time, 1 by crash".
func (c FaultCounts) String() string {
	return strings.Join(text.Each(c.reasons(), func(reason string) string {
		return fmt.Sprintf("%s by %s", text.Count(c[reason]), reason)
	}), ", ")
}

// reasons lists the faults, the most frequent first.
func (c FaultCounts) reasons() []string {
	return slices.SortedFunc(maps.Keys(c), func(a, b string) int { return cmp.Or(c[b]-c[a], strings.Compare(a, b)) })
}

// JSON is the counts as an object, the most frequent fault first.
func (c FaultCounts) JSON() Object { return Counts(c.reasons(), c) }

// Section shows where the games ended; ok is false where there are none, or this
// program cannot set them up.
func (f *Faults) Section(h *Head) (s reports.Section, ok bool) {
	if h.Unavailable != nil || len(f.games) == 0 {
		return s, false
	}
	boards := reports.Boards{Name: "fault"}
	for _, g := range f.games {
		ref := h.Variant.NewReferee()
		if err := schedule.Retrace(ref, g, func(play.Step) error { return nil }); err != nil {
			continue // reported elsewhere: the record does not fit the rules
		}
		boards.Boards = append(boards.Boards, reports.Position{
			Board: ref.Board(), Caption: fmt.Sprintf("Game %d:%d:%d after %s, lost by %s.", g.Trial, g.Pair, g.Game, text.Plural(g.Plies, "ply"),
				g.Reason),
		})
	}
	return reports.Section{Title: "Where faults happened", Blocks: []reports.Block{
		reports.Text("The last positions of the first games that a player lost by its own fault."), boards,
	}}, len(boards.Boards) > 0
}

// LostOpenings shows openings of which X lost both games; ok is false where there
// are none, or this program cannot set them up.
func LostOpenings(h *Head, o *gamestats.Openings, x string) (s reports.Section, ok bool) {
	if h.Unavailable != nil {
		return s, false
	}
	names, games := o.Lost(maxBoards)
	boards := reports.Boards{Name: "lost"}
	for i, name := range names {
		ref := h.Variant.NewReferee()
		if err := setUp(ref, name); err != nil {
			continue // as above
		}
		boards.Boards = append(boards.Boards, reports.Position{
			Board: ref.Board(), Caption: fmt.Sprintf("From here %s lost both games, the one as `%s` in a replay.", x, games[i]),
		})
	}
	return reports.Section{Title: "The most one-sided openings", Blocks: []reports.Block{
		reports.Text("The quickest pairs that were lost with both colours."), boards,
	}}, len(boards.Boards) > 0
}

// setUp sets an opening up by its name, as gamestats.OpeningName writes it.
func setUp(ref engines.Referee, name string) error {
	position, moves, both := strings.Cut(name, " | ")
	if !both {
		position, moves = "", name
		if ref.Reset(name) == nil && name != "" { // a position alone
			return nil
		}
	}
	if err := ref.Reset(position); err != nil {
		return err
	}
	for text := range strings.FieldsSeq(moves) {
		m, err := ref.ParseMove(text)
		if err == nil && !ref.Legal(m) {
			err = fmt.Errorf("%s is not legal", text)
		}
		if err != nil {
			return err
		}
		ref.Play(m)
	}
	return nil
}
