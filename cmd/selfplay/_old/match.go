package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/match"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/record"
)

// matchSpec is the [spec] table of a match's run.toml.
type matchSpec struct {
	A            string    `toml:"a"` // as given, for people
	B            string    `toml:"b"`
	AValues      []float64 `toml:"a_values"`
	BValues      []float64 `toml:"b_values"`
	ALimits      string    `toml:"a_limits"`
	BLimits      string    `toml:"b_limits"`
	Pairs        int       `toml:"pairs"`
	OpeningPlies int       `toml:"opening_plies"`
	Level        float64   `toml:"level"`

	SPRT string `toml:"sprt"` // "" for a match of fixed length

	Openings     string `toml:"openings"`      // the file as given, for people; "" for drawn openings
	OpeningsHash string `toml:"openings_hash"` // SHA-256 of its content, which is in openings.txt
	OpeningCount int    `toml:"opening_count"`

	MaxPlies   int    `toml:"max_plies"`
	Resign     string `toml:"resign"`
	Draw       string `toml:"draw"`
	Stall      string `toml:"stall"`
	FaultLimit string `toml:"fault_limit"` // "" for none, as in runs made before there was one
}

// openingsName is the file in a run directory that keeps the book of openings.
const openingsName = "openings.txt"

type matchFlags struct {
	gameFlags
	a, b, limits, limitsA, limitsB, out, resume string
	pairs, plies, workers                       int
	confidence                                  float64
	seed                                        uint64
	discard, json                               bool
	moves                                       cli.MovesFlag

	sprt, openings, resign, draw, faults string
	maxPlies                             int
	stall                                time.Duration

	bookData []byte // the file of openings
}

func matchCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &matchFlags{}
	cmd := &cobra.Command{
		Use: "match --game GAME --a PLAYER --b PLAYER", Short: "play two players against each other and say how sure the result is",
		Long: `Match plays pairs of games, one opening with colours swapped, and prints score,
Elo with its interval, first-player score, lengths and ends of the games. A
PLAYER is a preset or FILE.toml, each with ,name=value overrides. Every game is
kept in a run directory (unless --discard); selfplay replay plays it again.

With --sprt the match stops as soon as a sequential test decides between two
hypotheses, "A is at most elo0 better" and "A is at least elo1 better". Pairs
count in schedule order, one by one: the match ends at the same pair, with the
same games, for any number of workers, and what was played beyond that pair is
not recorded. Only stop a match by looking at its result with --sprt: whoever
stops when the result pleases will find any two players unequal.

A file of --openings holds one opening a line, moves separated by spaces or
"POSITION | moves" (see selfplay show); what follows a # is a comment. Each is
played once with either colour, in the order of the file.

Games may be adjudicated, which is off by default: such ends count under
"adjudicated". A player that errs loses by illegal (illegal move), time, crash
or stall (no answer), and a match in which a side does so too often stops with
an error that names the game. Under limits of time games do not repeat exactly;
use depth, nodes or playouts where you can.`,
		Example: `  selfplay match --game quoridor --a final --b v12.7 --pairs 500
  selfplay match --game quoridor --a runs/X/tuned.toml --b final,a_E=11 --pairs 2000
  selfplay match --game gobang --a fixed --b fixed --limits-a depth=4 --limits-b depth=2
  selfplay match --game quoridor --a final,a_E=20 --b final --sprt elo0=0,elo1=10
  selfplay match --game mills --a paper --b paper10 --openings book.txt --max-plies 300
  selfplay match --resume runs/20261120-101500-quoridor-match`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, args, stdout, stderr) },
	}
	f.gameFlags.register(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.a, "a", "", "`PLAYER` A: preset or FILE.toml, with ,name=value overrides")
	fl.StringVar(&f.b, "b", "", "`PLAYER` B")
	fl.IntVar(&f.pairs, "pairs", 500, "game pairs to play; with --sprt the most that are played, and 100000 unless given; at most the openings of a file")
	fl.StringVar(&f.sprt, "sprt", "", "stop by a sequential test: `elo0=0,elo1=5` with any of alpha=0.05, beta=0.05, model=normalized")
	fl.StringVar(&f.limits, "limits", "", "`BUDGET` of a decision, such as depth=3, nodes=20000, playouts=500 or time=1s (default: the game's own)")
	fl.StringVar(&f.limitsA, "limits-a", "", "`BUDGET` of A alone")
	fl.StringVar(&f.limitsB, "limits-b", "", "`BUDGET` of B alone")
	fl.StringVar(&f.openings, "openings", randomOpenings, "random (drawn from --seed), or a `FILE` of openings")
	fl.IntVar(&f.plies, "opening-plies", 0, "random plies each pair starts from (default: the game's own)")
	fl.IntVar(&f.maxPlies, "max-plies", 0, "adjudicate: a game of `N` plies, opening included, is a draw (0: off)")
	fl.StringVar(&f.resign, "resign", "", "adjudicate: a player whose own score is at most -S in N of its moves in a row loses: `score=S,moves=N` (a chance of winning below 5 % is score=-0.05)")
	fl.StringVar(&f.draw, "draw", "", "adjudicate: a draw when both scores are within S of even in N moves in a row of either side, from ply P on: `score=S,moves=N,after=P` (add even=0.5 for chances of winning)")
	fl.DurationVar(&f.stall, "stall", 0, "give a player up that does not answer within this `TIME`, such as 60s (default: 10 s above its time limit; without one, wait)")
	fl.StringVar(&f.faults, "fault-limit", defaultFaults, "stop when a side has lost more games than this, and more than this share, by its own faults: `games=N,share=P`, or off")
	fl.Float64Var(&f.confidence, "confidence", 0.95, "confidence of all intervals")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of everything random")
	fl.IntVar(&f.workers, "workers", runtime.NumCPU(), "games played at the same time; never changes the result")
	fl.StringVar(&f.out, "out", "", "run directory to make (default: runs/TIME-GAME-match)")
	fl.BoolVar(&f.discard, "discard", false, "keep no games")
	f.moves.Register(cmd)
	fl.StringVar(&f.resume, "resume", "", "go on with the match in `DIR`")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

