package protocol

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/params/formats"
	"selfplaylab/reports/text"
)

// ugiProtocol describes the Universal Game Interface.
func ugiProtocol() Protocol {
	return Protocol{
		Name: "ugi", Dialects: ugiDialectNames(), Rows: "rows",
		setting: "setoption name %s value %s", complaint: "info string error: %s",
		Connect: func(e *EngineFile, v engines.Variant, d *Session) (Client, error) {
			return newUGIClient(e, v, d, false)
		},
		serve: func(s *server) (dialogue, error) { return &ugiServer{s, [2]string{"p1", "p2"}}, nil },
	}
}

// ugiClient speaks the Universal Game Interface (kz04px/ugi, ugi.md).
// Positions and moves are in the games' own notation, or in a dialect's.
//
// It sends isready before every go. Under a time limit it waits for readyok.
// Output before readyok is old, so a second bestmove is
// detected and never taken for the answer to the next question.
type ugiClient struct {
	engine   *EngineFile
	session  *Session
	rules    string // for the program's option rules
	game     string
	declared bool // the engine's file names exactly these rules
	plain    bool // the rules are the game's defaults
	host     bool // the program is the host of a getPoint library
	notation notation
	offer    *Offer
	buf      strings.Builder

	// Dialects differ in four functions: the command of a search under limits, the words for
	// the start of a game, and the readers of info and bestmove.
	words func(engines.Limits) (string, error)
	start func() string
	info  func(rest string, d *engines.Decision)
	move  func(l *Link, rest string, d *engines.Decision) error
}

// notation is a dialect's form of moves, and whether it reads this program's positions.
type notation struct {
	name      string
	positions bool
	newGame   string   // the word for a new game
	games     []string // games for whose moves it has a form; nil for every game
	// out converts a move to the dialect's form, in converts it back.
	out, in func(game, text string) (string, error)
}

// ugiDialects returns the forms of moves that differ from the games' own.
func ugiDialects() []notation {
	same := func(_, text string) (string, error) { return text, nil }
	columns := []string{"connectfour"}
	return []notation{
		{"own", true, "uginewgame", nil, same, same},
		// motors has UCI's word for a new game.
		{"motors", true, "ucinewgame", nil, same, same},
		// Columns from 0, as Faeries counts them; the classic board only has a start.
		{"columns0", false, "uginewgame", columns, func(_, text string) (string, error) { return shift(text, -1) },
			func(_, text string) (string, error) { return shift(text, 1) }},
		{"columnsabc", false, "uginewgame", columns, letterOut, letterIn},
	}
}

// shift adds by to a column's number.
func shift(text string, by int) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return "", fmt.Errorf("move %q: want a column's number", text)
	}
	return strconv.Itoa(n + by), nil
}

// letterOut converts a column's number to a letter.
func letterOut(_, text string) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 26 {
		return "", fmt.Errorf("move %q: want a column's number", text)
	}
	return string(rune('a' + n - 1)), nil
}

// letterIn converts a column's letter to a number.
func letterIn(_, text string) (string, error) {
	if len(text) < 1 || text[0] < 'a' || text[0] > 'z' {
		return "", fmt.Errorf("move %q: want a column's letter", text)
	}
	return strconv.Itoa(int(text[0]-'a') + 1), nil
}

// ugiDialectNames returns the names of the dialects.
func ugiDialectNames() []string {
	return text.Each(ugiDialects(), func(n notation) string { return n.name })
}

// openUGI returns the common part of clients of UGI and its dialects, and the rules of their games.
func openUGI(e *EngineFile, v engines.Variant, d *Session) (ugiClient, engines.Rules, error) {
	declared, err := e.admit(v)
	plain, broken := isDefault(v)
	rules, bad := engines.ParseRules(v.Rules)
	u := ugiClient{engine: e, session: d, rules: v.Rules, game: v.Game.Name, declared: declared, plain: plain}
	return u, rules, cmp.Or(err, broken, bad)
}

