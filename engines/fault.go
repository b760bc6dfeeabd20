package engines

// Fault is the error of a player that failed by its own doing: the game is lost
// by Reason, and Detail says what happened, for people. A player's other errors
// count as Crash.
type Fault struct {
	Reason Reason
	Detail string
}

// Error returns the detail.
func (f *Fault) Error() string { return f.Detail }
