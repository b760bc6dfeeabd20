package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/experiment"
	"selfplaylab/engines"
	"selfplaylab/reports"
)

// searchName is the file that keeps every search, in the folder of --out.
const searchName = "search.csv"

type searchFlags struct {
	gameFlags
	players          []string
	limits, out      string
	positions, plies int
	seed             uint64
	json             bool
}

func searchCommand(_ []string, stdout, stderr io.Writer) *cobra.Command {
	return searchCommandOf(&searchFlags{}, stdout, stderr)
}

// searchCommandOf is the command with its flags in f.
func searchCommandOf(f *searchFlags, stdout, stderr io.Writer) *cobra.Command {
	cmd := &cobra.Command{
		Use: "search --game GAME --player PLAYER...", Short: "search the same positions with several players and budgets: nodes, time, agreement",
		Long: `Search draws positions (openings of --opening-plies random plies) and has each
player choose a move in each of them, one search at a time and with nothing kept
from one to the next. It prints nodes and time a position, and in how many
positions a player's score and move were those of the first player listed with
the same budget: so a search that prunes is held against one that does not.

A PLAYER is [NAME:]PRESET or [NAME:]FILE.toml, then any ,name=value overrides,
then @BUDGET if it has limits of its own.

With --out every search is written to DIR/search.csv as it ends. The same command
goes on where it was stopped, and does not search again what is there.`,
		Example: `  selfplay search --game gobang --player full:fixed,search=minimax@depth=2 --player fixed@depth=2 --positions 20
  selfplay search --game connectfour --player source@time=5s --positions 5
  selfplay search --game mills --player strong@depth=6 --player plain:strong,ordering=off@depth=6 --out runs/mills-search`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.main(cmd, stdout, stderr) },
	}
	f.gameFlags.register(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.players, "player", nil, "`PLAYER`: [NAME:]PRESET|FILE.toml[,name=value...][@BUDGET] (repeatable; default: the game's own)")
	fl.StringVar(&f.limits, "limits", "", "`BUDGET` of a decision for players without their own, such as depth=3, nodes=20000, playouts=500 or time=1s (default: the game's own)")
	fl.IntVar(&f.positions, "positions", 20, "positions to search")
	fl.IntVar(&f.plies, "opening-plies", 0, "random plies of each position (default: the game's own)")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of everything random")
	fl.StringVar(&f.out, "out", "", "`DIR` to keep every search in, and to go on from (default: keep none)")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// searching is a search run under way.
type searching struct {
	variant   engines.Variant
	players   []tournamentPlayer
	positions int
	plies     int
	seed      uint64
	last      start // the position drawn last: every player searches it in turn
	done      []searched
	keep      *os.File // nil to keep nothing
}

// searched is one player's search of one position.
type searched struct {
	position       int
	player, limits string
	text, moves    string // where: the position and the opening from there
	move           string
	score          float64
	nodes          int64
	depth          int
	micros         int64
}

var searchedColumns = []string{"position", "player", "limits", "start", "moves", "move", "score", "nodes", "depth", "micros"}

func (f *searchFlags) main(cmd *cobra.Command, stdout, stderr io.Writer) error {
	s, err := f.open(cmd)
	if err != nil {
		return err
	}
	if err := cli.CheckOnly(cmd.Context()); err != nil {
		return err
	}
	if f.out != "" {
		if err := s.reopen(f.out); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "searches: %s\n", filepath.Join(f.out, searchName))
	}
	err = s.run(cmd.Context(), stderr)
	if s.keep != nil {
		err = errors.Join(err, s.keep.Sync(), s.keep.Close())
	}
	if cli.Interrupted(err) {
		if f.out == "" {
			fmt.Fprintln(stderr, "interrupted; nothing was kept (no --out)")
		} else {
			fmt.Fprintf(stderr, "interrupted; nothing is lost. Go on with:\n  %s\n", cli.Resuming(cmd.Context(), "the same command"))
		}
	}
	if err != nil {
		return err
	}
	return s.print(stdout, f.json)
}

