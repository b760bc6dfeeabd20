package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestHelpGroupsFlagsByHeading expects each flag once, under its heading; a flag without one under
// Output; and one list if no flag has a heading.
func TestHelpGroupsFlagsByHeading(t *testing.T) {
	type part struct {
		Pairs int    `toml:"pairs" arg:"N" help:"pairs to play" group:"Length"`
		Round int    `toml:"round" arg:"N" alias:"lap" help:"pairs of a round"`
		Set   string `toml:"set" flag:"-"`
	}
	flags := &struct {
		A string `toml:"a" arg:"PLAYER" help:"player A" group:"Players"`
		part
		Opening string `toml:"opening" arg:"FILE" help:"a file" group:"Openings"`
		B       string `toml:"b" arg:"PLAYER" help:"player B" group:"Players"`
	}{}
	cmd := &cobra.Command{Use: "play", Long: "Play plays.", Run: func(*cobra.Command, []string) {}}
	Flags(cmd, flags)
	cmd.Flags().Bool("json", false, "print one JSON object")
	cmd.SetUsageFunc(groupedUsage)
	want := `Usage:
  play [flags]

Players:
      --a PLAYER       player A
      --b PLAYER       player B

Length:
      --pairs N        pairs to play
      --round N        pairs of a round

Openings:
      --opening FILE   a file

Output:
      --json           print one JSON object
`
	if got := cmd.UsageString(); got != want {
		t.Errorf("usage\n%s\nwant\n%s", got, want)
	}
	var seen strings.Builder
	cmd.SetOut(&seen)
	cmd.SetArgs([]string{"--help"})
	if err := cmd.Execute(); err != nil || !strings.HasPrefix(seen.String(), "Play plays.\n\nUsage:") || !strings.Contains(seen.String(), "\nOpenings:\n") {
		t.Errorf("%v: %s", err, seen.String())
	}
	plain := pflag.NewFlagSet("", pflag.ContinueOnError)
	plain.Bool("json", false, "print one JSON object")
	if got := groupedFlags(plain); got != "Flags:\n      --json   print one JSON object" {
		t.Errorf("without headings: %q", got)
	}
}

// TestSecretWithoutPlaceIsNamed expects an error that names the secret and the remedy.
func TestSecretWithoutPlaceIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, file)
	}
	if _, err := Kept("token", NewToken); err == nil || !strings.Contains(err.Error(), "no place to keep the token: ") {
		t.Error(err)
	}
}
