package selfplay

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/record"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// planFlags are the flags of selfplay plan.
type planFlags struct {
	gameFlags
	elo, half, draws, even float64
	level, power           float64
	sprt, limits           string
	tuning                 int
	seconds                float64
	json                   bool
	runs                   []string // recorded, whose information is compared
}

// maxPlanned bounds the differences and widths, in Elo, that a plan is about.
const maxPlanned = 1000

func planCommand(stdout, stderr io.Writer) *cobra.Command {
	f := &planFlags{}
	cmd := &cobra.Command{
		Use: "plan --elo ELO", Short: "estimate the pairs, time and workers that a measurement needs",
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, stdout, stderr) },
	}
	fl := cmd.Flags()
	f.gameFlags.register(cmd)
	fl.Float64Var(&f.elo, "elo", 0, "assumed true difference of the players, in `ELO`")
	fl.Float64Var(&f.half, "within", 0, "half-width of the interval to reach, in `ELO`")
	fl.StringVar(&f.sprt, "sprt", "", "estimate the length of a sequential test: `elo0=0,elo1=5`, optionally with alpha, beta, model")
	fl.IntVar(&f.tuning, "tuning", 0, "estimate how many workers a tuning of `N` pairs keeps busy")
	fl.Float64Var(&f.draws, "draws", 0, "share of drawn games, from 0 to 1")
	fl.Float64Var(&f.even, "even", 0, "share of pairs that were split or drawn twice, from 0 to 1 (default: as for independent games)")
	fl.Float64Var(&f.level, "confidence", 0.95, "confidence level of the interval")
	fl.Float64Var(&f.power, "power", 0.95, "probability of showing the difference if it exists")
	fl.StringVar(&f.limits, "limits", "", "`BUDGET` of each decision (default: set by the game)")
	fl.Float64Var(&f.seconds, "seconds", 2, "duration of the speed measurement")
	fl.StringArrayVar(&f.runs, "run", nil, "compare the information in the recorded pairs of this `RUN` with its cost (repeatable)")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// check rejects flags that give no plan.
func (p *planFlags) check(fl *pflag.FlagSet) error {
	changed := fl.Changed
	switch {
	case !(p.level > 0 && p.level < 1):
		return fmt.Errorf("--confidence %v: want between 0 and 1, such as 0.95", p.level)
	case !(p.power >= 0.5 && p.power < 1):
		return fmt.Errorf("--power %v: want at least 0.5 and below 1, such as 0.95", p.power)
	case len(p.runs) > 0:
		return cli.NoEffect(fl, "with --run: the record tells", "game", "rules", "elo", "within", "sprt", "tuning", "draws", "even", "limits",
			"seconds")
	case !changed("elo") && !changed("within") && !changed("sprt") && !changed("tuning"):
		return errors.New("nothing to plan: want --elo, --within, --sprt, --tuning or --run")
	case changed("tuning") && (p.tuning < 1 || p.tuning > runs.MaxPairs):
		return fmt.Errorf("--tuning %d: want 1 to %d pairs", p.tuning, int64(runs.MaxPairs))
	case changed("elo") && !(math.Abs(p.elo) <= maxPlanned && p.elo != 0):
		return fmt.Errorf("--elo %v: want a difference of up to %d that is not 0, such as 5", p.elo, maxPlanned)
	case changed("within") && !(p.half > 0 && p.half <= maxPlanned):
		return fmt.Errorf("--within %v: want above 0 and at most %d, such as 3", p.half, maxPlanned)
	case changed("power") && (changed("sprt") || !changed("elo")):
		return errors.New("--power has no effect without --elo, or with --sprt, which has its own error rates")
	case p.game == "":
		return cli.NoEffect(fl, "without --game: no speed is measured", "rules", "limits", "seconds")
	}
	return nil
}

func (p *planFlags) run(cmd *cobra.Command, stdout, stderr io.Writer) error {
	changed := cmd.Flags().Changed
	if err := p.check(cmd.Flags()); err != nil { // before anything is measured
		return err
	}
	if len(p.runs) > 0 {
		return p.recorded(cmd.Context(), stdout)
	}
	variance, err := p.variance(changed("even"))
	if err != nil {
		return err
	}
	speed, err := p.speed(cmd, stderr)
	if err != nil {
		return err
	}
	o := runs.Object{{"variance of a pair", variance}}
	if !p.json {
		o[0].Value = text.Digits(variance, 4)
	}
	if speed > 0 {
		games := any(speed)
		if !p.json {
			games = text.Digits(speed, 4)
		}
		o = append(o, runs.Entry{"games a second", games})
	}
	most := 0.0
	for _, part := range []struct {
		asked bool
		plan  func(variance float64) ([]length, error)
	}{
		{changed("elo") && !changed("sprt"), p.difference}, {changed("within"), p.interval}, {changed("sprt"), p.test},
		{changed("tuning"), p.workers},
	} {
		if !part.asked {
			continue
		}
		list, err := part.plan(variance)
		if err != nil {
			return err
		}
		for _, l := range list {
			o = append(o, l.entries(speed, p.json)...)
			most = max(most, l.pairs)
		}
	}
	if most >= 1 && most < math.MaxInt64 && !changed("tuning") { // a tuning tells its own
		cores, limit := runs.FeedsUnordered(int64(most))
		o = append(o, runs.Entry{"workers kept busy", text.Count(cores)}, runs.Entry{"what limits it", limit})
	}
	return cli.PrintObject(stdout, o, p.json)
}

