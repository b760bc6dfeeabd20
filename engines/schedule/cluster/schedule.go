package cluster

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"selfplaylab/engines/play"
)

// Sizes and patience of the schedule, found by simulation (see simulation_test.go).
const (
	// workSeconds is how long a piece of work should take one core: long enough
	// that messages cost nothing, short enough that little waits behind it.
	workSeconds = 0.5
	// maxAnswers is how many answers a second the coordinator is asked to take:
	// with more cores pieces of work get longer.
	maxAnswers = 1500
	// burst is how many it can take where little is left to give out, and pieces of
	// work get shorter so that all cores end together.
	burst = 2 * maxAnswers
	// maxPairs, usually, bounds a piece of work, whatever its speed.
	maxPairs = 4096
	// maxBytes bounds what a piece of work is expected to answer.
	maxBytes = 2 << 20
	// ahead is how many pieces of work there are for a core: the one it plays and
	// the one that waits for it there.
	ahead = 2
	// slack is how many pieces of work for a core may be in flight, where the source
	// has no order, and maxRoom bounds their pairs: a kilobyte each.
	slack   = 12
	maxRoom = 1 << 20
	// patience is how many times as long as expected a piece of work may take
	// before idle cores play it too, and minPatience a bound from below.
	patience    = 1.5
	minPatience = 250 * time.Millisecond
	// farTooLong is how many times that patience ends where idle workers have no
	// idle core.
	farTooLong = 4
	// maxCopies is how often a piece of work is given out while nobody who took it
	// is lost.
	maxCopies = 3
	// lostAfter is how long a worker may be silent, usually.
	lostAfter = 6 * time.Second
	// fatal is how many workers are lost with a piece of work before its pairs are given
	// out one by one, and then with a pair before it is set aside.
	fatal = 3
	// remembered is how many answered pieces of work are kept, to compare late
	// answers with.
	remembered = 4096
)

// dispatcher decides what is played where next: how large pieces of work are, which
// of them are given out again, and what of two answers counts. It has no clock, no
// network and no goroutine, so that a simulation drives the same code.
type dispatcher struct {
	lostAfter time.Duration
	silent    func(*member) bool // in place of lostAfter, by tests; nil otherwise
	mostPairs int
	quick     float64 // seconds that checks may hold up a run that waits for answers
	secret    *rand.Rand

	queue   []play.Job // not yet given out, in order
	pending int        // their pairs
	next    uint64     // number of the next piece of work
	open    []*work    // given out, in order; some are answered, see out
	out     int        // of open, not answered
	checks  []*work    // answered, to be played by another worker too
	due     []*member  // whose newest answers are to be checked
	holders []*member  // of answers held back that no check is drawn of
	held    int        // pairs of answers held back
	resend  []*work    // to be given out once more at once
	known   map[uint64]*work
	old     []uint64 // answered ones in known, the oldest first
	crew    map[string]*member
	slots   int // of the crew that is here: pairs that play at the same time
	here    int // of the crew
	idle    int // of the slots, with nothing to play
	spare   int // cores with nothing to play, however many slots wait for them
	hosts   map[string]*host
	look    time.Time // not to look for lagging work before

	pace  mean // seconds a pair takes one core
	bytes mean // of the answer to a pair

	// Of all turns:
	differing int   // answers that differed from the first where play does not repeat
	counted   int64 // pairs of answers that counted
	twice     int64 // pairs of those that were compared
}

// work is a piece of work: some pairs, for one core.
type work struct {
	number  uint64
	jobs    []play.Job
	pairs   int
	made    time.Time
	last    time.Time // given out or taken
	copies  int       // given out and not known to be lost or answered
	exact   bool      // its players repeat themselves, so two answers must be equal
	takers  map[string]*take
	playing int // of the takers

	answered bool
	by       string      // whose answer counts
	digests  []uint64    // of its pairs
	result   []play.Pair // while they are held back
	cross    bool        // another worker was asked to check it
	here     bool        // in the coordinator's own hands
	suspect  bool        // a single pair of work that workers were lost with
	aside    bool        // nobody gets it any more, for it may have ended them
}

