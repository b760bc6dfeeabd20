package datasets_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/testmode"
)

// smallRuns returns a small run of each kind.
func smallRuns(t *testing.T) map[string]runs.Config {
	t.Helper()
	list := map[string]runs.Config{}
	add := func(name string, cfg runs.Config, table map[string]any) {
		if err := config.Table(cfg, table); err != nil {
			t.Fatal(err)
		}
		list[name] = cfg
	}
	m := match.New()
	m.Game.Game, m.A, m.B = "quoridor", player.Ask("final"), player.Ask("bad")
	add("match", m, map[string]any{"pairs": int64(3), "record_moves": "on"})
	o := tournament.New()
	o.Game.Game, o.Players = "quoridor", player.AskAll("final", "bad", "v12.7")
	add("tournament", o, map[string]any{"pairs": int64(1)})
	kind, err := kinds.All().Find("search")
	if err != nil {
		t.Fatal(err)
	}
	s := kind.New()
	fields := reflect.ValueOf(s).Elem()
	fields.FieldByName("Game").FieldByName("Game").SetString("quoridor")
	fields.FieldByName("Players").Set(reflect.ValueOf(player.AskAll("final", "bad")))
	add("search", s, map[string]any{"positions": int64(3)})
	u := tuning.New()
	u.Game.Game, u.Start, u.Active = "quoridor", player.Ask("bad"), config.Names{"a_E", "b_gain"}
	add("tuning", u, map[string]any{"iters": int64(6), "pairs": int64(2), "verify_pairs": int64(4), "screen_pairs": int64(0), "rate_pairs": int64(0)})
	return list
}

// playIn plays the rest of a run in dir, or a new run, and writes its report.
func playIn(dir string, cfg runs.Config) error {
	var r *record.Run
	var err error
	if _, there := os.Stat(filepath.Join(dir, "run.toml")); there == nil {
		r, err = record.Resume(dir, kinds.All().Find, record.Origin{})
	} else {
		var plan *runs.Plan
		if plan, err = cfg.Plan(); err == nil {
			r, err = record.Create(dir, plan, record.Origin{})
		}
	}
	if err == nil {
		err = r.Play(context.Background(), runs.Options{Workers: 1})
	}
	if err == nil {
		err = view.Report(context.Background(), kinds.All(), dir)
	}
	return err
}

// rowsOf returns the rows of a run without the time of decisions, which a search records.
func rowsOf(t *testing.T, dir string) string {
	t.Helper()
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	write := func(row any, err error) {
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(append(text, '\n'))
	}
	for row, err := range log.Trials(datasets.Filter{}) {
		write(row, err)
	}
	for row, err := range log.Games(datasets.Filter{}) {
		write(row, err)
	}
	if log.Meta.RecordMoves != datasets.NoMoves {
		for row, err := range log.Moves(datasets.Filter{}) {
			row.Micros = 0
			if math.IsNaN(row.Score) || math.IsInf(row.Score, 0) { // JSON has no such numbers
				row.Score = 0
			}
			write(row, err)
		}
	}
	return all.String()
}

// ofReading matches an operation of reading a record.
var ofReading = regexp.MustCompile(`^(open|read|close) \S+/(run\.toml|part-\d+\.parquet)$`)

// TestEveryFileOperationFailsOnce lets each operation on files of a small run fail, one in each
// play. The run ends with an error that names a file, or a failed read costs a summary only. Once it is
// resumed its rows are the same.
func TestEveryFileOperationFailsOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays a run for every operation")
	}
	const most = 12 // operations of a kind that are tried outside the long form
	for name, cfg := range smallRuns(t) {
		t.Run(name, func(t *testing.T) {
			whole := filepath.Join(t.TempDir(), "run")
			restore := datasets.FailNth(0)
			err := playIn(whole, cfg)
			count, _ := restore()
			if err != nil || count < 50 {
				t.Fatalf("%d operations: %v", count, err)
			}
			want := rowsOf(t, whole)
			step := max(count/most, 1)
			if testmode.Long() {
				step = 1
			}
			for n := int64(1); n <= count; n += step {
				dir := filepath.Join(t.TempDir(), "run")
				restore := datasets.FailNth(n)
				err := playIn(dir, cfg)
				_, failed := restore()
				switch {
				case failed == "":
					t.Fatalf("operation %d of %d was never made", n, count)
				case err == nil && !ofReading.MatchString(failed):
					t.Errorf("%s fails and is not reported", failed)
				case err == nil: // a summary that later lists of runs can do without
				case !errors.Is(err, datasets.ErrInjected) || !strings.Contains(err.Error(), filepath.Dir(dir)):
					t.Errorf("%s fails: the error names no file: %v", failed, err)
				}
				if err := playIn(dir, cfg); err != nil {
					t.Errorf("%s failed, and the run cannot be resumed: %v", failed, err)
				} else if rowsOf(t, dir) != want {
					t.Errorf("%s failed, and the rows differ after the run was resumed", failed)
				}
			}
		})
	}
}
