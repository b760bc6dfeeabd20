package cluster

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"selfplaylab/engines/play"
)

// An answer of a worker is held back until the coordinator has played some pairs of it, or of a
// later answer of the same worker, with equal results. The pairs are drawn by a secret
// generator, and no message shows them. A worker that lies in every pair from some moment on is
// caught before any lie is used. A worker that rarely lies is caught by chance, and all its
// answers are then played again.
const (
	// earlyChecks is the number of checks that a new worker must pass before its answers may be
	// used unchecked when the run waits for them; at first each answer is checked.
	earlyChecks = 4
	// checkedShare is the number of pairs of a worker for each drawn pair.
	checkedShare = 100
	// sureEnough is the share of a worker's pairs that may be wrong at which idle time draws no
	// more of them.
	sureEnough = 0.01
	// drawEvery is the time between two pairs that idle time draws.
	drawEvery = 50 * time.Millisecond
	// quickChecks is the time for which checks may delay a run that waits for answers.
	quickChecks = 0.05 // in seconds
	// longChecks is the amount of waiting checks from which other workers play some of them.
	longChecks = 2.0 // in seconds for each checker
	// ownShare is the number of checks of which this process plays one even then.
	ownShare = 8
	// maxHeld is the time for which an answer may be held back, in addition to the time of
	// maxHeldPieces pieces of work.
	maxHeld, maxHeldPieces = 30 * time.Second, 10
	// maxUsed is the number of used pieces of work of all workers that are remembered, to be
	// played again if their worker is caught: a third of a kilobyte each.
	maxUsed = 1 << 20
	// oddScore is the distance of a worker's score from the score of all others, in standard
	// errors, from which each of its answers is checked.
	oddScore = 4
)

// check is a comparison of some pairs of a worker with the same pairs played by the
// coordinator.
type check struct {
	m       *worker
	through int // number of answers in m.held that are used if the check passes
	samples []sample
}

// sample is a pair of an answer.
type sample struct {
	job    play.Job // of the pair
	digest uint64   // of the answer
}

// sample returns a pair of an answer.
func (w *work) sample(place int) sample { return sample{w.at(place), w.digests[place]} }

// hold holds an answer back, and draws pairs of it to compare, each with the same probability,
// which no worker can compute.
func (d *dispatcher) hold(w *work, m *worker, now time.Time) {
	if len(m.held) == 0 {
		m.since = now
	}
	m.held = append(m.held, w)
	m.answers++
	d.held += w.pairs
	w.rate = 1.0 / checkedShare
	before := len(m.draws)
	for place := range w.pairs {
		if d.secret.IntN(checkedShare) == 0 {
			m.draws = append(m.draws, draw{w, place})
		}
	}
	if len(m.draws) > before || m.passed < earlyChecks || math.Abs(m.residual) > oddScore || d.secret.Float64() < 1/float64(m.answers) {
		d.need(m)
	}
	d.holds(m)
}

// holds adds a worker to the holders that press examines.
func (d *dispatcher) holds(m *worker) {
	if !m.holder && len(m.held) > 0 {
		m.holder = true
		d.holders = append(d.holders, m)
	}
}

// need notes that a worker must be checked.
func (d *dispatcher) need(m *worker) {
	if m.due || m.caught {
		return
	}
	if m.due = true; !m.checking {
		d.due = append(d.due, m)
	}
}

// press is called when nothing can be given out. If the run waits for answers that are held
// back, they are checked at once. They are used unchecked if their workers have passed enough
// checks and this process could not check them soon. It returns the answers that are used.
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
		case m.due, now.Sub(m.crossed).Seconds() < 1+patience:
		case starved, d.held > maxRoom, now.Sub(m.since).Seconds() > maxHeld.Seconds()+patience:
			d.need(m)
		}
		rest = append(rest, m)
	}
	d.holders = rest
	return used
}

