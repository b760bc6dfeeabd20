package runs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// maxBoards is how many positions a page shows of one kind.
const maxBoards = 4

// GameStats holds the statistics of a run's games, for any kind. The zero value is empty.
type GameStats struct {
	Games    gamestats.Games
	Openings gamestats.Openings
	Lost     Faults

	first datasets.GameRow // of the current pair
}

// Add counts a game. The two of a pair come one after the other, as recorded: with the
// second it returns A's half points in both.
func (s *GameStats) Add(g datasets.GameRow) (halves [2]int, pair bool) {
	s.Games.Add(g)
	s.Openings.Add(g)
	s.Lost.Add(g)
	if g.Game == 0 {
		s.first = g
		return halves, false
	}
	return [2]int{s.first.Half(), g.Half()}, true
}

// GameSections returns the sections of a report about games: how results depend on the opening,
// openings that x lost with both colours, the games, and where faults happened.
func GameSections(h *Head, openings reports.Section, o *gamestats.Openings, x string, games reports.Section, lost *Faults) []reports.Section {
	return slices.Concat([]reports.Section{openings}, lostOpenings(h, o, x), []reports.Section{games}, lost.Section(h))
}

// Faults keeps the first games that were lost by a fault, to be looked at.
type Faults struct {
	games []datasets.GameRow
}

// Add sees a game.
func (f *Faults) Add(g datasets.GameRow) {
	if _, ok := g.Fault(); ok && len(f.games) < maxBoards {
		f.games = append(f.games, g)
	}
}

// FaultCounts is how many games a player lost by which fault.
type FaultCounts map[string]int

// String lists them, the most frequent first: "3 by time, 1 by crash".
func (f FaultCounts) String() string {
	return strings.Join(text.Each(f.reasons(), func(reason string) string {
		return fmt.Sprintf("%s by %s", text.Count(f[reason]), reason)
	}), ", ")
}

// reasons lists the faults, the most frequent first.
func (f FaultCounts) reasons() []string {
	return slices.SortedFunc(maps.Keys(f), func(a, b string) int { return cmp.Or(f[b]-f[a], strings.Compare(a, b)) })
}

// JSON returns the counts as an object, the most frequent fault first.
func (f FaultCounts) JSON() Object { return Counts(f.reasons(), f) }

// Section shows where the games ended: nothing where there are none, or this program cannot
// set them up.
func (f *Faults) Section(h *Head) []reports.Section {
	if h.Unavailable != nil {
		return nil
	}
	boards := reports.Boards{Name: "fault"}
	for _, g := range f.games {
		ref := h.Variant.NewReferee()
		if err := schedule.Retrace(ref, g, func(play.Step) error { return nil }); err != nil {
			continue // reported elsewhere: the record does not fit the rules
		}
		boards.Boards = append(boards.Boards, reports.Position{
			Board: ref.Board(), Caption: fmt.Sprintf("Game %s after %s, lost by %s%s.", g.Name(), text.Plural(g.Plies, "ply"), g.Reason,
				datasets.LogNote(h.Dir, "", g)),
		})
	}
	return boardSection("Where faults happened", "The last positions of the first games that a player lost by its own fault.", boards)
}

// boardSection returns a section of boards; nothing without one.
func boardSection(title, line string, boards reports.Boards) []reports.Section {
	if len(boards.Boards) == 0 {
		return nil
	}
	return []reports.Section{{Title: title, Blocks: []reports.Block{reports.Text(line), boards}}}
}

// lostOpenings shows the openings in which player x lost both games, as Section does.
func lostOpenings(h *Head, o *gamestats.Openings, x string) []reports.Section {
	if h.Unavailable != nil {
		return nil
	}
	names, games := o.Lost(maxBoards)
	boards := reports.Boards{Name: "lost"}
	for i, name := range names {
		ref := h.Variant.NewReferee()
		if err := play.SetUp(ref, name); err != nil {
			continue // as above
		}
		boards.Boards = append(boards.Boards, reports.Position{
			Board: ref.Board(), Caption: fmt.Sprintf("From here %s lost both games; `%s` is one of them.", x, games[i]),
		})
	}
	return boardSection("The most one-sided openings", "The quickest pairs that were lost with both colours.", boards)
}
