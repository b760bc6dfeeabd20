package selfplay

import (
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/fit"
)

// pairOf is the pair of games of a position.
type pairOf struct {
	seed  uint64
	trial int64
	pair  int32
}

// exported iterates over the positions of a file of exported positions (datasets.OpenPositions).
// It leaves out the positions that a fit to the games leaves out. Adjacent positions of a pair of games count as one
// observation.
func exported(name string, rows iter.Seq2[datasets.PositionRow, error]) iter.Seq2[fit.Position, error] {
	return func(yield func(fit.Position, error) bool) {
		number := 0
		for row, err := range rows {
			number++
			if err == nil && (row.Player == datasets.PlayerOpening || row.Penalty || row.Mate != nil && *row.Mate != 0 ||
				row.Outcome != .5 && row.PliesLeft <= fit.LastPlies || engines.Reason(row.Reason).Fault()) {
				continue
			}
			p := fit.Position{Where: fmt.Sprintf("%s: row %d", name, number), Text: row.Position, Score: math.NaN(), Outcome: engines.Draw,
				Opening: pairOf{row.Seed, row.Trial, row.Pair}}
			switch first := (row.Outcome == 1) == (row.Side == 0); {
			case row.Outcome == .5:
			case first:
				p.Outcome = engines.FirstWins
			default:
				p.Outcome = engines.SecondWins
			}
			if row.Score != nil {
				p.Score = *row.Score
				if row.Side == 1 {
					p.Score = -p.Score
				}
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// exportedOf returns the game and rules of a file of exported positions.
func exportedOf(name string) (v engines.Variant, err error) {
	p, err := datasets.OpenPositions(name)
	if err != nil {
		return v, err
	}
	defer p.Close()
	game, err := cli.FindGame(p.Game)
	if err == nil {
		v, err = game.OpenText(p.Rules)
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}

// positionsAtOnce are in memory while rows are made of them.
const positionsAtOnce = 8192

// addPositions adds the labelled positions of a file to a set.
func (f *fitFlags) addPositions(set *fit.Set, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	read := &counted{r: file}
	list, total := fit.Labelled(name, read), func(done int64) int64 { return int64(float64(done) / max(read.share(info.Size()), 1e-9)) }
	if isExport(name) {
		p, err := datasets.OpenPositions(name)
		if err != nil {
			return err
		}
		defer p.Close()
		list, total = exported(name, p.All()), func(int64) int64 { return p.Count }
	}
	var leaveOut func(error)
	if f.skip {
		leaveOut = func(error) { f.left++ }
	}
	f.progress.Unit = "positions"
	done, batch := int64(0), []fit.Position(nil)
	add := func() error {
		done += int64(len(batch))
		err := set.AddPositions(batch, leaveOut)
		f.progress.Show("read "+filepath.Base(name), done, max(done, total(done)), false, "")
		batch = batch[:0]
		return err
	}
	for p, err := range list {
		switch {
		case err != nil && leaveOut == nil:
			return err
		case err != nil:
			leaveOut(err)
			continue
		}
		if batch = append(batch, p); len(batch) == positionsAtOnce {
			if err := add(); err != nil {
				return err
			}
		}
	}
	return add()
}

// counted counts what is read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// share is the share of a file that was read.
func (c *counted) share(size int64) float64 { return float64(c.n) / float64(max(size, 1)) }
