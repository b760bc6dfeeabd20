package protocol

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"selfplaylab/engines/external/process"
)

// Serve plays for a program that speaks a protocol on in and out, until it sends quit, in ends
// or ctx ends. It does not ponder, stop is answered at once, and unknown commands are reported
// in the protocol's form. Its error concerns the options or writing. A blocked read of in may
// outlive it.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o ServeOptions) error {
	s, err := newServer(o)
	if err != nil {
		return fmt.Errorf("serving %s: %w", o.Protocol, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.out = bufio.NewWriter(out)
	return s.run(ctx, readCommands(ctx, in))
}

// newServer returns a server. It refuses bad options.
func newServer(o ServeOptions) (*server, error) {
	if o.Game == nil {
		return nil, errors.New("no game")
	}
	s := &server{options: o, game: o.Game, clock: o.Clock, preset: o.Preset, vector: o.Vector, found: make(chan finding, 1)}
	if s.clock == nil {
		s.clock = process.Wall{}
	}
	s.options.Margin = cmp.Or(s.options.Margin, serverMargin)
	if s.preset == "" {
		s.preset = o.Game.PlayerPreset()
	}
	if s.vector == nil {
		p, err := o.Game.Preset(s.preset)
		if err != nil {
			return nil, err
		}
		s.vector = p.Vector.Clone()
	}
	if err := o.Game.Space.Check(s.vector); err != nil {
		return nil, err
	}
	if err := s.open(o.Rules); err != nil {
		return nil, err
	}
	if err := s.setLevel(cmp.Or(o.Level, "0")); err != nil {
		return nil, err
	}
	var err error
	s.talk, err = s.dialogue()
	return s, err
}

// dialogue returns the protocol's part.
func (s *server) dialogue() (dialogue, error) {
	p, err := Find(s.options.Protocol)
	switch {
	case err != nil:
		return nil, err
	case !p.Carries(s.game.Name):
		return nil, fmt.Errorf("it carries %s, not %s", strings.Join(p.Games, ", "), s.game.Name)
	case !p.Serves():
		return nil, fmt.Errorf("our players are not offered in %s", p.Name)
	}
	s.protocol = p
	return p.serve(s)
}