// checksTake returns the seconds that n checks take on the checkers.
func (d *dispatcher) checksTake(n int) float64 { return 2 * d.pace.value * float64(n) }

// use accepts the first n answers of a worker that are held back.
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
			m.firstForgotten = new(m.used[0]) // a copy, so that the garbage collector can free the others
		}
		m.used = slices.Clone(m.used[len(m.used)-limit:])
	}
	return list
}

// nextCheck returns a check for this process to play; nil if there is none or no checker is
// free. spare is the number of idle cores of this machine. If checks pile up, other workers
// play most of them, as further copies of the same work.
func (d *dispatcher) nextCheck(checkers, busy, spare int, now time.Time) *check {
	if len(d.due) == 0 && busy == 0 && spare > 0 && !now.Before(d.drawn) {
		d.drawn = now.Add(drawEvery)
		d.drawMore()
	}
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
		case m.caught || !m.unsure && len(m.held)+len(m.draws) == 0:
		case give && d.giveCheck(m, now):
		default:
			return d.sampleChecks(m)
		}
	}
	return nil
}

// spareOf returns the number of idle cores of a machine; cores is the number if no worker runs
// there.
func (d *dispatcher) spareOf(host string, cores int) int {
	if m := d.machines[host]; m != nil && m.slots > 0 {
		return max(0, m.cores-m.playing)
	}
	return cores
}

// drawMore draws one more pair, from the answer whose pairs had the lowest probability so far.
// With enough time the probabilities of all remembered pairs become equal.
func (d *dispatcher) drawMore() {
	wrong := d.mayBeWrong()
	var least *work
	for _, number := range d.old {
		w := d.known[number]
		if w == nil || w.rate == 0 || least != nil && w.rate >= least.rate {
			continue
		}
		if m := d.workers[w.by]; !m.caught && wrong[m] > sureEnough {
			least = w
		}
	}
	if least == nil {
		return
	}
	least.rate += 1 / float64(least.pairs)
	m := d.workers[least.by]
	m.draws = append(m.draws, draw{least, d.secret.IntN(least.pairs)})
	d.need(m)
}

// mayBeWrong returns the share of each worker's pairs that may be wrong, with 95 % confidence,
// although all compared pairs were correct. A worker may have lied where the probability of a
// draw was lowest. If rate draws of each pair are expected, none of n wrong pairs is drawn with
// a probability of at most exp(-n rate).
func (d *dispatcher) mayBeWrong() map[*worker]float64 {
	const level = 0.95
	least := map[*worker]float64{}
	note := func(m *worker, rate float64) {
		if known := least[m]; m != nil && rate > 0 && (known == 0 || rate < known) {
			least[m] = rate
		}
	}
	for _, m := range d.workers {
		note(m, m.least)
	}
	for _, number := range d.old {
		if w := d.known[number]; w != nil {
			note(d.workers[w.by], w.rate)
		}
	}
	wrong := map[*worker]float64{}
	for m, rate := range least {
		wrong[m] = min(1, -math.Log(1-level)/(rate*float64(m.games)/2))
	}
	return wrong
}

// forgetRate notes the draw probability of an answer that is no longer remembered.
func (d *dispatcher) forgetRate(w *work) {
	if m := d.workers[w.by]; m != nil && w.rate > 0 && (m.least == 0 || w.rate < m.least) {
		m.least = w.rate
	}
}

// giveCheck gives answers of a worker with drawn pairs, or its newest one, to other workers. It
// returns false if others play them already.
func (d *dispatcher) giveCheck(m *worker, now time.Time) bool {
	list := []*work{m.newest()}
	if len(m.draws) > 0 {
		list = nil
		for _, x := range m.draws {
			list = append(list, x.work)
		}
	}
	given := false
	for _, w := range list {
		if !w.cross {
			w.cross, given = true, true
			d.checks = append(d.checks, w)
		}
	}
	if given {
		m.crossed = now
	}
	return given
}

