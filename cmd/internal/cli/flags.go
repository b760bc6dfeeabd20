package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
)

// Flags gives a command a flag for every field of a struct as config.Fields reads
// it. In help {kinds} stands for the kinds of runs.
func Flags(cmd *cobra.Command, fields any) {
	kindFlags(cmd, runs.Kind{}, fields)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Usage = strings.ReplaceAll(f.Usage, "{kinds}", strings.Join(kinds.Names(), ", "))
	})
}

// kindFlags is Flags with the placeholders of a kind filled.
func kindFlags(cmd *cobra.Command, kind runs.Kind, asked any) {
	cmd.Flags().SortFlags = false
	for _, f := range config.Fields(asked) {
		addFlag(cmd, f, kind.Help(f.Help))
	}
}

// addFlag adds the flag of a field.
func addFlag(cmd *cobra.Command, f config.Field, help string) {
	fl := cmd.Flags()
	fl.Var(&flag{field: f}, flagName(f.Name), help)
	if f.Alias != "" {
		fl.Var(&flag{field: f}, flagName(f.Alias), "--"+flagName(f.Name))
		fl.Lookup(flagName(f.Alias)).Hidden = true
	}
	if f.Bool() {
		fl.Lookup(flagName(f.Name)).NoOptDefVal = "true"
	}
}

// flagName is the flag of a field.
func flagName(field string) string { return strings.ReplaceAll(field, "_", "-") }

// flag is a field as a flag.
type flag struct {
	field config.Field
	set   bool // a list was given: what came before were defaults
}

// String implements pflag.Value.
func (f *flag) String() string {
	if f.field.Name == "" { // pflag asks a zero value
		return ""
	}
	return strings.Join(f.field.Texts(), ",")
}

// Set implements pflag.Value.
func (f *flag) Set(text string) error {
	if f.field.List() && !f.set {
		f.field.Reset()
	}
	f.set = true
	return f.field.Set(text)
}

// Type implements pflag.Value: what stands for the value in help.
func (f *flag) Type() string {
	if f.field.Arg != "" {
		return f.field.Arg
	}
	return f.field.Type()
}

// Flagged is an error in the words of the command line: a field by its flag.
func Flagged(err error) error {
	e, ok := errors.AsType[*config.Error](err)
	if !ok {
		return err
	}
	return &flagError{e}
}

type flagError struct{ of *config.Error }

// Error names the flag.
func (e *flagError) Error() string { return e.of.With("--" + flagName(e.of.Field)) }

// Unwrap returns the error of the field.
func (e *flagError) Unwrap() error { return e.of }
