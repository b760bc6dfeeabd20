package engines

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// source is the hash of the files that decide games, as HashSources returns it. The build
// sets it (-ldflags "-X selfplaylab/engines.source=..."); "" if it does not.
var source string

// decisive are the folders of all files that decide games: rules, searches, players and
// tuners, and what they are made of.
var decisive = []string{"datasets", "engines", "params", "reports/board", "reports/text"}

// ofOneSystem are modules that programs for some systems alone contain: of the command line
// and of encryption. They decide no game.
var ofOneSystem = []string{"github.com/google/go-tpm", "github.com/inconshreveable/mousetrap"}

// SourceIdentity returns 32 hexadecimal digits. Programs with equal identities, Go releases
// and processors play alike. The identity depends on the program alone: not on the folder,
// the system or the machine. It covers the modules and build tags, and the first of these
// that the build has recorded: the hash of the files that decide games, the checksum of the
// module that go install fetched, or the revision of an unchanged checkout. If none is
// recorded, the program stands for itself: another build is equal only if it is the same
// to the byte.
var SourceIdentity = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return identity(info, source, programID)
})

// identity is SourceIdentity of a program with a build info, nil for none, and a source.
func identity(info *debug.BuildInfo, source string, program func() string) string {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	sum := sha256.New()
	base := recorded(info, source)
	for _, m := range info.Deps {
		if slices.Contains(ofOneSystem, m.Path) {
			continue
		}
		for m.Replace != nil {
			m = m.Replace
		}
		if m.Sum == "" { // a folder, whose content is recorded nowhere
			base = ""
		}
		fmt.Fprintln(sum, m.Path, m.Version, m.Sum)
	}
	if tags := setting(info, "-tags"); tags != "" {
		fmt.Fprintln(sum, "-tags", tags)
	}
	if base == "" {
		base = "program " + program()
	}
	fmt.Fprintln(sum, base)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// recorded is what the build has recorded of the source; "" if nothing.
func recorded(info *debug.BuildInfo, source string) string {
	switch revision := setting(info, "vcs.revision"); {
	case source != "":
		return "files " + source
	case info.Main.Sum != "":
		return "module " + info.Main.Sum
	case revision != "" && setting(info, "vcs.modified") == "false":
		return "revision " + revision
	}
	return ""
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// buildID is the go command's hash of all that a program was linked from, and of the result.
var buildID = regexp.MustCompile(`[\w-]{20}(?:/[\w-]{20}){3}`)

// programID identifies this program's file: by its build ID, which stands at its beginning,
// else by the hash of the file. A file that cannot be read equals no other.
func programID() string {
	f, err := os.Open("/proc/self/exe") // the program also if another has its name by now
	if err != nil {
		name, _ := os.Executable() // without a name it cannot be opened
		if f, err = os.Open(name); err != nil {
			return rand.Text()
		}
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if id := buildID.Find(head); id != nil {
		return string(id)
	}
	sum := sha256.New()
	_, _ = sum.Write(head) // a hash takes everything
	if _, more := io.Copy(sum, f); err != nil || more != nil {
		return rand.Text()
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// HashSources returns the hash of the files that decide games, assembly included, in the
// module's top folder.
func HashSources(root fs.FS) (string, error) {
	files, err := sources(root)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, name := range files {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n%s", name, len(data), data)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// sources lists the files that decide games, in order: all but tests and their data, pages
// and hidden files.
func sources(root fs.FS) (files []string, err error) {
	for _, folder := range decisive {
		err := fs.WalkDir(root, folder, func(name string, d fs.DirEntry, err error) error {
			switch base := path.Base(name); {
			case err != nil:
				return err
			case d.IsDir() && (base == "testdata" || base[0] == '.'):
				return fs.SkipDir
			case d.IsDir(), base[0] == '.', strings.HasSuffix(base, "_test.go"), path.Ext(base) == ".md":
				return nil
			}
			files = append(files, name)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
