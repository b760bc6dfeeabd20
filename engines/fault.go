package engines

// Fault is the error of a player that failed: it loses the game by Reason, and Detail describes
// the failure for people. A player's other errors count as Crash. With the reason Resigned the
// player gave up and did not fail.
type Fault struct {
	Reason Reason
	Detail string
}

func (f *Fault) Error() string { return f.Detail }

// RefereeFault is the failure of another program that keeps the rules of a game: it ended,
// did not answer or contradicted itself. No player loses by it. A State panics with it,
// since its methods return no errors; see CatchReferee.
type RefereeFault struct{ Detail string }

func (r *RefereeFault) Error() string { return r.Detail }

// CatchReferee, deferred, sets err to the RefereeFault of a panic. Other panics go on.
func CatchReferee(err *error) {
	switch p := recover().(type) {
	case nil:
	case *RefereeFault:
		*err = p
	default:
		panic(p)
	}
}
