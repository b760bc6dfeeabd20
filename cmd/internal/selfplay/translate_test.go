package selfplay

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines/external"
)

// TestFastchess: a command line as people have it in their scripts.
func TestFastchess(t *testing.T) {
	got, err := translateFastchess(`./fastchess -engine cmd=./dev name=dev option.Hash=16 -engine cmd=./base name="base 1" option.Hash=16 "option.Move Overhead=10" nodes=500
		-each tc=40/1:00+0.5 timemargin=50 restart=on -rounds 1000 -games 2 -repeat -concurrency 8 -use-affinity -srand 7 -startup-ms 30000 -ucinewgame-ms 90000 -ping-ms 1000 -maxmoves 200 -variant fischerandom
		-openings file=UHO.epd format=epd order=random start=4711 plies=16 -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -resign movecount=3 score=600 twosided=true
		-draw movenumber=40 movecount=8 score=10 -pgnout file=out.pgn -ratinginterval 10 -output format=fastchess`)
	if err != nil {
		t.Fatal(err)
	}
	files, flags := plainNames(t, got), map[string]string{}
	for _, f := range got.Flags {
		flags[f[0]] = f[1]
	}
	want := map[string]string{
		"game": "chess", "a": "engine:dev.toml", "b": "engine:base-1.toml", "limits-a": "tc=40/1:00+0.5", "limits-b": "tc=40/1:00+0.5,nodes=500",
		"pairs": "1000", "workers": "8", "affinity": "true", "output": "fastchess", "record-moves": "time", "seed": "7", "max-plies": "400", "rules": "variant=chess960", "openings": "UHO.epd",
		"openings-order": "shuffle,repeat", "sprt": "elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized",
		"resign": "score=600,moves=3,both=yes", "draw": "score=10,moves=8,after=80",
	}
	if d := cmp.Diff(want, flags); d != "" {
		t.Errorf("flags (-want +got):\n%s", d)
	}
	for name, text := range files {
		e, err := external.Decode(name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		if !e.Restart || e.TimeMargin.String() != "50ms" || e.Startup.String() != "30s" || e.Ready.String() != "1m30s" || e.Protocol != "uci" {
			t.Errorf("%s: %+v", name, e)
		}
		if name == "base-1.toml" && (e.Name != "base 1" || len(e.Options) != 2 || e.Options[1].Name != "Move Overhead" || e.Options[1].Value != "10") {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, "-pgnout is left out: selfplay export") || !strings.Contains(notes, "--draw: ") ||
		!strings.Contains(notes, "--max-plies counts") {
		t.Errorf("notes:\n%s", notes)
	}
}

// plainNames takes the folder and the hash out of the names of engine files, also in the flags.
func plainNames(t *testing.T, f *fastchess) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name, text := range f.Files {
		m := regexp.MustCompile(`^runs.engines.(.*)-[0-9a-f]{8}\.toml$`).FindStringSubmatch(name)
		if m == nil {
			t.Fatalf("an engine file %s", name)
		}
		files[m[1]+".toml"] = text
		for i := range f.Flags {
			if f.Flags[i][1] == "engine:"+name {
				f.Flags[i][1] = "engine:" + m[1] + ".toml"
			}
		}
	}
	return files
}

// TestFastchessPlain: what is not said is as in fastchess, not as here.
func TestFastchessPlain(t *testing.T) {
	got, err := translateFastchess(`-engine cmd=bin/a args="-x 'y z'" depth=3 -engine cmd=b dir=/srv st=0.5`)
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]string{{"a", "engine:a.toml"}, {"b", "engine:b.toml"}, {"game", "chess"}, {"limits-a", "depth=3"}, {"limits-b", "time=0.5s"},
		{"opening-plies", "0"}, {"pairs", "2"}}
	files := plainNames(t, got)
	if cut, err := translateFastchess("-engine cmd=a depth=1 -engine cmd=b depth=1 -openings file=games.pgn format=pgn plies=16"); err != nil ||
		!slices.Contains(cut.Flags, [2]string{"opening-plies", "16"}) {
		t.Errorf("%+v, error %v; want 16 plies of each game", cut.Flags, err)
	}
	if d := cmp.Diff(want, got.Flags); d != "" {
		t.Errorf("flags (-want +got):\n%s", d)
	}
	for _, text := range []string{`cmd = "/srv/b"`, `dir = "/srv"`} {
		if !strings.Contains(files["b.toml"], text) {
			t.Errorf("no %s in:\n%s", text, files["b.toml"])
		}
	}
	if text := "args = [\"-x\", \"y z\"]\n" + `timemargin = "0ms"`; !strings.Contains(files["a.toml"], text) {
		t.Errorf("no %s in:\n%s", text, files["a.toml"])
	}
}

