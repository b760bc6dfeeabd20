package protocol

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/params/formats"
	"selfplaylab/reports/text"
)

// qtpProtocol describes the Quoridor text protocol.
func qtpProtocol() Protocol {
	return Protocol{
		Name: "qtp", Games: []string{"quoridor"}, Dialects: qtpDialectNames(), Rows: "rows",
		setting: "setoption %s %s", Connect: openQTP,
	}
}

// qtpClient speaks the Quoridor text protocol (University of Athens, 2022) in the dialect of
// the engine's file, or in the one that a handshake game finds. A reply is "= ..." or "? error"
// and an empty line.
//
// The protocol has no time: only this program's clock enforces a limit of time.
type qtpClient struct {
	engine  *EngineFile
	session *Session
	dialect *qtpDialect
	offer   *Offer
	rules   string
	plain   bool           // the rules are the published ones, or its file's
	sent    []engines.Move // the moves on the program's board
	known   bool           // the program's board certainly holds sent
}

// qtpDialect is a program's form of colours, squares and walls.
type qtpDialect struct {
	name string
	// first is the program's colour of the first side, which starts on e1 here.
	first string
	// flipped means that the first side starts on row 9: rows are counted from the other end.
	flipped bool
	// joined means that a wall is one token (e3h), else two (e3 horizontal).
	joined bool
	// shortWay means that the orientation is h or v, not horizontal or vertical.
	shortWay bool
	step     string // the word for a pawn's move
	wall     string // the word for a wall
	// file and row are added to the wall's anchor, the
	// square nearest a1 of the four that it touches.
	file, row int
}

// qtpDialects lists the known dialects, the commonest first.
// The handshake game tries them in this order.
func qtpDialects() []qtpDialect {
	base := []qtpDialect{
		{name: "qtp", step: "playmove", wall: "playwall"},
		{name: "joined", joined: true, step: "playmove", wall: "playwall"},
		{name: "play", joined: true, step: "play", wall: "play"},
		{name: "move-wall", joined: true, step: "move", wall: "wall"},
		{name: "short", shortWay: true, step: "playmove", wall: "playwall"},
	}
	var all []qtpDialect
	for _, b := range base {
		for _, anchor := range []struct {
			name      string
			file, row int
		}{{"", 0, 0}, {"-nw", 0, 1}, {"-se", 1, 0}, {"-ne", 1, 1}} {
			for _, first := range []string{"black", "white"} {
				for _, flipped := range []bool{true, false} {
					d := b
					d.first = first
					d.flipped = flipped
					d.file = anchor.file
					d.row = anchor.row
					d.name = b.name + anchor.name + "-" + first + map[bool]string{true: "-top", false: "-bottom"}[flipped]
					all = append(all, d)
				}
			}
		}
	}
	return all
}

// qtpDialectNames returns the names of the dialects.
func qtpDialectNames() []string {
	return text.Each(qtpDialects(), func(d qtpDialect) string { return d.name })
}

// findDialect returns the named dialect.
func findDialect(name string) (*qtpDialect, error) {
	for _, d := range qtpDialects() {
		if d.name == name {
			return &d, nil
		}
	}
	return nil, fmt.Errorf("unknown dialect %q; known: %s", name, strings.Join(qtpDialectNames(), ", "))
}

// colour returns the program's colour of a side.
func (q *qtpDialect) colour(side engines.Side) string {
	if (side == engines.First) == (q.first == "black") {
		return "black"
	}
	return "white"
}

// command returns a move of this program in the other program's form.
func (q *qtpDialect) command(side engines.Side, text string) (string, error) {
	file, row, letter, err := squareOf(text)
	if err != nil {
		return "", err
	}
	if letter == 0 {
		if q.flipped {
			row = 10 - row
		}
		return fmt.Sprintf("%s %s %c%d", q.step, q.colour(side), 'a'+file, row), nil
	}
	if q.flipped {
		row = 9 - row
	}
	square := fmt.Sprintf("%c%d", 'a'+file+q.file, row+q.row)
	return fmt.Sprintf("%s %s %s", q.wall, q.colour(side), square+q.orientation(letter)), nil
}

// orientation returns an orientation, h or v, in the program's form.
func (q *qtpDialect) orientation(letter byte) string {
	switch {
	case q.joined:
		return string(letter)
	case q.shortWay:
		return " " + string(letter)
	case letter == 'h':
		return " horizontal"
	}
	return " vertical"
}

