package gamefile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"selfplaylab/engines"
)

// ParsePGN reads the games of a PGN file, also several on a line.
//
// It uses the tags White, Black and FEN; Game, Rules and Reason, as Write writes them; Variant;
// Result, if the moves end without one; and Termination: a game that ended by a fault has no
// result. Names of tags are compared without case. Comments except "book", variations,
// annotations and numbers are skipped. A game without a result in its moves ends before the
// next tag or the next move 1.
//
// A game of chess by other rules, and a game that is not PGN, has an error; the reader continues
// with the next tags.
func ParsePGN(text string) []Text {
	p := pgnReader{rest: spaced.ReplaceAllString(Plain(text), "$1$2"), line: 1, closed: true}
	for lineStart := true; p.rest != ""; {
		var err error
		switch c := p.rest[0]; {
		case c == '\n':
			p.skip(1)
			lineStart = true
			continue
		case c == ';' || c == '%' && lineStart:
			p.skip(strings.IndexByte(p.rest+"\n", '\n'))
		case c == '{':
			err = p.comment()
		case c == '(':
			p.depth++
			p.skip(1)
		case c == ')':
			p.depth = max(p.depth-1, 0)
			p.skip(1)
		case c == '[' && p.depth > 0 && lineStart && pgnTag.MatchString(p.rest):
			p.game.Err, p.depth = errVariation, 0
			p.end()
			continue
		case c == '[' && p.depth == 0:
			err = p.tag(lineStart)
		case c == '$':
			p.skip(len(p.rest) - len(strings.TrimLeft(p.rest[1:], "0123456789")))
		case strings.IndexFunc(p.rest, unicode.IsSpace) == 0:
			_, rest, _ := cutFunc(p.rest, func(r rune) bool { return r == '\n' || !unicode.IsSpace(r) })
			p.skip(len(p.rest) - len(rest))
			continue // the next word may still begin the line
		default:
			word, _, _ := cutFunc(p.rest[1:], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("{}();$[", r) })
			word = p.rest[:1+len(word)]
			if p.depth == 0 {
				p.word(word)
			}
			p.skip(len(word))
		}
		if err != nil {
			p.fail(err)
		}
		lineStart = err != nil
	}
	if p.depth > 0 {
		p.game.Err = errVariation
	}
	p.end()
	return p.list
}

// errVariation is the error of a game with an open variation.
var errVariation = errors.New("a variation of this game does not end")

// pgnReader is the state of reading PGN.
type pgnReader struct {
	rest string // not read yet
	line int    // line of the file at which rest begins
	list []Text
	game Text

	closed bool // no game is open
	fault  bool // a player's fault ended the game
	depth  int  // nesting of variations
	one    bool // the previous word was the number 1
	dotted bool // the game has numbers with dots
}

// skip skips bytes and counts their lines.
func (p *pgnReader) skip(n int) {
	p.line += strings.Count(p.rest[:n], "\n")
	p.rest = p.rest[n:]
}

// fail ends the open game with an error, and skips the rest of its text.
func (p *pgnReader) fail(err error) {
	p.begin()
	p.game.Line, p.game.Err, p.depth = p.line, err, 0
	p.end()
	next := len(p.rest)
	if at := pgnHead.FindStringIndex(p.rest[1:]); at != nil {
		next = at[1]
	}
	p.skip(next)
}

// comment reads a comment. The comment "book" marks the move before it.
func (p *pgnReader) comment() error {
	text, _, ended := strings.Cut(p.rest[1:], "}")
	if at := pgnHead.FindStringIndex(text); !ended || at != nil && pgnTag.MatchString(text[at[1]-1:]) {
		return errors.New("a comment of this game does not end")
	}
	if strings.TrimSpace(text) == "book" && p.depth == 0 && p.game.Book == len(p.game.Moves)-1 { // other programs write { book }
		p.game.Book++
	}
	p.skip(len(text) + 2)
	return nil
}

var (
	pgnTag      = regexp.MustCompile(`^\[\s*(\w+)\s*"((?:[^"\\\n]|\\.)*)"\s*\]`)
	pgnLooseTag = regexp.MustCompile(`^\[\s*(\w+)\s*"([^\n]*?)"\s*\]`) // with quotes in the value
	pgnHead     = regexp.MustCompile(`\n\s*\n\[`)                      // of a game
	spaced      = regexp.MustCompile(`(\d)[ \t]+(\.[. ])`)             // a number before its dots
	pgnFault    = regexp.MustCompile(`(?i)^(?:time forfeit|illegal move|abandoned|stalled connection|rules infraction|unterminated)`)
	pgnVariant  = regexp.MustCompile(`(?i)^(?:standard|normal|chess|from position|chess ?960|fische?r ?r?andom|)$`)
	ourGame     = regexp.MustCompile(`^[a-z]+$`) // other programs number their games in a tag Game
)