// newUGIClient returns a client of UGI; with host, of the host of a getPoint library.
func newUGIClient(e *EngineFile, v engines.Variant, d *Session, host bool) (Client, error) {
	base, _, err := openUGI(e, v, d)
	if err != nil {
		return nil, err
	}
	u := &base
	u.host = host
	u.words = u.goWords
	u.start = u.startWords
	u.info = readInfo
	u.move = u.readMove
	for _, n := range ugiDialects() {
		if n.name == e.Dialect || e.Dialect == "" && n.name == "own" {
			u.notation = n
		}
	}
	if g := u.notation.games; g != nil && !slices.Contains(g, u.game) {
		return nil, fmt.Errorf("engine %s: dialect %q writes columns, which %s has none of; leave it out", e.Name, e.Dialect, u.game)
	}
	return u, nil
}

// Greet implements Client.
func (u *ugiClient) Greet(ctx context.Context, l *Link) (Offer, error) {
	return u.greet(ctx, l, "ugi", "uciok")
}

// greet sends the first word and reads the program's offer.
// other is the last word of another protocol, which is a fault.
func (u *ugiClient) greet(ctx context.Context, l *Link, word, other string) (Offer, error) {
	u.offer = &Offer{}
	err := l.Ask(ctx, process.Request{What: "greeting it with " + word, Text: word + "\n", Wait: l.Patience.Start,
		Line: until(word+"ok", func(line string) error { return readGreeting(l, u.offer, line, other) })})
	return *u.offer, err
}

// readGreeting reads a line of the handshake of UGI or UCI.
// other is the other protocol's last word.
func readGreeting(l *Link, o *Offer, line, other string) error {
	f := strings.Fields(line)
	switch {
	case len(f) == 1 && f[0] == other:
		return l.Garbage("it answers the greeting with %s, so it speaks another protocol; correct protocol in its engine file", other)
	case len(f) > 2 && f[0] == "id" && f[1] == "name":
		o.Name = strings.Join(f[2:], " ")
	case len(f) > 2 && f[0] == "id" && f[1] == "author":
		o.Author = strings.Join(f[2:], " ")
	case len(f) > 1 && f[0] == "option":
		if option, err := parseOption(f[1:]); err == nil { // an unreadable option is not offered
			o.Options = append(o.Options, option)
		}
	case len(f) > 3 && f[0] == "info" && f[1] == "string" && f[2] == "param":
		p, err := formats.ParseRow(strings.Join(f[2:], " "))
		if err == nil && o.params.Index(p.Name) >= 0 {
			err = fmt.Errorf("parameter %q twice", p.Name)
		}
		if err != nil {
			return l.Garbage("%v", err)
		}
		o.params = append(o.params, p)
	case len(f) > 3 && f[0] == "info" && f[1] == "string" && f[2] == "extension":
		o.Extensions = append(o.Extensions, strings.Join(f[3:], " "))
	}
	return nil
}

// Set implements Client. It sends options and the rules, and waits until the program is ready.
func (u *ugiClient) Set(ctx context.Context, l *Link, values []Setting) error {
	var b strings.Builder
	if err := refuseOwn(u.engine.Name, values, "game", "rules", "seed"); err != nil {
		return err
	}
	rules, err := u.ruleSettings()
	if err != nil {
		return err
	}
	writeOptions(&b, append(rules, values...)...)
	return ready(ctx, l, settingOptions(values), b.String())
}

// writeOptions writes the commands that set options.
func writeOptions(b *strings.Builder, values ...Setting) {
	for _, s := range values {
		fmt.Fprintf(b, "setoption name %s value %s\n", s.Name, cmp.Or(s.Value, emptyValue))
	}
}

// emptyValue is the value of an option that is empty, as UCI writes it.
const emptyValue = "<empty>"

// settingOptions describes the request that sets values, for faults.
func settingOptions(values []Setting) string {
	list := text.Each(values, func(s Setting) string { return s.Name + "=" + s.Value })
	return strings.TrimSpace("setting options " + process.Shorten(strings.Join(list, " ")))
}

