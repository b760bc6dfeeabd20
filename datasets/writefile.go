package datasets

import (
	"errors"
	"os"
)

// WriteFile puts data down as path: path is at any moment, and after a crash of
// the machine, absent, the old file or the new one, whole. It writes and syncs a
// temporary file next to it, renames it and syncs the folder, which must exist. A
// symbolic link at path is replaced by the file; where it leads nothing changes.
// Several processes may write one path: the last to end stays.
func WriteFile(path string, data []byte) error {
	return writeAgain(func() error { return osDisk.saveBytes(path, data) })
}

// writeAgain tries again when the temporary file is gone: a process that resumes
// the run clears such files away, and cannot know whose they are.
func writeAgain(write func() error) (err error) {
	for range 3 {
		if err = write(); !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	return err
}
