package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"selfplaylab/params/tomlx"
)

// Remove deletes the run in dir with its folder. It first checks that dir holds a run, of any
// version, damaged or not; that no process writes it, else the error wraps errLocked; and that
// the folder has only files of a run and files that extra names, such as a report. If a check
// fails, Remove deletes nothing, and the error names the first foreign file. It never follows
// links. If it fails half way, it may be called again.
func Remove(dir string, extra ...string) error {
	if _, err := removable(dir, extra); err != nil {
		return err
	}
	lock, err := takeLock(dir)
	if err != nil {
		return err
	}
	names, err := removable(dir, extra) // checked again, because nobody writes it now
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	// run.toml is removed last: while it exists, Remove can be called again.
	for _, name := range names {
		if err == nil && name != runName && name != lockName {
			err = os.RemoveAll(filepath.Join(dir, name))
		}
	}
	if err == nil {
		err = removeIfThere(filepath.Join(dir, runName))
	}
	if err = errors.Join(err, lock.Close()); err == nil {
		err = errors.Join(removeIfThere(filepath.Join(dir, lockName)), os.Remove(dir))
	}
	if err != nil {
		return fmt.Errorf("remove run %s: %w", dir, err)
	}
	return nil
}

// CheckRemove returns the error that Remove's checks would give, nil if none. It deletes
// nothing.
func CheckRemove(dir string, extra ...string) error {
	_, err := removable(dir, extra)
	if err == nil && Busy(dir) {
		err = fmt.Errorf("run %s: %w; wait for it to end or stop it", dir, errLocked)
	}
	return err
}

// removable returns the entries of a folder that Remove may delete.
func removable(dir string, extra []string) (names []string, err error) {
	if err := checkIsRun(dir); err != nil {
		return nil, err
	}
	if names, err = checkOurs(dir, extra); err != nil {
		return nil, fmt.Errorf("run %s is not removed: %w", dir, err)
	}
	return names, nil
}

// checkIsRun checks that dir has a run.toml with schema, kind and game.
func checkIsRun(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link; name the run's folder itself", dir)
	}
	path := filepath.Join(dir, runName)
	data, err := ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return notRun(dir)
	}
	if err != nil {
		return fmt.Errorf("no run at %s: %w", dir, err)
	}
	var head struct {
		Schema int    `toml:"schema"`
		Kind   string `toml:"kind"`
		Game   string `toml:"game"`
	}
	if err := tomlx.DecodeAny(path, data, &head); err != nil {
		return err
	}
	if head.Schema < 1 || head.Kind == "" || head.Game == "" {
		return fmt.Errorf("no run at %s: its %s does not say schema, kind and game", dir, runName)
	}
	return nil
}

// checkOurs returns the entries of a run's folder, and an error if one is foreign.
func checkOurs(dir string, extra []string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		path := filepath.Join(dir, name)
		names = append(names, name)
		switch {
		case slices.Contains(extra, name) && (e.IsDir() || e.Type().IsRegular()):
		case e.Type().IsRegular() && (isTemp(name) || slices.Contains([]string{runName, lockName, sessionsName, labelsName, pendingName}, name)):
		case e.IsDir() && name == logsName:
		case e.IsDir() && isTable(name):
			if err := checkOurParts(path); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("%s is not of a run; move it away", path)
		}
	}
	return names, nil
}

// checkOurParts returns an error if the folder of a table has a file that is not a run's.
func checkOurParts(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		_, isPart := partNumber(e.Name())
		if !e.Type().IsRegular() || !isTemp(e.Name()) && !(isPart && strings.HasSuffix(e.Name(), ".parquet")) {
			return fmt.Errorf("%s is not of a run; move it away", filepath.Join(dir, e.Name()))
		}
	}
	return nil
}