func (f *matchFlags) run(cmd *cobra.Command, args []string, stdout, stderr io.Writer) error {
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	var (
		c    *match.Campaign
		r    *match.Run
		spec matchSpec
		err  error
	)
	switch {
	case cmd.Flags().Changed("resume"):
		r, spec, err = f.reopen(cmd)
	case f.discard && f.out != "":
		err = errors.New("--discard keeps no games, so --out has nothing to hold; want one of the two")
	case f.discard && f.moves.On():
		err = errDiscardedMoves
	case f.discard:
		c, spec, _, err = f.campaign(cmd)
	default:
		r, spec, err = f.create(cmd, args)
	}
	if err != nil {
		return err
	}
	if r != nil {
		c = &r.Campaign
		fmt.Fprintf(stderr, "run directory: %s\n", r.Dir)
	}
	c.Workers = f.workers
	warnOfClocks(stderr, c.Limits)
	t := tally{}
	show := cli.NewProgress(stderr)
	c.Fault = func(g datasets.GameRow, detail string) {
		fmt.Fprintf(stderr, "fault in trial %d, pair %d, game %d (%s): %s\n", g.Trial, g.Pair, g.Game, g.Reason, detail)
	}
	c.Record = counted{next: c.Record, game: t.game}
	if r != nil && r.Replayed != nil {
		if err := t.replay(f.resume); err != nil {
			return errors.Join(err, r.Close(cli.Typed(args), cli.ThisBuild().CPU, nil))
		}
	}
	src, note, err := spec.source()
	if err == nil {
		done := int64(0)
		replays := c.Replays()
		c.Partial = func(pairs [5]int) {
			so := t.pairs.Plus(pairs)
			show.Show("match", 2*int64(so.N()), 2*int64(spec.Pairs), false, note(so))
		}
		err = c.Run(cmd.Context(), "match", src, func(row datasets.TrialRow) {
			done += int64(row.Games)
			t.add(row)
			show.Show("match", done, 2*int64(spec.Pairs), c.Replays() > replays, note(t.pairs))
			replays = c.Replays()
		})
	}
	show.Close()
	if r != nil {
		err = r.Close(cli.Typed(args), cli.ThisBuild().CPU, err)
		if cli.Interrupted(err) {
			fmt.Fprintf(stderr, "interrupted; nothing is lost. Go on with:\n  %s\n", cli.Resuming(cmd.Context(), "selfplay match --resume "+cli.Quote(r.Dir)))
		}
	} else if cli.Interrupted(err) {
		fmt.Fprintln(stderr, "interrupted; nothing was kept (--discard)")
	}
	dir := ""
	if r != nil {
		dir = r.Dir
	}
	fault, stopped := errors.AsType[*match.FaultError](err)
	if err != nil && !stopped {
		return err
	}
	report, unwritten := "", error(nil)
	if dir != "" {
		report, unwritten = filepath.Join(dir, "report.html"), writeReport(dir)
	}
	if unwritten != nil {
		report, unwritten = "", fmt.Errorf("%w\nThe match is complete; once the cause is mended: selfplay report %s", unwritten, cli.Quote(dir))
	}
	if err := errors.Join(t.print(stdout, spec, dir, report, f.json), unwritten); err != nil {
		return err
	}
	if stopped {
		return faultAdvice(fault, err, dir)
	}
	return nil
}

// faultAdvice says how to look at the game that ended a match.
func faultAdvice(fault *match.FaultError, err error, dir string) error {
	if dir == "" {
		return fmt.Errorf("%w\n--fault-limit off plays on", err)
	}
	games := []int32{fault.Game.Game}
	if games[0] < 0 {
		games = []int32{0, 1}
	}
	text := ""
	for _, g := range games {
		text += fmt.Sprintf("\n  selfplay replay %s %d:%d:%d", cli.Quote(dir), fault.Game.Trial, fault.Game.Pair, g)
	}
	return fmt.Errorf("%w\nTo see it again:%s", err, text)
}

// campaign turns flags into a campaign and its spec.
func (f *matchFlags) campaign(cmd *cobra.Command) (*match.Campaign, matchSpec, engines.Variant, error) {
	var spec matchSpec
	v, err := f.open()
	if err != nil {
		return nil, spec, v, err
	}
	switch {
	case f.a == "" || f.b == "":
		return nil, spec, v, fmt.Errorf("want both players: --a PRESET|FILE and --b PRESET|FILE")
	case cmd.Flags().Changed("out") && f.out == "":
		return nil, spec, v, errors.New("--out: want a folder to make")
	case f.pairs < 1:
		return nil, spec, v, fmt.Errorf("--pairs %d: want at least 1", f.pairs)
	case !(f.confidence > 0.5 && f.confidence < 1):
		return nil, spec, v, fmt.Errorf("--confidence %v: want above 0.5 and below 1, such as 0.95", f.confidence)
	}
	a, err := cli.ParsePlayer(v.Game, f.a)
	if err != nil {
		return nil, spec, v, fmt.Errorf("--a: %w", err)
	}
	b, err := cli.ParsePlayer(v.Game, f.b)
	if err != nil {
		return nil, spec, v, fmt.Errorf("--b: %w", err)
	}
	spec = matchSpec{A: a.Name, B: b.Name, AValues: a.Vector, BValues: b.Vector, Pairs: f.pairs, Level: f.confidence}
	if spec.OpeningPlies, err = cli.OpeningPlies(cmd, v.Game, f.plies); err != nil {
		return nil, spec, v, err
	}
	if err := f.test(cmd, &spec); err != nil {
		return nil, spec, v, err
	}
	if err := f.book(cmd, v, &spec); err != nil {
		return nil, spec, v, err
	}
	limits := [2]engines.Limits{v.Game.Limits, v.Game.Limits}
	for i, own := range []string{f.limitsA, f.limitsB} {
		name, text := "--limits", f.limits
		if own != "" {
			name, text = []string{"--limits-a", "--limits-b"}[i], own
		}
		if text == "" {
			continue
		}
		if limits[i], err = engines.ParseLimits(text); err != nil {
			return nil, spec, v, fmt.Errorf("%s: %w", name, err)
		}
	}
	spec.ALimits, spec.BLimits = limits[0].String(), limits[1].String()
	if err := f.conduct(limits, &spec); err != nil {
		return nil, spec, v, err
	}
	c := &match.Campaign{Variant: v, Seed: f.seed}
	return c, spec, v, spec.seat(c, f.bookData)
}

