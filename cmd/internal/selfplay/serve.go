package selfplay

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/web"
	"selfplaylab/engines/runs/kinds"
)

func serveCommand(stdout io.Writer) *cobra.Command {
	o := web.Options{Kinds: kinds.All()}
	cmd := &cobra.Command{
		Use: "serve [DIR]", Short: "show runs live in a browser, browse their games, play against any preset",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("want one folder of runs, got %d: %s", len(args), c.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("workers") {
				if err := cli.CheckWorkers(o.Workers); err != nil {
					return err
				}
			}
			return serve(cmd.Context(), o, args, stdout, cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&o.Listen, "listen", "127.0.0.1:0", "`HOST:PORT` to listen on; port 0, or an IP address alone, picks a free one")
	cmd.Flags().StringVar(&o.Cert, "cert", "", "`FILE` of a TLS certificate (PEM)")
	cmd.Flags().StringVar(&o.Key, "key", "", "`FILE` of the certificate's key")
	cmd.Flags().StringSliceVar(&o.Engines, "engines", nil, "engine `FILE`s, or folders of them, to play against in the browser (repeatable; see selfplay engine)")
	cmd.Flags().IntVar(&o.Workers, "workers", 0, "parallel games of runs started from the page (default: one per processor)")
	return cmd
}

// serve serves the named folder of runs, or the default one, until ctx ends.
func serve(ctx context.Context, o web.Options, named []string, stdout, stderr io.Writer) error {
	o.Root = cli.RunsFolder
	if len(named) == 1 {
		o.Root = named[0]
		if _, err := os.Stat(o.Root); err != nil {
			return fmt.Errorf("there is no folder %s to serve: %w", o.Root, err)
		}
	}
	folder, err := filepath.Abs(o.Root)
	if err != nil {
		return err
	}
	o.Token = func() (string, error) { // the same after a restart, so that open pages go on
		token, err := cli.Kept(fmt.Sprintf("pages-%x", sha256.Sum256([]byte(folder))), cli.NewToken)
		if err != nil {
			fmt.Fprintf(stderr, "open pages will have to be opened again after a restart: %v\n", err)
			return cli.NewToken()
		}
		return token, nil
	}
	s, err := web.New(o)
	if err != nil {
		return err
	}
	if warning := s.Warning(); warning != "" {
		fmt.Fprintf(stderr, "warning: %s\n", warning)
	}
	fmt.Fprintf(stdout, "%s\n", s.Address())
	if err := s.Serve(ctx); err != nil && !errors.Is(err, ctx.Err()) {
		return err
	}
	return nil
}
