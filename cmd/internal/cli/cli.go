// Package cli holds what the commands share: starting and stopping, names of players, progress. It
// has no logic of games, matches or tuning.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/runs"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// Exit codes.
const (
	exitFailed      = 1
	exitInterrupted = 130 // as shells report a process ended by Ctrl-C
)

// Exit ends a command with its own exit code, for an outcome that scripts should notice. The
// command has printed the outcome.
type Exit int

// Error names the code.
func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Version of the toolkit.
const Version = runs.Version

// ErrInterrupted is the cause of a context ended by Ctrl-C, SIGTERM or SIGHUP.
var ErrInterrupted = errors.New("interrupted")

// Main runs a command with arguments and exits the process. The first Ctrl-C ends the context;
// a second one kills.
func Main(args []string, run func(ctx context.Context, args []string, stdout, stderr io.Writer) error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() { // lives as long as the process
		<-signals
		cancel(ErrInterrupted)
		signal.Stop(signals)
	}()
	stdout := &output{to: os.Stdout, terminal: term.IsTerminal(int(os.Stdout.Fd()))}
	err := run(ctx, args, stdout, os.Stderr)
	code, own := err.(Exit)
	if (err == nil || own) && stdout.err != nil {
		err, own = fmt.Errorf("standard output: %w", stdout.err), false
	}
	switch {
	case err == nil:
	case own:
		os.Exit(int(code))
	case Interrupted(err):
		os.Exit(exitInterrupted)
	default:
		fmt.Fprintf(os.Stderr, "%s: %s\n", filepath.Base(os.Args[0]), text.Clean(err.Error()))
		os.Exit(exitFailed)
	}
}

// Interrupted reports whether err is Ctrl-C alone. An error joined to it on the way out, such
// as a full disk, must not pass for Ctrl-C.
func Interrupted(err error) bool {
	if err == ErrInterrupted || err == context.Canceled { // this program cancels for nothing else
		return true
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all := joined.Unwrap()
		return len(all) > 0 && !slices.ContainsFunc(all, func(e error) bool { return !Interrupted(e) })
	}
	inner := errors.Unwrap(err)
	return inner != nil && Interrupted(inner)
}

// output remembers the first failed write, because nobody checks the error of Fprintf: a result
// that did not reach its pipe or file is a failure. On a terminal it escapes control characters,
// because names in a record may hold any.
type output struct {
	to       io.Writer
	terminal bool
	err      error
}

func (o *output) Write(b []byte) (int, error) {
	shown := b
	if o.terminal {
		shown = []byte(text.Clean(string(b)))
	}
	n, err := o.to.Write(shown)
	if n == len(shown) {
		n = len(b)
	}
	if o.err == nil {
		o.err = err
	}
	return n, err
}

func seeHelp(c *cobra.Command) string { return fmt.Sprintf("See %q.", c.CommandPath()+" --help") }

// nearest suggests a known flag, but never lists them all: --help does.
func nearest(name string, known []string) string {
	const lead = "; did you mean "
	if s, ok := strings.CutPrefix(params.Suggest(name, known), lead); ok {
		return lead + "--" + s
	}
	return ""
}

// SplitHelp returns a help text as a command has it: the long help, and the examples that
// follow a line "Examples:".
func SplitHelp(text string) (long, example string) {
	long, example, _ = strings.Cut("\n"+text, "\nExamples:\n")
	return strings.Trim(long, "\n"), strings.TrimRight(example, "\n")
}

// NoArgs refuses arguments that are no flags, and suggests the command meant.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if c.HasSubCommands() {
		names := text.Each(c.Commands(), (*cobra.Command).Name)
		hint = params.Suggest(args[0], names)
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if value := f.Value.String(); strings.HasPrefix(value, "--") {
			hint = fmt.Sprintf("; --%s took %s as its value: want --%[1]s %[3]s", f.Name, value, f.Value.Type())
		}
	})
	return fmt.Errorf("unexpected argument %q%s\n%s", args[0], hint, seeHelp(c))
}

// OneRun takes the folder of one run.
func OneRun(c *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] != "" {
		return nil
	}
	return fmt.Errorf("want the folder of one run: %s\n%s", c.UseLine(), seeHelp(c))
}

// FindGame returns the game of --game.
func FindGame(name string) (*engines.Game, error) {
	if name == "" {
		return nil, fmt.Errorf("no --game; want one of %s", strings.Join(games.Names(), ", "))
	}
	game, err := games.Load(name)
	if err != nil {
		return nil, fmt.Errorf("--game: %w", err)
	}
	return game, nil
}

// maxWorkers bounds slips of the keyboard: every worker has buffers.
const maxWorkers = 1024

// CheckWorkers checks --workers.
func CheckWorkers(n int) error {
	if n < 1 || n > maxWorkers {
		return fmt.Errorf("--workers %d: want 1 to %d", n, maxWorkers)
	}
	return nil
}

// CommandLine returns the command line as a shell would take it, with the program's
// base name and without secrets.
func CommandLine(args []string) string {
	return runs.CommandText(append([]string{filepath.Base(os.Args[0])}, secretless(args)...)...)
}

// PrintJSON prints one object on one line.
func PrintJSON(out io.Writer, object func() (runs.Object, error)) error {
	o, err := object()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(o)
}

// PrintObject prints entries as JSON, or as lines for people.
func PrintObject(out io.Writer, o runs.Object, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(o)
	}
	t := text.Table{}
	for _, e := range o {
		line := fmt.Sprint(e.Value)
		if e.Value == nil {
			line = "-"
		}
		t = append(t, []string{e.Name, line})
	}
	t.Print(out)
	return nil
}

// secretless returns a command line without its secrets, for records.
func secretless(args []string) []string {
	var words []string
	hide := false
	for _, a := range args {
		switch {
		case hide:
			a, hide = "...", false
		case a == "--token":
			hide = true
		case strings.HasPrefix(a, "--token="):
			a = "--token=..."
		case strings.Contains(a, "://") && strings.Contains(a, "@"):
			name, address, ok := strings.Cut(a, "=")
			if !ok || !strings.HasPrefix(name, "--") {
				name, address = "", a
			} else {
				name += "="
			}
			if u, err := url.Parse(address); err == nil && u.User != nil {
				u.User = nil
				a = name + u.String()
			}
		}
		words = append(words, a)
	}
	return words
}
