package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/engines"
)

// Execute runs a cobra command with the toolkit's manners: errors are returned,
// not printed, and do not bring the whole usage with them.
func Execute(ctx context.Context, cmd *cobra.Command, args []string, stdout, stderr io.Writer) (err error) {
	defer engines.CatchReferee(&err)
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	setHelp(cmd)
	cmd.SilenceErrors = true
	cmd.SilenceUsage = true
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if _, rest, _ := cmd.Find(args); c.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			if err := c.ValidateArgs(rest[:1]); err != nil { // no command: the flags were meant for the right one
				return err
			}
		}
		hint := ""
		if name, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
			var known []string
			c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
			hint = nearest(name, known)
		}
		if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			if f, ours := invalid.GetFlag().Value.(*flag); ours {
				err = fmt.Errorf("--%s: %w", flagName(f.field.Name), invalid.Unwrap())
			} else if want := wanted[invalid.GetFlag().Value.Type()]; want != "" {
				err = fmt.Errorf("--%s: %q: want %s", invalid.GetFlag().Name, invalid.GetValue(), want)
			}
		}
		return fmt.Errorf("%w%s\n%s", err, hint, seeHelp(c))
	})
	return cmd.ExecuteContext(ctx)
}

// wanted describes the values of flags by type.
var wanted = map[string]string{
	"int": "a whole number", "uint64": "a whole number from 0 to 18446744073709551615", "float64": "a number",
	"duration": "a time with its unit, such as 500ms or 60s", "bool": "true or false",
}
