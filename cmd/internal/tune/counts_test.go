package tune

import (
	"context"
	"io"
	"os"
	"testing"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/clitest"
)

// TestCounts: no count is too large, or none, without a word.
func TestCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tries every count of every command")
	}
	t.Chdir(t.TempDir())
	execute := func(ctx context.Context, cmd *cobra.Command, words []string) error {
		return cli.Execute(ctx, cmd, words, io.Discard, io.Discard)
	}
	made := []string{"--game", "quoridor", "--games", "40", "--params", "a_E", "--screen-pairs", "0", "--verify-pairs", "0", "--rate-pairs", "0", "--out", "t"}
	if err := execute(t.Context(), tuneCommand(made, io.Discard, io.Discard), made); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("s.toml", []byte("[[param]]\nname = 'a'\ndefault = 1\nmin = 0\nmax = 5\nstep = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	clitest.Counts(t, tuneCommand, execute, map[string]string{
		"":                "--game quoridor --params a_E --iters 1 --pairs 1 --screen-pairs 0 --verify-pairs 0 --rate-pairs 0 --discard",
		"--games":         "--game quoridor --params a_E --games 2 --screen-pairs 0 --verify-pairs 0 --rate-pairs 0 --discard",
		"--against-pairs": "--game quoridor --params a_E --against final --games 2 --screen-pairs 0 --verify-pairs 0 --against-pairs 1 --rate-pairs 0 --discard",
		"resume":          "t",
		"ask-tell":        "--space s.toml --games 40",
	})
}
