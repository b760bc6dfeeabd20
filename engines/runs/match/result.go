package match

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Result is the runs.Result of a match so far, A's side.
type Result struct {
	Head   *runs.Head
	Config *Config

	Pairs  rating.Pairs
	Score  rating.Games
	Faults [2]int // games lost by a fault: A's, B's
	runs.GameStats

	reasons [2]runs.FaultCounts // of A's and B's faults

	compared, differing int64 // decisions of both in one position, and the number that differed

	played rating.Pairs              // as far as their games are known
	course rating.Thin[rating.Pairs] // running tallies, pair by pair where games are known
	fault  bool                      // the first game of the current pair was lost by a fault
	clean  rating.Pairs              // pairs without such a game
}

func (c *Config) NewResult(h *runs.Head) (runs.Result, error) {
	for _, p := range c.players() {
		if n := len(h.Meta.Parameters); len(p.Values) != n && (!p.External() || len(p.Values) > 0) {
			return nil, fmt.Errorf("%s: [spec]: player %q: vector of %d values for a space of %d parameters", h.Dir, p.Name, len(p.Values), n)
		}
	}
	return &Result{Head: h, Config: c, reasons: [2]runs.FaultCounts{{}, {}}, course: rating.Thin[rating.Pairs]{Most: maxSteps + 1}}, nil
}

func (r *Result) Add(f schedule.Finished) error {
	row, running := f.Trial, r.Pairs
	r.Pairs = r.Pairs.Plus(row.PairCounts())
	r.Score = r.Score.Plus(rating.Games{Wins: int(row.Wins), Draws: int(row.Draws), Losses: int(row.Losses)})
	r.compared += row.Compared
	r.differing += int64(row.Differing)
	r.Faults[0] += int(row.FaultsA)
	r.Faults[1] += int(row.FaultsB)
	for _, g := range f.Games {
		side, fault := g.Fault()
		if fault {
			r.reasons[side][g.Reason]++
		}
		halves, pair := r.GameStats.Add(g)
		if !pair {
			r.fault = fault
			continue
		}
		r.played[halves[0]+halves[1]]++
		running[halves[0]+halves[1]]++
		r.course.Add(float64(running.N()), running)
		if !fault && !r.fault {
			r.clean[halves[0]+halves[1]]++
		}
	}
	if len(f.Games) == 0 { // the order of its pairs is not known
		r.course.Add(float64(r.Pairs.N()), r.Pairs)
	}
	return nil
}

// Test returns the state of the match's sequential test, nil without one.
func (r *Result) Test() *rating.Progress { return r.Config.SPRT.At(r.Pairs) }

// Estimate is A's score and Elo. Its interval holds at any time while the match grows and where a
// sequential test may end it, and for the fixed number of pairs once these are played.
func (r *Result) Estimate() rating.Estimate { return r.Config.estimate(r.Pairs) }

// finished reports whether nothing is left to play.
func (r *Result) finished() bool {
	test := r.Test()
	return r.Pairs.N() >= r.Config.Pairs || test != nil && test.State != rating.Continue
}

func (r *Result) Summary() (runs.Summary, error) {
	a, b := r.Config.names()
	a, b = text.Unmarked(a), text.Unmarked(b)
	s := runs.Summary{What: a + " v " + b, Finished: r.finished(), Result: runs.NothingYet, Answer: runs.Undecided}
	s.Question = text.Unmarked(r.question())
	e := r.Estimate()
	if e.N == 0 {
		return s, nil
	}
	s.Estimate, s.Answer = &e, r.answer()
	s.Result = fmt.Sprintf("A scores %s, %s", text.Percent(e.Score), e)
	if test := r.Test(); test != nil {
		s.Result = test.Verdict() + "; " + s.Result
	}
	s.Result = runs.Marked(s.Result, r.Config.players()...)
	if !s.Finished {
		s.Result = runs.Unfinished(text.Count(e.N), text.Count(r.Config.Pairs)+" pairs", s.Result)
	}
	return s, nil
}

// question returns the question of the match.
func (r *Result) question() string {
	a, b := r.Config.names()
	if sprt := r.Config.SPRT; sprt.Given {
		return fmt.Sprintf("Is %s stronger than %s by %g rather than %g Elo at %s?", a, b, sprt.Elo1, sprt.Elo0, r.Head.ShortTitle())
	}
	return fmt.Sprintf("Is %s stronger than %s at %s?", a, b, r.Head.ShortTitle())
}

// answer returns the answer so far. A sequential test has its own answer.
func (r *Result) answer() string {
	if test := r.Test(); test != nil {
		return map[rating.State]string{rating.AcceptH0: runs.No, rating.Continue: runs.Undecided, rating.AcceptH1: runs.Yes}[test.State]
	}
	return runs.Answer(r.Estimate(), r.finished())
}

func (r *Result) Progress(_ string, pairs [5]int) runs.Progress {
	so := r.Pairs.Plus(pairs)
	note := r.Config.estimate(so).String()
	if test := r.Config.SPRT.At(so); test != nil {
		note = test.String() + "; " + note
	}
	return runs.Progress{Phase: phase, Games: 2 * int64(so.N()), Planned: 2 * int64(r.Config.Pairs), Note: note}
}

