package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/text"
)

// Size implements schedule.Pool: the number of pairs that all workers play, at least 1.
func (p *Pool) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(1, p.dispatcher.slots)
}

// Capacity implements schedule.Pool: the dispatcher's room.
func (p *Pool) Capacity() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dispatcher.room()
}

// Machines implements schedule.Pool: it returns the workers whose answers counted since the
// last call.
func (p *Pool) Machines() []datasets.Machine {
	p.mu.Lock()
	defer p.mu.Unlock()
	all, before := int64(0), p.counted
	p.counted = map[string]tally{}
	for _, m := range p.dispatcher.workers {
		p.counted[m.ID] = tally{m.games, m.compared}
		all += m.games - before[m.ID].games
	}
	var list []datasets.Machine
	for _, m := range p.dispatcher.byArrival() {
		if games := m.games - before[m.ID].games; games > 0 && m.ID != p.self {
			list = append(list, datasets.Machine{
				Host: m.Host, CPU: m.CPU, Cores: m.Cores, Workers: m.Slots, Games: games,
				Name: m.name(), Share: float64(games) / float64(all), Speed: m.speed(), Silent: time.Since(m.seen).Seconds(),
				Compared: m.compared - before[m.ID].compared,
			})
		}
	}
	return list
}

// Members returns all workers that ever joined, in that order.
func (p *Pool) Members() []schedule.Member {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.dispatcher.members(time.Now())
	for i, m := range p.dispatcher.byArrival() {
		list[i].Refused = p.refused[m.ID]
	}
	return list
}

// Compared returns the number of pairs that counted so far, the number of them that were played
// again and compared, and the number of answers that differed although play need not repeat.
func (p *Pool) Compared() (pairs, again int64, differing int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dispatcher.counted, p.dispatcher.twice, p.dispatcher.differing
}

const (
	// namedWorkers is the maximum number of workers that a line names one by one.
	namedWorkers = 3
	// tellSilence is the silence from which a worker is reported as silent.
	tellSilence = 3 * beat
)

// Describe describes the workers in a few words: each with speed and share if they are few,
// else the range of their speeds, and the silent ones.
func Describe(workers []schedule.Member) string {
	came := len(workers)
	workers = slices.DeleteFunc(workers, func(m schedule.Member) bool { return m.Gone })
	switch {
	case came == 0:
		return "no worker yet"
	case len(workers) == 0:
		return "no worker any more"
	}
	slots := 0
	var slow, fast float64
	parts := []string{""}
	for _, m := range workers {
		slots += m.Slots
		if m.Speed > 0 {
			slow, fast = min(cmp.Or(slow, m.Speed), m.Speed), max(fast, m.Speed)
		}
		if len(workers) <= namedWorkers && m.Speed > 0 {
			parts = append(parts, fmt.Sprintf("%s %s/s (%.0f %%)", m.Name, text.Digits(m.Speed, 3), 100*m.Share))
		}
	}
	parts[0] = text.Plural(len(workers), "worker") + ", " + text.Plural(slots, "core")
	if len(workers) > namedWorkers && fast > 0 {
		parts[0] += fmt.Sprintf(" of %s to %s games/s", text.Digits(slow, 3), text.Digits(fast, 3))
	}
	silent := 0
	for _, m := range workers {
		if m.Silent <= tellSilence.Seconds() {
			continue
		}
		if silent++; silent <= namedWorkers {
			parts = append(parts, fmt.Sprintf("%s silent for %.0f s", m.Name, m.Silent))
		}
	}
	if silent > namedWorkers {
		parts = append(parts, fmt.Sprintf("%d more are silent", silent-namedWorkers))
	}
	return strings.Join(parts, ", ")
}
