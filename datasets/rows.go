package datasets

import (
	"fmt"
	"math"
)

// TrialRow is one comparison: how did player A score against player B? A row is a row of the
// trials table; FORMAT.md describes its columns.
type TrialRow struct {
	Trial int64  `parquet:"trial,delta"` // counts from 0 without gaps, through all sessions
	Phase string `parquet:"phase,dict"`  // "tune", "verify", "match", ...; all trials of a phase answer one question

	// A and B are parameter vectors in natural units, in the order of
	// Meta.Parameters, or empty for a player without parameters.
	A []float64 `parquet:"a,list"`
	B []float64 `parquet:"b,list"`
	// Best is the tuner's recommendation after this trial, in the order of Meta.Parameters;
	// empty if no tuner recommends.
	Best []float64 `parquet:"best,list"`

	Openings uint64 `parquet:"openings,delta"` // the stream of openings; equal streams have equal openings
	Pairs    int32  `parquet:"pairs,delta"`    // game pairs: one opening, both colours; at least 0

	// LL to WW count pairs by A's points out of 2. They add up to Pairs.
	LL   int32 `parquet:"ll,delta"`   // 0 points
	LD   int32 `parquet:"ld,delta"`   // 1/2
	Even int32 `parquet:"even,delta"` // 1
	WD   int32 `parquet:"wd,delta"`   // 3/2
	WW   int32 `parquet:"ww,delta"`   // 2

	Games  int32 `parquet:"games,delta"`  // rows of this trial in the games table
	Wins   int32 `parquet:"wins,delta"`   // A's; Wins, Draws and Losses add up to Games
	Draws  int32 `parquet:"draws,delta"`  // half a point to each
	Losses int32 `parquet:"losses,delta"` // won by B

	FirstPoints int32 `parquet:"first_points,delta"` // half points of the side that played first, 0 to 2*Games
	Plies       int64 `parquet:"plies,delta"`        // over all games, moves of openings included
	Decisions   int64 `parquet:"decisions,delta"`    // moves chosen by a player; no moves of openings
	Nodes       int64 `parquet:"nodes,delta"`        // units of work, both players, all games
	FaultsA     int32 `parquet:"faults_a,delta"`     // games that A lost by a fault: engines.Reason.Fault
	FaultsB     int32 `parquet:"faults_b,delta"`     // games that B lost by a fault

	// Compared and Differing compare the players. Until they differ, the two games of a pair
	// put A and B before the same positions with the same seeds.
	Compared  int64 `parquet:"compared,delta"`  // decisions that both made in the same position
	Differing int32 `parquet:"differing,delta"` // decisions of these that differed; at most one a pair
}

// GameRow is one game of a trial, a row of the games table. FORMAT.md describes its columns.
type GameRow struct {
	Trial int64  `parquet:"trial,delta"` // the trial's number
	Phase string `parquet:"phase,dict"`  // the trial's phase
	Pair  int32  `parquet:"pair,delta"`  // counts from 0 in the trial
	Game  int32  `parquet:"game,delta"`  // 0: A plays first; 1: A plays second

	Position     string `parquet:"position,dict"`       // where the game starts, in the game's position text; "" is the initial position
	OpeningPlies int32  `parquet:"opening_plies,delta"` // the first of Moves, which the opening gave
	Moves        string `parquet:"moves"`               // in the game's notation, separated by one space, opening included
	Plies        int32  `parquet:"plies,delta"`         // number of Moves, opening included

	Outcome string  `parquet:"outcome,dict"` // "1-0", "0-1" or "1/2", the side that plays first on the left
	AScore  float64 `parquet:"a_score,dict"` // A's points: 0, 0.5 or 1
	Reason  string  `parquet:"reason,dict"`  // why the game ended, one word: an engines.Reason

	IllegalFirst  int32 `parquet:"illegal_first,delta"`  // illegal actions of the side that played first
	IllegalSecond int32 `parquet:"illegal_second,delta"` // illegal actions of the other side
	NodesA        int64 `parquet:"nodes_a,delta"`        // units of work of A, such as visited nodes
	NodesB        int64 `parquet:"nodes_b,delta"`        // units of work of B

	// Margin is the winning margin of the side that played first, in the game's own unit
	// (discs, points of area). It is negative if that side lost, and nil in games that are only
	// won or lost.
	Margin *float64 `parquet:"margin,optional"`

	// ValueA and ValueB are an objective's answers about A and B, nil if it did not answer in
	// time. Only earlier builds of 0.4 wrote them.
	ValueA *float64 `parquet:"value_a,optional" since:"4" until:"4"`
	ValueB *float64 `parquet:"value_b,optional" since:"4" until:"4"`
}

