package experiment

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Results holds the results of the runs of an experiment.
type Results struct {
	Rows     []Row
	Searches []Search
	Shown    []shownRun
}

// Row is one comparison of two players: all of a match, a pairing of a
// tournament, a point of a grid, a verification.
type Row struct {
	Run  string `csv:"run"`
	Part string `csv:"part"` // of the run; "" for all of a match
	Game string `csv:"game"`

	A       string `csv:"a"`
	ALimits string `csv:"a_limits"`
	B       string `csv:"b"`
	BLimits string `csv:"b_limits"`
	Players string `csv:"players"` // a hash of both parameter vectors: players of one name may have others after another tuning
	Repeats bool   `csv:"repeats"` // no clock decided: the same budget gives the same counts

	estimates

	// Cells count pairs by A's half points in the game in which A played first
	// and in the other.
	Cells rating.PairMatrix `csv:"c"`

	Plies     int64 `csv:"plies"` // of all games
	Decisions int64 `csv:"decisions"`
	Compared  int64 `csv:"compared"`  // decisions made by both in the same position
	Differing int64 `csv:"differing"` // of these, different ones
	NodesA    int64 `csv:"nodes_a"`
	NodesB    int64 `csv:"nodes_b"`
	FaultsA   int64 `csv:"faults_a"`
	FaultsB   int64 `csv:"faults_b"`
}

// estimates follow from a row's cells: they are written for people, and never read.
type estimates struct {
	NumPairs   int     `csv:"pairs,derived"`
	Score      float64 `csv:"score,4,derived"`
	ScoreLow   float64 `csv:"score_low,4,derived"`
	ScoreHigh  float64 `csv:"score_high,4,derived"`
	Elo        float64 `csv:"elo,1,derived"`
	EloLow     float64 `csv:"elo_low,1,derived"`
	EloHigh    float64 `csv:"elo_high,1,derived"`
	FirstScore float64 `csv:"first_score,4,derived"`
	FirstLow   float64 `csv:"first_low,4,derived"`
	FirstHigh  float64 `csv:"first_high,4,derived"`
}

func (r Row) estimate() estimates {
	e, first := r.Pairs().Estimate(Level), r.first().Estimate(Level)
	return estimates{
		NumPairs: e.N, Score: e.Score, ScoreLow: e.ScoreRange.Low, ScoreHigh: e.ScoreRange.High,
		Elo: e.Elo, EloLow: e.EloRange.Low, EloHigh: e.EloRange.High,
		FirstScore: first.Score, FirstLow: first.ScoreRange.Low, FirstHigh: first.ScoreRange.High,
	}
}

// ID names the row: the run, and the part after a slash.
func (r Row) ID() string {
	if r.Part == "" {
		return r.Run
	}
	return r.Run + "/" + r.Part
}

// Pairs returns the pairs by A's half points.
func (r Row) Pairs() rating.Pairs { return r.Cells.Pairs() }

// first returns the pairs by the half points of the side that played first.
func (r Row) first() rating.Pairs { return r.Cells.First() }

// games returns the games by A's result.
func (r Row) games() rating.Games {
	first, second := r.Cells.Games()
	return first.Plus(second)
}

// gather adds up the games of a recorded run by its parts, in the order in which the parts begin.
// space is the space of the players' values. part is runs.Result.Part; row describes a part.
func gather(log *datasets.Log, space params.Space, part func(datasets.TrialRow) (runs.Part, bool), row func(runs.Part) Row) ([]Row, error) {
	var rows []Row
	places := map[string]int{}
	var ofTrial []int // index of the row; -1 for none
	for t, err := range log.Trials(datasets.Filter{}) {
		if err != nil {
			return nil, err
		}
		p, ok := part(t)
		if !ok {
			ofTrial = append(ofTrial, -1)
			continue
		}
		i, seen := places[p.Name]
		if !seen {
			i = len(rows)
			places[p.Name] = i
			r := row(p)
			r.Players = hash(space.Essence(t.A), space.Essence(t.B))
			rows = append(rows, r)
		}
		ofTrial = append(ofTrial, i)
		r := &rows[i]
		r.Plies += t.Plies
		r.Decisions += t.Decisions
		r.Compared += t.Compared
		r.Differing += int64(t.Differing)
		r.FaultsA += int64(t.FaultsA)
		r.FaultsB += int64(t.FaultsB)
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
		r.NodesA += g.NodesA
		r.NodesB += g.NodesB
		points := int(2 * g.AScore)
		if g.Game == 0 {
			half = points
		} else {
			r.Cells[half][points]++
		}
	}
	return rows, nil
}

// absentError is the error for a missing result.
type absentError struct{ text string }

func (a *absentError) Error() string { return a.text }

func absent(format string, args ...any) error { return &absentError{fmt.Sprintf(format, args...)} }

// hash returns the first half of the SHA-256 of vectors' bits, as hexadecimal digits.
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

// named is a result: ID is the name of its run, and after a slash the name of the part.
type named interface{ ID() string }

func runOf(id string) string {
	run, _, _ := strings.Cut(id, "/")
	return run
}

// ofRun returns the results of a run.
func ofRun[T named](list []T, run string) []T {
	return slices.DeleteFunc(slices.Clone(list), func(r T) bool { return runOf(r.ID()) != run })
}

