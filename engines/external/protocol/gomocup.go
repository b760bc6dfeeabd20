package protocol

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/params"
	"selfplaylab/params/formats"
)

// gomocupProtocol describes Gomocup's protocol.
func gomocupProtocol() Protocol {
	return Protocol{
		Name: "gomocup", Games: []string{"gobang"}, Dialects: []string{"plain", "yixin"}, Rows: "fishtest",
		setting: "INFO %s %s", complaint: "ERROR %s",
		Connect: openGomocup, serve: newGomocupServer,
	}
}

// gomocupClient speaks Gomocup's protocol (Piskvork's doc/protocl2en.htm) with a brain. Lines
// to it end in CRLF; its own may end in LF, CRLF or a bare CR.
//
// A brain may drop input right after its answer: Rapfi 0.43 does until its search thread has
// stopped, some microseconds later. The client therefore sends ABOUT right after an answer, and
// again before any other line until the brain has answered it. A move before that answer is a
// second answer. A brain that never answers ABOUT must listen in time; a second move is then
// taken for the answer to the next question, and the brain loses by it.
type gomocupClient struct {
	engine  *EngineFile
	session *Session
	size    int
	rule    int // bits of INFO rule
	yixin   bool
	sent    []engines.Move // the moves on the brain's board, including its own answer
	known   bool           // the brain's board certainly holds sent
	played  bool           // a move was requested since START or RESTART
	match   int64          // first value of the clock in milliseconds; 0 without a clock
	budget  string         // INFO lines of the last limits
	limits  engines.Limits // the last limits
	about   string         // the line by which it answers ABOUT; "" if it does not answer
	again   bool           // START was sent again, after an error that may concern ABOUT
	errors  bool           // it has answered an INFO with ERROR
	// pardoned is the number of errors about INFO lines of the last question.
	pardoned int
	busy     bool // it has just answered, and may not listen yet
}

// gomocupOptions are INFO keys that brains share: extensions of the protocol, and keys that
// this client does not set itself.
var gomocupOptions = []string{"max_memory", "game_type", "folder", "evaluate", "thread_num", "hash_size", "caution_factor", "pondering"}

// openGomocup connects to a brain. It refuses rules that the protocol lacks.
func openGomocup(e *EngineFile, v engines.Variant, d *Session) (Client, error) {
	if _, err := e.admit(v); err != nil {
		return nil, err
	}
	rules, err := engines.ParseRules(v.Rules)
	if err != nil {
		return nil, err
	}
	g := &gomocupClient{engine: e, session: d, yixin: e.Dialect == "yixin"}
	if g.size, err = strconv.Atoi(rules["size"]); err != nil {
		return nil, fmt.Errorf("engine %s: rule size=%s: %w", e.Name, rules["size"], err)
	}
	if rules["opening_ring"] != "no" {
		return nil, fmt.Errorf("engine %s: Gomocup's protocol does not know the rule opening_ring=%s; play with opening_ring=no", e.Name,
			rules["opening_ring"])
	}
	if rules["exact_five"] == "yes" {
		g.rule |= 1
	}
	return g, nil
}

// Greet implements Client.
func (g *gomocupClient) Greet(ctx context.Context, l *Link) (Offer, error) {
	o := Offer{}
	for _, name := range gomocupOptions {
		o.Options = append(o.Options, Option{Name: name, Type: "string"})
	}
	for _, p := range g.engine.Params {
		o.Options = append(o.Options, Option{Name: p.Name, Type: "string"})
	}
	err := l.Ask(ctx, process.Request{What: "starting a board", Text: askAbout + g.startBoard(), Wait: l.Patience.Start,
		Line: func(line string) (bool, error) { return g.readGreetingLine(l, &o, line) }})
	return o, err
}

// startBoard returns the line that starts a board.
func (g *gomocupClient) startBoard() string { return fmt.Sprintf("START %d\r\n", g.size) }

// aboutWait is the wait for an answer to ABOUT before it is sent again.
// A slow answer then comes twice, which does no harm.
const aboutWait = 50 * time.Millisecond

// askAbout is the line that asks a brain about itself.
const askAbout = "ABOUT\r\n"

