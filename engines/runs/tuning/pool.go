package tuning

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
)

// pool reads the players to rate besides the presets. A folder without a run gives the tuned values
// of the runs in it.
func pool(game *engines.Game, cfg []player.Config, limits engines.Limits) (list []player.Config, err error) {
	for _, one := range cfg {
		players, err := tunedIn(game, one.Player)
		if err != nil {
			return nil, config.Wrap("pool", err)
		}
		for _, p := range players {
			e, err := runs.Seat(game, "pool", player.Ask(p), "limits", limits)
			if err != nil {
				return nil, err
			}
			list = append(list, e)
		}
	}
	return list, nil
}

// maxPooled bounds how many results of a folder are rated: all pairings are
// played.
const maxPooled = 12

// tunedIn lists the tuned values for a game in a run, or in the runs of a folder, as players. Any
// other text is a player itself.
func tunedIn(game *engines.Game, text string) ([]string, error) {
	if info, err := os.Stat(text); err != nil || !info.IsDir() {
		return []string{text}, nil
	}
	files, err := filepath.Glob(filepath.Join(text, "*", tunedName))
	if err != nil {
		return nil, err
	}
	own := filepath.Join(text, tunedName)
	if info, err := os.Stat(own); err == nil && info.Mode().IsRegular() {
		files = []string{own}
	}
	var list []string
	for _, file := range files {
		if log, err := datasets.Read(filepath.Dir(file)); err == nil && log.Meta.Game == game.Name &&
			slices.Equal(log.Meta.Parameters, game.Space.Names()) {
			list = append(list, filepath.Base(filepath.Dir(file))+":"+file)
		}
	}
	switch {
	case len(list) == 0:
		return nil, fmt.Errorf("%s holds no finished tuning of %s", text, game.Name)
	case len(list) > maxPooled:
		return nil, fmt.Errorf("%s holds %d tunings of %s, and every pairing is played: name at most %d, as %s", text, len(list), game.Name,
			maxPooled, list[len(list)-1])
	}
	return list, nil
}
