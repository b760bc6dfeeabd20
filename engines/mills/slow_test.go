package mills

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines"
)

// slow is a second implementation of the rules, written from their wording
// with lists of lines and edges and one byte a point, to check the bitboards.
type slow struct {
	board [24]byte // '.', 'W', 'B', 'x'
	turn  int
	hand  [2]int
	back  [2][2]int // under reform=restricted: the step that undoes the last mill step; {0, 0} for none
	rules engines.Rules

	lines []([3]int)
	edges [24][24]bool // neighbours on a line
}

func slowStart(rules engines.Rules) *slow {
	var men int
	fmt.Sscan(rules["men"], &men)
	s := &slow{hand: [2]int{men, men}, rules: rules}
	s.lines = allLines(rules["diagonals"] == "yes")
	for _, l := range s.lines {
		for _, e := range [][2]int{{l[0], l[1]}, {l[1], l[2]}} {
			s.edges[e[0]][e[1]], s.edges[e[1]][e[0]] = true, true
		}
	}
	for i := range s.board {
		s.board[i] = '.'
	}
	return s
}

func allLines(diagonals bool) [][3]int {
	var lines [][3]int
	for _, b := range []int{0, 8, 16} {
		lines = append(lines, [3]int{b, b + 1, b + 2}, [3]int{b + 2, b + 3, b + 4}, [3]int{b + 4, b + 5, b + 6}, [3]int{b + 6, b + 7, b})
	}
	for p := range 8 {
		if p%2 == 1 || diagonals {
			lines = append(lines, [3]int{p, p + 8, p + 16})
		}
	}
	return lines
}

func (s *slow) count(c byte) int {
	n := 0
	for _, x := range s.board {
		if x == c {
			n++
		}
	}
	return n
}

func (s *slow) men(side int) int { return s.count(sideLetters[side]) + s.hand[side] }
func (s *slow) placing() bool    { return s.hand[0]+s.hand[1] > 0 }

// linesAt counts complete lines of a side through a point.
func (s *slow) linesAt(point, side int) int {
	n := 0
	for _, l := range s.lines {
		if !slices.Contains(l[:], point) {
			continue
		}
		full := true
		for _, q := range l {
			full = full && s.board[q] == sideLetters[side]
		}
		if full {
			n++
		}
	}
	return n
}

func (s *slow) flies(side int) bool {
	return s.rules["fly_at"] == "3" && !s.placing() && s.men(side) == 3
}

