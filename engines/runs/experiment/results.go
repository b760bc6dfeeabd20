package experiment

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs/search"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
)

// Results are what the runs of an experiment came to.
type Results struct {
	Rows     []Row
	Searches []Search
	Shown    []Shown
}

// Row is one comparison of two players: all of a match, a pairing of a
// tournament, a point of a grid, a verification.
type Row struct {
	Run  string
	Part string // of the run; "" for all of a match
	Game string

	X, Than             string
	XLimits, ThanLimits string
	Players             string // a hash of both parameter vectors: players of one name may have others after another tuning
	Repeats             bool   // no clock decided: the same budget gives the same counts

	// Cells count pairs by X's half points in the game in which X played first
	// and in the other.
	Cells [3][3]int

	Plies               int64 // of all games
	Decisions           int64
	Compared, Differing int64 // decisions made by both in the same position; of these, different ones
	NodesX, NodesThan   int64
	FaultsX, FaultsThan int64
}

// ID names the row: the run, and the part after a slash.
func (r Row) ID() string {
	if r.Part == "" {
		return r.Run
	}
	return r.Run + "/" + r.Part
}

// Pairs are the pairs by X's half points.
func (r Row) Pairs() rating.Pairs {
	var p rating.Pairs
	for first, cells := range r.Cells {
		for second, n := range cells {
			p[first+second] += n
		}
	}
	return p
}

// First are the pairs by the half points of the side that played first.
func (r Row) First() rating.Pairs {
	var p rating.Pairs
	for first, cells := range r.Cells {
		for second, n := range cells {
			p[first+2-second] += n
		}
	}
	return p
}

// Games are the games by X's result.
func (r Row) Games() (wins, draws, losses int) {
	var by [3]int
	for first, cells := range r.Cells {
		for second, n := range cells {
			by[first] += n
			by[second] += n
		}
	}
	return by[2], by[1], by[0]
}

// Gather adds up the games of a recorded run by rows, in the order in which the
// rows begin. space is that of the players' values; label describes the row that a trial counts for; ok is false for none.
func Gather(log *datasets.Log, space params.Space, label func(datasets.TrialRow) (row Row, ok bool)) ([]Row, error) {
	var rows []Row
	places := map[string]int{}
	var ofTrial []int // index of the row; -1 for none
	for t, err := range log.Trials(datasets.Filter{}) {
		if err != nil {
			return nil, err
		}
		row, ok := label(t)
		if !ok {
			ofTrial = append(ofTrial, -1)
			continue
		}
		i, seen := places[row.ID()]
		if !seen {
			i = len(rows)
			places[row.ID()] = i
			row.Players = hash(space.Essence(t.A), space.Essence(t.B))
			rows = append(rows, row)
		}
		ofTrial = append(ofTrial, i)
		r := &rows[i]
		r.Plies += t.Plies
		r.Decisions += t.Decisions
		r.Compared += t.Compared
		r.Differing += int64(t.Differing)
		r.FaultsX += int64(t.FaultsA)
		r.FaultsThan += int64(t.FaultsB)
	}
	half := 0
	for g, err := range log.Games(datasets.Filter{}) {
		if err != nil {
			return nil, err
		}
		i := ofTrial[g.Trial]
		if i < 0 {
			continue
		}
		r := &rows[i]
		r.NodesX += g.NodesA
		r.NodesThan += g.NodesB
		points := int(2 * g.AScore)
		if g.Game == 0 {
			half = points
		} else {
			r.Cells[half][points]++
		}
	}
	return rows, nil
}

// absentError says that a result is not there.
type absentError struct{ text string }

// Error implements error.
func (e *absentError) Error() string { return e.text }

func absent(format string, args ...any) error { return &absentError{fmt.Sprintf(format, args...)} }

