package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
)

// Flags gives a command a flag for every field of a struct as config.Fields reads
// it.
func Flags(cmd *cobra.Command, fields any) { kindFlags(cmd, runs.Kind{}, fields) }

// kindFlags is Flags with the placeholders of a kind filled.
func kindFlags(cmd *cobra.Command, kind runs.Kind, settings any) {
	for _, f := range config.Fields(settings) {
		addFlag(cmd, f, kind.Help(f.Help))
	}
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
