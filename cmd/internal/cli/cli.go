// Package cli is what the commands share: how they start and stop, name players
// and show progress. It holds no logic of games, matches or tuning.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/klauspost/cpuid/v2"
	"github.com/spf13/cobra"

	"selfplaylab/engines"
	"selfplaylab/engines/catalog"
	"selfplaylab/params"
)

// Exit codes.
const (
	exitFailed      = 1
	exitInterrupted = 130 // as shells report a process ended by Ctrl-C
)

// Version of the toolkit, as in CHANGELOG.md.
const Version = "0.1.0"

// ErrInterrupted is the cause of a context ended by Ctrl-C or SIGTERM.
var ErrInterrupted = errors.New("interrupted")

// Main runs a command and exits the process. The first Ctrl-C ends the context;
// a second one kills.
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() { // lives as long as the process
		<-signals
		cancel(ErrInterrupted)
		signal.Stop(signals)
	}()
	stdout := &output{to: os.Stdout}
	err := run(ctx, os.Args[1:], stdout, os.Stderr)
	if err == nil && stdout.err != nil {
		err = fmt.Errorf("standard output: %w", stdout.err)
	}
	switch {
	case err == nil:
	case Interrupted(err):
		os.Exit(exitInterrupted)
	default:
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(exitFailed)
	}
}

// Interrupted reports whether err is Ctrl-C and nothing else: what was joined to
// it on the way out, such as a full disk, must not be taken for it.
func Interrupted(err error) bool {
	if err == ErrInterrupted || err == context.Canceled { // nobody else cancels
		return true
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all := joined.Unwrap()
		return len(all) > 0 && !slices.ContainsFunc(all, func(e error) bool { return !Interrupted(e) })
	}
	inner := errors.Unwrap(err)
	return inner != nil && Interrupted(inner)
}

// checkKey is the context key of WithCheckOnly.
type checkKey struct{}

// ErrChecked ends a command that was only to check what it is asked.
var ErrChecked = errors.New("checked, and not run")

// WithCheckOnly returns a context under which commands check all that they are
// asked and end with ErrChecked before they make anything.
func WithCheckOnly(ctx context.Context) context.Context {
	return context.WithValue(ctx, checkKey{}, true)
}

// CheckOnly returns ErrChecked if the context is of WithCheckOnly.
func CheckOnly(ctx context.Context) error {
	if ctx.Value(checkKey{}) == nil {
		return nil
	}
	return ErrChecked
}

// resumeKey is the context key of WithResume.
type resumeKey struct{}

// WithResume returns a context under which interrupted work is gone on with by
// command, which started it, and not by a command of its own.
func WithResume(ctx context.Context, command string) context.Context {
	return context.WithValue(ctx, resumeKey{}, command)
}

// Resuming returns the command line that goes on with interrupted work: own,
// unless something larger started it.
func Resuming(ctx context.Context, own string) string {
	if command, ok := ctx.Value(resumeKey{}).(string); ok {
		return command
	}
	return own
}

// output remembers the first failed write: a result that did not reach its pipe
// or file is a failure, though nobody looks at what Fprintf returns.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Execute runs a cobra command with the toolkit's manners: errors are returned,
// not printed, and do not bring the whole usage with them.
func Execute(ctx context.Context, cmd *cobra.Command, args []string, stdout, stderr io.Writer) error {
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	cmd.SilenceErrors = true
	cmd.SilenceUsage = true
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		name, ok := unknownFlag(err)
		hint := ""
		if ok {
			var known []string
			c.Flags().VisitAll(func(f *flagT) { known = append(known, f.Name) })
			hint = nearest(name, known)
		}
		return fmt.Errorf("%w%s\n%s", err, hint, seeHelp(c))
	})
	return cmd.ExecuteContext(ctx)
}

func seeHelp(c *cobra.Command) string { return fmt.Sprintf("See %q.", c.CommandPath()+" --help") }

func unknownFlag(err error) (string, bool) {
	const prefix = "unknown flag: --"
	return strings.CutPrefix(err.Error(), prefix)
}

