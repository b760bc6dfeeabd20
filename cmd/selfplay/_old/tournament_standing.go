package main

import (
	"fmt"
	"io"
	"strings"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/match"
	"selfplaylab/reports"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/record"
)

// standing is the result of a tournament so far.
type standing struct {
	spec     tournamentSpec
	schedule *match.Tournament
	results  *rating.Tournament
	twins    []rating.Twins // of each pairing
	half     int            // X's half points in the first game of the pair under way
	faults   []int          // games each player lost by a fault
	played   record.Games
	openings record.Openings
}

func newStanding(spec tournamentSpec, schedule *match.Tournament) *standing {
	return &standing{
		spec: spec, schedule: schedule, results: rating.NewTournament(spec.names()...),
		twins: make([]rating.Twins, len(schedule.Pairings)), faults: make([]int, len(spec.Players)),
	}
}

// game counts one game; those of a pair come one after the other.
func (s *standing) game(g datasets.GameRow) {
	s.played.Add(g)
	s.openings.Add(g)
	half := int(2 * g.XScore)
	if g.Game == 0 {
		s.half = half
		return
	}
	p := s.schedule.Of(g.Trial)
	s.results.AddPair(p.X, p.Than, s.half, half)
	s.twins[g.Trial%int64(len(s.twins))].Add(s.half, half)
}

// count counts the games of a record.
func (s *standing) count(log *datasets.Log) error {
	for g, err := range log.Games(datasets.Filter{}) {
		if err != nil {
			return err
		}
		s.game(g)
	}
	return nil
}

// trial counts what only trials tell.
func (s *standing) trial(row datasets.TrialRow) {
	p := s.schedule.Of(row.Trial)
	s.faults[p.X] += int(row.FaultsX)
	s.faults[p.Than] += int(row.FaultsThan)
}

// ratedStanding is a standing with its joint ratings.
type ratedStanding struct {
	*standing
	ratings *rating.Ratings
	order   []int // players from the strongest to the weakest
}

// rate fits the joint ratings.
func (s *standing) rate() (*ratedStanding, error) {
	r, err := published.Fit(s.results, s.spec.Anchor)
	if err != nil {
		return nil, err
	}
	return &ratedStanding{standing: s, ratings: r, order: r.Ranking()}, nil
}

// score returns the mean score of player x against y, and whether they met.
func (s *standing) score(x, y int) (float64, bool) {
	p := s.results.Pairs(x, y)
	return p.Score(), p.N() > 0
}

// average returns the mean of a player's scores against each opponent it met,
// every opponent counted once: also where pairings differ in length.
func (s *standing) average(x int) float64 {
	sum, n := 0.0, 0
	for y := range s.spec.Players {
		if score, met := s.score(x, y); met {
			sum += score
			n++
		}
	}
	return sum / float64(max(n, 1))
}

func plusMinus(elo, half float64) string { return fmt.Sprintf("%+.1f ± %.1f", elo, half) }

func (r *ratedStanding) advantage() string {
	half := rating.Rating{SE: r.ratings.AdvantageSE}.Interval(r.spec.Level).Half()
	return plusMinus(r.ratings.Advantage, half) + " Elo"
}

func (r *ratedStanding) rating(i int) string {
	p := r.ratings.Players[i]
	if p.Name == r.spec.Anchor {
		return "0"
	}
	return plusMinus(p.Elo, p.Interval(r.spec.Level).Half())
}

