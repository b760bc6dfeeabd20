package gamefile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// openingForms are the forms of files of openings that hold games, by their beginnings.
var openingForms = []struct {
	game  string // the only game with the form; "" for all
	begin *regexp.Regexp
	read  func(engines.Variant, string) ([]Text, error)
}{
	// A tag of PGN or its first move, after lines that PGN skips.
	{"", regexp.MustCompile(`^(?:\s*%.*\n)*\s*(\[|1[.)\s][.\s]*[\pL♔-♟])`), readPGN},
	{"gobang", regexp.MustCompile(`^\s*\(\s*;`), readSGF},
	{"gobang", regexp.MustCompile(`^Piskvorky `), readPSQ},
	{"gobang", regexp.MustCompile(`(?m)^\s*-?\d+\s*,\s*-?\d+\s*,\s*-?\d+[-\d,\s]*$`), readOffsets},
}

// Openings returns how to read a file of openings that has one of the forms of games: PGN, and
// for gobang SGF, PSQ and the offsets of Gomocup's tournaments. It returns nil for a file of
// another form. Errors of the reader begin with the line.
func Openings(v engines.Variant, text string) func(engines.Variant, string) ([]Text, error) {
	for _, f := range openingForms {
		if (f.game == "" || f.game == v.Game.Name) && f.begin.MatchString(text) {
			return f.read
		}
	}
	return nil
}

// readPGN is ParsePGN as a reader of a form.
func readPGN(_ engines.Variant, text string) ([]Text, error) { return ParsePGN(text), nil }

// readOffsets reads openings as Gomocup's tournaments and c-gomoku-cli write them: one a line,
// pairs of column and row counted from the centre, rows downwards, all separated by commas. The
// centre of a board of even size is the cell right of and below its middle.
func readOffsets(v engines.Variant, text string) (list []Text, err error) {
	k, err := gomokuOf(&Game{Variant: v})
	if err != nil {
		return nil, err
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		fields := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r <= ' ' })
		t := Text{Line: number}
		for i := 0; i+1 < len(fields); i += 2 {
			x, noColumn := strconv.Atoi(fields[i])
			y, noRow := strconv.Atoi(fields[i+1])
			x, y = x+k.size/2, y+k.size/2
			if noColumn != nil || noRow != nil || x < 0 || y < 0 || x >= k.size || y >= k.size {
				return nil, fmt.Errorf("%d: %s,%s: want an offset from the centre, column and row, on the board of size %d", number, fields[i],
					fields[i+1], k.size)
			}
			t.Moves = append(t.Moves, k.text(x, y))
		}
		if len(fields)%2 == 1 {
			return nil, fmt.Errorf("%d: %.60q has a column without a row", number, strings.TrimSpace(line))
		}
		if len(fields) > 0 {
			list = append(list, t)
		}
	}
	return list, nil
}
