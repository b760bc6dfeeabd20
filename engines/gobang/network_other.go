//go:build !amd64 || purego

package gobang

// follow is followSlowly.
func follow(n *network, sum *lanes, changes []cellChange) { n.followSlowly(sum, changes) }

// respond is respondSlowly.
func respond(n *network, in *[inputWords]uint64) int32 { return n.respondSlowly(in) }
