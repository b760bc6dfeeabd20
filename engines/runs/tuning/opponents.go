package tuning

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
)

// mostOpponents bounds a pool: each plays its share of the trials.
const maxOpponents = 50

// opponentSeed keeps the order of opponents apart from other draws: "pool".
const opponentSeed = 0x706f6f6c

// oppose reads the opponents. A text may list several: a part that is no NAME=VALUE of
// the player before it begins the next.
func (s *Spec) oppose(texts []string, seat func(text string) (player.Config, error)) error {
	for _, text := range playerList(texts) {
		e, err := seat(text)
		if err != nil {
			return err
		}
		if other := slices.IndexFunc(s.opponents(), func(o player.Config) bool { return o.Same(e) || o.Name == e.Name }); other >= 0 {
			return config.Errorf("against", "%s: is there twice, or two opponents have one name; NAME:PLAYER gives another", text)
		}
		if s.Against == nil {
			s.Against = &e
			continue
		}
		s.Others = append(s.Others, e)
	}
	if n := len(s.opponents()); n > maxOpponents {
		return config.Errorf("against", "%d opponents: want at most %d", n, maxOpponents)
	}
	return nil
}

// playerList splits lists of players.
func playerList(texts []string) (list []string) {
	for _, text := range texts {
		for i, part := range strings.Split(text, ",") {
			if name, _, is := strings.Cut(part, "="); i > 0 && is && !strings.ContainsAny(name, "@:") {
				list[len(list)-1] += "," + part
				continue
			}
			list = append(list, part)
		}
	}
	return list
}

// opponents are whom the tuning is against; none for self-play.
func (s *Spec) opponents() []player.Config {
	if s.Against == nil {
		return nil
	}
	return append([]player.Config{*s.Against}, s.Others...)
}

// eachPoint is the least number of pairs of a given point for each opponent: of a
// grid, that meets another with every round of so many.
const eachPoint = 50

// checkPool reports why so many opponents do not fit the method.
func (s *Spec) checkPool() error {
	n := len(s.opponents())
	if _, points := s.method.(Pointed); points && n > 1 && s.Pairs < eachPoint*n {
		return config.Errorf("pairs", "%d: want at least %d, so that every point meets all of %d opponents", s.Pairs, eachPoint*n, n)
	}
	return nil
}

// drawn are the opponents with the order in which a tuner meets them.
func (s *Spec) drawn(seed uint64) schedule.Opponents {
	return schedule.Opponents{Players: s.opponents(), Seed: engines.Seed(seed, opponentSeed)}
}

// opposition names the opponents for people; "" for none.
func (s *Spec) opposition() string {
	var names []string
	for _, e := range s.opponents() {
		names = append(names, e.Name)
	}
	return strings.Join(names, ", ")
}

// byPool reports whether the verdict is by the mean over a pool of opponents.
func (s *Spec) byPool() bool { return len(s.Others) > 0 && s.AgainstPairs > 0 }

// stretch is the number of pairs of a trial against an opponent.
const stretch = 50

// againstSeats are who plays the opponents: the start, then the tuned player
// unless it is the same.
func (s *Spec) againstSeats(best params.Vector) []player.Config {
	switch {
	case s.AgainstPairs == 0:
		return nil
	case slices.Equal(best, s.Start.Values):
		return []player.Config{s.start()}
	}
	return []player.Config{s.start(), s.tuned(best)}
}

// against lists the trials of start and tuned values against the opponents.
func (s *Spec) against(best params.Vector) *schedule.Listed {
	return s.meeting(PhaseAgainst, s.againstSeats(best), s.AgainstPairs)
}

// meeting lists the trials of players that each play every opponent, in rounds, on
// the same openings; see met.
func (s *Spec) meeting(phase string, seats []player.Config, pairs int) *schedule.Listed {
	l := &schedule.Listed{}
	for from := 0; from < pairs; from += stretch {
		for _, opponent := range s.opponents() {
			for _, e := range seats {
				trial := s.trial(phase, e, opponent, min(stretch, pairs-from))
				trial.Openings = uint64(from / stretch)
				l.Trials = append(l.Trials, trial)
			}
		}
	}
	return l
}

// met is who plays whom in the nth trial of a meeting of so many players.
func (s *Spec) met(n int64, players int) (player, opponent int) {
	k := int64(max(1, players))
	return int(n % k), int(n / k % int64(len(s.opponents())))
}

// opposing is who plays which opponent in a trial: 0 for the start, 1 for the tuned
// values.
func (t *Result) opposing(row datasets.TrialRow) (player, opponent int) {
	return t.Spec.met(row.Trial-t.firstOf(row), len(t.Spec.againstSeats(t.Recommend())))
}

// Opposed is how a player did against an opponent.
type Opposed struct {
	Name     string          `json:"name"`
	Opponent string          `json:"opponent"`
	Pairs    rating.Pairs    `json:"pairs"`
	Estimate rating.Estimate `json:"estimate"`
}

// Opposed are start and tuned values against each opponent, as far as they played.
func (t *Result) Opposed() []Opposed {
	list := []Opposed{}
	for k, e := range t.Spec.opponents() {
		for i, name := range []string{"start", "tuned"} {
			if p := t.Against[k][i]; p.N() > 0 {
				list = append(list, Opposed{name, e.Name, p, p.Estimate(t.Spec.Level)})
			}
		}
	}
	return list
}

