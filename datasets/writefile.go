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
func WriteFile(path string, data []byte) (err error) {
	// Again, where the temporary file is gone: a process that resumes the run clears such
	// files away, and cannot know whose they are.
	for range 3 {
		if err = osDisk.save(path, data); !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	return err
}
