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

	compared, differing int64 // decisions of both in one position, and of these those that differed

	played rating.Pairs              // as far as their games are known
	course rating.Thin[rating.Pairs] // of played
	fault  bool                      // the first game of the pair under way was lost by a fault
	clean  rating.Pairs              // pairs without such a game
}

func (s *Config) NewResult(h *runs.Head) (runs.Result, error) {
	for _, p := range s.players() {
		if n := len(h.Meta.Parameters); len(p.Values) != n && (!p.External() || len(p.Values) > 0) {
			return nil, fmt.Errorf("%s: [spec]: player %q: vector of %d values for a space of %d parameters", h.Dir, p.Name, len(p.Values), n)
		}
	}
	return &Result{Head: h, Config: s, reasons: [2]runs.FaultCounts{{}, {}}, course: rating.Thin[rating.Pairs]{Most: maxSteps + 1}}, nil
}

func (t *Result) Add(f schedule.Finished) error {
	row := f.Trial
	t.Pairs = t.Pairs.Plus(row.PairCounts())
	t.Score = t.Score.Plus(rating.Games{Wins: int(row.Wins), Draws: int(row.Draws), Losses: int(row.Losses)})
	t.compared += row.Compared
	t.differing += int64(row.Differing)
	t.Faults[0] += int(row.FaultsA)
	t.Faults[1] += int(row.FaultsB)
	for _, g := range f.Games {
		who, fault := g.Fault()
		if fault {
			t.reasons[who][g.Reason]++
		}
		halves, pair := t.GameStats.Add(g)
		if !pair {
			t.fault = fault
			continue
		}
		t.played[halves[0]+halves[1]]++
		t.course.Add(float64(t.played.N()), t.played)
		if !fault && !t.fault {
			t.clean[halves[0]+halves[1]]++
		}
	}
	return nil
}

// Test is where the match's sequential test stands, nil without one.
func (t *Result) Test() *rating.Progress { return t.Config.SPRT.At(t.Pairs) }

// Estimate is A's score and Elo.
func (t *Result) Estimate() rating.Estimate { return t.Pairs.Estimate(t.Config.Level) }

// finished reports whether nothing is left to play.
func (t *Result) finished() bool {
	test := t.Test()
	return t.Pairs.N() >= t.Config.Pairs || test != nil && test.State != rating.Continue
}

func (t *Result) Summary() (runs.Summary, error) {
	a, b := t.Config.names()
	a, b = text.Unmarked(a), text.Unmarked(b)
	s := runs.Summary{What: a + " v " + b, Finished: t.finished(), Result: runs.NothingYet, Answer: runs.Undecided}
	s.Question = fmt.Sprintf("Is %s stronger than %s at %s?", a, b, t.Head.ShortTitle())
	if sprt := t.Config.SPRT; sprt.Given {
		s.Question = fmt.Sprintf("Is %s stronger than %s by %g rather than %g Elo at %s?", a, b, sprt.Elo1, sprt.Elo0, t.Head.ShortTitle())
	}
	e := t.Estimate()
	if e.N == 0 {
		return s, nil
	}
	s.Estimate, s.Answer = &e, runs.Answer(e, s.Finished)
	s.Result = fmt.Sprintf("A scores %s, %s", text.Percent(e.Score), e)
	if test := t.Test(); test != nil {
		s.Result = test.Verdict() + "; " + s.Result
		s.Answer = map[rating.State]string{rating.AcceptH0: runs.No, rating.Continue: runs.Undecided, rating.AcceptH1: runs.Yes}[test.State]
	}
	s.Result = runs.Marked(s.Result, t.Config.players()...)
	if !s.Finished {
		s.Result = runs.Unfinished(text.Count(e.N), text.Count(t.Config.Pairs)+" pairs", s.Result)
	}
	return s, nil
}

func (t *Result) Progress(_ string, pairs [5]int) runs.Progress {
	so := t.Pairs.Plus(pairs)
	note := so.Estimate(t.Config.Level).String()
	if test := t.Config.SPRT.At(so); test != nil {
		note = test.String() + "; " + note
	}
	return runs.Progress{Phase: phase, Games: 2 * int64(so.N()), Planned: 2 * int64(t.Config.Pairs), Note: note}
}

