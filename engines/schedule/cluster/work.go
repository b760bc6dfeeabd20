package cluster

import (
	"cmp"
	"container/list"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"selfplaylab/engines/play"
)

// Sizes and patience of the dispatcher, found by simulation (see simulation_test.go).
const (
	// workSeconds is the time that a piece of work should take one core: long enough that
	// messages cost nothing, short enough to keep queues short.
	workSeconds = 0.5
	// maxAnswers is the number of answers a second that the coordinator should have to take;
	// with more cores, pieces of work are longer.
	maxAnswers = 1500
	// burst is the number that it can take near the end of the work, where pieces are shorter
	// so that all cores end together.
	burst = 2 * maxAnswers
	// maxPairs bounds a piece of work in pairs; tests may use other bounds.
	maxPairs = 4096
	// maxBytes bounds the expected size of an answer.
	maxBytes = 2 << 20
	// ahead is the number of pieces of work that a worker has for each core: one in play and
	// one waiting.
	ahead = 2
	// slack is the number of pieces of work that may be in flight for each core if the source
	// has no order, and maxRoom bounds their pairs: a kilobyte each.
	slack   = 12
	maxRoom = 1 << 20
	// patience is the multiple of the expected time after which idle cores play a piece of
	// work, too; minPatience is its lower bound.
	patience    = 1.5
	minPatience = 250 * time.Millisecond
	// farTooLong is the multiple of this patience for idle workers on machines without an idle
	// core.
	farTooLong = 4
	// maxCopies is the maximum number of workers with the same piece of work.
	maxCopies = 3
	// lostAfter is the time of silence after which a worker counts as lost; it greets every
	// beat. Tests may use another time.
	lostAfter = 3 * beat
	// fatal is the number of workers lost with a piece of work after which its pairs are given
	// out one by one, and with a single pair after which it is set aside.
	fatal = 3
	// remembered is the number of answered pieces of work that are kept for comparison with
	// late answers.
	remembered = 4096
)

// work is a piece of work: some pairs that one core plays in a row.
type work struct {
	number  uint64 // unique in the session
	jobs    []play.Job
	pairs   int
	exact   bool // its players repeat their decisions, so two answers must be equal
	suspect bool // a single pair of work that several workers were lost with

	made   time.Time
	begun  time.Time // time at which the last worker with the work could begin
	copies int       // number of workers that have it now
	takers map[string]take

	answered bool
	by       string   // worker whose answer counts
	digests  []uint64 // of its pairs
	result   []play.Pair
	cross    bool    // another worker is to check the answer
	rate     float64 // expected number of draws of each of its pairs
	here     bool    // left to the coordinator's process
	aside    bool    // set aside, because it may have ended workers
}

// take is a worker's part in a piece of work; zero for a worker that may get it.
type take int

const (
	has  take = iota + 1 // it is playing the piece, or has it waiting
	done                 // it answered, or the piece was taken from it
	lost                 // it was lost with the piece
)

// wanted reports whether workers may get a piece of work as if it were new.
func (w *work) wanted() bool { return !w.answered && !w.here && !w.aside }

// at returns a job for pair i of a piece of work.
func (w *work) at(i int) play.Job {
	for _, j := range w.jobs {
		if n := j.To - j.From; i >= n {
			i -= n
			continue
		}
		j.From += i
		j.To = j.From + 1
		return j
	}
	panic(fmt.Sprintf("pair %d of work %d of %d", i, w.number, w.pairs))
}

// asks reports whether pairs are those of a piece of work, in order.
func (w *work) asks(pairs []play.Pair) bool {
	i := 0
	for _, j := range w.jobs {
		for n := j.From; n < j.To; n++ {
			if i >= len(pairs) || pairs[i].Number != n {
				return false
			}
			i++
		}
	}
	return i == len(pairs)
}

// worker is a worker in the coordinator's view.
type worker struct {
	greeting
	own          bool // it belongs to the coordinator's process
	joined, seen time.Time
	heard        int // number of its greetings
	games        int64
	pace         mean // seconds that one core of the worker needs for a pair
	gone         bool // it left, or was silent for too long
	unable       bool // it could not play something
	has          []given
	rest         time.Duration // pause before more work, after work that the worker could not play
	rested       time.Time     // end of this pause
	line         int           // index in dispatcher.lines; noLine for none
	place        *list.Element // in this line
	trust
}

// given is a piece of work that a worker has.
type given struct {
	*work
	heard int // number of the worker's greetings before it was given
}

// idle returns the number of its cores without work.
func (m *worker) idle() int { return max(0, m.Slots-len(m.has)) }

// room returns the number of further pieces that it may have.
func (m *worker) room() int { return max(0, ahead*m.Slots-len(m.has)) }

// speed returns a worker's speed in games a second; 0 if unknown.
func (m *worker) speed() float64 {
	if m.pace.value <= 0 {
		return 0
	}
	return 2 * float64(m.Slots) / m.pace.value
}

// suspect returns the single pair of lost work that a worker has; nil for none.
func (m *worker) suspect() *work {
	for _, g := range m.has {
		if g.suspect {
			return g.work
		}
	}
	return nil
}

