package cluster

import (
	"container/list"
	"math/rand/v2"
	"slices"
	"time"

	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
)

// newDispatcher returns a dispatcher without workers. secret draws the checks.
func newDispatcher(secret *rand.Rand) *dispatcher {
	return &dispatcher{lostAfter: lostAfter, mostPairs: maxPairs, quick: quickChecks, secret: secret, known: map[uint64]*work{},
		workers: map[string]*worker{}, lines: [noLine]*list.List{list.New(), list.New()}, machines: map[string]*machine{}}
}

// begin forgets all work, but not the workers. same says that the next games belong to the same
// run and setup as the last ones, so that known speeds and checks remain valid.
func (d *dispatcher) begin(same bool) {
	for _, w := range d.known {
		d.forgetRate(w)
	}
	for _, m := range d.workers {
		d.changes(m, func() { m.has = nil })
		old := m.trust
		m.trust = trust{caught: old.caught, compared: old.compared, least: old.least}
		if same {
			m.used, m.firstForgotten, m.last, m.unsure, m.passed, m.answers = old.used, old.firstForgotten, old.last, old.unsure, old.passed, old.answers
			m.residual = old.residual
		} else {
			m.pace = mean{}
		}
	}
	*d = dispatcher{
		lostAfter: d.lostAfter, expired: d.expired, mostPairs: d.mostPairs, quick: d.quick, secret: d.secret, next: d.next,
		known: map[uint64]*work{}, workers: d.workers, lines: d.lines, slots: d.slots, here: d.here, idle: d.idle, spare: d.spare,
		machines: d.machines, pace: d.pace, bytes: d.bytes, differing: d.differing, counted: d.counted, twice: d.twice,
	}
	if !same {
		d.pace, d.bytes = mean{}, mean{}
	}
}

// add takes a job to play. Jobs of successive pairs are joined to one.
func (d *dispatcher) add(j play.Job) {
	d.pending += j.To - j.From
	if n := len(d.queue) - 1; n >= 0 && d.queue[n].Trial == j.Trial && d.queue[n].To == j.From {
		d.queue[n].To = j.To
		return
	}
	d.queue = append(d.queue, j)
}

// room returns the number of pairs that should be waiting, in play, or answered behind an
// unanswered one. Results are taken in order, so one late result delays all others, and cores
// need work meanwhile. Answers that are held back are added.
func (d *dispatcher) room() int {
	return d.held + max((ahead+1)*d.slots, min(slack*d.slots*d.size(d.pace.value), maxRoom))
}

// give returns the next piece of work and the worker that it goes to; nil if there is none, or
// no worker for it.
func (d *dispatcher) give(now time.Time) (*work, *worker) {
	if w, m := d.first(&d.resend, func(w *work) bool { return w.wanted() && w.copies == 0 }, now); w != nil {
		return w, m
	}
	if w, m := d.first(&d.checks, func(w *work) bool { return d.known[w.number] == w }, now); w != nil {
		return w, m
	}
	if d.pending > 0 {
		m := d.pick(nil, now)
		if m == nil {
			return nil, nil
		}
		w := d.cut(m, now)
		d.hand(w, m, now)
		return w, m
	}
	if now.Before(d.look) {
		return nil, nil
	}
	w, m := d.lagging(now)
	if w == nil {
		d.look = now.Add(minPatience / 5)
		return nil, nil
	}
	d.hand(w, m, now)
	return w, m
}

// first gives out the first piece of work in a list that some worker may get, and removes those
// that are no longer due.
func (d *dispatcher) first(list *[]*work, due func(*work) bool, now time.Time) (*work, *worker) {
	*list = slices.DeleteFunc(*list, func(w *work) bool { return !due(w) })
	for i, w := range *list {
		if m := d.pick(w, now); m != nil {
			*list = slices.Delete(*list, i, i+1)
			d.hand(w, m, now)
			return w, m
		}
	}
	return nil, nil
}

