package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// logsName is the folder of the logs of games.
const logsName = "engine-logs"

// logName returns the name of the log of a game in its run.
func logName(g GameRow) string {
	return fmt.Sprintf("%s/%d-%d-%d.log", logsName, g.Trial, g.Pair, g.Game)
}

// LogNote returns words that name the log of a game of the run in dir, with the folder shown in
// place of dir; "" for a game without a log.
func LogNote(dir, shown string, g GameRow) string {
	if _, err := os.Stat(filepath.Join(dir, logName(g))); err != nil {
		return ""
	}
	return "; the lines of its engines: " + filepath.Join(shown, logName(g))
}

// Log writes the log of a game, before Append records its trial. A log contains times, so it is no
// part of the record.
func (w *Writer) Log(g GameRow, text string) error {
	path := filepath.Join(w.dir, logName(g))
	if err := w.holds(); err != nil {
		return fmt.Errorf("run %s: %w", w.dir, err)
	}
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), w.disk.save(path, []byte(text)))
}

// dropLogs removes the logs of the games of a trial and all later ones, which are not recorded, and
// unfinished files.
func dropLogs(dir string, from int64) error {
	entries, err := os.ReadDir(filepath.Join(dir, logsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		var trial int64
		if n, _ := fmt.Sscanf(e.Name(), "%d-", &trial); n == 1 && trial >= from || isTemp(e.Name()) {
			err = errors.Join(err, removeIfThere(filepath.Join(dir, logsName, e.Name())))
		}
	}
	return err
}
