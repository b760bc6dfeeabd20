//go:build !unix

package datasets

// openSafely has no flag on systems that cannot reject symbolic links when opening; openRegular
// checks for links before.
const openSafely = 0
