package protocol

import (
	"cmp"
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
)

// uciProtocol describes the Universal Chess Interface.
func uciProtocol() Protocol {
	return Protocol{
		Name: "uci", Games: []string{"chess"}, Rows: "openbench",
		setting: "setoption name %s value %s", complaint: "info string error: %s",
		Connect: openUCI, serve: func(s *server) (dialogue, error) { return &uciServer{ugiServer{s, [2]string{"w", "b"}}}, nil },
	}
}

// chess960Option makes a program play chess960. variantRule is the rule that selects
// chess960 here, plainVariant its value for standard chess.
const (
	chess960Option = "UCI_Chess960"
	variantRule    = "variant"
	plainVariant   = "standard"
)

// uciClient speaks the Universal Chess Interface, by ugiClient where both are alike.
type uciClient struct {
	ugiClient
	free   bool                         // the game is chess960
	fen    func(string) (string, error) // returns a position as six fields
	begins string                       // words for the game's start position, which every question repeats
	from   string                       // this position
	link   *Link
	depth  int   // of the last info line of this decision without a result
	probed bool  // probe was called
	nodes  error // result of probe
}

// openUCI connects to a chess program.
func openUCI(e *EngineFile, v engines.Variant, d *Session) (Client, error) {
	base, rules, err := openUGI(e, v, d)
	if err != nil {
		return nil, err
	}
	u := &uciClient{ugiClient: base, fen: v.Files.Start}
	u.notation = ugiDialects()[0]
	u.notation.newGame, u.free = "ucinewgame", rules[variantRule] != plainVariant
	u.words = u.goWords
	u.start = u.startWords
	u.info = func(rest string, d *engines.Decision) { readUCIInfo(rest, d, &u.depth) }
	u.move = u.readMove
	return u, nil
}

// Greet implements Client.
func (u *uciClient) Greet(ctx context.Context, l *Link) (Offer, error) {
	u.link = l
	return u.greet(ctx, l, "uci", "ugiok")
}

// Set implements Client.
// It sends options, a button without a value, and waits until the program is ready.
// That may take long, because the program builds tables and reads networks.
func (u *uciClient) Set(ctx context.Context, l *Link, values []Setting) error {
	if err := refuseOwn(u.engine.Name, values, "game", "rules", "seed", chess960Option); err != nil {
		return err
	}
	var b strings.Builder
	_, ours := u.offer.Option("rules")
	o, known := u.offer.Option(chess960Option)
	switch {
	case ours:
		writeOptions(&b, Setting{"rules", u.rules})
	case known:
		writeOptions(&b, Setting{o.Name, strconv.FormatBool(u.free)})
	case u.free:
		return fmt.Errorf("engine %s offers no option %s, so it does not play chess960: use the rule %s=%s", u.engine.Name, chess960Option,
			variantRule, plainVariant)
	}
	for _, s := range values {
		o, _ := u.offer.Option(s.Name)
		if o.Type == "button" {
			fmt.Fprintf(&b, "setoption name %s\n", o.Name)
			continue
		}
		writeOptions(&b, Setting{cmp.Or(o.Name, s.Name), s.Value}) // as announced, because many programs distinguish case
	}
	return ready(ctx, l, settingOptions(values), b.String())
}

// admits returns an error for limits that UCI lacks, and
// for a number of nodes if the program does not keep to it.
func (u *uciClient) admits(limits engines.Limits) error {
	if _, err := u.goWords(limits); err != nil || limits.Nodes == 0 {
		return err
	}
	if !u.probed && u.link != nil {
		u.nodes, u.probed = u.probe(context.Background(), u.link), true
	}
	return u.nodes
}

// mostProbed is the largest number of nodes of a search of one node: some
// programs check the limit every few thousand nodes, or finish an iteration.
const mostProbed = 20_000

