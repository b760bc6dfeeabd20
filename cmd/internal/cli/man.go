package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// ManCommand returns the command that writes the program's man pages, for packagers.
func ManCommand(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "write a man page for every command into a folder", Hidden: true, Args: cobra.ExactArgs(1),
		Long: "Man writes the help of every command as a man page, program-command.1, into DIR.", Example: "  selfplay man share/man/man1",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return fmt.Errorf("man pages: %w", err)
			}
			n, err := manPages(args[0], cmd.Root())
			fmt.Fprintf(stdout, "%d pages in %s\n", n, args[0])
			return err
		},
	}
}

// manPages writes the pages of a command and its visible subcommands, and returns their
// number.
func manPages(dir string, cmd *cobra.Command) (n int, err error) {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	if err := os.WriteFile(filepath.Join(dir, name+".1"), []byte(manPage(name, cmd)), 0o666); err != nil {
		return 0, fmt.Errorf("man page of %s: %w", name, err)
	}
	n = 1
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		below, err := manPages(dir, c)
		if n += below; err != nil {
			return n, err
		}
	}
	return n, nil
}

// manPage returns the page of a command, from its whole help.
func manPage(name string, cmd *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" \"selfplaylab %s\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), Version, roff(name), roff(cmd.Short))
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", title, roff(text))
		}
	}
	section("SYNOPSIS", cmd.UseLine())
	full := helpText{cmd, defaultWidth, false}
	section("DESCRIPTION", full.reflow(cmd.Long))
	section("OPTIONS", full.flags())
	section("EXAMPLES", full.examples())
	var below []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			below = append(below, strings.ReplaceAll(c.CommandPath(), " ", "-")+"(1)  "+c.Short)
		}
	}
	section("COMMANDS", strings.Join(below, "\n"))
	return b.String()
}

// roff escapes a text for man: hyphens can be copied, and no line is a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
