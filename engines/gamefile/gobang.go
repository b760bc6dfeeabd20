package gamefile

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// gomoku holds the rules of gobang that SGF and PSQ need.
type gomoku struct {
	size  int
	exact bool // exactly five in a row win
}

// gomokuOf returns the rules of a game of gobang.
func gomokuOf(g *Game) (k gomoku, err error) {
	rules, err := engines.ParseRules(g.Variant.Rules)
	if err != nil {
		return k, err
	}
	k.exact = rules["exact_five"] == "yes"
	k.size, err = strconv.Atoi(rules["size"])
	return k, err
}

// cell reads a move such as h8, file and rank from the bottom, as column and row from the top
// left, from 0.
func (g gomoku) cell(text string) (x, y int, err error) {
	if len(text) < 2 {
		return 0, 0, fmt.Errorf("move %q is no cell", text)
	}
	rank, err := strconv.Atoi(text[1:])
	if err != nil {
		return 0, 0, fmt.Errorf("move %q is no cell", text)
	}
	return int(text[0] - 'a'), g.size - rank, nil
}

// sgfEnded begins the comment on a game's end.
const sgfEnded = "ended by "

// writeSGF writes a game tree of one line (red-bean.com/sgf, FF[4]; GM[4] is gomoku and renju).
// Black moves first.
func writeSGF(w io.Writer, g *Game) error {
	k, err := gomokuOf(g)
	if err != nil {
		return err
	}
	start, initial, err := g.start()
	if err != nil {
		return err
	}
	var b strings.Builder
	prop := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s[%s]", name, escaped(value, "]"))
		}
	}
	b.WriteString("(;FF[4]GM[4]CA[UTF-8]")
	prop("AP", strings.NewReplacer(":", "-", " ", ":").Replace(g.Program)) // a colon separates name and version
	prop("SZ", strconv.Itoa(k.size))
	prop("EV", g.Event)
	prop("RO", g.Round)
	prop("DT", g.Date.Format("2006-01-02"))
	prop("PB", g.Players[0])
	prop("PW", g.Players[1])
	prop("RU", g.Variant.Rules)
	prop("RE", sgfResult(g))
	prop("GC", sgfEnded+string(g.Reason))
	if !initial {
		b.WriteString(sgfSetup(start))
	}
	for i := range g.Moves {
		m := &g.Moves[i]
		x, y, err := k.cell(m.Text)
		if err != nil {
			return err
		}
		colour := [...]string{"B", "W"}[m.Side]
		if i%10 == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, ";%s[%s]", colour, sgfPoint(x, y))
		if m.Left != nil {
			fmt.Fprintf(&b, "%sL[%.3f]", colour, m.Left.Seconds())
		}
		prop("C", g.comment(m))
	}
	b.WriteString(")\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// sgfPoint returns a point in letters, from the top left.
func sgfPoint(x, y int) string { return string([]byte{byte('a' + x), byte('a' + y)}) }

// sgfSetup returns the properties that place the stones of a position text, rows from the top.
func sgfSetup(position string) string {
	rows, turn, _ := strings.Cut(position, " ")
	points := map[rune]string{}
	for y, row := range strings.Split(rows, "/") {
		for x, stone := range row {
			points[stone] += "[" + sgfPoint(x, y) + "]"
		}
	}
	text := ""
	if points['B'] != "" {
		text += "AB" + points['B']
	}
	if points['W'] != "" {
		text += "AW" + points['W']
	}
	return text + "PL[" + turn + "]"
}

// sgfResult returns the value of RE: the winner, and T or F for an end by time or by another
// fault.
func sgfResult(g *Game) string {
	how := ""
	switch {
	case g.Reason == engines.OutOfTime || g.Reason == engines.OutOfClock:
		how = "T"
	case g.Reason.Fault():
		how = "F"
	}
	switch g.Outcome {
	case engines.FirstWins:
		return "B+" + how
	case engines.SecondWins:
		return "W+" + how
	case engines.Draw:
		return "0"
	}
	return "?"
}

// writePSQ writes a game as Piskvork does: size, then x,y and milliseconds of each move counted
// from 1 at the top left, the players, -1, and the winner (1 or 2, 0 for a draw) with the rule.
// Games must start on an empty board.
func writePSQ(w io.Writer, g *Game) error {
	k, err := gomokuOf(g)
	if err != nil {
		return err
	}
	if start, initial, err := g.start(); err != nil || !initial {
		if err == nil {
			err = fmt.Errorf("the game starts from %q, and a file can only tell of games from the empty board", start)
		}
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Piskvorky %dx%d, 11:11, 0\r\n", k.size, k.size)
	for i := range g.Moves {
		m := &g.Moves[i]
		x, y, err := k.cell(m.Text)
		if err != nil {
			return err
		}
		if m.Side != engines.Side(i%2) {
			return fmt.Errorf("move %d: the sides do not move in turn, as the file would tell", i+1)
		}
		fmt.Fprintf(&b, "%d,%d,%d\r\n", x+1, y+1, m.Took.Milliseconds())
	}
	rule := map[bool]string{true: "Standard", false: "Freestyle"}[k.exact]
	winner := [...]int{0, 1, 2, 0}[g.Outcome]
	line := strings.NewReplacer("\r", " ", "\n", " ")
	fmt.Fprintf(&b, "%s\r\n%s\r\n-1\r\n%d,%s\r\n", line.Replace(g.Players[0]), line.Replace(g.Players[1]), winner, rule)
	_, err = io.WriteString(w, b.String())
	return err
}
