package params

import (
	"fmt"
	"slices"
	"strings"
)

// Suggest returns what an error about an unknown name should add: the nearest
// known name if there is one, else the whole list or, of a long one, its beginning.
func Suggest(name string, known []string) string {
	best, distance := "", 1+len(name)/2
	for _, k := range known {
		if d := editDistance(strings.ToLower(name), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	switch {
	case best != "":
		return "; did you mean " + best + "?"
	case len(known) > 40:
		return fmt.Sprintf("; known: %s, ... (%d in all)", strings.Join(known[:10], ", "), len(known))
	case len(known) > 0:
		return "; known: " + strings.Join(known, ", ")
	}
	return ""
}

// editDistance is Levenshtein's.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = slices.Min([]int{cost, row[j] + 1, row[j+1] + 1})
		}
	}
	return row[len(b)]
}
