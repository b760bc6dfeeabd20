package selfplay

import (
	"context"
	"io"
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
	made := []string{"match", "--game", "quoridor", "--a", "final", "--b", "bad", "--pairs", "3", "--out", "m", "--record-moves", "on"}
	if err := execute(t.Context(), command(made, io.Discard, io.Discard), made); err != nil {
		t.Fatal(err)
	}
	const two = "--game quoridor --player final --player bad --discard "
	clitest.Counts(t, command, execute, map[string]string{
		"match":      "--game quoridor --a final --b bad --pairs 1 --discard",
		"tournament": two + "--pairs 1 --round 1",
		"ladder":     "--game quoridor --player final --rounds 1 --discard",
		"search":     "--game quoridor --player final --positions 1 --discard",
		"branch":     "fails: --repo nowhere --a one --b two --build true",
		"plan":       "--tuning 10000",
		"perft":      "--game quoridor",
		"best":       "--game quoridor",
		"export":     "m --table positions --csv",
		"openings":   "m",
		"runs":       ".",
		"run":        "fails: nofile.toml",
		"reproduce":  "fails: nothing",
		"serve":      "fails: --listen nowhere",
		"worker":     "fails: --connect nothing",
		"demo":       "fails: --out m/run.toml", // where a file is no folder can be
	})
}
