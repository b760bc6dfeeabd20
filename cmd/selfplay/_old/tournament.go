package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	"selfplaylab/engines/catalog"
	"selfplaylab/engines/match"
	"selfplaylab/params"
)

// Kinds of run directories.
const (
	tournamentKind = "tournament"
	ladderKind     = "ladder"
)

// tournamentSpec is the [spec] table of run.toml of tournaments and ladders.
type tournamentSpec struct {
	// Schedule is "round robin", "gauntlet" (of player Hero) or "neighbours"
	// (up to Reach places apart).
	Schedule     string             `toml:"schedule"`
	Hero         string             `toml:"hero"`
	Reach        int                `toml:"reach"`
	Anchor       string             `toml:"anchor"` // the player at 0 Elo
	Against      string             `toml:"against"`
	Calibrate    bool               `toml:"calibrate"`
	Pairs        int                `toml:"pairs"` // of each pairing
	Round        int                `toml:"round"`
	OpeningPlies int                `toml:"opening_plies"`
	Level        float64            `toml:"level"`
	FaultLimit   string             `toml:"fault_limit"` // of each pairing; "" for none
	Players      []tournamentPlayer `toml:"player"`
}

const (
	roundRobin = "round robin"
	gauntlet   = "gauntlet"
	neighbours = "neighbours"
)

type tournamentPlayer struct {
	Name   string    `toml:"name"`
	Player string    `toml:"player"` // as given, for people
	Limits string    `toml:"limits"`
	Values []float64 `toml:"values"`
}

