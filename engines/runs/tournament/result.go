package tournament

import (
	"fmt"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Result is the runs.Result of a tournament so far.
type Result struct {
	Head   *runs.Head
	Config *Config

	Schedule       *schedule.Tournament
	DuplicatePairs []rating.PairMatrix // of each pairing of the schedule, A's side
	Faults         []int               // games each player lost by a fault
	Reasons        []runs.FaultCounts  // of the games that were read
	runs.GameStats

	compared, differing []int64 // of each pairing, as in trials

	results *rating.Tournament
	tallies [][]rating.Pairs // of the row against the column
	margins []rating.Margins // of each player, against all it met
	margin  gamestats.PairMargin
	games   int64 // by the trials, which tell also where games are not read
	trials  int
}

func (c *Config) NewResult(h *runs.Head) (runs.Result, error) { return newResult(h, c) }

// newResult returns the result of a tournament without trials.
func newResult(h *runs.Head, s *Config) (*Result, error) {
	schedule, err := s.Tournament()
	if err != nil {
		return nil, err
	}
	if game := h.Variant.Game; game != nil {
		schedule.Space = game.Space
	}
	t := &Result{
		Head: h, Config: s, Schedule: schedule, DuplicatePairs: make([]rating.PairMatrix, len(schedule.Pairings)), Faults: make([]int, len(s.Players)),
		margins: make([]rating.Margins, len(s.Players)), Reasons: make([]runs.FaultCounts, len(s.Players)),
		compared: make([]int64, len(schedule.Pairings)), differing: make([]int64, len(schedule.Pairings)),
		results: rating.NewTournament(namesOf(s.Players)...),
	}
	for range s.Players {
		t.tallies = append(t.tallies, make([]rating.Pairs, len(s.Players)))
		t.Reasons[len(t.tallies)-1] = runs.FaultCounts{}
	}
	return t, nil
}

func (r *Result) Add(f schedule.Finished) error {
	row, of := f.Trial, r.Schedule.Of(f.Trial.Trial)
	p := r.Schedule.Pairings[of]
	r.trials++
	r.games += int64(row.Games)
	r.compared[of] += row.Compared
	r.differing[of] += int64(row.Differing)
	r.Faults[p.A] += int(row.FaultsA)
	r.Faults[p.B] += int(row.FaultsB)
	pairs := rating.Pairs(row.PairCounts())
	r.tallies[p.A][p.B] = r.tallies[p.A][p.B].Plus(pairs)
	r.tallies[p.B][p.A] = r.tallies[p.B][p.A].Plus(pairs.Reversed())
	for _, g := range f.Games {
		if side, fault := g.Fault(); fault {
			r.Reasons[[]int{p.A, p.B}[side]][g.Reason]++
		}
		if margin, ok := r.margin.Add(g); ok {
			r.margins[p.A].Add(margin)
			r.margins[p.B].Add(-margin)
		}
		if halves, pair := r.GameStats.Add(g); pair {
			r.results.AddPair(p.A, p.B, halves[0], halves[1])
			r.DuplicatePairs[of].Add(halves[0], halves[1])
		}
	}
	return nil
}

// Played returns the number of games counted.
func (r *Result) Played() int64 { return r.games }

// Pairs returns the tally of player x against y, by x's half points.
func (r *Result) Pairs(x, y int) rating.Pairs { return r.tallies[x][y] }

// Results counts the games of player x against y.
func (r *Result) Results(x, y int) rating.Games { return r.results.Games(x, y) }

// Mean returns the mean of a player's scores against each opponent it met, every
// opponent counted once: also where pairings differ in length.
func (r *Result) Mean(x int) float64 {
	sum, n := 0.0, 0
	for y := range r.Config.Players {
		if p := r.Pairs(x, y); p.N() > 0 {
			sum += p.Score()
			n++
		}
	}
	return sum / float64(max(n, 1))
}

// Margin returns a player's mean margin against all opponents, over the two games of a pair. It is
// empty for a game without margins.
func (r *Result) Margin(x int) rating.Margins { return r.margins[x] }

// cpuTimes returns the processor time of each player's decisions against all opponents, and of
// each pairing's.
func (r *Result) cpuTimes() (players []datasets.CPUTime, pairings [][2]datasets.CPUTime) {
	players = make([]datasets.CPUTime, len(r.Config.Players))
	phases := r.Head.CPUTimes()
	for _, p := range r.Schedule.Pairings {
		ab := phases[r.Schedule.Phase(p)]
		players[p.A], players[p.B] = players[p.A].Plus(ab[0]), players[p.B].Plus(ab[1])
		pairings = append(pairings, ab)
	}
	return players, pairings
}

// MarginUnit returns the plural of the unit of margins; "" if there are none to show.
func (r *Result) MarginUnit() string {
	if r.Games.Margins.N() == 0 || r.Head.Variant.Game == nil {
		return ""
	}
	return r.Head.Variant.Game.Margins.Unit
}

// Repeatable reports whether the tournament plays the same games again.
func (r *Result) Repeatable() bool { return runs.PlaysAgain(&r.Games, r.Config.Players...) }

// finished reports whether nothing is left to play.
func (r *Result) finished() bool { return r.games >= r.Schedule.Games() }

// What returns the players in words, for a line of a list.
func (r *Result) What() string {
	if r.Config.Schedule == scheduleGauntlet {
		return r.Config.Gauntlet + " v " + text.Plural(len(r.Config.Players)-1, "opponent")
	}
	return text.Plural(len(r.Config.Players), "player")
}

func (r *Result) Summary() (runs.Summary, error) {
	return r.summaryOf(r.What(), text.Unmarked(r.question()), r.inWords)
}

// summaryOf returns a summary. Once there are games, inWords returns its result.
func (r *Result) summaryOf(what, question string, inWords func() (string, error)) (runs.Summary, error) {
	s := runs.Summary{What: what, Question: question, Finished: r.finished(), Result: runs.NothingYet}
	if r.games == 0 {
		return s, nil
	}
	var err error
	if s.Result, err = inWords(); err == nil && !s.Finished {
		s.Result = runs.Unfinished(text.Count(r.games), text.Plural(r.Schedule.Games(), "game"), s.Result)
	}
	return s, err
}

// inWords returns the result of an unfinished tournament in words. Without the games there are
// no ratings, because they depend on who moved first.
func (r *Result) inWords() (string, error) {
	if !r.Read() {
		best := r.bestMean()
		return fmt.Sprintf("first by mean score is %s, %s (%s)", r.Config.Players[best].Name, text.Percent(r.Mean(best)),
			text.Plural(r.games, "game")), nil
	}
	s, err := r.Standing()
	if err != nil {
		return "", err
	}
	ahead, half := s.Lead()
	return fmt.Sprintf("first is %s, %s Elo ahead of %s (%s, %s)", s.Name(0), text.PlusMinus(ahead, half, 1), s.Name(1),
		text.Level(r.Config.Level), text.Plural(r.games, "game")), nil
}

// Read reports whether the games of all added trials were added, too.
func (r *Result) Read() bool { return int64(r.Games.N) == r.games }

// question returns the question of the tournament.
func (r *Result) question() string {
	if r.Config.Schedule == scheduleGauntlet {
		return fmt.Sprintf("How strong is `%s` against %s at %s?", r.Config.Gauntlet, text.Plural(len(r.Config.Players)-1, "opponent"),
			r.Head.ShortTitle())
	}
	return fmt.Sprintf("Which of %d players is the strongest at %s?", len(r.Config.Players), r.Head.ShortTitle())
}

// bestMean returns the player with the best mean score.
func (r *Result) bestMean() (best int) {
	for i := range r.Config.Players {
		if r.Mean(i) > r.Mean(best) {
			best = i
		}
	}
	return best
}

func (r *Result) Progress(_ string, pairs [5]int) runs.Progress {
	first := min(max(r.trials-1, 0)/len(r.Schedule.Pairings), r.Schedule.Rounds()-1) * r.Schedule.Round
	return runs.Progress{
		Phase: r.Head.Meta.Kind, Games: r.games + 2*int64(rating.Pairs(pairs).N()), Planned: r.Schedule.Games(),
		Note: fmt.Sprintf("pairs %d to %d of %d in each pairing", first+1, min(first+r.Schedule.Round, r.Schedule.Pairs), r.Schedule.Pairs),
	}
}

// JSON implements runs.Result. Lists are in the order of rank.
func (r *Result) JSON() (runs.Object, error) {
	s, err := r.Standing()
	if err != nil {
		return nil, err
	}
	var players, pairings []runs.Object
	cpuOfPlayers, cpuOfPairings := r.cpuTimes()
	matrix := s.Ratings.Superiority()
	superiority := make([][]float64, len(s.Order))
	for rank, i := range s.Order {
		p, rated := r.Config.Players[i], s.Ratings.Players[i]
		players = append(players, runs.Object{
			{"name", p.Name}, {"player", p.Player}, {"limits", p.Limits.String()}, {"elo", rated.Elo}, {"se", rated.SE},
			{"elo_range", rated.Interval(r.Config.Level)}, {"mean_score", r.Mean(i)}, {"games", rated.Games}, {"faults", r.Faults[i]},
			{"fault_reasons", r.Reasons[i].JSON()}, {"cpu_time", runs.CPUObject(cpuOfPlayers[i])},
			{"margin", runs.MarginObject(r.margins[i], r.Config.Level)},
		})
		for _, j := range s.Order {
			superiority[rank] = append(superiority[rank], matrix[i][j])
		}
	}
	for k, p := range r.Schedule.Pairings {
		tally, games, cpu := r.Pairs(p.A, p.B), r.Results(p.A, p.B), cpuOfPairings[k]
		pairings = append(pairings, runs.Object{
			{"a", r.Config.Players[p.A].Name}, {"b", r.Config.Players[p.B].Name}, {"pairs", tally}, {"wins", games.Wins}, {"draws", games.Draws},
			{"losses", games.Losses}, {"estimate", tally.Estimate(r.Config.Level)}, {"cpu_time_a", runs.CPUObject(cpu[0])},
			{"cpu_time_b", runs.CPUObject(cpu[1])},
		})
	}
	return runs.Object{
		{"schedule", r.Config.Schedule}, {"anchor", r.Config.Anchor}, {"games", r.Games.N}, {"players", players}, {"pairings", pairings},
		{"superiority", superiority}, {"first_player", r.Games.First.Estimate(r.Config.Level)}, {"advantage", s.Ratings.Advantage},
		{"advantage_se", s.Ratings.AdvantageSE}, {"draw_rate", s.Ratings.DrawRate}, {"ends", runs.Counts(r.Games.Kinds(), r.Games.Ends)},
		{"repeatable", r.Repeatable()}, {"run", r.Head.Dir},
	}, nil
}

func (r *Result) Files() (map[string][]byte, error) { return nil, nil }

// Part implements runs.Result: every pairing is a part.
func (r *Result) Part(row datasets.TrialRow) (runs.Part, bool) {
	p := r.Schedule.Pairings[r.Schedule.Of(row.Trial)]
	return runs.Part{Name: r.Schedule.Phase(p), Seats: [2]player.Config{r.Config.Players[p.A], r.Config.Players[p.B]}}, true
}

func (r *Result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	trial := r.Schedule.Trial(int(row.Trial))
	if trial.Phase != row.Phase || trial.Openings != row.Openings {
		return trial, fmt.Errorf("trial %d: %w", row.Trial, schedule.ErrDiverged)
	}
	trial.Pairs = int(row.Pairs)
	return trial, nil
}
