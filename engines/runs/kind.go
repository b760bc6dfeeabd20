// Package runs is the contract of all kinds of runs: a question in the user's words, its check
// before anything is played, the conditions of its games, its result, and a run as its directory
// records it. It knows no kind. Package record plays runs, package view shows them, and package
// replay reads their games.
//
// Read kind.go first: the parts of a kind and of a run. Then come the conditions and players of a
// plan (matchrules.go, book.go, seat.go, equalcpu.go), the way from a config to a record and back
// (canonical.go, recorded.go), and the lists of kinds and of runs (kinds.go, summary.go). The other
// files hold words and sections that reports of several kinds share.
package runs

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
)

// Kind is one kind of runs.
type Kind struct {
	Name  string // in Meta.Kind and in experiment files
	Short string // what it does, one line
	// Sections are the titles of those of a run's report that tell the result alone:
	// what the page of an experiment shows of it. Nil for none.
	Sections []string
	// Command is how people ask for a run at the command line; nil for a kind that is
	// not played there.
	Command *Command
	// Files are the names of those that its runs leave in their directories besides
	// the record, the report and the openings.
	Files []string
	// New returns what may be asked, with the defaults: a pointer to a struct as package
	// config reads it.
	New func() Config
	// PlayerFile and StartFile are files of a finished run: the player that it found and
	// the one it began with; "" for a kind that finds none. CandidateFile is there if
	// PlayerFile holds the start because no gain was shown: the player that was tried.
	PlayerFile, StartFile, CandidateFile string
	// Searches are what the players' searches of a result came to; nil for a kind that
	// plays games.
	Searches func(Result) []gamestats.Search
	// Former are other kinds that make runs of this one, under names that experiment
	// files of earlier versions have.
	Former []Kind
}

// Command is the command of a kind, as data: the commands of all kinds are made
// from it.
type Command struct {
	// Program is the kind's own program; "" for the command of selfplay with the name of the kind.
	Program string
	Use     string // the arguments that a new run needs
	Help    string // the long help and, after a line "Examples:", examples
	// Question is the question that such a run answers. Ask names the fields that it leaves
	// open: a form asks for these first.
	Question string
	Ask      []string
	// Length names the field, a whole number, that makes a run longer; nil for none.
	Length func(Config) string
	// Games returns the maximum number of games of a planned run; nil for the number in its
	// Result.
	Games func(Config) int64
	// Choices lists the values of fields that take no others; nil for none. Fields with arg
	// "a|b" need no entry.
	Choices func() map[string][]string
	// Sequential marks a run that does one thing at a time: no workers, no cluster.
	Sequential bool
	// Placeholders maps texts such as {methods} in the help of fields to their replacement;
	// nil for none.
	Placeholders func() map[string]string
	// Folder names the folder of a new run, after the game; nil for the kind's name.
	Folder func(Config) string

	// Flags returns a pointer to a struct, as config.Fields reads it, of flags that change
	// nothing of a run and may be given when resuming; nil for none. Check and After
	// receive it.
	Flags func() any
	// Check checks those flags before a run of config is created, which keeps no games if
	// discard is true, or before a recorded run is resumed. One of both is nil. A nil Check
	// accepts all.
	Check func(asked, recorded Config, flags any, discard bool) error
	// Extend are fields that may be given to a run that is resumed, each with a reader
	// of its text; see record.Extend for what that returns.
	Extend map[string]func(text string) (func(Config, Result) (bool, error), error)

	// Before returns notes and warnings to show before the first game; nil for none.
	Before func(Result) Before
	// Text prints the result, so far or at the end, in the form that the flags ask for, and
	// reports whether they ask for one; nil for none.
	Text func(out io.Writer, r Result, flags any, end bool) (bool, error)
	// After is called once the run is complete and has its report. It returns a line
	// to show; nil does nothing.
	After func(r Result, flags any) (string, error)
	// ExitCode is the exit code after a complete run; nil for 0.
	ExitCode func(Result) int
}

