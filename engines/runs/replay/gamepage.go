package replay

import (
	"fmt"
	"math"
	"path/filepath"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// Page returns a page of a game with its boards. It has the players' scores, too, if they decided
// again (repeated), or if the run keeps rows of moves.
func (r *Game) Page(plies []play.Ply, repeated bool) reports.Page {
	names := [2]string{r.Trial.Seats[0].Name, r.Trial.Seats[1].Name}
	first := names
	if r.Row.Game == 1 { // A moves second
		first[0], first[1] = first[1], first[0]
	}
	p := reports.Page{
		Title:    r.title(names),
		Subtitle: r.Run.Head.About(fmt.Sprintf("A game of %s, %s: %s plays first, %s second", r.Run.Head.Title(), r.Place(), first[0], first[1])),
	}
	thought := repeated || r.Run.Log.Meta.RecordMoves != datasets.NoMoves
	if fig, ok := gamestats.ScoreGraph("As the players saw it", "each player's score at its moves", first,
		int(r.Row.OpeningPlies), scored(plies, thought)); ok {
		p.Sections = append(p.Sections, reports.Section{Title: "Scores", Blocks: []reports.Block{
			reports.Plot{Name: "scores", Figure: fig, Caption: "A proven end lies at the edge."},
		}})
	}
	boards := reports.Boards{Name: "ply"}
	for i := range plies {
		boards.Boards = append(boards.Boards, reports.Position{Board: plies[i].Board, Caption: plyCaption(plies[i], names, thought)})
	}
	p.Sections = append(p.Sections, reports.Section{Title: "Move by move", Blocks: []reports.Block{boards}})
	p.Facts = []reports.Fact{
		{Key: "moves", Value: "`" + r.Row.Moves + "`"},
		{Key: "seed", Value: fmt.Sprint(r.Seed())},
		{Key: "again", Value: fmt.Sprintf("`selfplay replay %s %s`", runs.Quote(filepath.ToSlash(r.Run.Log.Dir)), r.Row.Name())},
	}
	if r.Row.Position != "" {
		p.Facts = append([]reports.Fact{{Key: "from", Value: "`" + r.Row.Position + "`"}}, p.Facts...)
	}
	return p
}

// title writes the result of the game.
func (r *Game) title(names [2]string) string {
	how := fmt.Sprintf("by %s after %s", r.Row.Reason, text.Plural(r.Row.Plies, "ply"))
	switch r.Row.AScore {
	case 1:
		return fmt.Sprintf("%s beats %s %s", names[0], names[1], how)
	case 0:
		return fmt.Sprintf("%s beats %s %s", names[1], names[0], how)
	}
	return fmt.Sprintf("%s and %s draw %s", names[0], names[1], how)
}

func scored(plies []play.Ply, thought bool) (list []gamestats.Scored) {
	for i, p := range plies {
		if d := p.Decision; thought && !p.Opening {
			list = append(list, gamestats.Scored{Ply: i, First: p.Side == 0, Score: d.Score, Mate: d.Mate})
		}
	}
	return list
}

// plyCaption describes a ply: its move, its player and the player's report.
func plyCaption(p play.Ply, names [2]string, thought bool) string {
	d := p.Decision
	line := fmt.Sprintf("%d. `%s`", p.Number, p.Move)
	by := names[1]
	if p.ByA {
		by = names[0]
	}
	switch {
	case p.Opening:
		return line + ", opening"
	case p.Illegal:
		return line + ", for an illegal move of " + by
	case !thought, math.IsNaN(d.Score):
		return line + ", " + by
	case d.Mate > 0:
		return fmt.Sprintf("%s, %s: wins in %s", line, by, text.Plural(d.Mate, "ply"))
	case d.Mate < 0:
		return fmt.Sprintf("%s, %s: loses in %s", line, by, text.Plural(-d.Mate, "ply"))
	}
	return fmt.Sprintf("%s, %s: score %.4g, %s", line, by, d.Score, text.Plural(d.Nodes, "node"))
}
