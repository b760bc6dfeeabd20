package cluster

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
)

// Simulation drives the dispatcher and the sources of real runs. Only the times of players and
// machines are simulated.
type Simulation struct {
	Workers int     // machines of one core each, at least 1
	Pair    float64 // mean seconds of a pair on a machine of speed 1
	Spread  float64 // of a pair's time: standard deviation divided by the mean
	Uneven  float64 // machines' speeds are from 1-Uneven to 1+Uneven
	Crash   float64 // mean seconds between two crashes of a machine; 0 for none
	Back    float64 // seconds until a crashed machine returns
	Latency float64 // seconds that a message takes
	Answer  float64 // seconds that the coordinator needs for an answer
	Row     float64 // and for each pair in it
	Copies  bool    // slow work is given out again, as in real runs
	Seed    uint64
}

// Laboratory returns a simulation with pairs of a second whose times vary by 60 %, machines
// that crash every 2.8 hours, the fastest three times as fast as the slowest, and a coordinator
// with measured times.
func Laboratory(workers int) Simulation {
	return Simulation{
		Workers: workers, Pair: 1, Spread: 0.6, Uneven: 0.5, Crash: 10_000, Back: 60, Latency: 0.001,
		Answer: 160e-6, Row: 40e-6, Copies: true, Seed: 1,
	}
}

// Simulated is the result of a simulation.
type Simulated struct {
	Pairs      int64
	Seconds    float64
	Efficiency float64 // share of the pairs that the machines could have played while they were up
	Twice      float64 // share of pairs that were played more than once
	Crashes    int
	Answers    float64 // answers a second
	Busy       float64 // share of the time in which the coordinator worked
}

