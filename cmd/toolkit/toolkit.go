// Package toolkit is the programs of this module for games of other modules.
package toolkit

import (
	"fmt"
	"os"
	"path/filepath"

	"selfplaylab/cmd/internal/selfplay"
	"selfplaylab/cmd/internal/tune"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/runs"
)

// Main runs selfplay with the arguments of the process, and tune if the first of them is tune,
// and exits the process. All that both do also works with the games of the list.
func Main(list ...*engines.Game) {
	name := filepath.Base(os.Args[0])
	if err := games.Include(list...); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
	runs.Programs["selfplay"], runs.Programs["tune"] = []string{name}, []string{name, "tune"}
	if len(os.Args) > 1 && os.Args[1] == "tune" {
		tune.Main(os.Args[2:])
		return
	}
	selfplay.Main(os.Args[1:])
}