// probe requests a search of one node, because no option tells whether a program supports go nodes.
// It returns an error if the program does not.
func (u *uciClient) probe(ctx context.Context, l *Link) error {
	var d engines.Decision
	begun, wait := l.Clock.Now(), 2*l.Patience.Grace
	err := l.Ask(ctx, process.Request{What: "searching one node, to see whether it knows go nodes", Text: "position startpos\ngo nodes 1\n",
		Wait: wait, Hurry: "stop\n", Grace: l.Patience.Grace, Line: func(line string) (bool, error) {
			word, rest := cutWord(line)
			if word == "info" {
				readUCIInfo(rest, &d, new(int))
			}
			return word == "bestmove", nil
		}})
	if err != nil {
		return err
	}
	if took := l.Clock.Now().Sub(begun); d.Nodes > mostProbed || took >= wait {
		return fmt.Errorf("it does not keep to go nodes: asked for 1 node, it searched %d in %v; give depth or time", d.Nodes,
			took.Round(time.Millisecond))
	}
	return ready(ctx, l, "starting a game", "ucinewgame\n")
}

// Choose implements Client.
func (u *uciClient) Choose(ctx context.Context, l *Link, limits engines.Limits) (engines.Decision, error) {
	u.depth = 0
	return u.ugiClient.Choose(ctx, l, limits)
}

// goWords returns the command of a search under limits, which hold together.
func (u *uciClient) goWords(limits engines.Limits) (string, error) {
	var b strings.Builder
	switch {
	case limits.Playouts > 0:
		return "", fmt.Errorf("limits %q: UCI has depth, nodes and time", limits)
	case limits.IsZero():
		return "", fmt.Errorf("no limit of a decision; give one of depth, nodes or time, or limits in %s", u.engine.File)
	case limits.Time > 0 && limits.Time < time.Millisecond:
		return "", fmt.Errorf("limits %q: the protocol counts milliseconds; give at least 1ms", limits)
	}
	b.WriteString("go")
	if limits.Depth > 0 {
		fmt.Fprintf(&b, " depth %d", limits.Depth)
	}
	if limits.Nodes > 0 {
		fmt.Fprintf(&b, " nodes %d", limits.Nodes)
	}
	if limits.Time > 0 {
		fmt.Fprintf(&b, " movetime %d", limits.Time.Milliseconds())
	}
	if !limits.Clock.IsZero() {
		b.WriteString(u.clockWords(limits))
	}
	return b.String(), nil
}

// clockWords returns the rest of both clocks, and the number of moves for them.
func (u *uciClient) clockWords(limits engines.Limits) string {
	clocks := u.clocks(limits)
	text := fmt.Sprintf(" wtime %d btime %d", clocks[0].Base.Milliseconds(), clocks[1].Base.Milliseconds())
	if clocks[0].Inc > 0 || clocks[1].Inc > 0 {
		text += fmt.Sprintf(" winc %d binc %d", clocks[0].Inc.Milliseconds(), clocks[1].Inc.Milliseconds())
	}
	if limits.Clock.Moves > 0 {
		text += fmt.Sprintf(" movestogo %d", limits.Clock.Moves)
	}
	return text
}

// startWords returns the words for the game's start position, with the counters
// of its text, because programs count moves without progress themselves.
func (u *uciClient) startWords() string {
	if position := u.session.position; u.begins == "" || position != u.from {
		fen, _ := u.fen(position) // the session's referee has accepted it
		u.from, u.begins = position, "fen "+fen
		if u.session.atStart && !u.free && strings.Fields(fen)[4] == "0" {
			u.begins = "startpos"
		}
	}
	return u.begins
}

// uciMove is the form of a move. The letter of a promotion may be in upper case.
var uciMove = regexp.MustCompile(`^[a-h][1-8][a-h][1-8][nbrqNBRQ]?$`)

// readMove reads the answer bestmove.
func (u *uciClient) readMove(l *Link, rest string, d *engines.Decision) (err error) {
	text, _ := cutWord(rest)
	u.session.Said = text
	if text != "" && !noMove(text) && !uciMove.MatchString(text) {
		return l.Garbage("answered with no move of UCI: %q", process.Shorten(text))
	}
	d.Move, err = u.session.moveOf(l, text)
	return err
}