// cautions are what a reader must know before believing the result.
func (t *Result) cautions() []string {
	var list []string
	if !runs.Repeatable(t.Config.players()...) {
		list = append(list, runs.Unrepeatable("Decisions were limited by wall-clock time: these games do not repeat exactly, and a busy "+
			"machine changes them.", t.Config.players()...))
	}
	alike := runs.Alike("A", "B", t.compared, t.differing, t.Pairs)
	if alike != "" {
		list = append(list, alike)
	}
	if t.Pairs.N() < rating.MinSample && !t.Config.SPRT.Given && alike == "" {
		list = append(list, fmt.Sprintf("Too few pairs: play at least %d for an interval to rely on.", rating.MinSample))
	}
	if repeats := t.Openings.Caution(); repeats != "" {
		list = append(list, repeats)
	}
	if t.Faults != [2]int{} {
		list = append(list, fmt.Sprintf("A lost %s and B %s by faults%s.%s",
			text.Plural(t.Faults[0], "game"), text.Plural(t.Faults[1], "game"), t.faultReasons(), t.faultless()))
	}
	return list
}

// faultReasons says which faults, in brackets; "" where the games were not read.
func (t *Result) faultReasons() string {
	var list []string
	for who, name := range []string{"A", "B"} {
		if len(t.reasons[who]) > 0 {
			list = append(list, name+": "+t.reasons[who].String())
		}
	}
	if list == nil {
		return ""
	}
	return " (" + strings.Join(list, "; ") + ")"
}

// faultless is a sentence about the pairs without a game lost by a fault; "" if there are
// none.
func (t *Result) faultless() string {
	e := t.clean.Estimate(t.Config.Level)
	if e.N == 0 {
		return ""
	}
	return fmt.Sprintf(" In the %s without such a game A scores %s, %s.", text.Plural(e.N, "pair"), text.Percent(e.Score), e)
}

// faultlessJSON is that estimate, nil if no game was lost by a fault.
func (t *Result) faultlessJSON() any {
	if t.Faults == [2]int{} || t.clean.N() == 0 {
		return nil
	}
	return t.clean.Estimate(t.Config.Level)
}

// margin is a sentence for games that are won by more or less.
func (t *Result) margin() []string {
	if t.Games.Margins.N() == 0 {
		return nil
	}
	return []string{"A's margin, the mean of a pair's two games: " + t.Games.Margins.Text(t.Config.Level, t.unit()) + "."}
}

// unit is what margins count, in the plural.
func (t *Result) unit() string {
	if game := t.Head.Variant.Game; game != nil {
		return game.Margins.Unit
	}
	return "" // a game that this program lacks
}

func (t *Result) JSON() (runs.Object, error) {
	cpu := t.Head.CPUTime(phase)
	return runs.Object{
		{"a", t.Config.A.Name}, {"b", t.Config.B.Name}, {"pairs", t.Pairs}, {"pentanomial", t.Pairs}, {"nelo", t.Estimate().NElo},
		{"nelo_range", t.Estimate().NEloRange}, {"wins", t.Score.Wins}, {"draws", t.Score.Draws}, {"losses", t.Score.Losses},
		{"estimate", t.Estimate()}, {"first_player", t.Games.First.Estimate(t.Config.Level)},
		{"plies", runs.Object{{"mean", t.Games.Mean()}, {"p05", t.Games.Quantile(0.05)}, {"p95", t.Games.Quantile(0.95)}}},
		{"margin", runs.MarginObject(t.Games.Margins, t.Config.Level)}, {"ends", runs.Counts(t.Games.Kinds(), t.Games.Ends)},
		{"faults_a", t.Faults[0]}, {"faults_b", t.Faults[1]}, {"fault_reasons_a", t.reasons[0].JSON()},
		{"fault_reasons_b", t.reasons[1].JSON()}, {"without_faults", t.faultlessJSON()}, {"cpu_time_a", runs.CPUObject(cpu[0])},
		{"cpu_time_b", runs.CPUObject(cpu[1])}, {"sprt", runs.TestObject(t.Test())}, {"fastchess", t.block()},
		{"repeatable", runs.PlaysAgain(&t.Games, t.Config.players()...)}, {"run", t.Head.Dir},
	}, nil
}

func (t *Result) Files() (map[string][]byte, error) { return nil, nil }

func (t *Result) Part(datasets.TrialRow) (runs.Part, bool) {
	return runs.Part{Seats: [2]player.Config{t.Config.A, t.Config.B}}, true
}

// Trial implements runs.Result. What was played counts: the values are the row's.
func (t *Result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	a, b := t.Config.A.With(row.A), t.Config.B.With(row.B)
	a.Name, b.Name = "A ("+a.Name+")", "B ("+b.Name+")"
	return schedule.Trial{
		Phase: row.Phase, Stream: play.Stream(phase), Seats: [2]player.Config{a, b}, Pairs: int(row.Pairs), Openings: row.Openings,
	}, nil
}

// maxSteps keeps figures of long matches small, and what is kept for them.
const maxSteps = 800

// steps are the running tallies of at least that many pairs, evenly spaced.
func (t *Result) steps(pairs int) []rating.Pairs {
	_, list := t.course.All()
	return slices.DeleteFunc(slices.Clone(list), func(p rating.Pairs) bool { return p.N() < pairs })
}
