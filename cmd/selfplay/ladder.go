package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/record"
)

// ladderReach is how far apart the rungs of a calibration may be to meet.
const ladderReach = 2

type ladderFlags struct {
	contestFlags
	players         []string
	against, anchor string
	publish         string
	rounds          int
	calibrate       bool
}

func ladderCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &ladderFlags{}
	cmd := &cobra.Command{
		Use: "ladder --game GAME --player PLAYER", Short: "play one player against the game's ladder of calibrated opponents",
		Long: `Ladder plays one player against every rung of the game's ladder, a list of
opponents from weak to strong whose ratings were measured once, and prints its
wins against each and its own rating on the ladder's scale, with interval. The
ratings come with the program (reports/published/ladder-GAME).

With --against RUNG only that opponent is met, and the result begins with a
block of the ratios of games that A (the player) won, B (the rung) won, and tied.

A PLAYER is [NAME:]PRESET or [NAME:]FILE.toml, then any ,name=value overrides,
then @BUDGET for other limits of a decision than the game's own.

With --calibrate the rungs themselves are measured: those of the published
ladder or, in any order, those given by --player. Each meets the next two of the
list, all are rated together, and ladder.toml and README.md are written into the
run directory, or into --publish.`,
		Example: `  selfplay ladder --game gobang --player runs/X/tuned.toml --rounds 50
  selfplay ladder --game gobang --player fixed@depth=3 --against fixed-2 --rounds 50
  selfplay ladder --resume runs/20261120-101500-gobang-ladder
  selfplay ladder --calibrate --game mills --rounds 100 --player 1:paper@depth=1 --player 2:paper@depth=2 --player 4:strong@depth=4`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.main(cmd, args, stdout, stderr) },
	}
	f.gameFlags.register(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.players, "player", nil, "`PLAYER`: [NAME:]PRESET|FILE.toml[,name=value...][@BUDGET]; with --calibrate one for each rung")
	fl.IntVar(&f.rounds, "rounds", 50, "rounds against each rung; a round is one opening played with both colours, so 2 games")
	fl.StringVar(&f.against, "against", "", "only against the rung of this `NAME`")
	fl.BoolVar(&f.calibrate, "calibrate", false, "measure the rungs themselves")
	fl.StringVar(&f.anchor, "anchor", "", "with --calibrate: `NAME` of the rung at 0 Elo (default: the game's default player)")
	fl.StringVar(&f.publish, "publish", "", "with --calibrate: `DIR` for ladder.toml and README.md (default: the run directory)")
	f.contestFlags.register(cmd, ladderKind)
	return cmd
}

func (f *ladderFlags) main(cmd *cobra.Command, args []string, stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	var c *contest
	var err error
	if cmd.Flags().Changed("resume") {
		c, err = f.reopen(cmd, ladderKind)
	} else {
		c, err = f.create(cmd, args)
	}
	if err != nil {
		return err
	}
	if c.spec.Calibrate {
		if err := c.play(cmd.Context(), f.workers, args, stderr); err != nil {
			return err
		}
		return c.publish(f.publish, stdout, stderr, f.json)
	}
	ladder, err := c.ladder()
	if err == nil && f.publish != "" {
		err = fmt.Errorf("--publish is for --calibrate; %s is the run of one player", c.folder)
	}
	if err != nil {
		if c.run != nil {
			err = errors.Join(err, c.run.Close(cli.Typed(args), cli.ThisBuild().CPU, nil))
		}
		return err
	}
	if ladder.GameVersion != c.variant.Game.Version {
		fmt.Fprintf(stderr, "warning: the ladder was measured with version %d of %s, this is version %d: its ratings may be off\n", ladder.GameVersion, c.variant.Game.Name, c.variant.Game.Version)
	}
	if err := c.play(cmd.Context(), f.workers, args, stderr); err != nil {
		return err
	}
	return c.climb(ladder, stdout, f.json)
}

