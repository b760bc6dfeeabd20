//go:build linux || darwin

package datasets

import "golang.org/x/sys/unix"

// freeSpace returns the bytes that an ordinary user may still write below dir.
func freeSpace(dir string) (bytes uint64, known bool, err error) {
	var s unix.Statfs_t
	for {
		err = unix.Statfs(dir, &s)
		if err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return 0, false, err
	}
	return s.Bavail * uint64(s.Bsize), true, nil
}
