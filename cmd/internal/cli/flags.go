package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports/text"
)

// Flags gives a command a flag for every field of a struct as config.Fields reads
// it.
func Flags(cmd *cobra.Command, fields any) { kindFlags(cmd, runs.Kind{}, fields) }

// kindFlags is Flags with the placeholders of a kind filled.
func kindFlags(cmd *cobra.Command, kind runs.Kind, settings any) {
	cmd.Flags().SortFlags = false
	for _, f := range config.Fields(settings) {
		addFlag(cmd, f, kind.Help(f.Help))
	}
}

// groupKey is the annotation of flags that holds their heading in help.
const groupKey = "group"

// groupOutput is the heading of flags for files and printing.
const groupOutput = "Output"

// group puts the flags that have no heading yet under one.
func group(fl *pflag.FlagSet, heading string) {
	fl.VisitAll(func(f *pflag.Flag) {
		if f.Annotations[groupKey] == nil {
			f.Annotations = map[string][]string{groupKey: {heading}}
		}
	})
}

// groupedUsage prints the usage of a command with its flags under their headings.
func groupedUsage(cmd *cobra.Command) error {
	out, usage := cmd.OutOrStderr(), &strings.Builder{}
	cmd.SetOut(usage)
	defer cmd.SetOut(out)
	if err := new(cobra.Command).UsageFunc()(cmd); err != nil {
		return err
	}
	flags := cmd.LocalFlags()
	plain := "Flags:\n" + strings.TrimRight(flags.FlagUsages(), "\n")
	_, err := io.WriteString(out, strings.Replace(usage.String(), plain, groupedFlags(flags), 1))
	return err
}

// groupedFlags lists flags under their headings, in the order of the first flag of each. A
// command without headings has a single list.
func groupedFlags(flags *pflag.FlagSet) string {
	lines := strings.Split(flags.FlagUsages(), "\n") // a flag a line
	var headings []string
	under := map[string][]string{}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		heading := cmp.Or(strings.Join(f.Annotations[groupKey], ""), groupOutput)
		if under[heading] == nil {
			headings = append(headings, heading)
		}
		under[heading], lines = append(under[heading], lines[0]), lines[1:]
	})
	if len(headings) == 1 {
		return "Flags:\n" + strings.Join(under[headings[0]], "\n")
	}
	return strings.Join(text.Each(headings, func(h string) string { return h + ":\n" + strings.Join(under[h], "\n") }), "\n\n")
}

// addFlag adds the flag of a field.
func addFlag(cmd *cobra.Command, f config.Field, help string) {
	fl := cmd.Flags()
	fl.Var(&flag{field: f}, flagName(f.Name), help)
	for _, alias := range f.Aliases {
		fl.Var(&flag{field: f}, flagName(alias), "--"+flagName(f.Name))
		fl.Lookup(flagName(alias)).Hidden = true
	}
	if f.Bool() {
		fl.Lookup(flagName(f.Name)).NoOptDefVal = "true"
	}
	if f.Group != "" {
		fl.Lookup(flagName(f.Name)).Annotations = map[string][]string{groupKey: {f.Group}}
	}
}

// flagName returns the flag of a field.
func flagName(field string) string { return strings.ReplaceAll(field, "_", "-") }

// flag is a field as a pflag.Value.
type flag struct {
	field config.Field
	set   bool // true after the first value, which replaces the defaults
}

func (f *flag) String() string {
	if f.field.Name == "" { // pflag asks a zero value
		return ""
	}
	return strings.Join(f.field.Texts(), ",")
}

func (f *flag) Set(text string) error {
	if f.field.List() && !f.set {
		f.field.Reset()
	}
	f.set = true
	return f.field.Set(text)
}

// Type implements pflag.Value: the placeholder of the value in help.
func (f *flag) Type() string {
	if f.field.Arg != "" {
		return f.field.Arg
	}
	return f.field.Type()
}

// NoEffect returns the error of the first of some flags that is given, though it has no effect so.
func NoEffect(fl *pflag.FlagSet, so string, names ...string) error {
	for _, name := range names {
		if fl.Changed(name) {
			return fmt.Errorf("--%s has no effect %s", name, so)
		}
	}
	return nil
}

// Flagged returns an error in the words of the command line: a field by its flag.
func Flagged(err error) error {
	e, ok := errors.AsType[*config.Error](err)
	if !ok {
		return err
	}
	return &flagError{e}
}

type flagError struct{ of *config.Error }

// Error names the flag.
func (f *flagError) Error() string { return f.of.With("--" + flagName(f.of.Field)) }
func (f *flagError) Unwrap() error { return f.of }
