package selfplay

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/levels"
	"selfplaylab/params"
	"selfplaylab/params/paramfile"
)

// gameFlags choose a game and its rules.
type gameFlags struct{ game, rules string }

func (g *gameFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&g.game, "game", "", "game: "+strings.Join(games.Names(), ", "))
	cmd.Flags().StringVar(&g.rules, "rules", "", "rule variants of the game: `name=value,...` (see selfplay params)")
}

func (g *gameFlags) open() (engines.Variant, error) {
	game, err := cli.FindGame(g.game)
	if err != nil {
		return engines.Variant{}, err
	}
	v, err := game.OpenText(g.rules)
	if err != nil {
		return v, fmt.Errorf("--rules: %w", err)
	}
	return v, nil
}

// positionFlags choose a position, and how to print.
type positionFlags struct {
	gameFlags
	position, moves string
	json            bool
}

func (p *positionFlags) register(cmd *cobra.Command) {
	p.gameFlags.register(cmd)
	cmd.Flags().StringVar(&p.position, "position", "", "position as `TEXT` in the game's notation (default: the initial position)")
	cmd.Flags().StringVar(&p.moves, "moves", "", "moves to play from there, also with move numbers or as one word: `\"m m m\"`")
	cmd.Flags().BoolVar(&p.json, "json", false, "print one JSON object")
}

// set puts the position on a new referee's board.
func (p *positionFlags) set(v engines.Variant) (engines.Referee, []engines.Move, error) {
	ref := v.NewReferee()
	if err := ref.Reset(p.position); err != nil {
		return nil, nil, fmt.Errorf("--position: %w", err)
	}
	moves, err := engines.PlayWritten(ref, strings.Fields(p.moves), 0)
	if err != nil {
		return nil, nil, fmt.Errorf("--moves, %w", err)
	}
	return ref, moves, nil
}

// start opens the game and sets up the position.
func (p *positionFlags) start() (engines.Variant, engines.Referee, []engines.Move, error) {
	v, err := p.open()
	if err != nil {
		return v, nil, nil, err
	}
	ref, moves, err := p.set(v)
	return v, ref, moves, err
}

// budget reads --limits; "" is the game's own.
func budget(game *engines.Game, text string) (engines.Limits, error) {
	if text == "" {
		return game.Limits, nil
	}
	l, err := engines.ParseLimits(text)
	if err == nil {
		err = game.CheckLimits(l)
	}
	if err != nil {
		return l, fmt.Errorf("--limits: %w", err)
	}
	return l, nil
}

// vectorFlags choose a parameter vector.
type vectorFlags struct {
	plays        bool   // where none is named, the preset that plays against people
	level        string // with plays: a level of play, instead of parameters and limits
	preset, file string
	set          []string
	flags        *pflag.FlagSet
}

func (v *vectorFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&v.preset, "preset", "", "parameters of this `PRESET` (default: the game's default preset; see selfplay params)")
	cmd.Flags().StringVar(&v.file, "params", "", "parameters from this `FILE`.toml")
	cmd.Flags().StringArrayVar(&v.set, "set", nil, "override one parameter: `name=value` (repeatable)")
	if v.plays {
		levelFlag(cmd, &v.level)
	}
	v.flags = cmd.Flags()
}

func levelFlag(cmd *cobra.Command, level *string) {
	cmd.Flags().StringVar(level, "level", "", "play at `LEVEL` 1 (beginner) to 10 (grandmaster), by number or name, within its own limits")
}

// mover returns the parameters and limits of a decision.
func (f *vectorFlags) mover(game *engines.Game, limits string) (params.Vector, engines.Limits, error) {
	if f.level == "" {
		v, err := f.vector(game)
		if err != nil {
			return nil, engines.Limits{}, err
		}
		l, err := budget(game, limits)
		return v, l, err
	}
	for _, name := range []string{"preset", "params", "set", "limits"} {
		if f.flags.Changed(name) {
			return nil, engines.Limits{}, fmt.Errorf("--level and --%s are both given; a level has its own parameters and limits", name)
		}
	}
	l, err := levels.Find(game, f.level)
	if err != nil {
		return nil, engines.Limits{}, fmt.Errorf("--level: %w", err)
	}
	return l.Values, l.Limits, nil
}

func (f *vectorFlags) vector(game *engines.Game) (params.Vector, error) {
	var v params.Vector
	switch {
	case f.flags.Changed("params") && f.file == "":
		return nil, errors.New("--params: want a parameter file")
	case f.flags.Changed("preset") && f.preset == "":
		_, err := game.Preset("")
		return nil, fmt.Errorf("--preset: %w", err)
	case f.preset != "" && f.file != "":
		return nil, fmt.Errorf("--preset and --params are both given; want one")
	case f.file != "":
		file, err := paramfile.Read(f.file, game.Name, game.Space)
		if err != nil {
			return nil, fmt.Errorf("--params: %w", err)
		}
		v = file.Vector
	default:
		standard := game.DefaultPreset
		if f.plays {
			standard = game.PlayerPreset()
		}
		p, err := game.Preset(cmp.Or(f.preset, standard))
		if err != nil {
			return nil, fmt.Errorf("--preset: %w", err)
		}
		v = p.Vector
	}
	v, err := game.Space.Set(v, f.set)
	if err != nil {
		return nil, fmt.Errorf("--set: %w", err)
	}
	return v, nil
}
