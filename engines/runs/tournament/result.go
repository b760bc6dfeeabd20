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

	Schedule *schedule.Tournament
	Twins    []rating.PairMatrix // of each pairing of the schedule, A's side
	Faults   []int               // games each player lost by a fault
	Reasons  []runs.FaultCounts  // of those games, where they were read
	runs.GameStats

	compared, differing []int64 // of each pairing, as in trials

	results *rating.Tournament
	tallies [][]rating.Pairs // of the row against the column
	margins []rating.Margins // of each player, against all it met
	margin  gamestats.PairMargin
	games   int64 // by the trials, which tell also where games are not read
	trials  int
}

func (s *Config) NewResult(h *runs.Head) (runs.Result, error) { return newResult(h, s) }

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
		Head: h, Config: s, Schedule: schedule, Twins: make([]rating.PairMatrix, len(schedule.Pairings)), Faults: make([]int, len(s.Players)),
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

func (t *Result) Add(f schedule.Finished) error {
	row, of := f.Trial, t.Schedule.Of(f.Trial.Trial)
	p := t.Schedule.Pairings[of]
	t.trials++
	t.games += int64(row.Games)
	t.compared[of] += row.Compared
	t.differing[of] += int64(row.Differing)
	t.Faults[p.A] += int(row.FaultsA)
	t.Faults[p.B] += int(row.FaultsB)
	pairs := rating.Pairs(row.PairCounts())
	t.tallies[p.A][p.B] = t.tallies[p.A][p.B].Plus(pairs)
	t.tallies[p.B][p.A] = t.tallies[p.B][p.A].Plus(pairs.Reversed())
	for _, g := range f.Games {
		if who, fault := g.Fault(); fault {
			t.Reasons[[]int{p.A, p.B}[who]][g.Reason]++
		}
		if margin, ok := t.margin.Add(g); ok {
			t.margins[p.A].Add(margin)
			t.margins[p.B].Add(-margin)
		}
		if halves, pair := t.GameStats.Add(g); pair {
			t.results.AddPair(p.A, p.B, halves[0], halves[1])
			t.Twins[of].Add(halves[0], halves[1])
		}
	}
	return nil
}

// Played is the number of games counted.
func (t *Result) Played() int64 { return t.games }

// Pairs is the tally of player x against y, by x's half points.
func (t *Result) Pairs(x, y int) rating.Pairs { return t.tallies[x][y] }

// Results counts the games of player x against y.
func (t *Result) Results(x, y int) rating.Games { return t.results.Games(x, y) }

// Mean is the mean of a player's scores against each opponent it met, every
// opponent counted once: also where pairings differ in length.
func (t *Result) Mean(x int) float64 {
	sum, n := 0.0, 0
	for y := range t.Config.Players {
		if p := t.Pairs(x, y); p.N() > 0 {
			sum += p.Score()
			n++
		}
	}
	return sum / float64(max(n, 1))
}

// Margin is by how much a player won, against all that it met: the mean of a pair's
// two games. It is empty where the game has no margins.
func (t *Result) Margin(x int) rating.Margins { return t.margins[x] }

// cpuTime is what a player's decisions took, against all that it met.
func (t *Result) cpuTime(player int) (cpu datasets.CPUTime) {
	for _, p := range t.Schedule.Pairings {
		ab := t.Head.CPUTime(t.Schedule.Phase(p))
		for side, who := range []int{p.A, p.B} {
			if who == player {
				cpu = cpu.Plus(ab[side])
			}
		}
	}
	return cpu
}

// MarginUnit is what margins count, in the plural; "" where there are none to show.
func (t *Result) MarginUnit() string {
	if t.Games.Margins.N() == 0 || t.Head.Variant.Game == nil {
		return ""
	}
	return t.Head.Variant.Game.Margins.Unit
}

// Repeatable reports whether the tournament plays the same games again.
func (t *Result) Repeatable() bool { return runs.PlaysAgain(&t.Games, t.Config.Players...) }

// finished reports whether nothing is left to play.
func (t *Result) finished() bool { return t.games >= t.Schedule.Games() }

// What is who plays, for a line of a list.
func (t *Result) What() string {
	if t.Config.Schedule == scheduleGauntlet {
		return t.Config.Gauntlet + " v " + text.Plural(len(t.Config.Players)-1, "opponent")
	}
	return text.Plural(len(t.Config.Players), "player")
}

func (t *Result) Summary() (runs.Summary, error) {
	question := fmt.Sprintf("Which of %d players is the strongest at %s?", len(t.Config.Players), t.Head.ShortTitle())
	if t.Config.Schedule == scheduleGauntlet {
		question = fmt.Sprintf("How strong is %s against %s at %s?", t.Config.Gauntlet, text.Plural(len(t.Config.Players)-1, "opponent"),
			t.Head.ShortTitle())
	}
	return t.summaryOf(t.What(), question, t.inWords)
}

