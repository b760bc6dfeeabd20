package selfplay

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/params"
)

// Tables that are exported.
const (
	gamesTable     = "games"
	trialsTable    = "trials"
	movesTable     = "moves"
	positionsTable = "positions"
)

type exportFlags struct {
	csv, jsonl, parquet bool
	table, out          string
	phase, trial        string
	outcome, reason     string
	openings, dedup     bool
	form, game          string // of game files
	every               int
	filter              datasets.Filter
	format              datasets.Format
}

func exportCommand(stdout, stderr io.Writer) *cobra.Command {
	f := &exportFlags{}
	cmd := &cobra.Command{
		Use: "export RUN", Short: "write a run's games, trials, moves or labelled positions as CSV, JSON lines or parquet",
		Args: cli.OneRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			if f.form != "" {
				return f.exportFiles(cmd.Context(), args[0], stdout, stderr)
			}
			return f.export(cmd.Context(), args[0], stdout, stderr)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.table, "table", gamesTable, "`TABLE` to export: games, trials, moves or positions")
	fl.BoolVar(&f.csv, "csv", false, "write CSV with a header line (default, unless --out ends in .jsonl or .parquet)")
	fl.BoolVar(&f.jsonl, "jsonl", false, "write JSON lines, one object per row")
	fl.BoolVar(&f.parquet, "parquet", false, "write parquet; vectors remain lists")
	fl.StringVar(&f.form, "format", "", "write games as `FORM`: "+forms())
	fl.StringVar(&f.game, "game", "", "with --format: only this game, `TRIAL:PAIR:GAME` as for selfplay replay")
	fl.StringVar(&f.out, "out", "", "`FILE` to write; it appears only when complete (default: stdout)")
	fl.StringVar(&f.phase, "phase", "", "only rows of this `PHASE`: tune, verify, match, ...")
	fl.StringVar(&f.trial, "trial", "", "only rows of these trials: `N`, N-M, N- or -M")
	fl.StringVar(&f.outcome, "outcome", "", "only games (or their moves or positions) with this outcome: `1-0`, 0-1 or 1/2, first player on the left")
	fl.StringVar(&f.reason, "reason", "", "only games (or their moves or positions) that ended for this `REASON`: goal, five, time, ...")
	fl.BoolVar(&f.openings, "opening", false, "positions: include those of the opening")
	fl.IntVar(&f.every, "every", 1, "positions: only every `N`-th of a game, counted from the end of the opening (with --opening: from the start)")
	fl.BoolVar(&f.dedup, "dedup", false,
		"positions: write each position only once per run (by its key; uses about 40 bytes of memory per position)")
	return cmd
}

// check reads the flags.
func (e *exportFlags) check(cmd *cobra.Command) error {
	tables := []string{gamesTable, trialsTable, movesTable, positionsTable}
	if !slices.Contains(tables, e.table) {
		return fmt.Errorf("--table %q: want %s", e.table, strings.Join(tables, ", "))
	}
	for _, name := range []string{"opening", "every", "dedup"} {
		if cmd.Flags().Changed(name) && e.table != positionsTable {
			return fmt.Errorf("--%s is for --table positions; %s have none", name, e.table)
		}
	}
	for _, name := range []string{"outcome", "reason"} {
		if cmd.Flags().Changed(name) && e.table == trialsTable {
			return fmt.Errorf("--%s chooses games; a trial has many", name)
		}
	}
	if err := e.checkForm(cmd); err != nil {
		return err
	}
	switch {
	case e.every < 1:
		return fmt.Errorf("--every %d: want at least 1", e.every)
	case cmd.Flags().Changed("outcome") && !slices.Contains([]string{"1-0", "0-1", "1/2"}, e.outcome):
		return fmt.Errorf("--outcome %q: want 1-0, 0-1 or 1/2", e.outcome)
	case cmd.Flags().Changed("out") && e.out == "":
		return errors.New("--out: want a file to write")
	}
	e.filter = datasets.Filter{Phase: e.phase, Outcome: e.outcome, Reason: e.reason}
	if cmd.Flags().Changed("trial") {
		var err error
		if e.filter.From, e.filter.To, err = parseTrials(e.trial); err != nil {
			return fmt.Errorf("--trial: %w", err)
		}
	}
	return e.chooseFormat()
}

