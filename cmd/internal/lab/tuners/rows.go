package tuners

import "selfplaylab/datasets"

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