// Before holds notes and warnings to show before the first game of a run.
type Before struct {
	Notes    []string // of a new run
	Warnings []string
}

// Ended is what the text of a result says besides the result.
type Ended struct {
	Report  string        // the file of the report; "" for none
	Elapsed time.Duration // time played; 0 for a resumed run, part of whose games are from before
}

// Config is everything that is asked of a run: a pointer to a struct, as package config
// reads it, that embeds MatchRules. Flags, experiment files and forms set it; what is
// planned of it is kept as the table [spec] of run.toml, and decides every game.
type Config interface {
	// Plan checks all that is asked before anything is made or played, and fills in
	// what was not said, in a copy. An error about one field is a *config.Error.
	Plan() (*Plan, error)
	// Check reports the first thing wrong with a config that was read from a file.
	Check(v engines.Variant) error
	// Budgets describes the limits of all players for people.
	Budgets() string
	// NewResult returns the Result of a run that has no trials yet.
	NewResult(h *Head) (Result, error)
	// Play plays the run. It may be called once, with the Result of NewResult, to
	// which every trial is added as it counts.
	Play(ctx context.Context, s *Session) error
	// Conditions are how its games start and end.
	Conditions() *MatchRules
	// Setup returns what it contributes to its run. It may be called before Check.
	Setup() (Setup, error)
}

// Plan is a checked question.
type Plan struct {
	Kind    Kind
	Variant engines.Variant
	Config  Config          // complete, with all that was not said
	Players []player.Config // that may be programs: see Seat
	Book    Book            // the openings of a file; empty for drawn ones
	Equal   *EqualCPU       // nil for budgets as they were asked for
}

// Setup is what a Config contributes to its run besides the order of its games. The
// zero value is a run of one of our games that goes by points.
type Setup struct {
	// Space holds the parameters of the external engine that the run is about; nil
	// if the parameters are the game's own.
	Space params.Space
	// Elsewhere is set if the games are played elsewhere; nil for games of this program.
	Elsewhere *Elsewhere
	// MarginCap is schedule.Runner.MarginCap: 0 if the run's source goes by points.
	MarginCap float64
	// UsefulCores returns how many cores the run keeps busy and, in words, what limits
	// it; nil if one search or game follows another. It is called after Config.Check.
	UsefulCores func() (cores int, limit string)
	// Charts are the charts of a run while it grows; nil for those of every run. It is
	// called after Config.Check.
	Charts func() Charts
	// Resume, if not nil, is given the Result of the trials of a recorded run before it goes on; an
	// error says why this program cannot continue it. It is called after Config.Check.
	Resume func(Result) error
	// GamesInSummary says that the run's Summary needs the games of its trials, too.
	GamesInSummary bool
	// Implied reports whether the canonical command leaves out a field because others say it; nil
	// for none. It is called after Check.
	Implied func(config.Said) bool
}

// Elsewhere holds what a run needs whose games are played elsewhere.
type Elsewhere struct {
	Command string          // of the kind's program, for such runs
	Variant engines.Variant // replaces the game
	Pool    schedule.Pool
	Idle    func(jobs, results int) // schedule.Runner.Idle
}

// Session is a run while it is played.
type Session struct {
	*schedule.Runner
	Head   *Head
	Result Result
}

// Result is the outcome of a run, trial by trial. Reports, lists and the live page
// are built from it.
type Result interface {
	// Add counts the next trial, in schedule order. Games may be nil for a list,
	// which asks for the Summary alone, but for Setup.GamesInSummary.
	Add(schedule.Finished) error
	Summary() (Summary, error)
	// Verdict is the head of the run, so far or at the end: terminal, report and page begin with it.
	Verdict() (reports.Verdict, error)
	// Progress is where a phase of the run stands ("" is that of the trial added
	// last), with the first pairs of a trial that is not finished, by A's half
	// points.
	Progress(phase string, pairs [5]int) Progress
	Page() (reports.Page, error)
	// JSON is the result as one object.
	JSON() (Object, error)
	// Text writes the result for a terminal.
	Text(out io.Writer, end Ended) error
	// Files are what a finished run leaves in addition to its record, by name; nil for one that
	// must not be there.
	Files() (map[string][]byte, error)
	// Part is what a recorded trial counts for in tables of results; ok is false if
	// for nothing.
	Part(datasets.TrialRow) (p Part, ok bool)
	// Trial is how a recorded trial was asked for, so that its games can be played
	// again.
	Trial(datasets.TrialRow) (schedule.Trial, error)
}

