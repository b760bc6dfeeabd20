package runs

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

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

// ShortTitle is the game's title without what it is besides its name, such as Quoridor.
func (h *Head) ShortTitle() string {
	title, _, _ := strings.Cut(h.Title(), " with ")
	if i := strings.IndexFunc(title, func(r rune) bool { return r == '(' || r > unicode.MaxLatin1 }); i > 0 {
		title = title[:i]
	}
	return strings.TrimSpace(title)
}

// ShortEstimate is an estimate as a title has it: the Elo with its interval, and not what
// it is of, which is said below.
func ShortEstimate(e rating.Estimate) string {
	if e.N < rating.MinSample || e.Unknown() {
		return "too few games yet"
	}
	text, _, _ := strings.Cut(e.String(), " (")
	return text
}
