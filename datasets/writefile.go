package datasets

import "path/filepath"

// WriteFile puts a file beside a run's parts as they are put there: path is at
// any moment absent, the old file or the new one, whole.
func WriteFile(path string, data []byte) error {
	if filepath.Dir(path) == "." {
		path = "." + string(filepath.Separator) + filepath.Base(path)
	}
	return osDisk.save(path, data)
}
