package external

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/params/tomlx"
)

// Engine describes an external engine, as its engine file does. Open does not change it.
type Engine struct {
	protocol.EngineFile

	Cmd  string   // the program: an absolute path, or a name in PATH
	Args []string // its arguments
	Dir  string   // working directory, absolute; by default that of the engine file
	Env  []string // NAME=VALUE, added to this process's environment, in order of name

	Protocol string // a name of protocol.All

	Options []protocol.Setting // sent at the start, in order of name
	// Limits are the limits of a decision that sets none.
	Limits engines.Limits
	// TimeMargin is the time by which a decision may exceed its limit.
	TimeMargin time.Duration
	Startup    time.Duration // time to its greeting; 0 for the default
	Ready      time.Duration // time for options and new games; 0 for the default
	Writes     []string      // files of the program's own making, no part of its identity
	Install    string        // how people get the program
	Restart    bool          // a new process for every game
	Repeatable bool          // its file says that equal seeds give equal games
}

// fileTOML is the layout of an engine file.
type fileTOML struct {
	Name       string            `toml:"name"`
	Cmd        string            `toml:"cmd"`
	Args       []string          `toml:"args"`
	Dir        string            `toml:"dir"`
	Env        map[string]string `toml:"env"`
	Protocol   string            `toml:"protocol"`
	Dialect    string            `toml:"dialect"`
	Games      []string          `toml:"games"`
	Options    map[string]any    `toml:"options"`
	Limits     string            `toml:"limits"`
	TimeMargin string            `toml:"timemargin"`
	Startup    string            `toml:"startup"`
	Ready      string            `toml:"ready"`
	Writes     []string          `toml:"writes"`
	Install    string            `toml:"install"`
	Restart    bool              `toml:"restart"`
	Repeatable bool              `toml:"repeatable"`
	Memory     int64             `toml:"memory"`
	Param      []formats.Table   `toml:"param"`
}

// ReadFile reads an engine file.
// Relative paths in it are relative to the file.
// Errors name file, line, key and a right value.
// The program need not exist; Open reports that.
func ReadFile(path string) (*Engine, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("engine file: %w", err)
	}
	return Decode(path, data)
}

// Decode reads the content of an engine file as ReadFile does. Errors name filename, and
// relative paths are relative to it.
func Decode(filename string, data []byte) (*Engine, error) {
	var doc fileTOML
	if err := tomlx.Decode(filename, data, &doc, params.Suggest); err != nil {
		return nil, err
	}
	r := fileReader{filename: filename, data: data, doc: &doc}
	return r.engine()
}

// fileReader converts an engine file to an Engine.
type fileReader struct {
	filename string
	data     []byte
	doc      *fileTOML
}

// at returns err with file and line of a key in a table; table "" is the top.
func (f *fileReader) at(table, key string, err error) error {
	lines := tomlx.KeyLines(f.data)[table]
	line := lines[key]
	if line == 0 && table != "" {
		line = lines[""]
	}
	if line == 0 {
		return fmt.Errorf("%s: %w", f.filename, err)
	}
	return fmt.Errorf("%s:%d: %w", f.filename, line, err)
}