// chooseFormat returns the format of the flag, else of the file's name, else CSV.
func (e *exportFlags) chooseFormat() error {
	chosen := 0
	for format, ok := range map[datasets.Format]bool{datasets.CSV: e.csv, datasets.JSONL: e.jsonl, datasets.Parquet: e.parquet} {
		if ok {
			chosen++
			e.format = format
		}
	}
	switch {
	case chosen > 1:
		return errors.New("want one of --csv, --jsonl and --parquet")
	case chosen == 1:
	case strings.HasSuffix(e.out, ".jsonl"):
		e.format = datasets.JSONL
	case strings.HasSuffix(e.out, ".parquet"):
		e.format = datasets.Parquet
	default:
		e.format = datasets.CSV
	}
	return nil
}

// parseTrials reads "7", "3-9", "3-" or "-9" as trials from up to before to; to 0
// is no end.
func parseTrials(text string) (from, to int64, err error) {
	wrong := engines.ParseError("trials", text, "want N, N-M, N- or -M, counted from 0")
	first, last, isRange := strings.Cut(text, "-")
	if first == "" && last == "" {
		return 0, 0, wrong
	}
	if !isRange {
		last = first
	}
	number := func(s string, missing int64) int64 {
		n, e := strconv.ParseUint(s, 10, 62)
		switch {
		case s == "":
			return missing
		case e != nil:
			err = wrong
		}
		return int64(n)
	}
	if from, to = number(first, 0), number(last, -1)+1; err != nil || to > 0 && to <= from {
		return 0, 0, wrong
	}
	return from, to, nil
}

// export writes the rows that the flags choose.
func (e *exportFlags) export(ctx context.Context, dir string, stdout, stderr io.Writer) error {
	log, err := datasets.Read(dir)
	if err != nil {
		return err
	}
	if e.out == "" && e.format == datasets.Parquet && term.IsTerminal(int(os.Stdout.Fd())) {
		return errors.New("--parquet to a terminal: want --out FILE or a pipe")
	}
	if err := e.checkChoice(log); err != nil { // before a heading is written
		return err
	}
	write := func(out io.Writer) error { return e.rows(ctx, log, out, stderr) }
	if e.out == "" {
		return buffered(stdout, write)
	}
	return writeWhole("out", e.out, write)
}

// rows writes the table named by the flags.
func (e *exportFlags) rows(ctx context.Context, log *datasets.Log, out, stderr io.Writer) (err error) {
	var n int64
	progress := cli.NewProgress(stderr)
	if e.out == "" && term.IsTerminal(int(os.Stdout.Fd())) {
		progress = cli.NewProgress(io.Discard) // the rows are to be seen
	}
	progress.Unit = "trials"
	total := log.NumTrials - e.filter.From
	if e.filter.To > 0 {
		total = min(total, e.filter.To-e.filter.From)
	}
	show := func(trial int64) { progress.Show("export", trial-e.filter.From, total, false, e.table) }
	switch e.table {
	case gamesTable:
		n, err = datasets.Export(ctx, out, e.format, log.Meta, log.Meta.RunID(), watched(log.Games(e.filter), show, func(g datasets.GameRow) int64 { return g.Trial }))
	case trialsTable:
		n, err = datasets.Export(ctx, out, e.format, log.Meta, log.Meta.RunID(), watched(log.Trials(e.filter), show, func(t datasets.TrialRow) int64 { return t.Trial }))
	case movesTable:
		n, err = datasets.Export(ctx, out, e.format, log.Meta, log.Meta.RunID(), watched(log.Moves(e.filter), show, func(m datasets.MoveRow) int64 { return m.Trial }))
	default:
		n, err = e.exportPositions(ctx, log, out, stderr, show)
	}
	progress.Close()
	if err == nil && n == 0 {
		err = e.warnOfNothing(log, stderr)
	}
	return err
}