// take is one worker's having a piece of work.
type take struct {
	over bool // answered, given back, or lost
	lost bool
}

// member is a worker as the coordinator sees it.
type member struct {
	greeting
	joined, seen time.Time
	games        int64
	pace         mean // seconds a pair takes one of its cores
	lost         bool
	playing      []*work // the longest first
	trust
}

// host is a machine with all its workers that are here.
type host struct {
	cores, slots, playing int
}

// spare is how many of its cores play nothing. Six workers of two cores have none
// where two play: whatever else they are given slows those down.
func (h *host) spare() int { return max(0, min(h.cores, h.slots)-h.playing) }

// mean is a running mean that forgets.
type mean struct {
	value  float64
	weight float64
}

func (m *mean) add(x, weight float64) {
	const memory = 256 // pairs
	m.weight = min(m.weight+weight, memory)
	m.value += (x - m.value) * min(1, weight/m.weight)
}

func newSchedule(secret *rand.Rand) *dispatcher {
	return &dispatcher{lostAfter: lostAfter, mostPairs: maxPairs, quick: quickChecks, secret: secret, known: map[uint64]*work{},
		crew: map[string]*member{}, hosts: map[string]*host{}}
}

// begin forgets all work, but not who is there, for games of the same run, that play
// as fast as those before, if same is true.
func (d *dispatcher) begin(same bool) {
	for _, m := range d.crew {
		d.changes(m, func() { m.playing = nil })
		old := m.trust
		m.trust = trust{own: old.own, caught: old.caught, compared: old.compared}
		if same {
			m.used, m.forgot, m.last, m.unsure, m.passed, m.answers = old.used, old.forgot, old.last, old.unsure, old.passed, old.answers
		}
	}
	*d = dispatcher{
		lostAfter: d.lostAfter, silent: d.silent, mostPairs: d.mostPairs, quick: d.quick, secret: d.secret, next: d.next,
		known: map[uint64]*work{}, crew: d.crew, slots: d.slots, here: d.here, idle: d.idle, spare: d.spare, hosts: d.hosts,
		pace: d.pace, bytes: d.bytes, differing: d.differing, counted: d.counted, twice: d.twice,
	}
	if !same {
		d.pace, d.bytes = mean{}, mean{}
	}
}

// add takes a job to play; jobs of pairs that follow each other become one.
func (d *dispatcher) add(j play.Job) {
	d.pending += j.To - j.From
	if n := len(d.queue) - 1; n >= 0 && d.queue[n].Trial == j.Trial && d.queue[n].To == j.From {
		d.queue[n].To = j.To
		return
	}
	d.queue = append(d.queue, j)
}

// room is how many pairs the schedule would like to have to give out, under way,
// or answered behind one that is not: results are taken in order, so one that is
// late holds all others up, and cores must have something to do meanwhile. Answers that
// are held back come on top.
func (d *dispatcher) room() int {
	return d.held + max((ahead+1)*d.slots, min(slack*d.slots*d.size(), maxRoom))
}

// size is how many pairs a piece of work should have.
func (d *dispatcher) size() int { return d.lasting(max(workSeconds, float64(d.slots)/maxAnswers)) }

// lasting is how many pairs take a core some seconds, at least 1 and within bounds.
func (d *dispatcher) lasting(seconds float64) int {
	if d.pace.weight == 0 {
		return 1
	}
	n := seconds / d.pace.value
	if d.bytes.value > 0 {
		n = min(n, maxBytes/d.bytes.value)
	}
	return int(max(1, min(n, float64(d.mostPairs))))
}