// tag reads a tag. The first tag after moves begins another game.
func (p *pgnReader) tag(lineStart bool) error {
	m := pgnTag.FindStringSubmatch(p.rest)
	if m == nil {
		m = pgnLooseTag.FindStringSubmatch(p.rest)
	}
	if len(p.game.Moves) > 0 && (m != nil || lineStart) {
		p.end()
	}
	p.begin()
	if m == nil {
		line, _, _ := strings.Cut(p.rest, "\n")
		return fmt.Errorf("%.60q: want a tag, such as [Event \"name\"]", line)
	}
	value := strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(m[2])
	switch strings.ToLower(m[1]) {
	case "fen":
		p.game.Position = value
	case "white":
		p.game.Players[0] = value
	case "black":
		p.game.Players[1] = value
	case "reason":
		p.game.Reason = engines.Reason(value)
	case "result":
		p.game.Outcome, _ = parseResult(value) // a tag may have any value
	case "termination":
		p.fault = p.fault || pgnFault.MatchString(value)
	case "variant":
		if !pgnVariant.MatchString(value) {
			return fmt.Errorf("%s: a game by other rules", m[0])
		}
	case "game":
		if ourGame.MatchString(value) {
			p.game.Game = value
		}
	case "rules":
		if p.game.Game == "" {
			break // of another program
		}
		rules, err := engines.ParseRules(value)
		if err != nil {
			return fmt.Errorf("%s: %w", m[0], err)
		}
		p.game.Rules = rules
	}
	p.skip(len(m[0]))
	return nil
}

// begin begins a game if none is open.
func (p *pgnReader) begin() {
	if p.closed {
		p.game, p.closed = Text{Line: p.line}, false
	}
}

// end ends the open game.
func (p *pgnReader) end() {
	if p.fault {
		p.game.Outcome = engines.Ongoing
	}
	if !p.closed {
		p.list = append(p.list, p.game)
	}
	p.game, p.closed, p.fault, p.one, p.dotted = Text{}, true, false, false, false
}

// word reads a move, a number, a result or a sign.
func (p *pgnReader) word(word string) {
	rest := strings.TrimLeft(word, "0123456789")
	number := word[:len(word)-len(rest)]
	if move := strings.TrimLeft(rest, ".…"); move != rest { // the number of a move, or dots after it
		dots := rest[:len(rest)-len(move)]
		p.one, p.dotted = number == "1" && dots == "." && len(p.game.Moves) > 0, true
		word = move
	}
	if word == "" {
		return
	}
	word = dashes.Replace(word)
	if outcome, err := parseResult(word); err == nil {
		p.begin()
		p.game.Outcome = outcome
		p.end()
		return
	}
	word = strings.TrimRightFunc(word, isGlyph)
	if isSign(word) {
		return
	}
	if p.one { // move 1 of another game, not the dots before a second player's move
		p.end()
	}
	p.begin()
	switch n := len(p.game.Moves); { // numbers without dots, in games whose moves are no numbers
	case n == 1 && p.game.Moves[0] == "1" && !p.dotted && !isNumber(word):
		p.game.Moves = nil
	case n > 0 && !p.dotted && !isNumber(p.game.Moves[0]) && word == strconv.Itoa(n/2+1):
		return
	}
	p.game.Moves = append(p.game.Moves, word)
}

// dashes replaces the dashes and the letter O of other keyboards.
var dashes = strings.NewReplacer("–", "-", "—", "-", "−", "-", "‐", "-", "‑", "-", "О", "O")

// isNumber reports whether a word has only digits.
func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// isGlyph reports whether a character evaluates a move or position, and is not part of a move.
func isGlyph(r rune) bool {
	return strings.ContainsRune("±∓⩲⩱∞□⌓⨀○⟳↑→⇆⊞⊕", r)
}

// isSign reports whether a word is an annotation such as "=", "+-", "!?" or "e.p.". A null
// move, "--", is not.
func isSign(word string) bool {
	letters := strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || isFigurine(r) })
	return !letters && word != "--" || word == "e.p." || word == "ep"
}

// isFigurine reports whether a character is a chess piece.
func isFigurine(r rune) bool { return r >= '♔' && r <= '♟' }

// cutFunc splits a text before the first character that f accepts.
func cutFunc(text string, f func(rune) bool) (before, after string, found bool) {
	i := strings.IndexFunc(text, f)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i:], true
}
