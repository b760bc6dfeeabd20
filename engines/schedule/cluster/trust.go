package cluster

import (
	"encoding/binary"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"selfplaylab/engines/play"
)

// An answer of a worker is held back until the coordinator has played some of its
// pairs itself, or of a later answer of the same worker, and they were equal. Which
// ones is drawn from a secret, and no message tells. So whoever lies all the time, or
// from some moment on, is caught before any of it is used; who lies now and then is
// caught sooner or later, and all its answers are then played again.
const (
	// earlyChecks is how many checks a new worker must pass, one for each answer at
	// first, before its answers may be used unchecked where the run waits for them.
	earlyChecks = 4
	// checkedShare is the number of pairs of a worker for one that is checked.
	checkedShare = 100
	// quickChecks is for how long checks may hold up a run that waits for answers.
	quickChecks = 0.05 // seconds
	// longChecks is for how much work checks may wait for this process, before
	// other workers play some of them.
	longChecks = 2.0 // seconds a checker
	// ownShare is the number of checks for one that this process plays even then.
	ownShare = 8
	// maxHeld is for how long an answer may be held back, beyond the time of
	// maxHeldPieces pieces of work.
	maxHeld, maxHeldPieces = 30 * time.Second, 10
	// manyHeld is how many older answers that are held back are worth a check of one.
	manyHeld = 4
	// maxUsed is how many used pieces of work are remembered of all workers, to be
	// played again should one be caught: a third of a kilobyte each.
	maxUsed = 1 << 20
)

// check is a comparison of some pairs of a worker with those of the coordinator.
type check struct {
	m       *worker
	through int // answers of m.held that are used if it passes
	samples []sample
}

// sample is a pair of an answer.
type sample struct {
	job    play.Job // for the pair
	digest uint64   // of what was answered
}

// sample is a pair of an answer.
func (w *work) sample(place int) sample { return sample{w.at(place), w.digests[place]} }

// hold keeps an answer back.
func (d *dispatcher) hold(w *work, m *worker, now time.Time) {
	if len(m.held) == 0 {
		m.since = now
	}
	m.held = append(m.held, w)
	m.answers++
	d.held += w.pairs
	drawn := d.secret.Float64() < float64(w.pairs)/checkedShare+1/float64(m.answers)
	if m.passed < earlyChecks || drawn {
		d.need(m)
	}
	d.holds(m)
}

// holds has press look at a worker.
func (d *dispatcher) holds(m *worker) {
	if !m.holder && len(m.held) > 0 {
		m.holder = true
		d.holders = append(d.holders, m)
	}
}

// need has a worker's newest answer checked.
func (d *dispatcher) need(m *worker) {
	if m.due || m.caught {
		return
	}
	if m.due = true; !m.checking {
		d.due = append(d.due, m)
	}
}

// press is called where nothing can be given out: if the run waits for answers that are
// held back, they are checked at once, or used unchecked if their workers have passed
// enough checks and this process could not check them soon. It returns those.
func (d *dispatcher) press(now time.Time) (used []*work) {
	starved := d.pending == 0 && len(d.resend) == 0 && (d.idle > 0 || d.out == 0)
	rest := d.holders[:0]
	for _, m := range d.holders {
		patience := maxHeldPieces * d.pace.value * float64(d.size(d.pace.value))
		switch {
		case len(m.held) == 0:
			m.holder = false
			continue
		case m.checking:
		case starved && m.passed >= earlyChecks && d.checksTake(len(d.due)+1) > d.quick:
			used = append(used, d.use(m, len(m.held))...)
			m.unsure = true
		case m.due, now.Sub(m.asked).Seconds() < 1+patience:
		case starved, d.held > maxRoom, now.Sub(m.since).Seconds() > maxHeld.Seconds()+patience:
			d.need(m)
		}
		rest = append(rest, m)
	}
	d.holders = rest
	return used
}

// checksTake is how many seconds some checks take a core.
func (d *dispatcher) checksTake(n int) float64 { return 2 * d.pace.value * float64(n) }

// use takes the first answers of a worker for true.
func (d *dispatcher) use(m *worker, n int) []*work {
	list := m.held[:n:n]
	m.held = slices.Clone(m.held[n:])
	for _, w := range list {
		d.held -= w.pairs
		d.credit(w, m)
		m.used = append(m.used, past{w.jobs, sumOf(w.digests)})
		m.last = w
	}
	if limit := maxUsed / max(1, d.here); len(m.used) > limit+limit/4 {
		if m.firstForgotten == nil {
			m.firstForgotten = new(m.used[0]) // which holds on to none of the others
		}
		m.used = slices.Clone(m.used[len(m.used)-limit:])
	}
	return list
}

