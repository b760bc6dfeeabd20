package selfplay

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/match"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// rebuild is the advice on how to build a missing revision again.
const rebuild = "If the folder of builds was emptied, build again: the command_line in the run's run.toml, with the commits " +
	"that begin the names of its engine files " +
	"as --a and --b, and with --pairs 1 --discard; then resume"

// branches holds the flags that make two revisions of an engine's repository the players of a
// match.
type branches struct {
	repo, build, bench, protocol string
	top, prefix                  string // the repository's top folder, and repo below it ("" if it is the top)
	stderr                       io.Writer
	alike                        bool // both revisions have the same bench signature
}

// A revision is a commit of the repository, built.
type revision struct {
	name, commit, subject string
	file                  string // its engine file
	bench                 string // its signature, "" if none was asked for
}

func (r *revision) String() string {
	text := fmt.Sprintf("%s = %s %s", r.name, r.commit[:10], r.subject)
	if r.bench != "" {
		text += ", bench " + r.bench
	}
	return text
}

// branchCommand adds the flags to the command that command makes of a match. After the builds it
// is that match.
func branchCommand(kind runs.Kind, command func(runs.Kind) *cobra.Command, stdout, stderr io.Writer) *cobra.Command {
	b, played := &branches{stderr: stderr}, *kind.Command
	played.After = b.after(kind.Command.After)
	kind.Command = &played
	match := command(kind)
	match.Use, match.Short = "branch --repo DIR --a REV --b REV --build CMD", "build two revisions of an engine and play a match between them"
	fl, play := match.Flags(), match.RunE
	fl.Lookup("a").Usage = "`REVISION` of player A: branch, tag or commit of the repository, with ,option=value overrides"
	fl.Lookup("b").Usage = "`REVISION` of player B, written like A"
	fl.Lookup("game").Usage = "`GAME` to play, as for selfplay match (default: chess)"
	fl.StringVar(&b.repo, "repo", ".", "folder `DIR` of the repository, which is never changed")
	fl.StringVar(&b.build, "build", "make EXE={out}", "shell `COMMAND` that builds the engine as the file {out}; runs in DIR of a clone of the revision")
	fl.StringVar(&b.bench, "bench", "{engine} bench", "shell `COMMAND` whose output ends with the bench signature, such as \"12345 nodes\"; \"\" for none")
	fl.StringVar(&b.protocol, "protocol", "uci", "`PROTOCOL` of the engine")
	match.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("resume") {
			err := play(cmd, args)
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%w\n"+rebuild, err)
			}
			return err
		}
		about, err := b.prepare(cmd)
		if err != nil {
			return err
		}
		err = play(cmd, args)
		if err == nil && !cmd.Flags().Changed("json") && !cmd.Flags().Changed("output") {
			_, err = fmt.Fprintf(stdout, "\n%s", about)
		}
		return err
	}
	return match
}

// prepare builds both revisions and sets the flags of the match to their engine files. It
// returns a description of the players.
func (b *branches) prepare(cmd *cobra.Command) (about string, err error) {
	fl := cmd.Flags()
	if !fl.Changed("game") {
		if err := fl.Set("game", "chess"); err != nil {
			return "", err
		}
	}
	if b.repo, err = filepath.Abs(b.repo); err != nil {
		return "", err
	}
	if b.prefix, err = b.git(cmd.Context(), "rev-parse", "--show-prefix"); err != nil {
		return "", fmt.Errorf("--repo %s: no git repository: %w", b.repo, err)
	}
	if b.top, err = b.git(cmd.Context(), "rev-parse", "--show-toplevel"); err != nil {
		b.top = b.repo // a bare one
	}
	if !strings.Contains(b.build, "{out}") {
		return "", fmt.Errorf("--build %q: want a command with {out}, the file of the program", b.build)
	}
	if out, err := b.git(cmd.Context(), "--no-optional-locks", "status", "--porcelain", "--untracked-files=no"); err == nil && out != "" {
		fmt.Fprintln(b.stderr, "note: uncommitted changes are not built")
	}
	game := fl.Lookup("game").Value.String()
	words, err := protocol.Find(b.protocol)
	if err == nil && !words.Carries(game) {
		err = fmt.Errorf("%s does not carry %s%s", b.protocol, game, params.Suggest(game, words.Games))
	}
	if err != nil {
		return "", fmt.Errorf("--protocol: %w", err)
	}
	sides := [...]string{"a", "b"}
	var both [2]*revision
	for i, side := range sides { // both before a build, which may take minutes
		name, _, _ := strings.Cut(fl.Lookup(side).Value.String(), ",")
		if both[i], err = b.revision(cmd.Context(), name); err != nil {
			return "", fmt.Errorf("--%s %s: %w", side, name, err)
		}
	}
	for i, side := range sides {
		_, overrides, some := strings.Cut(fl.Lookup(side).Value.String(), ",")
		if err := b.finish(cmd.Context(), both[i], game); err != nil {
			return "", fmt.Errorf("--%s %s: %w", side, both[i].name, err)
		}
		line := fmt.Sprintf("%s: %v\n", strings.ToUpper(side), both[i])
		about += line
		fmt.Fprint(b.stderr, line)
		player := seatName(both[i], both[1-i]) + "engine:" + both[i].file
		if some {
			player += "," + overrides
		}
		if err := fl.Set(side, player); err != nil {
			return "", fmt.Errorf("--%s: %w", side, err)
		}
	}
	if x, y := both[0], both[1]; x.commit == y.commit {
		fmt.Fprintln(b.stderr, "note: both are the same commit")
	} else if x.bench != "" && x.bench == y.bench {
		b.alike = true
		fmt.Fprintln(b.stderr, "note: both have the same bench signature: they likely search alike, and differ in speed at most")
	}
	return about, nil
}