// listening returns when the brain listens again after its answer.
func (g *gomocupClient) listening(ctx context.Context, l *Link) error {
	err := l.Drain(func(line string) error {
		g.busy = g.busy && !g.isAbout(line)
		return g.stray(l, line)
	})
	if err != nil || !g.busy || g.about == "" {
		return err
	}
	g.busy = false
	return l.Ask(ctx, process.Request{What: "asking whether it listens", Text: askAbout, Wait: aboutWait, Hurry: askAbout,
		Grace: l.Patience.Ready, Again: true,
		Line: func(line string) (bool, error) { return g.isAbout(line), g.stray(l, line) }})
}

// tellInfo sends INFO lines and ABOUT, whose answer ends the errors about INFO lines. Such errors
// are ignored.
func (g *gomocupClient) tellInfo(ctx context.Context, l *Link, info string) error {
	return l.Ask(ctx, process.Request{What: "setting limits", Text: info + askAbout, Wait: l.Patience.Start,
		Line: func(line string) (bool, error) {
			word, _ := cutWord(line)
			g.errors = g.errors || strings.EqualFold(word, "ERROR")
			return g.isAbout(line), g.stray(l, line)
		}})
}

// readGreetingLine reads a line of the answers to ABOUT and START.
func (g *gomocupClient) readGreetingLine(l *Link, o *Offer, line string) (bool, error) {
	word, rest := cutWord(line)
	switch strings.ToUpper(word) {
	case "OK":
		return true, nil
	case "ERROR":
		if g.about == "" && !g.again { // the error may concern ABOUT
			g.again = true
			l.Send(g.startBoard())
			return false, nil
		}
		return false, fmt.Errorf("engine %s refuses a board of size %d: %s; play with another rule size", g.engine.Name, g.size,
			process.Shorten(rest))
	case "MESSAGE":
		if p, err := formats.ParseFishtestRow(rest); err == nil && o.params.Index(p.Name) < 0 {
			o.params = append(o.params, p)
			o.Options = append(o.Options, Option{Name: p.Name, Type: "string"})
		}
		return false, nil
	}
	if about := readAbout(line); about["name"] != "" && o.Name == "" {
		g.about = line
		o.Name = strings.TrimSpace(about["name"] + " " + about["version"])
		o.Author = about["author"]
	}
	return false, nil
}

// aboutPair is a pair of an answer to ABOUT.
var aboutPair = regexp.MustCompile(`(\w+)\s*=\s*"([^"]*)"`)

// isAbout reports whether a line answers ABOUT.
func (g *gomocupClient) isAbout(line string) bool {
	return line == g.about || strings.Contains(line, `"`) && readAbout(line)["name"] != ""
}

// readAbout reads name="...", version="...".
func readAbout(line string) map[string]string {
	pairs := map[string]string{}
	for _, m := range aboutPair.FindAllStringSubmatch(line, -1) {
		pairs[strings.ToLower(m[1])] = m[2]
	}
	return pairs
}

// Set implements Client.
func (g *gomocupClient) Set(ctx context.Context, l *Link, values []Setting) error {
	if err := g.listening(ctx, l); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "INFO game_type 1\r\nINFO rule %d\r\n", g.rule)
	if g.engine.Memory > 0 {
		fmt.Fprintf(&b, "INFO max_memory %d\r\n", g.engine.Memory)
	}
	for _, s := range values {
		fmt.Fprintf(&b, "INFO %s %s\r\n", s.Name, s.Value)
	}
	l.Send(b.String())
	return nil
}

// NewGame implements Client.
func (g *gomocupClient) NewGame(ctx context.Context, l *Link, seed uint64) error {
	g.known, g.sent, g.match = true, g.sent[:0], 0
	if err := g.listening(ctx, l); err != nil {
		return err
	}
	if g.yixin {
		l.Send("YXHASHCLEAR\r\n")
	}
	if !g.played {
		return nil
	}
	err := l.Ask(ctx, process.Request{What: "waiting for OK to RESTART (restart = true in its file avoids it)", Text: "RESTART\r\n",
		Wait: l.Patience.Ready,
		Line: func(line string) (bool, error) {
			switch word, _ := cutWord(line); strings.ToUpper(word) {
			case "OK":
				return true, nil
			case "UNKNOWN", "ERROR":
				return false, ErrFresh
			}
			return false, g.stray(l, line)
		}})
	g.played = g.played && err != nil
	return err
}

