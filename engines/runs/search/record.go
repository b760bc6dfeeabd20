package search

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"selfplaylab/datasets"
)

// FileName is the file in a run directory that keeps the searches, a line each.
const FileName = "search.csv"

// Search is one player's search of one position.
type Search struct {
	Position       int // counts from 0
	Player, Limits string
	Start, Moves   string // where: a position and the moves from there
	Move           string // chosen
	Score          float64
	Nodes          int64
	Depth          int   // reached, in plies; 0 where it has no meaning
	Micros         int64 // wall time
}

var columns = []string{"position", "player", "limits", "start", "moves", "move", "score", "nodes", "depth", "micros"}

func (s Search) fields() []string {
	return []string{
		strconv.Itoa(s.Position), s.Player, s.Limits, s.Start, s.Moves, s.Move, strconv.FormatFloat(s.Score, 'g', -1, 64),
		strconv.FormatInt(s.Nodes, 10), strconv.Itoa(s.Depth), strconv.FormatInt(s.Micros, 10),
	}
}

func parse(r []string) (Search, error) {
	var errs [5]error
	s := Search{Player: r[1], Limits: r[2], Start: r[3], Moves: r[4], Move: r[5]}
	s.Position, errs[0] = strconv.Atoi(r[0])
	s.Score, errs[1] = strconv.ParseFloat(r[6], 64)
	s.Nodes, errs[2] = strconv.ParseInt(r[7], 10, 64)
	s.Depth, errs[3] = strconv.Atoi(r[8])
	s.Micros, errs[4] = strconv.ParseInt(r[9], 10, 64)
	return s, errors.Join(errs[:]...)
}

// lines writes records as CSV.
func lines(records ...[]string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := w.WriteAll(records)
	return b.Bytes(), err
}

// File is the path of the record.
func (t *Result) File() string { return filepath.Join(t.Head.Dir, FileName) }

// ReadDir implements run.Keeper. A last line that has no end is one being
// written, or cut off by a kill, and is left out.
func (t *Result) ReadDir(dir string) error {
	path := filepath.Join(dir, FileName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	in := csv.NewReader(bytes.NewReader(data[:bytes.LastIndexByte(data, '\n')+1]))
	in.FieldsPerRecord = len(columns)
	records, err := in.ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for i, r := range records {
		if i == 0 && slices.Equal(r, columns) {
			continue
		}
		if i == 0 {
			return fmt.Errorf("%s:1: holds other columns than searches have", path)
		}
		if err := t.take(r); err != nil {
			return fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	return nil
}

// take adds a recorded search, which must be the next of those asked for.
func (t *Result) take(record []string) error {
	one, err := parse(record)
	if err != nil {
		return err
	}
	n, players := len(t.Done), t.Spec.Players
	p := players[n%len(players)]
	if n >= t.Spec.total() || one.Position != n/len(players) || one.Player != p.Name || one.Limits != p.Limits.String() {
		return fmt.Errorf("is not a search of this run (position %d by %s@%s); put the file back as it was", one.Position, one.Player, one.Limits)
	}
	t.Done = append(t.Done, one)
	return nil
}

// syncEvery bounds what a crash of the machine can lose; a kill of the process
// loses the search under way.
const syncEvery = time.Second

// keeper writes searches as they end; nil keeps none.
type keeper struct {
	file   *os.File
	synced time.Time
}

// open puts the searches done so far down anew, whole and in place of whatever
// stands at their path, and opens the file to add to. A link there is replaced,
// never followed.
func (t *Result) open() (*keeper, error) {
	if t.Head.Dir == "" {
		return nil, nil
	}
	records := [][]string{columns}
	for _, one := range t.Done {
		records = append(records, one.fields())
	}
	data, err := lines(records...)
	if err == nil {
		err = datasets.WriteFile(t.File(), data)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(t.File(), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	if err := sameFile(f, t.File()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &keeper{file: f, synced: time.Now()}, nil
}

// sameFile makes sure that what was opened is the file at the path, not what a
// link there leads to.
func sameFile(f *os.File, path string) error {
	there, err := os.Lstat(path)
	if err != nil {
		return err
	}
	open, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(there, open) {
		return fmt.Errorf("%s is a link; searches are not written through it", path)
	}
	return nil
}

func (k *keeper) write(one Search) error {
	if k == nil {
		return nil
	}
	line, err := lines(one.fields())
	if err == nil {
		_, err = k.file.Write(line)
	}
	if now := time.Now(); err == nil && now.Sub(k.synced) > syncEvery {
		k.synced = now
		err = k.file.Sync()
	}
	return err
}

func (k *keeper) close() error {
	if k == nil {
		return nil
	}
	return errors.Join(k.file.Sync(), k.file.Close())
}
