package selfplay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/match"
)

// Runs that this program cannot go on with, though they are whole, are refused
// by name and left as they are.
func TestForeignRuns(t *testing.T) {
	t.Parallel()
	game, err := games.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*datasets.Meta, *match.Config)
		want   []string
	}{
		"another game": {
			func(m *datasets.Meta, _ *match.Config) { m.Game = "shogi" },
			[]string{`unknown game "shogi"`, "quoridor"},
		},
		"another version of the game": {
			func(m *datasets.Meta, _ *match.Config) { m.GameVersion = 99 },
			[]string{"was made with version 99 of quoridor", "its games would differ; use the program that made it (revision abc123) or start a new run"},
		},
		"other parameters": {
			func(m *datasets.Meta, _ *match.Config) { m.Parameters = []string{"x", "y"} },
			[]string{"has other parameters of quoridor than this program: x, y"},
		},
		"other rules": {
			func(m *datasets.Meta, _ *match.Config) { m.Rules = "variant=blitz" },
			[]string{"rule variant=blitz of quoridor: want seed | standard"},
		},
		"a tuning run": {
			func(m *datasets.Meta, _ *match.Config) { m.Kind = "tune" },
			[]string{`is a run of "tune", not of match`},
		},
		"values out of range": {
			func(_ *datasets.Meta, s *match.Config) { s.B.Values[0] = 1e6 },
			[]string{`player "b"`, "a_E = 1e+06 is out of range; allowed: -20 to 100"},
		},
		"too few values": {
			func(_ *datasets.Meta, s *match.Config) { s.A.Values = s.A.Values[1:] },
			[]string{`player "a"`, "vector of 34 values for a space of 35 parameters"},
		},
		"no pairs": {
			func(_ *datasets.Meta, s *match.Config) { s.Pairs = 0 },
			[]string{"pairs 0: want at least 1"},
		},
		"odd confidence": {
			func(_ *datasets.Meta, s *match.Config) { s.Level = 1 },
			[]string{"confidence 1: want above 0.5 and below 1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			meta := datasets.Meta{
				Kind: "match", Game: game.Name, GameVersion: game.Version, Rules: "variant=seed", Seed: 1,
				Revision: "abc123", Parameters: game.Space.Names(),
			}
			spec := match.Config{A: player.Config{Name: "a", Values: game.Space.Default()}, B: player.Config{Name: "b", Values: game.Space.Default()}, Pairs: 1, MatchRules: runs.MatchRules{Level: 0.95}}
			c.change(&meta, &spec)
			w, err := datasets.Create(dir, meta, &spec)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			before := t.TempDir()
			if err := os.CopyFS(before, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			res := clitest.Run(t, ".", "selfplay", "match", "--resume", dir)
			if res.Code != 1 || res.Stdout != "" {
				t.Errorf("exit code %d, stdout %q", res.Code, res.Stdout)
			}
			for _, want := range append(c.want, dir) {
				if !strings.Contains(res.Stderr, want) {
					t.Errorf("no %q in\n%s", want, res.Stderr)
				}
			}
			if err := clitest.Same(before, dir, clitest.Kept); err != nil {
				t.Error("it was changed: ", err)
			}
		})
	}
}

// Games are read with a byte order mark and in UTF-16, as PowerShell's > writes them.
func TestMarkedGames(t *testing.T) {
	t.Parallel()
	v, err := games.Open("chess", "")
	if err != nil {
		t.Fatal(err)
	}
	const text = "1. e4 e5 1-0\n"
	name := filepath.Join(t.TempDir(), "X.PGN")
	for _, data := range []string{"\ufeff" + text, "\xff\xfe" + strings.Join(strings.Split(text, ""), "\x00") + "\x00"} {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		if list, err := (&fitFlags{}).readGames(v, name); err != nil || len(list) != 1 || len(list[0].Moves) != 2 {
			t.Errorf("%q: %v, %v", data, list, err)
		}
	}
}

// An opening is one however a source writes it: a run, a file, or another program's position.
func TestOpeningOf(t *testing.T) {
	t.Parallel()
	v, err := games.Open("chess", "")
	if err != nil {
		t.Fatal(err)
	}
	const after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
	o, err := newOpenings(v)
	if err != nil {
		t.Fatal(err)
	}
	for n, g := range []gamefile.Game{
		{Moves: []gamefile.Move{{Text: "e2e4", Opening: true}, {Text: "e7e5", Opening: true}, {Text: "g1f3"}}},
		{Moves: []gamefile.Move{{Text: "e4", Opening: true}, {Text: "e5!", Opening: true}, {Text: "d4"}}},
		{Position: after}, {Position: after + " hmvc 0;"}, {Position: after + " 0 1"},
		{Moves: []gamefile.Move{{Text: "e4"}, {Text: "e5"}}},
	} {
		key, err := o.of(&g, n)
		if of, ok := key.(string); err != nil || ok == (n == 5) || ok && !strings.HasPrefix(of, after) {
			t.Errorf("%d: %v, %v", n, key, err)
		}
	}
}