// readUCIInfo is readInfo with mates counted in moves.
// It skips scores that are only bounds, and lines about other variations than the first.
// It reads the depth of lines with a score or variation, because a beginning iteration has no
// result yet. Where such a line has no depth, depth holds the one of the line before.
func readUCIInfo(rest string, d *engines.Decision, depth *int) {
	var score, mate, line, unusable bool
	word := ""
	for next := range strings.FieldsSeq(rest) {
		switch {
		case word == "multipv" && next != "1":
			return
		case next == "pv":
			line = true
		case next == "score" && !line:
			score = true
		case word == "score" && next == "mate":
			mate = true
		case word == "" && next == "string", next == "lowerbound", next == "upperbound":
			unusable = true
		}
		word = next
	}
	before := *d
	const none = math.MinInt
	d.Mate, d.Depth = 0, none
	readInfo(rest, d)
	given := d.Depth
	switch d.Depth = before.Depth; {
	case unusable:
	case !score && !line && d.Depth == 0 && !math.IsNaN(before.Score): // of the line with the score before
		d.Depth = max(given, 0)
	case !score && !line:
		*depth = max(given, *depth)
	case given != none:
		d.Depth, *depth = given, 0
	case *depth > 0:
		d.Depth, *depth = *depth, 0
	}
	if !score || unusable || mate && d.Mate == 0 { // mated: there is no move to request
		d.Score, d.Mate = before.Score, before.Mate
		return
	}
	switch n := d.Mate; {
	case n > 0:
		d.Mate = 2*n - 1
	case n < 0:
		d.Mate = 2 * n
	default:
		return
	}
	d.Score = mateScore(d.Mate)
}

// Capabilities implements Client.
func (u *uciClient) Capabilities() capabilities {
	return capabilities{Positions: true, Limits: u.admits}
}

// uciServer offers a player in UCI.
type uciServer struct{ ugiServer }

// hear implements dialogue.
func (u *uciServer) hear(ctx context.Context, line string) (quit bool) {
	return u.hearUCI(ctx, line, u.act)
}

// act acts on a command that comes outside a search.
func (u *uciServer) act(ctx context.Context, f []string) error {
	switch f[0] {
	case "uci":
		u.say("id name %s\nid author the selfplaylab authors", u.name())
		for _, o := range u.typed() {
			u.say("%s", o)
		}
		u.say("uciok")
		return nil
	case "setoption":
		if len(f) == 5 && strings.EqualFold(f[2], chess960Option) {
			return u.setFree(f[4] == "true")
		}
	case "ucinewgame":
		u.newGame = true
		return u.place("", nil)
	case "ugi", "uginewgame", "query":
		return fmt.Errorf("unknown command %q", process.Shorten(f[0]))
	}
	return u.ugiServer.act(ctx, f)
}

// setFree changes between chess960 and standard chess.
func (u *uciServer) setFree(free bool) error {
	rules, err := engines.ParseRules(u.variant.Rules)
	if err != nil {
		return err
	}
	if own := rules[variantRule] != plainVariant; own == free {
		return nil
	}
	if rules[variantRule] = plainVariant; free {
		rules[variantRule] = "chess960"
	}
	return u.open(rules)
}

// typed returns the options with UCI's types.
// Whole numbers are spins, for the tuners of other programs.
func (u *uciServer) typed() []Option {
	list := u.offered()
	own := len(list) - len(u.game.Space)
	for i, p := range u.game.Space {
		o := &list[own+i]
		switch {
		case len(p.Labels) > 0:
			o.Type, o.Values = "combo", p.Labels
		case p.Whole:
			o.Type = "spin"
			o.Ranged = true
			o.Min = int64(p.Min)
			o.Max = int64(p.Max)
		}
	}
	plain := strings.Contains(u.variant.Rules, variantRule+"="+plainVariant)
	free := Option{Name: chess960Option, Type: "check", Default: strconv.FormatBool(!plain)}
	return slices.Insert(list, own, free)
}

// tell implements dialogue.
func (u *uciServer) tell(d engines.Decision, elapsed time.Duration, err error) {
	if err != nil {
		u.complain("%v", err)
		u.say("bestmove (none)")
		return
	}
	if d.Mate > 0 {
		d.Mate = (d.Mate + 1) / 2
	} else {
		d.Mate = -((1 - d.Mate) / 2)
	}
	move := u.ref.MoveString(d.Move)
	u.say("%s pv %s\nbestmove %s", u.infoLine(d, elapsed), move, move)
}
