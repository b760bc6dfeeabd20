package web

import (
	"context"
	"path/filepath"

	"selfplaylab/engines/runs"
)

// ServeRun is a cli.ServeRun: it opens pages on this machine for the runs of the
// folder that holds the run.
func ServeRun(ctx context.Context, live *runs.Live) (runs.Pages, error) {
	s, err := New(Options{Root: filepath.Dir(live.Dir), Workers: live.Workers})
	if err != nil {
		return runs.Pages{}, err
	}
	s.watch(live)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	return runs.Pages{Address: s.pageOf(live.Dir), Wait: func() error { return <-ended }}, nil
}
