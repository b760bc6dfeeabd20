package view

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/reports"
)

// Report writes the report of a recorded run into its directory, with its figures in these formats
// besides SVG. If ctx ends first, it returns the cause.
func Report(ctx context.Context, kinds runs.Kinds, dir string, figures ...string) error {
	r, err := kinds.Open(dir)
	if err != nil {
		return fmt.Errorf("report of %s: %w", dir, err)
	}
	return Of(r).report(ctx, figures...)
}

// ReportPlayed is Report of a run that was just played. played returns its record and the result
// of all its trials, or nil where that must be read. Without a record there is no report.
func ReportPlayed(ctx context.Context, played func() (*runs.Recorded, runs.Result, error)) error {
	r, result, err := played()
	if err != nil || r == nil {
		return err
	}
	v := Of(r)
	if result != nil {
		v.full, v.read = result, r.Log.NumTrials
	}
	return v.report(ctx)
}

// report writes the report into the run's directory.
func (v *View) report(ctx context.Context, figures ...string) error {
	page, err := v.Page(ctx, true)
	if err == nil && ctx.Err() == nil {
		page.Nav, page.FigureFormats = upwards(v.Log.Dir), figures
		err = page.Write(v.Log.Dir, datasets.WriteFile)
	}
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("report of %s: %w", v.Log.Dir, err)
	}
	return nil
}

// upwards links a run's report to the page of the experiment that it belongs to, if
// that is there.
func upwards(dir string) []reports.Link {
	const up = "../report.html"
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(up))); err != nil {
		return nil
	}
	return []reports.Link{{Name: "the experiment", To: up}}
}
