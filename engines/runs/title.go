package runs

import (
	"fmt"
	"path/filepath"
	"strings"

	"selfplaylab/reports/rating"
)

// About is the line under a page's title: what was played, when, and in which
// folder.
func (h *Head) About(what string) string {
	about := what
	if !h.Meta.Created.IsZero() {
		about += ", " + h.Meta.Created.UTC().Format("2 January 2006")
	}
	if h.Dir != "" {
		about += fmt.Sprintf(", run `%s`", filepath.Base(filepath.Clean(h.Dir)))
	}
	return about + "."
}

// ShortEstimate is an estimate as a title has it: the Elo with its interval, and not what
// it is of, which is said below.
func ShortEstimate(e rating.Estimate) string {
	if e.Few {
		return "too few games yet"
	}
	text, _, _ := strings.Cut(e.String(), " (")
	return text
}
