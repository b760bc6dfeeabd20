package gamefile

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"selfplaylab/engines"
)

// Format is a file format of games.
type Format struct {
	Name  string   // as users write it, and the extension of file names
	Games []string // names of the games that it has; nil for all
	// Single marks a format with one game per file.
	Single bool

	write func(w io.Writer, g *Game) error
	read  func(v engines.Variant, text string) ([]Text, error) // errors begin with the line
}

// Formats returns all formats, PGN first.
func Formats() []Format {
	return []Format{
		{Name: "pgn", write: writePGN, read: readPGN},
		{Name: "sgf", Games: []string{"gobang"}, write: writeSGF, read: readSGF},
		{Name: "psq", Games: []string{"gobang"}, Single: true, write: writePSQ, read: readPSQ},
	}
}

// Of returns the formats that support a game.
func Of(game string) (list []Format) {
	for _, f := range Formats() {
		if f.Games == nil || slices.Contains(f.Games, game) {
			list = append(list, f)
		}
	}
	return list
}

// Find returns the named format for a game. The error lists the formats of the game.
func Find(name, game string) (Format, error) {
	var names []string
	for _, f := range Of(game) {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	for _, f := range Formats() {
		if f.Name == name {
			return f, fmt.Errorf("%s has games of %s only, not of %s", name, strings.Join(f.Games, ", "), game)
		}
	}
	return Format{}, fmt.Errorf("%q: want %s", name, strings.Join(names, ", "))
}

// Write appends a game to a file. It is an error if the format cannot express the game.
func (f Format) Write(w io.Writer, g *Game) error {
	if err := f.write(w, g); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// Read reads the games of a file. The extension of its name determines the format.
//
// Moves are in the game's own notation, as Write writes them. All count as chosen, except those
// that the file marks as book moves. The outcome follows from the rules. For a game that was
// not played to its end it is the outcome in the file, or Ongoing if the file has none.
//
// Each game has the rules that the file states for it, else those of v. A game of another kind
// is an error. If leaveOut is not nil, it is called with the error of each game that cannot be
// read, and the other games are returned. The text is UTF-8 without a byte order mark.
func Read(v engines.Variant, name string, data []byte, leaveOut func(error)) (list []Game, err error) {
	texts, err := Parse(v, name, data)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		g, err := t.game(v)
		if err != nil {
			err = fmt.Errorf("%s:%d: %w", name, t.Line, err)
			if leaveOut == nil {
				return nil, err
			}
			leaveOut(err)
			continue
		}
		list = append(list, g)
	}
	return list, nil
}

// Parse reads the games of a file as Read does, but plays none of their moves. A file without
// games is an error. Errors give name and line.
func Parse(v engines.Variant, name string, data []byte) ([]Text, error) {
	f, err := Find(Ending(name), v.Game.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	texts, err := f.read(v, Plain(string(data)))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s: it holds no games", name)
	}
	for i := range texts {
		if texts[i].Outcome == engines.Ongoing {
			texts[i].Reason = engines.NoReason
		}
	}
	return texts, nil
}

// Ending returns the extension of a file's name in lower case, without the dot. It determines
// the format.
func Ending(name string) string { return strings.ToLower(strings.TrimPrefix(filepath.Ext(name), ".")) }