// sampleChecks picks the pairs of a worker to replay: all drawn pairs, and the last pair of its
// newest answer if answers wait for the check. A worker that lies in every pair from some
// moment on lied in this pair.
func (d *dispatcher) sampleChecks(m *worker) *check {
	m.checking = true
	c := &check{m: m, through: len(m.held)}
	for _, x := range m.draws {
		c.samples = append(c.samples, x.work.sample(x.place))
	}
	m.draws = nil
	if len(m.held) > 0 || m.unsure {
		w := m.newest()
		c.samples = append(c.samples, w.sample(w.pairs-1))
	}
	return c
}

// pass ends a check without a difference, and returns the work whose answers are used now.
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

// vouch notes that pairs of a worker were compared and equal. latest says that they belong to
// an answer at least as new as any used one.
func (d *dispatcher) vouch(m *worker, through, pairs int, latest bool) []*work {
	m.passed++
	m.unsure = m.unsure && !latest
	m.compared += int64(pairs)
	d.twice += int64(pairs)
	used := d.use(m, through)
	d.holds(m)
	return used
}

// confirmed notes that another worker's answer to w was equal, and returns the work whose
// answers are used now. Only answers of this process and answers to checks count: two workers
// that lie alike may have arranged all others.
func (d *dispatcher) confirmed(w *work, by *worker) []*work {
	m := d.workers[w.by]
	if m == nil || by == nil || m == by || m.own || m.caught || by.caught || m.checking || !by.own && !w.cross {
		return nil
	}
	m.crossed = time.Time{}
	m.draws = slices.DeleteFunc(m.draws, func(x draw) bool { return x.work == w })
	through := slices.Index(m.held, w) + 1
	return d.vouch(m, through, w.pairs, through > 0 || w == m.last)
}

// expose notes that a worker lied, or is broken. Others get its answers that are not used. It
// returns the used answers, which must be compared.
func (d *dispatcher) expose(m *worker, now time.Time) (used []past, firstForgotten *past) {
	m.caught, m.checking, m.due = true, false, false
	d.leave(m, done, now)
	for _, w := range m.held {
		d.held -= w.pairs
		d.reopen(w, now)
	}
	used, m.held, m.used, m.last, m.draws = m.used, nil, nil, nil, nil
	return used, m.firstForgotten
}

// reopen gives out again a piece of work that was answered, with another number, because a late
// answer to the old number must not count.
func (d *dispatcher) reopen(w *work, now time.Time) {
	d.forget(w, now)
	again := d.newWork(now, w.jobs...)
	again.suspect = w.suspect
	d.resend = append(d.resend, again)
}

// release forgets answers that are held back, and checks that are being played.
func (d *dispatcher) release() {
	for _, m := range d.workers {
		m.draws = slices.DeleteFunc(m.draws, func(x draw) bool { return slices.Contains(m.held, x.work) })
		m.held, m.holder, m.due, m.checking = nil, false, false, false
	}
	d.held, d.due, d.holders, d.checks = 0, nil, nil, nil
}

// sumOf returns a digest of digests.
func sumOf(digests []uint64) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, d := range digests {
		binary.LittleEndian.PutUint64(b[:], d)
		h.Write(b[:])
	}
	return h.Sum64()
}

// unsettled starts checks of workers with drawn pairs, or with answers used without a check,
// and reports whether any check is missing.
func (d *dispatcher) unsettled() (open bool) {
	for _, m := range d.byArrival() {
		if m.caught || m.own {
			continue
		}
		waits := slices.ContainsFunc(m.draws, func(x draw) bool { return !x.cross })
		if (m.unsure || waits) && !m.checking {
			d.need(m)
		}
		open = open || m.unsure || m.checking || len(m.held)+len(m.draws) > 0
	}
	return open
}

// newSecret returns a generator that no worker can guess. Simulations give a seed.
func newSecret(seed [32]byte) *rand.Rand { return rand.New(rand.NewChaCha8(seed)) }
