//go:build unix

package datasets

import "syscall"

// openSafely makes opening a symbolic link fail, and opening a named pipe return at once.
const openSafely = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