// summaryOf is a summary whose result, once there are games, is what inWords
// returns.
func (t *Result) summaryOf(what, question string, inWords func() (string, error)) (runs.Summary, error) {
	s := runs.Summary{What: what, Question: question, Finished: t.finished(), Result: runs.NothingYet}
	if t.games == 0 {
		return s, nil
	}
	var err error
	if s.Result, err = inWords(); err == nil && !s.Finished {
		s.Result = runs.Unfinished(text.Count(t.games), text.Plural(t.Schedule.Games(), "game"), s.Result)
	}
	return s, err
}

// inWords is the result of a tournament of which some games are played. Where
// the games were not read there are no ratings: they depend on who moved first.
func (t *Result) inWords() (string, error) {
	if !t.Read() {
		best := 0
		for i := range t.Config.Players {
			if t.Mean(i) > t.Mean(best) {
				best = i
			}
		}
		return fmt.Sprintf("first by mean score is %s, %s (%s)", t.Config.Players[best].Name, text.Percent(t.Mean(best)),
			text.Plural(t.games, "game")), nil
	}
	s, err := t.Standing()
	if err != nil {
		return "", err
	}
	ahead, half := s.Lead()
	return fmt.Sprintf("first is %s, %s Elo ahead of %s (%s, %s)", s.Name(0), text.PlusMinus(ahead, half, 1), s.Name(1),
		text.Level(t.Config.Level), text.Plural(t.games, "game")), nil
}

// Read reports whether the games of all trials told were told too.
func (t *Result) Read() bool { return int64(t.Games.N) == t.games }

func (t *Result) Progress(_ string, pairs [5]int) runs.Progress {
	first := min(max(t.trials-1, 0)/len(t.Schedule.Pairings), t.Schedule.Rounds()-1) * t.Schedule.Round
	return runs.Progress{
		Phase: t.Head.Meta.Kind, Games: t.games + 2*int64(rating.Pairs(pairs).N()), Planned: t.Schedule.Games(),
		Note: fmt.Sprintf("pairs %d to %d of %d in each pairing", first+1, min(first+t.Schedule.Round, t.Schedule.Pairs), t.Schedule.Pairs),
	}
}

// JSON implements runs.Result. Lists are in the order of rank.
func (t *Result) JSON() (runs.Object, error) {
	s, err := t.Standing()
	if err != nil {
		return nil, err
	}
	var players, pairings []runs.Object
	matrix := s.Ratings.Superiority()
	superiority := make([][]float64, len(s.Order))
	for rank, i := range s.Order {
		p, rated := t.Config.Players[i], s.Ratings.Players[i]
		players = append(players, runs.Object{
			{"name", p.Name}, {"player", p.Player}, {"limits", p.Limits.String()}, {"elo", rated.Elo}, {"se", rated.SE},
			{"elo_range", rated.Interval(t.Config.Level)}, {"mean_score", t.Mean(i)}, {"games", rated.Games}, {"faults", t.Faults[i]},
			{"fault_reasons", t.Reasons[i].JSON()}, {"cpu_time", runs.CPUObject(t.cpuTime(i))},
			{"margin", runs.MarginObject(t.margins[i], t.Config.Level)},
		})
		for _, j := range s.Order {
			superiority[rank] = append(superiority[rank], matrix[i][j])
		}
	}
	for _, p := range t.Schedule.Pairings {
		tally, games, cpu := t.Pairs(p.A, p.B), t.Results(p.A, p.B), t.Head.CPUTime(t.Schedule.Phase(p))
		pairings = append(pairings, runs.Object{
			{"a", t.Config.Players[p.A].Name}, {"b", t.Config.Players[p.B].Name}, {"pairs", tally}, {"wins", games.Wins}, {"draws", games.Draws},
			{"losses", games.Losses}, {"estimate", tally.Estimate(t.Config.Level)}, {"cpu_time_a", runs.CPUObject(cpu[0])},
			{"cpu_time_b", runs.CPUObject(cpu[1])},
		})
	}
	return runs.Object{
		{"schedule", t.Config.Schedule}, {"anchor", t.Config.Anchor}, {"games", t.Games.N}, {"players", players}, {"pairings", pairings},
		{"superiority", superiority}, {"first_player", t.Games.First.Estimate(t.Config.Level)}, {"advantage", s.Ratings.Advantage},
		{"advantage_se", s.Ratings.AdvantageSE}, {"draw_rate", s.Ratings.DrawRate}, {"ends", runs.Counts(t.Games.Kinds(), t.Games.Ends)},
		{"repeatable", t.Repeatable()}, {"run", t.Head.Dir},
	}, nil
}

func (t *Result) Files() (map[string][]byte, error) { return nil, nil }

// Part implements runs.Result: every pairing is a question of its own.
func (t *Result) Part(row datasets.TrialRow) (runs.Part, bool) {
	p := t.Schedule.Pairings[t.Schedule.Of(row.Trial)]
	return runs.Part{Name: t.Schedule.Phase(p), Seats: [2]player.Config{t.Config.Players[p.A], t.Config.Players[p.B]}}, true
}

func (t *Result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	trial := t.Schedule.Trial(int(row.Trial))
	if trial.Phase != row.Phase || trial.Openings != row.Openings {
		return trial, fmt.Errorf("trial %d: %w", row.Trial, schedule.ErrDiverged)
	}
	trial.Pairs = int(row.Pairs)
	return trial, nil
}
