//go:build !unix

package datasets

// noFollow is nothing where opening cannot refuse symbolic links; regular has
// looked before.
const noFollow = 0