// give returns the next piece of work to give out, if there is one: again says
// that it was given out before.
func (d *dispatcher) give(now time.Time) (w *work, again, ok bool) {
	for len(d.resend) > 0 && d.resend[0].answered {
		d.resend = d.resend[1:]
	}
	switch {
	case len(d.resend) > 0:
		w, d.resend = d.resend[0], d.resend[1:]
	case len(d.checks) > 0 && d.here > 1:
		w, d.checks = d.checks[0], d.checks[1:]
	case d.pending > 0 && d.out < max(1, ahead*d.slots):
		return d.cut(now), false, true
	case now.Before(d.look):
		return nil, false, false
	default:
		if w = d.lagging(now); w == nil {
			d.look = now.Add(minPatience / 5)
			return nil, false, false
		}
	}
	w.copies++
	w.last = now
	return w, true, true
}

// cut makes a piece of work of what comes first. Where little is left, pieces are
// smaller, so that all cores end together, as long as the coordinator keeps up.
func (d *dispatcher) cut(now time.Time) *work {
	n := min(d.size(), d.pending, max(d.lasting(float64(d.slots)/burst), d.pending/max(1, ahead*d.slots)))
	var jobs []play.Job
	for repeats := d.queue[0].Repeatable(); n > 0 && d.queue[0].Repeatable() == repeats; {
		j := &d.queue[0]
		part := *j
		part.To = min(j.To, j.From+n)
		jobs = append(jobs, part)
		n -= part.To - part.From
		d.pending -= part.To - part.From
		if j.From = part.To; j.From == j.To {
			d.queue = d.queue[1:]
		}
	}
	w := d.newWork(now, jobs...)
	w.copies = 1
	return w
}

// newWork is a piece of work that nobody has yet, of jobs that all are exact or none.
func (d *dispatcher) newWork(now time.Time, jobs ...play.Job) *work {
	w := &work{number: d.next, jobs: jobs, made: now, last: now, exact: jobs[0].Repeatable(), takers: map[string]*take{}}
	for _, j := range jobs {
		w.pairs += j.To - j.From
	}
	d.next++
	d.out++
	d.open = append(d.open, w)
	d.known[w.number] = w
	return w
}

// lagging returns the oldest piece of work that idle cores should play too: one
// that takes too long, or that nobody has begun. Workers that wait on machines
// whose cores are all at work get only what takes far too long.
func (d *dispatcher) lagging(now time.Time) *work {
	idle, spare := d.idle, d.spare
	for _, w := range d.open {
		if idle <= 0 {
			return nil
		}
		if !w.wanted() {
			continue
		}
		expected := d.pace.value * float64(w.pairs) * float64(time.Second) // of one core
		waited, patience := now.Sub(w.last), max(minPatience, time.Duration(patience*expected))
		if waited < patience {
			coming := max(0, w.copies-w.playing) // somebody is about to take it
			idle, spare = idle-coming, spare-coming
			continue
		}
		if spare <= 0 && waited < farTooLong*patience {
			continue
		}
		if w.copies < min(maxCopies, d.here) || w.playing == 0 && waited > d.lostAfter {
			return w
		}
	}
	return nil
}

// took notes that a worker has begun to play a piece of work.
func (d *dispatcher) took(number uint64, who string, now time.Time) {
	w, m := d.known[number], d.crew[who]
	if w == nil || m == nil || m.lost || w.takers[who] != nil { // it may be heard after the answer
		return
	}
	w.takers[who] = &take{}
	w.playing++
	w.last = now
	d.plays(m, append(m.playing, w))
	if len(m.playing) > 2*m.Slots { // each core may play one while its answer to another is under way
		w := m.playing[0]
		d.ended(w, who)
		w.copies = max(0, w.copies-1)
	}
}

// plays notes what a worker plays now.
func (d *dispatcher) plays(m *member, list []*work) { d.changes(m, func() { m.playing = list }) }