// after returns what follows the match: the note on equal bench signatures is taken back if the
// games show other decisions. then is what else follows; nil for nothing.
func (b *branches) after(then func(runs.Result, any) (string, error)) func(runs.Result, any) (string, error) {
	return func(r runs.Result, flags any) (line string, err error) {
		if then != nil {
			line, err = then(r, flags)
		}
		if m, ok := r.(*match.Result); ok && b.alike {
			if differing, compared := m.Differing(); differing > 0 {
				line = strings.TrimPrefix(line+"\n", "\n") + fmt.Sprintf("note: they do not search alike, despite equal bench signatures: %s of %s in "+
					"equal positions differed (by a limit of time they may differ by chance)", text.Count(differing), text.Plural(compared, "decision"))
			}
		}
		return line, err
	}
}

// seatName is what a player is called: its revision, if a player can be called so and the other
// one is not; "" for the name of its engine file, the commit.
func seatName(own, other *revision) string {
	name := strings.ReplaceAll(own.name, "/", "-")
	if name == strings.ReplaceAll(other.name, "/", "-") || strings.ContainsAny(name, `\,=:`) {
		return ""
	}
	return name + ":"
}

// revision finds a revision.
func (b *branches) revision(ctx context.Context, name string) (*revision, error) {
	if name == "" {
		return nil, errors.New("no revision: give a branch, a tag or a commit")
	}
	commit, err := b.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("no such revision in %s (git branch -a lists its branches; git fetch --unshallow completes a shallow clone): %w",
			b.repo, err)
	}
	subject, err := b.git(ctx, "show", "--no-show-signature", "--no-patch", "--format=%s", commit)
	return &revision{name: name, commit: commit, subject: subject}, err
}

// finish builds a revision, unless it was built by the same command before, and asks for its
// bench signature.
func (b *branches) finish(ctx context.Context, r *revision, game string) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("no folder for builds: %w", err)
	}
	cache = filepath.Join(cache, "selfplaylab", "builds")
	asked := strings.Join([]string{r.commit, b.build, b.protocol, game + b.prefix}, "\n")
	key := fmt.Sprintf("%s-%x", r.commit[:10], sha256.Sum256([]byte(asked)))[:27]
	r.file = filepath.Join(cache, key+".toml")
	if err := b.built(ctx, r, cache, key, game); err != nil {
		return err
	}
	r.bench, err = b.signature(ctx, r.file)
	return err
}

