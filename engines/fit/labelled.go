package fit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"regexp"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// LabelledForms describes the lines that Labelled reads.
const LabelledForms = `want a position with the result of its game for the side that plays first: ` +
	`POSITION | RESULT, POSITION | SCORE | RESULT, POSITION; [RESULT], or EPD with c9 "RESULT"; ` +
	`results are 1-0, 1/2-1/2 and 0-1, or 1, 0.5 and 0`

// result matches a result; its groups are those of a win, a draw and a loss of the first side.
const result = `(?:(1-0|1(?:\.0+)?)|(1/2-1/2|1/2|0?\.50*)|(0-1|0(?:\.0+)?))`

// labels match the text of a position and its result, as tuners write them.
var labels = []*regexp.Regexp{
	regexp.MustCompile(`^([^|]+?)\s*\|\s*(?:([-+.\d]+)\s*\|\s*)?` + result + `$`),
	regexp.MustCompile(`^(.+?)\s*;?\s*()\[` + result + `\]\s*;?$`),
	regexp.MustCompile(`^(.+?)\s*;?\s*\bc9 ()"?` + result + `"?\s*;?$`),
	regexp.MustCompile(`^(.+?)\s*[;,]\s*()` + result + `$`),
}

// label reads a line.
func label(line string) (p Position, ok bool) {
	for _, form := range labels {
		m := form.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		p = Position{Text: m[1], Score: math.NaN(), Outcome: engines.FirstWins}
		switch {
		case m[4] != "":
			p.Outcome = engines.Draw
		case m[5] != "":
			p.Outcome = engines.SecondWins
		}
		if m[2] != "" {
			var err error
			if p.Score, err = strconv.ParseFloat(m[2], 64); err != nil {
				return p, false
			}
		}
		return p, true
	}
	return p, false
}

// Labelled iterates over the positions of a text, one a line, as tuners of chess engines write
// them. It skips empty lines and lines that begin with #. Errors name the file (name) and the
// line; after the error of a line it continues.
func Labelled(name string, text io.Reader) iter.Seq2[Position, error] {
	return func(yield func(Position, error) bool) {
		lines := bufio.NewScanner(text)
		for number := 1; lines.Scan(); number++ {
			line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
			if line == "" || line[0] == '#' {
				continue
			}
			p, ok := label(line)
			p.Where = fmt.Sprintf("%s:%d", name, number)
			var err error
			if !ok {
				err = fmt.Errorf("%s: %.80q: %s", p.Where, line, LabelledForms)
			}
			if !yield(p, err) {
				return
			}
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(Position{}, fmt.Errorf("%s: a line is longer than %d bytes: %s", name, bufio.MaxScanTokenSize, LabelledForms))
		} else if err != nil {
			yield(Position{}, err)
		}
	}
}