// find returns the result of a name. The error lists the results of its run.
func find[T named](kind string, list []T, id string) (result T, err error) {
	if i := slices.IndexFunc(list, func(r T) bool { return r.ID() == id }); i >= 0 {
		return list[i], nil
	}
	there := text.Each(ofRun(list, runOf(id)), T.ID)
	if len(there) == 0 {
		return result, absent("no %s %q; there is no run %q with one", kind, id, runOf(id))
	}
	return result, absent("no %s %q; run %s has %s", kind, id, runOf(id), strings.Join(there, ", "))
}

func (r Results) row(id string) (Row, error) { return find("result", r.Rows, id) }

func (r Results) search(id string) (Search, error) { return find("search", r.Searches, id) }

func (r Results) shown(id string) (shownRun, error) { return find("calibration", r.Shown, id) }

// Level is the confidence of all intervals of an experiment's page.
const Level = 0.95

// Files of results. Columns with counts or names hold measurements; the others follow from them
// and are for people.
const (
	RowsName     = "results.csv"
	searchesName = "searches.csv"
	shownName    = "calibration.csv"
)

// Search is the sum of one player's searches of the positions of a run.
type Search struct {
	Run string `csv:"run"`
	gamestats.Search
}

// ID names the row.
func (s Search) ID() string { return s.Run + "/" + strings.TrimSuffix(s.Player+"@"+s.Limits, "@") }

// shownRun compares the scores that a player showed with the results of its games, for scores
// from Low to below High (the last bin includes High).
type shownRun struct {
	Run       string  `csv:"run"`
	Low       float64 `csv:"low"`
	High      float64 `csv:"high"`
	Decisions int     `csv:"decisions"` // that showed such a score
	Pairs     int     `csv:"pairs"`     // of games, with such a decision
	Mean      float64 `csv:"mean,6"`    // of the scores shown
	Points    float64 `csv:"points,6"`  // mean result of their games, for the side that moved
	SE        float64 `csv:"se,6"`      // of Points, with pairs of games as the unit

	// Sides counts players' games (two a game) in which such a score, or a score further from a
	// half, was shown at some move. Won counts the wins among them.
	Sides int `csv:"sides"`
	Won   int `csv:"won"`
}

// Interval returns the interval of Points. If all games of a bin ended alike, the spread says
// nothing; the interval is then Wilson's, with pairs of games as cases.
func (s shownRun) Interval() rating.Interval {
	if s.Points == 0 || s.Points == 1 {
		return rating.Proportion{K: int(s.Points) * s.Pairs, N: s.Pairs}.Wilson(Level)
	}
	half := math.Sqrt2 * math.Erfinv(Level) * s.SE
	return rating.Interval{Low: max(0, s.Points-half), High: min(1, s.Points+half)}
}

// ID names the row.
func (s shownRun) ID() string { return fmt.Sprintf("%s/%v-%v", s.Run, s.Low, s.High) }

// files returns the results as CSV files.
func (r Results) files() (map[string][]byte, error) {
	rows := slices.Clone(r.Rows)
	for i := range rows {
		rows[i].estimates = rows[i].estimate()
	}
	files := map[string][]byte{}
	err := errors.Join(addFile(files, RowsName, rows), addFile(files, searchesName, r.Searches), addFile(files, shownName, r.Shown))
	return files, err
}

// addFile adds a file of rows, if there are any.
func addFile[T any](files map[string][]byte, name string, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	data, err := datasets.EncodeCSV(rows)
	files[name] = data
	return err
}

// readResults reads results from CSV files. A missing file holds none. Errors name the folder.
func readResults(folder string, read reader) (Results, error) {
	var r Results
	err := cmp.Or(readFile(&r.Rows, folder, RowsName, read), readFile(&r.Searches, folder, searchesName, read),
		readFile(&r.Shown, folder, shownName, read))
	return r, err
}

func readFile[T any](rows *[]T, folder, name string, read reader) error {
	data, err := read.ifThere(name)
	if err == nil && data != nil {
		*rows, err = datasets.DecodeCSV[T](folder+"/"+name, data)
	}
	return err
}

// Result holds everything on the page of an experiment.
type Result struct {
	Name       string
	Dir        string // of the runs; "" for results without runs
	Experiment Experiment
	Results    Results
	Outcome    Outcome
	Quick      bool                         // results of a quick run
	Reading    string                       // see Result.Fill; paragraphs are separated by blank lines
	Sections   map[string][]reports.Section // of the runs' own reports, by run
	Warnings   []string                     // of the same, of full runs
	// File is the base name of the experiment's file; "" for a built-in experiment, which is made
	// again by its name.
	File    string
	LeftOut []string // see Study

	heads []*runs.Head // of the runs; nil for results without runs
}

// Outcome is the provenance of an experiment's results.
type Outcome struct {
	Revision string `toml:"revision"`
	Program  string `toml:"program"`
	Go       string `toml:"go"`
	Machine  string `toml:"machine"`
	Full     Cost   `toml:"full"`
	Quick    Cost   `toml:"quick"`
}

// Cost is the cost of a full or quick run.
type Cost struct {
	Games   int64   `toml:"games"`
	Seconds float64 `toml:"seconds"` // of playing, all runs
	Workers int     `toml:"workers"` // the most at a time
}
