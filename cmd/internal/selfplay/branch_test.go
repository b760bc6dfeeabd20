package selfplay

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
)

// toyEngine is a UCI engine of a few lines: its side moves a knight out and back.
const toyEngine = `#!/bin/sh
if [ "$1" = bench ]; then echo "searched 7 nodes"; echo "BENCH nodes"; exit; fi
plies=0
while read -r word rest; do
	case $word in
	uci) echo "id name toy"; echo "option name Hash type spin default 1 min 1 max 64"; echo uciok ;;
	isready) echo readyok ;;
	position) plies=$(echo "$rest" | sed 's/.*moves//;t;d' | wc -w) ;;
	go) set -- g1f3 g8f6 f3g1 f6g8; shift $((plies % 4)); echo "info depth 1 nodes 1"; echo "bestmove $1" ;;
	quit) exit ;;
	esac
done
`

// toyRepository has two commits of the toy engine with benches of 42 and 43 nodes, and one
// on a branch "broken" that does not build; its working tree has a change.
func toyRepository(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	git := func(words ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@t"}, words...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", words, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "--quiet", "--initial-branch=main")
	write("build.sh", "cp toy.sh \"$1\" && echo built >>\"$LOG\"\n")
	write("sub folder/build.sh", "cp ../toy.sh \"$1\"\n")
	for _, nodes := range []string{"42", "43"} {
		write("toy.sh", strings.ReplaceAll(toyEngine, "BENCH", nodes))
		git("add", ".")
		git("commit", "--quiet", "-m", "Search "+nodes)
		git("tag", "--force", "main") // git warns that main is ambiguous
	}
	git("checkout", "--quiet", "-b", "broken")
	write("build.sh", "echo no such thing as a queen; exit 3\n")
	git("commit", "--quiet", "-am", "Break")
	git("checkout", "--quiet", "main")
	write("toy.sh", "changed, not committed")
	return dir
}

// TestBranch: two revisions are built once each, outside the working tree, and play a match
// with the flags of a match; it goes on by --resume.
func TestBranch(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some runs")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	repo, log, out := toyRepository(t), filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "run")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir()) // the cache folder elsewhere than on Linux
	t.Setenv("LOG", log)
	play := func(words ...string) (stdout, stderr string, err error) {
		return selfplay(t, append([]string{"branch", "--repo", repo, "--build", "sh build.sh {out}", "--limits", "nodes=1", "-q"}, words...)...)
	}
	before := treeOf(t, repo)
	stdout, stderr, err := play("--a", "main,Hash=2", "--b", "HEAD~1", "--pairs", "2", "--sprt", "elo0=0,elo1=5", "--out", out)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	for _, want := range []string{"Ptnml(0-2): [0, 0, 2, 0, 0]", "LLR: ", "Search 43, bench 43", "Search 42, bench 42"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in:\n%s", want, stdout)
		}
	}
	if !strings.Contains(stderr, "uncommitted changes are not built") {
		t.Errorf("no word of the uncommitted change:\n%s", stderr)
	}
	if stdout, stderr, err = play("--a", "main", "--b", "main~1", "--bench", "", "--pairs", "1", "--discard"); err != nil || strings.Contains(stdout, "bench") {
		t.Errorf("%v\n%s%s", err, stdout, stderr)
	}
	const likely, back = "they likely search alike", "they do not search alike, despite equal bench signatures: "
	if _, stderr, err = play("--a", "main", "--b", "main~1", "--bench", "echo 5 nodes", "--pairs", "2", "--discard"); err != nil ||
		!strings.Contains(stderr, likely) || strings.Contains(stderr, back) {
		t.Errorf("equal games: %v\n%s", err, stderr)
	}
	differ := `sed "$(grep -q 'echo .43' toy.sh && echo 's/g1f3/b1c3/;s/f3g1/c3b1/')" toy.sh >{out}; chmod +x {out}`
	if stdout, stderr, err = play("--a", "main", "--b", "main~1", "--bench", "echo 5 nodes", "--pairs", "2", "--discard", "--build", differ); err != nil ||
		!strings.Contains(stderr, likely) || !strings.Contains(stderr, back) {
		t.Errorf("other games: %v\n%s", err, stderr)
	}
	if !strings.Contains(stdout, "Results of main vs main~1") {
		t.Errorf("players are not called by their branches:\n%s", stdout)
	}
	t.Setenv("GIT_DIR", t.TempDir()) // as in a hook of another repository
	t.Setenv("SELFPLAYLAB_TOKEN", "secret")
	stdout, stderr, err = play("--repo", filepath.Join(repo, "sub folder"), "--a", "main", "--b", "HEAD", "--pairs", "1", "--discard",
		"--output", "fastchess")
	if err != nil || !strings.HasSuffix(stdout, "Tournament finished\n") || !strings.Contains(stderr, "both are the same commit") {
		t.Errorf("in a folder of the repository: %v\n%s%s", err, stdout, stderr)
	}
	if data, err := os.ReadFile(log); err != nil || strings.Count(string(data), "built") != 2 {
		t.Errorf("builds: %q, %v; want two", data, err)
	}
	if stdout, stderr, err = selfplay(t, "branch", "--resume", out, "-q"); err != nil || !strings.Contains(stdout, "Ptnml(0-2): [0, 0, 2, 0, 0]") {
		t.Errorf("resumed: %v\n%s%s", err, stdout, stderr)
	}
	for want, words := range map[string][]string{
		"no such thing as a queen":                            {"--a", "broken", "--b", "main"},
		"no such revision in " + repo:                         {"--a", "broken", "--b", "elsewhere"}, // before anything is built
		"--protocol: uci does not carry gobang; known: chess": {"--a", "broken", "--b", "main", "--game", "gobang"},
		"no git repository: ":                                 {"--a", "main", "--b", "main", "--repo", t.TempDir()},
		"--b : no revision":                                   {"--a", "main"},
		"no bench signature":                                  {"--a", "main", "--b", "main~1", "--bench", "echo {engine}"},
		"the bench failed":                                    {"--a", "main", "--b", "main~1", "--bench", "exit 4"},
		"bench failed":                                        {"--a", "main", "--b", "main~1", "--bench", `test -n "$SELFPLAYLAB_TOKEN"`},
		"wrote no program":                                    {"--a", "main", "--b", "main~1", "--build", "echo {out}"},
		"want a command with {out}":                           {"--a", "main", "--b", "main~1", "--build", "make"},
	} {
		if _, _, err := play(append(words, "--discard")...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", words, err, want)
		}
	}
	if after := treeOf(t, repo); after != before {
		t.Errorf("the repository was changed:\n%s\nbefore:\n%s", after, before)
	}
}

