package datasets

import "golang.org/x/sys/windows"

// freeSpace returns the bytes that the user may still write below dir.
func freeSpace(dir string) (bytes uint64, known bool, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false, err
	}
	if err := windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil); err != nil {
		return 0, false, err
	}
	return bytes, true, nil
}
