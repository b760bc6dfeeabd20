package gametest

import "time"

// SetPatience changes how long a deaf player is waited for, and returns what
// sets it back.
func SetPatience(d time.Duration) (restore func()) {
	old := patience
	patience = d
	return func() { patience = old }
}