// TestBranchKilled: a command that is killed in a build builds only the rest when it is
// repeated, and one that is killed in a game goes on by the command that it has printed.
func TestBranchKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("short: kills commands")
	}
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no sh, or its parent is not the command")
	}
	repo, log, cache := toyRepository(t), filepath.Join(t.TempDir(), "log"), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv("LOG", log)
	before := treeOf(t, repo)
	play := func(stop string) clitest.Result {
		return clitest.RunUntil(t, ".", stop, "selfplay", "branch", "--repo", repo,
			"--build", `sh build.sh {out}; [ $(wc -l <$LOG) != 2 ] || kill -9 $PPID`, "--limits", "nodes=1",
			"--a", "main", "--b", "main~1", "--pairs", "20", "--workers", "1", "--out", filepath.Join(cache, "run"))
	}
	if r := play(""); r.Code == 0 || !strings.Contains(r.Stderr, "repeat the command") {
		t.Fatalf("killed in the second build: %+v", r)
	}
	killed := play("kill match 6")
	_, resume, printed := strings.Cut(killed.Stderr, "continue with: ")
	if resume, _, _ = strings.Cut(resume, "\n"); killed.Code == 0 || !printed || !strings.HasPrefix(resume, "selfplay branch --resume ") {
		t.Fatalf("killed in a game: %+v", killed)
	}
	clitest.OK(t, ".", "selfplay", "report", filepath.Join(cache, "run"))
	if report, err := os.ReadFile(filepath.Join(cache, "run", "report.md")); err != nil || !strings.Contains(string(report), "`"+resume+"` continues it") {
		t.Errorf("the report does not name %s: %v\n%s", resume, err, report)
	}
	builds, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	builds = filepath.Join(builds, "selfplaylab", "builds")
	moved := builds + "-moved"
	if err := os.Rename(builds, moved); err != nil {
		t.Fatal(err)
	}
	if _, _, err := selfplay(t, "branch", "--resume", filepath.Join(cache, "run"), "-q"); err == nil || !strings.Contains(err.Error(), "build again") {
		t.Errorf("resumed without builds: %v", err)
	}
	if err := os.Rename(moved, builds); err != nil {
		t.Fatal(err)
	}
	again := clitest.OK(t, ".", "sh", "-c", resume)
	if !strings.Contains(again.Stdout, "Ptnml(0-2): [0, 0, 20, 0, 0]") {
		t.Errorf("%s: %+v", resume, again)
	}
	if data, err := os.ReadFile(log); err != nil || strings.Count(string(data), "built") != 3 {
		t.Errorf("builds: %q, %v; want one of A and two of B", data, err)
	}
	if left, err := filepath.Glob(filepath.Join(builds, "*-*-*")); err != nil || len(left) != 2 {
		t.Errorf("folders of builds: %v, %v; want those of A and B", left, err)
	}
	if after := treeOf(t, repo); after != before {
		t.Errorf("the repository was changed:\n%s\nbefore:\n%s", after, before)
	}
}

// treeOf lists the files of a folder with their sizes and times, those of .git too.
func treeOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			b.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
