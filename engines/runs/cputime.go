package runs

import (
	"fmt"

	"selfplaylab/datasets"
	"selfplaylab/reports/text"
)

// CPUTime returns the measured processor time of A's and B's decisions in a phase, over all ended
// sessions. It repeats no more than other times.
func (h *Head) CPUTime(phase string) [2]datasets.CPUTime { return h.CPUTimes()[phase] }

// CPUTimes returns CPUTime of every phase, by one pass over the sessions.
func (h *Head) CPUTimes() map[string][2]datasets.CPUTime {
	times := map[string][2]datasets.CPUTime{}
	for _, s := range h.Sessions {
		for _, p := range s.CPUTime {
			cpu := times[p.Phase]
			times[p.Phase] = [2]datasets.CPUTime{cpu[0].Plus(p.A), cpu[1].Plus(p.B)}
		}
	}
	return times
}

// CPUNote explains where processor times come from.
const CPUNote = "CPU time on the machine that ran this, with the child processes of external engines. Cheap decisions are sampled. " +
	"It does not repeat."

// PerDecision writes processor time such as "1.23 ms"; "not measured" without decisions.
func PerDecision(c datasets.CPUTime) string {
	if c.Decisions == 0 {
		return "not measured"
	}
	micros := 1e6 * c.Seconds / float64(c.Decisions)
	if micros < 1000 {
		return text.Digits(micros, 3) + " µs"
	}
	return text.Digits(micros/1000, 3) + " ms"
}

// CPURatio returns the processor time of A's decisions over that of B's; ok is false if either was
// not measured.
func CPURatio(a, b datasets.CPUTime) (ratio float64, ok bool) {
	if min(a.Decisions, b.Decisions) == 0 || min(a.Seconds, b.Seconds) == 0 {
		return 0, false
	}
	return a.Seconds / float64(a.Decisions) / (b.Seconds / float64(b.Decisions)), true
}

// CPUObject returns processor times as JSON; nil if none were measured.
func CPUObject(c datasets.CPUTime) any {
	if c.Decisions == 0 {
		return nil
	}
	return Object{{"seconds", c.Seconds}, {"decisions", c.Decisions}}
}

// CPUText compares A's and B's processor time per decision; "" where none was measured.
func CPUText(cpu [2]datasets.CPUTime) string {
	if cpu[0].Decisions+cpu[1].Decisions == 0 {
		return ""
	}
	list := fmt.Sprintf("A %s, B %s per decision", PerDecision(cpu[0]), PerDecision(cpu[1]))
	if ratio, ok := CPURatio(cpu[0], cpu[1]); ok {
		list += fmt.Sprintf(", A : B = %s", text.Digits(ratio, 3))
	}
	return list + fmt.Sprintf(" (in %s and %s decisions)", text.Count(cpu[0].Decisions), text.Count(cpu[1].Decisions))
}