// create makes a new ladder run or calibration of the flags.
func (f *ladderFlags) create(cmd *cobra.Command, args []string) (*contest, error) {
	switch {
	case f.rounds < 1:
		return nil, fmt.Errorf("--rounds %d: want at least 1", f.rounds)
	case f.calibrate && f.against != "":
		return nil, errors.New("--calibrate measures all rungs; --against makes no sense with it")
	case f.calibrate && f.discard:
		return nil, errors.New("--calibrate keeps its games: what is published must have a record; leave out --discard")
	case !f.calibrate && (f.anchor != "" || f.publish != ""):
		return nil, errors.New("--anchor and --publish are for --calibrate")
	case !f.calibrate && len(f.players) != 1:
		return nil, fmt.Errorf("%d players: want one --player; to compare several use selfplay tournament", len(f.players))
	}
	v, err := f.gameFlags.open()
	if err != nil {
		return nil, err
	}
	c := &contest{kind: ladderKind, variant: v, seed: f.seed}
	if f.calibrate {
		c.spec, err = f.calibration(v)
	} else {
		c.variant, c.spec, err = f.challenge(v)
	}
	if err != nil {
		return nil, err
	}
	return c, f.contestFlags.open(cmd.Context(), c, args)
}

// ladderRound is how many pairs a rung plays before the next one's turn.
const ladderRound = 16

// challenge is one player against the published rungs, under their rules.
func (f *ladderFlags) challenge(v engines.Variant) (engines.Variant, tournamentSpec, error) {
	var s tournamentSpec
	ladder, err := published.ReadLadder(v.Game.Name)
	if err != nil {
		return v, s, err
	}
	if f.rules != "" && v.Rules != ladder.Rules {
		return v, s, fmt.Errorf("--rules: the ladder of %s was measured under %s, and its ratings hold for nothing else; leave out --rules, or calibrate a ladder of your own", v.Game.Name, ladder.Rules)
	}
	if !slices.Equal(ladder.Parameters, v.Game.Space.Names()) {
		return v, s, fmt.Errorf("the published ladder of %s was measured with other parameters than this program has; measure it again with --calibrate", v.Game.Name)
	}
	rules, err := engines.ParseRules(ladder.Rules)
	if err != nil {
		return v, s, err
	}
	if v, err = v.Game.Open(rules); err != nil {
		return v, s, err
	}
	p, err := parseEntrant(v.Game, f.players[0], v.Game.Limits)
	if err != nil {
		return v, s, fmt.Errorf("--player: %w", err)
	}
	rungs := ladder.Rungs
	if f.against != "" {
		rung, err := ladder.Rung(f.against)
		if err != nil {
			return v, s, fmt.Errorf("--against: %w", err)
		}
		rungs = []published.Rung{rung}
	}
	for _, r := range ladder.Rungs {
		if r.Name == p.Name {
			p.Name = "player " + p.Name
		}
	}
	s = tournamentSpec{
		Schedule: gauntlet, Hero: p.Name, Anchor: ladder.Anchor, Against: f.against,
		Pairs: f.rounds, Round: min(ladderRound, f.rounds), OpeningPlies: ladder.OpeningPlies, Level: f.confidence,
		Players: []tournamentPlayer{p},
	}
	for _, r := range rungs {
		s.Players = append(s.Players, tournamentPlayer{Name: r.Name, Player: r.Player, Limits: r.Limits, Values: r.Values})
	}
	return v, s, nil
}

// calibration is a tournament of the rungs, each against its neighbours.
func (f *ladderFlags) calibration(v engines.Variant) (tournamentSpec, error) {
	s := tournamentSpec{
		Schedule: neighbours, Reach: ladderReach, Calibrate: true, Pairs: f.rounds, Round: min(ladderRound, f.rounds),
		OpeningPlies: v.Game.OpeningPlies, Level: f.confidence,
	}
	for _, text := range f.players {
		p, err := parseEntrant(v.Game, text, v.Game.Limits)
		if err != nil {
			return s, fmt.Errorf("--player: %w", err)
		}
		s.Players = append(s.Players, p)
	}
	if len(s.Players) == 0 {
		ladder, err := published.ReadLadder(v.Game.Name)
		if err != nil {
			return s, fmt.Errorf("no --player, and %w", err)
		}
		for _, r := range ladder.Rungs {
			p, err := parseEntrant(v.Game, r.Name+":"+entrantText(r), v.Game.Limits)
			if err != nil {
				return s, fmt.Errorf("rung %s of the published ladder: %w", r.Name, err)
			}
			s.Players = append(s.Players, p)
		}
		return s, s.setAnchor(v.Game, cmp.Or(f.anchor, ladder.Anchor))
	}
	return s, s.setAnchor(v.Game, f.anchor)
}

