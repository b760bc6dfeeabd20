package gamestats

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Moves summarises recorded decisions: the work and time of moves by ply, and a game to look at.
// The zero value is empty.
// It takes some hundred kB for any number of decisions.
type Moves struct {
	players []string         // in the order of their first game
	nodes   map[string]byPly // by player
	micros  map[string]byPly
	turns   map[string]*Turn // by the player that lost
}

// byPly counts values by ply, in classes of equal ratio.
type byPly map[int32]map[int]int

// classes is the number of classes in a factor of two. Quantiles are correct within 3 %.
const classes = 12

// add counts a value.
func (b byPly) add(ply int32, x int64) {
	if x <= 0 {
		return // not measured
	}
	if b[ply] == nil {
		b[ply] = map[int]int{}
	}
	b[ply][int(math.Round(classes*math.Log2(float64(x))))]++
}

// quantile returns the value that a share q of n values does not exceed.
func quantile(counts map[int]int, n int, q float64) float64 {
	sum := 0
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		if sum += counts[k]; float64(sum) >= q*float64(n) {
			return math.Exp2(float64(k) / classes)
		}
	}
	return 0
}

// Turn is a game that a player lost after a good score.
// It is the loss with the highest own score over heldFor moves of the player.
type Turn struct {
	Game      datasets.GameRow   // the lost game
	Decisions []datasets.MoveRow // rows of its moves, by both players
	Players   [2]string          // names of A and B
	Ply       int32              // ply of the last of the heldFor moves
	Score     float64            // the least of these moves' scores
}

// heldFor is the number of a player's moves over which
// its score must be high, because evaluators have spikes.
const heldFor = 3

// Add adds a game with its decisions. players are the names of A and B. It keeps no part of p's
// memory that the next game reuses.
func (m *Moves) Add(p datasets.Played, players [2]string) {
	if m.nodes == nil {
		m.nodes, m.micros, m.turns = map[string]byPly{}, map[string]byPly{}, map[string]*Turn{}
	}
	for _, d := range p.Decisions {
		name := mover(d, players)
		if m.nodes[name] == nil {
			m.players = append(m.players, name)
			m.nodes[name], m.micros[name] = byPly{}, byPly{}
		}
		ply := d.Ply &^ 1 // the side that starts has the even plies: two successive plies have both sides
		m.nodes[name].add(ply, d.Nodes)
		m.micros[name].add(ply, d.Micros)
	}
	m.turn(p, players)
}

// mover returns the name of the player of a decision.
func mover(d datasets.MoveRow, players [2]string) string {
	if d.Player == datasets.PlayerB {
		return players[1]
	}
	return players[0]
}

// turn keeps the game if its loser's score was higher than in the game kept before.
func (m *Moves) turn(p datasets.Played, players [2]string) {
	loser := datasets.PlayerA
	switch {
	case p.AScore == 0.5:
		return
	case p.AScore == 1:
		loser = datasets.PlayerB
	}
	best, at := math.Inf(-1), int32(-1)
	most := 8 * medianSize(p.Decisions, loser) // a higher score is a bonus for a win, not a judgement
	var held []float64
	for _, d := range p.Decisions {
		if d.Player != loser {
			continue
		}
		if held = append(held, d.Score); d.Mate != 0 || math.IsInf(d.Score, 0) || math.IsNaN(d.Score) || d.Score > most {
			held = nil
		}
		if n := len(held); n >= heldFor {
			if least := slices.Min(held[n-heldFor:]); least > best {
				best, at = least, d.Ply
			}
		}
	}
	if at < 0 {
		return
	}
	name := mover(datasets.MoveRow{Player: loser}, players)
	if t := m.turns[name]; t == nil || best > t.Score {
		m.turns[name] = &Turn{Game: p.GameRow, Decisions: slices.Clone(p.Decisions), Players: players, Ply: at, Score: best}
	}
}