// parseEntrant reads [NAME:]PLAYER[@BUDGET]: limits is what a player without a
// budget of its own gets. The name is by default the text itself.
func parseEntrant(game *engines.Game, text string, limits engines.Limits) (tournamentPlayer, error) {
	player, budget, own := cutLast(text, "@")
	p := tournamentPlayer{Name: text, Player: player}
	if name, rest, ok := strings.Cut(player, ":"); ok && !strings.ContainsAny(name, `/\,=`) {
		p.Name, p.Player = strings.TrimSpace(name), rest
		if p.Name == "" {
			return p, fmt.Errorf("player %q: want a name before the colon, as in deep:final@depth=5", text)
		}
	}
	if own {
		var err error
		if limits, err = engines.ParseLimits(budget); err != nil {
			return p, fmt.Errorf("player %q: %w", text, err)
		}
		if limits.IsZero() {
			return p, fmt.Errorf("player %q: want a budget after the @, such as depth=3", text)
		}
	}
	parsed, err := cli.ParsePlayer(game, p.Player)
	if err != nil {
		return p, fmt.Errorf("player %q: %w", text, err)
	}
	p.Limits, p.Values = limits.String(), parsed.Vector
	return p, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// schedule makes the match.Tournament of a spec.
func (s *tournamentSpec) schedule() (*match.Tournament, error) {
	t := &match.Tournament{Pairs: s.Pairs, Round: s.Round}
	hero := -1
	for i, p := range s.Players {
		limits, err := engines.ParseLimits(p.Limits)
		if err != nil {
			return nil, err
		}
		t.Entrants = append(t.Entrants, match.Entrant{Name: p.Name, Vector: p.Values, Limits: limits})
		if p.Name == s.Hero {
			hero = i
		}
	}
	switch s.Schedule {
	case gauntlet:
		if hero < 0 {
			return nil, fmt.Errorf("--gauntlet %q is none of the players%s", s.Hero, params.Suggest(s.Hero, s.names()))
		}
		t.Pairings = match.Gauntlet(len(s.Players), hero)
	case neighbours:
		t.Pairings = match.Neighbours(len(s.Players), s.Reach)
	default:
		t.Pairings = match.RoundRobin(len(s.Players))
	}
	if len(s.Players) == 1 {
		return nil, errors.New("a tournament of one: want at least two --player")
	}
	return t, t.Check()
}

func (s *tournamentSpec) names() []string {
	names := make([]string, len(s.Players))
	for i, p := range s.Players {
		names[i] = p.Name
	}
	return names
}

// setAnchor chooses the player at 0 Elo: the one named, else the game's default
// preset with its default limits, else the first.
func (s *tournamentSpec) setAnchor(game *engines.Game, name string) error {
	if name == "" {
		name = s.Players[0].Name
		for _, p := range s.Players {
			if p.Player == game.Default && p.Limits == game.Limits.String() {
				name = p.Name
				break
			}
		}
	}
	if s.Anchor = name; !slices.Contains(s.names(), name) {
		return fmt.Errorf("--anchor %q is none of the players%s", name, params.Suggest(name, s.names()))
	}
	return nil
}

// limits describes everybody's budget for run.toml.
func (s *tournamentSpec) limits() string {
	first := s.Players[0].Limits
	same := true
	var each []string
	for _, p := range s.Players {
		same = same && p.Limits == first
		each = append(each, p.Name+": "+p.Limits)
	}
	if same {
		return first
	}
	return strings.Join(each, "; ")
}

// repeatable reports whether no player is bound to a clock.
func (s *tournamentSpec) repeatable() bool {
	return !slices.ContainsFunc(s.Players, func(p tournamentPlayer) bool { return !repeats(p.Limits) })
}

// command is the canonical command line: equal for tournaments with equal games.
func (s *tournamentSpec) command(v engines.Variant, seed uint64) string {
	words := []string{"selfplay tournament --game", v.Game.Name, "--rules", v.Rules}
	for _, p := range s.Players {
		var values []string
		for i, param := range v.Game.Space {
			values = append(values, param.Name+"="+param.Format(p.Values[i]))
		}
		text := p.Name + ":" + strings.Join(values, ",")
		if p.Limits != "" {
			text += "@" + p.Limits
		}
		words = append(words, "--player", cli.Quote(text))
	}
	switch s.Schedule {
	case gauntlet:
		words = append(words, "--gauntlet", cli.Quote(s.Hero))
	case neighbours:
		words = append(words, "--neighbours", strconv.Itoa(s.Reach))
	}
	return strings.Join(append(words, "--pairs", strconv.Itoa(s.Pairs), "--round", strconv.Itoa(s.Round),
		"--opening-plies", strconv.Itoa(s.OpeningPlies), "--seed", strconv.FormatUint(seed, 10)), " ")
}

// contestFlags are what tournaments and ladders share.
type contestFlags struct {
	gameFlags
	workers             int
	confidence          float64
	seed                uint64
	out, resume, limits string
	faults              string
	discard, json       bool
	moves               cli.MovesFlag
}

func (f *contestFlags) register(cmd *cobra.Command, kind string) {
	fl := cmd.Flags()
	fl.Float64Var(&f.confidence, "confidence", 0.95, "confidence of all intervals")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of everything random")
	fl.IntVar(&f.workers, "workers", runtime.NumCPU(), "games played at the same time; never changes the result")
	fl.StringVar(&f.faults, "fault-limit", defaultFaults, "stop when a player has lost more games of a pairing than this, and more than this share, by its own faults: `games=N,share=P`, or off")
	fl.StringVar(&f.out, "out", "", "run directory to make (default: runs/TIME-GAME-"+kind+")")
	fl.BoolVar(&f.discard, "discard", false, "keep no games and write no report")
	f.moves.Register(cmd)
	fl.StringVar(&f.resume, "resume", "", "go on with the "+kind+" in `DIR`")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
}

func (f *contestFlags) check() error {
	if !(f.confidence > 0.5 && f.confidence < 1) {
		return fmt.Errorf("--confidence %v: want above 0.5 and below 1, such as 0.95", f.confidence)
	}
	if f.discard && f.out != "" {
		return errors.New("--discard keeps no games, so --out has nothing to hold; want one of the two")
	}
	if f.discard && f.moves.On() {
		return errDiscardedMoves
	}
	return cli.CheckWorkers(f.workers)
}

// contest is a tournament or ladder under way.
type contest struct {
	kind     string
	variant  engines.Variant
	seed     uint64
	spec     tournamentSpec
	schedule *match.Tournament
	folder   string        // "" if nothing is kept
	meta     datasets.Meta // of what is kept
	run      *match.Run    // nil if nothing is kept, or nothing played any more
	campaign *match.Campaign
	standing *standing
}

// open makes the campaign of a new contest and, unless discarded, its run
// directory.
func (f *contestFlags) open(ctx context.Context, c *contest, args []string) error {
	var err error
	if c.schedule, err = c.spec.schedule(); err != nil {
		return err
	}
	if f.faults != noFaults {
		if _, err := parseFaults(f.faults); err != nil {
			return fmt.Errorf("--fault-limit: %w", err)
		}
		c.spec.FaultLimit = f.faults
	}
	if err := cli.CheckOnly(ctx); err != nil {
		return err
	}
	if f.discard {
		c.campaign = &match.Campaign{Seed: f.seed}
		return c.ready()
	}
	dir := f.out
	if dir == "" {
		dir = filepath.Join("runs", time.Now().Format("20060102-150405")+"-"+c.variant.Game.Name+"-"+c.kind)
	}
	build, v := cli.ThisBuild(), c.variant
	c.folder, c.meta = dir, datasets.Meta{
		Kind: c.kind, Game: v.Game.Name, GameVersion: v.Game.Version, Rules: v.Rules, Seed: f.seed,
		Limits: c.spec.limits(), Revision: build.Revision, Program: build.Program, Go: build.Go,
		Command: c.spec.command(v, f.seed), Typed: cli.Typed(args), Created: time.Now().UTC().Truncate(time.Second),
		Parameters: v.Game.Space.Names(), RecordMoves: f.moves.Value,
	}
	if c.run, err = match.CreateRun(dir, c.meta, c.spec); err != nil {
		return err
	}
	c.campaign = &c.run.Campaign
	return c.ready()
}

// ready sets the campaign up as the spec says.
func (c *contest) ready() error {
	c.campaign.Variant, c.campaign.OpeningPlies = c.variant, c.spec.OpeningPlies
	c.standing = newStanding(c.spec, c.schedule)
	var err error
	c.campaign.FaultLimit, err = parseFaults(c.spec.FaultLimit)
	return err
}

// reopen opens a recorded contest to go on with it.
func (f *contestFlags) reopen(cmd *cobra.Command, kind string) (*contest, error) {
	var clash error
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		if !slices.Contains([]string{"resume", "workers", "json", "publish"}, fl.Name) && clash == nil {
			clash = fmt.Errorf("--%s cannot be changed when resuming: %s keeps what the %s was asked", fl.Name, filepath.Join(f.resume, "run.toml"), kind)
		}
	})
	if clash != nil {
		return nil, clash
	}
	if f.resume == "" {
		return nil, fmt.Errorf("--resume: want the folder of a %s", kind)
	}
	log, err := datasets.Read(f.resume)
	if err != nil {
		return nil, err
	}
	if log.Meta.Kind != kind {
		return nil, fmt.Errorf("%s: is a run of %q, not of %s", f.resume, log.Meta.Kind, kind)
	}
	variant, err := recordedVariant(f.resume, log.Meta)
	if err != nil {
		return nil, err
	}
	c, err := readContest(log)
	if err != nil {
		return nil, err
	}
	c.variant = variant
	if c.run, log, err = match.ResumeRun(f.resume); err != nil {
		return nil, err
	}
	c.campaign = &c.run.Campaign
	if err := c.ready(); err != nil {
		return nil, errors.Join(err, c.run.Close(cli.Typed(nil), cli.ThisBuild().CPU, nil))
	}
	if err := c.standing.count(log); err != nil {
		return nil, errors.Join(err, c.run.Close(cli.Typed(nil), cli.ThisBuild().CPU, nil))
	}
	return c, nil
}