// cut makes a piece of work from the first jobs, sized by the pace of the workers. Near the end
// of the jobs, pieces are smaller, so that all cores end together, as long as the coordinator
// keeps up.
func (d *dispatcher) cut(m *worker, now time.Time) *work {
	pace := d.pace.value
	n := min(d.size(pace), d.pending, max(d.lasting(float64(d.slots)/burst, pace), d.pending/max(1, ahead*d.slots)))
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
	return d.newWork(now, jobs...)
}

// lagging returns the oldest piece of work that takes too long, and a worker with an idle core
// that should play it too. Idle workers on machines whose cores are all busy only get pieces
// that take far too long.
func (d *dispatcher) lagging(now time.Time) (*work, *worker) {
	if d.idle == 0 {
		return nil, nil
	}
	for _, w := range d.open {
		if !w.wanted() || w.copies >= maxCopies {
			continue
		}
		expected := d.pace.value * float64(w.pairs) * float64(time.Second) // of one core
		waited, patience := now.Sub(w.begun), max(minPatience, time.Duration(patience*expected))
		if waited < patience || d.spare <= 0 && waited < farTooLong*patience {
			continue
		}
		if m := d.pick(w, now); m != nil && m.idle() > 0 {
			return w, m
		}
	}
	return nil, nil
}

// hear notes a greeting. back says that the worker is new, or was gone. Work handed out two
// greetings ago that the greeting does not name is lost on the way.
func (d *dispatcher) hear(g greeting, now time.Time) (m *worker, back bool) {
	m = d.workers[g.ID]
	if m == nil {
		m = &worker{greeting: g, joined: now, gone: true, line: noLine}
		d.workers[g.ID] = m
	}
	back = m.gone
	m.Beat, m.seen = g.Beat, now
	m.heard++
	d.changes(m, func() { m.gone = false })
	if back {
		d.welcomeBack(m, g.Held, now)
	}
	for _, w := range slices.Clone(m.has) {
		if m.heard-w.heard >= 2 && !slices.Contains(g.Held, w.number) {
			d.takeBack(w.work, m.ID, 0, now)
		}
	}
	return m, back
}

// welcomeBack notes that a worker that was silent still has the work in held, and lost the rest
// without a fault.
func (d *dispatcher) welcomeBack(m *worker, held []uint64, now time.Time) {
	for _, w := range d.open {
		if w.takers[m.ID] == 0 || !w.wanted() {
			continue
		}
		delete(w.takers, m.ID)
		if slices.Contains(held, w.number) {
			d.hand(w, m, now)
		}
	}
}

// cannot notes that a worker cannot play a piece of work. The piece goes back to the others if
// there are any. The worker then gets less and less work until it can play something again.
func (d *dispatcher) cannot(number uint64, m *worker, able bool, now time.Time) {
	if m.rest = min(max(beat/4, 2*m.rest), maxRest); !able {
		m.rest = 0
	}
	m.rested = now.Add(m.rest)
	if w := d.known[number]; w != nil {
		d.takeBack(w, m.ID, 0, now)
	}
}

// miss returns the workers that have been silent for too long; they count as lost from now on.
func (d *dispatcher) miss(now time.Time) (missing []*worker) {
	for _, m := range d.byArrival() {
		expired := now.Sub(m.seen) > d.lostAfter
		if d.expired != nil {
			expired = d.expired(m)
		}
		if !m.gone && expired {
			d.leave(m, lost, now)
			missing = append(missing, m)
		}
	}
	return missing
}

// excuse does not count the silence of workers while the broker is gone.
func (d *dispatcher) excuse(now time.Time) {
	for _, m := range d.workers {
		if !m.gone {
			m.seen = now
		}
	}
}

// suspects examines work that several workers were lost with, by chance or because the work
// ends them. It gives out the pairs of this work one by one, and returns the pairs to set aside:
// several workers were lost with the pair alone, or only the coordinator's own process is left,
// which must not play it.
func (d *dispatcher) suspects(now time.Time) (aside []*work) {
	local, remote := 0, 0
	for _, m := range d.workers {
		switch {
		case m.gone:
		case m.own:
			local++
		default:
			remote++
		}
	}
	for _, w := range slices.Clone(d.open) {
		fatal := len(d.lostWith(w)) >= fatal
		switch {
		case !w.wanted():
		case fatal && !w.suspect:
			d.split(w, now)
		case fatal, w.suspect && local > 0 && remote == 0 && now.Sub(w.begun) > d.lostAfter:
			w.aside = true
			aside = append(aside, w)
		}
	}
	return aside
}

