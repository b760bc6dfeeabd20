package runs

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"selfplaylab/engines"
)

// Version of the toolkit, as in CHANGELOG.md.
const Version = "0.4.0"

// Build identifies this program.
type Build struct {
	// Revision is the revision of the source, or the version of a module that go install fetched;
	// "unknown" without either. If it does not determine the compiled source, the beginning of
	// engines.ProgramIdentity follows.
	Revision string
	Program  string // name and version
	Go       string // the Go release
	CPU      string // operating system and architecture
	// Processor is the architecture with its level, such as amd64/v1.
	Processor string
}

// ThisBuild reads the build from the binary or, without a stamp, as of go run, from the checkout of
// its source. It runs no other program and does not depend on the working directory.
func ThisBuild() Build {
	b := Build{Program: "selfplaylab " + Version, Go: runtime.Version(), CPU: runtime.GOOS + "/" + runtime.GOARCH,
		Processor: runtime.GOARCH}
	revision, modified := "", ""
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "GO" + strings.ToUpper(runtime.GOARCH):
			b.Processor += "/" + s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = "+changes"
			}
		}
	}
	if revision == "" && info.Main.Sum != "" {
		revision = info.Main.Version
	}
	if revision == "" {
		if revision = checkedOut(); revision != "" {
			modified = "+unstamped" // files may have been changed since
		}
	}
	b.Revision = revision
	if modified != "" || revision == "" {
		b.Revision = cmp.Or(revision, "unknown") + modified + "-" + engines.ProgramIdentity().Short()
	}
	return b
}

// checkedOut returns the revision of the checkout that this file was compiled in; "" for none.
func checkedOut() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	return headOf(filepath.Join(filepath.Dir(file), "..", ".."))
}

// headOf returns the revision of a checkout or of a worktree, whose .git is a file with the place
// of its HEAD; "" for none.
func headOf(root string) string {
	git := filepath.Join(root, ".git")
	if folder, ok := strings.CutPrefix(line(git), "gitdir: "); ok {
		git = under(root, folder)
	}
	text := line(filepath.Join(git, "HEAD"))
	if branch, ok := strings.CutPrefix(text, "ref: "); ok {
		common := git
		if folder := line(filepath.Join(git, "commondir")); folder != "" {
			common = under(git, folder)
		}
		if text = line(filepath.Join(common, filepath.FromSlash(branch))); text == "" {
			packed, _ := os.ReadFile(filepath.Join(common, "packed-refs")) // without one there is no revision
			for l := range strings.Lines(string(packed)) {
				if revision, ok := strings.CutSuffix(strings.TrimSpace(l), " "+branch); ok {
					text = revision
				}
			}
		}
	}
	if len(text) != 40 || strings.Trim(text, "0123456789abcdef") != "" {
		return ""
	}
	return text
}

// line returns the text of a file of one line; "" if it cannot be read.
func line(name string) string {
	b, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// under returns a path as seen from a folder.
func under(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// Machine describes this machine, for results that depend on it.
func Machine() string {
	name := cmp.Or(strings.Join(strings.Fields(cpuid.CPU.BrandName), " "), "unnamed processor")
	return fmt.Sprintf("%s/%s, %d of %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), name)
}