// entrantText writes a rung as --player takes it, without its name.
func entrantText(r published.Rung) string {
	if r.Limits == "" {
		return r.Player
	}
	return r.Player + "@" + r.Limits
}

// ladder returns the published ladder that the contest was played against.
func (c *contest) ladder() (published.Ladder, error) {
	l, err := published.ReadLadder(c.variant.Game.Name)
	if err != nil {
		return l, err
	}
	for _, p := range c.spec.Players[1:] {
		r, err := l.Rung(p.Name)
		if err == nil && (r.Limits != p.Limits || !slices.Equal(r.Values, p.Values)) {
			err = fmt.Errorf("rung %s has changed", p.Name)
		}
		if err != nil {
			return l, fmt.Errorf("%s was played against another ladder: %w; use the program it was made with or start anew", c.folder, err)
		}
	}
	return l, nil
}

// climb prints what came of a challenge and writes its report.
func (c *contest) climb(ladder published.Ladder, stdout io.Writer, asJSON bool) error {
	placed, err := ladder.Place(c.placings())
	if err != nil {
		return err
	}
	if c.run != nil {
		if err := c.writeLadderReport(ladder, placed); err != nil {
			return err
		}
	}
	if asJSON {
		return c.ladderJSON(ladder, placed).print(stdout, true)
	}
	if c.spec.Against != "" {
		statBlock(stdout, c.standing.results.Games(0, 1))
		fmt.Fprintf(stdout, "\nA's Elo against B    %s\n", c.standing.results.Pairs(0, 1).Estimate(c.spec.Level))
	} else {
		c.rungTable(ladder, ":").Print(stdout, 1, 2, 3)
		fmt.Fprintln(stdout)
	}
	fmt.Fprintf(stdout, "%s\n", c.placing(ladder, placed))
	if warning := c.beyond(ladder); warning != "" {
		fmt.Fprintln(stdout, warning)
	}
	if c.run != nil {
		fmt.Fprintf(stdout, "report               %s\n", filepath.Join(c.folder, "report.html"))
	}
	return nil
}

// placings are the player's results as the ladder takes them.
func (c *contest) placings() []published.Result {
	var results []published.Result
	for i, p := range c.schedule.Pairings {
		results = append(results, published.Result{X: c.spec.Hero, Than: c.spec.Players[p.Than].Name, Pairs: c.standing.twins[i]})
	}
	return results
}

func (c *contest) placing(l published.Ladder, placed rating.Rating) string {
	return fmt.Sprintf("rating on the ladder %s Elo (%s %%), where %s is 0",
		plusMinus(placed.Elo, placed.Interval(c.spec.Level).Half()), reports.Number(100*c.spec.Level, 0), l.Anchor)
}

// beyond warns of a player that won or lost nearly everything: then its rating
// is a bound more than a measurement.
func (c *contest) beyond(l published.Ladder) string {
	var all rating.Games
	for _, p := range c.schedule.Pairings {
		all = all.Plus(c.standing.results.Games(p.X, p.Than))
	}
	if c.spec.Against != "" && (all.Score() <= 0.02 || all.Score() >= 0.98) {
		return "warning: so one-sided a result says little about the difference; try another rung"
	}
	if c.spec.Against == "" && (all.Score() <= 0.02 || all.Score() >= 0.98) {
		return fmt.Sprintf("warning: the player is beyond the ladder, whose rungs go from %+.0f to %+.0f Elo", l.Rungs[0].Elo, l.Rungs[len(l.Rungs)-1].Elo)
	}
	return ""
}

// rungTable lists every rung as "opponent: wins/games"; colon follows its name.
func (c *contest) rungTable(l published.Ladder, colon string) cli.Table {
	t := cli.Table{{"opponent", "wins/games", "draws", "rung's Elo"}}
	for _, p := range c.schedule.Pairings {
		name := c.spec.Players[p.Than].Name
		g := c.standing.results.Games(p.X, p.Than)
		elo := "?"
		if r, err := l.Rung(name); err == nil {
			elo = fmt.Sprintf("%+.0f", r.Elo)
		}
		t = append(t, []string{name + colon, fmt.Sprintf("%d/%d", g.Wins, g.N()), fmt.Sprint(g.Draws), elo})
	}
	return t
}