// Name returns the game's name in its run: TRIAL:PAIR:GAME.
func (g GameRow) Name() string { return fmt.Sprintf("%d:%d:%d", g.Trial, g.Pair, g.Game) }

// MoveRow is one decision of a player, a row of the moves table. Moves of openings have no row.
// FORMAT.md describes the columns.
type MoveRow struct {
	Trial int64  `parquet:"trial,delta"` // Trial, Pair and Game name the game, as in GameRow
	Phase string `parquet:"phase,dict"`  // the trial's phase
	Pair  int32  `parquet:"pair,delta"`
	Game  int32  `parquet:"game,delta"`
	Ply   int32  `parquet:"ply,delta"` // counts from 0, moves of the opening included

	Side   int32  `parquet:"side,dict"`   // 0: the side that played first decided; 1: the other
	Player string `parquet:"player,dict"` // "a" or "b"
	// Key identifies the position before the decision. Under equal rules of a game, equal
	// positions have equal keys.
	Key uint64 `parquet:"key"`
	// Move is the recorded move: the chosen one, or the penalty's choice after an illegal
	// answer. It is "" if the answer lost the game at once; Ply is then the game's number of
	// plies.
	Move  string  `parquet:"move,dict"`
	Score float64 `parquet:"score"`       // in the player's own unit, positive if good for the player
	Nodes int64   `parquet:"nodes,delta"` // units of work of this decision
	Depth int32   `parquet:"depth,dict"`  // plies searched; 0 for players without a depth
	// Mate is the number of plies to a forced end of the game that the player proved: positive
	// if it wins, negative if it loses, 0 if it proved nothing.
	Mate   int32 `parquet:"mate,delta"`
	Micros int64 `parquet:"micros,delta"` // wall time in microseconds; 0 unless the run has TimeMoves
}

// PlayerA and PlayerB are the values of MoveRow.Player.
const (
	PlayerA = "a"
	PlayerB = "b"
)

// PositionRow is a position of a recorded game with its outcome, in the form that trainers of
// evaluations read. Export writes it; no run stores it.
type PositionRow struct {
	Seed  uint64 `parquet:"seed,delta"`  // the run's seed
	Trial int64  `parquet:"trial,delta"` // Trial, Pair and Game name the game, as in GameRow
	Phase string `parquet:"phase,dict"`
	Pair  int32  `parquet:"pair,delta"`
	Game  int32  `parquet:"game,delta"`
	Ply   int32  `parquet:"ply,delta"` // moves played before this one, opening included

	Split    string `parquet:"split,dict"`  // "train", "valid" or "test": equal for all games of one opening
	Position string `parquet:"position"`    // in the game's position text
	Key      uint64 `parquet:"key"`         // the position, as MoveRow.Key
	Side     int32  `parquet:"side,dict"`   // side to move: 0 played first, 1 second
	Player   string `parquet:"player,dict"` // player to move: "a" or "b", or PlayerOpening for a move of the opening
	Move     string `parquet:"move,dict"`   // the move played
	Penalty  bool   `parquet:"penalty"`     // the player's answer was illegal, and the penalty chose Move

	Outcome   float64 `parquet:"outcome,dict"`     // final points of the side to move: 1, 0.5 or 0
	PliesLeft int32   `parquet:"plies_left,delta"` // moves to the end of the game, including this one
	Reason    string  `parquet:"reason,dict"`      // why the game ended, as in GameRow

	Score *float64 `parquet:"score,optional"` // as MoveRow.Score; nil without a recorded decision
	Nodes *int64   `parquet:"nodes,optional"` // as MoveRow.Nodes; nil without a recorded decision
	Mate  *int32   `parquet:"mate,optional"`  // as MoveRow.Mate; nil without a recorded decision
}

