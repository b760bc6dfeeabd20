package external

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// gomocupServer offers our gobang player as a brain. It knows the Yixin dialect's
// INFO MAX_DEPTH and MAX_NODE, and its parameters are INFO keys.
type gomocupServer struct {
	*server
	ready   bool  // START was said
	turn    int64 // INFO timeout_turn, -1 before
	match   bool  // a match clock runs
	left    int64 // INFO time_left
	depth   int
	nodes   int64
	board   []string // lines between BOARD and DONE
	inBoard bool
}

func newGomocupServer(s *server) (*gomocupServer, error) {
	if err := noRing(s.variant); err != nil {
		return nil, err
	}
	return &gomocupServer{server: s, turn: -1, left: math.MaxInt32}, nil
}

func noRing(v engines.Variant) error {
	rules, err := rulesOf(v)
	if err == nil && rules["opening_ring"] == "yes" {
		err = fmt.Errorf("the rule opening_ring=yes is none that Gomocup's protocol knows")
	}
	return err
}

func (g *gomocupServer) hear(ctx context.Context, line string) (quit bool) {
	line = strings.TrimSpace(line)
	word, rest, _ := strings.Cut(line, " ")
	word, rest = strings.ToUpper(word), strings.TrimSpace(rest)
	switch {
	case line == "":
		return false
	case word == "END":
		g.abandon()
		return true
	case g.searching():
		if word == "STOP" || word == "YXSTOP" {
			g.stop()
		} else if word != "INFO" {
			g.say("%s", g.complaint("%s while thinking", shorten(word)))
		}
		return false
	case g.inBoard:
		g.collect(ctx, line)
		return false
	}
	if err := g.act(ctx, word, rest); err != nil {
		g.say("%s", g.complaint("%v", err))
	}
	return false
}

func (g *gomocupServer) act(ctx context.Context, word, rest string) error {
	switch word {
	case "START":
		return g.begin(rest)
	case "RECTSTART":
		x, y, _ := strings.Cut(rest, ",")
		if strings.TrimSpace(x) != strings.TrimSpace(y) {
			return fmt.Errorf("board %s: only square boards are played", shorten(rest))
		}
		return g.begin(strings.TrimSpace(x))
	case "ABOUT":
		g.say(`name="%s", version="%d", author="the selfplaylab authors"`, g.name(), g.game.Version)
		return nil
	case "INFO":
		return g.info(rest)
	case "YXHASHCLEAR":
		g.newGame = true
		return nil
	}
	if !g.ready {
		return fmt.Errorf("%s before START", shorten(word))
	}
	switch word {
	case "RESTART":
		g.newGame = true
		if err := g.place("", nil); err != nil {
			return err
		}
		g.say("OK")
	case "BEGIN":
		if len(g.history) > 0 || g.start != "" {
			return fmt.Errorf("BEGIN on a board that is not empty")
		}
		g.think(ctx)
	case "TURN":
		if err := g.put(rest); err != nil {
			return err
		}
		g.think(ctx)
	case "PLAY":
		if err := g.put(rest); err != nil {
			return err
		}
		g.say("%s", rest)
	case "TAKEBACK":
		return g.takeBack(rest)
	case "BOARD":
		g.inBoard, g.board = true, nil
	default:
		g.say("UNKNOWN command %s", shorten(word))
	}
	return nil
}

// begin sets up a board of a size and prints the parameters as rows.
func (g *gomocupServer) begin(size string) error {
	rules, err := rulesOf(g.variant)
	if err != nil {
		return err
	}
	rules["size"] = size
	if err := g.open(rules); err != nil {
		return err
	}
	for i, p := range g.game.Space {
		g.say("MESSAGE %s", messageRow(p, g.vector[i]))
	}
	g.ready = true
	g.say("OK")
	return nil
}

// messageRow is a fishtest row; a logarithmic step is told as what it is at the
// value.
func messageRow(p params.Param, x float64) string {
	step := p.Step
	if p.Log {
		step = x * (math.Exp(step) - 1)
	}
	return fmt.Sprintf("%s,%s,%s,%s,%s,%s", p.Name, value(p, x), value(p, p.Min), value(p, p.Max), params.FormatValue(step), rEnd)
}