// create makes the run directory of a new match.
func (f *matchFlags) create(cmd *cobra.Command, args []string) (*match.Run, matchSpec, error) {
	c, spec, v, err := f.campaign(cmd)
	if err == nil {
		err = cli.CheckOnly(cmd.Context())
	}
	if err != nil {
		return nil, spec, err
	}
	dir := f.out
	if dir == "" {
		dir = filepath.Join("runs", time.Now().Format("20060102-150405")+"-"+v.Game.Name+"-match")
	}
	build := cli.ThisBuild()
	r, err := match.CreateRun(dir, datasets.Meta{
		Kind: "match", Game: v.Game.Name, GameVersion: v.Game.Version, Rules: v.Rules, Seed: f.seed,
		Limits: limitsText(spec), Revision: build.Revision, Program: build.Program, Go: build.Go,
		Command: spec.command(v, f.seed), Typed: cli.Typed(args), Created: time.Now().UTC().Truncate(time.Second),
		Parameters: v.Game.Space.Names(), RecordMoves: f.moves.Value,
	}, spec)
	if err != nil {
		return nil, spec, err
	}
	r.Variant = c.Variant
	if spec.OpeningsHash != "" {
		err = datasets.WriteFile(filepath.Join(dir, openingsName), f.bookData)
	}
	if err = errors.Join(err, spec.seat(&r.Campaign, f.bookData)); err != nil {
		return nil, spec, errors.Join(err, r.Close(cli.Typed(args), build.CPU, nil))
	}
	return r, spec, nil
}

func limitsText(s matchSpec) string {
	if s.ALimits == s.BLimits {
		return s.ALimits
	}
	return "a: " + s.ALimits + "; b: " + s.BLimits
}

// command is the canonical command line: equal for matches with equal games.
func (s matchSpec) command(v engines.Variant, seed uint64) string {
	side := func(values []float64) string {
		var fields []string
		for i, p := range v.Game.Space {
			fields = append(fields, p.Name+"="+p.Format(values[i]))
		}
		return strings.Join(fields, ",")
	}
	words := []string{"selfplay match --game", v.Game.Name, "--rules", v.Rules, "--a", side(s.AValues), "--b", side(s.BValues)}
	for i, limits := range []string{s.ALimits, s.BLimits} {
		if limits != "" {
			words = append(words, []string{"--limits-a", "--limits-b"}[i], limits)
		}
	}
	words = append(words, "--pairs", strconv.Itoa(s.Pairs))
	for _, option := range [][2]string{
		{"--sprt", s.SPRT}, {"--resign", s.Resign}, {"--draw", s.Draw}, {"--stall", s.Stall},
	} {
		if option[1] != "" {
			words = append(words, option[0], option[1])
		}
	}
	if s.MaxPlies > 0 {
		words = append(words, "--max-plies", strconv.Itoa(s.MaxPlies))
	}
	if s.FaultLimit != defaultFaults {
		words = append(words, "--fault-limit", cmp.Or(s.FaultLimit, noFaults))
	}
	if s.OpeningsHash != "" { // the name of the file does not matter
		words = append(words, "--openings", "sha256:"+s.OpeningsHash)
	} else {
		words = append(words, "--opening-plies", strconv.Itoa(s.OpeningPlies))
	}
	return strings.Join(append(words, "--seed", strconv.FormatUint(seed, 10)), " ")
}

