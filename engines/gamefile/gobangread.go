package gamefile

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// readSGF reads games of gobang that start on the empty board (red-bean.com/sgf, FF[4]). It
// reads the main line of a tree, the size (SZ) and the rules (RU), and rejects other games
// (GM).
func readSGF(v engines.Variant, text string) (list []Text, err error) {
	s := sgfReader{text: text, line: 1}
	for s.next() {
		list = append(list, s.game(v))
	}
	return list, nil
}

// sgfReader is the state of reading SGF.
type sgfReader struct {
	text string // not read yet
	line int    // line of the file at which text begins
}

// sgfProperty is a property of a node with its values, without escapes.
type sgfProperty struct {
	name   string
	values []string
}

// next skips to the beginning of a game.
func (s *sgfReader) next() bool {
	i := strings.IndexByte(s.text, '(')
	if i < 0 {
		return false
	}
	s.skip(i)
	return true
}

func (s *sgfReader) skip(n int) {
	s.line += strings.Count(s.text[:n], "\n")
	s.text = s.text[n:]
}

// game reads a game tree. It takes the first branch at each fork.
func (s *sgfReader) game(v engines.Variant) Text {
	t := Text{Line: s.line, Rules: engines.Rules{}}
	var points []string
	depth, aside := 0, 0 // aside is the depth of a second branch; 0 in the main line
	forked := false      // a branch has ended: the next is a second one
	for s.text != "" {
		switch c := s.text[0]; {
		case c == '(':
			if depth++; forked && aside == 0 {
				aside = depth
			}
			s.skip(1)
		case c == ')':
			if depth == aside {
				aside = 0
			}
			depth, forked = depth-1, true
			s.skip(1)
			if depth == 0 {
				if t.Err == nil {
					t.Err = t.place(v, points)
				}
				return t
			}
		case c >= 'A' && c <= 'Z':
			p, err := s.property()
			if err != nil {
				t.Err, s.text = err, ""
				return t
			}
			if aside == 0 && t.Err == nil {
				points, t.Err = t.take(p, points)
			}
		default:
			s.skip(1)
		}
	}
	t.Err = cmp.Or(t.Err, errors.New("this game does not end"))
	return t
}

// property reads a property.
func (s *sgfReader) property() (p sgfProperty, err error) {
	p.name, _, _ = cutFunc(s.text, func(r rune) bool { return r < 'A' || r > 'Z' })
	s.skip(len(p.name))
	for {
		m := sgfValue.FindStringSubmatch(s.text)
		if m == nil {
			if strings.HasPrefix(strings.TrimSpace(s.text), "[") || p.values == nil {
				err = fmt.Errorf("property %.20s has no value that ends", p.name)
			}
			return p, err
		}
		s.skip(len(m[0]))
		p.values = append(p.values, sgfEscape.ReplaceAllString(m[1], "$1"))
	}
}

var (
	sgfValue  = regexp.MustCompile(`^\s*\[((?:[^\]\\]|\\[\s\S])*)\]`)
	sgfEscape = regexp.MustCompile(`\\([\s\S])`)
	sgfPlace  = regexp.MustCompile(`^[a-z][a-z]$`)
	sgfFault  = regexp.MustCompile(`^[BW]\+[TF]`) // on time, or forfeited
)

// take stores a property. Moves are appended to points.
func (t *Text) take(p sgfProperty, points []string) ([]string, error) {
	value := p.values[0]
	switch p.name {
	case "GM":
		if value != "4" {
			return nil, fmt.Errorf("GM[%s] is another game: want 4, gomoku", value)
		}
	case "SZ":
		t.Rules["size"] = value
	case "RU":
		return points, t.setRule(value)
	case "PB":
		t.Players[0] = value
	case "PW":
		t.Players[1] = value
	case "GC":
		if reason, ok := strings.CutPrefix(value, sgfEnded); ok {
			t.Reason = engines.Reason(reason)
		}
	case "AB", "AW":
		return nil, fmt.Errorf("this game starts with stones on the board (%s): want games from the start", p.name)
	case "RE":
		t.Outcome = sgfOutcome(value)
	case "C":
		if strings.TrimSpace(value) == "book" && t.Book == len(points)-1 {
			t.Book++
		}
	case "B", "W":
		if !sgfPlace.MatchString(value) {
			return nil, fmt.Errorf("%s[%.20s]: want a place, such as hh", p.name, value)
		}
		points = append(points, value)
	}
	return points, nil
}

