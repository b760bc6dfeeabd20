package web

import (
	"path/filepath"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/params/paramfile"
	"strings"
)

// tunedView is a player that a run of the folder found.
type tunedView struct {
	Name   string `json:"name"`
	Values string `json:"values"` // name=value,...
	file   string
}

// foundPlayer returns the player of a finished run in a folder, or the candidate if the run kept its start; none
// if it left no file that is whole: one bad file does not hide the players of other runs.
func foundPlayer(dir, run string, kind runs.Kind, game *engines.Game) []tunedView {
	for _, f := range []struct{ prefix, name string }{{"candidate: ", kind.CandidateFile}, {"tuned: ", kind.PlayerFile}} {
		path := filepath.Join(dir, f.name)
		data, err := datasets.ReadFile(path)
		if err != nil {
			continue
		}
		file, err := paramfile.Decode(path, data, game.Name, game.Space)
		if err != nil {
			continue
		}
		name := f.prefix + run
		if file.Edited {
			name += paramfile.EditedMark
		}
		return []tunedView{{name, strings.Join(game.Space.Texts(file.Vector), ","), path}}
	}
	return nil
}
