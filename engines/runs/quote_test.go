package runs

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestQuotedWordsReachShell expects a shell to read every quoted word back unchanged, and plain
// words to stay plain.
func TestQuotedWordsReachShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell to ask")
	}
	words := []string{"", "a b", "it's", "''", `"$HOME"`, "`id`", "a\nb", "~", "#x", "*", "步步为营", "-x", "a=b", `back\slash`, "!x", "[a]", "{a,b}", "a;b", "&", "tail'"}
	rapid.Check(t, func(r *rapid.T) {
		more := rapid.SliceOfN(rapid.StringMatching(`[ -~\n]{0,12}`), 0, 20).Draw(r, "words")
		all := append(slices.Clone(words), more...)
		script := "printf '%s\\0'"
		for _, w := range all {
			script += " " + QuotePOSIX(w)
		}
		out, err := exec.Command(sh, "-c", script).Output()
		if err != nil {
			r.Fatal(err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, all) {
			r.Fatalf("the shell takes back %q, want %q", got, all)
		}
	})
	for _, w := range []string{"tune", "--set", "a_E=22", "runs/2026-quoridor", "variant=seed,x=1", "1e-3", "50%"} {
		if QuotePOSIX(w) != w {
			t.Errorf("%s is quoted: %s", w, QuotePOSIX(w))
		}
	}
}

// TestQuoteOnWindows expects double quotes, which both shells of Windows know, around paths only
// where necessary.
func TestQuoteOnWindows(t *testing.T) {
	for word, want := range map[string]string{
		`C:\a\b-1.toml`: `C:\a\b-1.toml`, `C:\my runs\`: `"C:\my runs\\"`, "final,a_E=20": `"final,a_E=20"`, "it's": `"it's"`,
		`"x"`: `"\"x\""`, "": `""`, "步": `"步"`,
	} {
		if got := quoteWindows(word); got != want {
			t.Errorf("%s becomes %s; want %s", word, got, want)
		}
	}
}

func TestThisBuildHasRevision(t *testing.T) {
	b := ThisBuild()
	if b.Program != "selfplaylab "+Version || !strings.HasPrefix(b.Go, "go1.") || !strings.Contains(b.CPU, "/") || b.Revision == "" {
		t.Errorf("%+v", b)
	}
}