// TestCutechess: its SPRT counts in another Elo, and its rounds have one game if they are not
// told of more.
func TestCutechess(t *testing.T) {
	for words, pairs := range map[string]string{"": "1", "-rounds 1001 -repeat": "501", "-games 2 -rounds 500": "500", "-games 1000 -repeat": "500"} {
		got, err := translateFastchess("cutechess-cli -engine cmd=a -engine cmd=b -each depth=1 " + words)
		if err != nil || !slices.Contains(got.Flags, [2]string{"pairs", pairs}) {
			t.Errorf("%s: %+v, error %v; want %s pairs", words, got, err, pairs)
		}
	}
	got, err := translateFastchess("cutechess-cli -engine cmd=a -engine cmd=b -each depth=1 -wait 9 -debug -sprt elo0=0 elo1=5 -maxmoves 9 -draw score=1")
	if err != nil || !slices.Contains(got.Flags, [2]string{"sprt", "elo0=0,elo1=5,model=logistic"}) {
		t.Errorf("%+v, error %v; want an SPRT of logistic Elo", got, err)
	}
	if !slices.Contains(got.Flags, [2]string{"log-engines", "true"}) {
		t.Errorf("%+v; want the lines of all games for -debug", got.Flags)
	}
	if notes := strings.Join(got.Notes, "\n"); strings.Contains(notes, "fastchess") || !strings.Contains(notes, "--draw: cutechess counts") {
		t.Errorf("of another program, or none of draws:\n%s", notes)
	}
}

// TestFastchessCannot: everything without a counterpart is named at once.
func TestFastchessCannot(t *testing.T) {
	_, err := translateFastchess(`fastchess -engine cmd=a name=x -engine cmd=b name=x proto=cecp tc=8:x ponder=on -tb /syzygy -games 1 -noswap -variant atomic
		-openings file=b.pgn plies=8 start=3 -sprt model=bayesian -engine`)
	if err == nil {
		t.Fatal("it was translated")
	}
	for _, want := range []string{"-tb /syzygy", "-games 1", "-noswap", "-variant atomic", "-openings start=3", "model=bayesian", "3 times -engine"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not named in: %v", want, err)
		}
	}
	if _, err := translateFastchess("./c-gomoku-cli -each tc=1 -engine cmd=a -engine cmd=b"); err == nil || !strings.Contains(err.Error(), "c-gomoku-cli: want a command line of") {
		t.Errorf("another program's command line: %v", err)
	}
	_, err = translateFastchess(`-engine cmd=a name=x -engine cmd=b name=x proto=cecp ponder=on -each tc=8:x restart=true`)
	for _, want := range []string{`two engines named "x"`, "proto=cecp", `tc=8:x (limits`, "ponder=on", "restart=true"} {
		if err == nil || strings.Count(err.Error(), want) != 1 {
			t.Errorf("%q is not named once in: %v", want, err)
		}
	}
}

// TestFastchessRefused: a line whose flag is refused leaves no engine file behind, and limits
// that are none are named once.
func TestFastchessRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	const line = "fastchess -engine cmd=a name=x -engine cmd=b name=y -each tc=inf -rounds "
	_, _, err := selfplay(t, "match", "--from", line+"x")
	if err == nil || !strings.Contains(err.Error(), `--from: it stands for --pairs x: "x": want a whole number`) {
		t.Error(err)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	_, stderr, _ := selfplay(t, "match", "--from", line+`1 -openings "file=my book.epd"`)
	if want := " --openings 'my book.epd' "; !strings.Contains(stderr, want) {
		t.Errorf("no%sin:\n%s", want, stderr)
	}
	got, err := translateFastchess(line + "1")
	if err != nil || len(got.Notes) != 1 || !strings.HasPrefix(got.Notes[0], "no limit of a decision is given: ") {
		t.Errorf("%+v, %v", got, err)
	}
}
