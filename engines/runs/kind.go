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
	Short string // help text, one line
	// Sections are the titles of the sections with a run's result, for the page of an experiment.
	// Nil for none.
	Sections []string
	// Command is the kind's command; nil for a kind that has none.
	Command *Command
	// Files are the names of further files in the directories of its runs, besides the record, the
	// report and the openings.
	Files []string
	// New returns the defaults: a pointer to a struct as package config reads it.
	New func() Config
	// PlayerFile and StartFile are files of a finished run: the player found and the start; "" for
	// a kind that finds none. If no gain was shown, PlayerFile holds the start and CandidateFile
	// the player that was tried.
	PlayerFile, StartFile, CandidateFile string
	// Searches adds up the players' searches of a result; nil for a kind that plays games.
	Searches func(Result) []gamestats.Search
	// Former lists kinds under names of earlier experiment files, which make runs of this kind.
	Former []Kind
}

// Command is the command of a kind, as data: the commands of all kinds are made
// from it.
type Command struct {
	// Program is the kind's own program; "" for the command of selfplay with the name of the kind.
	Program string
	Use     string // the arguments that a new run needs
	Help    string // the long help and, after a line "Examples:", examples
	// Question is the question that such a run answers. Ask names its open fields, for the top of a
	// form.
	Question string
	Ask      []string
	// Length names the field, a whole number, that makes a run longer; nil for none.
	Length func(Config) string
	// Finds returns the smallest difference in Elo that a planned run shows in nine of ten runs; nil for
	// kinds that show none, 0 where the run decides otherwise.
	Finds func(Config) float64
	// Shows is a sentence about the outcome of a run; {elo} stands for the value of Finds.
	Shows string
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
	// Check checks those flags before a run of the config created begins, which keeps no games if discard
	// is true, or before a recorded run is resumed. Either created or recorded is nil. A nil Check
	// accepts all.
	Check func(created, recorded Config, flags any, discard bool) error
	// Extend lists fields that may be given to a resumed run, each with a reader of its text; see
	// record.Extend for the result.
	Extend map[string]func(text string) (func(Config, Result) (bool, error), error)

	// Before returns notes and warnings to show before the first game; nil for none.
	Before func(Result) Before
	// Text prints the result, so far or at the end, in the form chosen by flags, and reports
	// whether one was chosen; nil for none.
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

// Ended holds the facts about a run's end that its text mentions besides the result.
type Ended struct {
	Report  string        // the file of the report; "" for none
	Elapsed time.Duration // time played; 0 for a resumed run, whose earlier games took other time
}

// Config holds all settings of a run: a pointer to a struct, as package config reads it, that
// embeds MatchRules. Flags, experiment files and forms set it. Its plan is kept as the table [spec]
// of run.toml, and decides every game.
type Config interface {
	// Plan checks all settings before anything is made or played, and fills in the defaults, in a
	// copy. An error about one field is a *config.Error.
	Plan() (*Plan, error)
	// Check reports the first thing wrong with a config that was read from a file.
	Check(v engines.Variant) error
	// Budgets describes the limits of all players for people.
	Budgets() string
	// NewResult returns the Result of a run that has no trials yet.
	NewResult(h *Head) (Result, error)
	// Play plays the run. It may be called once, with the Result of NewResult, which receives every
	// trial when it counts.
	Play(ctx context.Context, s *Session) error
	// Conditions returns the rules for the start and the end of its games.
	Conditions() *MatchRules
	// Setup returns the run's own parts of the schedule and the record. It may be called before
	// Check.
	Setup() (Setup, error)
}

// Plan is a checked question.
type Plan struct {
	Kind    Kind
	Variant engines.Variant
	Config  Config          // complete, with all defaults
	Players []player.Config // that may be programs: see Seat
	Book    Book            // the openings of a file; empty for drawn ones
	Equal   *EqualCPU       // nil for the given budgets
}

// Setup holds the parts of a run that differ between kinds, besides the order of its games. The
// zero value is a run of a built-in game with points as its score.
type Setup struct {
	// Space holds the parameters of the external engine that the run is about; nil
	// if the parameters are the game's own.
	Space params.Space
	// Elsewhere is set if the games are played elsewhere; nil for games of this program.
	Elsewhere *Elsewhere
	// MarginCap is schedule.Runner.MarginCap: 0 if the run's source goes by points.
	MarginCap float64
	// UsefulCores returns the number of cores that the run keeps busy and, in words, its limit; nil
	// if one search or game follows another. It is called after Config.Check.
	UsefulCores func() (cores int, limit string)
	// Charts returns the charts of a growing run; nil for the charts of every run. It is called
	// after Config.Check.
	Charts func() Charts
	// Resume, if not nil, receives the Result of the recorded trials before a run continues. Its
	// error is the reason why this program cannot continue it. It is called after Config.Check.
	Resume func(Result) error
	// GamesInSummary reports whether the run's Summary needs the games of its trials, too.
	GamesInSummary bool
	// Implied reports whether the canonical command leaves out a field because others determine it;
	// nil for none. It is called after Check.
	Implied func(config.Setting) bool
}

// Elsewhere holds the command, variant and pool of a run whose games are played elsewhere.
type Elsewhere struct {
	Command string          // of the kind's program, for such runs
	Variant engines.Variant // replaces the game
	Pool    schedule.Pool
	Idle    func(jobs, results int) // schedule.Runner.Idle
}

// Session is a running run.
type Session struct {
	*schedule.Runner
	Head   *Head
	Result Result
}

// Result is the outcome of a run, trial by trial. Reports, lists and the live page
// are built from it.
type Result interface {
	// Add counts the next trial, in schedule order. A list needs the Summary alone and may leave
	// out the games, unless Setup.GamesInSummary is set.
	Add(schedule.Finished) error
	Summary() (Summary, error)
	// Verdict returns the head of the run, so far or at the end: terminal, report and page begin
	// with it.
	Verdict() (reports.Verdict, error)
	// Progress returns the progress of a phase ("" for the phase of the last trial), with the first
	// pairs of an unfinished trial, by A's half points.
	Progress(phase string, pairs [5]int) Progress
	Page() (reports.Page, error)
	// JSON returns the result as one object.
	JSON() (Object, error)
	// Text writes the result for a terminal.
	Text(out io.Writer, end Ended) error
	// Files returns the contents of files that a finished run leaves besides its record, by name;
	// nil for a file that must not be there.
	Files() (map[string][]byte, error)
	// Part returns the part of a recorded trial in tables of results; ok is false for none.
	Part(datasets.TrialRow) (p Part, ok bool)
	// Trial returns a recorded trial in its planned form, for playing its games again.
	Trial(datasets.TrialRow) (schedule.Trial, error)
}

// Part is one question of a run with an answer: trials of equal parts are added up.
type Part struct {
	Name  string           // in its run; "" if the run has one part
	Seats [2]player.Config // A, B: names and limits
}

// Head is a run without its trials.
type Head struct {
	Kind     Kind
	Dir      string // "" if nothing is kept
	Variant  engines.Variant
	Meta     datasets.Meta
	Sessions []datasets.Session
	Running  bool // played by some process: not to be resumed
	// Unavailable is the reason for an empty Variant: this program lacks the game, rules or
	// parameters of the record. Nil if it has them.
	Unavailable error
}

// Title returns the title of the run's game, also of a game that this program lacks.
func (h *Head) Title() string { return gameTitle(h.Meta) }

// Game returns the run's game. The error is Unavailable.
func (h *Head) Game() (*engines.Game, error) {
	if h.Unavailable != nil {
		return nil, fmt.Errorf("%s: %w", h.Dir, h.Unavailable)
	}
	return h.Variant.Game, nil
}

// Charts describes the charts of a growing run besides the Elo of its parts.
type Charts struct {
	Part  string           // the part that answers the run's question
	Bands *rating.Sequence // of the Elo; nil for confidence sequences of the run's level
	Test  Test             // the sequential test of Part, if any
}

// pairsInFlight is the number of pairs in flight for a core. With it steps that build on each other
// use some 90 % of the time of a thousand cores, by simulation of the cluster's schedule (see
// engines/schedule/cluster/README.md).
const pairsInFlight = 10

// minPairs is the least number of pairs for a core in a run without order: then the wait for the
// last pairs matters little.
const minPairs = 20

// FeedsUnordered returns the useful cores of a run whose pairs wait for nothing.
func FeedsUnordered(pairs int64) (cores int, limit string) {
	return int(max(1, pairs/minPairs)), "no game waits for another; with more, each core has fewer than 20 pairs, and many wait " +
		"for the last one to finish"
}

// FeedsOrdered returns the useful cores of a run whose steps build on each other, with that number
// of pairs in flight.
func FeedsOrdered(inFlight int) (cores int, limit string) {
	return max(1, inFlight/pairsInFlight),
		"steps build on each other, and few pairs are under way at a time; more pairs an iteration, or more iterations, feed more"
}

// About writes the line under a page's title: the players or method, the date and the folder.
func (h *Head) About(content string) string {
	about := content
	if !h.Meta.Created.IsZero() {
		about += ", " + h.Meta.Created.UTC().Format("2 January 2006")
	}
	if h.Dir != "" {
		about += fmt.Sprintf(", run `%s`", filepath.Base(filepath.Clean(h.Dir)))
	}
	return about + "."
}

// ShortTitle returns the name of the game, such as Quoridor, without the rest of its title.
func (h *Head) ShortTitle() string {
	title, _, _ := strings.Cut(h.Title(), " with ")
	if i := strings.IndexFunc(title, func(r rune) bool { return r == '(' || r > unicode.MaxLatin1 }); i > 0 {
		title = title[:i]
	}
	return strings.TrimSpace(title)
}

// ShortEstimate writes an estimate for a title: the Elo with its interval.
func ShortEstimate(e rating.Estimate) string {
	if e.N < rating.MinSample || e.Unknown() {
		return "too few games yet"
	}
	text, _, _ := strings.Cut(e.String(), " (")
	return text
}
