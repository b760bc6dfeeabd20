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

// Identity says what a program was built from, whatever the folder, the system and the
// machine. Programs with equal identities, Go releases and processors play alike.
type Identity struct {
	// Source is 32 hexadecimal digits. It covers the modules, the build tags and the first of
	// these that the build has recorded: the hash of the files that decide games, the
	// checksum of the module that go install fetched, or the revision of an unchanged
	// checkout.
	Source string `json:"source"`
	// Program is "" if one of these is recorded. Else the program stands for itself: it is
	// the path of the main package and, after a space, what identifies the program's file.
	Program string `json:"program"`
}

// Short returns 8 hexadecimal digits, for people.
func (i Identity) Short() string {
	if i.Program == "" {
		return i.Source[:8]
	}
	sum := sha256.Sum256([]byte(i.Source + i.Program))
	return hex.EncodeToString(sum[:4])
}

// ProgramIdentity is the identity of this program.
var ProgramIdentity = sync.OnceValue(func() Identity {
	info, _ := debug.ReadBuildInfo()
	return identify(info, source, fileID)
})

// identify is ProgramIdentity of a program with a build info, nil for none, and a source.
func identify(info *debug.BuildInfo, source string, fileID func() string) (i Identity) {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	base := recorded(info, source)
	sum := sha256.New()
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
	fmt.Fprintln(sum, base)
	if i.Source = hex.EncodeToString(sum.Sum(nil)[:16]); base == "" {
		i.Program = strings.TrimSuffix(info.Path, ".test") + " " + fileID()
	}
	return i
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

// fileID identifies this program's file: by its build ID, which stands at its beginning,
// else by the hash of the file. A file that cannot be read equals no other.
func fileID() string {
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
