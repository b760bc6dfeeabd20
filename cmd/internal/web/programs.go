package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
)

// programs are somebody's engines that people may play against: those of the files
// that the server was started with, by their names. A page can name none but these,
// and none of what they run.
type programs struct {
	list []program

	mu      sync.Mutex
	sitting []*sitting
	life    context.Context
	end     context.CancelFunc
}

type program struct {
	name  string // as pages call it
	file  string
	games []protocol.Played
}

// sitting is a program that is running, for a game of one kind.
type sitting struct {
	mu       sync.Mutex // of one question at a time
	program  program
	game     string // and its rules
	player   engines.Player
	position string
	seed     uint64
	moves    []engines.Move
	fresh    bool // nothing is set up
	leaves   *time.Timer
}

// mostSitting bounds the programs that run at a time; whoever sat longest without
// being asked leaves for another.
const maxSitting = 4

// boredom is how long a program that nobody asks is kept running.
const boredom = 10 * time.Minute

// newPrograms reads engine files, and those of folders.
func newPrograms(paths []string) (*programs, error) {
	p := &programs{}
	p.life, p.end = context.WithCancel(context.Background())
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("--engines: %w", err)
		}
		if !info.IsDir() {
			if err := p.add(path); err != nil {
				return nil, fmt.Errorf("--engines %s: %w", path, err)
			}
			continue
		}
		files, err := filepath.Glob(filepath.Join(path, "*.toml"))
		if err != nil {
			return nil, fmt.Errorf("--engines %s: %w", path, err)
		}
		before, wrong := len(p.list), errors.New("it holds no engine file (*.toml); see selfplay engine --help")
		for _, file := range files {
			if err := p.add(file); err != nil {
				wrong = err // a folder may hold other files
			}
		}
		if len(p.list) == before {
			return nil, fmt.Errorf("--engines %s: %w", path, wrong)
		}
	}
	return p, nil
}

func (p *programs) add(file string) error {
	described, err := external.ReadFile(file)
	if err != nil {
		return err
	}
	file, err = filepath.Abs(file)
	if err != nil {
		return err
	}
	name := described.Name
	for n := 2; slices.ContainsFunc(p.list, func(o program) bool { return o.name == name }); n++ {
		name = fmt.Sprintf("%s (%d)", described.Name, n)
	}
	p.list = append(p.list, program{name, file, described.Games})
	return nil
}

// of names the programs that play a game.
func (p *programs) of(game string) []string {
	names := []string{}
	for _, one := range p.list {
		if slices.ContainsFunc(one.games, func(g protocol.Played) bool { return g.Game == game }) {
			names = append(names, one.name)
		}
	}
	return names
}

// find returns the program that a seat names: engine:NAME.
func (p *programs) find(seat string) (program, error) {
	name := strings.TrimPrefix(seat, player.EnginePrefix)
	i := slices.IndexFunc(p.list, func(o program) bool { return o.name == name })
	if i < 0 {
		return program{}, fmt.Errorf("there is no engine %q here: the server is started with --engines FILE or FOLDER", name)
	}
	return p.list[i], nil
}

// admit refuses what would start a program that the server was not started with,
// and puts the files of those that it was in place of their names: engine:NAME.
func (p *programs) admit(values map[string][]string) error {
	for field, texts := range values {
		for i, text := range texts {
			if field == "objective" && strings.TrimSpace(text) != "" {
				return errors.New("objective: a page starts no program; type the command instead")
			}
			if field == "engine" && text != "" && !strings.HasPrefix(text, player.EnginePrefix) {
				text = player.EnginePrefix + text
			}
			var err error
			texts[i] = engineNamed.ReplaceAllStringFunc(text, func(seat string) string {
				one, missing := p.find(seat)
				err = errors.Join(err, missing)
				if field == "engine" {
					return one.file
				}
				return player.EnginePrefix + one.file
			})
			if err != nil {
				return fmt.Errorf("%s: %w", field, err)
			}
		}
	}
	return nil
}