// info takes a key; keys it does not know are ignored, as the protocol wants, but
// a parameter's bad value is an error.
func (g *gomocupServer) info(rest string) error {
	key, value, _ := strings.Cut(rest, " ")
	value = strings.TrimSpace(value)
	if i := g.game.Space.Index(key); i >= 0 {
		return g.setParam(key, value)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	switch key = strings.ToLower(key); key {
	case "timeout_turn", "timeout_match", "time_left", "max_depth", "max_node", "rule":
		if err != nil {
			return fmt.Errorf("INFO %s %q: want a whole number", key, shorten(value))
		}
	case "preset", "seed", "parameters":
		return g.set(key, value)
	}
	switch key {
	case "timeout_turn":
		g.turn, g.depth, g.nodes = max(n, 0), 0, 0
	case "timeout_match":
		g.match = n > 0
	case "time_left":
		g.left = n
	case "max_depth":
		g.depth = int(min(max(n, 0), 1<<20))
	case "max_node":
		g.nodes = max(n, 0)
	case "rule":
		return g.rule(n)
	}
	return nil
}

// rule takes the bits of INFO rule: 1 exactly five; 2 is about matches; others
// are refused.
func (g *gomocupServer) rule(bits int64) error {
	if bits&^3 != 0 {
		return fmt.Errorf("rule %d: only free style (0) and exactly five (1) are played", bits)
	}
	rules, err := rulesOf(g.variant)
	if err != nil {
		return err
	}
	want := map[bool]string{true: "yes", false: "no"}[bits&1 != 0]
	if rules["exact_five"] == want {
		return nil
	}
	rules["exact_five"] = want
	return g.open(rules)
}

// put plays a stone of the side to move.
func (g *gomocupServer) put(xy string) error {
	m, err := g.ref.ParseMove(strings.ReplaceAll(xy, " ", ""))
	if err != nil {
		return err
	}
	if o, _ := g.ref.Result(); !g.ref.Legal(m) || o != engines.Ongoing {
		return fmt.Errorf("%s is not free, or the game is over", shorten(xy))
	}
	g.ref.Play(m)
	g.history = append(g.history, m)
	return nil
}

func (g *gomocupServer) takeBack(xy string) error {
	if len(g.history) == 0 {
		return fmt.Errorf("TAKEBACK on an empty board")
	}
	last := g.history[len(g.history)-1]
	if m, err := g.ref.ParseMove(strings.ReplaceAll(xy, " ", "")); err != nil || m != last {
		return fmt.Errorf("TAKEBACK %s: the last stone is %s", shorten(xy), g.ref.MoveString(last))
	}
	texts := make([]string, len(g.history)-1)
	for i, m := range g.history[:len(texts)] {
		texts[i] = g.ref.MoveString(m)
	}
	if err := g.place(g.start, texts); err != nil {
		return err
	}
	g.say("OK")
	return nil
}

// collect takes a line of BOARD, and thinks at DONE.
func (g *gomocupServer) collect(ctx context.Context, line string) {
	if !strings.EqualFold(line, "DONE") {
		if len(g.board) < 1000 { // more than any board has
			g.board = append(g.board, line)
		}
		return
	}
	g.inBoard = false
	texts, err := boardMoves(g.board)
	if err == nil {
		err = g.place("", texts)
	}
	if err != nil {
		g.say("%s", g.complaint("BOARD: %v", err))
		return
	}
	g.think(ctx)
}

// boardMoves reads the stones as moves: they must alternate, and the last be the
// opponent's.
func boardMoves(lines []string) ([]string, error) {
	var texts []string
	for i, line := range lines {
		f := strings.Split(strings.ReplaceAll(line, " ", ""), ",")
		if len(f) != 3 {
			return nil, fmt.Errorf("%q: want x,y,1 or x,y,2", shorten(line))
		}
		if want := strconv.Itoa(1 + (len(lines)-i)%2); f[2] != want {
			return nil, fmt.Errorf("stone %d is of side %s; want %s, so that the sides alternate and the opponent's is last", i+1, shorten(f[2]), want)
		}
		texts = append(texts, f[0]+","+f[1])
	}
	return texts, nil
}

// think searches under what INFO said.
func (g *gomocupServer) think(ctx context.Context) {
	l := engines.Limits{Depth: g.depth, Nodes: g.nodes}
	switch {
	case g.depth > 0 || g.nodes > 0:
	case g.turn > 0:
		l.Time = g.reserve(time.Duration(g.turn) * time.Millisecond)
	case g.turn == 0:
		l.Depth = 1 // as fast as possible
	default:
		l = g.options.Limits
	}
	if g.match && l.Depth == 0 {
		if t := g.share(time.Duration(g.left)*time.Millisecond, 0); l.Time == 0 || t < l.Time {
			l.Time = t
		}
	}
	g.search(ctx, l, false)
}

func (g *gomocupServer) tell(d engines.Decision, elapsed time.Duration, err error) {
	if err != nil {
		g.say("%s", g.complaint("%v", err))
		return
	}
	rules, err := rulesOf(g.variant)
	if err != nil {
		g.say("%s", g.complaint("%v", err))
		return
	}
	size, err := strconv.Atoi(rules["size"])
	if err != nil {
		g.say("%s", g.complaint("%v", err))
		return
	}
	xy, err := cellXY(g.ref.MoveString(d.Move), size)
	if err != nil {
		g.say("%s", g.complaint("%v", err))
		return
	}
	g.say("MESSAGE depth %d nodes %d eval %s time %d", d.Depth, d.Nodes, formatScore(d.Score), elapsed.Milliseconds())
	g.ref.Play(d.Move)
	g.history = append(g.history, d.Move)
	g.say("%s", xy)
}
