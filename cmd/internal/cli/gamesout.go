package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/engines/schedule"
)

// gamesOut appends the games of a run to a file of another program's format, game by game in the
// order of the record.
type gamesOut struct {
	path string
	form gamefile.Format
	head *runs.Head
	file *os.File // nil for a format with one game a file
	err  error    // the first error; nothing is written after it
}

// checkGamesOut reports why games cannot be written to a file, before the run begins. resumed runs
// write their file again.
func checkGamesOut(path, game string, resumed bool) error {
	if path == "" {
		return nil
	}
	if _, err := gamefile.Find(gamefile.Ending(path), game); err != nil {
		return fmt.Errorf("--games-out %s: the ending of its name is the format: %w", path, err)
	}
	if _, err := os.Stat(path); !resumed && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--games-out %s: is there already; name a file that this run can make", path)
	}
	return nil
}

// openGamesOut makes the file with the recorded games of a resumed run.
func openGamesOut(path string, r *record.Run, find func(string) (runs.Kind, error)) (*gamesOut, error) {
	form, err := gamefile.Find(gamefile.Ending(path), r.Head.Variant.Game.Name)
	if err != nil {
		return nil, fmt.Errorf("--games-out %s: %w", path, err)
	}
	g := &gamesOut{path: path, form: form, head: r.Head}
	if !form.Single {
		if g.file, err = os.Create(path); err != nil {
			return nil, fmt.Errorf("--games-out: %w", err)
		}
	}
	if r.Head.Dir == "" {
		return g, nil
	}
	log, err := datasets.Read(r.Head.Dir)
	if err != nil {
		return nil, err
	}
	recorded, err := runs.OpenLog(log, find)
	if err != nil {
		return nil, err
	}
	for w, err := range replay.Games(recorded, datasets.Filter{}) {
		if err != nil {
			return nil, err
		}
		g.write(&w.Game, w.Row)
	}
	return g, nil
}

// pair writes the games of a pair.
func (g *gamesOut) pair(c schedule.Counted) {
	for n, row := range c.Games {
		game, err := replay.FileGame(g.head, row, c.Seats, c.Moves[n])
		if err != nil {
			g.err = errors.Join(g.err, err)
		}
		g.write(&game, row)
	}
}

// write writes a whole game by one call, and removes the rest of a failed one.
func (g *gamesOut) write(game *gamefile.Game, row datasets.GameRow) {
	if g.err != nil {
		return
	}
	var text bytes.Buffer
	if g.err = g.form.Write(&text, game); g.err != nil {
		return
	}
	if g.file == nil {
		name := strings.TrimSuffix(g.path, filepath.Ext(g.path))
		g.err = datasets.WriteFile(fmt.Sprintf("%s-%d-%d-%d%s", name, row.Trial, row.Pair, row.Game, filepath.Ext(g.path)), text.Bytes())
		return
	}
	n, err := g.file.Write(text.Bytes())
	if g.err = err; err != nil {
		if at, seek := g.file.Seek(int64(-n), 1); seek == nil {
			g.err = errors.Join(err, g.file.Truncate(at))
		}
	}
}

// close ends the file. It returns the first error of all.
func (g *gamesOut) close() error {
	err := g.err
	if g.file != nil {
		err = errors.Join(err, g.file.Close())
	}
	if err != nil {
		return fmt.Errorf("--games-out %s: %w", g.path, err)
	}
	return nil
}
