package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/web"
	"selfplaylab/reports/gamestats"
)

func serveCommand(stdout io.Writer) *cobra.Command {
	var o web.Options
	var static string
	cmd := &cobra.Command{
		Use: "serve [DIR]", Short: "show runs in a browser, live; walk through their games; play against any preset",
		Long: `Serve shows the runs of a folder (default: ` + cli.RunsFolder + `) in a browser: the list with what came of
each, a run's curves and report while it grows, its games on a board, several runs
beside each other. All four games can be played against any preset, and against the
engines of the files that are named here: a page can start no other program.

It listens on this machine alone and prints the address. Whoever has the token in
it may also stop, go on and start runs. With --listen elsewhere all need it; give
--cert and --key too, or everybody on the way can read along. Ctrl-C ends it; runs
that were started from the page are saved and can be gone on with.

With --static it serves nothing: it writes a folder that any web server can host,
with the engines compiled for the browser (which needs Go and this source), to play
and to analyse with any preset, and the games of the runs that are named.`,
		Example: "  selfplay serve\n  selfplay serve --engines engines/\n  selfplay serve experiments --listen 127.0.0.1:8080\n  selfplay serve --listen 0.0.0.0:8443 --cert cert.pem --key key.pem\n  selfplay serve --static site runs/20261120-101500-quoridor-match",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 && static == "" {
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
			if cmd.Flags().Changed("static") {
				return writeStatic(static, args, stdout)
			}
			o.Root = cli.RunsFolder
			if len(args) == 1 {
				o.Root = args[0]
			}
			if cache, err := os.UserCacheDir(); err == nil {
				o.Cache = filepath.Join(cache, "selfplaylab")
			}
			s, err := web.New(o)
			if err != nil {
				return err
			}
			fmt.Fprintf(stdout, "%s\n", s.Address())
			if err := s.Serve(cmd.Context()); err != nil && !errors.Is(err, cmd.Context().Err()) {
				return err
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Listen, "listen", "127.0.0.1:0", "`HOST:PORT` to listen on; port 0 is a free one")
	cmd.Flags().StringVar(&static, "static", "", "write pages that need no server into `DIR` instead of serving")
	cmd.Flags().StringVar(&o.Cert, "cert", "", "`FILE` of a TLS certificate (PEM)")
	cmd.Flags().StringVar(&o.Key, "key", "", "`FILE` of its key")
	cmd.Flags().StringSliceVar(&o.Engines, "engines", nil, "engine `FILE`s, or folders of them, to play against in the page (repeatable; see selfplay engine)")
	cmd.Flags().IntVar(&o.Workers, "workers", 0, "games at a time of runs started from the page (default: one a processor)")
	return cmd
}

// writeStatic writes pages that need no server.
func writeStatic(dir string, runs []string, stdout io.Writer) error {
	if dir == "" {
		return errors.New("--static: want a folder to write to")
	}
	left, err := web.Static(dir, runs)
	if err != nil {
		return fmt.Errorf("--static %s: %w", dir, err)
	}
	if left > 0 {
		fmt.Fprintf(stdout, "%s games are left out: %s of a run are the most that are written\n", gamestats.Count(left), gamestats.Count(web.MaxStatic))
	}
	fmt.Fprintf(stdout, "%s\n", filepath.Join(dir, "index.html"))
	return nil
}
