package tuners

import (
	"errors"
	"fmt"
	"slices"

	"selfplaylab/datasets"
)

// RowsName is the file that holds the rows of a comparison.
const RowsName = "regret.csv"

// fileRow is a row with its starts: "own", the problem's, or "random".
type fileRow struct {
	Problem string  `csv:"problem"`
	Tuner   string  `csv:"method"`
	Starts  string  `csv:"starts"`
	Games   int     `csv:"games"`
	Repeats int     `csv:"repeats"`
	Regret  float64 `csv:"regret"`
	SE      float64 `csv:"se"`
	Start   float64 `csv:"start_regret"`
	Worst   float64 `csv:"worst"`
	Worse   int     `csv:"worse_than_start"`
}

func starts(random bool) string {
	if random {
		return "random"
	}
	return "own"
}

// CSV writes the rows.
func (r *Result) CSV() ([]byte, error) {
	var rows []fileRow
	for _, row := range r.Rows {
		rows = append(rows, fileRow{
			Problem: row.Problem, Tuner: row.Tuner, Starts: starts(r.Config.RandomStarts), Games: row.Games, Repeats: row.Repeats,
			Regret: row.Regret, SE: row.SE, Start: row.Start, Worst: row.Worst, Worse: row.Worse,
		})
	}
	return datasets.EncodeCSV(rows)
}

// Read reads rows that CSV wrote; random tells whether they have random starts.
// Errors name the line.
func Read(filename string, data []byte) (rows []Row, random bool, err error) {
	list, err := datasets.DecodeCSV[fileRow](filename, data)
	if err != nil {
		return nil, false, err
	}
	if len(list) == 0 {
		return nil, false, fmt.Errorf("%s: no rows", filename)
	}
	random = list[0].Starts == starts(true)
	for i, row := range list {
		if err := row.check(random); err != nil {
			return nil, false, fmt.Errorf("%s:%d: %w", filename, i+2, err)
		}
		rows = append(rows, Row{
			Problem: row.Problem, Tuner: row.Tuner, Games: row.Games, Repeats: row.Repeats,
			Regret: row.Regret, SE: row.SE, Start: row.Start, Worst: row.Worst, Worse: row.Worse,
		})
	}
	return rows, random, nil
}

// check reports the first value that a row of these starts cannot have.
func (r fileRow) check(random bool) error {
	switch r.Starts {
	case starts(random):
	case starts(!random):
		return errors.New("other starts than in the lines above")
	default:
		return fmt.Errorf("starts %q: want own or random", r.Starts)
	}
	for _, x := range []float64{r.Regret, r.SE, r.Start, r.Worst} {
		if !(x >= 0) {
			return fmt.Errorf("%v: want a number of at least 0", x)
		}
	}
	return nil
}

// Show is a comparison whose rows a file holds; methods, problems and budgets are
// those of the file.
func (a *Config) Show(filename string, data []byte) (*Result, error) {
	rows, random, err := Read(filename, data)
	if err != nil {
		return nil, err
	}
	c := *a
	c.RandomStarts = random
	r := &Result{Config: &c, Rows: rows}
	for _, row := range rows {
		r.Names, r.Methods, r.Games = appendNew(r.Names, row.Problem), appendNew(r.Methods, row.Tuner), appendNew(r.Games, row.Games)
	}
	for i, row := range rows {
		if r.row(row.Problem, row.Tuner, row.Games) != &rows[i] {
			return nil, fmt.Errorf("%s: two rows for %s on %s after %d games", filename, row.Tuner, row.Problem, row.Games)
		}
	}
	if len(rows) != len(r.Names)*len(r.Methods)*len(r.Games) {
		return nil, fmt.Errorf("%s: %d rows: want one for each problem, method and budget", filename, len(rows))
	}
	return r, nil
}

func appendNew[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}