// readContest reads what a recorded tournament or ladder was asked. Its variant
// is not open: a report plays nothing.
func readContest(log *datasets.Log) (*contest, error) {
	c := &contest{kind: log.Meta.Kind, seed: log.Meta.Seed, folder: log.Dir, meta: log.Meta}
	game, err := catalog.Find(log.Meta.Game)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", log.Dir, err)
	}
	c.variant = engines.Variant{Game: game, Rules: log.Meta.Rules}
	if err := log.Spec(&c.spec); err != nil {
		return nil, err
	}
	if c.schedule, err = c.spec.schedule(); err == nil && !(c.spec.Level > 0.5 && c.spec.Level < 1) {
		err = fmt.Errorf("level = %v: want above 0.5 and below 1", c.spec.Level)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: [spec]: %w", filepath.Join(log.Dir, "run.toml"), err)
	}
	c.standing = newStanding(c.spec, c.schedule)
	return c, nil
}

// recordedVariant is the game of a recorded run, if this program still plays it
// the same way.
func recordedVariant(dir string, m datasets.Meta) (engines.Variant, error) {
	v, err := catalog.Recorded{Game: m.Game, Version: m.GameVersion, Rules: m.Rules, Parameters: m.Parameters, Revision: m.Revision}.Open()
	if err != nil {
		return v, fmt.Errorf("%s: %w", dir, err)
	}
	return v, nil
}

