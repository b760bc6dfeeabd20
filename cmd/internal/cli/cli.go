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
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"selfplaylab/engines"
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
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil:
	case errors.Is(err, ErrInterrupted):
		os.Exit(exitInterrupted)
	default:
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(exitFailed)
	}
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
			c.Flags().VisitAll(func(f *flagT) { known = append(known, "--"+f.Name) })
			hint = nearest(name, known)
		}
		return fmt.Errorf("%w%s\nSee %q.", err, hint, c.CommandPath()+" --help")
	})
	return cmd.ExecuteContext(ctx)
}

func unknownFlag(err error) (string, bool) {
	const prefix = "unknown flag: "
	return strings.CutPrefix(err.Error(), prefix)
}

// nearest suggests a known flag, but never lists them all: --help does.
func nearest(name string, known []string) string {
	if s := params.Suggest(name, known); strings.Contains(s, "did you mean") {
		return s
	}
	return ""
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
	base, rest, _ := strings.Cut(text, ",")
	if strings.Contains(base, "=") { // overrides alone: of the default preset
		base, rest = game.Default, text
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
	if rest == "" {
		return p, nil
	}
	var err error
	p.Vector, err = game.Space.Set(p.Vector, strings.Split(rest, ","))
	return p, err
}

func isFile(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".toml")
}