// open checks the flags.
func (f *searchFlags) open(cmd *cobra.Command) (*searching, error) {
	v, err := f.gameFlags.open()
	if err != nil {
		return nil, err
	}
	if f.positions < 1 {
		return nil, fmt.Errorf("--positions %d: want at least 1", f.positions)
	}
	s := &searching{variant: v, positions: f.positions, seed: f.seed}
	if s.plies, err = cli.OpeningPlies(cmd, v.Game, f.plies); err != nil {
		return nil, err
	}
	limits, err := budget(v.Game, f.limits)
	if err != nil {
		return nil, err
	}
	if len(f.players) == 0 {
		f.players = []string{v.Game.Default}
	}
	for _, text := range f.players {
		p, err := parseEntrant(v.Game, text, limits)
		if err != nil {
			return nil, fmt.Errorf("--player: %w", err)
		}
		p.Name, _, _ = cutLast(p.Name, "@") // the budget has a column of its own
		if slices.ContainsFunc(s.players, func(q tournamentPlayer) bool { return q.Name == p.Name && q.Limits == p.Limits }) {
			return nil, fmt.Errorf("--player %s: there is a player of that name and budget already; give it another name, such as second:%s", text, text)
		}
		s.players = append(s.players, p)
	}
	return s, nil
}

// reopen reads what a folder holds of this run and opens it to add to.
func (s *searching) reopen(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	path := filepath.Join(dir, searchName)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("--out: %w", err)
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1] // a line cut off by a kill is searched again
	if err := s.read(path, data); err != nil {
		return err
	}
	if s.keep, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err = s.keep.Truncate(int64(len(data))); err == nil {
		_, err = s.keep.Seek(0, io.SeekEnd)
	}
	if err == nil && len(data) == 0 {
		err = s.write(searchedColumns)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("--out: %w", err), s.keep.Close())
	}
	return nil
}

// read takes recorded searches, which must be the first of those asked for.
func (s *searching) read(path string, data []byte) error {
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w; move it away to search anew", path, err)
	}
	for i, r := range records {
		if i == 0 {
			if !slices.Equal(r, searchedColumns) {
				return fmt.Errorf("%s:1: holds other columns than searches have; want another --out", path)
			}
			continue
		}
		one, err := parseSearched(r)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		position, player := (i-1)/len(s.players), s.players[(i-1)%len(s.players)]
		from, err := s.start(position)
		if err != nil {
			return err
		}
		if position >= s.positions || one.position != position || one.player != player.Name || one.limits != player.Limits || one.text != from.text || one.moves != from.moves {
			return fmt.Errorf("%s:%d: holds other searches than these (position %d by %s@%s); want another --out", path, i+1, one.position, one.player, one.limits)
		}
		s.done = append(s.done, one)
	}
	return nil
}

func parseSearched(r []string) (searched, error) {
	var errs [5]error
	s := searched{player: r[1], limits: r[2], text: r[3], moves: r[4], move: r[5]}
	s.position, errs[0] = strconv.Atoi(r[0])
	s.score, errs[1] = strconv.ParseFloat(r[6], 64)
	s.nodes, errs[2] = strconv.ParseInt(r[7], 10, 64)
	s.depth, errs[3] = strconv.Atoi(r[8])
	s.micros, errs[4] = strconv.ParseInt(r[9], 10, 64)
	return s, errors.Join(errs[:]...)
}

func (s *searching) write(fields []string) error {
	w := csv.NewWriter(s.keep)
	err := w.Write(fields)
	w.Flush()
	return errors.Join(err, w.Error())
}

// start is a position to search: its text, and the moves from there, in notation
// and as they are.
type start struct {
	drawn       bool
	position    int
	text, moves string
	list        []engines.Move
}

// start draws a position, or returns it again if it was drawn last.
func (s *searching) start(position int) (start, error) {
	if s.last.drawn && s.last.position == position {
		return s.last, nil
	}
	seed := engines.Seed(s.seed, uint64(position))
	open := s.variant.Opening(rand.New(rand.NewPCG(seed, engines.Seed(seed, 0))), s.plies)
	ref := s.variant.NewReferee()
	if err := ref.Reset(open.Position); err != nil {
		return start{}, err
	}
	var words []string
	for _, m := range open.Moves {
		words = append(words, ref.MoveString(m))
		ref.Play(m)
	}
	s.last = start{true, position, open.Position, strings.Join(words, " "), open.Moves}
	return s.last, nil
}

// run searches what is not yet searched.
func (s *searching) run(ctx context.Context, stderr io.Writer) error {
	show := cli.NewProgress(stderr)
	defer show.Close()
	total := int64(s.positions * len(s.players))
	ref := s.variant.NewReferee()
	for n := int64(len(s.done)); n < total; n++ {
		position, p := int(n)/len(s.players), s.players[int(n)%len(s.players)]
		one, err := s.search(ctx, ref, position, p)
		if err != nil {
			return err
		}
		s.done = append(s.done, one)
		if s.keep != nil {
			if err := s.write(one.fields()); err != nil {
				return err
			}
		}
		show.Show("search", n+1, total, false, p.Name)
	}
	return nil
}

