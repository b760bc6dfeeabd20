package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
)

var (
	trialsTable = table[TrialRow]{
		name: "trials",
		key:  func(t TrialRow) (int64, string) { return t.Trial, t.Phase },
		rows: func(l *Log, k int) (int64, error) { return l.spans[k].trials, nil },

		count:   trialsKey,
		follows: func(a, b int64) bool { return b == a+1 },
		columns: columns[TrialRow](),
	}
	gamesTable = table[GameRow]{
		name: "games",
		key:  func(g GameRow) (int64, string) { return g.Trial, g.Phase },
		rows: func(l *Log, k int) (int64, error) { return l.spans[k].games, nil },

		count:   gamesKey,
		follows: func(a, b int64) bool { return b >= a },
		chosen:  Filter.game,
		columns: columns[GameRow](),
	}
	movesTable = table[MoveRow]{
		name: "moves",
		key:  func(m MoveRow) (int64, string) { return m.Trial, m.Phase },
		rows: (*Log).decisions,

		count:   movesKey,
		follows: func(a, b int64) bool { return b >= a },
		columns: columns[MoveRow](),
	}
)

// Log is a run as recorded at one moment: trials 0 to NumTrials-1 with all their games. It does
// not change when the run grows; Refresh reads the new rows. Several goroutines may read a Log
// at once, but not during Refresh.
type Log struct {
	Dir       string // the run's folder, as given to Read
	Meta      Meta   // of run.toml
	NumTrials int64  // recorded trials
	NumGames  int64  // games of these trials

	data  []byte      // content of run.toml
	spans []span      // contents of the parts, in order
	last  os.FileInfo // of the last part of trials, taken before it was read
}

// Read opens the run in dir for reading, whether it is finished, killed or still being written
// by another process. It checks every part's metadata and reads no rows; the iterators do. The
// error names the file and the remedy.
func Read(dir string) (*Log, error) {
	meta, data, err := readRun(dir)
	if err != nil {
		return nil, err
	}
	l := &Log{Dir: dir, Meta: meta, data: data}
	n, err := trialsTable.parts(dir)
	if err != nil {
		return nil, err
	}
	if err := l.readParts(n); err != nil {
		return nil, err
	}
	return l, nil
}

// readParts reads the metadata of the parts after the known ones, up to n parts of trials, and
// compares the tables.
func (l *Log) readParts(n int) error {
	from := len(l.spans)
	// Trials first: a writer writes games before their trials, so the games of all trials seen
	// here exist.
	if err := l.readTrialParts(n); err != nil {
		return err
	}
	if err := checkParts(l, gamesTable, "games", from); err != nil {
		return err
	}
	if l.Meta.RecordMoves == NoMoves {
		return nil
	}
	return checkParts(l, movesTable, "moves", from)
}

// Spec decodes the [spec] table of run.toml into the struct to which into points. A key that
// the struct does not have is an error with file and line. Fields that are not in the file keep
// their values.
func (l *Log) Spec(into any) error {
	return decodeSpec(filepath.Join(l.Dir, runName), l.data, into)
}

// Trials iterates over the trials that f chooses, in order. It ends after an error, which is
// the last element.
func (l *Log) Trials(f Filter) iter.Seq2[TrialRow, error] { return rowsOf(l, trialsTable, f) }

// Games iterates over the games that f chooses, in order of trial, pair and game. It holds one
// part, a few MB, in memory. It ends after an error.
func (l *Log) Games(f Filter) iter.Seq2[GameRow, error] { return rowsOf(l, gamesTable, f) }

// ErrNoMoves is wrapped by the error of Moves if the run records no moves.
var ErrNoMoves = errors.New("the run keeps no rows of moves; only one that was started with --record-moves on or time does")

// Moves iterates over the decisions in the games that f chooses, in the order of trial, pair, game
// and ply. It ends after an error. For a run without moves its only element is an error that wraps
// ErrNoMoves.
func (l *Log) Moves(f Filter) iter.Seq2[MoveRow, error] {
	switch {
	case l.Meta.RecordMoves == NoMoves:
		return func(yield func(MoveRow, error) bool) { yield(MoveRow{}, fmt.Errorf("%s: %w", l.Dir, ErrNoMoves)) }
	case f.Outcome == "" && f.Reason == "":
		return rowsOf(l, movesTable, f)
	}
	return func(yield func(MoveRow, error) bool) {
		for p, err := range l.Played(f) {
			if err != nil {
				yield(MoveRow{}, err)
				return
			}
			for _, m := range p.Decisions {
				if !yield(m, nil) {
					return
				}
			}
		}
	}
}