// stray returns the fault of a move that was not requested.
func (g *gomocupClient) stray(l *Link, line string) error {
	if isCell(line) {
		return l.Garbage("a move that nobody asked for: %q", process.Shorten(line))
	}
	return nil
}

// isCell reports whether a line is two numbers with a comma.
func isCell(line string) bool {
	x, y, ok := strings.Cut(strings.TrimSpace(line), ",")
	_, errX := strconv.Atoi(strings.TrimSpace(x))
	_, errY := strconv.Atoi(strings.TrimSpace(y))
	return ok && errX == nil && errY == nil
}

// admits returns an error for limits that the protocol lacks.
func (g *gomocupClient) admits(limits engines.Limits) error {
	_, err := g.infoLines(limits, 0)
	return err
}

// infoLines returns limits as INFO lines.
// Without a time limit a brain gets stallMS, the limit on stalling.
func (g *gomocupClient) infoLines(limits engines.Limits, stallMS int64) (string, error) {
	one := oneOf(limits)
	switch {
	case one == "":
		return "", fmt.Errorf("no limit of a decision; give time, or limits in %s", g.engine.File)
	case one == "many" || one == "playouts":
		return "", fmt.Errorf("limits %q: Gomocup's protocol has time, and its Yixin dialect one of depth and nodes", limits)
	case !limits.Timed() && !g.yixin:
		return "", fmt.Errorf("limits %q: Gomocup's protocol has time only; give dialect = \"yixin\" in %s if the brain knows INFO MAX_DEPTH "+
			"and MAX_NODE", limits, g.engine.File)
	}
	if one == "tc" {
		g.match = max(g.match, limits.Clock.Base.Milliseconds())
		return fmt.Sprintf("INFO timeout_match %d\r\nINFO timeout_turn %d\r\n", g.match, g.match), nil
	}
	turn := stallMS
	if one == "time" {
		turn = limits.Time.Milliseconds()
	}
	if one == "time" && turn < 1 {
		return "", fmt.Errorf("limits %q: the protocol counts milliseconds; give at least 1ms", limits)
	}
	text := fmt.Sprintf("INFO timeout_match 0\r\nINFO timeout_turn %d\r\n", turn)
	switch one {
	case "depth":
		text += fmt.Sprintf("INFO MAX_DEPTH %d\r\n", limits.Depth)
	case "nodes":
		text += fmt.Sprintf("INFO MAX_NODE %d\r\n", limits.Nodes)
	}
	return text, nil
}

// timeLeft returns the value of INFO time_left: the rest of the clock, or a number for no clock.
func timeLeft(limits engines.Limits) string {
	if limits.Clock.IsZero() {
		return "INFO time_left 2147483647\r\n"
	}
	return fmt.Sprintf("INFO time_left %d\r\n", limits.Clock.Base.Milliseconds())
}

// Choose implements Client.
func (g *gomocupClient) Choose(ctx context.Context, l *Link, limits engines.Limits) (engines.Decision, error) {
	if err := g.listening(ctx, l); err != nil {
		return engines.Decision{}, err
	}
	info := ""
	if limits != g.limits {
		now, err := g.infoLines(limits, l.Patience.Stall.Milliseconds())
		if err != nil {
			return engines.Decision{}, err
		}
		if now != g.budget {
			info = now
		}
		g.budget, g.limits = now, limits
	}
	question, err := g.nextCommand()
	if err != nil {
		return engines.Decision{}, err
	}
	d := unscored()
	answer := func(line string) (bool, error) { return g.readReply(l, line, &d) }
	g.played, g.busy = true, true
	text := info + timeLeft(limits)
	if g.pardoned = 0; g.errors {
		g.pardoned = strings.Count(text, "INFO ")
	}
	if g.about == "" || info == "" {
		question = text + question
	} else if err := g.tellInfo(ctx, l, text); err != nil {
		return d, err
	}
	err = l.Ask(ctx, thinking(l, question, "", limits, len(g.session.moves), answer))
	if g.known = err == nil; g.known {
		g.sent = append(append(g.sent[:0], g.session.moves...), d.Move)
		if g.about != "" {
			l.Send(askAbout)
		}
	}
	return d, err
}

