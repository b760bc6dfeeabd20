package tuning

import (
	"fmt"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// outcome is the evidence of a run on its tuned values.
type outcome int

// Outcomes.
const (
	unverified  outcome = iota // nothing is known about their strength, or not yet
	sameAsStart                // the start was recommended
	shownBetter
	notShown // not shown to be better
	shownWorse
)

// String returns the outcome in a word or two.
func (o outcome) String() string {
	return [...]string{"unverified", "same", "better", "not shown to be better", "worse"}[o]
}

// MarshalText is String.
func (o outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// keepStart reports whether the user should keep the start.
func (o outcome) keepStart() bool { return o == sameAsStart || o == notShown || o == shownWorse }

// candidateOnly reports whether tuned.toml holds the start's values because no gain of the tuning's
// values was shown: by the verification so far or, without one, by the tuning's games.
func (s *stage) candidateOnly() bool {
	o := s.Outcome()
	if e, _ := s.Verified(); e != nil && o == unverified {
		return !s.same() && e.Decided() <= 0
	}
	return !s.same() && (o.keepStart() || o == unverified && unreliable(s.current().evidence()))
}

func unreliable(s *analysis.Standing) bool { return s != nil && !s.Reliable }

// judged reports whether games other than the tuner's measure the tuned values.
func (s *stage) judged() bool {
	e, _ := s.Verified()
	return e != nil || s.Outcome() != unverified || s.OverPool() != nil
}

// Standing returns the evidence of the tuner's own games against the start until the verification
// shows more; else nil, and for a method without such evidence.
func (g *stage) Standing() *analysis.Standing {
	if g.judged() {
		return nil
	}
	return g.current().evidence()
}

// tunedValues returns the values of tuned.toml: never worse than the start by the run's own
// evidence.
func (s *stage) tunedValues() params.Vector {
	if s.candidateOnly() {
		return s.spec.Start.Values
	}
	return s.recommend()
}

// recommendedName returns the file that holds the tuning's own values.
func (s *stage) recommendedName() string {
	if s.candidateOnly() {
		return candidateName
	}
	return tunedName
}

// Outcome returns the result of the finished verification or, with a pool of opponents, of the games
// against them.
func (s *stage) Outcome() outcome {
	switch {
	case !s.settled():
		return unverified
	case s.same():
		return sameAsStart
	case s.spec.byPool():
		return s.OverPool().outcome()
	}
	e, test := s.Verified()
	switch {
	case e == nil || !s.verifyPhase.Done():
		return unverified
	case e.Decided() < 0:
		return shownWorse
	case test != nil && test.State == rating.AcceptH1 && test.Test.Elo0 >= 0, test == nil && e.Decided() > 0:
		return shownBetter
	}
	return notShown
}

// outcome returns the result of games with a pool; g is nil before their end.
func (p *poolGain) outcome() outcome {
	switch {
	case p == nil:
		return unverified
	case p.Gain.Low > 0:
		return shownBetter
	case p.Gain.High < 0:
		return shownWorse
	}
	return notShown
}

// Conclusion returns the outcome in words, with its numbers, and a mark if programs that do
// not repeat played for it.
func (s *stage) Conclusion() string { return runs.Marked(s.conclusion(), s.spec.players()...) }

func (s *stage) conclusion() string {
	e, test := s.Verified()
	switch {
	case s.settled() && s.same():
		return "nothing better than the start was found"
	case s.Standing() != nil && (!s.Standing().Reliable || s.Standing().Played != nil):
		return "not verified: " + s.Standing().String()
	case s.spec.byPool() && s.OverPool() == nil:
		return "not verified: the pool has not been played"
	case s.spec.byPool():
		return s.OverPool().outcome().String() + ": " + s.OverPool().String()
	case e == nil:
		return "not verified: nothing is known about its strength"
	case test != nil:
		return test.Verdict() + "; measured " + e.String()
	}
	if look := s.spec.rule().At(s.tally()); look.Outcome == rating.GainTooSmall || look.Outcome == rating.Hopeless {
		return "not shown to be better, " + look.String()
	}
	return e.Verdict()
}

// keptStart names the file with the tuning's values if no gain was shown.
const keptStart = tunedName + " holds the start's values, " + candidateName + " those that were tuned."

// advice describes the use of the tuned values, given whether all phases are over; "" if they were
// shown to be better.
func (s *stage) advice(finished bool) string {
	switch s.Outcome() {
	case notShown:
		if s.idleWarning() != nil {
			return "Keep the start: the tuned values decide alike, so more games will not show a difference. " + keptStart
		}
		return "Keep the start: the tuned values were not shown to be better. " + keptStart + " " + s.further()
	case shownWorse:
		return "Keep the start: the tuned values are worse. " + keptStart
	case sameAsStart:
		return "Keep the start: the tuned values are the same."
	case unverified:
		if finished && s.candidateOnly() {
			return "Keep the start: the tuned values were not verified, and the tuning's own games show no reliable gain. " + keptStart
		}
		if finished {
			return "The tuned values were not verified: do not call them better."
		}
	}
	return ""
}

// further suggests ways to show a gain that the verification did not, and the number of its further
// games if the games suggest one.
func (s *stage) further() string {
	const longer = "a longer tuning may find "
	_, test := s.Verified()
	tally, pairs := s.tally(), 0
	switch few := tally.N() < rating.MinSequence; {
	case s.spec.byPool() || few && test != nil:
		return text.Capital(longer) + "a larger gain, more games with the start or the opponents may show a small one."
	case few:
		return fmt.Sprintf("Fewer than %d pairs can show nothing: raise --verify-pairs.", rating.MinSequence)
	case test != nil && test.State != rating.Continue:
		return "The test has ended: only " + longer + "a larger gain."
	case test != nil:
		pairs = test.PairsToEnd()
	default:
		pairs = s.spec.sequence().PairsFor(tally)
	}
	if pairs == 0 {
		return "The verification suggests no gain: only " + longer + "one."
	}
	return fmt.Sprintf("If the gain is what was measured, about %s of verification (--verify-pairs) show it; %sa larger one.",
		analysis.About(2*(pairs-tally.N()), "more game"), longer)
}
