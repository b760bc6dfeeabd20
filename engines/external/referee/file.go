package referee

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/params"
	"selfplaylab/params/tomlx"
)

// file is the layout of a game's file.
type file struct {
	Name    string              `toml:"name"`
	Title   string              `toml:"title"`
	Doc     string              `toml:"doc"`
	Cmd     string              `toml:"cmd"`
	Args    []string            `toml:"args"`
	Env     map[string]string   `toml:"env"`
	Rules   map[string][]string `toml:"rules"` // values of each rule, the default first
	Sides   []string            `toml:"sides"`
	Letters string              `toml:"letters"`
	Timeout string              `toml:"timeout"`
	Limits  string              `toml:"limits"`
	Opening *int                `toml:"opening_plies"`
	Plies   int                 `toml:"max_plies"`
	Version int                 `toml:"version"`

	source string // the source in the form that Open reads again
	dir    string // working directory of the program
	base   string // folder of the files of its arguments
}

// Defaults of a game's file.
const (
	defaultTimeout = 10 * time.Second
	defaultOpening = 2
	defaultPlies   = 1000 // a longer game is a draw
)

// IsSource reports whether a text names a referee, by
// a file or a command, and not a game of this program.
func IsSource(text string) bool {
	return strings.ContainsAny(text, `/\ `) || strings.HasSuffix(text, ".toml")
}

// Label returns a short name for the source of a game in lists.
func Label(source string) string {
	if !IsSource(source) {
		return source
	}
	return nameOf(source)
}

// nameOf returns a name for a game: that of its file, or of the first file
// among its command's arguments, because other files may follow the script.
func nameOf(source string) string {
	words := strings.Fields(source)
	if strings.HasSuffix(source, ".toml") || len(words) == 0 {
		words = []string{source}
	}
	name := words[len(words)-1]
	if i := slices.IndexFunc(words[1:], filepath.IsAbs); i >= 0 {
		name = words[1+i]
	} else if filepath.IsAbs(words[0]) {
		name = words[0]
	}
	base := filepath.Base(name)
	return strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base)))
}

// read reads FILE.toml, or returns the file of a command.
func read(text string) (*file, error) {
	f := &file{}
	if strings.HasSuffix(text, ".toml") {
		data, err := os.ReadFile(text)
		if err != nil {
			return nil, fmt.Errorf("game file: %w", err)
		}
		if err := tomlx.Decode(text, data, f, params.Suggest); err != nil {
			return nil, err
		}
		if f.source, err = filepath.Abs(text); err != nil {
			return nil, fmt.Errorf("game file %s: %w", text, err)
		}
		f.dir = filepath.Dir(f.source)
		f.base = f.dir
	} else if words, err := process.SplitWords(text); err != nil {
		return nil, fmt.Errorf("game %s: %w", text, err)
	} else if err := f.command(words); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return f, nil
}

// command reads a command.
// Files among its words become absolute, so that the
// command can be recorded and started from elsewhere.
func (f *file) command(words []string) error {
	for i, word := range words {
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() && (i > 0 || strings.ContainsAny(word, `/\`)) {
			if words[i], err = filepath.Abs(word); err != nil {
				return fmt.Errorf("game %s: %w", word, err)
			}
		}
		if strings.ContainsAny(words[i], " \t\"'") {
			return fmt.Errorf("%q has blanks or quotes: write the command into a file, cmd = ... and args = [...], and give --game FILE.toml", words[i])
		}
	}
	f.source = strings.Join(words, " ")
	f.Cmd = words[0]
	f.Args = words[1:]
	return nil
}

// goodName and goodRule are the forms of names, and of rules and their values.
var (
	goodName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)
	goodRule = regexp.MustCompile(`^[A-Za-z0-9_.:-]+$`)
)

// check fills in defaults and returns an error for the first wrong key.
func (f *file) check() error {
	f.Name = cmp.Or(f.Name, nameOf(f.source))
	f.Title = cmp.Or(f.Title, f.Name)
	f.Letters = cmp.Or(f.Letters, "XO")
	f.Plies = cmp.Or(f.Plies, defaultPlies)
	f.Timeout = cmp.Or(f.Timeout, defaultTimeout.String())
	if f.Sides == nil {
		f.Sides = []string{"First", "Second"}
	}
	if f.Opening == nil {
		f.Opening = new(defaultOpening)
	}
	switch {
	case !goodName.MatchString(f.Name):
		return fmt.Errorf("name %q: want lower-case letters, digits, _ and -, such as othello", f.Name)
	case f.Cmd == "":
		return fmt.Errorf(`no cmd; add the program, such as cmd = "python3" and args = ["othello.py"]`)
	case len(f.Sides) != 2 || f.Sides[0] == f.Sides[1]:
		return fmt.Errorf(`sides: want two names, such as sides = ["Black", "White"]`)
	case len(f.Letters) != 2 || f.Letters[0] == f.Letters[1]:
		return fmt.Errorf(`letters %q: want two different ASCII characters, such as "XO"`, f.Letters)
	case f.Plies < 0 || *f.Opening < 0 || f.Version < 0:
		return fmt.Errorf("max_plies, opening_plies and version: want numbers that are not negative")
	}
	for name, values := range f.Rules {
		if !goodRule.MatchString(name) || len(values) == 0 || slices.ContainsFunc(values,
			func(v string) bool { return !goodRule.MatchString(v) }) {
			return fmt.Errorf(`rules: %s = %q: want its values, the default first, such as size = ["8", "6"]`, name, values)
		}
	}
	if f.Version == 0 {
		return f.hash()
	}
	return nil
}

// hash sets the version from the program's files, because another program may have other rules.
func (f *file) hash() error {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q %d", f.Cmd, f.Args, f.environment(), f.Plies)
	for _, word := range append([]string{f.path()}, f.Args...) {
		if word != f.path() && !filepath.IsAbs(word) {
			word = filepath.Join(f.base, word)
		}
		if data, err := os.ReadFile(word); err == nil {
			fmt.Fprintf(sum, "%d:%s", len(data), data)
		}
	}
	f.Version = int(binary.BigEndian.Uint32(sum.Sum(nil)) >> 1)
	return nil
}

// path returns the program's path: in the file's folder, else in PATH.
func (f *file) path() string {
	local := filepath.Join(f.base, f.Cmd)
	if _, err := os.Stat(local); f.base != "" && !filepath.IsAbs(f.Cmd) && err == nil {
		return local
	}
	return f.Cmd
}

// environment returns NAME=VALUE in order of name.
func (f *file) environment() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(f.Env)) {
		list = append(list, name+"="+f.Env[name])
	}
	return list
}

// program returns the command to start.
func (f *file) program() (process.Command, error) {
	path, err := process.LookPath(f.path())
	if err != nil {
		return process.Command{}, fmt.Errorf("program %s: %w; correct the command of the game", f.Cmd, err)
	}
	return process.Command{Name: f.Name, Path: path, Args: f.Args, Dir: f.dir, Env: f.environment()}, nil
}

// options returns the rules that a user can choose.
func (f *file) options() (list []engines.Option) {
	for _, name := range slices.Sorted(maps.Keys(f.Rules)) {
		values := f.Rules[name]
		list = append(list, engines.Option{Name: name, Doc: "a rule of the referee", Default: values[0], Values: values})
	}
	return list
}
