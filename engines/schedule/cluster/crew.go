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

// Machines lists the workers whose answers counted since the last call, and
// implements schedule.Pool.
func (p *Pool) Machines() []datasets.Machine {
	p.mu.Lock()
	defer p.mu.Unlock()
	all, fresh := int64(0), map[string]int64{}
	for _, m := range p.schedule.crew {
		fresh[m.ID] = m.games - p.counted[m.ID]
		all += fresh[m.ID]
		p.counted[m.ID] = m.games
	}
	var list []datasets.Machine
	for _, m := range p.schedule.members() {
		if games := fresh[m.ID]; games > 0 && m.ID != p.self {
			list = append(list, datasets.Machine{
				Host: m.Host, CPU: m.CPU, Cores: m.Cores, Workers: m.Slots, Games: games,
				Name: m.name(), Share: float64(games) / float64(all), Speed: m.speed(), Silent: time.Since(m.seen).Seconds(),
				Compared: m.compared,
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

// Describe says in a few words who plays.
func (p *Pool) Describe() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return crewText(p.schedule.told(time.Now()), p.schedule.slots)
}

// crewText is who plays: each with its speed and share where they are few, else how
// fast they are, and who has been silent.
func crewText(crew []schedule.Member, slots int) string {
	crew = slices.DeleteFunc(crew, func(m schedule.Member) bool { return m.Gone })
	if len(crew) == 0 {
		return "no worker yet"
	}
	parts := []string{text.Plural(len(crew), "worker") + ", " + text.Plural(slots, "core")}
	var slow, fast float64
	for _, m := range crew {
		if m.Speed > 0 {
			slow, fast = min(cmp.Or(slow, m.Speed), m.Speed), max(fast, m.Speed)
		}
		if len(crew) <= namedWorkers && m.Speed > 0 {
			parts = append(parts, fmt.Sprintf("%s %s/s (%.0f %%)", m.Name, text.Digits(m.Speed, 3), 100*m.Share))
		}
	}
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
func (s *dispatcher) told(now time.Time) (list []schedule.Member) {
	all := int64(0)
	for _, m := range s.crew {
		all += m.games
	}
	for _, m := range s.members() {
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