// built sees to it that the engine file of a revision is there. It appears only when the
// build is complete. Of two commands that need the same build one waits for the other.
func (b *branches) built(ctx context.Context, r *revision, cache, key, game string) (err error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(cache, key+".lock"))
	if _, err := lock.TryLockContext(ctx, time.Second/10); err != nil {
		return fmt.Errorf("waiting for another build of %s: %w", r.name, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if _, err := os.Stat(r.file); err == nil {
		if _, err := os.Stat(programOf(r.file)); err == nil {
			return nil
		}
	}
	return b.rebuilt(ctx, r, cache, key, game)
}

// rebuilt builds a revision in a new folder and replaces folders left by killed builds.
func (b *branches) rebuilt(ctx context.Context, r *revision, cache, key, game string) error {
	left, err := filepath.Glob(filepath.Join(cache, key+"-*"))
	for _, dir := range left {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		return fmt.Errorf("clearing away unfinished builds: %w", err)
	}
	dir, err := os.MkdirTemp(cache, key+"-")
	if err != nil {
		return err
	}
	fmt.Fprintf(b.stderr, "building %s in %s (after an interruption repeat the command: complete builds are kept)\n", r.name, dir)
	if err := b.make(ctx, r.commit, dir); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	text := fmt.Sprintf("name = %q\ncmd = %q\nprotocol = %q\ngames = [%q]\n", r.commit[:10], filepath.Join(dir, outName()), b.protocol, game)
	whole := filepath.Join(dir, "engine.toml")
	if err := os.WriteFile(whole, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(whole, r.file)
}

// outName is the file that a build makes, in the folder of the build.
func outName() string {
	if runtime.GOOS == "windows" {
		return "engine.exe"
	}
	return "engine"
}

// programOf is the program that the engine file of a build names.
func programOf(file string) string {
	data, err := os.ReadFile(file)
	if m := regexp.MustCompile(`(?m)^cmd = "(.*)"$`).FindSubmatch(data); err == nil && m != nil {
		return strings.ReplaceAll(string(m[1]), `\\`, `\`)
	}
	return ""
}

// make clones a commit into a folder, with the objects of the repository, and builds it.
func (b *branches) make(ctx context.Context, commit, dir string) error {
	source, out := filepath.Join(dir, "source"), filepath.Join(dir, outName())
	if _, err := run(ctx, "", stdoutOf, "git", "clone", "--quiet", "--shared", "--no-checkout", b.top, source); err != nil {
		return err
	}
	if _, err := run(ctx, source, stdoutOf, "git", "checkout", "--quiet", "--detach", commit); err != nil {
		return err
	}
	command := strings.ReplaceAll(b.build, "{out}", runs.QuotePOSIX(out))
	if _, err := run(ctx, filepath.Join(source, b.prefix), outputOf, "sh", "-c", command); err != nil {
		return fmt.Errorf("the build failed: %w", err)
	}
	if _, err := os.Stat(out); err != nil {
		return fmt.Errorf("the build ended well but wrote no program: have --build %q write the file {out}", b.build)
	}
	return nil
}

// signatures are the ways in which engines print the number of nodes of their bench.
var signatures = regexp.MustCompile(`(?i)nodes searched\s*:?\s*(\d+)|\b(\d+) nodes\b|\bnodes\s*[:=]?\s*(\d+)|\bbench\s*[:=]\s*(\d+)`)

// signature reads the bench signature of a program: the last that it prints.
func (b *branches) signature(ctx context.Context, file string) (string, error) {
	if b.bench == "" {
		return "", nil
	}
	command := strings.ReplaceAll(b.bench, "{engine}", runs.QuotePOSIX(programOf(file)))
	out, err := run(ctx, "", outputOf, "sh", "-c", command)
	if err != nil {
		return "", fmt.Errorf("the bench failed: %w", err)
	}
	found := signatures.FindAllStringSubmatch(out, -1)
	if len(found) == 0 {
		return "", fmt.Errorf("no bench signature, such as \"12345 nodes\", in what %s printed; --bench \"\" does without:\n%s", command,
			lastLines(out))
	}
	m := found[len(found)-1]
	return cmp.Or(m[1], m[2], m[3], m[4]), nil
}

// git returns git's standard output. Warnings go to stderr.
func (b *branches) git(ctx context.Context, words ...string) (string, error) {
	return run(ctx, b.repo, stdoutOf, "git", words...)
}

// stdoutOf and outputOf choose the output of a program that run returns.
var stdoutOf, outputOf = (*exec.Cmd).Output, (*exec.Cmd).CombinedOutput

// run runs a program in a folder and returns its output. Its error has the last lines. A variable
// that names another repository, as git sets for its hooks, or holds a secret is not passed on.
func run(ctx context.Context, dir string, output func(*exec.Cmd) ([]byte, error), name string, words ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, words...)
	cmd.Dir, cmd.WaitDelay = dir, 2*time.Second
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(v string) bool {
		v, _, _ = strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", process.TokenVariable}, v)
	})
	out, err := output(cmd)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			out = append(out, failed.Stderr...)
		}
		said := lastLines(string(out))
		if said != "" {
			said = "\n" + said
		}
		return "", fmt.Errorf("%s: %w%s", runs.Quote(name+" "+strings.Join(words, " ")), err, said)
	}
	return string(bytes.TrimSpace(out)), nil
}

// lastLines returns the last lines that a program printed.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}