// statBlock writes the ratios of games in the form of the course's arena.
func statBlock(out io.Writer, g rating.Games) {
	n := max(g.N(), 1)
	ratio := func(k int) string {
		return strconv.FormatFloat(math.Round(1e4*float64(k)/float64(n))/1e4, 'f', -1, 64)
	}
	fmt.Fprintf(out, "Stat:\nratio of A wins : %s\nratio of B wins : %s\nratio of Tie : %s\nratio of (A wins + tie) : %s\nratio of (B wins + tie) : %s\n",
		ratio(g.Wins), ratio(g.Losses), ratio(g.Draws), ratio(g.Wins+g.Draws), ratio(g.Losses+g.Draws))
}

func (c *contest) ladderJSON(l published.Ladder, placed rating.Rating) object {
	var rungs []object
	for _, p := range c.schedule.Pairings {
		g := c.standing.results.Games(p.X, p.Than)
		tally := c.standing.results.Pairs(p.X, p.Than)
		term := object{
			{Name: "opponent", Value: c.spec.Players[p.Than].Name}, {Name: "wins", Value: g.Wins}, {Name: "draws", Value: g.Draws}, {Name: "losses", Value: g.Losses},
			{Name: "pairs", Value: tally}, {Name: "estimate", Value: tally.Estimate(c.spec.Level)},
		}
		if r, err := l.Rung(c.spec.Players[p.Than].Name); err == nil {
			term = append(term, engines.Term{Name: "elo", Value: r.Elo}, engines.Term{Name: "se", Value: r.SE})
		}
		rungs = append(rungs, term)
	}
	return object{
		{Name: "player", Value: c.spec.Hero}, {Name: "against", Value: c.spec.Against}, {Name: "rungs", Value: rungs},
		{Name: "elo", Value: placed.Elo}, {Name: "se", Value: placed.SE}, {Name: "elo_range", Value: placed.Interval(c.spec.Level)},
		{Name: "anchor", Value: l.Anchor}, {Name: "repeatable", Value: c.spec.repeatable()}, {Name: "run", Value: c.folder},
	}
}

// writeLadderReport writes the report of a challenge into the run directory.
func (c *contest) writeLadderReport(ladder published.Ladder, placed rating.Rating) error {
	page, err := c.ladderPage(ladder, placed)
	if err != nil {
		return err
	}
	return c.writePage(page)
}

// ladderPage is the report of a challenge.
func (c *contest) ladderPage(l published.Ladder, placed rating.Rating) (reports.Page, error) {
	page := reports.Page{Title: fmt.Sprintf("Ladder of %s: %s", c.variant.Game.Title, c.spec.Hero), Warnings: c.warnings()}
	var err error
	if page.Facts, err = c.facts(); err != nil {
		return page, err
	}
	if c.standing.played.N == 0 {
		page.Lead = []string{"No game is recorded yet."}
		return page, nil
	}
	in := placed.Interval(c.spec.Level)
	bars := figure.Bars{Title: "Rating on the ladder", Subtitle: fmt.Sprintf("%s %% intervals", reports.Number(100*c.spec.Level, 0)), XLabel: "Elo", ZeroLabel: l.Anchor,
		Bars: []figure.Bar{{Name: c.spec.Hero, Value: placed.Elo, Lo: in.Low, Hi: in.High, Strong: true}}}
	for _, r := range l.Rungs {
		in := rating.Rating{Elo: r.Elo, SE: r.SE}.Interval(c.spec.Level)
		bars.Bars = append(bars.Bars, figure.Bar{Name: r.Name, Value: r.Elo, Lo: in.Low, Hi: in.High})
	}
	slices.SortStableFunc(bars.Bars, func(a, b figure.Bar) int { return cmp.Compare(b.Value, a.Value) })
	table := reports.Table{Columns: []reports.Column{{Name: "opponent"}, {Name: "wins/games", Right: true}, {Name: "draws", Right: true}, {Name: "rung's Elo", Right: true}}, Rows: c.rungTable(l, "")[1:]}
	page.Lead = []string{"Result: " + c.placing(l, placed) + "."}
	if warning := c.beyond(l); warning != "" {
		page.Warnings = append(page.Warnings, strings.TrimPrefix(warning, "warning: "))
	}
	page.Sections = []reports.Section{{Title: "Against the rungs", Blocks: []reports.Block{
		reports.Text("The rating is a joint fit of these games and of all those the ladder was measured by, so its interval holds what is not known of the rungs too."),
		reports.Plot{Name: "ladder", Caption: "The player among the rungs.", Figure: bars}, table,
	}}, c.standing.openingSection(), c.standing.played.Section(c.spec.Level)}
	if c.spec.Against != "" {
		var stat strings.Builder
		statBlock(&stat, c.standing.results.Games(0, 1))
		against := &page.Sections[0]
		against.Blocks = append(against.Blocks, reports.Code(stat.String()))
	}
	return page, nil
}

