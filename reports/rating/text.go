package rating

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"selfplaylab/reports/text"
)

// Each value has one text form, a single word that its UnmarshalText reads
// again: for flags, files and anything else that holds text. JSON keeps arrays
// and objects, which programs read without a parser.

// MarshalText returns the counts from LL to WW, such as "34,54,63,64,75".
func (p Pairs) MarshalText() ([]byte, error) { return joinCounts(p[:]), nil }

// UnmarshalText reads what MarshalText writes.
func (p *Pairs) UnmarshalText(text []byte) error {
	var read Pairs
	if err := splitCounts(string(text), read[:]); err != nil {
		return fmt.Errorf("pairs %q: %w: want the counts from LL to WW, such as 34,54,63,64,75", text, err)
	}
	*p = read
	return nil
}

// MarshalJSON returns the counts as an array.
func (p Pairs) MarshalJSON() ([]byte, error) { return json.Marshal([5]int(p)) }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Pairs) UnmarshalJSON(data []byte) error {
	var list []int
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	var read Pairs
	if err := takeCounts(list, read[:]); err != nil {
		return fmt.Errorf("pairs %s: %w", data, err)
	}
	*p = read
	return nil
}

// MarshalText returns wins, draws and losses, such as "+34=12-31".
func (g Games) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "+%d=%d-%d", g.Wins, g.Draws, g.Losses), nil
}

// UnmarshalText reads what MarshalText or String writes.
func (g *Games) UnmarshalText(text []byte) error {
	wins, rest, draw := strings.Cut(string(text), "=")
	draws, losses, loss := strings.Cut(rest, "-")
	wins, win := strings.CutPrefix(wins, "+")
	var counts [3]int
	if !win || !draw || !loss {
		return fmt.Errorf("games %q: want wins, draws and losses, such as +34=12-31", text)
	}
	for i, field := range []string{wins, draws, losses} {
		n, err := parseCount(strings.TrimSpace(field))
		if err != nil {
			return fmt.Errorf("games %q: %w: want wins, draws and losses, such as +34=12-31", text, err)
		}
		counts[i] = n
	}
	*g = Games{Wins: counts[0], Draws: counts[1], Losses: counts[2]}
	return nil
}

// plainGames is Games without its methods.
type plainGames Games

// MarshalJSON returns the counts as an object with Wins, Draws and Losses.
func (g Games) MarshalJSON() ([]byte, error) { return json.Marshal(plainGames(g)) }

// UnmarshalJSON reads what MarshalJSON writes.
func (g *Games) UnmarshalJSON(data []byte) error {
	var read plainGames
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	if min(read.Wins, read.Draws, read.Losses) < 0 {
		return fmt.Errorf("games %s: counts must not be negative", data)
	}
	*g = Games(read)
	return nil
}

// MarshalText returns the rows, X's half points as first, with slashes between
// them: "10,0,30/0,0,0/20,0,40".
func (t PairMatrix) MarshalText() ([]byte, error) {
	var text []byte
	for i, row := range t {
		if i > 0 {
			text = append(text, '/')
		}
		text = append(text, joinCounts(row[:])...)
	}
	return text, nil
}

// UnmarshalText reads what MarshalText writes.
func (t *PairMatrix) UnmarshalText(text []byte) error {
	const want = "want three rows of three counts, such as 10,0,30/0,0,0/20,0,40"
	rows := strings.Split(string(text), "/")
	if len(rows) != len(t) {
		return fmt.Errorf("twins %q: %s", text, want)
	}
	var read PairMatrix
	for i, row := range rows {
		if err := splitCounts(row, read[i][:]); err != nil {
			return fmt.Errorf("twins %q: %w: %s", text, err, want)
		}
	}
	*t = read
	return nil
}

// MarshalJSON returns the counts as an array of rows.
func (t PairMatrix) MarshalJSON() ([]byte, error) { return json.Marshal([3][3]int(t)) }

// UnmarshalJSON reads what MarshalJSON writes.
func (t *PairMatrix) UnmarshalJSON(data []byte) error {
	var rows [][]int
	if err := json.Unmarshal(data, &rows); err != nil {
		return err
	}
	if len(rows) != len(t) {
		return fmt.Errorf("twins %s: want three rows of three counts", data)
	}
	var read PairMatrix
	for i, row := range rows {
		if err := takeCounts(row, read[i][:]); err != nil {
			return fmt.Errorf("twins %s: %w", data, err)
		}
	}
	*t = read
	return nil
}

// MarshalText returns String; it is an error where Check fails.
func (s SPRT) MarshalText() ([]byte, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads as ParseSPRT does.
func (s *SPRT) UnmarshalText(text []byte) error {
	read, err := ParseSPRT(string(text))
	if err != nil {
		return err
	}
	*s = read
	return nil
}

// plainSPRT is SPRT without its methods.
type plainSPRT SPRT

// MarshalJSON returns the test as an object.
func (s SPRT) MarshalJSON() ([]byte, error) { return json.Marshal(plainSPRT(s)) }

// UnmarshalJSON reads what MarshalJSON writes, and checks it.
func (s *SPRT) UnmarshalJSON(data []byte) error {
	var read plainSPRT
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	if err := SPRT(read).Check(); err != nil {
		return err
	}
	*s = SPRT(read).withDefaults()
	return nil
}

// UnmarshalText reads "logistic" or "normalized".
func (m *Model) UnmarshalText(text []byte) error {
	for _, model := range []Model{Logistic, Normalized} {
		if model.String() == string(text) {
			*m = model
			return nil
		}
	}
	return fmt.Errorf("unknown model %q: want logistic or normalized", text)
}

// UnmarshalText reads "H0", "continue" or "H1".
func (s *State) UnmarshalText(text []byte) error {
	for state := AcceptH0; state <= AcceptH1; state++ {
		if state.String() == string(text) {
			*s = state
			return nil
		}
	}
	return fmt.Errorf("unknown state %q of a test: want H0, continue or H1", text)
}

func joinCounts(counts []int) []byte {
	var text []byte
	for i, n := range counts {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return text
}

// splitCounts reads as many counts as there is room for.
func splitCounts(line string, counts []int) error {
	fields := strings.Split(line, ",")
	if len(fields) != len(counts) {
		return fmt.Errorf("%s in %q", text.Plural(len(fields), "field"), line)
	}
	for i, field := range fields {
		n, err := parseCount(field)
		if err != nil {
			return err
		}
		counts[i] = n
	}
	return nil
}

// maxCount is the largest count that is read: sums of eight stay within an int, of 32 bits too.
const maxCount = min(1<<40, math.MaxInt/8)

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxCount {
		return 0, fmt.Errorf("%q is no count", text)
	}
	return n, nil
}

// takeCounts copies a list of exactly as many counts, none negative.
func takeCounts(list, counts []int) error {
	if len(list) != len(counts) {
		return fmt.Errorf("%s: want %d", text.Plural(len(list), "count"), len(counts))
	}
	for i, n := range list {
		if n < 0 || n > maxCount {
			return fmt.Errorf("%d is no count", n)
		}
		counts[i] = n
	}
	return nil
}
