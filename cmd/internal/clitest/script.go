package clitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/rogpeppe/go-internal/testscript"

	"selfplaylab/datasets"
	"selfplaylab/datasets/datasetstest"
	"selfplaylab/engines/testmode"
)

// Scripts runs testdata/script/*.txtar, and LongScripts testdata/script/long/*.txtar,
// further variants, in the long form. Beyond testscript's own
// commands they have
//
//	exits CODE PROGRAM ARGS...  run a program that must end with this exit code
//	jsonkeys FILE KEY...        FILE is one JSON object with these keys, in order
//	samerun DIR DIR...          runs with the same rows and tuned parameters
//	sametree DIR DIR            folders that differ in nothing but Kept
//	copytree DIR NEW            copy a folder
//	halve FILE                  cut a file in the middle
//	replace FILE OLD NEW        exchange a text that FILE holds once
//	forge DIR NEW KEY=VALUE...  a run as DIR, asked something else in [spec]; see Forge
//
// and the condition [race], for scripts of many games and plots.
func Scripts(t *testing.T) { scripts(t, filepath.Join("testdata", "script")) }

// LongScripts is a test that calls testmode.SkipUnlessLong; see Scripts.
func LongScripts(t *testing.T) { scripts(t, filepath.Join("testdata", "script", "long")) }

func scripts(t *testing.T, dir string) {
	if !testing.Short() { // short tests start no Python
		testmode.DirectPython()
	}
	testscript.RunT(brief{t}, testscript.Params{
		Dir: dir, RequireExplicitExec: true, RequireUniqueNames: true, UpdateScripts: testmode.Update(),
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return race, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"jsonkeys": checked(1, 99, jsonKeys),
			"samerun":  checked(2, 9, sameRun),
			"sametree": checked(2, 2, func(ts *testscript.TestScript, args []string) error {
				return Same(ts.MkAbs(args[0]), ts.MkAbs(args[1]), Kept)
			}),
			"copytree": checked(2, 2, func(ts *testscript.TestScript, args []string) error {
				return os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0])))
			}),
			"halve":   checked(1, 1, func(ts *testscript.TestScript, args []string) error { return halve(ts.MkAbs(args[0])) }),
			"replace": checked(3, 3, replace),
			"forge":   checked(3, 9, forge),
		},
	})
}

// brief is a test of scripts whose log leaves out the middle of long outputs.
type brief struct{ *testing.T }

// Run implements testscript.T.
func (b brief) Run(name string, f func(testscript.T)) {
	b.T.Run(name, func(t *testing.T) { f(brief{t}) })
}

// Verbose implements testscript.T.
func (b brief) Verbose() bool { return testing.Verbose() }

// Log implements testscript.T.
func (b brief) Log(args ...any) { b.T.Log(shorten(fmt.Sprint(args...))) }

// maxShown is the number of lines that shorten keeps at each end of an output.
const maxShown = 20

// shorten replaces the middle of each output in a script's log by the number of its lines. Lines
// of the script, which begin with ">", "#" or "[", and of failures separate outputs.
func shorten(log string) string {
	var list, output []string
	flush := func() {
		if left := len(output) - 2*maxShown; left > 1 {
			output = slices.Concat(output[:maxShown], []string{fmt.Sprintf("... %d more lines ...", left)}, output[len(output)-maxShown:])
		}
		list, output = append(list, output...), nil
	}
	for line := range strings.SplitSeq(log, "\n") {
		if strings.HasPrefix(line, ">") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "[") || strings.HasPrefix(line, "FAIL:") {
			flush()
			list = append(list, line)
		} else {
			output = append(output, line)
		}
	}
	flush()
	return strings.Join(list, "\n")
}

// checked makes a script command of a function that may not be negated.
func checked(least, most int, f func(*testscript.TestScript, []string) error) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < least || len(args) > most {
			ts.Fatalf("wrong use of a script command: see clitest.Scripts")
		}
		ts.Check(f(ts, args))
	}
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err, got := ts.Exec(args[1], args[2:]...), 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func jsonKeys(ts *testscript.TestScript, args []string) error {
	keys, err := objectKeys([]byte(ts.ReadFile(args[0])))
	if err == nil && !slices.Equal(keys, args[1:]) {
		err = fmt.Errorf("keys are %q, want %q", keys, args[1:])
	}
	return err
}

// objectKeys returns the keys of the one JSON object that data is, in order.
func objectKeys(data []byte) ([]string, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("not a JSON object: starts with %v (%v)", t, err)
	}
	var keys []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		keys = append(keys, key.(string))
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if t, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("after the JSON object: %v (%v)", t, err)
	}
	return keys, nil
}

func sameRun(ts *testscript.TestScript, dirs []string) error {
	for _, dir := range dirs[1:] {
		if err := Same(ts.MkAbs(dirs[0]), ts.MkAbs(dir), Repeatable); err != nil {
			return err
		}
	}
	return nil
}

func halve(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()/2)
}

func replace(ts *testscript.TestScript, args []string) error {
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		return fmt.Errorf("%s holds %q %d times, not once", args[0], args[1], n)
	}
	return os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o666)
}

// forge makes a run as another, by changes to [spec] or seed: settings.iters=5,
// with the value as TOML writes it, or settings.iters:itres for another name of the
// key.
func forge(ts *testscript.TestScript, args []string) error {
	return datasetstest.Forge(ts.MkAbs(args[0]), ts.MkAbs(args[1]), func(m *datasets.Meta, spec map[string]any) {
		for _, change := range args[2:] {
			ts.Check(forgeOne(m, spec, change))
		}
	})
}

func forgeOne(m *datasets.Meta, spec map[string]any, change string) error {
	if path, name, ok := strings.Cut(change, ":"); ok {
		datasetstest.Rename(spec, name, strings.Split(path, ".")...)
		return nil
	}
	path, text, _ := strings.Cut(change, "=")
	var doc struct{ Value any }
	if err := toml.Unmarshal([]byte("Value = "+text), &doc); err != nil {
		return fmt.Errorf("forge %s: %w", change, err)
	}
	if seed, ok := doc.Value.(int64); ok && path == "seed" {
		m.Seed = uint64(seed)
		return nil
	}
	datasetstest.Set(spec, doc.Value, strings.Split(path, ".")...)
	return nil
}