// reopen opens a recorded match to go on with it.
func (f *matchFlags) reopen(cmd *cobra.Command) (*match.Run, matchSpec, error) {
	var spec matchSpec
	var clash error
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		if !slices.Contains([]string{"resume", "workers", "json"}, fl.Name) && clash == nil {
			clash = fmt.Errorf("--%s cannot be changed when resuming: %s keeps what the match was asked", fl.Name, filepath.Join(f.resume, "run.toml"))
		}
	})
	if clash != nil {
		return nil, spec, clash
	}
	if f.resume == "" {
		return nil, spec, errors.New("--resume: want the folder of a match")
	}
	log, err := datasets.Read(f.resume)
	if err != nil {
		return nil, spec, err
	}
	// Everything is read and checked before the run is locked.
	var c match.Campaign
	if spec, err = describeMatch(log, &c); err != nil {
		return nil, spec, err
	}
	var book []byte
	if spec.OpeningsHash != "" {
		if book, err = os.ReadFile(filepath.Join(f.resume, openingsName)); err != nil {
			return nil, spec, fmt.Errorf("the match's openings: %w", err)
		}
	}
	if err := spec.seat(&c, book); err != nil {
		return nil, spec, fmt.Errorf("%s: %w", f.resume, err)
	}
	r, _, err := match.ResumeRun(f.resume)
	if err != nil {
		return nil, spec, err
	}
	r.Variant = c.Variant
	return r, spec, spec.seat(&r.Campaign, book)
}

// readMatch reads what a recorded match was asked. It needs no game: a report is
// made from the record alone.
func readMatch(log *datasets.Log) (matchSpec, error) {
	var spec matchSpec
	if err := isMatch(log); err != nil {
		return spec, err
	}
	if err := log.Spec(&spec); err != nil {
		return spec, err
	}
	if err := spec.check(len(log.Meta.Parameters)); err != nil {
		return spec, fmt.Errorf("%s: [spec]: %w", filepath.Join(log.Dir, "run.toml"), err)
	}
	return spec, nil
}

func isMatch(log *datasets.Log) error {
	if kind := log.Meta.Kind; kind != "match" {
		return fmt.Errorf("%s: is a run of %q, not of match", log.Dir, kind)
	}
	return nil
}

// describeMatch reads what a recorded match was asked, and opens its game for c.
func describeMatch(log *datasets.Log, c *match.Campaign) (matchSpec, error) {
	err := isMatch(log)
	if err == nil {
		c.Variant, err = recordedVariant(log.Dir, log.Meta)
	}
	if err != nil {
		return matchSpec{}, err
	}
	spec, err := readMatch(log)
	if err != nil {
		return spec, err
	}
	for i, values := range [][]float64{spec.AValues, spec.BValues} {
		if err := c.Variant.Game.Space.Check(values); err != nil {
			return spec, fmt.Errorf("%s: [spec]: %s: %w", filepath.Join(log.Dir, "run.toml"), []string{"a_values", "b_values"}[i], err)
		}
	}
	c.Seed = log.Meta.Seed
	return spec, nil
}

