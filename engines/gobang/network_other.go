//go:build !amd64 || purego

package gobang

func follow(n *network, sum *lanes, changes []change) { n.followSlowly(sum, changes) }

func respond(n *network, in *[inputWords]uint64) int32 { return n.respondSlowly(in) }