// engine returns the whole file's Engine.
func (f *fileReader) engine() (*Engine, error) {
	d := f.doc
	e := &Engine{
		EngineFile: protocol.EngineFile{File: f.filename, Name: d.Name, Dialect: d.Dialect, Memory: d.Memory << 20},
		Args:       d.Args, Protocol: d.Protocol, Restart: d.Restart, Writes: d.Writes, Install: d.Install, Repeatable: d.Repeatable, TimeMargin: timeMargin,
	}
	if strings.ContainsFunc(e.Name, unicode.IsControl) {
		return nil, f.at("", "name", fmt.Errorf("name %q holds characters that cannot be shown", e.Name))
	}
	if e.Name == "" {
		e.Name = strings.TrimSuffix(filepath.Base(f.filename), filepath.Ext(f.filename))
	}
	for _, step := range []func(*Engine) error{f.program, f.protocol, f.games, f.options, f.limits, f.params} {
		if err := step(e); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// program reads command, arguments, folder and environment.
func (f *fileReader) program(e *Engine) error {
	base, err := filepath.Abs(filepath.Dir(f.filename))
	if err != nil {
		return fmt.Errorf("engine file %s: %w", f.filename, err)
	}
	e.Cmd, e.Dir = f.doc.Cmd, f.doc.Dir
	switch {
	case e.Cmd == "":
		return f.at("", "cmd", errors.New(`no cmd; add the program, such as cmd = "./engine"`))
	case strings.ContainsAny(e.Cmd, `/\`) && !filepath.IsAbs(e.Cmd):
		e.Cmd = filepath.Join(base, e.Cmd)
	case !filepath.IsAbs(e.Cmd):
		if local := filepath.Join(base, e.Cmd); isFile(local) {
			e.Cmd = local
		}
	}
	if !filepath.IsAbs(e.Dir) {
		e.Dir = filepath.Join(base, e.Dir)
	}
	for _, name := range slices.Sorted(maps.Keys(f.doc.Env)) {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(f.doc.Env[name], "\x00") {
			return f.at("env", name, fmt.Errorf("env %q: want a name without = and a value without zero bytes", name))
		}
		e.Env = append(e.Env, name+"="+f.doc.Env[name])
	}
	return nil
}

// isFile reports whether path is a regular file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// protocol reads protocol and dialect.
func (f *fileReader) protocol(e *Engine) error {
	p, err := protocol.Find(e.Protocol)
	if err != nil {
		return f.at("", "protocol", err)
	}
	if len(p.Dialects) == 0 && e.Dialect != "" {
		return f.at("", "dialect", fmt.Errorf("dialect %q: %s has none; leave the key out", e.Dialect, p.Name))
	}
	if e.Dialect != "" && !slices.Contains(p.Dialects, e.Dialect) {
		return f.at("", "dialect", fmt.Errorf("dialect %q of %s%s", e.Dialect, p.Name, params.Suggest(e.Dialect, p.Dialects)))
	}
	return nil
}

// games reads the games and their rules.
func (f *fileReader) games(e *Engine) error {
	p, err := protocol.Find(e.Protocol)
	if err != nil {
		return err
	}
	list := f.doc.Games
	if len(list) == 0 && len(p.Games) == 1 {
		list = p.Games
	}
	if len(list) == 0 {
		return f.at("", "games", fmt.Errorf("no games; add what it plays, such as games = [%q]", slices.Concat(p.Games, []string{"quoridor"})[0]))
	}
	for _, text := range list {
		game, rules, _ := strings.Cut(text, ":")
		if !p.Carries(game) {
			return f.at("", "games", fmt.Errorf("games: %s does not carry %q%s", p.Name, game, params.Suggest(game, p.Games)))
		}
		if _, err := engines.ParseRules(rules); err != nil {
			return f.at("", "games", fmt.Errorf("games: %s: %w", game, err))
		}
		if slices.ContainsFunc(e.Games, func(g protocol.Played) bool { return g == protocol.Played{Game: game, Rules: rules} }) {
			return f.at("", "games", fmt.Errorf("games: %q is listed twice", text))
		}
		e.Games = append(e.Games, protocol.Played{Game: game, Rules: rules})
	}
	return nil
}

// options reads the options.
func (f *fileReader) options(e *Engine) error {
	for _, name := range slices.Sorted(maps.Keys(f.doc.Options)) {
		value, err := optionText(f.doc.Options[name])
		if err == nil && (name == "" || strings.ContainsAny(name+value, "\r\n\x00")) {
			err = errors.New("name and value must each stand on one line")
		}
		if err != nil {
			return f.at("options", name, fmt.Errorf("option %q: %w", name, err))
		}
		e.Options = append(e.Options, protocol.Setting{Name: name, Value: value})
	}
	return nil
}

// optionText returns a TOML value in the form of protocols.
func optionText(raw any) (string, error) {
	switch x := raw.(type) {
	case string:
		return x, nil
	case bool:
		return strconv.FormatBool(x), nil
	case int64:
		return strconv.FormatInt(x, 10), nil
	case float64:
		return params.FormatValue(x), nil
	}
	return "", errors.New("want a text, a number or true or false")
}

// limits reads limits, times and the bound of memory.
func (f *fileReader) limits(e *Engine) (err error) {
	if e.Limits, err = engines.ParseLimits(f.doc.Limits); err != nil {
		return f.at("", "limits", err)
	}
	if !e.Limits.Clock.IsZero() {
		return f.at("", "limits", fmt.Errorf("limits %q: a game clock is set for the match, not in an engine file; give limits of a decision",
			f.doc.Limits))
	}
	for _, t := range []struct {
		key, text, example string
		to                 *time.Duration
		least              time.Duration
	}{
		{"timemargin", f.doc.TimeMargin, `"50ms" or "0s"`, &e.TimeMargin, 0},
		{"startup", f.doc.Startup, `"30s"`, &e.Startup, 1},
		{"ready", f.doc.Ready, `"2m"`, &e.Ready, 1},
	} {
		if t.text == "" {
			continue
		}
		if *t.to, err = time.ParseDuration(t.text); err != nil || *t.to < t.least {
			return f.at("", t.key, fmt.Errorf("%s %q: want a duration such as %s", t.key, t.text, t.example))
		}
	}
	if f.doc.Memory < 0 || f.doc.Memory > math.MaxInt64>>20 {
		return f.at("", "memory", fmt.Errorf("memory %d: want MiB, or 0 for no bound", f.doc.Memory))
	}
	return nil
}

// params reads the parameters.
func (f *fileReader) params(e *Engine) error {
	for i, t := range f.doc.Param {
		p, err := t.Param()
		if err == nil && e.Params.Index(p.Name) >= 0 {
			err = fmt.Errorf("param %q stands twice; keep one", p.Name)
		}
		if err == nil {
			err = e.notOption(p)
		}
		if err != nil {
			return f.at(fmt.Sprintf("param#%d", i+1), "name", err)
		}
		e.Params = append(e.Params, p)
	}
	if i, err := formats.SoundRatios(e.Params); err != nil {
		return f.at(fmt.Sprintf("param#%d", i+1), "ratio", err)
	}
	return nil
}

// notOption returns an error if a parameter is also among the options.
func (e *Engine) notOption(p params.Param) error {
	if slices.ContainsFunc(e.Options, func(s protocol.Setting) bool { return strings.EqualFold(s.Name, p.Name) }) {
		return fmt.Errorf("param %q is an option too; give its value as default and take it out of options", p.Name)
	}
	return nil
}

// SetParams replaces the parameters of the file. It returns an error if one of them is also
// an option of the file.
func (e *Engine) SetParams(s params.Space) error {
	for _, p := range s {
		if err := e.notOption(p); err != nil {
			return fmt.Errorf("%s: %w", e.File, err)
		}
	}
	e.Params = s
	return nil
}

// Program returns the path of the program's file.
func (e *Engine) Program() (string, error) {
	path, err := process.LookPath(e.Cmd)
	switch {
	case err == nil:
		return path, nil
	case e.Install != "":
		err = fmt.Errorf("%w; to install it: %s", err, e.Install)
	}
	return "", fmt.Errorf("engine %s: program %s: %w; check cmd in %s", e.Name, e.Cmd, err, e.File)
}