// hash is the first half of the SHA-256 of vectors' bits, as hexadecimal digits.
func hash(vectors ...[]float64) string {
	h := sha256.New()
	for _, v := range vectors {
		data := binary.LittleEndian.AppendUint64(nil, uint64(len(v)))
		for _, x := range v {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Find returns the row of a name; its error names rows that are alike.
func (r Results) Find(id string) (Row, error) {
	if i := slices.IndexFunc(r.Rows, func(row Row) bool { return row.ID() == id }); i >= 0 {
		return r.Rows[i], nil
	}
	run, _, _ := strings.Cut(id, "/")
	var there []string
	for _, row := range r.Rows {
		if row.Run == run {
			there = append(there, row.ID())
		}
	}
	if len(there) == 0 {
		return Row{}, absent("no result %q; there is no run %q with games", id, run)
	}
	return Row{}, absent("no result %q; run %s has %s", id, run, strings.Join(there, ", "))
}

// Of returns the rows of a run.
func (r Results) Of(run string) []Row {
	return slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool { return row.Run != run })
}

// Level is the confidence of all intervals of an experiment's page.
const Level = 0.95

// Files of results. Columns that are counts or names are what was measured; the
// others follow from them and are for people.
const (
	RowsName     = "results.csv"
	SearchesName = "searches.csv"
	ShownName    = "calibration.csv"
)

var rowColumns = []string{
	"run", "part", "game", "x", "x_limits", "than", "than_limits", "players", "repeats",
	"pairs", "score", "score_low", "score_high", "elo", "elo_low", "elo_high",
	"first_score", "first_low", "first_high",
	"c00", "c01", "c02", "c10", "c11", "c12", "c20", "c21", "c22",
	"plies", "decisions", "compared", "differing", "nodes_x", "nodes_than", "faults_x", "faults_than",
}

// EncodeRows writes the comparisons as CSV.
func EncodeRows(rows []Row) ([]byte, error) {
	return encode(rowColumns, rows, func(r Row) []string {
		e, first := r.Pairs().Estimate(Level), r.First().Estimate(Level)
		record := []string{r.Run, r.Part, r.Game, r.X, r.XLimits, r.Than, r.ThanLimits, r.Players, strconv.FormatBool(r.Repeats), strconv.Itoa(e.N)}
		for _, x := range []float64{e.Score, e.ScoreRange.Low, e.ScoreRange.High} {
			record = append(record, short(x, 4))
		}
		for _, x := range []float64{e.Elo, e.EloRange.Low, e.EloRange.High} {
			record = append(record, short(x, 1))
		}
		for _, x := range []float64{first.Score, first.ScoreRange.Low, first.ScoreRange.High} {
			record = append(record, short(x, 4))
		}
		for _, cells := range r.Cells {
			for _, n := range cells {
				record = append(record, strconv.Itoa(n))
			}
		}
		for _, n := range []int64{r.Plies, r.Decisions, r.Compared, r.Differing, r.NodesX, r.NodesThan, r.FaultsX, r.FaultsThan} {
			record = append(record, strconv.FormatInt(n, 10))
		}
		return record
	})
}

// short writes x with some decimals.
func short(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

func encode[T any](columns []string, items []T, record func(T) []string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := w.Write(columns)
	for _, item := range items {
		err = errors.Join(err, w.Write(record(item)))
	}
	w.Flush()
	return b.Bytes(), errors.Join(err, w.Error())
}

// DecodeRows reads what EncodeRows wrote; filename appears in errors.
func DecodeRows(filename string, data []byte) ([]Row, error) {
	return decode(filename, data, rowColumns, func(f *fields) Row {
		r := Row{
			Run: f.text("run"), Part: f.text("part"), Game: f.text("game"), X: f.text("x"), XLimits: f.text("x_limits"),
			Than: f.text("than"), ThanLimits: f.text("than_limits"), Players: f.text("players"), Repeats: f.text("repeats") == "true",
			Plies: f.count("plies"), Decisions: f.count("decisions"), Compared: f.count("compared"), Differing: f.count("differing"),
			NodesX: f.count("nodes_x"), NodesThan: f.count("nodes_than"), FaultsX: f.count("faults_x"), FaultsThan: f.count("faults_than"),
		}
		for first := range 3 {
			for second := range 3 {
				r.Cells[first][second] = int(f.count(fmt.Sprintf("c%d%d", first, second)))
			}
		}
		return r
	})
}

// fields are one line of a CSV file with a heading.
type fields struct {
	filename string
	line     int
	columns  []string
	values   []string
	err      error // the first of a value
}

func (r *fields) text(column string) string { return r.values[slices.Index(r.columns, column)] }

func (r *fields) count(column string) int64 {
	n, err := strconv.ParseInt(r.text(column), 10, 64)
	if err != nil || n < 0 {
		r.err = cmp.Or(r.err, fmt.Errorf("%s:%d: %s = %q: want a count", r.filename, r.line, column, r.text(column)))
	}
	return n
}

func (r *fields) number(column string) float64 {
	x, err := strconv.ParseFloat(r.text(column), 64)
	if err != nil {
		r.err = cmp.Or(r.err, fmt.Errorf("%s:%d: %s = %q: want a number", r.filename, r.line, column, r.text(column)))
	}
	return x
}

// decode reads the lines of a CSV file that must have these columns.
func decode[T any](filename string, data []byte, columns []string, item func(*fields) T) ([]T, error) {
	in := csv.NewReader(bytes.NewReader(params.WithoutMark(data)))
	head, err := in.Read()
	if err != nil || !slices.Equal(head, columns) {
		return nil, fmt.Errorf("%s:1: want the columns %s", filename, strings.Join(columns, ","))
	}
	var items []T
	for {
		values, err := in.Read()
		if errors.Is(err, io.EOF) {
			return items, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filename, err)
		}
		line, _ := in.FieldPos(0)
		f := &fields{filename: filename, line: line, columns: columns, values: values}
		items = append(items, item(f))
		if f.err != nil {
			return nil, f.err
		}
	}
}

// Search is what one player's searches of the positions of a run came to.
type Search struct {
	Run string
	search.Sum
}

// ID names the row.
func (s Search) ID() string { return s.Run + "/" + strings.TrimSuffix(s.Player+"@"+s.Limits, "@") }

var searchColumns = []string{"run", "player", "limits", "positions", "nodes", "depth", "seconds", "same_move", "same_score"}

// EncodeSearches writes searches as CSV.
func EncodeSearches(searches []Search) ([]byte, error) {
	return encode(searchColumns, searches, func(s Search) []string {
		return []string{
			s.Run, s.Player, s.Limits, strconv.Itoa(s.Positions), strconv.FormatInt(s.Nodes, 10), strconv.FormatInt(s.Depth, 10),
			short(s.Seconds, 6), strconv.Itoa(s.SameMove), strconv.Itoa(s.SameScore),
		}
	})
}

// DecodeSearches reads what EncodeSearches wrote.
func DecodeSearches(filename string, data []byte) ([]Search, error) {
	return decode(filename, data, searchColumns, func(f *fields) Search {
		return Search{f.text("run"), search.Sum{
			Player: f.text("player"), Limits: f.text("limits"), Positions: int(f.count("positions")),
			Nodes: f.count("nodes"), Depth: f.count("depth"), Seconds: f.number("seconds"),
			SameMove: int(f.count("same_move")), SameScore: int(f.count("same_score")),
		}}
	})
}

// Shown compares the scores that a player showed with what its games came to,
// for the scores from Low to below High (the last bin takes High too).
type Shown struct {
	Run       string
	Low, High float64
	Decisions int     // that showed such a score
	Pairs     int     // of games, with such a decision
	Mean      float64 // of the scores shown
	Points    float64 // mean of the results of their games, for whoever moved
	SE        float64 // of Points, with pairs of games as the unit

	// Sides counts players' games (two a game) in which such a score, or one
	// further from a half, was shown at some move; Won those that were won.
	Sides, Won int
}

// Interval is that of Points. Where all games of a bin ended alike the spread
// says nothing, and the interval is Wilson's for as many cases as there are pairs
// of games.
func (s Shown) Interval() rating.Interval {
	if s.Points == 0 || s.Points == 1 {
		return rating.Proportion{K: int(s.Points) * s.Pairs, N: s.Pairs}.Wilson(Level)
	}
	half := math.Sqrt2 * math.Erfinv(Level) * s.SE
	return rating.Interval{Low: max(0, s.Points-half), High: min(1, s.Points+half)}
}

// ID names the row.
func (s Shown) ID() string { return fmt.Sprintf("%s/%v-%v", s.Run, s.Low, s.High) }

var shownColumns = []string{"run", "low", "high", "decisions", "pairs", "mean", "points", "se", "sides", "won"}

// EncodeShown writes a calibration as CSV.
func EncodeShown(list []Shown) ([]byte, error) {
	exact := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return encode(shownColumns, list, func(s Shown) []string {
		return []string{
			s.Run, exact(s.Low), exact(s.High), strconv.Itoa(s.Decisions), strconv.Itoa(s.Pairs), short(s.Mean, 6), short(s.Points, 6), short(s.SE, 6),
			strconv.Itoa(s.Sides), strconv.Itoa(s.Won),
		}
	})
}

// DecodeShown reads what EncodeShown wrote.
func DecodeShown(filename string, data []byte) ([]Shown, error) {
	return decode(filename, data, shownColumns, func(f *fields) Shown {
		return Shown{
			Run: f.text("run"), Low: f.number("low"), High: f.number("high"), Decisions: int(f.count("decisions")), Pairs: int(f.count("pairs")),
			Mean: f.number("mean"), Points: f.number("points"), SE: f.number("se"), Sides: int(f.count("sides")), Won: int(f.count("won")),
		}
	})
}

// Files returns the results as CSV files.
func (r Results) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	var err error
	put := func(name string, n int, data []byte, failed error) {
		if n > 0 {
			files[name] = data
		}
		err = errors.Join(err, failed)
	}
	data, failed := EncodeRows(r.Rows)
	put(RowsName, len(r.Rows), data, failed)
	data, failed = EncodeSearches(r.Searches)
	put(SearchesName, len(r.Searches), data, failed)
	data, failed = EncodeShown(r.Shown)
	put(ShownName, len(r.Shown), data, failed)
	return files, err
}

// Read reads results from the CSV files that read returns, nil for one that
// does not exist. The folder appears in errors.
func Read(folder string, read func(name string) ([]byte, error)) (Results, error) {
	var r Results
	for _, table := range []struct {
		name   string
		decode func(filename string, data []byte) error
	}{
		{RowsName, func(f string, data []byte) (err error) { r.Rows, err = DecodeRows(f, data); return err }},
		{SearchesName, func(f string, data []byte) (err error) { r.Searches, err = DecodeSearches(f, data); return err }},
		{ShownName, func(f string, data []byte) (err error) { r.Shown, err = DecodeShown(f, data); return err }},
	} {
		data, err := read(table.name)
		if err == nil && data != nil {
			err = table.decode(folder+"/"+table.name, data)
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}