// sgfOutcome reads RE. A game that a fault ended has no result, as in ParsePGN.
func sgfOutcome(text string) engines.Outcome {
	switch {
	case sgfFault.MatchString(text):
	case strings.HasPrefix(text, "B+"):
		return engines.FirstWins
	case strings.HasPrefix(text, "W+"):
		return engines.SecondWins
	case strings.HasPrefix(text, "0"), strings.HasPrefix(text, "Draw"):
		return engines.Draw
	}
	return engines.Ongoing
}

// setRule stores rules, named as Write names them or as other programs do.
func (t *Text) setRule(text string) error {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "":
		return nil
	case "freestyle", "free style", "free":
		t.Rules["exact_five"] = "no"
		return nil
	case "standard", "exact five", "exactly five":
		t.Rules["exact_five"] = "yes"
		return nil
	}
	rules, err := engines.ParseRules(text)
	if err != nil {
		return fmt.Errorf("rules %.40q: want Freestyle or Standard", text)
	}
	for name, value := range rules {
		if name != "size" || t.Rules["size"] == "" {
			t.Rules[name] = value
		}
	}
	return nil
}

// place converts moves from points of SGF, column and row from the top left, to the game's
// notation.
func (t *Text) place(v engines.Variant, points []string) error {
	size, err := t.size(v)
	for _, p := range points {
		t.Moves = append(t.Moves, gomoku{size: size}.text(int(p[0]-'a'), int(p[1]-'a')))
	}
	return err
}

// size returns the size of the board that the file states, else v's.
func (t *Text) size(v engines.Variant) (int, error) {
	stated, err := t.Variant(v)
	if err != nil {
		return 0, err
	}
	k, err := gomokuOf(&Game{Variant: stated})
	return k.size, err
}

// text is the inverse of cell.
func (g gomoku) text(x, y int) string { return string(rune('a'+x)) + strconv.Itoa(g.size-y) }

var (
	psqHead = regexp.MustCompile(`^Piskvorky (\d+)x(\d+)\b`)
	psqMove = regexp.MustCompile(`^(\d+),(\d+),-?\d+\s*$`)
	psqRule = regexp.MustCompile(`^-?\d+\s*,\s*([A-Za-z][A-Za-z ]*)$`)
)

// readPSQ reads one game with the size and the rules that it states.
func readPSQ(v engines.Variant, text string) ([]Text, error) {
	t := Text{Line: 1, Rules: engines.Rules{}}
	head := psqHead.FindStringSubmatch(text)
	if head == nil || head[1] != head[2] {
		line, _, _ := strings.Cut(text, "\n")
		return nil, fmt.Errorf("1: %.40q: want a square board, such as Piskvorky 15x15", strings.TrimSpace(line))
	}
	t.Rules["size"] = head[1]
	var points [][2]int
	number := 0
	before, _, ended := strings.Cut(text, "\n-1")
	if lines := strings.Split(before, "\n"); ended && len(lines) > 2 { // the names of the players come before the end of the moves
		t.Players = [2]string{strings.TrimSpace(lines[len(lines)-2]), strings.TrimSpace(lines[len(lines)-1])}
	}
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if m := psqMove.FindStringSubmatch(line); m != nil {
			x, _ := strconv.Atoi(m[1]) // an overlong number gives an illegal move, which is rejected
			y, _ := strconv.Atoi(m[2])
			points = append(points, [2]int{x, y})
		}
		if m := psqRule.FindStringSubmatch(line); m != nil {
			if err := t.setRule(m[1]); err != nil {
				return nil, fmt.Errorf("%d: %w", number, err)
			}
		}
	}
	size, err := t.size(v)
	t.Err = err
	for _, p := range points {
		t.Moves = append(t.Moves, gomoku{size: size}.text(p[0]-1, p[1]-1))
	}
	return []Text{t}, nil
}
