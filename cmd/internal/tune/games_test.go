package tune

import (
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/games"
	"selfplaylab/engines/testmode"
)

// Every game of the catalogue can be listed and tuned, and its run reported on
// and resumed.
func TestEveryGame(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes every game")
	}
	t.Parallel()
	for _, game := range games.Games() {
		t.Run(game.Name, func(t *testing.T) {
			if game.Name != "quoridor" {
				clitest.SkipUnderRace(t)
			}
			if game.Name == "chess" {
				testmode.SkipUnlessLong(t) // as long as the others together
			}
			t.Parallel()
			list := clitest.OK(t, ".", "tune", "params", "--game", game.Name).Stdout
			for _, p := range game.Space {
				if !strings.Contains(list, "\n"+p.Name+" ") {
					t.Errorf("%s is not in the list", p.Name)
				}
			}
			for _, p := range game.Presets {
				if !strings.Contains(list, "\n  "+p.Name+" ") {
					t.Errorf("preset %s is not in the list", p.Name)
				}
			}
			dir := filepath.Join(t.TempDir(), "run")
			args := strings.Fields("--iters 2 --pairs 1 --screen-pairs 1 --verify-pairs 2 --rate-pairs 1 --game " + game.Name + " --limits " + clitest.Quick(game))
			res := whole(t, ".", append(args, "--out", dir)...)
			if name, _, _ := strings.Cut(game.Title, " "); !strings.Contains(res.Stdout, " stronger at "+name) {
				t.Errorf("the outcome does not name %s:\n%s", game.Title, res.Stdout)
			}
			clitest.OK(t, ".", "tune", "report", dir)
			whole(t, ".", "resume", dir)
		})
	}
}
