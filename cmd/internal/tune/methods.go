package tune

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/reports/text"
)

func methodsCommand(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "methods", Short: "list the tuning methods and their flags",
		Long:    "Methods lists the values of --method, each with its specific flags. All other flags\napply to every method.",
		Example: "  tune methods", Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for i, m := range tuning.Methods() {
				if i > 0 {
					fmt.Fprintln(stdout)
				}
				fmt.Fprintf(stdout, "%s: %s\n", m.Info().Name, m.Info().Doc)
				t := text.Table{}
				for _, f := range config.Fields(m) {
					t = append(t, []string{"  --" + strings.ReplaceAll(f.Name, "_", "-"), f.Arg, f.Help})
				}
				if len(t) > 0 {
					t.Print(stdout)
				}
			}
			return nil
		},
	}
}