// squareOf reads e2, e3h or e3v: the file from 0,
// the row from 1, and the orientation, 0 for a pawn.
func squareOf(text string) (file, row int, orientation byte, err error) {
	if len(text) == 3 && (text[2] == 'h' || text[2] == 'v') {
		orientation, text = text[2], text[:2]
	}
	if len(text) != 2 || text[0] < 'a' || text[0] > 'i' || text[1] < '1' || text[1] > '9' {
		return 0, 0, 0, fmt.Errorf("%q is neither a square nor a wall", text)
	}
	return int(text[0] - 'a'), int(text[1] - '0'), orientation, nil
}

// parseMove reads a program's answer: e5, e3h, or "e3 horizontal".
func (q *qtpDialect) parseMove(answer string) (string, error) {
	f := strings.Fields(strings.ToLower(answer))
	if len(f) > 0 && (f[0] == "black" || f[0] == "white") {
		f = f[1:]
	}
	if len(f) == 2 && (strings.HasPrefix("horizontal", f[1]) || strings.HasPrefix("vertical", f[1])) {
		f = []string{f[0] + f[1][:1]}
	}
	if len(f) != 1 {
		return "", fmt.Errorf("%q is neither a square nor a wall", process.Shorten(answer))
	}
	file, row, orientation, err := squareOf(f[0])
	if err != nil {
		return "", err
	}
	if orientation == 0 {
		if q.flipped {
			row = 10 - row
		}
		return fmt.Sprintf("%c%d", 'a'+file, row), nil
	}
	file, row = file-q.file, row-q.row
	if q.flipped {
		row = 9 - row
	}
	if file < 0 || file > 7 || row < 1 || row > 8 {
		return "", fmt.Errorf("wall %q is off the board in the dialect %s", process.Shorten(answer), q.name)
	}
	return fmt.Sprintf("%c%d%c", 'a'+file, row, orientation), nil
}

// openQTP connects to a program. It refuses rules that the engine's file excludes.
func openQTP(e *EngineFile, v engines.Variant, d *Session) (Client, error) {
	declared, err := e.admit(v)
	if err != nil {
		return nil, err
	}
	rules, err := engines.ParseRules(v.Rules)
	if err != nil {
		return nil, err
	}
	q := &qtpClient{engine: e, session: d, rules: v.Rules, plain: declared || rules["variant"] == "standard"}
	if e.Dialect != "" {
		q.dialect, err = findDialect(e.Dialect)
	}
	return q, err
}

// reply is the answer to a command of QTP.
type reply struct {
	ok   bool
	text string // lines joined by spaces
}

// say sends one command and reads its reply. what describes it for faults.
func (q *qtpClient) say(ctx context.Context, l *Link, request, command string) (reply, error) {
	return q.exchange(ctx, l, process.Request{What: request, Text: command + "\n", Wait: l.Patience.Ready})
}

// exchange sends a request and reads the reply to its last command.
// QTP answers each command, so earlier lines of the text must be none.
func (q *qtpClient) exchange(ctx context.Context, l *Link, r process.Request) (reply, error) {
	var got reply
	begun := false
	r.Line = func(line string) (bool, error) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "" && begun:
			return true, nil
		case line == "":
		case !begun && (line[0] == '=' || line[0] == '?'):
			begun, got.ok, got.text = true, line[0] == '=', strings.TrimSpace(line[1:])
		case !begun:
			return false, l.Garbage("an answer that begins neither with = nor with ?: %q", process.Shorten(line))
		case len(got.text) > l.MaxLine:
			return false, l.Garbage("an answer without end: %q", process.Shorten(got.text))
		default:
			got.text = strings.TrimSpace(got.text + " " + line)
		}
		return false, nil
	}
	err := l.Ask(ctx, r)
	return got, err
}

// Greet implements Client.
func (q *qtpClient) Greet(ctx context.Context, l *Link) (Offer, error) {
	o := Offer{}
	q.offer = &o
	r, err := q.exchange(ctx, l, process.Request{What: "greeting it with name", Text: "name\n", Wait: l.Patience.Start})
	if err != nil {
		return o, err
	}
	o.Name = r.text
	if r, err = q.say(ctx, l, "asking what it knows", "list_commands"); err != nil {
		return o, err
	}
	if r.ok {
		o.Extensions = strings.Fields(r.text)
	}
	if o.extends("options") {
		if err := q.readOptions(ctx, l, &o); err != nil {
			return o, err
		}
	}
	if q.dialect == nil {
		err = q.handshake(ctx, l)
	}
	return o, err
}