// Played is a game with its decisions.
type Played struct {
	GameRow
	// Decisions holds the game's rows of moves, valid until the next game; nil in a run without
	// moves.
	Decisions []MoveRow
}

// Played iterates over the games that f chooses, in order, each with its decisions if the run
// records them. It ends after an error.
func (l *Log) Played(f Filter) iter.Seq2[Played, error] {
	return func(yield func(Played, error) bool) {
		moves := func() (MoveRow, error, bool) { return MoveRow{}, nil, false }
		if l.Meta.RecordMoves != NoMoves {
			var stop func()
			moves, stop = iter.Pull2(l.Moves(Filter{Phase: f.Phase, From: f.From, To: f.To}))
			defer stop()
		}
		var p Played
		next, err, more := moves()
		for g, gameErr := range l.Games(f) {
			p.GameRow, p.Decisions = g, p.Decisions[:0]
			for err == nil && more && !next.after(g) {
				if next.of(g) {
					p.Decisions = append(p.Decisions, next)
				}
				next, err, more = moves()
			}
			if err = cmp.Or(gameErr, err); err != nil {
				yield(Played{}, err)
				return
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// of reports whether a decision was made in game g.
func (m *MoveRow) of(g GameRow) bool {
	return m.Trial == g.Trial && m.Pair == g.Pair && m.Game == g.Game
}

// after reports whether a decision was made in a game after g.
func (m *MoveRow) after(g GameRow) bool {
	return cmp.Or(cmp.Compare(m.Trial, g.Trial), cmp.Compare(m.Pair, g.Pair), cmp.Compare(m.Game, g.Game)) > 0
}

// decisions returns the number of decisions in the trials of part k.
func (l *Log) decisions(k int) (sum int64, err error) {
	_, err = partRows(l, trialsTable, k, Filter{}, func(t TrialRow) bool {
		sum += t.Decisions
		return true
	})
	return sum, err
}

// readTrialParts reads the spans of the parts of trials after the known ones, up to n parts.
func (l *Log) readTrialParts(n int) error {
	for k := len(l.spans); k < n; k++ {
		last, err := os.Stat(trialsTable.path(l.Dir, k))
		if err != nil {
			return l.Meta.remedy(err, k, l.NumTrials)
		}
		l.last = last
		s, err := spanOf(trialsTable, l.Dir, k, l.Meta)
		switch {
		case err != nil:
		case s.first != l.NumTrials:
			err = fmt.Errorf("%s: starts at trial %d, trial %d is next", trialsTable.path(l.Dir, k), s.first, l.NumTrials)
		case s.trials == 0:
			err = fmt.Errorf("%s: holds no trials", trialsTable.path(l.Dir, k))
		}
		if err != nil {
			return l.Meta.remedy(err, k, l.NumTrials)
		}
		l.spans = append(l.spans, s)
		l.NumTrials += s.trials
		l.NumGames += s.games
	}
	return nil
}

// checkParts compares the parts of a table, from number from on, with the parts of the trials.
func checkParts[T any](l *Log, t table[T], what string, from int) error {
	if from == 0 { // for later parts, Refresh has already checked
		n, err := t.parts(l.Dir)
		if err == nil && n > len(l.spans) {
			err = l.checkLost()
		}
		if err != nil {
			return err
		}
	}
	for k := from; k < len(l.spans); k++ {
		s := l.spans[k]
		path := t.path(l.Dir, k)
		got, err := spanOf(t, l.Dir, k, l.Meta)
		switch {
		case errors.Is(err, os.ErrNotExist):
			err = fmt.Errorf("%s is missing: its trials are recorded, their %s are not", path, what)
		case err == nil && !got.extends(s, k == len(l.spans)-1):
			err = fmt.Errorf("%s holds %d games of trials %d to %d, the trials table has %d of %d to %d",
				path, got.games, got.first, got.end()-1, s.games, s.first, s.end()-1)
		}
		if err != nil {
			return l.Meta.remedy(err, k, s.first)
		}
	}
	return nil
}

// checkLost distinguishes a lost part of trials from one that a kill left unwritten after
// another table had the part: the last session recorded the number of trials.
func (l *Log) checkLost() error {
	sessions, err := l.Sessions()
	if n := len(sessions); err != nil || n == 0 || sessions[n-1].Trials <= l.NumTrials {
		return err
	}
	k := len(l.spans)
	return l.Meta.remedy(fmt.Errorf("%s is missing: %d trials were recorded when the last session ended, and %d are here; put it back",
		trialsTable.path(l.Dir, k), sessions[len(sessions)-1].Trials, l.NumTrials), k, l.NumTrials)
}

// extends reports whether a part with span s holds everything in old: the same, or more, if a
// crash or a running writer came between the two tables.
func (s span) extends(old span, last bool) bool {
	return s == old || last && s.first == old.first && s.trials > old.trials && s.games >= old.games
}

// spanOf returns the span of part k of a table, after verifying its metadata.
func spanOf[T any](t table[T], dir string, k int, meta Meta) (span, error) {
	p, err := t.open(dir, k, meta)
	if err != nil {
		return span{}, err
	}
	return p.span, p.close()
}

// remedy adds the remedy to an error about part k.
func (m Meta) remedy(err error, k int, first int64) error {
	folders := "both folders, "
	if m.RecordMoves != NoMoves {
		folders = "all three folders, " + movesTable.name + ", "
	}
	return fmt.Errorf("%w; to go on without it, move %s and all later parts out of %s%s and %s, then resume: trials from %d on are played "+
		"again and come out the same unless decisions are limited by time",
		err, partName(k), folders, gamesTable.name, trialsTable.name, first)
}

// rowsOf iterates over one table, part by part, up to the rows recorded when the log was read.
func rowsOf[T any](l *Log, t table[T], f Filter) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for k, s := range l.spans {
			if !f.overlaps(s) {
				continue
			}
			more, err := partRows(l, t, k, f, func(row T) bool { return yield(row, nil) })
			if err != nil {
				var none T
				yield(none, l.Meta.remedy(err, k, s.first))
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// partRows passes the rows of part k that f chooses to take, and reports whether take requests
// more. partRows returns an error if the trials are not in order.
func partRows[T any](l *Log, t table[T], k int, f Filter, take func(T) bool) (more bool, err error) {
	s := l.spans[k]
	p, err := t.open(l.Dir, k, l.Meta)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if !p.extends(s, k == len(l.spans)-1) {
		return false, fmt.Errorf("%s: changed since the run was opened", p.path)
	}
	n, last := int64(0), s.first-1
	for row, err := range p.rows() {
		if err != nil {
			return false, err
		}
		trial, phase := t.key(row)
		if trial >= s.end() {
			break
		}
		if trial < s.first || !t.follows(last, trial) {
			return false, fmt.Errorf("%s: damaged (row %d is of trial %d, which cannot follow trial %d)", p.path, n, trial, last)
		}
		n, last = n+1, trial
		if f.takes(trial, phase) && (t.chosen == nil || t.chosen(f, row)) && !take(row) {
			return false, nil
		}
	}
	want, err := t.rows(l, k)
	if err != nil {
		return false, err
	}
	if n != want {
		return false, fmt.Errorf("%s: damaged (%d rows of trials %d to %d, want %d)", p.path, n, s.first, s.end()-1, want)
	}
	return true, nil
}

// Sessions returns the processes that have worked on the run, see the function Sessions.
func (l *Log) Sessions() ([]Session, error) { return Sessions(l.Dir) }

// tables returns the tables of the run in the order of writing. Trials are last, because their
// rows define the recorded trials.
func (m Meta) tables() []string {
	if m.RecordMoves == NoMoves {
		return []string{gamesTable.name, trialsTable.name}
	}
	return []string{movesTable.name, gamesTable.name, trialsTable.name}
}

// isTable reports whether a folder of a run holds a table.
func isTable(name string) bool {
	return name == trialsTable.name || name == gamesTable.name || name == movesTable.name
}

// paths returns the files of part k in all tables.
func (l *Log) paths(k int) []string {
	list := []string{trialsTable.path(l.Dir, k), gamesTable.path(l.Dir, k)}
	if l.Meta.RecordMoves != NoMoves {
		list = append(list, movesTable.path(l.Dir, k))
	}
	return list
}