// watched shows at which trial the rows are.
func watched[T any](rows iter.Seq2[T, error], show func(trial int64), trial func(T) int64) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		at := int64(-1)
		for row, err := range rows {
			if now := trial(row); err == nil && now != at {
				at = now
				show(at)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// checkChoice refuses a phase or reason that the run does not have, before anything is
// written.
func (e *exportFlags) checkChoice(log *datasets.Log) error {
	if err := checkPhase(log, e.phase); err != nil {
		return err
	}
	if e.reason == "" || !none(log.Games(datasets.Filter{Reason: e.reason})) {
		return nil
	}
	reasons, err := among(log.Games(datasets.Filter{}), func(g datasets.GameRow) string { return g.Reason })
	return cmp.Or(err, fmt.Errorf("--reason %q: no game of the run ended by it%s", e.reason, params.Suggest(e.reason, reasons)))
}

// checkPhase refuses a phase that the run does not have.
func checkPhase(log *datasets.Log, phase string) error {
	if phase == "" || !none(log.Trials(datasets.Filter{Phase: phase})) {
		return nil
	}
	phases, err := among(log.Trials(datasets.Filter{}), func(t datasets.TrialRow) string { return t.Phase })
	return cmp.Or(err, fmt.Errorf("--phase %q: the run has none such%s", phase, params.Suggest(phase, phases)))
}

// none reports whether there are no rows, readable or not.
func none[T any](rows iter.Seq2[T, error]) bool {
	for range rows {
		return false
	}
	return true
}

// among lists the values that rows have, in order.
func among[T any](rows iter.Seq2[T, error], value func(T) string) ([]string, error) {
	found := map[string]bool{}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		found[value(row)] = true
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// warnOfNothing lists the phases of the run if no row was chosen.
func (e *exportFlags) warnOfNothing(log *datasets.Log, stderr io.Writer) error {
	phases, err := among(log.Trials(datasets.Filter{}), func(t datasets.TrialRow) string { return t.Phase })
	if log.NumTrials == 0 {
		fmt.Fprintln(stderr, "warning: no row is written: no trial of the run is complete yet")
		return err
	}
	fmt.Fprintf(stderr, "warning: no row fits; the run holds trials 0 to %d of the phases %s\n", log.NumTrials-1, strings.Join(phases, ", "))
	return err
}

// buffered has write fill out in large pieces.
func buffered(out io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(out, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// writeWhole calls write on a temporary file, which it renames when all is written. A pipe or
// device is written directly. Errors name the flag.
func writeWhole(flag, path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return fmt.Errorf("--%s %s: it is a folder; want a file", flag, path)
	}
	var file io.WriteCloser
	temp, special := path, err == nil && !info.Mode().IsRegular()
	if special {
		file, err = os.OpenFile(path, os.O_WRONLY, 0)
	} else {
		file, temp, err = datasets.CreateTemp(path)
	}
	if err != nil { // of a name that nobody gave
		return fmt.Errorf("--%s %s: %w; want a folder that is there and can be written to", flag, path, errors.Unwrap(err))
	}
	err = errors.Join(buffered(file, write), file.Close())
	switch {
	case special:
		return err
	case err == nil:
		return os.Rename(temp, path)
	}
	return errors.Join(err, os.Remove(temp))
}

// exportPositions writes the positions of the games that the flags choose, and
// returns how many.
func (e *exportFlags) exportPositions(ctx context.Context, log *datasets.Log, out, stderr io.Writer,
	show func(trial int64)) (int64, error) {
	m := log.Meta
	recorded, err := runs.OpenLog(log, kinds.All().Find)
	if err != nil {
		return 0, err
	}
	_, err = recorded.Head.Game()
	if err = cmp.Or(err, recorded.Shown()); err != nil {
		return 0, err
	}
	v := recorded.Head.Variant
	if m.GameVersion != v.Game.Version {
		fmt.Fprintf(stderr, "warning: the run was made with version %d of %s, this is version %d; every move and end is checked by its rules\n",
			m.GameVersion, v.Game.Name, v.Game.Version)
	}
	rows := positions{filter: e.filter, openings: e.openings, every: e.every, log: log, ref: v.NewReferee(),
		same: m.GameVersion == v.Game.Version, count: map[string]int64{}}
	if e.dedup {
		rows.seen = map[uint64]struct{}{}
	}
	n, err := datasets.Export(ctx, out, e.format, m, m.RunID(),
		watched(rows.rows(), show, func(p datasets.PositionRow) int64 { return p.Trial }))
	if err != nil || n == 0 {
		return n, err
	}
	fmt.Fprintf(stderr, "%d positions: %d train, %d valid, %d test\n", n, rows.count[trainSplit], rows.count[validSplit],
		rows.count[testSplit])
	if len(rows.count) < 3 {
		fmt.Fprintln(stderr, "warning: too few openings for a part of every split; play more pairs, or openings of more plies")
	}
	return n, nil
}