// cautions returns warnings about the result.
func (r *Result) cautions() []string {
	var list []string
	if !runs.Repeatable(r.Config.players()...) {
		list = append(list, runs.Unrepeatable("Decisions were limited by wall-clock time: these games do not repeat exactly, and a busy "+
			"machine changes them.", r.Config.players()...))
	}
	if alike := runs.Alike("A", "B", r.compared, r.differing, r.Pairs); alike != "" {
		list = append(list, alike)
	}
	if repeats := r.Openings.Caution(); repeats != "" {
		list = append(list, repeats)
	}
	if r.Faults != [2]int{} {
		list = append(list, fmt.Sprintf("A lost %s and B %s by faults%s.%s",
			text.Plural(r.Faults[0], "game"), text.Plural(r.Faults[1], "game"), r.faultReasons(), r.faultless()))
	}
	return list
}

// faultReasons lists the faults, in brackets; "" if the games were not read.
func (r *Result) faultReasons() string {
	var list []string
	for side, name := range []string{"A", "B"} {
		if len(r.reasons[side]) > 0 {
			list = append(list, name+": "+r.reasons[side].String())
		}
	}
	if list == nil {
		return ""
	}
	return " (" + strings.Join(list, "; ") + ")"
}

// faultless returns a sentence about the pairs without a game lost by a fault; "" if there are
// none.
func (r *Result) faultless() string {
	e := r.clean.Estimate(r.Config.Level)
	if e.N == 0 {
		return ""
	}
	return fmt.Sprintf(" In the %s without such a game A scores %s, %s.", text.Plural(e.N, "pair"), text.Percent(e.Score), e)
}

// faultlessJSON is that estimate, nil if no game was lost by a fault.
func (r *Result) faultlessJSON() any {
	if r.Faults == [2]int{} || r.clean.N() == 0 {
		return nil
	}
	return r.clean.Estimate(r.Config.Level)
}

// margin returns a sentence for games that are won by more or less.
func (r *Result) margin() []string {
	if r.Games.Margins.N() == 0 {
		return nil
	}
	return []string{"A's margin, the mean of a pair's two games: " + r.Games.Margins.Text(r.Config.Level, r.unit()) + "."}
}

// unit returns the plural of the unit of margins.
func (r *Result) unit() string {
	if game := r.Head.Variant.Game; game != nil {
		return game.Margins.Unit
	}
	return "" // a game that this program lacks
}

func (r *Result) JSON() (runs.Object, error) {
	cpu := r.Head.CPUTime(phase)
	return runs.Object{
		{"a", r.Config.A.Name}, {"b", r.Config.B.Name}, {"pairs", r.Pairs}, {"pentanomial", r.Pairs}, {"nelo", r.Estimate().NElo},
		{"nelo_range", r.Estimate().NEloRange}, {"wins", r.Score.Wins}, {"draws", r.Score.Draws}, {"losses", r.Score.Losses},
		{"estimate", r.Estimate()}, {"first_player", r.Games.First.Estimate(r.Config.Level)},
		{"plies", runs.Object{{"mean", r.Games.Mean()}, {"p05", r.Games.Quantile(0.05)}, {"p95", r.Games.Quantile(0.95)}}},
		{"margin", runs.MarginObject(r.Games.Margins, r.Config.Level)}, {"ends", runs.Counts(r.Games.Kinds(), r.Games.Ends)},
		{"faults_a", r.Faults[0]}, {"faults_b", r.Faults[1]}, {"fault_reasons_a", r.reasons[0].JSON()},
		{"fault_reasons_b", r.reasons[1].JSON()}, {"without_faults", r.faultlessJSON()}, {"cpu_time_a", runs.CPUObject(cpu[0])},
		{"cpu_time_b", runs.CPUObject(cpu[1])}, {"sprt", runs.TestObject(r.Test())}, {"fastchess", r.block()},
		{"repeatable", runs.PlaysAgain(&r.Games, r.Config.players()...)}, {"run", r.Head.Dir},
	}, nil
}

func (r *Result) Files() (map[string][]byte, error) { return nil, nil }

func (r *Result) Part(datasets.TrialRow) (runs.Part, bool) {
	return runs.Part{Seats: [2]player.Config{r.Config.A, r.Config.B}}, true
}

// Trial implements runs.Result, with the values of the row: the values that played.
func (r *Result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	a, b := r.Config.A.With(row.A), r.Config.B.With(row.B)
	a.Name, b.Name = "A ("+a.Name+")", "B ("+b.Name+")"
	return schedule.Trial{
		Phase: row.Phase, Stream: play.Stream(phase), Seats: [2]player.Config{a, b}, Pairs: int(row.Pairs), Openings: row.Openings,
	}, nil
}

// maxSteps bounds the points of a long match's figures.
const maxSteps = 800

// steps returns the running tallies of at least that many pairs, evenly spaced.
func (r *Result) steps(pairs int) []rating.Pairs {
	_, list := r.course.All()
	return slices.DeleteFunc(slices.Clone(list), func(p rating.Pairs) bool { return p.N() < pairs })
}

func (r *Result) block() rating.Block { return r.Openings.DuplicatePairs().Block(r.Test()) }

// Differing returns how many of the decisions that both players made in the same position with the
// same seeds differed, and how many there were.
func (r *Result) Differing() (differing, compared int64) { return r.differing, r.compared }
