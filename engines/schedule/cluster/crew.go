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

// Size implements schedule.Pool.
func (p *Pool) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(1, p.schedule.slots)
}

// Capacity implements schedule.Pool.
func (p *Pool) Capacity() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.schedule.room()
}

// tally is what Machines has told of a worker.
type tally struct{ games, compared int64 }

// Machines lists the workers whose answers counted since the last call, and
// implements schedule.Pool.
func (p *Pool) Machines() []datasets.Machine {
	p.mu.Lock()
	defer p.mu.Unlock()
	all, before := int64(0), p.counted
	p.counted = map[string]tally{}
	for _, m := range p.schedule.crew {
		p.counted[m.ID] = tally{m.games, m.compared}
		all += m.games - before[m.ID].games
	}
	var list []datasets.Machine
	for _, m := range p.schedule.members() {
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

// Members lists all workers that ever joined, in that order.
func (p *Pool) Members() []schedule.Member {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.schedule.told(time.Now())
	for i, m := range p.schedule.members() {
		list[i].Refused = p.refused[m.ID]
	}
	return list
}

// Describe says in a few words who plays: each with its speed and share where they are few,
// else how fast they are, and who has been silent.
func Describe(crew []schedule.Member) string {
	came := len(crew)
	crew = slices.DeleteFunc(crew, func(m schedule.Member) bool { return m.Gone })
	switch {
	case came == 0:
		return "no worker yet"
	case len(crew) == 0:
		return "no worker any more"
	}
	slots := 0
	var slow, fast float64
	parts := []string{""}
	for _, m := range crew {
		slots += m.Slots
		if m.Speed > 0 {
			slow, fast = min(cmp.Or(slow, m.Speed), m.Speed), max(fast, m.Speed)
		}
		if len(crew) <= namedWorkers && m.Speed > 0 {
			parts = append(parts, fmt.Sprintf("%s %s/s (%.0f %%)", m.Name, text.Digits(m.Speed, 3), 100*m.Share))
		}
	}
	parts[0] = text.Plural(len(crew), "worker") + ", " + text.Plural(slots, "core")
	if len(crew) > namedWorkers && fast > 0 {
		parts[0] += fmt.Sprintf(" of %s to %s games/s", text.Digits(slow, 3), text.Digits(fast, 3))
	}
	silent := 0
	for _, m := range crew {
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

// told lists all workers that came, as of now.
func (d *dispatcher) told(now time.Time) (list []schedule.Member) {
	all := int64(0)
	for _, m := range d.crew {
		all += m.games
	}
	for _, m := range d.members() {
		list = append(list, schedule.Member{
			Name: m.name(), CPU: m.CPU, Cores: m.Cores, Slots: m.Slots, Games: m.games, Share: float64(m.games) / float64(max(1, all)),
			Speed: m.speed(), Silent: now.Sub(m.seen).Seconds(), Gone: m.lost, Compared: m.compared, Own: m.own,
		})
	}
	return list
}

// speed is a worker's, in games a second, while it plays; 0 if it is not known.
func (m *member) speed() float64 {
	if m.pace.value <= 0 {
		return 0
	}
	return 2 * float64(m.Slots) / m.pace.value
}
