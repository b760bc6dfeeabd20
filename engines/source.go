package engines

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"sync"

	"selfplaylab/params"
)

// sources hold all Go files that can decide a game, but for tests, whose names end in
// _test.go: the patterns are the names that do not.
//
//go:embed *[^t].go *[^s]t.go */*[^t].go */*[^s]t.go */*[^_]test.go */test.go */*.toml */*.txt external/*/*[^t].go external/*/*[^s]t.go external/*/*[^e]st.go
var sources embed.FS

// ofOneSystem are modules that programs for some systems alone contain: of the command line
// and of encryption. They decide no game.
var ofOneSystem = []string{"github.com/google/go-tpm", "github.com/inconshreveable/mousetrap"}

// SourceHash is a hash of all source that can decide a game, and of the modules it was
// compiled with: programs with equal hashes, Go releases and processors play alike. It
// does not depend on git, nor on where and for which system a program was compiled.
var SourceHash = sync.OnceValue(func() string {
	sum := sha256.New()
	for _, files := range []fs.FS{sources, params.Sources} {
		if err := hashInto(sum, files); err != nil {
			panic(err) // files in the program itself
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if slices.Contains(ofOneSystem, m.Path) {
				continue
			}
			for m.Replace != nil {
				m = m.Replace
			}
			fmt.Fprintln(sum, m.Path, m.Version, m.Sum)
		}
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				fmt.Fprintln(sum, s.Key, s.Value)
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
})

// hashInto adds files, with their names, to a hash.
func hashInto(sum interface{ Write([]byte) (int, error) }, files fs.FS) error {
	return fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(data), data)
		return err
	})
}