func (one searched) fields() []string {
	return []string{
		strconv.Itoa(one.position), one.player, one.limits, one.text, one.moves, one.move, strconv.FormatFloat(one.score, 'g', -1, 64),
		strconv.FormatInt(one.nodes, 10), strconv.Itoa(one.depth), strconv.FormatInt(one.micros, 10),
	}
}

// search has one new player choose in one position.
func (s *searching) search(ctx context.Context, ref engines.Referee, position int, p tournamentPlayer) (searched, error) {
	from, err := s.start(position)
	if err != nil {
		return searched{}, err
	}
	one := searched{position: position, player: p.Name, limits: p.Limits, text: from.text, moves: from.moves}
	limits, err := engines.ParseLimits(p.Limits)
	if err != nil {
		return one, err
	}
	player := s.variant.NewPlayer()
	if err := player.Configure(p.Values); err != nil {
		return one, fmt.Errorf("player %s: %w", p.Name, err)
	}
	if err := player.Reset(from.text, engines.Seed(s.seed, uint64(position), 1)); err != nil {
		return one, fmt.Errorf("player %s: %w", p.Name, err)
	}
	begun := time.Now()
	d, err := player.Choose(ctx, from.list, limits)
	one.micros = time.Since(begun).Microseconds()
	if ctx.Err() != nil {
		return one, context.Cause(ctx)
	}
	if err != nil {
		return one, fmt.Errorf("player %s in position %d: %w", p.Name, position, err)
	}
	if err := ref.Reset(from.text); err != nil {
		return one, err
	}
	for _, m := range from.list {
		ref.Play(m)
	}
	if !ref.Legal(d.Move) {
		return one, fmt.Errorf("player %s in position %d: %s is not legal in %s", p.Name, position, ref.MoveString(d.Move), ref)
	}
	one.move, one.score, one.nodes, one.depth = ref.MoveString(d.Move), d.Score, d.Nodes, d.Depth
	return one, nil
}

// sums adds the searches up, a row a player.
func (s *searching) sums(run string) []experiment.Search {
	rows := make([]experiment.Search, len(s.players))
	for k, p := range s.players {
		rows[k] = experiment.Search{Run: run, Player: p.Name, Limits: p.Limits, Positions: s.positions}
	}
	for n, one := range s.done {
		k := n % len(s.players)
		r := &rows[k]
		r.Nodes += one.nodes
		r.Depth += int64(one.depth)
		r.Seconds += float64(one.micros) / 1e6
		reference := s.done[n-k+slices.IndexFunc(s.players, func(p tournamentPlayer) bool { return p.Limits == one.limits })]
		if one.move == reference.move {
			r.SameMove++
		}
		if one.score == reference.score {
			r.SameScore++
		}
	}
	return rows
}

func (s *searching) print(out io.Writer, asJSON bool) error {
	rows := s.sums("")
	if asJSON {
		var list []object
		for _, r := range rows {
			list = append(list, object{
				{Name: "player", Value: r.Player},
				{Name: "limits", Value: r.Limits},
				{Name: "positions", Value: r.Positions},
				{Name: "nodes", Value: r.Nodes},
				{Name: "depth", Value: float64(r.Depth) / float64(r.Positions)},
				{Name: "seconds", Value: r.Seconds},
				{Name: "same_score", Value: r.SameScore},
				{Name: "same_move", Value: r.SameMove},
			})
		}
		return object{{Name: "game", Value: s.variant.Game.Name}, {Name: "rules", Value: s.variant.Rules}, {Name: "opening_plies", Value: s.plies}, {Name: "players", Value: list}}.print(out, true)
	}
	t := cli.Table{{"player", "budget", "nodes a position", "ms a position", "nodes/s", "same score", "same move"}}
	for _, r := range rows {
		n := float64(r.Positions)
		t = append(t, []string{
			r.Player, r.Limits, reports.Number(float64(r.Nodes)/n, 0), reports.Number(1000*r.Seconds/n, 2), reports.Number(float64(r.Nodes)/max(r.Seconds, 1e-6), 0),
			fmt.Sprintf("%d of %d", r.SameScore, r.Positions), fmt.Sprintf("%d of %d", r.SameMove, r.Positions),
		})
	}
	t.Print(out, 2, 3, 4, 5, 6)
	fmt.Fprintf(out, "\n%d positions of %d random plies. Same score and move: as the first player listed with the same budget.\n", s.positions, s.plies)
	return nil
}