// play plays the contest to its end, or until it is interrupted.
func (c *contest) play(ctx context.Context, workers int, args []string, stderr io.Writer) error {
	if c.run != nil {
		fmt.Fprintf(stderr, "run directory: %s\n", c.folder)
	}
	if !c.spec.repeatable() {
		fmt.Fprintln(stderr, "warning: a player is bound to a clock, so these games do not repeat exactly")
	}
	c.campaign.Workers = workers
	c.campaign.Fault = func(g datasets.GameRow, detail string) {
		fmt.Fprintf(stderr, "fault in trial %d (%s), pair %d, game %d (%s): %s\n", g.Trial, g.Phase, g.Pair, g.Game, g.Reason, detail)
	}
	c.campaign.Record = counted{next: c.campaign.Record, game: c.standing.game}
	show := cli.NewProgress(stderr)
	done, replays := int64(0), c.campaign.Replays()
	err := c.schedule.Run(ctx, c.campaign, func(row datasets.TrialRow) {
		done += int64(row.Games)
		c.standing.trial(row)
		round := row.Trial/int64(len(c.schedule.Pairings)) + 1
		show.Show(c.kind, done, c.schedule.Games(), c.campaign.Replays() > replays, fmt.Sprintf("round %d of %d", round, c.schedule.Rounds()))
		replays = c.campaign.Replays()
	})
	show.Close()
	if c.run == nil {
		if errors.Is(err, cli.ErrInterrupted) {
			fmt.Fprintln(stderr, "interrupted; nothing was kept (--discard)")
		}
		return err
	}
	err = c.run.Close(cli.Typed(args), cli.ThisBuild().CPU, err)
	if errors.Is(err, cli.ErrInterrupted) {
		fmt.Fprintf(stderr, "interrupted; nothing is lost. Go on with:\n  %s\n", cli.Resuming(ctx, "selfplay "+c.kind+" --resume "+cli.Quote(c.folder)))
	}
	return err
}

type tournamentFlags struct {
	contestFlags
	players             []string
	gauntlet, anchor    string
	pairs, round, plies int
	neighbours          int
}

func tournamentCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &tournamentFlags{}
	cmd := &cobra.Command{
		Use: "tournament --game GAME [--player PLAYER]...", Short: "rate many players together: cross table, ratings, chances to be the stronger",
		Long: `Tournament plays every player against every other (or one against all, with
--gauntlet; or each against the next in the list, with --neighbours) in pairs of
one opening with colours swapped, and rates all of them together: a cross table
of win rates, Elo ratings with intervals relative to one player, the chance that
each is stronger than each other, the first player's score and how games ended.

A PLAYER is [NAME:]PRESET or [NAME:]FILE.toml, then any ,name=value overrides,
then @BUDGET if it has limits of its own. Without --player all presets of the
game play but the bad one.

Pairings are played in rounds of --round pairs each, so a tournament that is
stopped early is whole if coarse; --resume goes on with it. The rows and the
result are the same for any --workers.`,
		Example: `  selfplay tournament --game quoridor --pairs 1000
  selfplay tournament --game gobang --player fixed@depth=2 --player deep:fixed@depth=3 --player patterns@depth=2
  selfplay tournament --game mills --player paper --player strong --player mine:runs/X/tuned.toml,w=12 --gauntlet mine
  selfplay tournament --resume runs/20261120-101500-quoridor-tournament`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.main(cmd, args, stdout, stderr) },
	}
	f.gameFlags.register(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.players, "player", nil, "`PLAYER`: [NAME:]PRESET|FILE.toml[,name=value...][@BUDGET] (repeatable)")
	fl.StringVar(&f.gauntlet, "gauntlet", "", "only the games of the player of this `NAME`")
	fl.IntVar(&f.neighbours, "neighbours", 0, "only the games of players at most `N` places apart in the list")
	fl.IntVar(&f.pairs, "pairs", 200, "game pairs of each pairing")
	fl.IntVar(&f.round, "round", 32, "game pairs of each pairing in one round")
	fl.StringVar(&f.limits, "limits", "", "`BUDGET` of a decision for players without their own, such as depth=3, nodes=20000, playouts=500 or time=1s (default: the game's own)")
	fl.IntVar(&f.plies, "opening-plies", 0, "random plies each pair starts from (default: the game's own)")
	fl.StringVar(&f.anchor, "anchor", "", "`NAME` of the player at 0 Elo (default: the game's default preset and limits if it plays, or else the first player)")
	f.contestFlags.register(cmd, tournamentKind)
	return cmd
}

