package external

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// ugi speaks the Universal Game Interface (kz04px/ugi, ugi.md). Positions and
// moves are in the games' own notation, or in a dialect's.
//
// Before every go it sends isready: what the program said before its readyok
// belongs to the past, so that a second bestmove is found out and never taken for
// the answer to the next question.
type ugi struct {
	engine   *Engine
	desk     *desk
	rules    string // to be told to the program
	game     string
	declared bool // the engine's file names the very rules
	plain    bool // the rules are the game's defaults
	host     bool // it is the host of a getPoint library
	notation notation
	offer    *Offer
	buf      strings.Builder
}

// notation is how a dialect writes moves and whether it reads our positions.
type notation struct {
	name      string
	positions bool
	newGame   string // the word for a new game
	// out writes a move of ours, in reads one of theirs to ours.
	out, in func(game, text string) (string, error)
}

// ugiDialects are ways to write moves that differ from the games' own.
func ugiDialects() []notation {
	same := func(_, text string) (string, error) { return text, nil }
	return []notation{
		{"own", true, "uginewgame", same, same},
		// motors has UCI's word for a new game.
		{"motors", true, "ucinewgame", same, same},
		// Columns from 0, as Faeries counts them; the classic board only has a start.
		{"columns0", false, "uginewgame", func(_, text string) (string, error) { return shift(text, -1) }, func(_, text string) (string, error) { return shift(text, 1) }},
		{"columnsabc", false, "uginewgame", letterOut, letterIn},
	}
}

func shift(text string, by int) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return "", fmt.Errorf("move %q: want a column's number", text)
	}
	return strconv.Itoa(n + by), nil
}

func letterOut(_, text string) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 26 {
		return "", fmt.Errorf("move %q: want a column's number", text)
	}
	return string(rune('a' + n - 1)), nil
}

func letterIn(_, text string) (string, error) {
	if len(text) < 1 || text[0] < 'a' || text[0] > 'z' {
		return "", fmt.Errorf("move %q: want a column's letter", text)
	}
	return strconv.Itoa(int(text[0]-'a') + 1), nil
}

func ugiDialectNames() []string {
	var names []string
	for _, d := range ugiDialects() {
		names = append(names, d.name)
	}
	return names
}

func openUGI(e *Engine, v engines.Variant, d *desk) (protocolClient, error) {
	declared, err := e.admit(v)
	if err != nil {
		return nil, err
	}
	u := &ugi{engine: e, desk: d, host: e.Protocol == "getpoint", rules: v.Rules, game: v.Game.Name, declared: declared}
	if u.plain, err = isDefault(v); err != nil {
		return nil, err
	}
	for _, n := range ugiDialects() {
		if n.name == e.Dialect || e.Dialect == "" && n.name == "own" {
			u.notation = n
		}
	}
	if !u.notation.positions && u.game != "connectfour" {
		return nil, fmt.Errorf("engine %s: dialect %q writes columns, which %s has none of; leave it out", e.Name, e.Dialect, u.game)
	}
	return u, nil
}

func (u *ugi) greet(ctx context.Context, l *link) (Offer, error) {
	o := Offer{}
	err := l.ask(ctx, request{what: "greeting it with ugi", text: "ugi\n", wait: l.patience.Start, line: until("ugiok", func(line string) error {
		return readGreeting(l, &o, line, "uciok")
	})})
	u.offer = &o
	return o, err
}

// readGreeting reads a line of the handshake of UGI or UCI; other is the other
// one's last word.
func readGreeting(l *link, o *Offer, line, other string) error {
	f := words(line)
	switch {
	case len(f) == 1 && f[0] == other:
		return l.fault(engines.Garbage, "it answers the greeting with %s, so it speaks another protocol; mend protocol in its file", other)
	case len(f) > 2 && f[0] == "id" && f[1] == "name":
		o.Name = strings.Join(f[2:], " ")
	case len(f) > 2 && f[0] == "id" && f[1] == "author":
		o.Author = strings.Join(f[2:], " ")
	case len(f) > 1 && f[0] == "option":
		if option, err := parseOption(f[1:]); err == nil { // what cannot be read is not offered
			o.Options = append(o.Options, option)
		}
	case len(f) > 3 && f[0] == "info" && f[1] == "string" && f[2] == "param":
		p, err := ParseParamRow(strings.Join(f[2:], " "))
		if err == nil && o.params.Index(p.Name) >= 0 {
			err = fmt.Errorf("parameter %q twice", p.Name)
		}
		if err != nil {
			return l.fault(engines.Garbage, "%v", err)
		}
		o.params = append(o.params, p)
	case len(f) > 3 && f[0] == "info" && f[1] == "string" && f[2] == "extension":
		o.Extensions = append(o.Extensions, strings.Join(f[3:], " "))
	}
	return nil
}