// readOptions reads the answer to the extension options:
// rows "option ..." and "param ..." joined by ";".
func (q *qtpClient) readOptions(ctx context.Context, l *Link, o *Offer) error {
	r, err := q.say(ctx, l, "asking for its options", "options")
	if err != nil || !r.ok {
		return err
	}
	for row := range strings.SplitSeq(r.text, ";") {
		row = strings.TrimSpace(row)
		switch {
		case strings.HasPrefix(row, "param "):
			p, err := formats.ParseRow(row)
			if err != nil {
				return l.Garbage("%v", err)
			}
			o.params = append(o.params, p)
			o.Options = append(o.Options, Option{Name: p.Name, Type: "string"})
		case strings.HasPrefix(row, "option "):
			if option, err := parseOption(strings.Fields(row)[1:]); err == nil {
				o.Options = append(o.Options, option)
			}
		}
	}
	return nil
}

// handshakeMoves are legal from the start by the published rules, and distinguish the dialects.
// Steps show colours and sides, walls at opposite corners show the anchor,
// and handshakeRace, a run to the goal afterwards, shows who wins where.
var (
	handshakeMoves = []string{"e2", "e8", "a1h", "h8v", "d2", "f8"}
	handshakeRace  = []string{"d3", "f7", "d4", "f6", "d5", "f7", "d6", "f6", "d7", "f7", "d8", "f6", "d9"}
)

// handshake finds the dialect: the first in which the program accepts all moves,
// nobody has won after them, and the first side has won at the end of the race.
func (q *qtpClient) handshake(ctx context.Context, l *Link) error {
	tried := 0
	for _, d := range qtpDialects() {
		if !q.speaks(&d) {
			continue
		}
		tried++
		fits, err := q.fits(ctx, l, &d)
		if err != nil {
			return err
		}
		if fits {
			q.dialect = &d
			return nil
		}
	}
	return fmt.Errorf("engine %s: none of %d dialects of QTP fits: it does not take %s", q.engine.Name, tried,
		strings.Join(handshakeMoves, " "))
}

// speaks reports whether the program lists the commands of a dialect.
func (q *qtpClient) speaks(d *qtpDialect) bool {
	return len(q.offer.Extensions) == 0 || q.offer.extends(d.step) && q.offer.extends(d.wall)
}

// fits plays the handshake game in a dialect.
func (q *qtpClient) fits(ctx context.Context, l *Link, d *qtpDialect) (bool, error) {
	if err := q.clear(ctx, l); err != nil {
		return false, err
	}
	side := engines.First
	for i, text := range append(append([]string(nil), handshakeMoves...), handshakeRace...) {
		if i == len(handshakeMoves) {
			if r, err := q.say(ctx, l, "asking who has won", "winner"); err != nil || winner(r) != "" {
				return false, err
			}
		}
		command, err := d.command(side, text)
		if err != nil {
			return false, err
		}
		if r, err := q.say(ctx, l, "the handshake game", command); err != nil || !r.ok {
			return false, err
		}
		side = side.Other()
	}
	r, err := q.say(ctx, l, "asking who has won", "winner")
	return winner(r) == d.colour(engines.First), err
}

// winner reads the side that has won, "" for none, from replies
// such as "true white", "white", "w", "B", "none", "false".
func winner(r reply) string {
	for _, w := range strings.Fields(strings.ToLower(r.text)) {
		switch w {
		case "b", "black":
			return "black"
		case "w", "white":
			return "white"
		}
	}
	return ""
}

// clear sets up an empty board of nine with ten walls each.
// A program without boardsize or walls has these anyway.
func (q *qtpClient) clear(ctx context.Context, l *Link) error {
	for _, c := range []struct {
		command string
		must    bool
	}{{"boardsize 9", false}, {"clear_board", true}, {"walls 10", false}} {
		word, _, _ := strings.Cut(c.command, " ")
		if len(q.offer.Extensions) > 0 && !q.offer.extends(word) && !c.must {
			continue
		}
		r, err := q.say(ctx, l, "setting up the board", c.command)
		if err != nil {
			return err
		}
		if !r.ok && c.must {
			return fmt.Errorf("engine %s refuses %s: %s", q.engine.Name, c.command, process.Shorten(r.text))
		}
	}
	return nil
}

