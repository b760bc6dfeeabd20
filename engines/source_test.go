package engines

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestSourcesHoldWhatDecidesGames: every file that workers and tuners are compiled from, on
// any system, is hashed, with what is embedded in it; tests and pages are not.
func TestSourcesHoldWhatDecidesGames(t *testing.T) {
	if testing.Short() {
		t.Skip("short: lists all packages for each system")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	names, err := sources(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	hashed := map[string]bool{}
	for _, name := range names {
		hashed[name] = true
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".md") {
			t.Errorf("%s is hashed", name)
		}
	}
	seen := map[string]bool{}
	for _, system := range []string{"linux/amd64", "linux/arm64", "windows/amd64", "darwin/arm64"} {
		for _, name := range compiled(t, root, system) {
			seen[name] = true
			if !hashed[name] {
				t.Errorf("%s: %s decides games and is not hashed", system, name)
			}
		}
	}
	for _, name := range []string{"engines/gobang/network_amd64.s", "engines/gobang/network.txt", "engines/games/games.go",
		"params/quadratic/products_amd64.s", "engines/external/protocol/host/host.c"} {
		if !seen[name] {
			t.Errorf("%s is not listed, so this test shows nothing", name)
		}
	}
}

// compiled lists the files of the module that workers and tuners are made of on a system.
func compiled(t *testing.T, root, system string) (names []string) {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-json=Standard,Module,Dir,GoFiles,SFiles,HFiles,CFiles,OtherFiles,EmbedFiles",
		"./engines/schedule/cluster", "./params/...")
	goos, goarch, _ := strings.Cut(system, "/")
	list.Dir, list.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Standard                                                bool
			Module                                                  struct{ Main bool }
			Dir                                                     string
			GoFiles, SFiles, HFiles, CFiles, OtherFiles, EmbedFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return names
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Standard || !p.Module.Main {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.SFiles, p.HFiles, p.CFiles, p.OtherFiles, p.EmbedFiles) {
			name, err := filepath.Rel(root, filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
}

// TestHashSourcesSeesEveryChange: a changed operand of assembly, another file or name gives
// another hash; a test and a page do not.
func TestHashSourcesSeesEveryChange(t *testing.T) {
	tree := fstest.MapFS{}
	for _, folder := range decisive {
		tree[folder+"/part.go"] = &fstest.MapFile{Data: []byte("package part\n")}
	}
	for _, name := range []string{"engines/gobang/network_amd64.s", "engines/gobang/network.txt", "params/quadratic/products_amd64.s"} {
		data, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		tree[name] = &fstest.MapFile{Data: data}
	}
	hash := func() string {
		t.Helper()
		h, err := HashSources(tree)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	before := hash()
	if again := hash(); again != before || len(before) != 64 {
		t.Errorf("%s, then %s", before, again)
	}
	changed := func(name, from, to string) {
		t.Helper()
		was := tree[name]
		text := strings.Replace(string(was.Data), from, to, 1)
		if text == string(was.Data) {
			t.Fatalf("%s has no %q", name, from)
		}
		tree[name] = &fstest.MapFile{Data: []byte(text)}
		if hash() == before {
			t.Errorf("%s: %q in place of %q changes nothing", name, to, from)
		}
		tree[name] = was
	}
	changed("engines/gobang/network_amd64.s", "X0", "X1")
	changed("params/quadratic/products_amd64.s", "X0", "X1")
	changed("engines/gobang/network.txt", "1", "2")
	changed("reports/text/part.go", "part\n", "part \n")
	for name, decides := range map[string]bool{
		"engines/new/game.go": true, "engines/new/game_arm64.s": true, "engines/new/presets.toml": true,
		"engines/new/game_test.go": false, "engines/new/testdata/game.go": false, "engines/new/README.md": false, "engines/.game.go.swp": false, "cmd/tune/main.go": false,
	} {
		tree[name] = &fstest.MapFile{Data: []byte("text")}
		if got := hash() != before; got != decides {
			t.Errorf("%s changes the hash: %v", name, got)
		}
		delete(tree, name)
	}
	if _, err := HashSources(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder without source: %v", err)
	}
}

// TestIdentityPrefersRecordedSource: a program is what its build has recorded of the source,
// with its modules and tags. If that does not settle what was compiled, it stands for itself.
func TestIdentityPrefersRecordedSource(t *testing.T) {
	build := func(change ...func(*debug.BuildInfo)) *debug.BuildInfo {
		b := &debug.BuildInfo{Deps: []*debug.Module{{Path: "example.org/dep", Version: "v1.0.0", Sum: "h1:dep"}}}
		for _, f := range change {
			f(b)
		}
		return b
	}
	set := func(key, value string) func(*debug.BuildInfo) {
		return func(b *debug.BuildInfo) { b.Settings = append(b.Settings, debug.BuildSetting{Key: key, Value: value}) }
	}
	fetched := func(b *debug.BuildInfo) { b.Main = debug.Module{Path: "m", Version: "v0.4.0", Sum: "h1:main"} }
	newer := func(b *debug.BuildInfo) { b.Deps[0].Version, b.Deps[0].Sum = "v1.1.0", "h1:newer" }
	local := func(b *debug.BuildInfo) { b.Deps[0].Replace = &debug.Module{Path: "../dep"} }
	tpm := func(b *debug.BuildInfo) {
		b.Deps = append(b.Deps, &debug.Module{Path: ofOneSystem[0], Version: "v0.9.0", Sum: "h1:tpm"})
	}
	clean, dirty, one := set("vcs.modified", "false"), set("vcs.modified", "true"), set("vcs.revision", "1111")
	of := func(b *debug.BuildInfo, source, program string) Identity {
		return identify(b, source, func() string { return program })
	}
	files, module, revision, program := of(build(), "f", "p"), of(build(fetched), "", "p"), of(build(one, clean), "", "p"), of(build(), "", "p")
	for _, c := range []struct {
		name      string
		got, want Identity
	}{
		{"files by another build", of(build(one, dirty, set("-trimpath", "true")), "f", "q"), files},
		{"files of a module", of(build(fetched), "f", "q"), files},
		{"a module by another build", of(build(fetched), "", "q"), module},
		{"a revision by another build", of(build(one, clean), "", "q"), revision},
		{"a module of one system", of(build(tpm), "f", "p"), files},
		{"the same program", of(build(), "", "p"), program},
		{"a changed checkout", of(build(one, dirty), "", "p"), program},
		{"an unstamped program", of(build(one), "", "p"), program},
	} {
		if c.got != c.want || len(c.got.Source) != 32 || len(c.got.Short()) != 8 {
			t.Errorf("%s: %+v, want %+v", c.name, c.got, c.want)
		}
	}
	all := []Identity{files, module, revision, program, of(build(), "g", "p"), of(build(), "", "q"), of(build(set("vcs.revision", "2222"), clean), "", "p"),
		of(build(newer), "f", "p"), of(build(set("-tags", "purego")), "f", "p"), of(build(local), "f", "p"), of(build(local), "f", "q"), of(nil, "", "p")}
	identities, shorts := map[Identity]bool{}, map[string]bool{}
	for _, i := range all {
		identities[i], shorts[i.Short()] = true, true
	}
	if len(identities) != len(all) || len(shorts) != len(all) {
		t.Errorf("%d different programs have %d identities and %d short ones", len(all), len(identities), len(shorts))
	}
	tune := of(build(func(b *debug.BuildInfo) { b.Path = "m/cmd/tune" }), "", "t")
	if tune.Program != "m/cmd/tune t" || tune.Source != program.Source || files.Program+module.Program+revision.Program != "" {
		t.Errorf("programs %q of %+v", tune.Program, all)
	}
	if i := ProgramIdentity(); len(i.Source) != 32 || i != ProgramIdentity() {
		t.Errorf("%+v", i)
	}
}

// TestModulesOfOneSystem: programs for all systems hash the same modules.
func TestModulesOfOneSystem(t *testing.T) {
	if testing.Short() {
		t.Skip("short: lists all packages for each system")
	}
	modules := func(system string) []string {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "../cmd/selfplay", "../cmd/tune")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOARCH=amd64", "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		names := strings.Fields(string(out))
		slices.Sort(names)
		return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return slices.Contains(ofOneSystem, name) })
	}
	want := modules("linux")
	for _, system := range []string{"windows", "darwin", "freebsd"} {
		if got := modules(system); !slices.Equal(got, want) {
			t.Errorf("%s: %q; Linux %q", system, got, want)
		}
	}
}

// TestFileIDIsTheBuildID: a program is told from others by the build ID that the go command gave it.
func TestFileIDIsTheBuildID(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "buildid", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fileID(), strings.TrimSpace(string(out)); got != want || len(got) < 60 {
		t.Errorf("%q, want %q", got, want)
	}
}