// trust is the part of a worker that decides about its answers.
type trust struct {
	held     []*work   // its answers that are not used yet, in order of arrival
	since    time.Time // arrival of the first of them
	holder   bool      // it is in dispatcher.holders
	draws    []draw    // pairs to compare
	crossed  time.Time // time at which another worker last got a check of it
	used     []past    // its used answers, as far as they are remembered
	last     *work     // the newest used one
	unsure   bool      // some were used since the last check
	due      bool      // a check is drawn, or needed
	checking bool      // a check is being played
	caught   bool
	answers  int     // number of answers in exact play
	passed   int     // number of checks
	compared int64   // number of pairs
	least    float64 // lowest work.rate of used answers that are forgotten; 0 if there is none
	residual float64 // distance of its score from the others', in standard errors
	// firstForgotten is the first used answer that is not remembered, which counts as wrong if
	// the worker is caught; nil if all are remembered.
	firstForgotten *past
}

// draw is a pair of an answer to compare.
type draw struct {
	*work
	place int
}

// past is a used answer.
type past struct {
	jobs []play.Job
	sum  uint64 // of its digests
}

// newest returns a worker's newest answer. The worker must have one.
func (t *trust) newest() *work {
	if n := len(t.held); n > 0 {
		return t.held[n-1]
	}
	return t.last
}

// machine is a computer with all its present workers.
type machine struct {
	cores, slots, playing int
}

// spare returns the number of its cores without work. Six workers on two cores have none if two
// of them play, because more work for the others would slow these down.
func (m *machine) spare() int { return max(0, min(m.cores, m.slots)-m.playing) }

// mean is a running mean that forgets old values.
type mean struct {
	value  float64
	weight float64
}

// add adds a value that counts as weight values.
func (m *mean) add(x, weight float64) {
	const memory = 256 // in pairs
	m.weight = min(m.weight+weight, memory)
	m.value += (x - m.value) * min(1, weight/m.weight)
}

// The lines in which workers wait for work.
const (
	idleLine  = iota // a core is idle
	aheadLine        // a piece may wait behind those in play
	noLine
)

// dispatcher decides where the next work is played. It sizes pieces of work, gives each to a
// worker, gives pieces of lost and slow workers to others, and decides which of two answers
// counts. It is the only owner of a piece of work until the answer. It has no clock, no network
// and no goroutine, so that a simulation drives the same code. The lock of its Pool guards it.
type dispatcher struct {
	lostAfter time.Duration
	expired   func(*worker) bool // replaces lostAfter in tests; nil otherwise
	mostPairs int
	quick     float64 // seconds for which checks may delay a run that waits for answers
	secret    *rand.Rand

	queue   []play.Job // jobs not yet given out, in order
	pending int        // number of their pairs
	next    uint64     // number of the next piece of work
	open    []*work    // pieces given out, in order; some are answered, see out
	out     int        // number of pieces in open without an answer
	resend  []*work    // pieces in open that no worker has any more
	checks  []*work    // answered pieces that another worker is to play, too
	due     []*worker  // workers whose newest answers are to be checked
	holders []*worker  // workers with answers held back and no check drawn
	held    int        // number of pairs in answers held back
	known   map[uint64]*work
	old     []uint64 // numbers of answered pieces in known, the oldest first

	workers  map[string]*worker
	lines    [noLine]*list.List // workers with room, the one that waits longest first
	slots    int                // pairs that the present workers play at the same time
	here     int                // number of present workers
	idle     int                // slots without work
	spare    int                // cores without work, however many slots wait for them
	machines map[string]*machine
	look     time.Time // no search for slow work before
	drawn    time.Time // no draw in idle time before

	pace  mean // seconds that a pair takes one core
	bytes mean // size of the answer to a pair

	// Of all turns:
	differing int   // answers that differed from the first although play need not repeat
	counted   int64 // pairs in answers that counted
	twice     int64 // pairs of these that were compared
}

// byArrival returns all workers that ever came, in the order of their arrival.
func (d *dispatcher) byArrival() []*worker {
	all := make([]*worker, 0, len(d.workers))
	for _, m := range d.workers {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *worker) int { return cmp.Or(a.joined.Compare(b.joined), cmp.Compare(a.ID, b.ID)) })
	return all
}

// changes applies a change to a worker, and updates its line and the numbers of idle slots and
// cores.
func (d *dispatcher) changes(m *worker, change func()) {
	h := d.machines[m.Host]
	if h == nil {
		h = &machine{}
		d.machines[m.Host] = h
	}
	count := func(sign int) {
		if m.gone {
			return
		}
		d.here += sign
		d.slots += sign * m.Slots
		d.idle += sign * m.idle()
		h.slots += sign * m.Slots
		h.playing += sign * (m.Slots - m.idle())
	}
	d.spare -= h.spare()
	count(-1)
	change()
	count(1)
	h.cores = cmp.Or(m.Cores, m.Slots)
	d.spare += h.spare()
	d.enqueue(m)
}

