// Tune finds better parameters for a game's player by self-play, and verifies
// them on fresh games before it calls them better.
package main

import "selfplaylab/cmd/internal/cli"

func main() { cli.Main(run) }