// turns lists the legal turns in notation, sorted.
func (s *slow) turns() []string {
	if s.men(0) < 3 || s.men(1) < 3 {
		return nil
	}
	var list []string
	if s.placing() {
		for to := range 24 {
			if s.board[to] == '.' {
				list = append(list, s.withCaptures(-1, to)...)
			}
		}
	} else {
		for from := range 24 {
			for to := range 24 {
				if s.board[from] == sideLetters[s.turn] && s.board[to] == '.' &&
					(s.edges[from][to] || s.flies(s.turn)) && !s.banned(from, to) {
					list = append(list, s.withCaptures(from, to)...)
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

func (s *slow) banned(from, to int) bool {
	if s.rules["reform"] != "restricted" || s.back[s.turn] != [2]int{from, to} || s.linesAt(from, s.turn) == 0 {
		return false
	}
	next := *s
	next.put(from, to)
	return next.linesAt(to, s.turn) > 0
}

// put moves a man or places one, without captures.
func (s *slow) put(from, to int) {
	s.board[to] = sideLetters[s.turn]
	if from >= 0 {
		s.board[from] = '.'
	}
}

func (s *slow) withCaptures(from, to int) []string {
	text := pointNames[to]
	if from >= 0 {
		text = pointNames[from] + "-" + text
	}
	next := *s
	next.put(from, to)
	due := next.linesAt(to, s.turn)
	if due > 1 && s.rules["double_mill"] == "one" {
		due = 1
	}
	due = min(due, next.count(sideLetters[1-s.turn]))
	var list []string
	if due == 0 || s.rules["capture"] == "may" {
		list = append(list, text)
	}
	if due > 0 {
		sets := map[string]bool{}
		next.captures(due, nil, sets)
		for set := range sets {
			list = append(list, text+set)
		}
	}
	return list
}

// captures collects all allowed sets of captures, in any order.
func (s *slow) captures(due int, taken []int, sets map[string]bool) {
	if due == 0 {
		taken = slices.Sorted(slices.Values(taken))
		text := ""
		for _, p := range taken {
			text += "x" + pointNames[p]
		}
		sets[text] = true
		return
	}
	them := 1 - s.turn
	allInMills := true
	for p := range 24 {
		if s.board[p] == sideLetters[them] && s.linesAt(p, them) == 0 {
			allInMills = false
		}
	}
	for p := range 24 {
		if s.board[p] != sideLetters[them] {
			continue
		}
		if s.rules["targets"] == "loose_first" && s.linesAt(p, them) > 0 && !allInMills {
			continue
		}
		next := *s
		next.board[p] = '.'
		next.captures(due-1, append(slices.Clone(taken), p), sets)
	}
}

// play makes a turn written in notation.
func (s *slow) play(text string) {
	parts := strings.Split(text, "x")
	left, right, isStep := strings.Cut(parts[0], "-")
	from, to := -1, slices.Index(pointNames[:], left)
	if isStep {
		from, to = to, slices.Index(pointNames[:], right)
	}
	wasPlacing := s.placing()
	s.put(from, to)
	if wasPlacing {
		s.hand[s.turn]--
	}
	s.back[s.turn] = [2]int{}
	if isStep && s.linesAt(to, s.turn) > 0 && s.rules["reform"] == "restricted" {
		s.back[s.turn] = [2]int{to, from}
	}
	for _, name := range parts[1:] {
		p := slices.Index(pointNames[:], name)
		s.board[p] = '.'
		if s.back[1-s.turn][0] == p {
			s.back[1-s.turn] = [2]int{}
		}
		if wasPlacing && s.rules["closed_points"] == "yes" {
			s.board[p] = 'x'
		}
	}
	if wasPlacing && !s.placing() {
		for p := range s.board {
			if s.board[p] == 'x' {
				s.board[p] = '.'
			}
		}
		if s.rules["opens"] == "first_placer" {
			s.turn = 0
		}
		return // the last placer steps
	}
	s.turn = 1 - s.turn
}

func (s *slow) outcome() (engines.Outcome, engines.Reason) {
	for side := range 2 {
		if s.men(side) < 3 {
			return engines.Win(engines.Side(1 - side)), fewMen
		}
	}
	if s.placing() || len(s.turns()) > 0 {
		return engines.Ongoing, engines.NoReason
	}
	loser := engines.Win(engines.Side(1 - s.turn))
	if s.count('.') > 0 {
		return loser, blocked
	}
	switch s.rules["full_board"] {
	case "first_loses":
		return engines.SecondWins, fullBoard
	case "draw":
		return engines.Draw, fullBoard
	}
	return loser, fullBoard
}

func (s *slow) text() string {
	b := string(s.board[:])
	text := fmt.Sprintf("%s/%s/%s %c %d %d", b[:8], b[8:16], b[16:], sideLetters[s.turn], s.hand[0], s.hand[1])
	if s.rules["reform"] == "restricted" {
		for _, step := range s.back {
			if step == [2]int{} {
				text += " -"
			} else {
				text += " " + pointNames[step[0]] + "-" + pointNames[step[1]]
			}
		}
	}
	return text
}

// terms counts the evaluator's terms for a side by their
// definitions, in the order of the term constants.
func (s *slow) terms(side int) [terms]int {
	own, opp := sideLetters[side], sideLetters[1-side]
	open := func(p int) bool { return s.board[p] == '.' || s.board[p] == 'x' }
	var t [terms]int
	for p := range 24 {
		degree, blocked := 0, true
		for q := range 24 {
			if !s.edges[p][q] {
				continue
			}
			degree++
			blocked = blocked && !open(q)
		}
		if s.board[p] == opp && blocked && !s.flies(1-side) {
			t[termBlk]++
		}
		if s.board[p] != own {
			continue
		}
		t[termPos] += degree - 3
		double := false
		for q := range 24 {
			step := open(q) && s.edges[p][q]
			if step || open(q) && s.flies(side) {
				t[termMob]++
			}
			if step && s.linesAt(p, side) > 0 {
				next := *s
				next.turn = side
				next.put(p, q)
				double = double || next.linesAt(q, side) > 0
			}
		}
		if double {
			t[termDbl]++
		}
	}
	for _, l := range s.lines {
		own3, third := 0, -1
		for _, p := range l {
			if s.board[p] == own {
				own3++
			} else {
				third = p
			}
		}
		if own3 == 3 {
			t[termMill]++
		}
		if own3 == 2 && s.board[third] == '.' && (s.placing() || s.reachable(third, l, side)) {
			t[termTwo]++
		}
	}
	return t
}

// reachable reports whether a man of side outside line l can step to point.
func (s *slow) reachable(point int, l [3]int, side int) bool {
	for p := range 24 {
		if s.board[p] == sideLetters[side] && !slices.Contains(l[:], p) && (s.edges[p][point] || s.flies(side)) {
			return true
		}
	}
	return false
}