// changes changes a worker, and with it how much is idle.
func (d *dispatcher) changes(m *member, how func()) {
	h := d.hosts[m.Host]
	if h == nil {
		h = &host{}
		d.hosts[m.Host] = h
	}
	count := func(sign int) {
		if !m.lost {
			h.slots += sign * m.Slots
			h.playing += sign * len(m.playing)
		}
		d.idle += sign * m.idle()
	}
	d.spare -= h.spare()
	count(-1)
	how()
	count(1)
	h.cores = cmp.Or(m.Cores, m.Slots)
	d.spare += h.spare()
}

// idle is how many of its cores play nothing.
func (m *member) idle() int {
	if m.lost {
		return 0
	}
	return max(0, m.Slots-len(m.playing))
}

// ended notes that a worker plays a piece of work no longer, if it did.
func (d *dispatcher) ended(w *work, who string) {
	t := w.takers[who]
	if t == nil {
		w.takers[who] = &take{over: true}
	}
	if t == nil || t.over {
		return
	}
	t.over = true
	w.playing--
	m := d.crew[who]
	d.plays(m, slices.DeleteFunc(m.playing, func(o *work) bool { return o == w }))
}

// back notes that a worker gives a piece of work back, which others will get.
func (d *dispatcher) back(number uint64, who string) {
	if w := d.known[number]; w != nil {
		d.ended(w, who)
	}
}

// hear notes a sign of life. back says that the worker is new, or was lost.
func (d *dispatcher) hear(g greeting, now time.Time) (m *member, back bool) {
	m = d.crew[g.ID]
	if m == nil {
		m = &member{greeting: g, joined: now, lost: true}
		d.crew[g.ID] = m
	}
	back = m.lost
	if m.lost {
		d.slots += m.Slots
		d.here++
	}
	d.changes(m, func() { m.seen, m.lost = now, false })
	return m, back
}

// leave notes that a worker is gone. What it gave back before is not lost by it.
func (d *dispatcher) leave(who string) {
	m := d.crew[who]
	if m == nil || m.lost {
		return
	}
	d.changes(m, func() { m.lost = true })
	d.slots -= m.Slots
	d.here--
	for _, w := range slices.Clone(m.playing) {
		d.ended(w, who)
		w.takers[who].lost = true
		w.copies = max(0, w.copies-1)
	}
}

// miss returns the workers that have been silent for too long, which count as
// gone from now on.
func (d *dispatcher) miss(now time.Time) (gone []*member) {
	for _, m := range d.members() {
		silent := now.Sub(m.seen) > d.lostAfter
		if d.silent != nil {
			silent = d.silent(m)
		}
		if !m.lost && silent {
			d.leave(m.ID)
			gone = append(gone, m)
		}
	}
	return gone
}

// members lists all workers that ever came, by when they did.
func (d *dispatcher) members() []*member {
	list := make([]*member, 0, len(d.crew))
	for _, m := range d.crew {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *member) int { return cmp.Or(a.joined.Compare(b.joined), cmp.Compare(a.ID, b.ID)) })
	return list
}

// wanted reports whether a piece of work is to be given to workers.
func (w *work) wanted() bool { return !w.answered && !w.here && !w.aside }

// suspects looks at the work that workers were lost with, by chance or because it ends
// them. Its pairs are given out one by one, and not to the coordinator's process. It
// returns the pairs that are set aside: fatal workers were lost with them, too, or no other
// worker is left.
func (d *dispatcher) suspects(now time.Time) (aside []*work) {
	others := 0
	for _, m := range d.crew {
		if !m.lost && !m.own {
			others++
		}
	}
	for _, w := range slices.Clone(d.open) {
		lost := len(d.lostWith(w)) >= fatal
		switch {
		case !w.wanted():
		case lost && !w.suspect:
			d.split(w, now)
		case lost, w.suspect && others == 0 && now.Sub(w.last) > d.lostAfter:
			w.aside = true
			aside = append(aside, w)
		}
	}
	return aside
}