// check reports the first thing wrong with a spec that was read from a file, for
// a game of so many parameters.
func (s *matchSpec) check(parameters int) error {
	switch {
	case s.Pairs < 1:
		return fmt.Errorf("pairs = %d: want at least 1", s.Pairs)
	case !(s.Level > 0.5 && s.Level < 1):
		return fmt.Errorf("level = %v: want above 0.5 and below 1", s.Level)
	case s.OpeningPlies < 0:
		return fmt.Errorf("opening_plies = %d: want 0 or more", s.OpeningPlies)
	}
	for _, side := range []struct {
		name, limits string
		values       []float64
	}{{"a", s.ALimits, s.AValues}, {"b", s.BLimits, s.BValues}} {
		if len(side.values) != parameters {
			return fmt.Errorf("%s_values: vector of %d values for a space of %d parameters", side.name, len(side.values), parameters)
		}
		if _, err := engines.ParseLimits(side.limits); err != nil {
			return fmt.Errorf("%s_limits: %w", side.name, err)
		}
	}
	return nil
}

// counted shows every game to a counter on its way to the record.
type counted struct {
	next match.Recorder // nil to keep nothing
	game func(datasets.GameRow)
}

// Append implements match.Recorder.
func (c counted) Append(row datasets.TrialRow, games []datasets.GameRow, moves []datasets.MoveRow) error {
	for _, g := range games {
		c.game(g)
	}
	if c.next == nil {
		return nil
	}
	return c.next.Append(row, games, moves)
}

// tally is the result of a match so far, A's side.
type tally struct {
	pairs               rating.Pairs
	wins, draws, losses int
	faults              [2]int
	games               record.Games
	openings            record.Openings
}

func (t *tally) game(g datasets.GameRow) {
	t.games.Add(g)
	t.openings.Add(g)
}

func (t *tally) add(row datasets.TrialRow) {
	t.pairs = t.pairs.Plus(pairsOf(row))
	t.wins, t.draws, t.losses = t.wins+int(row.Wins), t.draws+int(row.Draws), t.losses+int(row.Losses)
	t.faults[0] += int(row.FaultsX)
	t.faults[1] += int(row.FaultsThan)
}

func pairsOf(row datasets.TrialRow) rating.Pairs {
	return rating.Pairs{int(row.LL), int(row.LD), int(row.Even), int(row.WD), int(row.WW)}
}

// replay counts the games a resumed match has recorded.
func (t *tally) replay(dir string) error {
	log, err := datasets.Read(dir)
	if err != nil {
		return err
	}
	for g, err := range log.Games(datasets.Filter{}) {
		if err != nil {
			return err
		}
		t.game(g)
	}
	return nil
}

// progress is where the match's sequential test stands, nil without one.
func (t *tally) progress(spec matchSpec) (*rating.Progress, error) {
	if spec.SPRT == "" {
		return nil, nil
	}
	s, err := rating.ParseSPRT(spec.SPRT)
	if err != nil {
		return nil, err
	}
	at := s.Pairs(t.pairs)
	return &at, nil
}

// cautions are what a reader must know before believing the result.
func (t *tally) cautions(spec matchSpec) ([]string, error) {
	var list []string
	repeatable, err := spec.repeatable()
	if err != nil {
		return nil, err
	}
	if !repeatable {
		list = append(list, "Decisions were limited by wall-clock time: these games do not repeat exactly, and a busy machine changes them.")
	}
	if t.pairs.Estimate(spec.Level).Few && spec.SPRT == "" {
		list = append(list, fmt.Sprintf("Too few pairs, or all alike: play at least %d for an interval to rely on.", rating.MinSample))
	}
	if repeats := t.openings.Caution(); repeats != "" {
		list = append(list, repeats)
	}
	if t.faults != [2]int{} {
		list = append(list, fmt.Sprintf("Faults (illegal moves, time, crashes, stalls) lost A %d and B %d games.", t.faults[0], t.faults[1]))
	}
	return list, nil
}

