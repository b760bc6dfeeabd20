package external

import "time"

// WithBounds returns options with other bounds of what a program may say.
func (o OpenOptions) WithBounds(line, lines int) OpenOptions {
	o.bounds = bounds{line: line, lines: lines}
	return o
}

// PID returns the number of the process, 0 if there is none.
func (p *Player) PID() int {
	if p.link == nil {
		return 0
	}
	return p.link.cmd.Process.Pid
}

// Stderr returns what tells what is kept of the program's stderr; all of it is
// there after Close.
func (p *Player) Stderr() func() string { return p.link.stderr.String }

// Late is late.
func Late(elapsed, limit, margin time.Duration) bool { return late(elapsed, limit, margin) }

// RingSize is ringSize.
const RingSize = ringSize