// PlayerOpening is the PositionRow.Player of an opening's moves.
const PlayerOpening = "opening"

// PairCounts returns the trial's pairs by A's half points: 0 to 4.
func (t *TrialRow) PairCounts() [5]int {
	return [5]int{int(t.LL), int(t.LD), int(t.Even), int(t.WD), int(t.WW)}
}

// Half returns A's half points in the game: 0, 1 or 2.
func (g *GameRow) Half() int { return int(2 * g.AScore) }

// Fault returns the player that lost the game by its own fault: 0 for A, 1 for B. ok is false
// if nobody did. Faults are illegal moves, timeouts, crashes, hangs and answers that violate
// the protocol.
func (g *GameRow) Fault() (player int, ok bool) {
	switch g.Reason {
	case "illegal", "time", "clock", "crash", "stall", "garbage":
		if g.AScore == 0 {
			return 0, true
		}
		return 1, true
	}
	return 0, false
}

// check returns an error if a trial would make the tables disagree with each other or with
// themselves.
func (t TrialRow) check(meta Meta, next int64, games []GameRow, moves []MoveRow) error {
	for _, v := range [][]float64{t.A, t.B, t.Best} {
		if len(v) != 0 && len(v) != len(meta.Parameters) {
			return fmt.Errorf("vector of %d values in a run of %d parameters", len(v), len(meta.Parameters))
		}
	}
	switch {
	case t.Trial != next:
		return fmt.Errorf("out of order: trial %d is next", next)
	case t.Phase == "":
		return fmt.Errorf("no phase")
	case int(t.Games) != len(games):
		return fmt.Errorf("says %d games, has %d", t.Games, len(games))
	case t.Differing < 0 || t.Differing > t.Pairs || int64(t.Differing) > t.Compared:
		return fmt.Errorf("%d differing decisions of %d compared in %d pairs", t.Differing, t.Compared, t.Pairs)
	case t.LL+t.LD+t.Even+t.WD+t.WW != t.Pairs:
		return fmt.Errorf("counts %d %d %d %d %d are not %d pairs", t.LL, t.LD, t.Even, t.WD, t.WW, t.Pairs)
	}
	searched := int64(0) // nodes of decisions after which a game has no move
	for i := range moves {
		if len(games) == 0 {
			searched += moves[i].Nodes
		}
	}
	if err := t.checkSums(games, searched); err != nil {
		return err
	}
	if meta.RecordMoves == NoMoves && len(moves) == 0 {
		return nil
	}
	return t.checkMoves(meta, games, moves)
}

// checkMoves compares the decisions with the trial and its games.
func (t TrialRow) checkMoves(meta Meta, games []GameRow, moves []MoveRow) error {
	switch {
	case meta.RecordMoves == NoMoves:
		return fmt.Errorf("%d rows of moves in a run that keeps none", len(moves))
	case int64(len(moves)) != t.Decisions:
		return fmt.Errorf("says %d decisions, has %d rows of moves", t.Decisions, len(moves))
	}
	if len(games) == 0 {
		return t.checkSearches(meta, moves)
	}
	for _, g := range games {
		n := 0
		for n < len(moves) && moves[n].Pair == g.Pair && moves[n].Game == g.Game {
			n++
		}
		if err := g.checkMoves(meta, moves[:n]); err != nil {
			return fmt.Errorf("pair %d, game %d: %w", g.Pair, g.Game, err)
		}
		moves = moves[n:]
	}
	if len(moves) > 0 {
		return fmt.Errorf("a row of moves of pair %d, game %d is out of order", moves[0].Pair, moves[0].Game)
	}
	return nil
}

// checkSearches checks the decisions of a trial without games.
func (t TrialRow) checkSearches(meta Meta, moves []MoveRow) error {
	for i := range moves {
		m := &moves[i]
		if m.Trial != t.Trial || m.Phase != t.Phase {
			return fmt.Errorf("a move belongs to trial %d, phase %q", m.Trial, m.Phase)
		}
		if err := m.checkTime(meta); err != nil {
			return err
		}
	}
	return nil
}