// nextCommand returns BEGIN for an empty board, TURN if the brain's
// board lacks only the opponent's last move, and else BOARD.
func (g *gomocupClient) nextCommand() (string, error) {
	moves := g.session.moves
	n := len(moves)
	switch {
	case n == 0 && g.session.atStart:
		return "BEGIN\r\n", nil
	case n > 1 && g.known && slices.Equal(g.sent, moves[:n-1]):
		xy, err := cellXY(g.session.texts[n-1], g.size)
		return "TURN " + xy + "\r\n", err
	}
	stones, err := g.stones()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("BOARD\r\n")
	for i, xy := range stones {
		fmt.Fprintf(&b, "%s,%d\r\n", xy, 1+(len(stones)-i)%2) // the last stone is the opponent's
	}
	b.WriteString("DONE\r\n")
	return b.String(), nil
}

// stones lists the stones on the board so that the sides alternate and the
// opponent's is last: first the start position by rows, then the moves.
func (g *gomocupClient) stones() ([]string, error) {
	rows, turn, _ := strings.Cut(g.session.start, " ")
	var bySide [2][]string // of the side to move at the start, and of the other
	for y, row := range strings.Split(rows, "/") {
		for x := range len(row) {
			switch row[x : x+1] {
			case ".":
			case turn:
				bySide[0] = append(bySide[0], fmt.Sprintf("%d,%d", x, y))
			default:
				bySide[1] = append(bySide[1], fmt.Sprintf("%d,%d", x, y))
			}
		}
	}
	surplus := len(bySide[1]) - len(bySide[0])
	if surplus != 0 && surplus != 1 {
		return nil, fmt.Errorf("engine %s: BOARD cannot tell of %d stones of the side to move and %d of the other in %q", g.engine.Name,
			len(bySide[0]), len(bySide[1]), g.session.start)
	}
	var list []string
	for i := range bySide[1] {
		if k := i - surplus; k >= 0 {
			list = append(list, bySide[0][k])
		}
		list = append(list, bySide[1][i])
	}
	for _, text := range g.session.texts {
		xy, err := cellXY(text, g.size)
		if err != nil {
			return nil, err
		}
		list = append(list, xy)
	}
	return list, nil
}

// cellXY converts h8 to 7,7: column and row from 0 at the top left.
func cellXY(text string, size int) (string, error) {
	if len(text) < 2 {
		return "", fmt.Errorf("move %q is no cell", text)
	}
	rank, err := strconv.Atoi(text[1:])
	if err != nil {
		return "", fmt.Errorf("move %q is no cell", text)
	}
	return fmt.Sprintf("%d,%d", text[0]-'a', size-rank), nil
}

// readReply reads a line of the answer to a question.
func (g *gomocupClient) readReply(l *Link, line string, d *engines.Decision) (done bool, err error) {
	line = strings.TrimSpace(line)
	word, rest := cutWord(line)
	switch strings.ToUpper(word) {
	case "", "DEBUG", "UNKNOWN", "OK": // UNKNOWN may concern an INFO
		return false, nil
	case "SUGGEST": // it leaves the move to the manager
		if isCell(rest) {
			l.Send("PLAY " + rest + "\r\n")
		}
		return false, nil
	case "MESSAGE":
		readMessage(rest, d)
		return false, nil
	case "ERROR":
		if g.pardoned--; g.pardoned >= 0 {
			return false, nil
		}
		return false, l.Garbage("answers %q to INFO or to a legal position", process.Shorten(line))
	}
	if g.isAbout(line) { // the second answer to ABOUT
		return false, nil
	}
	if !isCell(line) {
		return false, l.Garbage("answered with no move: %q", process.Shorten(line))
	}
	g.session.Said = line
	x, y, _ := strings.Cut(line, ",")
	d.Move, err = g.session.moveOf(l, strings.TrimSpace(x)+","+strings.TrimSpace(y))
	return true, err
}

// messagePair is a number in a message of a brain.
var messagePair = regexp.MustCompile(`(?i)\b(depth|nodes?|n|eval|ev)[ :=]+([+-]?\d+(?:\.\d+)?)([km]?)`)

