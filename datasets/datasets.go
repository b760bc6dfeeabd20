// Package datasets records runs. A run is a directory with its configuration (run.toml) and
// closed parquet parts, with one row per trial, one per game and, on request, one per decision.
//
// A kill at any moment leaves a readable run that can be continued. Equal rows give equal
// bytes. The package knows no game, tuner or match. FORMAT.md documents the format for other
// readers.
package datasets

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Schema is the format version of runs that Create makes: of the directory, the tables and the
// part boundaries. Any change to columns, metadata or boundaries must raise it.
const Schema = 3

// versions lists the versions of the format, in order. A run keeps the version with which it
// began, also when it is resumed: no file is ever converted. The tags since and until of a
// row's fields name the first and the last version that have the column.
var versions = []version{
	{number: 1, program: "0.1"},
	{number: 2, program: "0.2 or 0.3"},
	{number: 3, read: true},
	{number: 4, read: true}, // builds of 0.4 with objectives and tune ask-tell: games have value_a and value_b
}

// version is one version of the format.
type version struct {
	number  int
	read    bool   // this program reads it
	program string // the program that wrote the run, if this program cannot read it
}

// oldest and newest are the first and last version that this program reads.
var (
	oldest = versions[slices.IndexFunc(versions, func(v version) bool { return v.read })].number
	newest = versions[len(versions)-1].number
)

// A part closes after the trial with which it reaches either bound. Both bounds count rows or
// their values, so neither speed nor interruptions move a boundary.
const (
	// partGames bounds a part's games: with 4,096 games the footers of the two tables (9 KB
	// together) are 2 bytes a game, the whole part is some MB of memory, and rewriting it at a
	// checkpoint takes less than 0.1 s.
	partGames = 4096
	// partNodes closes parts of slow games sooner, because a kill loses the open part. One core
	// needs a minute or two for 100,000,000 nodes; with a much smaller bound every game would
	// be a part.
	partNodes = 100_000_000
)

// Meta is the configuration of a run: everything on which its rows depend, and their
// provenance. It is written once, except by Extend.
type Meta struct {
	// Schema is set by Create.
	Schema int `toml:"schema"`
	// Name is the user's name of the run; "" for none. Labels may replace it later.
	Name string `toml:"name,omitempty"`
	// Kind is the kind of run: "tune", "match", ...
	Kind        string `toml:"kind"`
	Game        string `toml:"game"`
	GameVersion int    `toml:"game_version"` // version of the game's rules and players in the program
	Rules       string `toml:"rules"`        // as the game writes them, e.g. "variant=seed"
	// Seed is the root of all randomness. In the file it is a decimal string:
	// TOML integers end at 2^63-1.
	Seed     uint64 `toml:"-"`
	Limits   string `toml:"limits"`   // limits of each decision, such as "nodes=1000"
	Revision string `toml:"revision"` // of the program's source
	Program  string `toml:"program"`  // the program's version
	Go       string `toml:"go"`       // the Go release it was built with
	// Command is the canonical command line with the settings that decide the result, in the words
	// of the version that wrote it. It is a caption for people; no program reads it.
	Command string `toml:"command"`
	// Extended holds the run's earlier commands, oldest first, if it was extended. Its parts
	// may name any of them.
	Extended []Extended `toml:"extended,omitempty"`
	// CommandLine is the command line as typed. Only run.toml has it.
	CommandLine string `toml:"command_line,omitempty"`
	// Resume is the command that continues the run, without the folder; "" for the default
	// of its kind. Only run.toml has it.
	Resume  string    `toml:"resume,omitempty"`
	Created time.Time `toml:"created"`
	// Parameters names the values of TrialRow.A, B and Best, in their order.
	Parameters []string `toml:"parameters"`
	// RecordMoves selects the rows of the moves table; NoMoves means that there is no such
	// table.
	RecordMoves RecordMoves `toml:"record_moves,omitempty"`
}

// Extended is a run's command before it was extended.
type Extended struct {
	Command string `toml:"command"` // canonical, as Meta.Command at that time
	Trials  int64  `toml:"trials"`  // number of trials recorded at that time
}

// RecordMoves selects the decisions that a run records.
type RecordMoves string

const (
	// NoMoves records no decisions; the run has no moves table.
	NoMoves RecordMoves = ""
	// KeepMoves records decisions without their times, so that the table repeats exactly.
	KeepMoves RecordMoves = "on"
	// TimeMoves records decisions with their times, the only column of a run that does not
	// repeat.
	TimeMoves RecordMoves = "time"
)

// ParseRecordMoves reads "off", "on" or "time"; another text is an error.
func ParseRecordMoves(text string) (RecordMoves, error) {
	switch r := RecordMoves(text); r {
	case "off":
		return NoMoves, nil
	case KeepMoves, TimeMoves:
		return r, nil
	}
	return NoMoves, fmt.Errorf("recording of moves %q: want off, on or time", text)
}

// check returns an error that names the first field that no run may have.
func (m Meta) check() error {
	if m.Kind == "" || m.Game == "" {
		return fmt.Errorf("run metadata: kind %q and game %q must not be empty", m.Kind, m.Game)
	}
	for _, name := range append([]string{m.Name, m.Kind, m.Game}, m.Parameters...) {
		if err := checkText(name, longestLabel, Printable); err != nil {
			return fmt.Errorf("run metadata: %w", err)
		}
	}
	switch m.RecordMoves {
	case NoMoves, KeepMoves, TimeMoves:
		return nil
	}
	return fmt.Errorf("run metadata: record_moves %q is neither %q nor %q", m.RecordMoves, KeepMoves, TimeMoves)
}

// errLocked is wrapped by the error of Create and Resume if another process, or another Writer
// of this process, writes the run.
var errLocked = errors.New("another process is writing it")