// Part is one question of a run with an answer of its own: trials of equal parts
// are added up.
type Part struct {
	Name  string           // in its run; "" if the run has one part
	Seats [2]player.Config // A, B: names and limits
}

// Head is what is known of a run without its trials.
type Head struct {
	Kind     Kind
	Dir      string // "" if nothing is kept
	Variant  engines.Variant
	Meta     datasets.Meta
	Sessions []datasets.Session
	Running  bool // it is being played: there is nothing to resume
	// Unavailable says why Variant is empty: the record is of a game, rules or
	// parameters that this program does not have. Nil for one that it does.
	Unavailable error
}

// Title is how people call the run's game, also one that this program lacks.
func (h *Head) Title() string { return gameTitle(h.Meta) }

// Game returns the run's game, or why there is none.
func (h *Head) Game() (*engines.Game, error) {
	if h.Unavailable != nil {
		return nil, fmt.Errorf("%s: %w", h.Dir, h.Unavailable)
	}
	return h.Variant.Game, nil
}

// Charts says what the charts of a growing run show besides the Elo of its parts.
type Charts struct {
	Part  string           // the part that answers the run's question
	Bands *rating.Sequence // of the Elo; nil for confidence sequences of the run's level
	Test  Test             // the sequential test of Part, if any

	// Trials of Phases, one a tuning, recommend values: TrialRow.Best. The chart shows the
	// parameters tuned, from Start on; nil for none.
	Phases []string
	Tuned  []string
	Start  []float64
}

// pairsInFlight are those in flight for a core: they use some 90 % of the time of a
// thousand cores where steps build on each other, by simulation of the cluster's schedule
// (see engines/schedule/cluster/README.md).
const pairsInFlight = 10

// minPairs is how many pairs a core should have of a run without order, so that
// waiting for the last ones matters little.
const minPairs = 20

// FeedsUnordered is the answer of a run whose pairs wait for nothing.
func FeedsUnordered(pairs int64) (cores int, limit string) {
	return int(max(1, pairs/minPairs)), "no game waits for another; with more, each core has fewer than 20 pairs, and many wait for the last one to finish"
}

// FeedsOrdered is that of a run whose steps build on each other, with the number of
// pairs in flight.
func FeedsOrdered(inFlight int) (cores int, limit string) {
	return max(1, inFlight/pairsInFlight),
		"steps build on each other, and few pairs are under way at a time; more pairs an iteration, or more iterations, feed more"
}

// About is the line under a page's title: what was played, when, and in which
// folder.
func (h *Head) About(what string) string {
	about := what
	if !h.Meta.Created.IsZero() {
		about += ", " + h.Meta.Created.UTC().Format("2 January 2006")
	}
	if h.Dir != "" {
		about += fmt.Sprintf(", run `%s`", filepath.Base(filepath.Clean(h.Dir)))
	}
	return about + "."
}

// ShortTitle is the game's title without what it is besides its name, such as Quoridor.
func (h *Head) ShortTitle() string {
	title, _, _ := strings.Cut(h.Title(), " with ")
	if i := strings.IndexFunc(title, func(r rune) bool { return r == '(' || r > unicode.MaxLatin1 }); i > 0 {
		title = title[:i]
	}
	return strings.TrimSpace(title)
}

// ShortEstimate is an estimate as a title has it: the Elo with its interval, and not what
// it is of, which is said below.
func ShortEstimate(e rating.Estimate) string {
	if e.N < rating.MinSample || e.Unknown() {
		return "too few games yet"
	}
	text, _, _ := strings.Cut(e.String(), " (")
	return text
}