// set sends options and the rules, and waits until the program is ready.
func (u *ugi) set(ctx context.Context, l *link, values []Setting) error {
	var b strings.Builder
	if err := refuseOwn(u.engine.Name, values, "game", "rules", "seed"); err != nil {
		return err
	}
	rules, err := u.ruleSettings()
	if err != nil {
		return err
	}
	for _, s := range append(rules, values...) {
		fmt.Fprintf(&b, "setoption name %s value %s\n", s.Name, s.Value)
	}
	return ready(ctx, l, "setting options", b.String())
}

// ruleSettings tells the rules to a program that asks for them, and refuses to
// guess what one that does not plays by.
func (u *ugi) ruleSettings() ([]Setting, error) {
	var list []Setting
	if o, ok := u.offer.Find("game"); ok {
		if err := o.Check(u.game); err != nil {
			return nil, fmt.Errorf("engine %s: %w", u.engine.Name, err)
		}
		list = append(list, Setting{o.Name, u.game})
	}
	if o, ok := u.offer.Find("rules"); ok {
		return append(list, Setting{o.Name, u.rules}), nil
	}
	if u.declared || u.plain {
		return list, nil
	}
	return nil, fmt.Errorf("engine %s offers no option rules and its file names none: write games = [%q] in %s if it plays by them",
		u.engine.Name, u.game+":"+u.rules, u.engine.File)
}

// ready sends text and isready and waits for readyok. Answers to older questions
// that come before it are too many.
func ready(ctx context.Context, l *link, what, text string) error {
	return l.ask(ctx, request{what: what, text: text + "isready\n", wait: l.patience.Ready, line: until("readyok", func(line string) error {
		return stray(l, line)
	})})
}

// stray is the fault of a bestmove nobody asked for.
func stray(l *link, line string) error {
	if f := words(line); len(f) > 0 && f[0] == "bestmove" {
		return l.fault(engines.Garbage, "an answer that nobody asked for: %q", shorten(line))
	}
	return nil
}

func (u *ugi) newGame(ctx context.Context, l *link, seed uint64) error {
	if !u.desk.atStart && !u.notation.positions {
		return fmt.Errorf("engine %s: its dialect %s reads no positions of ours, and this game starts from %q: play openings of moves on a fixed board", u.engine.Name, u.notation.name, u.desk.start)
	}
	text := ""
	if o, ok := u.offer.Find("seed"); ok {
		text = fmt.Sprintf("setoption name %s value %d\n", o.Name, seedFor(o, seed))
	}
	return ready(ctx, l, "starting a game", text+u.notation.newGame+"\n")
}

// seedFor brings a seed into the range of an option.
func seedFor(o Option, seed uint64) uint64 {
	if o.Type == "spin" && o.Ranged && o.Min >= 0 {
		if width := uint64(o.Max-o.Min) + 1; width > 0 {
			return uint64(o.Min) + seed%width
		}
	}
	return seed
}

func (u *ugi) admits(limits engines.Limits) error {
	_, err := u.goWords(limits)
	return err
}

// goWords writes limits. UGI has exactly one of them at a time.
func (u *ugi) goWords(limits engines.Limits) (string, error) {
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

// clockWords tells what is left on both clocks. Of an opponent who has none, the
// program is told its own. UGI has no word for moves to go.
func (u *ugi) clockWords(limits engines.Limits) string {
	clocks := [2]engines.Clock{limits.Clock, limits.Other}
	if limits.Other.IsZero() {
		clocks[1] = limits.Clock
	}
	if u.desk.ref.Turn() == engines.Second {
		clocks[0], clocks[1] = clocks[1], clocks[0]
	}
	return fmt.Sprintf("go p1time %d p2time %d p1inc %d p2inc %d", clocks[0].Base.Milliseconds(), clocks[1].Base.Milliseconds(),
		clocks[0].Inc.Milliseconds(), clocks[1].Inc.Milliseconds())
}

// oneOf names the limit that is set, "" for none and "many" for several.
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

func (u *ugi) choose(ctx context.Context, l *link, limits engines.Limits) (engines.Decision, error) {
	text, err := u.question(limits)
	if err != nil {
		return engines.Decision{}, err
	}
	var d engines.Decision
	synced := false
	answer := func(line string) (bool, error) {
		switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); {
		case word == "readyok" && !synced:
			synced = true
		case !synced:
			return false, stray(l, line)
		case word == "info":
			readInfo(rest, &d)
		case word == "bestmove":
			return true, u.readMove(l, rest, &d)
		}
		return false, nil
	}
	err = l.ask(ctx, l.thinking(text, "stop\n", limits, len(u.desk.moves), answer))
	return d, err
}

