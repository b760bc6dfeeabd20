package tomlx

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// KeyLines returns the line of every key directly inside the named table of a
// TOML text, and under "" that of the table's heading. The n-th table of an array
// [[t]] is called "t#n".
func KeyLines(data []byte, table string) map[string]int {
	lines := map[string]int{}
	arrays := map[string]int{}
	current := ""
	data = WithoutMark(data)
	parser := unstable.Parser{}
	parser.Reset(data)
	line, seen := 1, 0 // the parser's own search for a line begins at the first one each time
	for parser.NextExpression() {
		e := parser.Expression()
		var parts []string
		row := 0
		for keys := e.Key(); keys.Next(); {
			node := keys.Node()
			if row == 0 {
				at := int(node.Raw.Offset)
				line += bytes.Count(data[seen:at], []byte("\n"))
				row, seen = line, at
			}
			parts = append(parts, string(node.Data))
		}
		switch e.Kind {
		case unstable.ArrayTable:
			name := strings.Join(parts, ".")
			arrays[name]++
			current = fmt.Sprintf("%s#%d", name, arrays[name])
			if current == table {
				lines[""] = row
			}
		case unstable.Table:
			if n := arrays[parts[0]]; n > 0 {
				parts[0] = fmt.Sprintf("%s#%d", parts[0], n)
			}
			if current = strings.Join(parts, "."); current == table {
				lines[""] = row
			}
		case unstable.KeyValue:
			if current == table && len(parts) == 1 {
				lines[parts[0]] = row
			}
		}
	}
	return lines
}
