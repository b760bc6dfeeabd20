package datasets

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/parquet-go/parquet-go"
)

// Positions is a file of positions that Export wrote as parquet. The caller must close it.
type Positions struct {
	Game, Rules string // of the run, as in Meta
	Count       int64  // number of rows

	path string
	file *os.File
	rows *parquet.GenericReader[PositionRow]
}

// OpenPositions opens a file of positions. Errors name the file.
func OpenPositions(path string) (*Positions, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	p := &Positions{path: path, file: file}
	if err := p.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return p, nil
}

// open checks that the file has the columns of positions, and reads its metadata.
func (p *Positions) open() error {
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	f, err := parquet.OpenFile(p.file, info.Size(), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if _, ok := f.Schema().Lookup("plies_left"); !ok {
		return errors.New("it holds no positions: want the file of selfplay export --table positions --parquet")
	}
	p.Game, _ = f.Lookup("selfplay.game")
	p.Rules, _ = f.Lookup("selfplay.rules")
	p.Count, p.rows = f.NumRows(), parquet.NewGenericReader[PositionRow](f)
	return nil
}

// All iterates over the rows once, in the order of the file, and holds few of them in memory.
func (p *Positions) All() iter.Seq2[PositionRow, error] {
	return func(yield func(PositionRow, error) bool) {
		buf := make([]PositionRow, 1024)
		for {
			n, err := p.rows.Read(buf)
			for _, row := range buf[:n] {
				if !yield(row, nil) {
					return
				}
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(PositionRow{}, fmt.Errorf("%s: %w", p.path, err))
				return
			}
		}
	}
}

// Close closes the file.
func (p *Positions) Close() error { return errors.Join(p.rows.Close(), p.file.Close()) }
