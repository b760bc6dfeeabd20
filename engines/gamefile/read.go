package gamefile

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"selfplaylab/engines"
)

// Read reads the games of a file, in the form that the ending of its name says. Moves are
// in the game's own notation, as Write has them; all count as chosen but those that the file
// says are of a book. The outcome is that of the rules or, in a game that was not played to its
// end, that of the file: Ongoing if it gives none. The text is UTF-8 without a byte order mark.
func Read(v engines.Variant, name string, data []byte) (list []Game, err error) {
	f, err := Find(strings.ToLower(strings.TrimPrefix(filepath.Ext(name), ".")), v.Game.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if f.read == nil {
		return nil, fmt.Errorf("%s: games in the form of %s are written, not read", name, f.Name)
	}
	written, err := f.read(v, string(data))
	if err == nil && len(written) == 0 {
		return nil, fmt.Errorf("%s: it holds no games", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	for _, t := range written {
		g := Game{Variant: v, Position: t.Position, Outcome: t.Outcome}
		for i, move := range t.Moves {
			g.Moves = append(g.Moves, Move{Text: move, Opening: i < t.Book})
		}
		if err := g.settle(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, t.Line, err)
		}
		list = append(list, g)
	}
	return list, nil
}

// settle plays the moves, and sets sides and outcome by the rules.
func (g *Game) settle() error {
	ref := g.Variant.NewReferee()
	if err := ref.Reset(g.Position); err != nil {
		return err
	}
	for i := range g.Moves {
		m := &g.Moves[i]
		m.Side = ref.Turn()
		if _, err := engines.PlayText(ref, m.Text); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	if outcome, reason := ref.Result(); outcome != engines.Ongoing {
		g.Outcome, g.Reason = outcome, reason
	}
	return nil
}

// Text is a game as a file writes it, in words.
type Text struct {
	Line     int // of the file, where it begins
	Position string
	Moves    []string
	Book     int             // how many of these the comment "book" marks, from the first on
	Outcome  engines.Outcome // that the file gives
}

func readPGN(_ engines.Variant, text string) ([]Text, error) { return ParsePGN(text) }

var (
	pgnResultTag = regexp.MustCompile(`\[Result\s+"([^"]*)"`)
	pgnFault     = regexp.MustCompile(`(?i)\[Termination\s+"(?:time forfeit|illegal move|abandoned|stalled connection|rules infraction|unterminated)"`)
	pgnFEN       = regexp.MustCompile(`\[FEN\s+"([^"]*)"`)
	pgnVariant   = regexp.MustCompile(`(?i)\[Variant\s+"(?:standard|normal|chess|from position|chess ?960|fische?r ?r?andom|)"`)
)

// ParsePGN reads the games of a PGN file. Comments but "book", variations, annotations and numbers
// are passed over. Of the tags FEN counts, Result where the moves end without one, and Termination: a
// game that a fault ended has no result. A game without a result in its moves ends where the next has
// tags or its move 1. Games of chess by other rules are refused. Errors begin with the line.
func ParsePGN(text string) (list []Text, err error) {
	r := pgnReader{closed: true}
	number := 0
	for line := range strings.Lines(text) {
		number++
		switch plain := !r.comment && r.depth == 0; {
		case plain && strings.HasPrefix(strings.TrimSpace(line), "["): // tags
			if len(r.game.Moves) > 0 {
				r.end()
			}
			r.begin(number)
			if fen := pgnFEN.FindStringSubmatch(line); fen != nil {
				r.game.Position = fen[1]
			}
			if result := pgnResultTag.FindStringSubmatch(line); result != nil {
				r.game.Outcome, _ = parseResult(result[1]) // a tag may hold anything
			}
			r.fault = r.fault || pgnFault.MatchString(line)
			if tag := strings.TrimSpace(line); strings.HasPrefix(tag, "[Variant ") && !pgnVariant.MatchString(tag) {
				return nil, fmt.Errorf("%d: %s: a game by other rules", number, tag)
			}
		case plain && line[0] == '%':
		default:
			r.read(line, number)
		}
	}
	if r.comment || r.depth > 0 {
		return nil, fmt.Errorf("%d: a comment or variation of this game does not end", max(1, r.game.Line))
	}
	r.end()
	return r.list, nil
}

// pgnReader is PGN while it is read.
type pgnReader struct {
	list    []Text
	game    Text
	closed  bool // no game is open: the one before has ended
	fault   bool // of a player, ended the game
	comment bool
	depth   int // of variations
}

func (p *pgnReader) begin(line int) {
	if p.closed {
		p.game, p.closed = Text{Line: line}, false
	}
}

func (p *pgnReader) end() {
	if p.fault {
		p.game.Outcome = engines.Ongoing
	}
	if !p.closed {
		p.list, p.game, p.closed, p.fault = append(p.list, p.game), Text{}, true, false
	}
}

// read reads the moves and results on a line.
func (p *pgnReader) read(line string, number int) {
	var b strings.Builder
	end := func() {
		p.word(b.String(), number)
		b.Reset()
	}
	defer end()
	for i, c := range line {
		switch {
		case p.comment:
			p.comment = c != '}'
		case c == ';':
			return
		case c == '{':
			end()
			p.comment = true
			text, _, _ := strings.Cut(line[i+1:], "}")
			if strings.TrimSpace(text) == "book" && p.depth == 0 && p.game.Book == len(p.game.Moves)-1 { // others write { book }
				p.game.Book++
			}
		case c == '(':
			end()
			p.depth++
		case c == ')':
			p.depth = max(p.depth-1, 0)
		case p.depth > 0:
		case unicode.IsSpace(c):
			end()
		default:
			if c == '$' {
				end()
			}
			b.WriteRune(c)
		}
	}
}

func (p *pgnReader) word(word string, line int) {
	if rest := strings.TrimLeft(word, "0123456789"); strings.HasPrefix(rest, ".") { // the number of a move
		if len(p.game.Moves) > 0 && word[:len(word)-len(rest)] == "1" && !strings.HasPrefix(rest, "..") {
			p.end()
		}
		word = strings.TrimLeft(rest, ".")
	}
	if strings.Trim(word, "!?") == "" || word[0] == '$' || word == "e.p." {
		return
	}
	p.begin(line)
	outcome, err := parseResult(word)
	if err != nil {
		p.game.Moves = append(p.game.Moves, word)
		return
	}
	p.game.Outcome = outcome
	p.end()
}

// parseResult reads a result as PGN writes it.
func parseResult(text string) (engines.Outcome, error) {
	if text == "1/2-1/2" {
		text = engines.Draw.String()
	}
	return engines.ParseOutcome(text)
}

var sgfFault = regexp.MustCompile(`^[BW]\+[TF]`) // on time, or forfeited

var sgfNode = regexp.MustCompile(`;\s*[BW]\[([a-z])([a-z])\](?:[BW]L\[[^]]*\])?(C\[book\])?`)

// readSGF reads games that start on the empty board, each a tree of one line.
func readSGF(v engines.Variant, text string) (list []Text, err error) {
	k, err := gomokuOf(&Game{Variant: v})
	if err != nil {
		return nil, err
	}
	before, _, _ := strings.Cut(text, "(;")
	line := 1 + strings.Count(before, "\n")
	for _, tree := range strings.Split(text, "(;")[1:] {
		if strings.Contains(tree, "AB[") || strings.Contains(tree, "AW[") {
			return nil, fmt.Errorf("%d: this game starts with stones on the board: want games from the start", line)
		}
		g := Text{Line: line}
		line += strings.Count(tree, "\n")
		switch _, result, _ := strings.Cut(tree, "RE["); {
		case sgfFault.MatchString(result): // no result, as in readPGN
		case strings.HasPrefix(result, "B+"):
			g.Outcome = engines.FirstWins
		case strings.HasPrefix(result, "W+"):
			g.Outcome = engines.SecondWins
		case strings.HasPrefix(result, "0"), strings.HasPrefix(result, "Draw"):
			g.Outcome = engines.Draw
		}
		for _, m := range sgfNode.FindAllStringSubmatch(tree, -1) {
			if m[3] != "" && g.Book == len(g.Moves) {
				g.Book++
			}
			g.Moves = append(g.Moves, k.text(int(m[1][0]-'a'), int(m[2][0]-'a')))
		}
		list = append(list, g)
	}
	return list, nil
}

// text is the inverse of cell.
func (g gomoku) text(x, y int) string { return string(rune('a'+x)) + strconv.Itoa(g.size-y) }

var psqMove = regexp.MustCompile(`^(\d+),(\d+),-?\d+\s*$`)

// readPSQ reads one game.
func readPSQ(v engines.Variant, text string) ([]Text, error) {
	k, err := gomokuOf(&Game{Variant: v})
	if err != nil {
		return nil, err
	}
	g := Text{Line: 1}
	for line := range strings.Lines(text) {
		if m := psqMove.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			x, _ := strconv.Atoi(m[1])
			y, _ := strconv.Atoi(m[2])
			g.Moves = append(g.Moves, k.text(x-1, y-1))
		}
	}
	return []Text{g}, nil
}
