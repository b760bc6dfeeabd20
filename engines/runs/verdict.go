package runs

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Verdict begins the head of the run with its question. Word names such runs, such as
// match. A run that is not finished offers to continue.
func (h *Head) Verdict(word, question string, finished bool) reports.Verdict {
	v := reports.Verdict{Where: []string{h.Title(), word}, Question: question, Meaning: figure.Open}
	if name := cmp.Or(h.Meta.Name, filepath.Base(filepath.Clean(h.Dir))); h.Dir != "" {
		v.Where = append(v.Where, "`"+name+"`")
	}
	switch {
	case finished:
		if h.Dir != "" {
			v.Next = append(v.Next, reports.Step{Name: "See its games", Command: CommandText("selfplay", "serve", h.Dir)})
		}
	case h.Running:
		v.Meaning = figure.Growing
		v.Where = append(v.Where, "running")
	default:
		v.Where = append(v.Where, "stopped")
		if h.Dir != "" {
			v.Next = append(v.Next, reports.Step{Name: "Continue", Command: h.Resume()})
		}
	}
	return v
}

// Took returns a time in seconds in a readable unit; nil if it is unknown.
func Took(seconds float64) []string {
	switch {
	case seconds <= 0:
		return nil
	case seconds < 1:
		return []string{"under a second"}
	}
	return []string{text.Span(seconds)}
}

// AnswerElo puts an estimate of a difference in Elo into a verdict. Answer is Yes, No or Undecided;
// open is the answer in words of a finished run that is Undecided.
func (h *Head) AnswerElo(v *reports.Verdict, e rating.Estimate, answer string, finished bool, open string) {
	elo := EloText(e)
	switch {
	case e.N == 0:
		v.Answer, v.Detail = "No result yet", "no game is recorded"
		return
	case e.Early():
		least := map[bool]int{false: rating.MinSample, true: rating.MinSequence}[e.AnyTime]
		v.Answer, v.Detail = "Too early to say", fmt.Sprintf("%s; an interval begins with %d", text.Plural(e.N, e.Unit), least)
		return
	case !finished:
		v.Answer = elo + " so far"
	case answer == Yes:
		v.Answer, v.Meaning = "Yes, "+elo, figure.Better
	case answer == No:
		v.Answer, v.Meaning = "No, "+elo, figure.Worse
	default:
		v.Answer = open
	}
	v.Detail = eloEnds(e)
	if finished && answer == Undecided {
		v.Detail = elo + ", " + v.Detail
	}
	v.Scale = eloScale(e, v.Meaning)
	level := text.Level(e.Level)
	if e.AnyTime {
		level += " at any time"
	}
	v.Facts = append(v.Facts, level)
}

// EloText returns the Elo of an estimate with a sign, in whole numbers unless its interval is narrow.
func EloText(e rating.Estimate) string { return eloNumber(e, e.Elo) + " Elo" }

// eloEnds returns the interval of an estimate in Elo, such as "+74 to +108".
func eloEnds(e rating.Estimate) string {
	return eloNumber(e, e.EloRange.Low) + " to " + eloNumber(e, e.EloRange.High)
}

func eloNumber(e rating.Estimate, elo float64) string {
	switch {
	case math.Abs(elo) >= rating.MaxElo:
		return rating.EloText(elo)
	case e.EloRange.High-e.EloRange.Low < 20:
		return text.Signed(elo, 1)
	}
	return text.Signed(elo, 0)
}

// eloScale shows an estimate on its axis.
func eloScale(e rating.Estimate, m figure.Meaning) *figure.Scale {
	s := &figure.Scale{Title: fmt.Sprintf("%s, %s", EloText(e), eloEnds(e)), Meaning: m, Value: e.Elo, Lo: e.EloRange.Low,
		Hi: e.EloRange.High, Zero: "0: equal"}
	if s.Lo <= -rating.MaxElo {
		s.Lo = math.Inf(-1)
	}
	if s.Hi >= rating.MaxElo {
		s.Hi = math.Inf(1)
	}
	return s
}

// PrintVerdict writes the head of a result for a terminal.
func PrintVerdict(out io.Writer, r Result, end Ended) error {
	v, err := r.Verdict()
	if err != nil {
		return err
	}
	v.Facts = append(v.Facts, Took(end.Elapsed.Seconds())...)
	return v.Text(out)
}
