package mills

// laws are the rules of a position, one bit each.
// Without any, it is the paper's game without diagonals and closed points.
type laws uint16

const (
	diagonals    laws = 1 << iota // corners have radial lines too
	closedPoints                  // a point from which a man was taken stays empty until placing ends
	firstOpens                    // the first placer takes the first step, not the last placer
	mayDecline                    // a mill need not take
	perMill                       // a man is taken for every line completed
	looseFirst                    // men in a line may be taken only when all are
	flyAtThree                    // a side with three men steps anywhere
	noReform                      // a mill is not re-formed by stepping straight back
	fullFirst                     // on a full board the first side has lost, not the side to move
	fullDraw                      // a full board is a draw
)

// unusual are the laws that the fast generator of moves does not know.
const unusual = mayDecline | perMill | flyAtThree | noReform

// spokes returns the points that have a radial line.
func (l laws) spokes() uint32 {
	if l&diagonals != 0 {
		return everywhere
	}
	return middles
}