// split gives out the pairs of a piece of work one by one, in its place.
func (d *dispatcher) split(w *work, now time.Time) {
	w.answered = true
	d.forget(w, now)
	d.close(w)
	for i := range w.pairs {
		part := d.newWork(now, w.at(i))
		part.suspect = true
		d.resend = append(d.resend, part)
	}
}

// stuck reports whether all work that is left was set aside.
func (d *dispatcher) stuck() bool {
	return d.pending == 0 && d.out > 0 && d.held == 0 &&
		!slices.ContainsFunc(d.open, func(w *work) bool { return !w.answered && !w.aside })
}

// verdict is the decision about an answer.
type verdict int

const (
	stale  verdict = iota // the piece of work is unknown or no longer wanted
	counts                // the first answer: its pairs are the result
	waits                 // the first answer, held back until it is checked
	repeat                // equal to the first answer
	differ                // different from the first answer
)

// answer takes a worker's answer to a piece of work, as digests of its pairs. place is the
// index of the first pair that differs.
func (d *dispatcher) answer(number uint64, id string, digests []uint64, seconds float64, bytes int, now time.Time) (v verdict, place int) {
	w, m := d.known[number], d.workers[id]
	if w == nil || len(digests) != w.pairs || m != nil && m.caught {
		return stale, 0
	}
	if m != nil {
		m.rest = 0
	}
	first := !w.answered
	w.answered = true
	d.takeBack(w, id, done, now)
	if first {
		w.by, w.digests = id, digests
		d.measure(w, m, min(seconds, now.Sub(w.made).Seconds()), bytes) // bounded, because a false time could exhaust all patience
		d.close(w)
		if w.exact && m != nil && !m.own {
			d.hold(w, m, now)
			return waits, 0
		}
		d.credit(w, m)
		return counts, 0
	}
	if w.by == id {
		return repeat, 0
	}
	for i, digest := range digests {
		if digest == w.digests[i] {
			continue
		}
		if w.exact {
			return differ, i
		}
		d.differing++
		break
	}
	return repeat, 0
}

// measure notes the speed of a worker.
func (d *dispatcher) measure(w *work, m *worker, seconds float64, bytes int) {
	pairs := float64(w.pairs)
	if seconds > 0 {
		d.pace.add(seconds/pairs, pairs)
	}
	d.bytes.add(float64(bytes)/pairs, pairs)
	if m != nil && seconds > 0 {
		m.pace.add(seconds/pairs, pairs)
	}
}

// close removes an answered piece of work from the list, and forgets the oldest one. The list
// is rebuilt when half of it is answered.
func (d *dispatcher) close(w *work) {
	d.out--
	if len(d.open) > 2*d.out {
		d.open = slices.DeleteFunc(d.open, func(o *work) bool { return o.answered })
	}
	d.old = append(d.old, w.number)
	if len(d.old) > remembered {
		if w := d.known[d.old[0]]; w != nil && w.answered {
			d.forgetRate(w)
			delete(d.known, w.number)
		}
		d.old = d.old[1:]
	}
}

// members returns all workers that ever joined, in their present state.
func (d *dispatcher) members(now time.Time) (list []schedule.Member) {
	all := int64(0)
	for _, m := range d.workers {
		all += m.games
	}
	wrong := d.mayBeWrong()
	for _, m := range d.byArrival() {
		share, known := wrong[m]
		if !known || len(m.draws) > 0 {
			share = 1
		}
		list = append(list, schedule.Member{
			Name: m.name(), CPU: m.CPU, Cores: m.Cores, Slots: m.Slots, Games: m.games, Share: float64(m.games) / float64(max(1, all)),
			Speed: m.speed(), Silent: now.Sub(m.seen).Seconds(), Gone: m.gone, Compared: m.compared, MayBeWrong: share, Residual: m.residual, Own: m.own,
		})
	}
	return list
}
