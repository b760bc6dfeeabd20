//go:build !purego

package gobang

// follow is followSlowly, by the instructions that every processor of this kind has (SSE2).
// The tag purego compiles the plain form.
//
//go:noescape
func follow(n *network, sum *lanes, changes []change)

// respond is respondSlowly.
//
//go:noescape
func respond(n *network, in *[inputWords]uint64) int32