// readMessage reads depth, nodes and eval from a message of a brain.
func readMessage(text string, d *engines.Decision) {
	for _, m := range messagePair.FindAllStringSubmatch(text, -1) {
		x, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			continue
		}
		switch strings.ToLower(m[3]) {
		case "k":
			x *= 1e3
		case "m":
			x *= 1e6
		}
		switch strings.ToLower(m[1]) {
		case "depth":
			d.Depth = int(x)
		case "n", "node", "nodes":
			d.Nodes = int64(x)
		default:
			d.Score = x
		}
	}
}

// Quit implements Client.
func (g *gomocupClient) Quit() string { return "END\r\n" }

// Capabilities implements Client.
func (g *gomocupClient) Capabilities() capabilities {
	return capabilities{Positions: true, Limits: g.admits}
}

// gomocupServer offers this program's gobang player as a brain. It supports the Yixin dialect's
// INFO MAX_DEPTH and MAX_NODE. Parameters are INFO keys.
type gomocupServer struct {
	*server
	size    int   // of the board; 0 before START
	turn    int64 // INFO timeout_turn, -1 before
	match   bool  // a match clock runs
	left    int64 // INFO time_left
	depth   int
	nodes   int64
	board   []string // lines between BOARD and DONE
	inBoard bool
}

// newGomocupServer returns a server. It refuses rules that the protocol lacks.
func newGomocupServer(s *server) (dialogue, error) {
	rules, err := engines.ParseRules(s.variant.Rules)
	if err == nil && rules["opening_ring"] == "yes" {
		err = fmt.Errorf("the rule opening_ring=yes is none that Gomocup's protocol knows")
	}
	return &gomocupServer{server: s, turn: -1, left: math.MaxInt32}, err
}

// hear implements dialogue.
func (g *gomocupServer) hear(ctx context.Context, line string) (quit bool) {
	line = strings.TrimSpace(line)
	word, rest := cutWord(line)
	word = strings.ToUpper(word)
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
			g.complain("%s while thinking", process.Shorten(word))
		}
		return false
	case g.inBoard:
		g.collect(ctx, line)
		return false
	}
	if err := g.act(ctx, word, rest); err != nil {
		g.complain("%v", err)
	}
	return false
}

// act acts on a command other than END.
func (g *gomocupServer) act(ctx context.Context, word, rest string) error {
	switch word {
	case "START":
		return g.begin(rest)
	case "RECTSTART":
		x, y, _ := strings.Cut(rest, ",")
		if strings.TrimSpace(x) != strings.TrimSpace(y) {
			return fmt.Errorf("board %s: only square boards are played", process.Shorten(rest))
		}
		return g.begin(strings.TrimSpace(x))
	case "ABOUT":
		g.say(`name="%s", version="%d", author="the selfplaylab authors"`, g.name(), g.game.Version)
		return nil
	case "INFO":
		return g.setInfo(rest)
	case "YXHASHCLEAR":
		g.newGame = true
		return nil
	}
	if g.size == 0 {
		return fmt.Errorf("%s before START", process.Shorten(word))
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
	case "TURN", "PLAY":
		if err := g.put(strings.ReplaceAll(rest, " ", "")); err != nil {
			return err
		}
		if word == "TURN" {
			g.think(ctx)
		} else {
			g.say("%s", rest)
		}
	case "TAKEBACK":
		return g.undo(rest)
	case "BOARD":
		g.inBoard, g.board = true, nil
	default:
		g.say("UNKNOWN command %s", process.Shorten(word))
	}
	return nil
}

// begin sets up a board of a size, and prints the parameters as rows with ServeOptions.Rows.
func (g *gomocupServer) begin(size string) error {
	rules, err := engines.ParseRules(g.variant.Rules)
	if err != nil {
		return err
	}
	rules["size"] = size
	if err := g.open(rules); err != nil {
		return err
	}
	if g.options.Rows {
		for i, p := range g.game.Space {
			g.say("MESSAGE %s", messageRow(p, g.vector[i]))
		}
	}
	if g.size, err = strconv.Atoi(size); err != nil {
		return err
	}
	g.say("OK")
	return nil
}

