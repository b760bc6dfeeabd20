package player

import (
	"strings"

	"selfplaylab/params"
)

// GameOf returns the game that the parameter file of a player's text is for; ""
// where the text names none, or one that Parse will complain about.
func GameOf(text string) string {
	if i := strings.LastIndex(text, "@"); i >= 0 {
		text = text[:i]
	}
	if strings.HasPrefix(text, CustomPrefix) {
		return ""
	}
	if name, rest, ok := strings.Cut(text, ":"); ok && !strings.ContainsAny(name, `/\,=`) {
		text = rest
	}
	file, _, _ := strings.Cut(text, ",")
	if !isFile(file) {
		return ""
	}
	game, err := params.FileGame(file)
	if err != nil {
		return "" // told by whoever reads the values
	}
	return game
}
