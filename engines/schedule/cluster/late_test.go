//go:build unix

package cluster

import (
	"syscall"
	"testing"

	"selfplaylab/engines/testmode"
)

// TestAnswerToEarlierRunIsDropped has a worker that was suspended and answers after its run has
// ended: the answer does not count in the next run.
func TestAnswerToEarlierRunIsDropped(t *testing.T) {
	testmode.SkipUnlessLong(t) // waits for a machine that was stopped
	t.Parallel()               // mostly waits
	p, b, words := coordinator(t)
	var silent silences
	silent.decide(p)
	late := start(t, part{Kind: "worker", URL: b.URL("")})
	id := late.joined(t)
	rows := &memory{seen: func(n int) {
		switch n {
		case 1:
			late.until(t, "taken")
			late.signal(t, syscall.SIGSTOP)
			start(t, part{Kind: "worker", URL: b.URL("")}).until(t, "playing for")
			silent.ids.Store(id, true)
		case 2: // the run must not end before the silence is noticed
			words.until(t, "is silent")
		}
	}}
	long := question{game: "quoridor", pairs: 1500}
	if err := long.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	rows.equal(t, long.alone(t))
	next := &memory{seen: func(n int) {
		if n == 1 {
			silent.ids.Delete(id)
			late.signal(t, syscall.SIGCONT)
			words.until(t, "has joined")
		}
	}}
	if err := long.play(t, t.Context(), p, next); err != nil {
		t.Fatal(err)
	}
	next.equal(t, rows)
	if p.dispatcher.differing > 0 {
		t.Errorf("%d answers differ", p.dispatcher.differing)
	}
}
