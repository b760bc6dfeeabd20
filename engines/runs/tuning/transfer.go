package tuning

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// transferShare is the share of the verification's least pairs that a player has with the
// start at other limits: one in this many.
const transferShare = 4

// transfer is the phase in which the tuned and the fitted values play the start at other limits,
// because a gain at one need not hold at another.
type transfer struct {
	matches
	tuned   *selectPhase
	verify  *verifyPhase
	results []rating.Pairs // one a match
	alike   []string       // a note for each match whose players decided alike
}

func newTransfer(v *verifyPhase) *transfer {
	p := &transfer{tuned: v.tuned, verify: v, matches: matches{phase: newPhase(v.spec, phaseTransfer, v.stageIndex), named: true,
		note: "is the gain there at other limits, too?"}}
	if len(p.spec.VerifyLimits) > 0 {
		least := cmp.Or(p.spec.VerifyMin, min(minVerified*p.spec.task.Game.TuningPairs(), p.spec.VerifyPairs))
		p.pairs = max(1, least/transferShare)
	}
	p.lineup = p.everybody
	return p
}

// otherLimits returns the limits at which the gain is compared.
func (c *Config) otherLimits(game *engines.Game) (list []engines.Limits, err error) {
	for _, text := range c.VerifyLimits {
		l, err := engines.ParseLimits(text)
		if err == nil && !c.Start.External() {
			err = game.CheckLimits(l)
		}
		if err != nil {
			return nil, config.Wrap("verify_limits", err)
		}
		list = append(list, l)
	}
	return list, nil
}

// checkOtherLimits reports limits that cannot be compared.
func (c *Config) checkOtherLimits(game *engines.Game) error {
	if len(c.VerifyLimits) > 0 && (c.Elsewhere != nil || c.VerifyPairs == 0) {
		return config.Errorf("verify_limits", "%s: requires a game and a verification", c.VerifyLimits[0])
	}
	_, err := c.otherLimits(game)
	return err
}

// checkRepeatedLimits reports limits at which the same games would be played again: recorded runs may
// have them.
func (c *Config) checkRepeatedLimits(game *engines.Game) error {
	list, err := c.otherLimits(game)
	for i, l := range list {
		if l == c.Start.Limits {
			return config.Errorf("verify_limits", "%s: the verification plays at these limits already; want others", c.VerifyLimits[i])
		} else if slices.Contains(list[:i], l) {
			return config.Errorf("verify_limits", "%s: given twice", c.VerifyLimits[i])
		}
	}
	return err
}

// everybody has the players meet the start at other limits.
func (t *transfer) everybody() (l lineup) {
	if !t.tuned.settled() {
		n := len(t.spec.VerifyLimits)
		if t.spec.FitPairs > 0 {
			n *= len(contestants)
		}
		return lineup{meets: make([]schedule.Pairing, n), open: true}
	}
	limits, err := t.spec.otherLimits(t.spec.task.Game)
	if err != nil || t.tuned.same() { // Check has reported the error
		return l
	}
	c := t.tuned.contested
	for _, at := range limits {
		for k, name := range contestants {
			e := t.spec.tuned(t.tuned.recommend())
			switch {
			case !c.played && k > 0, c.played && k == 2 && c.winner != 2:
				continue
			case c.played && k != c.winner:
				e = t.spec.named(name, c.values[k])
			case k > 0:
				e.Name = name
			}
			start := t.spec.start()
			e.Limits, start.Limits = at, at
			l.match(e, start)
		}
	}
	return l
}

func (t *transfer) Add(n int64, f schedule.Finished) error {
	_, _, err := t.meeting(n, f.Trial)
	pairs, e := rating.Pairs(f.Trial.PairCounts()), t.lineup().players[2*len(t.results)]
	t.results = append(t.results, pairs)
	at := "@" + e.Limits.String() + "`"
	t.alike = append(t.alike, runs.Alike("`"+e.Name+at, "`start"+at, int64(f.Trial.Compared), int64(f.Trial.Differing), pairs))
	return err
}

func (t *transfer) Part(n int64, row datasets.TrialRow) (runs.Part, bool) {
	seats, err := t.Seats(n, row)
	if err != nil {
		return runs.Part{}, false
	}
	return runs.Part{Name: fmt.Sprintf("%s v start at %s%s", seats[0].Name, seats[0].Limits, t.suffix()), Seats: seats}, true
}

// transferred is a gain at other limits.
type transferred struct {
	Name     string          `json:"name"`
	Limits   string          `json:"limits"`
	Pairs    rating.Pairs    `json:"pairs"`
	Estimate rating.Estimate `json:"estimate"` // over the start
	Chosen   bool            `json:"chosen"`
	// Gone reports that the verification shows a gain, that this shows none, and that the
	// two differ by more than both errors.
	Gone bool `json:"gone"`
}

// Transferred lists the gains at other limits.
func (p *transfer) Transferred() []transferred {
	list := []transferred{}
	direct := p.verify.tally().Estimate(p.spec.Level)
	players := p.lineup().players
	for n, pairs := range p.results {
		c, e := p.tuned.contested, players[2*n]
		t := transferred{Name: e.Name, Limits: e.Limits.String(), Pairs: pairs, Estimate: pairs.Estimate(p.spec.Level),
			Chosen: !c.played || e.Name == contestants[c.winner]}
		if !direct.Few && t.Estimate.N >= rating.MinSample && t.Chosen { // pairs all alike show that nothing is gained
			half := math.Hypot(direct.EloRange.High-direct.EloRange.Low, t.Estimate.EloRange.High-t.Estimate.EloRange.Low) / 2
			t.Gone = direct.EloRange.Low > 0 && t.Estimate.EloRange.Low <= 0 && direct.Elo-t.Estimate.Elo > half
		}
		list = append(list, t)
	}
	return list
}

// Warnings implements Phase: gains that disappear, and values that change no decision.
func (p *transfer) Warnings() (list []error) {
	for n, t := range p.Transferred() {
		if p.alike[n] != "" {
			list = append(list, warning(p.alike[n]))
		}
		if t.Gone {
			list = append(list, warnf("The gain of the tuned values disappears at %s: %s, but %s at the limits of the tuning.", t.Limits, t.Estimate,
				p.verify.tally().Estimate(p.spec.Level)))
		}
	}
	return list
}

func (p *transfer) Sections() ([]reports.Section, error) {
	found := p.Transferred()
	if len(found) == 0 {
		return nil, nil
	}
	table := reports.Table{Columns: reports.Columns("limits", "player", ">pairs", "Elo above the start", "")}
	direct := p.verify.tally()
	chosen := contestantName(contestants[p.tuned.contested.winner], true)
	table.Rows = append(table.Rows, []string{p.spec.Start.Limits.String(), chosen, text.Count(direct.N()),
		direct.Estimate(p.spec.Level).String(), "the verification"})
	for _, t := range found {
		note := ""
		if t.Gone {
			note = "the gain disappears"
		}
		table.Rows = append(table.Rows, []string{t.Limits, contestantName(t.Name, t.Chosen), text.Count(t.Pairs.N()), t.Estimate.String(), note})
	}
	return []reports.Section{{Title: "At other limits", Blocks: []reports.Block{
		reports.Note("The tuned values, and those that were not chosen, played the start at other limits too, on " + p.spec.fresh() +
			". Each interval is for a single look. A gain at one limit may be missing at another."), table}}}, nil
}
