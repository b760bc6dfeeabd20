// Selfplay plays games between players, and is the tool box of whoever writes
// one: perft, evaluation, best moves, boards and speeds.
package main

import "selfplaylab/cmd/internal/cli"

func main() { cli.Main(root) }
