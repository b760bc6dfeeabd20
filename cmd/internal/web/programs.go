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

// programs are the external engines that people may play against, from the engine files that
// the server was started with. Pages know their names only.
type programs struct {
	list []program

	mu      sync.Mutex
	sitting []*sitting
	life    context.Context
	end     context.CancelFunc
}

type program struct {
	name  string // in pages
	file  string
	games []protocol.Played
}

// sitting is a running program, for one game and its rules.
type sitting struct {
	mu       sync.Mutex // held for one question
	program  program
	game     string // and its rules
	player   engines.Player
	position string
	seed     uint64
	moves    []engines.Move
	fresh    bool // no position is set up
	leaves   *time.Timer
}

// maxSitting bounds the programs that run at a time. The one unused for longest ends for a new
// one.
const maxSitting = 4

// maxIdle is how long an unused program keeps running.
const maxIdle = 10 * time.Minute

// newPrograms reads engine files and folders of them.
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
		before, wrong := len(p.list), errors.New("the folder has no engine file (*.toml); see selfplay engine --help")
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

// find returns the program of engine:NAME.
func (p *programs) find(seat string) (program, error) {
	name := strings.TrimPrefix(seat, player.EnginePrefix)
	i := slices.IndexFunc(p.list, func(o program) bool { return o.name == name })
	if i < 0 {
		return program{}, fmt.Errorf("no engine is called %q; start the server with --engines FILE or FOLDER to add one", name)
	}
	return p.list[i], nil
}

// admit refuses values that would start any other program, and replaces engine:NAME by
// the program's engine file.
func (p *programs) admit(values map[string][]string) error {
	for field, texts := range values {
		for i, text := range texts {
			if _, err := games.Find(text); field == "game" && text != "" && err != nil {
				return fmt.Errorf("game: %w", err)
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

// engineNamed finds engines in the text of players.
var engineNamed = regexp.MustCompile(player.EnginePrefix + `[^,@]*`)

// failed reports that a program lost the game by a fault.
type failed struct {
	Fault  engines.Reason `json:"fault"`
	Detail string         `json:"detail"`
}

// best asks a program for a move, as table.Ask asks the player of a game.
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
	s.leaves.Reset(maxIdle)
	if fault, ok := errors.AsType[*engines.Fault](err); ok {
		return failed{fault.Reason, fault.Detail}, nil
	}
	if err != nil {
		s.fresh = true
		return nil, err
	}
	if !ref.Legal(d.Move) {
		return failed{engines.IllegalMove, "it answered " + ref.MoveString(d.Move)}, nil
	}
	return table.BestOf(v, ref, d, took), nil
}

// sit returns the running program for a game, locked; it starts it if necessary.
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
		player, err := e.Open(p.life, v, maxThought, nil)
		if err != nil {
			s.mu.Unlock()
			return nil, err
		}
		s.player, s.fresh = player, true
		s.leaves = time.AfterFunc(maxIdle, s.leave)
	}
	return s, nil
}

// ask asks the program for its move. A game that continues is not set up again.
func (s *sitting) ask(ctx context.Context, q table.Question, moves []engines.Move,
	limits engines.Limits) (engines.Decision, time.Duration, error) {
	goes := !s.fresh && q.Position == s.position && q.Seed == s.seed && len(moves) >= len(s.moves) &&
		slices.Equal(moves[:len(s.moves)], s.moves)
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

// leave ends the program; the next question starts it again.
func (s *sitting) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.player != nil {
		_ = player.Close(s.player) // it ends either way
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