// Mean is a score over all opponents, each of the same weight, in [0, 1], with the
// interval of one look.
type Mean struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// percent writes it for people.
func (m Mean) percent() string {
	return fmt.Sprintf("%s (%s to %s)", gamestats.Percent(m.Value), gamestats.Percent(m.Low), gamestats.Percent(m.High))
}

// Gained is what tuning against a pool brought.
type Gained struct {
	Opponents int  `json:"opponents"`
	Pairs     int  `json:"pairs"` // of each player against each opponent
	Start     Mean `json:"start"`
	Tuned     Mean `json:"tuned"`
	Gain      Mean `json:"gain"` // tuned less start
}

// OverPool is the mean score of start and tuned values over a pool of opponents, and
// their difference; nil for a tuning against one or none, and before all of its
// games. The numbers of pairs were fixed beforehand, so an interval of one look
// holds: the opponents are strata of equal weight (Cochran, Sampling Techniques,
// 1977, section 5.3), and both players are taken as independent though they had the
// same openings, which widens the interval of their difference, if anything.
func (t *Result) OverPool() *Gained {
	if !t.Spec.byPool() || t.games[PhaseAgainst] < t.planned(PhaseAgainst) {
		return nil
	}
	var mean, square [2]float64
	n := float64(len(t.Against))
	for _, by := range t.Against {
		for i, p := range by {
			// A Wilson-like half pair on either side: no error is zero after few games.
			pairs := float64(p.N())
			variance := (p.Variance()*pairs + .125) / (pairs + 1)
			mean[i] += p.Score() / n
			square[i] += variance / max(pairs-1, 1) / n / n
		}
	}
	z := math.Sqrt2 * math.Erfinv(t.Spec.Level)
	at := func(value, square float64) Mean {
		half := z * math.Sqrt(square)
		return Mean{value, value - half, value + half}
	}
	return &Gained{
		Opponents: len(t.Against), Pairs: t.Spec.AgainstPairs, Start: at(mean[0], square[0]), Tuned: at(mean[1], square[1]),
		Gain: at(mean[1]-mean[0], square[0]+square[1]),
	}
}

// String says it in a line.
func (g *Gained) String() string {
	return fmt.Sprintf("%+.1f %%, from %+.1f to %+.1f (score over %s: tuned %s, start %s, %s of each against each)",
		100*g.Gain.Value, 100*g.Gain.Low, 100*g.Gain.High, gamestats.Plural(g.Opponents, "opponent"), gamestats.Percent(g.Tuned.Value), gamestats.Percent(g.Start.Value), gamestats.Plural(g.Pairs, "pair"))
}

// poolOutcome is what the games with a pool have shown.
func (t *Result) poolOutcome() Outcome {
	switch g := t.OverPool(); {
	case g == nil:
		return Unverified
	case g.Gain.Low > 0:
		return Better
	case g.Gain.High < 0:
		return Worse
	}
	return NotShown
}

// poolVerdict is the outcome in words.
func (t *Result) poolVerdict() string {
	g := t.OverPool()
	if g == nil {
		return "not verified: the pool has not been played"
	}
	return t.poolOutcome().String() + ": " + g.String()
}

// opposedSection tells how both did against the opponents.
func (t *Result) opposedSection() reports.Section {
	table := reports.Table{Columns: []reports.Column{{Name: "player"}, {Name: "pairs", Right: true}, {Name: "score", Right: true}, {Name: "Elo above the opponent"}}}
	pool := len(t.Spec.Others) > 0
	if pool {
		table.Columns = slices.Insert(table.Columns, 1, reports.Column{Name: "opponent"})
	}
	for _, o := range t.Opposed() {
		row := []string{o.Name, gamestats.Count(o.Pairs.N()), gamestats.Percent(o.Estimate.Score), o.Estimate.String()}
		if pool {
			row = slices.Insert(row, 1, o.Opponent)
		}
		table.Rows = append(table.Rows, row)
	}
	if !pool {
		return reports.Section{Title: "Against the opponent", Blocks: []reports.Block{
			reports.Text(fmt.Sprintf("Start and tuned values each played `%s`, against which they were tuned, on the same %s. The verdict above is not by these games: what gains against one opponent may lose against others, and whoever beats the start beats more than one.",
				t.Spec.Against.Name, t.fresh())),
			table,
		}}
	}
	text := fmt.Sprintf("Every trial of the tuning met one of %s opponents, each of them the same number of times, in a drawn order. Afterwards start and tuned values each played all of them, on the same %s: the verdict is by the mean of these scores, every opponent of the same weight. The match against the start is beside it.",
		gamestats.Count(len(t.Against)), t.fresh())
	blocks := []reports.Block{reports.Text(text)}
	if g := t.OverPool(); g != nil {
		blocks = append(blocks, reports.Table{
			Columns: []reports.Column{{Name: "over all opponents"}, {Name: "score, with its " + gamestats.Level(t.Spec.Level) + " interval", Right: true}},
			Rows:    [][]string{{"start", g.Start.percent()}, {"tuned", g.Tuned.percent()}, {"gained", g.Gain.percent()}},
		})
	}
	return reports.Section{Title: "Against the pool", Blocks: append(blocks, table)}
}
