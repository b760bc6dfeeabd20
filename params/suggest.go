package params

import (
	"fmt"
	"strings"
)

// Suggest returns the end of an error about an unknown name, with its leading blank or
// punctuation: the nearest known name if it is near enough, else the known names, of a long
// list the first.
func Suggest(name string, known []string) string {
	best, distance := "", 1+(len(name)+1)/3 // a name that differs in more than a third of its letters is another word
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

// editDistance returns the optimal string alignment distance: insertions, deletions,
// replacements and swaps of neighbours.
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			row[j+1] = min(last[j+1], row[j]) + 1
			if a[i] == b[j] {
				row[j+1] = last[j]
			} else {
				row[j+1] = min(row[j+1], last[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
