package runs

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"selfplaylab/engines/games"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports/text"
)

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
	// of its text; see Extend for what that returns.
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

// ChoicesOf are the values of a field that takes no other ones; nil for another field.
func (k Kind) ChoicesOf(f config.Field) []string {
	if k.Command.Choices == nil {
		return nil
	}
	for name, list := range k.Command.Choices() {
		if f.Called(name) {
			return list
		}
	}
	return nil
}

// Extension returns the reader of a field that may be given when resuming; nil for other fields.
func (c *Command) Extension(f config.Field) func(text string) (func(Config, Result) (bool, error), error) {
	for name, read := range c.Extend {
		if f.Called(name) {
			return read
		}
	}
	return nil
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

// Pages shows a growing run in a browser.
type Pages struct {
	Address string
	Wait    func() error // until the pages end
}

// Words are the program and the command that play runs of the kind; nil for a kind
// without a command.
func (k Kind) Words() []string {
	switch {
	case k.Command == nil:
		return nil
	case k.Command.Program != "":
		return []string{k.Command.Program}
	}
	return []string{"selfplay", k.Name}
}

// NotFinished warns how far a run or its phase has come, such as "8 of 100 pairs".
func (h *Head) NotFinished(what, so string) string {
	if h.Running {
		return fmt.Sprintf("The %s is being played: %s so far.", what, so)
	}
	text := fmt.Sprintf("The %s is not finished: %s are recorded.", what, so)
	if h.Dir == "" { // --discard: nothing can continue
		return text
	}
	return text + fmt.Sprintf(" `%s` continues it.", h.Resume())
}

// OtherBuilds warns of a run, or runs, whose games builds of several revisions played; "" if
// one did.
func OtherBuilds(heads ...*Head) string {
	var revisions []string
	add := func(revision string) {
		if !slices.ContainsFunc(revisions, func(r string) bool { return sameSource(r, revision) }) {
			revisions = append(revisions, revision)
		}
	}
	for _, h := range heads {
		add(h.Meta.Revision)
		for _, s := range h.Sessions {
			played := s.Games > 0 || s.Seconds == 0 // 0 seconds: it was killed, or plays now
			if played && s.Revision != "" {
				add(s.Revision)
			}
		}
	}
	if len(revisions) < 2 {
		return ""
	}
	return fmt.Sprintf("Builds of several revisions played: %s. %s", strings.Join(revisions, ", "), mixture)
}

// OtherBuild returns a warning if a build of another revision continues the run.
func (h *Head) OtherBuild(now Build) string {
	if sameSource(now.Revision, h.Meta.Revision) {
		return ""
	}
	return fmt.Sprintf("Revision %s began this run, and this program is of revision %s. %s", h.Meta.Revision, now.Revision, mixture)
}

// sameSource reports whether builds of two revisions play alike: they are one, or both end
// with the hash of one source.
func sameSource(a, b string) bool {
	_, of, _ := strings.Cut(a, "-")
	_, also, _ := strings.Cut(b, "-")
	return a == b || of != "" && of == also
}

const mixture = "If they do not play alike, the results are those of a mixture: `selfplay replay` plays a recorded game again and shows " +
	"where they differ."

// Resume is the command that continues the run.
func (h *Head) Resume() string {
	return cmp.Or(h.Meta.Resume, CommandText(append(h.Kind.Words(), "--resume")...)) + " " + Quote(h.Dir)
}

// Help is a field's help with its placeholders filled.
func (k Kind) Help(help string) string {
	help = strings.ReplaceAll(help, "{games}", strings.Join(games.Names(), ", "))
	if k.Command != nil && k.Command.Placeholders != nil {
		for name, text := range k.Command.Placeholders() {
			help = strings.ReplaceAll(help, name, text)
		}
	}
	return help
}

// CommandText is a command line as a shell takes it.
func CommandText(words ...string) string {
	return strings.Join(text.Each(words, Quote), " ")
}

// Quote quotes a word for this system's shells if needed. On Windows they share backslashes in
// paths and double quotes only.
func Quote(word string) string {
	if runtime.GOOS == "windows" {
		return quoteWindows(word)
	}
	return QuotePOSIX(word)
}

// QuotePOSIX quotes a word for a POSIX shell if it needs it.
func QuotePOSIX(word string) string {
	if plain(word, "-_=./:,+@%") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func quoteWindows(word string) string {
	if plain(word, `-_=./:+\`) {
		return word
	}
	end := word[len(strings.TrimRight(word, `\`)):] // which would escape the quote after it
	return `"` + strings.ReplaceAll(word, `"`, `\"`) + end + `"`
}

// plain reports whether a word has no others than ASCII letters, digits and the signs given.
func plain(word, signs string) bool {
	return word != "" && strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(signs, r))
	}) < 0
}