// Set implements Client.
// It sends the rules if the program has an option for
// rules; other programs play by the published rules.
func (q *qtpClient) Set(ctx context.Context, l *Link, values []Setting) error {
	if err := refuseOwn(q.engine.Name, values, "game", "rules", "seed"); err != nil {
		return err
	}
	if _, ok := q.offer.Option("rules"); ok {
		values = append([]Setting{{"rules", q.rules}}, values...)
	} else if !q.plain {
		return fmt.Errorf("engine %s: QTP plays by the published rules, not by %s: play with variant=standard, or write games = [%q] in %s "+
			"if it plays by them",
			q.engine.Name, q.rules, "quoridor:"+q.rules, q.engine.File)
	}
	for _, s := range values {
		r, err := q.say(ctx, l, "setting options", "setoption "+s.Name+" "+s.Value)
		if err != nil {
			return err
		}
		if !r.ok {
			return fmt.Errorf("engine %s does not take %s = %s: %s", q.engine.Name, s.Name, s.Value, process.Shorten(r.text))
		}
	}
	return nil
}

// NewGame implements Client.
func (q *qtpClient) NewGame(ctx context.Context, l *Link, seed uint64) error {
	if !q.session.atStart {
		return fmt.Errorf("engine %s: QTP sets up no positions, and this game starts from %q: play openings of moves", q.engine.Name,
			q.session.start)
	}
	if q.offer.extends("seed") {
		if _, err := q.say(ctx, l, "setting the seed", "seed "+strconv.FormatUint(seed, 10)); err != nil {
			return err
		}
	}
	q.sent, q.known = q.sent[:0], true
	return q.clear(ctx, l)
}

// admits returns an error for limits other than time, unless the program has the extension limits.
func (q *qtpClient) admits(limits engines.Limits) error {
	limits.Time, limits.Clock = 0, engines.Clock{}
	if !limits.IsZero() && !q.offer.extends("limits") {
		return fmt.Errorf("limits %q: QTP has none; set the engine up by its args or options", limits)
	}
	return nil
}

// Choose implements Client.
// It sends the program's missing moves and requests its own.
// A lost turn in the record cannot be sent.
func (q *qtpClient) Choose(ctx context.Context, l *Link, limits engines.Limits) (engines.Decision, error) {
	if err := q.catchUp(ctx, l); err != nil {
		return engines.Decision{}, err
	}
	if q.offer.extends("limits") {
		rest := limits
		rest.Time = limits.MoveTime()
		rest.Clock = engines.Clock{}
		rest.Margin = 0
		if _, err := q.say(ctx, l, "setting limits", "limits "+rest.String()); err != nil {
			return engines.Decision{}, err
		}
	}
	r := thinking(l, "genmove "+q.dialect.colour(q.session.ref.Turn())+"\n", "", limits, len(q.session.moves), nil)
	q.known = false
	got, err := q.exchange(ctx, l, r)
	if err != nil {
		return engines.Decision{}, err
	}
	d := unscored()
	if !got.ok {
		return d, l.Complain(engines.IllegalMove, "answers genmove with an error, %q, in %q", process.Shorten(got.text), q.session.ref.String())
	}
	text := got.text
	q.session.Said = text
	if text != "" && !noMove(text) {
		if text, err = q.dialect.parseMove(text); err != nil {
			return d, l.Garbage("answered with no move: %v", err)
		}
	}
	if d.Move, err = q.session.moveOf(l, text); err != nil {
		return d, err
	}
	q.sent, q.known = append(append(q.sent[:0], q.session.moves...), d.Move), true
	return d, nil
}

// catchUp sends the program the moves since its last answer, or all of them on a cleared board.
func (q *qtpClient) catchUp(ctx context.Context, l *Link) error {
	n := len(q.sent)
	if !q.known || n > len(q.session.moves) || !slices.Equal(q.sent, q.session.moves[:n]) {
		if err := q.clear(ctx, l); err != nil {
			return err
		}
		n = 0
	}
	for i, text := range q.session.texts[n:] {
		command, err := q.dialect.command(engines.Side((n+i)%2), text)
		if err != nil {
			return fmt.Errorf("engine %s: QTP cannot say the move: %w", q.engine.Name, err)
		}
		r, err := q.say(ctx, l, "telling it the moves", command)
		if err != nil {
			return err
		}
		if !r.ok {
			return l.Garbage("refuses the legal move %s (%s): %s", text, command, process.Shorten(r.text))
		}
	}
	q.sent, q.known = append(q.sent[:0], q.session.moves...), true
	return nil
}

// Quit implements Client.
func (q *qtpClient) Quit() string { return "quit\n" }

// Capabilities implements Client.
func (q *qtpClient) Capabilities() capabilities {
	return capabilities{Limits: q.admits}
}