// ruleSettings returns the rules for a program that has an option for them.
// It refuses to guess the rules of one without.
func (u *ugiClient) ruleSettings() ([]Setting, error) {
	var list []Setting
	if o, ok := u.offer.Option("game"); ok {
		if err := o.check(u.game); err != nil {
			return nil, fmt.Errorf("engine %s: %w", u.engine.Name, err)
		}
		list = append(list, Setting{o.Name, u.game})
	}
	if o, ok := u.offer.Option("rules"); ok {
		return append(list, Setting{o.Name, u.rules}), nil
	}
	if u.declared || u.plain {
		return list, nil
	}
	return nil, fmt.Errorf("engine %s offers no option rules and its file names none: write games = [%q] in %s if it plays by them",
		u.engine.Name, u.game+":"+u.rules, u.engine.File)
}

// ready sends text and isready, and waits for readyok.
// An answer to an older question before readyok is a fault. what describes the request for faults.
func ready(ctx context.Context, l *Link, request, text string) error {
	return readyAfter(ctx, l, request, text, func(string) error { return nil })
}

// readyAfter is ready with a reader of the lines before readyok.
func readyAfter(ctx context.Context, l *Link, request, text string, hear func(line string) error) error {
	return l.Ask(ctx, process.Request{What: request, Text: text + "isready\n", Wait: l.Patience.Ready,
		Line: until("readyok", func(line string) error { return cmp.Or(hear(line), stray(l, line)) })})
}

// stray returns the fault of a bestmove that was not requested; nil for other lines.
func stray(l *Link, line string) error {
	if f := strings.Fields(line); len(f) > 0 && f[0] == "bestmove" {
		return l.Garbage("an answer that nobody asked for: %q", process.Shorten(line))
	}
	return nil
}

// NewGame implements Client.
func (u *ugiClient) NewGame(ctx context.Context, l *Link, seed uint64) error {
	if !u.session.atStart && !u.notation.positions {
		return fmt.Errorf("engine %s: its dialect %s reads no positions of ours, and this game starts from %q: play openings of moves from a "+
			"fixed start", u.engine.Name, u.notation.name, u.session.start)
	}
	text := ""
	if o, ok := u.offer.Option("seed"); ok {
		text = fmt.Sprintf("setoption name %s value %d\n", o.Name, seedFor(o, seed))
	}
	return ready(ctx, l, "starting a game", text+u.notation.newGame+"\n")
}

// seedFor returns a seed within the range of an option.
func seedFor(o Option, seed uint64) uint64 {
	if o.Type == "spin" && o.Ranged && o.Min >= 0 {
		if width := uint64(o.Max-o.Min) + 1; width > 0 {
			return uint64(o.Min) + seed%width
		}
	}
	return seed
}

// admits returns an error for limits that the dialect lacks.
func (u *ugiClient) admits(limits engines.Limits) error {
	_, err := u.words(limits)
	return err
}

// goWords returns the command of a search under limits. UGI has exactly one limit at a time.
func (u *ugiClient) goWords(limits engines.Limits) (string, error) {
	one := oneOf(limits)
	switch {
	case one == "" && u.offer.extends("go"):
		return "go", nil
	case one == "":
		return "", fmt.Errorf("no limit of a decision; give one of depth, nodes or time, or limits in %s", u.engine.File)
	case u.host && !limits.Timed():
		return "", fmt.Errorf("limits %q: a getPoint library takes as long as it likes; give time, which our clock keeps, or nothing", limits)
	case one == "many":
		return "", fmt.Errorf("limits %q: UGI has one of depth, nodes and time at a time", limits)
	case one == "playouts" && !u.offer.extends("go playouts"):
		return "", fmt.Errorf("limits %q: it does not say that it knows playouts; give depth, nodes or time", limits)
	case one == "depth":
		return "go depth " + strconv.Itoa(limits.Depth), nil
	case one == "nodes":
		return "go nodes " + strconv.FormatInt(limits.Nodes, 10), nil
	case one == "playouts":
		return "go playouts " + strconv.FormatInt(limits.Playouts, 10), nil
	}
	if one == "tc" && !u.host {
		return u.clockWords(limits), nil
	}
	ms := limits.Longest().Milliseconds()
	if ms < 1 && one == "time" {
		return "", fmt.Errorf("limits %q: the protocol counts milliseconds; give at least 1ms", limits)
	}
	return "go movetime " + strconv.FormatInt(max(ms, 1), 10), nil
}

