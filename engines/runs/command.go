package runs

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"selfplaylab/engines/games"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports/text"
)

// ChoicesOf returns the values of a field that takes no other ones; nil for another field.
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

// LengthField returns the field of c that makes its run longer, a whole number; "" for none.
func (k Kind) LengthField(c Config) string {
	if k.Command == nil || k.Command.Length == nil {
		return ""
	}
	return k.Command.Length(c)
}

// Words returns the program and the command that play runs of the kind; nil for a kind
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
func (h *Head) NotFinished(subject, done string) string {
	if h.Running {
		return fmt.Sprintf("The %s is being played: %s so far.", subject, done)
	}
	text := fmt.Sprintf("The %s is not finished: %s are recorded.", subject, done)
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
			played := s.Games > 0 || s.Seconds == 0 // a killed or running session has 0 seconds
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

// sameSource reports whether builds of two revisions play alike: equal revisions, or both with the
// hash of one source at the end.
func sameSource(a, b string) bool {
	_, of, _ := strings.Cut(a, "-")
	_, also, _ := strings.Cut(b, "-")
	return a == b || of != "" && of == also
}

const mixture = "If they do not play alike, the results are those of a mixture: `selfplay replay` plays a recorded game again and shows " +
	"where they differ."

// Resume returns the command that continues the run.
func (h *Head) Resume() string {
	return cmp.Or(h.Meta.Resume, CommandText(append(h.Kind.Words(), "--resume")...)) + " " + Quote(h.Dir)
}

// Help returns a field's help with its placeholders filled.
func (k Kind) Help(help string) string {
	help = strings.ReplaceAll(help, "{games}", strings.Join(games.Names(), ", "))
	if k.Command != nil && k.Command.Placeholders != nil {
		for name, text := range k.Command.Placeholders() {
			help = strings.ReplaceAll(help, name, text)
		}
	}
	return help
}

// Programs are the words that start the programs selfplay and tune in texts of commands, if a
// program of another module takes their place. Set it before anything else is called.
var Programs = map[string][]string{}

// CommandText returns a command line as a shell takes it.
func CommandText(words ...string) string {
	if len(words) > 0 && Programs[words[0]] != nil {
		words = slices.Concat(Programs[words[0]], words[1:])
	}
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
