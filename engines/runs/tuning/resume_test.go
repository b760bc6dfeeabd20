package tuning

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/datasets/datasetstest"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

// laterQuad and laterGrid are methods of a later version, whose tuners continue otherwise.
type (
	laterQuad struct{ quadMethod }
	laterGrid struct{ gridMethod }
)

func later() []Method { return []Method{&laterQuad{}, &laterGrid{}} }

func (q *laterQuad) Info() MethodInfo {
	info := q.quadMethod.Info()
	info.Version++
	return info
}

func (q *laterQuad) Tuner(t *analysis.Task, seed uint64) (params.Tuner, error) {
	return q.quadMethod.Tuner(t, seed+1)
}

func (g *laterGrid) Info() MethodInfo {
	info := g.gridMethod.Info()
	info.Version++
	return info
}

func (g *laterGrid) Tuner(*analysis.Task, uint64) (params.Tuner, error) {
	return nil, errors.New("the tuner is asked")
}

// TestOlderTuningsAreReadAndVerified reads and verifies a tuning of an earlier version of its tuner
// by its record. A tuning that lacks trials is refused, with the way to verify its values.
func TestOlderTuningsAreReadAndVerified(t *testing.T) {
	for method, table := range map[string]map[string]any{
		"quad": {"games": int64(24), "verify_min": int64(2), "verify_pairs": int64(6)},
		"grid": {"grid": "a_E=11,16,22,33", "alpha": 0.2, "params": nil, "pairs": int64(200), "verify_min": int64(2), "verify_pairs": int64(2)},
	} {
		t.Run(method, func(t *testing.T) {
			table["method"], table["iters"] = method, nil
			if method == "quad" {
				table["pairs"] = nil
			}
			r := create(t, small("bad", table))
			whole, dir := playRun(t, r, 2), r.Head.Dir
			version := whole.Config.Tuner
			if !whole.Finished() || version < firstTuner {
				t.Fatalf("version %d, %s", version, whole.Conclusion())
			}
			if got := read(t, dir, later); !got.Finished() || got.Conclusion() != whole.Conclusion() {
				t.Errorf("read as %s, not %s", got.Conclusion(), whole.Conclusion())
			}
			rows := rowsIn(t, dir)
			tuned := int64(slices.IndexFunc(rows, func(row string) bool {
				return !strings.HasPrefix(row, phaseScreen) && !strings.HasPrefix(row, phaseTune)
			}))
			for _, c := range []struct {
				name   string
				trials int64
			}{{"whole", int64(len(rows))}, {"tuned", tuned + 1}, {"tuning", tuned - 1}} {
				to := filepath.Join(t.TempDir(), c.name)
				if err := datasetstest.Cut(dir, to, c.trials); err != nil {
					t.Fatal(err)
				}
				r, err := record.Resume(to, with(later), record.Origin{})
				if c.trials < tuned {
					if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("version %d of the tuner of %s began this tuning, and this program has version %d", version, method, version+1)) ||
						!strings.Contains(err.Error(), "selfplay match --game quoridor --rules variant=seed --a a_E=") {
						t.Errorf("%s: %v", c.name, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if playRun(t, r, 2); !slices.Equal(rowsIn(t, to), rows) {
					t.Errorf("%s: other rows", c.name)
				}
			}
			if method == "quad" {
				if _, err := record.Extend(dir, with(later), record.Origin{}, extend(40)); err == nil || !strings.Contains(err.Error(), fmt.Sprint("has version ", version+1)) {
					t.Errorf("extended: %v", err)
				}
			}
		})
	}
}

// rowsIn lists the trials of a run with their games, a text each that begins with the phase.
func rowsIn(t testing.TB, dir string) (list []string) {
	t.Helper()
	for f, err := range schedule.Recorded(mustRead(t, dir), datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		row, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f.Trial.Phase+" "+string(row))
	}
	return list
}
