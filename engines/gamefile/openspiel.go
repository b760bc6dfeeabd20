package gamefile

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// trace is a game in OpenSpiel's terms: players are counted from 0, an action has
// a string, returns are 1, 0 and -1, states are structures (the boards of
// reports/board) beside their text. The rules are this project's: OpenSpiel's own
// games of the same names have other actions.
type trace struct {
	Game       string        `json:"game"`
	Parameters engines.Rules `json:"parameters"`
	NumPlayers int           `json:"num_players"`
	Players    [2]string     `json:"players"`
	Event      string        `json:"event,omitempty"`
	Round      string        `json:"round,omitempty"`
	Initial    traceState    `json:"initial_state"`
	History    []traceStep   `json:"history"`
	Returns    [2]float64    `json:"returns"`
	Reason     string        `json:"terminal_reason"`
	Margin     *float64      `json:"margin,omitempty"`
	Program    string        `json:"program,omitempty"`
}

type traceState struct {
	Text     string      `json:"string"`
	Player   int         `json:"current_player"` // -4 when the game is over, as OpenSpiel has it
	Terminal bool        `json:"is_terminal"`
	Struct   board.Board `json:"struct"`
}

type traceStep struct {
	Player  int        `json:"player"`
	Action  string     `json:"action_string"`
	Opening bool       `json:"opening,omitempty"`
	Penalty bool       `json:"penalty,omitempty"`
	Score   *float64   `json:"score,omitempty"`
	Nodes   int64      `json:"nodes,omitempty"`
	Mate    int        `json:"mate,omitempty"`
	Micros  int64      `json:"micros,omitempty"`
	State   traceState `json:"state"`
}

// terminalPlayer is OpenSpiel's current player of a game that is over.
const terminalPlayer = -4

func stateOf(ref engines.Referee) traceState {
	s := traceState{Text: ref.String(), Player: int(ref.Turn()), Struct: ref.Board()}
	if o, _ := ref.Result(); o != engines.Ongoing {
		s.Player, s.Terminal = terminalPlayer, true
	}
	return s
}

// writeOpenSpiel writes a line of JSON.
func writeOpenSpiel(w io.Writer, g *Game) error {
	rules, err := engines.ParseRules(g.Variant.Rules)
	if err != nil {
		return err
	}
	ref := g.Variant.NewReferee()
	if err := ref.Reset(g.Position); err != nil {
		return err
	}
	t := trace{
		Game: g.Variant.Game.Name, Parameters: rules, NumPlayers: 2, Players: g.Players, Event: g.Event, Round: g.Round,
		Initial: stateOf(ref), History: []traceStep{}, Reason: string(g.Reason), Margin: g.Margin, Program: g.Program,
	}
	for i := range g.Moves {
		m := &g.Moves[i]
		move, err := ref.ParseMove(m.Text)
		switch {
		case err != nil:
			return err
		case m.Penalty:
			ref.Penalty()
		case !ref.Legal(move):
			return fmt.Errorf("move %d, %s, is not legal", i+1, m.Text)
		default:
			ref.Play(move)
		}
		step := traceStep{Player: int(m.Side), Action: m.Text, Opening: m.Opening, Penalty: m.Penalty, Micros: m.Took.Microseconds(),
			State: stateOf(ref)}
		if d := m.Decision; m.Known {
			step.Nodes, step.Mate = d.Nodes, d.Mate
			if d.Mate == 0 && !math.IsNaN(d.Score) && !math.IsInf(d.Score, 0) { // of which JSON knows nothing
				step.Score = &d.Score
			}
		}
		t.History = append(t.History, step)
	}
	for side := range t.Returns {
		t.Returns[side] = float64(g.Outcome.Points(engines.Side(side)) - 1)
	}
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