// medianSize returns the median size of a player's scores in a game.
func medianSize(decisions []datasets.MoveRow, player string) float64 {
	var sizes []float64
	for _, d := range decisions {
		if size := math.Abs(d.Score); d.Player == player && d.Mate == 0 && !math.IsNaN(size) {
			sizes = append(sizes, size)
		}
	}
	if len(sizes) == 0 {
		return 0
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// Turns returns games to look at, at most one for each of two players.
// With more players it returns none, because their scores have different units.
func (m *Moves) Turns() (list []Turn) {
	if len(m.players) > 2 {
		return nil
	}
	for _, name := range m.players {
		if t := m.turns[name]; t != nil {
			list = append(list, *t)
		}
	}
	return list
}

// maxCurves is the largest number of players in one figure.
const maxCurves = 7

// Plots returns work and time by ply, as far as recorded.
func (m *Moves) Plots() (list []reports.Plot) {
	caption := "Medians, and between which values most moves lie; plies that few games reach are left out."
	if plot, ok := m.plot("nodes-by-ply", "Nodes by ply", "nodes a move", 1, m.nodes); ok {
		plot.Caption = caption
		list = append(list, plot)
	}
	if plot, ok := m.plot("time-by-ply", "Time by ply", "time a move, ms", 1e-3, m.micros); ok {
		plot.Caption = caption + " Times are those of the machine that played, with all its workers at once."
		list = append(list, plot)
	}
	return list
}

// plot returns the figure of one quantity. ok is false if there is nothing to see.
func (m *Moves) plot(name, title, unit string, scale float64, of map[string]byPly) (plot reports.Plot, ok bool) {
	if len(m.players) > maxCurves {
		return plot, false
	}
	fig := figure.Lines{Title: title, XLabel: "ply", YLabel: unit, Band: "10 % to 90 % of the moves"}
	least, greatest := math.Inf(1), 0.0
	for _, player := range m.players {
		points := of[player].points(scale)
		for _, p := range points {
			least, greatest = min(least, p.Y), max(greatest, p.Y)
		}
		if len(points) > 1 {
			fig.Series = append(fig.Series, figure.Series{Name: player, Points: points, Band: true})
		}
	}
	if greatest == least { // such as a fixed number of playouts
		return plot, false
	}
	fig.LogY = greatest > 8*least
	return reports.Plot{Name: name, Figure: fig}, len(fig.Series) > 0
}

// points returns the medians by ply, with quantiles around them.
func (b byPly) points(scale float64) (points []figure.Point) {
	most := 0
	count := func(ply int32) (n int) {
		for _, k := range b[ply] {
			n += k
		}
		return n
	}
	for ply := range b {
		most = max(most, count(ply))
	}
	for _, ply := range slices.Sorted(maps.Keys(b)) {
		n := count(ply)
		if n < 5 || 20*n < most {
			continue
		}
		at := func(q float64) float64 { return scale * quantile(b[ply], n, q) }
		points = append(points, figure.Point{X: float64(ply), Y: at(0.5), Lo: at(0.1), Hi: at(0.9), N: n})
	}
	return points
}

// Scored is a decision with the data that a score graph needs.
type Scored struct {
	Ply   int     // counts from 0, moves of the opening included
	First bool    // the side that plays first made it
	Score float64 // from the deciding player's view; NaN without a score
	Mate  int     // plies to a proven end, negative if the player loses; 0 for none
}

// ScoreGraph returns the scores of a game by ply, from the view of the side that plays first.
// players are the names of this side and of the other; opening is the number of plies of the
// opening. ok is false with fewer than two scores. A player whose scores are all from 0 to 1 is
// assumed to report its chance of winning.
func ScoreGraph(title, subtitle string, players [2]string, opening int, decisions []Scored) (fig figure.Lines, ok bool) {
	fig = figure.Lines{Title: title, Subtitle: subtitle, XLabel: "ply", YLabel: "score for the side playing first",
		Levels: []figure.Level{{Label: "even"}}, Series: []figure.Series{{Name: players[0] + ", first"}, {Name: players[1] + ", second"}}}
	chance := [2]bool{true, true}
	side := func(d Scored) int {
		if d.First {
			return 0
		}
		return 1
	}
	for _, d := range decisions {
		if s := side(d); d.Mate == 0 && !math.IsNaN(d.Score) && !(d.Score >= 0 && d.Score <= 1) {
			chance[s] = false
		}
	}
	n := 0
	for _, d := range decisions {
		s := side(d)
		score := d.Score
		switch {
		case d.Mate != 0:
			score = math.Inf(cmp.Compare(d.Mate, 0))
		case chance[s]:
			score = 2*score - 1
		case math.Abs(score) > figure.MaxValue: // the player's "infinity"
			score = math.Inf(cmp.Compare(score, 0))
		}
		if s == 1 {
			score = -score
		}
		if !math.IsNaN(score) {
			n++
		}
		fig.Series[s].Points = append(fig.Series[s].Points, figure.Point{X: float64(d.Ply), Y: score})
	}
	if chance[0] && chance[1] {
		fig.YLabel = "chance of winning of the side playing first, less that of losing"
	}
	limit := limit(fig.Series)
	for _, s := range fig.Series {
		for i, p := range s.Points {
			s.Points[i].Y = min(max(p.Y, -limit), limit)
		}
	}
	if opening > 0 {
		fig.Subtitle += fmt.Sprintf("; the opening has %s", text.Plural(opening, "ply"))
	}
	return fig, n > 1
}

// limit returns the size at which scores are cut: the greatest, unless it is
// many times as large as nearly all others or all scores are proven results.
func limit(players []figure.Series) float64 {
	var sizes []float64
	for _, s := range players {
		for _, p := range s.Points {
			if size := math.Abs(p.Y); !math.IsNaN(size) && !math.IsInf(size, 0) {
				sizes = append(sizes, size)
			}
		}
	}
	if len(sizes) == 0 {
		return 1
	}
	slices.Sort(sizes)
	nearly, greatest := sizes[len(sizes)*17/20], sizes[len(sizes)-1]
	if nearly > 0 && greatest > 8*nearly {
		return 2 * nearly
	}
	return cmp.Or(greatest, 1)
}

// Graph returns the score graph of the game.
func (t Turn) Graph() (figure.Lines, bool) {
	list := text.Each(t.Decisions, func(d datasets.MoveRow) Scored {
		return Scored{Ply: int(d.Ply), First: d.Side == 0, Score: d.Score, Mate: int(d.Mate)}
	})
	first := t.Players
	if t.Game.Game == 1 { // A moved second
		first[0], first[1] = first[1], first[0]
	}
	return ScoreGraph("Game "+t.Game.Name(),
		fmt.Sprintf("won by %s, by %s after %s", t.winner(), t.Game.Reason, text.Plural(t.Game.Plies, "ply")), first, int(t.Game.OpeningPlies),
		list)
}

// winner returns the name of the winner.
func (t Turn) winner() string { return t.Players[1-t.Game.Half()/2] }

// Loser returns the name of the loser.
func (t Turn) Loser() string { return t.Players[t.Game.Half()/2] }