// clockWords returns the rest of both clocks. UGI has no word for moves to go.
func (u *ugiClient) clockWords(limits engines.Limits) string {
	c := u.clocks(limits)
	return fmt.Sprintf("go p1time %d p2time %d p1inc %d p2inc %d", c[0].Base.Milliseconds(), c[1].Base.Milliseconds(),
		c[0].Inc.Milliseconds(), c[1].Inc.Milliseconds())
}

// clocks returns both clocks by side. An opponent without a clock gets the program's own.
func (u *ugiClient) clocks(limits engines.Limits) [2]engines.Clock {
	clocks := [2]engines.Clock{limits.Clock, limits.Other}
	if limits.Other.IsZero() {
		clocks[1] = limits.Clock
	}
	if u.session.ref.Turn() == engines.Second {
		clocks[0], clocks[1] = clocks[1], clocks[0]
	}
	return clocks
}

// oneOf returns the name of the only limit that is set, "" for none and "many" for several.
func oneOf(l engines.Limits) string {
	name := ""
	for _, f := range []struct {
		name string
		set  bool
	}{{"depth", l.Depth > 0}, {"nodes", l.Nodes > 0}, {"playouts", l.Playouts > 0}, {"time", l.Time > 0}, {"tc", !l.Clock.IsZero()}} {
		switch {
		case f.set && name != "":
			return "many"
		case f.set:
			name = f.name
		}
	}
	return name
}

// Choose implements Client.
func (u *ugiClient) Choose(ctx context.Context, l *Link, limits engines.Limits) (d engines.Decision, err error) {
	words, err := u.words(limits)
	if err != nil {
		return d, err
	}
	text, err := u.positionText(u.start(), "")
	if err == nil {
		text, err = position(ctx, l, text, limits, func(string) error { return nil })
	}
	if err != nil {
		return d, err
	}
	synced := text == ""
	d = unscored()
	answer := func(line string) (bool, error) {
		switch word, rest := cutWord(line); {
		case word == "readyok" && !synced:
			synced = true
		case !synced:
			return false, stray(l, line)
		case word == "info":
			u.info(rest, &d)
		case word == "bestmove":
			return true, u.move(l, rest, &d)
		}
		return false, nil
	}
	err = l.Ask(ctx, thinking(l, text+words+"\n", "stop\n", limits, len(u.session.moves), answer))
	return d, err
}

// differs compares the position by query.
// A program that does not support query shows no difference.
func (u *ugiClient) differs(ctx context.Context, l *Link) (string, error) {
	text, err := u.positionText(u.startWords(), "query p1turn\nquery gameover\n")
	if err != nil {
		return "", err
	}
	var responses []string
	err = readyAfter(ctx, l, "asking how it sees the game", text, func(line string) error {
		if word, rest := cutWord(line); word == "response" {
			responses = append(responses, rest)
		}
		return nil
	})
	if err != nil || len(responses) != 2 {
		return "", err
	}
	over, _ := u.session.ref.Result()
	for i, want := range []bool{u.session.ref.Turn() == engines.First, over != engines.Ongoing} {
		if name := [...]string{"p1turn", "gameover"}[i]; responses[i] != strconv.FormatBool(want) {
			return fmt.Sprintf("in %q it answers query %s with %s, and here it is %v", u.session.ref.String(), name, process.Shorten(responses[i]),
				want), nil
		}
	}
	return "", nil
}

