package datasets

import (
	"errors"
	"os"
)

// WriteFile writes data to path. At any moment, and after a crash of the machine, path is
// absent, the old file or the new one, whole. WriteFile writes and syncs a temporary file next
// to path, renames it and syncs the folder, which must exist.
//
// A symbolic link at path is replaced by the file; its target does not change. Several
// processes may write one path at once: the last one to end wins.
func WriteFile(path string, data []byte) (err error) {
	// Try again if the temporary file is gone: a process that resumes the run removes such
	// files, because it cannot know whether one is in use.
	for range 3 {
		if err = osDisk.save(path, data); !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	return err
}
