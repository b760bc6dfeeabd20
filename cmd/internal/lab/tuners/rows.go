package tuners

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"selfplaylab/engines/runs"
	"selfplaylab/params"
)

// RowsName is the file that holds the rows of a comparison.
const RowsName = "regret.csv"

// columns of the rows' file. Starts are "own", the problem's, or "random".
var columns = []string{"problem", "method", "starts", "games", "repeats", "regret", "se", "start_regret", "worst", "worse_than_start"}

func starts(random bool) string {
	if random {
		return "random"
	}
	return "own"
}

// CSV writes the rows.
func (r *Result) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	lines := [][]string{columns}
	for _, row := range r.Rows {
		f := params.FormatValue
		lines = append(lines, []string{row.Problem, row.Tuner, starts(r.Config.RandomStarts), strconv.Itoa(row.Games), strconv.Itoa(row.Repeats),
			f(row.Regret), f(row.SE), f(row.Start), f(row.Worst), strconv.Itoa(row.Worse)})
	}
	err := w.WriteAll(lines)
	return b.Bytes(), err
}

// Read reads rows that CSV wrote; random tells whether they have random starts.
// Errors name the line.
func Read(filename string, data []byte) (rows []Row, random bool, err error) {
	fail := func(err error) ([]Row, bool, error) { return nil, false, fmt.Errorf("%s: %w", filename, err) }
	c := csv.NewReader(bytes.NewReader(params.WithoutMark(data)))
	c.FieldsPerRecord = len(columns)
	head, err := c.Read()
	if err == nil && !slices.Equal(head, columns) {
		err = fmt.Errorf("line 1: columns %q: want %q", head, columns)
	}
	if err != nil {
		return fail(err)
	}
	for {
		f, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fail(err)
		}
		line, _ := c.FieldPos(0)
		row, isRandom, err := readRow(f)
		if err == nil && len(rows) > 0 && isRandom != random {
			err = errors.New("other starts than in the lines above")
		}
		if err != nil {
			return fail(fmt.Errorf("line %d: %w", line, err))
		}
		rows, random = append(rows, row), isRandom
	}
	if len(rows) == 0 {
		return fail(errors.New("no rows"))
	}
	return rows, random, nil
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

func readRow(f []string) (row Row, random bool, err error) {
	row = Row{Problem: f[0], Tuner: f[1]}
	if random = f[2] == starts(true); !random && f[2] != starts(false) {
		return row, random, fmt.Errorf("starts %q: want own or random", f[2])
	}
	for i, to := range map[int]*int{3: &row.Games, 4: &row.Repeats, 9: &row.Worse} {
		if *to, err = strconv.Atoi(f[i]); err != nil || *to < 0 {
			return row, random, fmt.Errorf("%s %q: want a whole number", columns[i], f[i])
		}
	}
	for i, to := range map[int]*float64{5: &row.Regret, 6: &row.SE, 7: &row.Start, 8: &row.Worst} {
		if *to, err = strconv.ParseFloat(f[i], 64); err != nil || !(*to >= 0) {
			return row, random, fmt.Errorf("%s %q: want a number of at least 0", columns[i], f[i])
		}
	}
	return row, random, nil
}

// JSON is the comparison as one object.
func (r *Result) JSON() (runs.Object, error) {
	rows, means, clop := []runs.Object{}, []runs.Object{}, []runs.Object{}
	for _, row := range r.Rows {
		rows = append(rows, runs.Object{
			{Name: "problem", Value: row.Problem}, {Name: "method", Value: row.Tuner}, {Name: "games", Value: row.Games}, {Name: "repeats", Value: row.Repeats},
			{Name: "regret", Value: row.Regret}, {Name: "se", Value: row.SE}, {Name: "start_regret", Value: row.Start},
			{Name: "worst", Value: row.Worst}, {Name: "worse_than_start", Value: row.Worse},
		})
	}
	for _, m := range r.Means() {
		if m.Regret > 0 {
			means = append(means, runs.Object{{Name: "method", Value: m.Method}, {Name: "games", Value: m.Games}, {Name: "regret", Value: m.Regret}, {Name: "low", Value: m.Low}, {Name: "high", Value: m.High}})
		}
	}
	for _, name := range r.Names {
		for _, games := range r.Games {
			if x, ok := r.clop(name, games); ok {
				clop = append(clop, runs.Object{{Name: "problem", Value: name}, {Name: "games", Value: games}, {Name: "regret", Value: x}})
			}
		}
	}
	return runs.Object{
		{Name: "starts", Value: starts(r.Config.RandomStarts)}, {Name: "seed", Value: r.Config.Seed}, {Name: "rows", Value: rows},
		{Name: "geometric_means", Value: means}, {Name: "clop", Value: clop},
	}, nil
}
