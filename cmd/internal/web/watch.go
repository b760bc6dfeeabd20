package web

import (
	"context"
	"path/filepath"

	"selfplaylab/engines/runs"
)

// ServeRun returns a cli.ServeRun: it opens pages on this machine for the runs of the
// folder that holds the run.
func ServeRun(kinds runs.Kinds) func(context.Context, *runs.Live) (runs.Pages, error) {
	return func(ctx context.Context, live *runs.Live) (runs.Pages, error) {
		s, err := New(Options{Kinds: kinds, Root: filepath.Dir(live.Dir), Workers: live.Workers})
		if err != nil {
			return runs.Pages{}, err
		}
		s.watch(live)
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx) }()
		return runs.Pages{Address: s.pageOf(live.Dir), Wait: func() error { return <-ended }}, nil
	}
}