// engineNamed finds engines in the text of a seat, or of several.
var engineNamed = regexp.MustCompile(player.EnginePrefix + `[^,@]*`)

// Failed tells that a program lost the game by itself.
type Failed struct {
	Fault  engines.Reason `json:"fault"`
	Detail string         `json:"detail"`
}

// best asks a program for a move, as table.Ask asks a game's own player.
func (p *programs) best(ctx context.Context, q table.Question) (any, error) {
	one, err := p.find(q.Preset)
	if err != nil {
		return nil, err
	}
	v, err := games.Open(q.Game, q.Rules)
	if err != nil {
		return nil, err
	}
	moves, ref, err := q.History(v)
	if err != nil {
		return nil, err
	}
	text := player.EnginePrefix + one.file
	if q.Limits != "" {
		text += "@" + q.Limits
	}
	e, err := player.Parse(v.Game, text, engines.Limits{})
	if err != nil {
		return nil, err
	}
	s, err := p.sit(one, v, e)
	if err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	d, took, err := s.ask(ctx, q, moves, e.Limits)
	s.leaves.Reset(boredom)
	if fault, is := errors.AsType[*engines.Fault](err); is {
		return Failed{fault.Reason, fault.Detail}, nil
	}
	if err != nil {
		s.fresh = true
		return nil, err
	}
	if !ref.Legal(d.Move) {
		return Failed{engines.IllegalMove, "it answered " + ref.MoveString(d.Move)}, nil
	}
	return table.BestOf(ref, d, took), nil
}

// sit returns the running program for a game, locked; it is started if need be.
func (p *programs) sit(one program, v engines.Variant, e player.Config) (*sitting, error) {
	game := v.Game.Name + " " + v.Rules
	p.mu.Lock()
	i := slices.IndexFunc(p.sitting, func(s *sitting) bool { return s.program.file == one.file && s.game == game })
	var s, leaves *sitting
	if i >= 0 {
		s = p.sitting[i]
		p.sitting = append(slices.Delete(p.sitting, i, i+1), s)
	} else {
		s = &sitting{program: one, game: game, fresh: true}
		p.sitting = append(p.sitting, s)
		if len(p.sitting) > maxSitting {
			leaves, p.sitting = p.sitting[0], p.sitting[1:]
		}
	}
	p.mu.Unlock()
	if leaves != nil {
		leaves.leave()
	}
	s.mu.Lock()
	if s.player == nil {
		player, err := e.Open(p.life, v, maxThought)
		if err != nil {
			s.mu.Unlock()
			return nil, err
		}
		s.player, s.fresh = player, true
		s.leaves = time.AfterFunc(boredom, s.leave)
	}
	return s, nil
}

// ask has the program choose. A game that goes on is not set up again.
func (s *sitting) ask(ctx context.Context, q table.Question, moves []engines.Move, limits engines.Limits) (engines.Decision, time.Duration, error) {
	goes := !s.fresh && q.Position == s.position && q.Seed == s.seed && len(moves) >= len(s.moves) && slices.Equal(moves[:len(s.moves)], s.moves)
	if !goes {
		if err := s.player.Reset(q.Position, q.Seed); err != nil {
			return engines.Decision{}, 0, err
		}
	}
	s.fresh, s.position, s.seed, s.moves = false, q.Position, q.Seed, moves
	start := time.Now()
	d, err := s.player.Choose(ctx, moves, limits)
	if ctx.Err() != nil {
		err = cmp.Or(context.Cause(ctx), err)
	}
	return d, time.Since(start), err
}

// leave ends the program; it is started again when it is asked.
func (s *sitting) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.player != nil {
		_ = player.Close(s.player) // it is over either way
		s.player = nil
	}
	if s.leaves != nil {
		s.leaves.Stop()
	}
}

// close ends all programs.
func (p *programs) close() {
	p.mu.Lock()
	list := slices.Clone(p.sitting)
	p.sitting = nil
	p.mu.Unlock()
	p.end()
	for _, s := range list {
		s.leave()
	}
}

// longestThought is how long a player may think about a move of a page.
const maxThought = 2 * time.Minute
