// Package datasetstest makes runs that no program would record, to test the errors about them.
// Only tests import it.
package datasetstest

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"selfplaylab/datasets"
)

// Forge makes a run in the new folder to with the rows of the run in from, but with another
// configuration from the beginning: change may alter meta and [spec], as TOML decodes it into a
// map. If change alters values that rows repeat from run.toml, such as the seed, readers take
// the rows for another run's.
//
// Editing run.toml in place is a different test: datasets rejects the file by its checksum
// before anyone reads its values.
func Forge(from, to string, change func(m *datasets.Meta, spec map[string]any)) (err error) {
	log, err := datasets.Read(from)
	if err != nil {
		return err
	}
	spec := map[string]any{}
	if err := log.Spec(&spec); err != nil {
		return err
	}
	change(&log.Meta, spec)
	w, err := datasets.Create(to, log.Meta, spec)
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return copyParts(from, to)
}

// copyParts copies the parts of a run into a folder with another run.toml.
func copyParts(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".parquet" {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o777), os.WriteFile(filepath.Join(to, name), data, 0o666))
	})
}

// Cut makes a run in the new folder to, equal to the run in from when it had recorded a number
// of trials.
func Cut(from, to string, trials int64) error {
	log, err := datasets.Read(from)
	if err != nil {
		return err
	}
	spec := map[string]any{}
	if err := log.Spec(&spec); err != nil {
		return err
	}
	w, err := datasets.Create(to, log.Meta, spec)
	if err != nil {
		return err
	}
	first := datasets.Filter{To: trials}
	nextGame, endGames := iter.Pull2(log.Games(first))
	defer endGames()
	nextMove, endMoves := iter.Pull2(log.Moves(first))
	defer endMoves()
	for row, err := range log.Trials(first) {
		var games []datasets.GameRow
		var moves []datasets.MoveRow
		if err == nil {
			games, err = take(int(row.Games), nextGame)
		}
		if err == nil && log.Meta.RecordMoves != datasets.NoMoves {
			moves, err = take(int(row.Decisions), nextMove)
		}
		if err == nil {
			err = w.Append(row, games, moves)
		}
		if err != nil {
			return errors.Join(err, w.Close())
		}
	}
	return w.Close()
}

// take returns the next n rows.
func take[T any](n int, next func() (T, error, bool)) (rows []T, err error) {
	for len(rows) < n && err == nil {
		var row T
		row, err, _ = next()
		rows = append(rows, row)
	}
	return rows, err
}

// Set changes the value of a key in [spec]. The last of keys names it; the others name the
// tables around it. It panics if there is no such key.
func Set(spec map[string]any, value any, keys ...string) {
	table := tableOf(spec, keys)
	last := keys[len(keys)-1]
	if _, ok := table[last]; !ok {
		panic(fmt.Sprintf("datasetstest: [spec] has no %q", keys))
	}
	table[last] = value
}

// Rename gives a value in [spec] another key. keys lead to it as in Set. It panics if there is
// no such key.
func Rename(spec map[string]any, key string, keys ...string) {
	table := tableOf(spec, keys)
	last := keys[len(keys)-1]
	value, ok := table[last]
	if !ok {
		panic(fmt.Sprintf("datasetstest: [spec] has no %q", keys))
	}
	delete(table, last)
	table[key] = value
}

// tableOf returns the table that holds the last of keys. It panics if a table on the way is
// missing.
func tableOf(spec map[string]any, keys []string) map[string]any {
	for _, key := range keys[:len(keys)-1] {
		table, ok := spec[key].(map[string]any)
		if !ok {
			panic(fmt.Sprintf("datasetstest: [spec] has no table %q", key))
		}
		spec = table
	}
	return spec
}
