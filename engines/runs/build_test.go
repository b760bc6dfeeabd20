package runs

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHeadOfAgreesWithGit expects git's revision of a checkout, of a worktree, and of either with
// packed references.
func TestHeadOfAgreesWithGit(t *testing.T) {
	root := t.TempDir()
	git := func(folder string, args ...string) string {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, args...)...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	main, tree := filepath.Join(root, "main"), filepath.Join(root, "tree")
	if headOf(main) != "" {
		t.Error("a folder that is not there has a revision")
	}
	git(root, "init", "-q", main)
	git(main, "commit", "-q", "--allow-empty", "-m", "one")
	git(main, "worktree", "add", "-q", "-b", "other", tree)
	git(tree, "commit", "-q", "--allow-empty", "-m", "two")
	check := func(when string) {
		t.Helper()
		for _, folder := range []string{main, tree} {
			if got, want := headOf(folder), git(folder, "rev-parse", "HEAD"); got != want {
				t.Errorf("%s, %s: %q, want %s", filepath.Base(folder), when, got, want)
			}
		}
	}
	check("loose")
	git(main, "pack-refs", "--all")
	check("packed")
	git(tree, "checkout", "-q", "--detach")
	check("detached")
}
