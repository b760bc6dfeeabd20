package play

import (
	"sync"
	"time"
)

const (
	// beat is the time between two looks at the clock.
	beat = 100 * time.Millisecond
	// suspension is the time without a look from which the process counts as suspended.
	suspension = 500 * time.Millisecond
	// maxReplays bounds how often a game is played again because of suspensions.
	maxReplays = 5
)

// pulse counts how often this process was suspended: by SIGSTOP or Ctrl-Z, or because the machine
// gave it no processor. Elapsed times of decisions contain such pauses.
type pulse struct {
	mu    sync.Mutex
	last  time.Time // of the last look; zero before the first
	count int
}

// look returns the number of suspensions until now. The last one may have ended just now.
func (p *pulse) look(now time.Time) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.last.IsZero() && now.Sub(p.last) > suspension {
		p.count++
	}
	p.last = now
	return p.count
}

// run looks at the clock until done is closed.
func (p *pulse) run(done <-chan struct{}) {
	for t := time.Tick(beat); ; {
		select {
		case <-done:
			return
		case now := <-t:
			p.look(now)
		}
	}
}