// print writes the result; dir is the run directory, "" for none, and report the
// file of its report, "" for none.
func (t *tally) print(out io.Writer, spec matchSpec, dir, report string, asJSON bool) error {
	e, first := t.pairs.Estimate(spec.Level), t.games.First.Estimate(spec.Level)
	cautions, err := t.cautions(spec)
	if err != nil {
		return err
	}
	test, err := t.progress(spec)
	if err != nil {
		return err
	}
	if asJSON {
		o, err := t.json(spec, test, dir)
		if err != nil {
			return err
		}
		return o.print(out, true)
	}
	endings := []string{}
	for _, k := range t.games.Kinds() {
		endings = append(endings, fmt.Sprintf("%s %s", k, record.Count(t.games.Ends[k])))
	}
	cli.Table{
		{"A", spec.A},
		{"B", spec.B},
		{"A's score", fmt.Sprintf("%s  (%d won, %d drawn, %d lost)", record.Percent(e.Score), t.wins, t.draws, t.losses)},
		{"A's Elo", e.String()},
		{"A better than B", fmt.Sprintf("%s likely", record.Percent(e.LOS))},
		{"pairs for A", fmt.Sprintf("lost both %d, ½ %d, split %d, 1½ %d, won both %d", t.pairs[0], t.pairs[1], t.pairs[2], t.pairs[3], t.pairs[4])},
		{"first player", fmt.Sprintf("%s, from %s to %s", record.Percent(first.Score), record.Percent(first.ScoreRange.Low), record.Percent(first.ScoreRange.High))},
		{"plies a game", fmt.Sprintf("%s on average, 5 %% to 95 %%: %d to %d", reports.Number(t.games.Mean(), 1), t.games.Quantile(0.05), t.games.Quantile(0.95))},
		{"games ended by", strings.Join(endings, ", ")},
	}.Print(out)
	if test != nil {
		fmt.Fprintf(out, "\nSequential test of A against B: %s.\nAfter an early stop the Elo above leans away from the middle; the verdict does not.\n", test.Verdict())
	}
	for _, c := range cautions {
		fmt.Fprintf(out, "\n%s\n", c)
	}
	if dir != "" {
		fmt.Fprintf(out, "games            %s\n", filepath.Join(dir, "games"))
	}
	if report != "" {
		fmt.Fprintf(out, "report           %s\n", report)
	}
	return nil
}

// json is the result as one object; test is nil without a sequential test.
func (t *tally) json(spec matchSpec, test *rating.Progress, dir string) (object, error) {
	repeatable, err := spec.repeatable()
	if err != nil {
		return nil, err
	}
	var sprt any // null without one
	if test != nil {
		sprt = object{
			{Name: "state", Value: test.State}, {Name: "llr", Value: test.LLR}, {Name: "lower", Value: test.Lower}, {Name: "upper", Value: test.Upper},
			{Name: "pairs", Value: test.N}, {Name: "test", Value: test.Test}, {Name: "verdict", Value: test.Verdict()},
		}
	}
	ends := object{}
	for _, k := range t.games.Kinds() {
		ends = append(ends, engines.Term{Name: k, Value: t.games.Ends[k]})
	}
	return object{
		{Name: "a", Value: spec.A}, {Name: "b", Value: spec.B}, {Name: "pairs", Value: t.pairs},
		{Name: "wins", Value: t.wins}, {Name: "draws", Value: t.draws}, {Name: "losses", Value: t.losses},
		{Name: "estimate", Value: t.pairs.Estimate(spec.Level)}, {Name: "first_player", Value: t.games.First.Estimate(spec.Level)},
		{Name: "plies", Value: object{{Name: "mean", Value: t.games.Mean()}, {Name: "p05", Value: t.games.Quantile(0.05)}, {Name: "p95", Value: t.games.Quantile(0.95)}}},
		{Name: "ends", Value: ends}, {Name: "faults_a", Value: t.faults[0]}, {Name: "faults_b", Value: t.faults[1]},
		{Name: "sprt", Value: sprt}, {Name: "repeatable", Value: repeatable && t.games.Ends[string(engines.Stall)] == 0}, {Name: "run", Value: dir},
	}, nil
}