// nextCheck returns a check for this process to play, if there is one and a checker is
// free. Where checks pile up, other workers play most of them, as further copies of the
// same work.
func (d *dispatcher) nextCheck(checkers, busy int, now time.Time) *check {
	for len(d.due) > 0 {
		m := d.due[0]
		crowded := d.here > 1 && d.checksTake(len(d.due)) > longChecks*float64(checkers)
		give := crowded && (busy == checkers || d.secret.IntN(ownShare) > 0)
		if !give && busy == checkers {
			return nil
		}
		d.due = d.due[1:]
		m.due = false
		switch {
		case m.caught || !m.unsure && len(m.held) == 0:
		case give:
			w := m.newest()
			w.cross, m.asked = true, now
			d.checks = append(d.checks, w)
		default:
			return d.sampleChecks(m)
		}
	}
	return nil
}

// sampleChecks draws pairs of a worker: the last of its newest answer, for whoever lies
// does so in that one if it began to and has not stopped, others of that answer, and
// one of another that is held back.
func (d *dispatcher) sampleChecks(m *worker) *check {
	m.checking = true
	c := &check{m: m, through: len(m.held)}
	w := m.newest()
	places := map[int]bool{w.pairs - 1: true}
	for range 1 + w.pairs/checkedShare {
		places[d.secret.IntN(w.pairs)] = true
	}
	for _, i := range slices.Sorted(maps.Keys(places)) {
		c.samples = append(c.samples, w.sample(i))
	}
	if older := m.held[:max(1, len(m.held))-1]; len(older) >= manyHeld {
		w := older[d.secret.IntN(len(older))]
		c.samples = append(c.samples, w.sample(d.secret.IntN(w.pairs)))
	}
	return c
}

// pass ends a check that found no difference, and returns the work whose answers are
// used now.
func (d *dispatcher) pass(c *check) []*work {
	m := c.m
	if m.caught {
		return nil
	}
	m.checking = false
	if m.due {
		d.due = append(d.due, m)
	}
	return d.vouch(m, c.through, len(c.samples), true)
}

// vouch notes that pairs of a worker were compared and equal. latest says that they are of an
// answer no older than any that was used.
func (d *dispatcher) vouch(m *worker, through, pairs int, latest bool) []*work {
	m.passed++
	m.unsure = m.unsure && !latest
	m.compared += int64(pairs)
	d.twice += int64(pairs)
	used := d.use(m, through)
	d.holds(m)
	return used
}

// confirmed notes that another worker's answer to w was equal, and returns the work
// whose answers are used now. Only answers of this process and to checks count: two
// workers that lie alike may have arranged all others.
func (d *dispatcher) confirmed(w *work, by *worker) []*work {
	m := d.workers[w.by]
	if m == nil || by == nil || m == by || m.own || m.caught || by.caught || m.checking || !by.own && !w.cross {
		return nil
	}
	m.asked = time.Time{}
	through := slices.Index(m.held, w) + 1
	return d.vouch(m, through, w.pairs, through > 0 || w == m.last)
}

// expose notes that a worker lied, or is broken, and has others play what it answered
// and is not used. It returns what was used: it is to be compared.
func (d *dispatcher) expose(m *worker, now time.Time) (used []past, forgotten *past) {
	m.caught, m.checking, m.due = true, false, false
	d.leave(m, done, now)
	for _, w := range m.held {
		d.held -= w.pairs
		d.reopen(w, now)
	}
	used, m.held, m.used, m.last = m.used, nil, nil, nil
	return used, m.firstForgotten
}

// reopen has a piece of work that was answered given out once more, under another number:
// a worker takes no number twice, and it may have played a copy of this one.
func (d *dispatcher) reopen(w *work, now time.Time) {
	d.forget(w, now)
	again := d.newWork(now, w.jobs...)
	again.suspect = w.suspect
	d.resend = append(d.resend, again)
}

// release forgets answers that are held back, and checks under way.
func (d *dispatcher) release() {
	for _, m := range d.workers {
		m.held, m.holder, m.due, m.checking = nil, false, false, false
	}
	d.held, d.due, d.holders, d.checks = 0, nil, nil, nil
}

// sumOf is a digest of digests.
func sumOf(digests []uint64) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, d := range digests {
		binary.LittleEndian.PutUint64(b[:], d)
		h.Write(b[:])
	}
	return h.Sum64()
}

// unsettled has the last used answers of all workers checked that were used without,
// and reports whether anything is still to be.
func (d *dispatcher) unsettled() (open bool) {
	for _, m := range d.byArrival() {
		if m.caught || m.own {
			continue
		}
		if m.unsure && !m.checking {
			d.need(m)
		}
		open = open || m.unsure || m.checking || len(m.held) > 0
	}
	return open
}

// newSecret draws from a generator that nobody can guess, but for simulations.
func newSecret(seed [32]byte) *rand.Rand { return rand.New(rand.NewChaCha8(seed)) }