// startWords returns the words for the game's start position.
func (u *ugiClient) startWords() string {
	if u.session.atStart && !u.host { // startpos has no size, which a host needs
		return "startpos"
	}
	return "fen " + u.session.start
}

// positionText returns the command for the position after the
// session's moves from start and more, then the text that follows it.
func (u *ugiClient) positionText(start, then string, more ...string) (_ string, err error) {
	b, room := &u.buf, u.buf.Len()+16 // the last length, and one more move
	b.Reset()
	b.Grow(room)
	b.WriteString("position ")
	b.WriteString(start)
	if len(u.session.texts)+len(more) > 0 {
		b.WriteString(" moves")
	}
	for _, text := range u.session.texts {
		if text, err = u.notation.out(u.game, text); err != nil {
			return "", fmt.Errorf("engine %s: %w", u.engine.Name, err)
		}
		b.WriteByte(' ')
		b.WriteString(text)
	}
	for _, word := range more {
		b.WriteString(" " + word)
	}
	b.WriteString("\n" + then)
	return b.String(), nil
}

// readMove reads the answer bestmove.
func (u *ugiClient) readMove(l *Link, rest string, d *engines.Decision) (err error) {
	text, _ := cutWord(rest)
	u.session.Said = text
	if text != "" && !noMove(text) {
		own, err := u.notation.in(u.game, text)
		if err != nil {
			return l.Garbage("answered with no move: %v", err)
		}
		text = own
	}
	d.Move, err = u.session.moveOf(l, text)
	return err
}

// readInfo reads depth, nodes and score from the words after info.
// It skips other words and invalid numbers.
func readInfo(rest string, d *engines.Decision) {
	if text, exact := strings.CutPrefix(rest, "string score "); exact { // servers of this program report the exact score like this
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			d.Score = x
		}
		return
	}
	word := ""
	for next := range strings.FieldsSeq(rest) {
		switch word {
		case "string", "pv":
			return
		case "depth", "nodes", "mate":
			n, err := strconv.ParseInt(next, 10, 64)
			switch {
			case err != nil:
			case word == "depth":
				d.Depth = int(n)
			case word == "nodes":
				d.Nodes = n
			case n != 0: // in plies, by ugi.md; mated: there is no move to request
				d.Mate = int(min(max(n, -maxMate), maxMate))
				d.Score = mateScore(d.Mate)
			}
		case "cp":
			if x, err := strconv.ParseFloat(next, 64); err == nil {
				d.Score, d.Mate = x, 0
			}
		}
		word = next
	}
}

// maxMate is above the number of plies of any proof.
const maxMate = 1 << 18

// mateScore returns a score for a proven end.
// It is beyond every other score, and smaller for longer ways.
func mateScore(plies int) float64 { return math.Copysign(1e6, float64(plies)) - float64(plies) }

// Quit implements Client.
func (u *ugiClient) Quit() string { return "quit\n" }

// Capabilities implements Client.
func (u *ugiClient) Capabilities() capabilities {
	return capabilities{Positions: u.notation.positions, Limits: u.admits, Differs: u.differs}
}

// ugiServer offers a player in UGI.
// Beyond the protocol it supports go without words
// (the player's own limits), go playouts N and bench.
type ugiServer struct {
	*server
	sides [2]string // prefixes of the words for clocks
}

// hear implements dialogue.
func (u *ugiServer) hear(ctx context.Context, line string) (quit bool) {
	return u.hearUCI(ctx, line, u.act)
}