func (f *tournamentFlags) main(cmd *cobra.Command, args []string, stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	var c *contest
	var err error
	if cmd.Flags().Changed("resume") {
		c, err = f.reopen(cmd, tournamentKind)
	} else {
		c, err = f.create(cmd, args)
	}
	if err != nil {
		return err
	}
	if err := c.play(cmd.Context(), f.workers, args, stderr); err != nil {
		return err
	}
	return c.finish(stdout, stderr, f.json)
}

// finish prints what came out and writes the report.
func (c *contest) finish(stdout, stderr io.Writer, asJSON bool) error {
	table, err := c.standing.rate()
	if err != nil {
		return err
	}
	if c.run != nil {
		if err := c.writeReport(table); err != nil {
			return err
		}
	}
	if asJSON {
		return table.json(c.folder).print(stdout, true)
	}
	table.print(stdout)
	if c.run != nil {
		fmt.Fprintf(stdout, "\nreport  %s\n", filepath.Join(c.folder, "report.html"))
	}
	return nil
}

// create makes a new tournament of the flags.
func (f *tournamentFlags) create(cmd *cobra.Command, args []string) (*contest, error) {
	v, err := f.gameFlags.open()
	if err != nil {
		return nil, err
	}
	c := &contest{kind: tournamentKind, variant: v, seed: f.seed}
	if c.spec, err = f.spec(cmd, v); err != nil {
		return nil, err
	}
	return c, f.contestFlags.open(cmd.Context(), c, args)
}

func (f *tournamentFlags) spec(cmd *cobra.Command, v engines.Variant) (tournamentSpec, error) {
	s := tournamentSpec{Schedule: roundRobin, Hero: f.gauntlet, Pairs: f.pairs, Round: min(f.round, f.pairs), Level: f.confidence}
	switch {
	case f.pairs < 1:
		return s, fmt.Errorf("--pairs %d: want at least 1", f.pairs)
	case f.round < 1:
		return s, fmt.Errorf("--round %d: want at least 1", f.round)
	case f.gauntlet != "" && cmd.Flags().Changed("neighbours"):
		return s, errors.New("--gauntlet and --neighbours are both given; want one")
	case f.gauntlet != "":
		s.Schedule = gauntlet
	case cmd.Flags().Changed("neighbours"):
		if s.Schedule, s.Reach = neighbours, f.neighbours; s.Reach < 1 {
			return s, fmt.Errorf("--neighbours %d: want at least 1", f.neighbours)
		}
	}
	var err error
	if s.OpeningPlies, err = cli.OpeningPlies(cmd, v.Game, f.plies); err != nil {
		return s, err
	}
	limits, err := budget(v.Game, f.limits)
	if err != nil {
		return s, err
	}
	for _, text := range f.texts(v.Game) {
		p, err := parseEntrant(v.Game, text, limits)
		if err != nil {
			return s, fmt.Errorf("--player: %w", err)
		}
		s.Players = append(s.Players, p)
	}
	return s, s.setAnchor(v.Game, f.anchor)
}

// texts are the players asked for: without any, all presets but the bad one.
func (f *tournamentFlags) texts(game *engines.Game) []string {
	if len(f.players) > 0 {
		return f.players
	}
	var texts []string
	for _, p := range game.Presets {
		if p.Name != game.Bad {
			texts = append(texts, p.Name)
		}
	}
	return texts
}
