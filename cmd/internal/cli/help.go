package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/reports/text"
)

// Commands are listed in the order in which a program adds them.
func init() { cobra.EnableCommandSorting = false }

// AddCommands adds commands under a heading of the help of cmd.
func AddCommands(cmd *cobra.Command, heading string, commands ...*cobra.Command) {
	if !cmd.ContainsGroup(heading) {
		cmd.AddGroup(&cobra.Group{ID: heading, Title: heading})
	}
	for _, c := range commands {
		c.GroupID = heading
	}
	cmd.AddCommand(commands...)
}

// setHelp gives a program and all its commands their help: --help prints the summary of a command,
// the command help the whole text.
func setHelp(root *cobra.Command) {
	root.SetUsageFunc(func(c *cobra.Command) error {
		_, err := io.WriteString(c.OutOrStderr(), helpText{c, Width(c.OutOrStderr()), true}.usage())
		return err
	})
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		io.WriteString(c.OutOrStdout(), helpText{c, Width(c.OutOrStdout()), true}.String()) // output keeps its error
	})
	if !root.HasSubCommands() {
		return
	}
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: "explain a command with all its flags",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			c, _, err := root.Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			visible := slices.DeleteFunc(slices.Clone(c.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() })
			return text.Each(visible, func(c *cobra.Command) string { return c.Name() + "\t" + c.Short }), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(help *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return NoArgs(root, args)
			}
			c.InitDefaultHelpFlag()
			_, err = io.WriteString(help.OutOrStdout(), helpText{c, Width(help.OutOrStdout()), false}.String())
			return err
		},
	})
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "print a script by which a shell completes commands and flags"
		}
	}
}

// groupKey is the annotation of flags that holds their heading in help.
const groupKey = "group"

// Headings of the flags that the commands share.
const (
	groupOutput  = "Output"
	groupWorkers = "Workers"
	groupCluster = "Other machines"
)

// detailGroups are the headings whose flags a summary only names.
var detailGroups = []string{"Verification and rating", "Adjudication and faults", "Openings", "Intervals and seed", groupOutput, groupWorkers,
	groupCluster}

// group puts the flags that have no heading yet under one.
func group(fl *pflag.FlagSet, heading string) {
	fl.VisitAll(func(f *pflag.Flag) {
		if f.Annotations[groupKey] == nil {
			f.Annotations = map[string][]string{groupKey: {heading}}
		}
	})
}

// Columns of help.
const (
	flagColumn    = 26
	commandColumn = 14
	maxHelpWidth  = 120
)

// helpText is the help of a command for a width in columns. A summary has the first paragraph, and
// only the names of the flags under detailGroups.
type helpText struct {
	cmd     *cobra.Command
	width   int
	summary bool
}

// String returns the description and the usage.
func (h helpText) String() string {
	about := cmp.Or(h.cmd.Long, h.cmd.Short)
	if h.shortened() {
		about = firstParagraph(about)
	}
	return h.reflow(about) + "\n" + h.usage()
}

// firstParagraph returns a text up to its first empty line, with the block that a colon leads to.
func firstParagraph(body string) string {
	first, rest, _ := strings.Cut(strings.Trim(body, "\n"), "\n\n")
	if strings.HasSuffix(first, ":") {
		block, _, _ := strings.Cut(rest, "\n\n")
		first += "\n\n" + block
	}
	return first
}

// shortened reports whether the summary leaves something out.
func (h helpText) shortened() bool { return h.summary && len(groupsOf(h.cmd)) > 1 }

// usage returns how the command is called: its line, examples, commands and flags.
func (h helpText) usage() string {
	c, b := h.cmd, &strings.Builder{}
	b.WriteString("Usage:\n")
	if c.Runnable() {
		b.WriteString(h.columns("", c.UseLine(), 2))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.Example != "" {
		fmt.Fprintf(b, "\nExamples:\n%s", h.examples())
	}
	others := "Commands"
	if len(c.Groups()) > 0 {
		others = "Other commands"
	}
	for _, heading := range append(text.Each(c.Groups(), func(g *cobra.Group) string { return g.ID }), "") {
		below := slices.DeleteFunc(slices.Clone(c.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() || c.GroupID != heading })
		if len(below) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s:\n", cmp.Or(heading, others))
		for _, c := range below {
			b.WriteString(h.columns("  "+c.Name(), c.Short, commandColumn))
		}
	}
	b.WriteString(h.flags())
	switch {
	case h.shortened():
		path := strings.Fields(c.CommandPath())
		b.WriteString("\n" + h.reflow(fmt.Sprintf("%q explains everything: every flag, and the details.",
			strings.Join(slices.Insert(path, 1, "help"), " "))))
	case c.HasAvailableSubCommands():
		fmt.Fprintf(b, "\n\"%s COMMAND --help\" explains a command.\n", c.CommandPath())
	}
	return b.String()
}

// groupsOf returns the headings of a command's visible flags, in the order of the first flag of each.
func groupsOf(c *cobra.Command) (headings []string) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if heading := headingOf(f); !f.Hidden && !slices.Contains(headings, heading) {
			headings = append(headings, heading)
		}
	})
	return headings
}