// publish writes the ladder that was measured.
func (c *contest) publish(dir string, stdout, stderr io.Writer, asJSON bool) error {
	if dir == "" {
		dir = c.folder
	}
	table, err := c.standing.rate()
	if err != nil {
		return err
	}
	ladder := c.newLadder(table)
	if err := ladder.Check(); err != nil {
		return fmt.Errorf("the measured ladder is not fit to publish: %w", err)
	}
	readme, err := ladderReadme(c, table)
	if err != nil {
		return err
	}
	if err := writeLadder(dir, ladder, readme); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "ladder: %s\n", filepath.Join(dir, published.LadderName))
	return c.finish(stdout, stderr, asJSON)
}

// newLadder turns the rated rungs into a ladder, the weakest first.
func (c *contest) newLadder(r *ratedStanding) published.Ladder {
	m := c.meta
	l := published.Ladder{
		Schema: published.Schema, Game: m.Game, GameVersion: m.GameVersion, Rules: m.Rules, OpeningPlies: c.spec.OpeningPlies,
		Anchor: c.spec.Anchor, Parameters: m.Parameters, Revision: m.Revision, Command: c.recipe(),
	}
	round := func(x float64) float64 { return math.Round(100*x) / 100 }
	for _, i := range slices.Backward(r.order) {
		p, rated := c.spec.Players[i], r.ratings.Players[i]
		l.Rungs = append(l.Rungs, published.Rung{
			Name: p.Name, Player: p.Player, Limits: p.Limits, Values: p.Values,
			Elo: round(rated.Elo), SE: round(rated.SE), Games: rated.Games,
		})
	}
	for k, p := range c.schedule.Pairings {
		l.Results = append(l.Results, published.Result{X: c.spec.Players[p.X].Name, Than: c.spec.Players[p.Than].Name, Pairs: c.standing.twins[k]})
	}
	return l
}

// recipe is the command that measures the ladder again.
func (c *contest) recipe() string {
	words := []string{"selfplay ladder --calibrate --game", c.variant.Game.Name, "--rules", c.variant.Rules,
		"--rounds", strconv.Itoa(c.spec.Pairs), "--seed", strconv.FormatUint(c.seed, 10), "--anchor", cli.Quote(c.spec.Anchor)}
	for _, p := range c.spec.Players {
		words = append(words, "--player", cli.Quote(p.Name+":"+entrantText(published.Rung{Player: p.Player, Limits: p.Limits})))
	}
	return strings.Join(words, " ")
}

// ladderReadme is the page of a measured ladder for people.
func ladderReadme(c *contest, r *ratedStanding) (reports.Page, error) {
	page, err := tournamentPage(fmt.Sprintf("Ladder of %s", c.variant.Game.Title), c, r)
	if err != nil {
		return page, err
	}
	page.Lead = []string{
		fmt.Sprintf("%d opponents from weak to strong, rated together from %s games in which each met the next %d of the list. "+
			"`selfplay ladder --game %s --player PLAYER` plays against them; `ladder.toml` holds their parameters, ratings and results.",
			len(r.order), record.Count(r.played.N), c.spec.Reach, c.variant.Game.Name),
	}
	page.Facts = slices.DeleteFunc(page.Facts, func(f reports.Fact) bool { return slices.Contains([]string{"typed", "command", "time"}, f.Key) }) // the recipe says it
	page.Sections = append([]reports.Section{{Title: "Measured by", Blocks: []reports.Block{reports.Code(c.recipe())}}}, page.Sections...)
	return page, nil
}

// writeLadder writes ladder.toml, README.md and the figures that it shows.
func writeLadder(dir string, l published.Ladder, page reports.Page) error {
	data, err := l.Encode()
	if err != nil {
		return err
	}
	if err := publishPage(dir, page); err != nil {
		return fmt.Errorf("ladder of %s: %w", l.Game, err)
	}
	return datasets.WriteFile(filepath.Join(dir, published.LadderName), data)
}
