package play

import (
	"context"
	"sync"
	"time"
)

// A worker looks at the clock each beat. After a suspension without a look its process counts as
// suspended, and it plays a game again, at most maxReplays times.
const beat, suspension, maxReplays = 100 * time.Millisecond, 500 * time.Millisecond, 5

// pulse counts how often this process was suspended, by Ctrl-Z or a busy machine. Elapsed times
// contain such pauses.
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

// run looks at the clock until life ends.
func (p *pulse) run(life context.Context) {
	for t := time.Tick(beat); ; {
		select {
		case <-life.Done():
			return
		case now := <-t:
			p.look(now)
		}
	}
}