// crossRows are the cells of a table of all against all, in the order of rank.
func (r *ratedStanding) crossRows(cell func(x, y int) string) [][]string {
	var rows [][]string
	for _, x := range r.order {
		row := []string{r.spec.Players[x].Name}
		for _, y := range r.order {
			row = append(row, cell(x, y))
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *ratedStanding) scoreCell(x, y int) string {
	if score, met := r.score(x, y); met {
		return reports.Number(100*score, 1)
	}
	return "-"
}

func (r *ratedStanding) superiorityCell(matrix [][]float64) func(x, y int) string {
	return func(x, y int) string {
		switch p := matrix[x][y]; {
		case x == y:
			return "-"
		case p > 0.9995:
			return "> 99.9"
		case p < 0.0005:
			return "< 0.1"
		}
		return reports.Number(100*matrix[x][y], 1)
	}
}

func (r *ratedStanding) endings() string {
	var endings []string
	for _, k := range r.played.Kinds() {
		endings = append(endings, k+" "+reports.Number(float64(r.played.Ends[k]), 0))
	}
	return strings.Join(endings, ", ")
}

// print writes the tables for people.
func (r *ratedStanding) print(out io.Writer) {
	level := reports.Number(100*r.spec.Level, 0) + " %"
	ratings := cli.Table{{"rank", "player", "Elo (" + level + ")", "mean score", "games"}}
	for rank, i := range r.order {
		ratings = append(ratings, []string{
			fmt.Sprint(rank + 1), r.spec.Players[i].Name, r.rating(i),
			record.Percent(r.average(i)), reports.Number(float64(r.ratings.Players[i].Games), 0),
		})
	}
	ratings.Print(out, 0, 2, 3, 4)
	fmt.Fprintf(out, "\nElo is relative to %s. Mean score: every opponent counts once.\n", r.spec.Anchor)
	fmt.Fprintln(out, "\nscore of the row against the column, %")
	r.printCross(out, r.scoreCell)
	fmt.Fprintln(out, "\nchance that the row is stronger than the column, %")
	r.printCross(out, r.superiorityCell(r.ratings.Superiority()))
	first := r.played.First.Estimate(r.spec.Level)
	fmt.Fprintln(out)
	cli.Table{
		{"first player", fmt.Sprintf("%s, from %s to %s; worth %s", record.Percent(first.Score), record.Percent(first.ScoreRange.Low), record.Percent(first.ScoreRange.High), r.advantage())},
		{"draws between equals", record.Percent(r.ratings.DrawRate)},
		{"plies a game", reports.Number(r.played.Mean(), 1)},
		{"games ended by", r.endings()},
	}.Print(out)
	for i, n := range r.faults {
		if n > 0 {
			fmt.Fprintf(out, "warning: %s lost %d games by faults (illegal moves, time, crashes)\n", r.spec.Players[i].Name, n)
		}
	}
	if !r.spec.repeatable() {
		fmt.Fprintln(out, "warning: a player is bound to a clock, so these games do not repeat exactly")
	}
}

func (r *ratedStanding) printCross(out io.Writer, cell func(x, y int) string) {
	head := []string{""}
	var right []int
	for rank, i := range r.order {
		head = append(head, r.spec.Players[i].Name)
		right = append(right, rank+1)
	}
	cli.Table(append([][]string{head}, r.crossRows(cell)...)).Print(out, right...)
}

// json is the result as one object. Lists are in the order of rank.
func (r *ratedStanding) json(dir string) object {
	var players, pairings []object
	matrix := r.ratings.Superiority()
	superiority := make([][]float64, len(r.order))
	for rank, i := range r.order {
		p, in := r.spec.Players[i], r.ratings.Players[i].Interval(r.spec.Level)
		players = append(players, object{
			{Name: "name", Value: p.Name}, {Name: "player", Value: p.Player}, {Name: "limits", Value: p.Limits},
			{Name: "elo", Value: r.ratings.Players[i].Elo}, {Name: "se", Value: r.ratings.Players[i].SE}, {Name: "elo_range", Value: in},
			{Name: "mean_score", Value: r.average(i)}, {Name: "games", Value: r.ratings.Players[i].Games}, {Name: "faults", Value: r.faults[i]},
		})
		for _, j := range r.order {
			superiority[rank] = append(superiority[rank], matrix[i][j])
		}
	}
	for _, p := range r.schedule.Pairings {
		tally, games := r.results.Pairs(p.X, p.Than), r.results.Games(p.X, p.Than)
		pairings = append(pairings, object{
			{Name: "x", Value: r.spec.Players[p.X].Name}, {Name: "than", Value: r.spec.Players[p.Than].Name}, {Name: "pairs", Value: tally},
			{Name: "wins", Value: games.Wins}, {Name: "draws", Value: games.Draws}, {Name: "losses", Value: games.Losses},
			{Name: "estimate", Value: tally.Estimate(r.spec.Level)},
		})
	}
	ends := object{}
	for _, k := range r.played.Kinds() {
		ends = append(ends, engines.Term{Name: k, Value: r.played.Ends[k]})
	}
	return object{
		{Name: "schedule", Value: r.spec.Schedule}, {Name: "anchor", Value: r.spec.Anchor}, {Name: "games", Value: r.played.N},
		{Name: "players", Value: players}, {Name: "pairings", Value: pairings}, {Name: "superiority", Value: superiority},
		{Name: "first_player", Value: r.played.First.Estimate(r.spec.Level)},
		{Name: "advantage", Value: r.ratings.Advantage}, {Name: "advantage_se", Value: r.ratings.AdvantageSE}, {Name: "draw_rate", Value: r.ratings.DrawRate},
		{Name: "ends", Value: ends}, {Name: "repeatable", Value: r.spec.repeatable()}, {Name: "run", Value: dir},
	}
}
