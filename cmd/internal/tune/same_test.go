package tune

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/testmode"
)

// asked are small runs of every method.
var asked = map[string]string{
	"quad":     "--games 400 --screen-pairs 2 --verify-min 32 --verify-pairs 64 --rate-pairs 1",
	"margin":   "--target margin --params a_E,b_gain --games 200 --screen-pairs 0 --verify-pairs 16 --rate-pairs 1",
	"beside":   "--target margin --full-margin 6 --method spsa --c-end 1 --iters 8 --pairs 4 --against strong:final --start bad --params a_E,b_gain --screen-pairs 0 --verify-pairs 16 --against-pairs 8 --rate-pairs 0",
	"spsa":     "--method spsa --params a_E,a_M,b_gain --iters 30 --pairs 4 --screen-pairs 2 --verify-min 32 --verify-pairs 64 --rate-pairs 1",
	"classic":  "--method spsa --iters 12 --pairs 2 --c-end 1 --start bad --params a_E,b_gain --rules variant=standard --verify-pairs 32 --opening-plies 0 --screen-pairs 0 --rate-pairs 1 --seed 18446744073709551615",
	"grid":     "--method grid --grid b_gain=20:60:10 --pairs 12 --verify-min 32 --verify-pairs 32 --rate-pairs 1",
	"names":    "--method grid --grid coin=random,h --grid rush_dist=2:5:1 --alpha 0.05 --pairs 40 --verify-pairs 16 --screen-pairs 1 --rate-pairs 1",
	"drop":     "--method grid --grid a_E=-20,0,22,30 --alpha 0.2 --pairs 60 --verify-pairs 0 --screen-pairs 0 --rate-pairs 0",
	"against":  "--params a_E,b_gain --iters 6 --pairs 4 --against strong:final@time=30s --start bad@time=20s --screen-pairs 1 --verify-sprt elo0=0,elo1=20 --verify-pairs 200 --against-pairs 60 --rate-pairs 2 --max-plies 200",
	"seeds":    "--seeds 2 --games 400 --params a_E,b_gain --start bad --select-pairs 20 --screen-pairs 1 --verify-min 64 --verify-pairs 64 --rate-pairs 1",
	"pool":     "--against final,v12.7,a_E=3 --seeds 2 --games 200 --start bad --screen-pairs 0 --verify-pairs 16 --against-pairs 4 --select-pairs 8 --rate-pairs 1",
	"two axes": "--method grid --grid a_E=11:44:x2 --grid rush_dist=3,4 --pairs 60 --screen-pairs 1 --verify-pairs 0 --start v12.7,a_M=6 --confidence 0.9",
}

// The number of workers never shows: the same bytes with 1 and 16, and with 2 in the long form. Nor does it
// matter whether the command is the one that was typed or the canonical one that
// run.toml keeps. In short, one method stands for all. Combinations of others, and those of
// the same method as others, are for the long form.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	for name, flags := range asked {
		t.Run(name, func(t *testing.T) {
			if name != "classic" {
				clitest.SkipUnderRace(t)
				if testing.Short() {
					t.Skip("short: some seconds")
				}
			}
			switch name {
			case "pool", "two axes", "margin", "beside", "spsa", "drop", "against", "seeds", "names":
				testmode.SkipUnlessLong(t)
			}
			t.Parallel()
			dir := t.TempDir()
			one, two, sixteen := filepath.Join(dir, "1", "run"), filepath.Join(dir, "2", "run"), filepath.Join(dir, "16", "run")
			others := []string{sixteen}
			typed := append([]string{"--game", "quoridor"}, strings.Fields(flags)...)
			whole(t, dir, append(typed, "--workers", "1", "--out", one)...)
			canonical := strings.Fields(recorded(t, one).Command)
			if canonical[0] != "tune" {
				t.Fatalf("command is %q", canonical)
			}
			whole(t, dir, append(canonical[1:], "--workers", "16", "--out", sixteen)...)
			if testmode.Long() {
				whole(t, dir, append(typed, "--workers", "2", "--out", two)...)
				others = append(others, two)
			}
			for _, other := range others {
				if err := clitest.Same(one, other, clitest.Repeatable); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// header is the part of run.toml that tests look at.
type header struct {
	Command     string `toml:"command"`
	CommandLine string `toml:"command_line"`
}

func recorded(t *testing.T, dir string) header {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "run.toml"))
	if err != nil {
		t.Fatal(err)
	}
	var h header
	if err := toml.Unmarshal(data, &h); err != nil {
		t.Fatal(err)
	}
	return h
}

// What was typed is recorded so that a shell takes it back.
func TestTypedIsRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	clitest.SkipUnderRace(t)
	t.Parallel()
	dir := t.TempDir()
	file := "it's mine.toml"
	if err := os.WriteFile(filepath.Join(dir, file), []byte("game = \"quoridor\"\n[values]\na_E = 20\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	whole(t, dir, "--game", "quoridor", "--start", file, "--iters", "1", "--pairs", "1", "--screen-pairs", "0", "--verify-pairs", "0", "--out", "my run")
	want := `tune --game quoridor --start 'it'\''s mine.toml' --iters 1 --pairs 1 --screen-pairs 0 --verify-pairs 0 --out 'my run'`
	if got := recorded(t, filepath.Join(dir, "my run")).CommandLine; got != want {
		t.Errorf("typed is %s, want %s", got, want)
	}
}