// lostWith names the workers that were lost while they had a piece of work.
func (d *dispatcher) lostWith(w *work) (names []string) {
	for who, t := range w.takers {
		if t.lost {
			names = append(names, d.crew[who].name())
		}
	}
	slices.Sort(names)
	return names
}

// split gives out the pairs of a piece of work one by one, in its place.
func (d *dispatcher) split(w *work, now time.Time) {
	for who := range w.takers {
		d.ended(w, who)
	}
	delete(d.known, w.number)
	w.answered = true
	d.close(w)
	for i := range w.pairs {
		d.resend = append(d.resend, d.newWork(now, w.where(i)))
		d.resend[len(d.resend)-1].suspect = true
	}
}

// stuck reports whether nothing but work that was set aside is left.
func (d *dispatcher) stuck() bool {
	return d.pending == 0 && d.out > 0 && d.held == 0 &&
		!slices.ContainsFunc(d.open, func(w *work) bool { return !w.answered && !w.aside })
}

// verdict is what becomes of an answer.
type verdict int

const (
	stale  verdict = iota // of nothing that is known
	counts                // the first: its pairs are the result
	waits                 // the first, held back until it is checked
	repeat                // equal to the first
	differ                // it should be
)

// answer takes what a worker says a piece of work came to, as digests of its
// pairs. place is the first pair in which it differs.
func (s *dispatcher) answer(number uint64, who string, digests []uint64, seconds float64, bytes int, now time.Time) (v verdict, place int) {
	w, m := s.known[number], s.crew[who]
	if w == nil || len(digests) != w.pairs || m != nil && m.caught {
		return stale, 0
	}
	s.ended(w, who)
	if !w.answered {
		w.answered, w.by, w.digests = true, who, digests
		s.measure(w, m, min(seconds, now.Sub(w.made).Seconds()), bytes) // whoever lies of it could stop all patience
		s.close(w)
		if w.exact && m != nil && !m.own {
			s.hold(w, m, now)
			return waits, 0
		}
		s.credit(w, m)
		return counts, 0
	}
	if w.by == who {
		return repeat, 0
	}
	for i, d := range digests {
		if d == w.digests[i] {
			continue
		}
		if w.exact {
			return differ, i
		}
		s.differing++
		break
	}
	return repeat, 0
}

// measure notes how fast a worker was.
func (d *dispatcher) measure(w *work, m *member, seconds float64, bytes int) {
	pairs := float64(w.pairs)
	if seconds > 0 {
		d.pace.add(seconds/pairs, pairs)
	}
	d.bytes.add(float64(bytes)/pairs, pairs)
	if m != nil && seconds > 0 {
		m.pace.add(seconds/pairs, pairs)
	}
}

// credit counts an answer that is used for who gave it.
func (d *dispatcher) credit(w *work, m *member) {
	d.counted += int64(w.pairs)
	if m != nil {
		m.games += int64(2 * w.pairs)
	}
}

// close takes an answered piece of work off the list, and forgets the oldest. The
// list is made anew once half of it is answered.
func (d *dispatcher) close(w *work) {
	d.out--
	if len(d.open) > 2*d.out {
		d.open = slices.DeleteFunc(d.open, func(o *work) bool { return o.answered })
	}
	d.old = append(d.old, w.number)
	if len(d.old) > remembered {
		if w := d.known[d.old[0]]; w != nil && w.answered {
			delete(d.known, w.number)
		}
		d.old = d.old[1:]
	}
}

// where returns a job for the i-th pair of a piece of work.
func (w *work) where(i int) play.Job {
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

// reissue has all open work given out once more, and returns how much that is: the
// broker has forgotten it, whoever is playing it.
func (d *dispatcher) reissue() int {
	d.resend = nil
	for _, w := range d.open {
		if w.wanted() {
			w.copies = w.playing
			d.resend = append(d.resend, w)
		}
	}
	return len(d.resend)
}