// differs implements witness by query. A program that does not know the word
// says nothing, and so in nothing.
func (u *ugi) differs(ctx context.Context, l *link) (string, error) {
	text, err := u.positionText("query p1turn\nquery gameover\n")
	if err != nil {
		return "", err
	}
	var said []string
	err = l.ask(ctx, request{what: "asking how it sees the game", text: text + "isready\n", wait: l.patience.Ready, line: until("readyok", func(line string) error {
		if word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); word == "response" {
			said = append(said, rest)
		}
		return stray(l, line)
	})})
	if err != nil || len(said) != 2 {
		return "", err
	}
	over, _ := u.desk.ref.Result()
	for i, want := range []bool{u.desk.ref.Turn() == engines.First, over != engines.Ongoing} {
		if name := [...]string{"p1turn", "gameover"}[i]; said[i] != strconv.FormatBool(want) {
			return fmt.Sprintf("in %q it answers query %s with %s, and here it is %v", u.desk.ref.String(), name, shorten(said[i]), want), nil
		}
	}
	return "", nil
}

// question writes the position and the limits.
func (u *ugi) question(limits engines.Limits) (string, error) {
	goal, err := u.goWords(limits)
	if err != nil {
		return "", err
	}
	return u.positionText("isready\n" + goal + "\n")
}

// positionText writes the position, then what is to follow it.
func (u *ugi) positionText(then string) (_ string, err error) {
	b := &u.buf
	b.Reset()
	if u.desk.atStart && !u.host { // startpos would not tell a host the size
		b.WriteString("position startpos")
	} else {
		b.WriteString("position fen " + u.desk.start)
	}
	for i, text := range u.desk.texts {
		if i == 0 {
			b.WriteString(" moves")
		}
		if text, err = u.notation.out(u.game, text); err != nil {
			return "", fmt.Errorf("engine %s: %w", u.engine.Name, err)
		}
		b.WriteString(" " + text)
	}
	b.WriteString("\n" + then)
	return b.String(), nil
}

func (u *ugi) readMove(l *link, rest string, d *engines.Decision) (err error) {
	text, _, _ := strings.Cut(rest, " ")
	if text != "" && !noMove(text) {
		own, err := u.notation.in(u.game, text)
		if err != nil {
			return l.fault(engines.Garbage, "answered with no move: %v", err)
		}
		text = own
	}
	d.Move, err = u.desk.moveOf(l, text)
	return err
}

// readInfo takes depth, nodes and score from the words after info; other and
// broken words are passed over.
func readInfo(rest string, d *engines.Decision) {
	f := words(rest)
	for i := 0; i+1 < len(f); i++ {
		switch f[i] {
		case "string": // our own servers tell the exact score so
			if i == 0 && len(f) == 3 && f[1] == "score" {
				if x, err := strconv.ParseFloat(f[2], 64); err == nil {
					d.Score = x
				}
			}
			return
		case "pv":
			return
		case "depth":
			if n, err := strconv.Atoi(f[i+1]); err == nil {
				d.Depth = n
			}
		case "nodes":
			if n, err := strconv.ParseInt(f[i+1], 10, 64); err == nil {
				d.Nodes = n
			}
		case "cp":
			if x, err := strconv.ParseFloat(f[i+1], 64); err == nil {
				d.Score, d.Mate = x, 0
			}
		case "mate": // in plies, as ugi.md says
			if n, err := strconv.Atoi(f[i+1]); err == nil {
				d.Mate, d.Score = n, mateScore(n)
			}
		}
	}
}

// mateScore is a score for a proven end, beyond every other and less the longer
// it takes.
func mateScore(plies int) float64 {
	if plies < 0 {
		return -mateScore(-plies)
	}
	return 1e6 - float64(plies)
}

func (u *ugi) farewell() string { return "quit\n" }

func (u *ugi) startsOnly() bool { return !u.notation.positions }

var _ limiter = (*ugi)(nil)