// enqueue puts a worker at the end of the line for its room, unless it is already there.
func (d *dispatcher) enqueue(m *worker) {
	line := noLine
	switch {
	case m.gone:
	case m.idle() > 0:
		line = idleLine
	case m.room() > 0:
		line = aheadLine
	}
	if m.place != nil && m.line == line {
		return
	}
	if m.place != nil {
		d.lines[m.line].Remove(m.place)
		m.place = nil
	}
	if m.line = line; line != noLine {
		m.place = d.lines[line].PushBack(m)
	}
}

// pick returns the worker that gets a piece of work; nil w stands for a piece not yet cut. A
// worker with an idle core comes before a worker that would queue the piece; of several, the
// worker that has waited longest comes first. pick returns nil if no worker may have the piece.
func (d *dispatcher) pick(w *work, now time.Time) *worker {
	for _, line := range d.lines {
		for e := line.Front(); e != nil; e = e.Next() {
			if m := e.Value.(*worker); !now.Before(m.rested) && m.may(w) {
				return m
			}
		}
	}
	return nil
}

// may reports whether a worker may get a piece of work. No worker gets one twice. Pairs of work
// that several workers were lost with go to one worker after the other, so that the pair that
// ends them becomes known, and never to the coordinator's own process.
func (m *worker) may(w *work) bool {
	return w == nil || w.takers[m.ID] == 0 && !(w.suspect && (m.own || m.suspect() != nil))
}

// hand gives a piece of work to a worker.
func (d *dispatcher) hand(w *work, m *worker, now time.Time) {
	w.takers[m.ID] = has
	w.copies++
	w.begun = now
	d.changes(m, func() { m.has = append(m.has, given{w, m.heard}) })
	if m.place != nil {
		d.lines[m.line].MoveToBack(m.place)
	}
}

// takeBack notes that a worker no longer has a piece of work. became is its part in the piece
// from now on, 0 if it may get it again. If nobody else has the piece, it is given out again at
// once.
func (d *dispatcher) takeBack(w *work, id string, became take, now time.Time) {
	had := w.takers[id] == has
	if w.takers[id] = became; became == 0 {
		delete(w.takers, id)
	}
	if !had {
		return
	}
	w.copies--
	if w.copies == 0 && w.wanted() {
		d.resend = append(d.resend, w)
	}
	m := d.workers[id]
	if w.answered && w.copies == 0 && (became != done || m.gone) {
		w.cross = false // the check is lost
	}
	i := slices.IndexFunc(m.has, func(g given) bool { return g.work == w })
	d.changes(m, func() { m.has = slices.Delete(m.has, i, i+1) })
	if i < m.Slots && len(m.has) >= m.Slots {
		m.has[m.Slots-1].begun = now // it waited behind the piece
	}
}

// newWork returns a piece of work that nobody has yet. All jobs are exact, or none.
func (d *dispatcher) newWork(now time.Time, jobs ...play.Job) *work {
	w := &work{number: d.next, jobs: jobs, made: now, begun: now, exact: jobs[0].Repeatable(), takers: map[string]take{}}
	for _, j := range jobs {
		w.pairs += j.To - j.From
	}
	d.next++
	d.out++
	d.open = append(d.open, w)
	d.known[w.number] = w
	return w
}

// forget takes a piece of work from all workers, and forgets its answer.
func (d *dispatcher) forget(w *work, now time.Time) {
	for id, t := range maps.Clone(w.takers) {
		if t == has {
			d.takeBack(w, id, done, now)
		}
	}
	delete(d.known, w.number)
}

// size returns the number of pairs that a piece of work should have at a pace.
func (d *dispatcher) size(pace float64) int {
	return d.lasting(max(workSeconds, float64(d.slots)/maxAnswers), pace)
}

// lasting returns the number of pairs that take a core some seconds at a pace, at least 1 and
// within bounds.
func (d *dispatcher) lasting(seconds, pace float64) int {
	if pace == 0 {
		return 1
	}
	n := seconds / pace
	if d.bytes.value > 0 {
		n = min(n, maxBytes/d.bytes.value)
	}
	return int(max(1, min(n, float64(d.mostPairs))))
}

// credit counts a used answer for its worker.
func (d *dispatcher) credit(w *work, m *worker) {
	d.counted += int64(w.pairs)
	if m != nil {
		m.games += int64(2 * w.pairs)
	}
}

// leave notes that a worker is gone: it left, or was lost with its work.
func (d *dispatcher) leave(m *worker, became take, now time.Time) {
	if m.gone {
		return
	}
	d.changes(m, func() { m.gone = true })
	suspect := m.suspect()
	for _, g := range slices.Clone(m.has) {
		if suspect != nil && g.work != suspect {
			d.takeBack(g.work, m.ID, done, now)
		} else {
			d.takeBack(g.work, m.ID, became, now)
		}
	}
}

// lostWith returns the names of the workers that were lost with a piece of work.
func (d *dispatcher) lostWith(w *work) (names []string) {
	for id, t := range w.takers {
		if t == lost {
			names = append(names, d.workers[id].name())
		}
	}
	slices.Sort(names)
	return names
}