// checkTime rejects a time in a run without times.
func (m *MoveRow) checkTime(meta Meta) error {
	if m.Micros < 0 || m.Micros > 0 && meta.RecordMoves != TimeMoves {
		return fmt.Errorf("ply %d: %d microseconds in a run that does not time moves", m.Ply, m.Micros)
	}
	return nil
}

// checkMoves compares a game with its decisions.
func (g *GameRow) checkMoves(meta Meta, moves []MoveRow) error {
	var nodes [2]int64 // of A and of B
	last := g.OpeningPlies - 1
	for i := range moves {
		m := &moves[i]
		player := m.Side ^ g.Game
		switch {
		case m.Trial != g.Trial || m.Phase != g.Phase:
			return fmt.Errorf("a move belongs to trial %d, phase %q", m.Trial, m.Phase)
		case m.Ply <= last || m.Ply > g.Plies || (m.Ply == g.Plies) != (m.Move == ""):
			return fmt.Errorf("move %q at ply %d is out of order in a game of %d plies", m.Move, m.Ply, g.Plies)
		case m.Side < 0 || m.Side > 1 || m.Player != [2]string{PlayerA, PlayerB}[player]:
			return fmt.Errorf("ply %d: side %d is not player %q", m.Ply, m.Side, m.Player)
		}
		if err := m.checkTime(meta); err != nil {
			return err
		}
		nodes[player] += m.Nodes
		last = m.Ply
	}
	if nodes != [2]int64{g.NodesA, g.NodesB} {
		return fmt.Errorf("its moves took %d and %d nodes, it says %d and %d", nodes[0], nodes[1], g.NodesA, g.NodesB)
	}
	return nil
}

// checkSums compares the trial with the sums over its games. searched is the work of decisions
// outside any game.
func (t TrialRow) checkSums(games []GameRow, searched int64) error {
	sum := TrialRow{Nodes: searched}
	for i, g := range games {
		if g.Trial != t.Trial || g.Phase != t.Phase {
			return fmt.Errorf("game row %d belongs to trial %d, phase %q", i, g.Trial, g.Phase)
		}
		if i > 0 && (g.Pair < games[i-1].Pair || g.Pair == games[i-1].Pair && g.Game <= games[i-1].Game) {
			return fmt.Errorf("game row %d: pair %d, game %d is out of order", i, g.Pair, g.Game)
		}
		switch g.AScore {
		case 1:
			sum.Wins++
		case 0.5:
			sum.Draws++
		case 0:
			sum.Losses++
		default:
			return fmt.Errorf("game row %d: a_score %v is not 0, 0.5 or 1", i, g.AScore)
		}
		if g.Margin != nil && (math.IsNaN(*g.Margin) || math.IsInf(*g.Margin, 0)) {
			return fmt.Errorf("game row %d: margin %v is not a finite number", i, *g.Margin)
		}
		points, ok := firstPoints(g.Outcome)
		if !ok {
			return fmt.Errorf("game row %d: outcome %q is not 1-0, 0-1 or 1/2", i, g.Outcome)
		}
		sum.FirstPoints += points
		sum.Plies += int64(g.Plies)
		sum.Nodes += g.NodesA + g.NodesB
	}
	for _, v := range []struct {
		name           string
		trial, inGames int64
	}{
		{"wins", int64(t.Wins), int64(sum.Wins)},
		{"draws", int64(t.Draws), int64(sum.Draws)},
		{"losses", int64(t.Losses), int64(sum.Losses)},
		{"first_points", int64(t.FirstPoints), int64(sum.FirstPoints)},
		{"plies", t.Plies, sum.Plies},
		{"nodes", t.Nodes, sum.Nodes},
	} {
		if v.trial != v.inGames {
			return fmt.Errorf("%s is %d, its games add up to %d", v.name, v.trial, v.inGames)
		}
	}
	return nil
}

// firstPoints returns the half points of the side that plays first.
func firstPoints(outcome string) (points int32, ok bool) {
	switch outcome {
	case "1-0":
		return 2, true
	case "1/2":
		return 1, true
	case "0-1":
		return 0, true
	}
	return 0, false
}