// messageRow returns a fishtest row. It converts a logarithmic step to a linear one at the value x.
func messageRow(p params.Param, x float64) string {
	step := p.Step
	if p.Log {
		step = x * (math.Exp(step) - 1)
	}
	return fmt.Sprintf("%s,%s,%s,%s,%s,%s", p.Name, formats.Value(p, x), formats.Value(p, p.Min), formats.Value(p, p.Max),
		params.FormatValue(step), formats.REnd)
}

// setInfo reads a key of INFO.
// It ignores unknown keys, as the protocol requires,
// and returns an error for a parameter's bad value.
func (g *gomocupServer) setInfo(rest string) error {
	key, value := cutWord(rest)
	if i := g.game.Space.Index(key); i >= 0 {
		return g.setParam(key, value)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	switch key = strings.ToLower(key); key {
	case "timeout_turn", "timeout_match", "time_left", "max_depth", "max_node", "rule":
		if err != nil {
			return fmt.Errorf("INFO %s %q: want a whole number", key, process.Shorten(value))
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
		return g.setRule(n)
	}
	return nil
}

// setRule reads the bits of INFO rule: 1 is exactly five, 2 is about matches, others are refused.
func (g *gomocupServer) setRule(bits int64) error {
	if bits&^3 != 0 {
		return fmt.Errorf("rule %d: only free style (0) and exactly five (1) are played", bits)
	}
	rules, err := engines.ParseRules(g.variant.Rules)
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

// undo takes back the last stone.
func (g *gomocupServer) undo(xy string) error {
	m, err := g.ref.ParseMove(strings.ReplaceAll(xy, " ", ""))
	if n := len(g.history); err != nil || n == 0 || m != g.history[n-1] {
		return fmt.Errorf("TAKEBACK %s: it is not the last stone", process.Shorten(xy))
	}
	if err := g.takeBack(); err != nil {
		return err
	}
	g.say("OK")
	return nil
}

// collect reads a line of BOARD, and begins to think at DONE.
func (g *gomocupServer) collect(ctx context.Context, line string) {
	if !strings.EqualFold(line, "DONE") {
		if len(g.board) < 1000 { // more lines than any board has
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
		g.complain("BOARD: %v", err)
		return
	}
	g.think(ctx)
}

// boardMoves reads the stones as moves. They must alternate, and the last must be the opponent's.
func boardMoves(lines []string) ([]string, error) {
	var texts []string
	for i, line := range lines {
		f := strings.Split(strings.ReplaceAll(line, " ", ""), ",")
		if len(f) != 3 {
			return nil, fmt.Errorf("%q: want x,y,1 or x,y,2", process.Shorten(line))
		}
		if want := strconv.Itoa(1 + (len(lines)-i)%2); f[2] != want {
			return nil, fmt.Errorf("stone %d is of side %s; want %s, so that the sides alternate and the opponent's is last", i+1,
				process.Shorten(f[2]), want)
		}
		texts = append(texts, f[0]+","+f[1])
	}
	return texts, nil
}

// think starts a search under the limits of INFO.
func (g *gomocupServer) think(ctx context.Context) {
	l := engines.Limits{Depth: g.depth, Nodes: g.nodes}
	switch {
	case g.depth > 0 || g.nodes > 0:
	case g.turn > 0:
		l.Time = g.reserve(time.Duration(g.turn) * time.Millisecond)
	case g.turn == 0:
		l.Depth = 1 // the fastest search
	default:
		l = g.options.Limits
	}
	if g.match && l.Depth == 0 {
		if t := g.share(engines.Clock{Base: time.Duration(g.left) * time.Millisecond}); l.Time == 0 || t < l.Time {
			l.Time = t
		}
	}
	g.search(ctx, l, false, nil)
}

// tell implements dialogue.
func (g *gomocupServer) tell(d engines.Decision, elapsed time.Duration, err error) {
	xy := ""
	if err == nil {
		xy, err = cellXY(g.ref.MoveString(d.Move), g.size)
	}
	if err != nil {
		g.complain("%v", err)
		return
	}
	g.say("MESSAGE depth %d nodes %d eval %s time %d", d.Depth, d.Nodes, formatScore(d.Score), elapsed.Milliseconds())
	g.play(d.Move)
	g.say("%s", xy)
}