// act acts on a command that comes outside a search.
func (u *ugiServer) act(ctx context.Context, f []string) error {
	switch f[0] {
	case "ugi":
		u.say("id name %s\nid author the selfplaylab authors", u.name())
		u.sayOptions()
		u.say("info string extension go\ninfo string extension bench")
		if u.game.Limits.Playouts > 0 {
			u.say("info string extension go playouts")
		}
		u.say("ugiok")
	case "setoption":
		return setoption(u.server, f[1:])
	case "uginewgame":
		u.newGame = true
		return u.place("", nil)
	case "position":
		return u.setPosition(f[1:])
	case "go":
		return u.startSearch(ctx, f[1:])
	case "query":
		return u.query(f[1:])
	case "bench":
		nodes, hash, err := u.bench(ctx)
		if err != nil {
			return err
		}
		u.say("bench nodes %d hash %016x", nodes, hash)
	default:
		return fmt.Errorf("unknown command %q", process.Shorten(f[0]))
	}
	return nil
}

// setPosition reads "startpos|fen F [moves ...]".
func (u *ugiServer) setPosition(f []string) error {
	start, moves := f, []string(nil)
	for i, word := range f {
		if word == "moves" {
			start, moves = f[:i], f[i+1:]
			break
		}
	}
	switch {
	case len(start) == 1 && start[0] == "startpos":
		return u.place("", moves)
	case len(start) > 1 && start[0] == "fen":
		return u.place(strings.Join(start[1:], " "), moves)
	}
	return fmt.Errorf("want position startpos|fen POSITION [moves ...]")
}

// startSearch starts a search by the words after go.
func (u *ugiServer) startSearch(ctx context.Context, f []string) error {
	limits, endless, err := u.readLimits(f)
	u.search(ctx, limits, endless, err)
	return nil
}

// readLimits reads the words after go. Several limits hold together.
func (u *ugiServer) readLimits(f []string) (l engines.Limits, endless bool, err error) {
	if len(f) == 0 {
		return u.options.Limits, false, nil
	}
	words, clock := u.goWords(&l, &endless), map[string]int64{}
	words.number["playouts"] = func(n int64) { l.Playouts = max(n, 1) }
	words.number["movestogo"] = func(n int64) { clock["movestogo"] = n }
	for _, side := range u.sides {
		for _, key := range []string{side + "time", side + "inc"} {
			words.number[key] = func(n int64) { clock[key] = n }
		}
	}
	want := fmt.Sprintf("%[1]stime, %[2]stime, %[1]sinc, %[2]sinc, movetime, depth, nodes, playouts or infinite", u.sides[0], u.sides[1])
	if err := words.read(f, want); err != nil {
		return l, false, err
	}
	side := u.sides[u.ref.Turn()]
	if left, ok := clock[side+"time"]; ok && l.Time == 0 {
		l.Time = u.share(engines.Clock{Base: time.Duration(left) * time.Millisecond, Inc: time.Duration(clock[side+"inc"]) * time.Millisecond,
			Moves: int(clock["movestogo"])})
	} else if !ok && len(clock) > 0 {
		return l, false, fmt.Errorf("go with clocks, but without %stime, whose turn it is", side)
	}
	return l, endless, nil
}

// query answers a question about the position.
func (u *ugiServer) query(f []string) error {
	o, _ := u.ref.Result()
	switch strings.Join(f, " ") {
	case "p1turn":
		u.say("response %v", u.ref.Turn() == engines.First)
	case "gameover":
		u.say("response %v", o != engines.Ongoing)
	case "result":
		u.say("response %s", [...]string{"none", "p1win", "p2win", "draw"}[o])
	default:
		return fmt.Errorf("query %q: want p1turn, gameover or result", process.Shorten(strings.Join(f, " ")))
	}
	return nil
}

// tell implements dialogue.
func (u *ugiServer) tell(d engines.Decision, elapsed time.Duration, err error) {
	if err != nil {
		u.complain("%v", err)
		u.say("bestmove 0000")
		return
	}
	move := u.ref.MoveString(d.Move)
	u.say("%s pv %s", u.infoLine(d, elapsed), move)
	u.say("info string score %s", formatScore(d.Score))
	u.say("bestmove %s", move)
}

// formatScore returns a score with the digits it needs.
func formatScore(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
