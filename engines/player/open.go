package player

import (
	"context"
	"fmt"
	"io"
	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"time"
)

// Transcript keeps the lines of the programs of a game; a Log adds the lines of one program.
type (
	Transcript = process.Transcript
	Log        = process.Log
)

// Open returns the player, ready to start a game. The caller must pass it to Close. The process
// of a program ends with ctx at the latest, and its lines go to log. stall bounds decisions of a
// program without a time limit; 0 means the driver's own bound.
func (c Config) Open(ctx context.Context, v engines.Variant, stall time.Duration, log *Log) (engines.Player, error) {
	if c.Engine != nil {
		p, err := c.program(ctx, v, process.Options{Patience: process.Patience{Stall: stall}, Log: log})
		if err != nil { // a nil *Player would not be a nil interface
			return nil, err
		}
		return p, nil
	}
	if c.Custom != nil {
		return c.Custom.open(v, c.Values)
	}
	player := v.NewPlayer()
	if err := player.Configure(c.Values); err != nil {
		return nil, fmt.Errorf("%s: %w", v.Game.Name, err)
	}
	return player, nil
}

// Close closes a player that owns a process or another resource; it does nothing for others.
func Close(p engines.Player) error {
	if c, ok := p.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// CPUTime returns the processor time used so far by a program and its descendants; 0 if
// unknown, and for players that are not programs.
func CPUTime(p engines.Player) time.Duration {
	if program, ok := p.(*external.Player); ok {
		return program.CPUTime()
	}
	return 0
}

// Thought returns the time that the last decision of a program took, without the setting up of
// its position.
func Thought(p engines.Player) time.Duration {
	if program, ok := p.(*external.Player); ok {
		return program.Thought()
	}
	return 0
}