// variance returns the variance of a pair's mean score.
func (p *planFlags) variance(profile bool) (float64, error) {
	switch {
	case !(p.draws >= 0 && p.draws <= 1):
		return 0, fmt.Errorf("--draws %v: want a share from 0 to 1", p.draws)
	case profile && p.draws > 0:
		return 0, errors.New("--draws has no effect with --even, which takes all other pairs as won or lost twice; give one of them, or --run")
	case profile && !(p.even >= 0 && p.even <= 1):
		return 0, fmt.Errorf("--even %v: want a share from 0 to 1", p.even)
	case profile:
		v, err := rating.ProfileVariance(p.elo, p.even)
		if err != nil {
			err = fmt.Errorf("--even: %w", err)
		}
		return v, err
	}
	return rating.PairVariance(p.elo, p.draws), nil
}

// speed is the default player's on all processors, in games a second; 0 without
// a game.
func (p *planFlags) speed(cmd *cobra.Command, stderr io.Writer) (float64, error) {
	if p.game == "" {
		return 0, nil
	}
	v, err := p.open()
	if err != nil {
		return 0, err
	}
	if !(p.seconds > 0 && p.seconds <= maxSeconds) {
		return 0, fmt.Errorf("--seconds %v: want above 0 and at most %d", p.seconds, maxSeconds)
	}
	limits, err := budget(v.Game, p.limits)
	if err != nil {
		return 0, err
	}
	player, err := player.Parse(v.Game, v.Game.DefaultPreset, limits)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(stderr, "measuring %s on %s for %v s\n", v.Game.Title, text.Plural(runtime.NumCPU(), "worker"), p.seconds)
	s, err := record.Measure(cmd.Context(), v, player, runtime.NumCPU(), time.Duration(p.seconds*float64(time.Second)))
	return s.Rate(s.Games), err
}

// length is a planned number of pairs, or another number.
type length struct {
	what   string
	pairs  float64
	number string // instead of pairs
}

func (l length) entries(speed float64, asJSON bool) runs.Object {
	if l.number != "" {
		return runs.Object{{l.what, l.number}}
	}
	if asJSON {
		o := runs.Object{{l.what, l.pairs}}
		if speed > 0 {
			o = append(o, runs.Entry{l.what + ", seconds", 2 * l.pairs / speed})
		}
		return o
	}
	line := text.Plural(int64(l.pairs+0.5), "pair")
	if speed > 0 {
		line += ", " + text.Span(2*l.pairs/speed) + " here"
	}
	return runs.Object{{l.what, line}}
}

func (p *planFlags) plan(variance float64) rating.Plan {
	return rating.Plan{Variance: variance, Level: p.level, Power: p.power}
}

func (p *planFlags) difference(variance float64) ([]length, error) {
	n, err := p.plan(variance).PairsFor(p.elo)
	return []length{{what: fmt.Sprintf("to show %+g Elo with a chance of %s", p.elo, text.Percent(p.power)), pairs: float64(n)}}, err
}

func (p *planFlags) interval(variance float64) ([]length, error) {
	n, err := p.plan(variance).PairsWithin(p.half, p.elo)
	return []length{{what: fmt.Sprintf("for an interval of ± %g Elo (%s)", p.half, text.Level(p.level)), pairs: float64(n)}}, err
}

func (p *planFlags) test(variance float64) ([]length, error) {
	test, err := rating.ParseSPRT(p.sprt)
	if err != nil {
		return nil, fmt.Errorf("--sprt: %w", err)
	}
	var list []length
	elos := []float64{test.Elo0, test.Elo1}
	if p.elo != 0 && !slices.Contains(elos, p.elo) {
		elos = slices.Insert(elos, 1, p.elo)
	}
	for _, elo := range elos {
		l := test.Length(elo, variance)
		test := fmt.Sprintf("the test at %+g Elo", elo)
		list = append(list,
			length{what: test + ", on average", pairs: l.Mean}, length{what: test + ", 95 % end within", pairs: l.P95},
			length{what: test + ", passes in", number: text.Percent(l.Pass)})
	}
	return list, nil
}

func (p *planFlags) workers(float64) ([]length, error) {
	well, passably := rating.Feeds(p.tuning)
	return []length{
		{what: "workers kept busy", number: text.Count(well)},
		{what: "passably busy", number: text.Count(passably)},
		{what: "what limits it",
			number: "steps that build on each other may run a thirtieth of the iterations behind their results; matches, tournaments and " +
				"verifications have no such limit"},
	}, nil
}
