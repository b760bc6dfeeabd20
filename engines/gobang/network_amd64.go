//go:build !purego

package gobang

// follow is followSlowly with SSE2 instructions, which every processor of this kind has.
// The tag purego selects the plain form.
//
//go:noescape
func follow(n *network, sum *lanes, changes []cellChange)

// respond is respondSlowly with SSE2 instructions.
//
//go:noescape
func respond(n *network, in *[inputWords]uint64) int32