// nearest suggests a known flag, but never lists them all: --help does.
func nearest(name string, known []string) string {
	const lead = "; did you mean "
	if s, ok := strings.CutPrefix(params.Suggest(name, known), lead); ok {
		return lead + "--" + s
	}
	return ""
}

// NoArgs refuses arguments that are no flags, and suggests the command meant.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if c.HasSubCommands() {
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		hint = params.Suggest(args[0], names)
	}
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
		return nil, fmt.Errorf("no --game; want one of %s", strings.Join(catalog.Names(), ", "))
	}
	game, err := catalog.Find(name)
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

// maxOpening is the longest opening: beyond it few positions are worth playing.
const maxOpening = 40

// OpeningPlies returns the value of --opening-plies, or the game's own if the
// flag is not given.
func OpeningPlies(c *cobra.Command, game *engines.Game, plies int) (int, error) {
	switch {
	case !c.Flags().Changed("opening-plies"):
		return game.OpeningPlies, nil
	case plies < 0 || plies > maxOpening:
		return 0, fmt.Errorf("--opening-plies %d: want 0 to %d", plies, maxOpening)
	}
	return plies, nil
}

// Build says where this program comes from.
type Build struct{ Revision, Program, Go, CPU string }

// ThisBuild reads it from the binary or, for a program made by go run, which
// carries no revision, from the checkout it runs in.
func ThisBuild() Build {
	b := Build{Revision: "unknown", Program: "selfplaylab " + Version, Go: runtime.Version(), CPU: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = "+changes"
			}
		}
	}
	if revision == "" {
		revision, modified = checkout(info.Main.Path)
	}
	if revision != "" {
		b.Revision = revision + modified
	}
	return b
}

// Machine says what this machine is, for results that depend on it.
func Machine() string {
	name := strings.Join(strings.Fields(cpuid.CPU.BrandName), " ")
	if name == "" {
		name = "unnamed processor"
	}
	return fmt.Sprintf("%s/%s, %d of %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), name)
}

// checkout asks git for the revision of the module's own checkout, if that is
// where the program runs.
func checkout(module string) (revision, modified string) {
	root, err := os.Getwd()
	if err != nil {
		return "", ""
	}
	for ; ; root = filepath.Dir(root) {
		data, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			if !strings.HasPrefix(string(data), "module "+module+"\n") {
				return "", ""
			}
			break
		}
		if root == filepath.Dir(root) {
			return "", ""
		}
	}
	out, err := exec.Command("git", "-C", root, "rev-parse", "HEAD").Output()
	if err != nil {
		return "", "" // no git, or no commit: the revision stays unknown
	}
	status, err := exec.Command("git", "-C", root, "status", "--porcelain", "--untracked-files=no").Output()
	if err != nil || len(status) > 0 {
		modified = "+changes"
	}
	return strings.TrimSpace(string(out)), modified
}

// Typed returns the command line as a shell would take it, with the program's
// base name.
func Typed(args []string) string {
	words := []string{filepath.Base(os.Args[0])}
	for _, a := range args {
		words = append(words, Quote(a))
	}
	return strings.Join(words, " ")
}

// Quote quotes a word for a POSIX shell if it needs it.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=./:,+@%", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Player is a named parameter vector.
type Player struct {
	Name   string
	Vector params.Vector
}

// ParsePlayer reads PRESET or FILE.toml, followed by any number of ,name=value.
func ParsePlayer(game *engines.Game, text string) (Player, error) {
	base, rest, more := strings.Cut(text, ",")
	if strings.Contains(base, "=") && !isFile(base) { // overrides alone: of the default preset
		base, rest, more = game.Default, text, true
	}
	p := Player{Name: text}
	if isFile(base) {
		f, err := params.ReadFile(base, game.Name, game.Space)
		if err != nil {
			return p, err
		}
		p.Vector = f.Vector
	} else {
		preset, err := game.Preset(base)
		if err != nil {
			return p, fmt.Errorf("%w; a parameter file is named with its path, such as ./%s.toml", err, base)
		}
		p.Vector = preset.Vector
	}
	if !more {
		return p, nil
	}
	var err error
	p.Vector, err = game.Space.Set(p.Vector, strings.Split(rest, ","))
	return p, err
}

func isFile(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".toml")
}