// event is something that happens at a moment.
type event struct {
	at   float64
	then func()
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// box is a simulated worker of one core.
type box struct {
	id     string
	speed  float64
	life   int // changes with every crash, which cancels earlier events
	down   bool
	work   []*work // plays the first piece; the others wait
	upTime float64
	since  float64 // time at which it came up
}

// simulator is a running simulation.
type simulator struct {
	Simulation
	src   schedule.Source
	d     *dispatcher
	r     *rand.Rand
	now   float64
	plans events
	boxes map[string]*box // by their present names
	all   []*box

	trials    []*awaited
	first     int64 // number of trials[0]
	free      float64
	busy      float64
	useful    float64 // seconds at speed 1
	played    int64   // number of pairs
	delivered int64   // pairs that counted
	answers   int64
	crashes   int
	checks    int // checks being played
}

// awaited is a trial that is being played.
type awaited struct {
	schedule.Trial
	left int
}

func (s *simulator) after(seconds float64, then func()) {
	heap.Push(&s.plans, event{s.now + seconds, then})
}

func (s *simulator) time() time.Time { return time.Unix(0, int64(s.now*1e9)) }

// Run simulates until the source has been told everything, or for the given seconds of
// simulated time.
func (sim Simulation) Run(src schedule.Source, most float64) Simulated {
	s := &simulator{Simulation: sim, src: src, d: newDispatcher(newSecret([32]byte{byte(sim.Seed)})), r: rand.New(rand.NewPCG(sim.Seed, 1)),
		boxes: map[string]*box{}}
	if !sim.Copies {
		s.d.look = s.time().AddDate(1, 0, 0)
	}
	for i := range sim.Workers {
		m := &box{id: fmt.Sprint(i), speed: 1 - sim.Uneven + 2*sim.Uneven*s.r.Float64()}
		s.all = append(s.all, m)
		s.up(m)
	}
	s.ask()
	s.tick()
	for len(s.plans) > 0 && len(s.trials) > 0 && s.now < most {
		e := heap.Pop(&s.plans).(event)
		s.now = e.at
		e.then()
	}
	return s.result()
}

func (s *simulator) result() Simulated {
	could := 0.0
	for _, m := range s.all {
		if !m.down {
			m.upTime += s.now - m.since
		}
		could += m.speed * m.upTime
	}
	return Simulated{
		Pairs: s.delivered, Seconds: s.now, Efficiency: s.useful / could, Twice: float64(s.played-s.delivered) / float64(max(1, s.delivered)),
		Crashes: s.crashes, Answers: float64(s.answers) / s.now, Busy: s.busy / s.now,
	}
}

// up adds a machine as a new worker.
func (s *simulator) up(m *box) {
	m.life++
	delete(s.boxes, m.id)
	m.down, m.work, m.since = false, nil, s.now
	m.id = fmt.Sprintf("%s.%d", m.id, m.life)
	s.boxes[m.id] = m
	s.d.hear(greeting{ID: m.id, Host: m.id, Cores: 1, Slots: 1}, s.time())
	s.supply()
	if s.Crash > 0 {
		life := m.life
		s.after(s.r.ExpFloat64()*s.Crash, func() {
			if m.life == life {
				s.crash(m)
			}
		})
	}
}

// crash ends a machine. The dispatcher gives its work to others after it has been silent long
// enough.
func (s *simulator) crash(m *box) {
	s.crashes++
	m.down = true
	m.life++
	m.upTime += s.now - m.since
	silent := s.d.workers[m.id]
	s.after(lostAfter.Seconds(), func() { s.d.leave(silent, lost, s.time()) })
	s.after(s.Back, func() { s.up(m) })
}

// deliver brings a machine a piece of work.
func (s *simulator) deliver(w *work, m *box) {
	life := m.life
	s.after(s.Latency, func() {
		if m.life != life {
			return
		}
		if m.work = append(m.work, w); len(m.work) == 1 {
			s.play(m)
		}
	})
}

// play starts a machine's first piece of work.
func (s *simulator) play(m *box) {
	w := m.work[0]
	cost := 0.0
	for range w.pairs {
		cost += s.pair()
	}
	seconds := cost / m.speed
	life := m.life
	s.after(seconds, func() {
		if m.life != life {
			return
		}
		s.played += int64(w.pairs)
		id := m.id
		s.after(s.Latency, func() { s.arrive(w, id, cost, seconds) })
		if m.work = m.work[1:]; len(m.work) > 0 {
			s.play(m)
		}
	})
}

// pair returns the cost of a pair, from a log-normal distribution.
func (s *simulator) pair() float64 {
	sigma := math.Sqrt(math.Log(1 + s.Spread*s.Spread))
	return s.Pair * math.Exp(sigma*s.r.NormFloat64()-sigma*sigma/2)
}

// arrive passes an answer to the coordinator when it has time.
func (s *simulator) arrive(w *work, id string, cost, seconds float64) {
	takes := s.Answer + s.Row*float64(w.pairs)
	s.free = max(s.free, s.now) + takes
	s.busy += takes
	s.answers++
	s.after(s.free-s.now, func() {
		switch v, _ := s.d.answer(w.number, id, make([]uint64, w.pairs), seconds, 300*w.pairs, s.time()); v {
		case counts, waits:
			s.useful += cost
			s.delivered += int64(w.pairs)
			if v == counts {
				s.count(w)
			}
		case repeat:
			s.count(s.d.confirmed(w, s.d.workers[id])...)
		}
		s.supply()
	})
}

// count takes the pairs of answers and tells the source in order.
func (s *simulator) count(list ...*work) {
	for _, w := range list {
		for _, j := range w.jobs {
			s.trials[j.Trial-s.first].left -= j.To - j.From
		}
	}
	for len(s.trials) > 0 && s.trials[0].left == 0 {
		t := s.trials[0]
		// Results of games are not simulated: every pair is even.
		err := s.src.Tell(datasets.TrialRow{Trial: s.first, Phase: t.Phase, Pairs: int32(t.Pairs), Games: int32(2 * t.Pairs),
			Even: int32(t.Pairs)}, nil)
		if err != nil {
			panic(err) // the source proposed it
		}
		s.first++
		s.trials = s.trials[1:]
		s.ask()
	}
}

// ask takes the next trials of the source.
func (s *simulator) ask() {
	for _, t := range s.src.Ask(s.d.room()) {
		s.d.add(play.Job{Trial: s.first + int64(len(s.trials)), From: 0, To: t.Pairs})
		s.trials = append(s.trials, &awaited{t, t.Pairs})
	}
}

// supply delivers the work that the dispatcher gives out, and plays checks.
func (s *simulator) supply() {
	for w, m := s.d.give(s.time()); w != nil; w, m = s.d.give(s.time()) {
		s.deliver(w, s.boxes[m.ID])
	}
	s.count(s.d.press(s.time())...)
	for c := s.d.nextCheck(simulatedCheckers, s.checks, 0, s.time()); c != nil; c = s.d.nextCheck(simulatedCheckers, s.checks, 0, s.time()) {
		s.checks++
		cost := 0.0
		for range c.samples {
			cost += s.pair()
		}
		s.after(cost, func() {
			s.checks--
			s.count(s.d.pass(c)...)
			s.supply()
		})
	}
}

// simulatedCheckers is the number of cores of the coordinator that play checks.
const simulatedCheckers = 4

// tick is the coordinator's clock.
func (s *simulator) tick() {
	s.supply()
	s.after(0.05, s.tick)
}

// steps is a Source of iterations that build on each other, as in a tuning: each begins when
// the iteration Delay before it is told.
type steps struct {
	Iterations, Pairs int
	Delay             int // number of iterations in flight after the oldest

	begun, done int
	schedule.Defaults
}

// Ask implements schedule.Source.
func (s *steps) Ask(int) []schedule.Trial {
	var trials []schedule.Trial
	for ; s.begun < s.Iterations && s.begun <= s.done+s.Delay; s.begun++ {
		trials = append(trials, schedule.Trial{Phase: "tune", Pairs: s.Pairs})
	}
	return trials
}

// Tell implements schedule.Source.
func (s *steps) Tell(datasets.TrialRow, *params.MarginScore) error {
	s.done++
	return nil
}

// SimulateTournament plays rounds of a tournament on the simulated machines, for some seconds
// on each.
func SimulateTournament(sim Simulation, seconds float64) Simulated {
	pairs := int(float64(sim.Workers) * seconds / sim.Pair)
	src := &schedule.Match{PhaseName: "tournament", Pairs: pairs}
	return sim.Run(src, math.Inf(1))
}

// SimulateTuning plays a tuning with inFlight pairs in flight for each worker, by the rule that
// a thirtieth of the iterations may be in flight.
func SimulateTuning(sim Simulation, inFlight float64) Simulated {
	const iterations, delay = 300, 10
	pairs := max(1, int(math.Round(inFlight*float64(sim.Workers)/(delay+1))))
	return sim.Run(&steps{Iterations: iterations, Pairs: pairs, Delay: delay}, math.Inf(1))
}