func headingOf(f *pflag.Flag) string {
	return cmp.Or(strings.Join(f.Annotations[groupKey], ""), "Flags")
}

// flags lists the flags under their headings.
func (h helpText) flags() string {
	var b strings.Builder
	for _, heading := range groupsOf(h.cmd) {
		var names []string
		fmt.Fprintf(&b, "\n%s:\n", heading)
		h.cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Hidden || headingOf(f) != heading:
			case h.shortened() && slices.Contains(detailGroups, heading):
				names = append(names, "--"+f.Name)
			default:
				b.WriteString(h.flag(f))
			}
		})
		if names != nil {
			b.WriteString(h.columns("", strings.Join(names, " "), 2))
		}
	}
	return b.String()
}

// flag returns the lines of a flag: its names and placeholder, and its help.
func (h helpText) flag(f *pflag.Flag) string {
	placeholder, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if placeholder != "" {
		name += " " + placeholder
	}
	if standard := f.DefValue; !slices.Contains([]string{"", "0", "false", "[]"}, standard) {
		usage += fmt.Sprintf(" (default %s)", standard)
	}
	return h.columns("  "+name, usage, flagColumn)
}

// columns returns a lead and a text beside it, wrapped. A lead that reaches the column has a line of
// its own.
func (h helpText) columns(lead, body string, column int) string {
	var b strings.Builder
	if len(strings.TrimRight(lead, " ")) > max(column-2, 0) {
		b.WriteString(lead + "\n")
		lead = ""
	}
	for _, line := range text.Wrap(body, max(h.limit()-column, 20)) {
		fmt.Fprintf(&b, "%-*s%s\n", column, lead, line)
		lead = ""
	}
	return b.String()
}

func (h helpText) limit() int { return min(h.width, maxHelpWidth) }

// reflow wraps the paragraphs of a text. Lines that begin with a space keep their beginning, and
// continue under their last column.
func (h helpText) reflow(body string) string {
	var b strings.Builder
	var paragraph []string
	end := func() {
		for _, line := range text.Wrap(strings.Join(paragraph, " "), h.limit()) {
			b.WriteString(line + "\n")
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(strings.Trim(body, "\n"), "\n") {
		switch indented := strings.HasPrefix(line, " "); {
		case line != "" && !indented:
			paragraph = append(paragraph, line)
			continue
		case indented && utf8.RuneCountInString(line) > h.limit():
			end()
			column := strings.LastIndex(line, "  ") + 2
			b.WriteString(h.columns(line[:column], line[column:], column))
			continue
		}
		end()
		b.WriteString(line + "\n")
	}
	end()
	return b.String()
}

// examples returns the examples, each on lines that a shell reads as one.
func (h helpText) examples() string {
	var b strings.Builder
	for line := range strings.SplitSeq(h.cmd.Example, "\n") {
		for utf8.RuneCountInString(line) > h.limit() {
			at := lineEnd(line, h.limit()-2)
			if at == 0 {
				break
			}
			b.WriteString(line[:at] + " \\\n")
			line = "     " + line[at:]
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// lineEnd returns the place of the last flag of a command in the first columns, or of the first flag after
// them; 0 for none. Flags within quotes and at the beginning do not count.
func lineEnd(line string, columns int) (at int) {
	for i := range line {
		quoted := strings.Count(line[:i], `"`)%2 == 1
		if strings.HasPrefix(line[i:], " --") && !quoted && strings.TrimSpace(line[:i]) != "" && (i <= columns || at == 0) {
			at = i
		}
	}
	return at
}
