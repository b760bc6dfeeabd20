package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// program returns a program with a command whose flags have headings, and one without.
func program() *cobra.Command {
	type part struct {
		Pairs int    `toml:"pairs" arg:"N" help:"pairs to play; each pair has two games from one opening with the colours swapped" group:"Length"`
		Round int    `toml:"round" arg:"N" alias:"lap" help:"pairs of a round"`
		Set   string `toml:"set" flag:"-"`
	}
	root := &cobra.Command{Use: "toy", Short: "a toy", Run: func(*cobra.Command, []string) {}}
	play := &cobra.Command{Use: "play", Short: "play games", Long: "Play plays games.\n\nIt also\nwaits:\n\n  a = 1   # kept",
		Example: "  toy play --a one --b two --openings a-file-with-a-very-long-name.txt --pairs 100",
		Run:     func(*cobra.Command, []string) {}}
	Flags(play, &struct {
		A string `toml:"a" arg:"PLAYER" help:"player A" group:"Players"`
		part
		Opening string `toml:"opening" arg:"FILE" help:"a file" group:"Openings"`
		B       string `toml:"b" arg:"PLAYER" help:"player B" group:"Players"`
	}{})
	play.Flags().BoolP("quiet", "q", false, "print nothing")
	show := &cobra.Command{Use: "show", Short: "show a game", Run: func(*cobra.Command, []string) {}}
	show.Flags().String("zebra", "", "the first `FILE`")
	show.Flags().Bool("apple", false, "the second")
	AddCommands(root, "Games", show, play)
	return root
}

// printed returns what a program prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Execute(t.Context(), program(), args, &out, &out); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out.String()
}

// TestHelpExplainsEveryFlagUnderItsHeading expects each flag once, under its heading; a flag without
// one under Flags; wrapped texts; and code as written.
func TestHelpExplainsEveryFlagUnderItsHeading(t *testing.T) {
	want := `Play plays games.

It also waits:

  a = 1   # kept

Usage:
  toy play [flags]

Examples:
  toy play --a one --b two --openings a-file-with-a-very-long-name.txt \
      --pairs 100

Players:
  --a PLAYER              player A
  --b PLAYER              player B

Length:
  --pairs N               pairs to play; each pair has two games from one
                          opening with the colours swapped
  --round N               pairs of a round

Openings:
  --opening FILE          a file

Flags:
  -q, --quiet             print nothing
  -h, --help              help for play
`
	if got := printed(t, "help", "play"); got != want {
		t.Errorf("help\n%s\nwant\n%s", got, want)
	}
}

// TestSummaryNamesDetailFlags expects the first paragraph, and names of the flags that are rarely needed.
func TestSummaryNamesDetailFlags(t *testing.T) {
	got := printed(t, "play", "--help")
	if !strings.HasPrefix(got, "Play plays games.\n\nUsage:\n") || !strings.Contains(got, "\nOpenings:\n  --opening\n\nFlags:\n  -q, --quiet ") ||
		!strings.Contains(got, "player A") || !strings.HasSuffix(got, "\n\"toy help play\" explains everything: every flag, and the details.\n") {
		t.Error(got)
	}
}

// TestHelpKeepsOrderOfCommandsAndFlags expects commands and flags in the order of the program, commands
// under their headings, and a single list of flags without headings.
func TestHelpKeepsOrderOfCommandsAndFlags(t *testing.T) {
	for args, want := range map[string]string{
		"--help":      "\nGames:\n  show        show a game\n  play        play games\n\nOther commands:\n  completion  print",
		"show --help": "\nFlags:\n  --zebra FILE            the first FILE\n  --apple                 the second\n  -h, --help",
		"help":        "\nGames:\n  show ",
	} {
		if got := printed(t, strings.Fields(args)...); !strings.Contains(got, want) {
			t.Errorf("toy %s: no %q in\n%s", args, want, got)
		}
	}
	var out bytes.Buffer
	if err := Execute(t.Context(), program(), []string{"help", "shwo"}, &out, &out); err == nil || !strings.Contains(err.Error(), "did you mean show?") {
		t.Errorf("%v", err)
	}
}

// TestBreakOfExampleKeepsQuotes expects breaks before flags of the command, and none within a quoted word.
func TestBreakOfExampleKeepsQuotes(t *testing.T) {
	h := helpText{&cobra.Command{Example: `  toy build --with "make --all && cp --force a b" --a one`}, 30, true}
	want := "  toy build \\\n      --with \"make --all && cp --force a b\" \\\n      --a one\n"
	if got := h.examples(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := firstParagraph("a\nb:\n\n  code\n\nmore"); got != "a\nb:\n\n  code" {
		t.Errorf("%q", got)
	}
}

// TestHelpWrapsAtWidth expects no line beyond the width, and wide lines to be used.
func TestHelpWrapsAtWidth(t *testing.T) {
	root := program()
	play, _, err := root.Find([]string{"play"})
	if err != nil {
		t.Fatal(err)
	}
	play.Long = strings.Repeat("word ", 60) + "\n\n  name  " + strings.Repeat("about ", 40)
	for _, width := range []int{60, 80, 120} {
		longest := 0
		for line := range strings.SplitSeq(helpText{play, width, false}.String(), "\n") {
			longest = max(longest, utf8.RuneCountInString(line))
		}
		if longest > width || longest < width-8 {
			t.Errorf("%d columns: the longest line has %d", width, longest)
		}
	}
}
