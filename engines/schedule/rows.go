package schedule

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// rowsOf returns the rows of a finished trial and its games.
func rowsOf(u *underway) (datasets.TrialRow, []datasets.GameRow) {
	t := datasets.TrialRow{
		Trial: u.number, Phase: u.trial.Phase, A: u.trial.Seats[0].Values, B: u.trial.Seats[1].Values,
		Openings: u.trial.Openings, Pairs: int32(u.trial.Pairs), Games: int32(2 * u.trial.Pairs),
		FaultsA: int32(u.faults[0]), FaultsB: int32(u.faults[1]),
		LL: int32(u.tally[0]), LD: int32(u.tally[1]), Even: int32(u.tally[2]), WD: int32(u.tally[3]), WW: int32(u.tally[4]),
	}
	games := make([]datasets.GameRow, 0, 2*len(u.pairs))
	for i := range u.pairs {
		p := &u.pairs[i]
		for n, half := range p.Half() {
			switch half {
			case 2:
				t.Wins++
			case 1:
				t.Draws++
			default:
				t.Losses++
			}
			t.FirstPoints += int32(p.Games[n].Outcome.Points(engines.First))
			row := gameRow(&t, p, n, half)
			t.Plies += int64(row.Plies)
			t.Nodes += row.NodesA + row.NodesB
			t.Decisions += p.Games[n].Chosen
			games = append(games, row)
		}
		t.Compared += p.Compared
		if p.Differs {
			t.Differing++
		}
	}
	return t, games
}

// countedPair returns the rows of a pair.
func countedPair(u *underway, p *play.Pair) Counted {
	t, c := datasets.TrialRow{Trial: u.number, Phase: u.trial.Phase}, Counted{Seats: u.trial.Seats}
	for n, half := range p.Half() {
		c.Games[n] = gameRow(&t, p, n, half)
		c.Moves[n] = gameMoves(nil, &c.Games[n], p.Games[n].Notes)
	}
	return c
}

// gameRow returns the row of game n of a pair, in which A has half half points.
func gameRow(t *datasets.TrialRow, p *play.Pair, n, half int) datasets.GameRow {
	g := &p.Games[n]
	return datasets.GameRow{
		Trial: t.Trial, Phase: t.Phase, Pair: int32(p.Number), Game: int32(n),
		Position: g.Position, OpeningPlies: int32(g.Opening), Moves: g.Moves, Plies: int32(g.Plies),
		Outcome: g.Outcome.String(), AScore: float64(half) / 2, Reason: string(g.Reason),
		IllegalFirst: int32(g.Illegal[0]), IllegalSecond: int32(g.Illegal[1]),
		NodesA: g.Nodes[0], NodesB: g.Nodes[1], Margin: g.Margin,
	}
}

// movesOf returns the rows of the n decisions of a trial's games; nil if the setup takes no
// notes. Their texts share the memory of the games' rows.
func movesOf(u *underway, games []datasets.GameRow, n int64) []datasets.MoveRow {
	var rows []datasets.MoveRow
	for i := range games {
		notes := u.pairs[i/2].Games[i%2].Notes
		if len(notes) == 0 {
			continue
		}
		rows = gameMoves(slices.Grow(rows, int(n)-len(rows)), &games[i], notes)
	}
	return rows
}

// gameMoves appends the rows of a game's decisions.
func gameMoves(rows []datasets.MoveRow, g *datasets.GameRow, notes []play.Note) []datasets.MoveRow {
	rest, ply, text := g.Moves, -1, ""
	for _, d := range notes {
		for ; ply < d.Ply; ply++ {
			text, rest, _ = strings.Cut(rest, " ") // "" after the last move
		}
		rows = append(rows, moveRow(g, d, text))
	}
	return rows
}

// moveRow returns the row of a decision. text is the recorded move, "" if the decision lost the
// game at once.
func moveRow(g *datasets.GameRow, d play.Note, text string) datasets.MoveRow {
	m := datasets.MoveRow{
		Trial: g.Trial, Phase: g.Phase, Pair: g.Pair, Game: g.Game, Ply: int32(d.Ply),
		Side: int32(d.Side), Player: datasets.PlayerA, Key: d.Key, Move: text,
		Score: float64(d.Score), Nodes: d.Nodes, Depth: int32(d.Depth), Mate: int32(d.Mate), Micros: d.Elapsed.Microseconds(),
	}
	if int32(d.Side) != g.Game {
		m.Player = datasets.PlayerB
	}
	return m
}

// GameOf returns a recorded game as a play.Game, without the numbers of decisions, details and
// notes, which rows do not have. An unknown outcome is an error.
func GameOf(g datasets.GameRow) (play.Game, error) {
	outcome, err := engines.ParseOutcome(g.Outcome)
	if err != nil {
		return play.Game{}, fmt.Errorf("trial %d, pair %d, game %d: %w", g.Trial, g.Pair, g.Game, err)
	}
	return play.Game{
		Position: g.Position, Opening: int(g.OpeningPlies), Moves: g.Moves, Plies: int(g.Plies),
		Outcome: outcome, Reason: engines.Reason(g.Reason), Illegal: [2]int{int(g.IllegalFirst), int(g.IllegalSecond)},
		Nodes: [2]int64{g.NodesA, g.NodesB},
	}, nil
}

// Retrace retraces a recorded game as play.Retrace does. Its error names the game.
func Retrace(ref engines.Referee, g datasets.GameRow, visit func(play.Step) error) error {
	game, err := GameOf(g)
	if err != nil {
		return err
	}
	if err := play.Retrace(ref, game, visit); err != nil {
		return fmt.Errorf("trial %d, pair %d, game %d: %w", g.Trial, g.Pair, g.Game, err)
	}
	return nil
}
