package player

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/params/paramfile"
)

// Values reads the values of a player, PLAYER[,PARAMETER=VALUE...]. PLAYER is a preset,
// FILE.toml, a file in another tool's form (.json, .params, .txt, .csv, or .toml with [[param]]
// tables) or FORM:FILE. Values without a PLAYER change the game's default preset. The caller
// owns the vector.
func Values(game *engines.Game, text string) (params.Vector, error) {
	base, sets := cutValues(text)
	values, _, err := readValues(game, base, sets)
	return values, err
}

// readValues reads a preset or file and applies values to it. edited reports whether a file was
// changed after a run wrote it.
func readValues(game *engines.Game, base string, sets []string) (values params.Vector, edited bool, err error) {
	if strings.Contains(base, "=") && !isFile(base) {
		base, sets = game.DefaultPreset, append([]string{base}, sets...)
	}
	switch {
	case inForm(base):
		if values, err = readForm(game, base); err != nil {
			return nil, false, err
		}
	case isFile(base):
		f, err := paramfile.Read(base, game.Name, game.Space)
		if err != nil {
			typed := filepath.Join(filepath.Dir(base), TypedName)
			if _, none := os.Stat(typed); none == nil {
				err = fmt.Errorf("%w\nan external engine was tuned there: %s holds what to type to play it with the tuned values", err, typed)
			}
			return nil, false, err
		}
		values, edited = f.Vector, f.Edited
	default:
		preset, err := game.Preset(base)
		if err != nil {
			return nil, false, fmt.Errorf("%w; a parameter file is named with its path, such as .%c%s.toml", err, filepath.Separator, base)
		}
		values = preset.Vector
	}
	if sets != nil {
		values, err = game.Space.Set(values, sets)
	}
	return values, edited, err
}

// cutValues splits the values from a player's text; nil for none.
func cutValues(text string) (base string, values []string) {
	base, rest, more := strings.Cut(text, ",")
	if more {
		values = strings.Split(rest, ",")
	}
	return base, values
}

// isFile reports whether a name is a file's, not a preset's.
func isFile(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".toml") || isForm(name)
}

// isForm reports whether a file is in another tool's form, by its name.
func isForm(name string) bool {
	return slices.Contains([]string{".json", ".params", ".txt", ".csv"}, strings.ToLower(filepath.Ext(name)))
}

// inForm reports whether a player's base is a parameter file in another tool's form.
func inForm(base string) bool {
	return isForm(base) || formats.HasForm(base) || strings.HasSuffix(base, ".toml") && formats.HoldsTables(base)
}

// OtherRanges returns the parameters of a file in another tool's form whose range or step
// differs from the game's; runs use the game's ranges and steps. It returns none for other
// players.
func OtherRanges(game *engines.Game, text string) (list params.Space) {
	base, _ := cutValues(text)
	if !inForm(base) {
		return nil
	}
	f, _ := formats.ReadFile(base) // Parse reports the error
	for _, p := range f.Space {
		if i := game.Space.Index(p.Name); i >= 0 && (p.Min != game.Space[i].Min || p.Max != game.Space[i].Max || !p.Frozen && p.Step != game.Space[i].Step) {
			list = append(list, p)
		}
	}
	return list
}

// readForm reads the values of a file in another tool's form (formats.All). Parameters
// missing from the file keep their defaults. Its ranges and steps are ignored.
func readForm(game *engines.Game, path string) (params.Vector, error) {
	f, err := formats.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := game.Space.Default()
	for _, p := range f.Space {
		i, err := game.Space.Lookup(p.Name)
		if err == nil {
			err = game.Space[i].Check(p.Default)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: as parameters of %s: %w", path, game.Name, err)
		}
		values[i] = p.Default
	}
	return values, nil
}
