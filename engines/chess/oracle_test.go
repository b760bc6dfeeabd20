package chess

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
)

// TestGamesMatchOtherPrograms replays games that python-chess 1.11.2
// played at random, and compares at every ply the position's text, the
// list of legal moves and the move in SAN, and at the end the result.
// A line of testdata/games.txt is: rule variant; start; result and reason;
// moves, each with the CRC-32 of "text|sorted legal moves|SAN"; last position.
// A fourth of the games starts from the standard position, a fourth from positions
// of a few pawns and pieces, the others in chess960 and double Fischer Random.
// The legal moves and positions of the standard games
// were compared with corentings/chess 2.3.2 as well.
//
// CHESS_GAMES names another file of such games.
func TestGamesMatchOtherPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many positions")
	}
	name := os.Getenv("CHESS_GAMES")
	if name == "" {
		name = "testdata/games.txt"
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	games := 0
	for lines.Scan() {
		if err := replayed(strings.Split(lines.Text(), ";")); err != nil {
			t.Errorf("game %d: %v", games+1, err)
		}
		games++
	}
	if err := lines.Err(); err != nil || games == 0 {
		t.Errorf("%d games, then %v", games, err)
	}
	t.Logf("%d games", games)
}

// replayed plays one line of testdata/games.txt.
func replayed(fields []string) error {
	if len(fields) != 5 {
		return fmt.Errorf("%d fields", len(fields))
	}
	s, err := read(engines.Rules{"variant": fields[0], "fifty": "50", "repetition": "3", "max_moves": "0"})
	if err != nil {
		return err
	}
	ref, at := engines.NewReferee(s.start, s.bounds), s.start
	if err := ref.Reset(fields[1]); err != nil {
		return err
	}
	if err := at.SetText(fields[1]); err != nil {
		return err
	}
	for i, word := range strings.Fields(fields[3]) {
		text, sum, _ := strings.Cut(word, ":")
		m, err := ref.ParseMove(text)
		if err != nil || !ref.Legal(m) {
			return fmt.Errorf("ply %d: %s is not legal in %s (%v)", i, text, ref, err)
		}
		if o, why := ref.Result(); o != engines.Ongoing {
			return fmt.Errorf("ply %d: ended %v by %s in %s", i, o, why, ref)
		}
		description := described(&at, m)
		if got := fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(description))); got != sum {
			return fmt.Errorf("ply %d, %s: another text, list of moves or SAN than %s", i, text, description)
		}
		if back, err := at.ParseMove(at.SAN(m)); err != nil || back != m {
			return fmt.Errorf("ply %d: %s reads as %s (%v)", i, at.SAN(m), at.MoveString(back), err)
		}
		ref.Play(m)
		at.Play(m)
	}
	o, why := ref.Result()
	if got := strings.ReplaceAll(fmt.Sprintf("%v %s", o, why), "* ", "* none"); got != fields[2] || ref.String() != fields[4] {
		return fmt.Errorf("ends %s in %s; want %s in %s", got, ref, fields[2], fields[4])
	}
	return nil
}

// described returns the oracle's description of a position and a move.
func described(p *Position, m engines.Move) string {
	var legal []string
	for _, l := range p.Moves(nil) {
		legal = append(legal, p.MoveString(l))
	}
	slices.Sort(legal)
	return p.String() + "|" + strings.Join(legal, " ") + "|" + p.SAN(m)
}
