// Package published holds the results that come with the toolkit: experiments with their
// measurements, and ladders of calibrated opponents, whose files it reads and writes. It plays
// nothing and knows no game: the caller must know the players of the rungs.
package published

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/params/tomlx"
	"selfplaylab/reports/rating"
)

// Schema is the version of the ladder's file.
const Schema = 1

// LadderName is the name of the file that holds a ladder.
const LadderName = "ladder.toml"

// prior is the weight, in games, of the belief that players are alike. It keeps ratings finite
// when a player loses or wins every game.
const prior = 1

// Ladder is a list of opponents from weak to strong, with ratings measured in one tournament,
// and the results of that tournament.
type Ladder struct {
	Schema       int      `toml:"schema"`        // the constant Schema
	Game         string   `toml:"game"`          // name of the game
	GameVersion  int      `toml:"game_version"`  // version of the rules and players in these games
	Rules        string   `toml:"rules"`         // canonical text of the rules
	OpeningPlies int      `toml:"opening_plies"` // plies of drawn openings in these games
	Anchor       string   `toml:"anchor"`        // name of the rung at 0 Elo
	Parameters   []string `toml:"parameters"`    // names of the game's parameters at that time
	Revision     string   `toml:"revision"`      // of the program that measured
	Command      string   `toml:"command"`       // repeats the measurement
	Rungs        []Rung   `toml:"rung"`          // from weak to strong
	Results      []Result `toml:"result"`        // games between rungs
}

// Rung is one opponent of a ladder.
type Rung struct {
	Name   string    `toml:"name"`   // unique in the ladder
	Player string    `toml:"player"` // as given by the user, for people
	Limits string    `toml:"limits"` // limits of a decision; "" for the player's own
	Values []float64 `toml:"values"` // in the order of Ladder.Parameters
	Elo    float64   `toml:"elo"`    // relative to the anchor at 0
	SE     float64   `toml:"se"`     // standard error relative to the anchor, 0 for the anchor
	Games  int       `toml:"games"`  // number of its games
}

// Result counts the pairs of two rungs by A's half points (0, 1 or 2) in the
// game in which A moved first (row) and in the other (column).
type Result struct {
	A     string    `toml:"x"`     // "x" since the first ladders, because runs identify a ladder by a hash
	B     string    `toml:"than"`  // name of the other rung
	Pairs [3][3]int `toml:"pairs"` // row: A moved first; column: A moved second
}

// Only files that programs read are embedded; figures and pages are for people.
//
//go:embed ladder-*/ladder.toml */*.toml */reading.md */*.csv */quick
var files embed.FS

// experimentName is the file that makes a folder an experiment.
const experimentName = "experiment.toml"

// Files returns the published folders, read-only.
func Files() fs.FS { return files }

// Experiments returns the names of the published experiments, sorted.
func Experiments() []string { return folders("*/" + experimentName) }

// folders returns the folders of the files that a pattern matches, sorted.
func folders(pattern string) []string {
	paths, err := fs.Glob(files, pattern)
	if err != nil {
		panic(err) // patterns are constants
	}
	var names []string
	for _, p := range paths {
		names = append(names, path.Dir(p))
	}
	return names
}

// Unknown returns the error for an experiment that is not published; it names the published
// ones.
func Unknown(name string) error {
	return fmt.Errorf("no experiment %q is published; there are %s", name, strings.Join(Experiments(), ", "))
}

// Games returns the games that have a ladder, sorted.
func Games() []string {
	var games []string
	for _, folder := range folders("ladder-*/" + LadderName) {
		games = append(games, strings.TrimPrefix(folder, "ladder-"))
	}
	return games
}

// ErrNoLadder is wrapped by the error for a game without a published ladder.
var ErrNoLadder = errors.New("no ladder is published")

// ReadLadder returns the published ladder of a game. If there is none, the error wraps
// ErrNoLadder and names the games that have one.
func ReadLadder(game string) (Ladder, error) {
	if !slices.Contains(Games(), game) {
		return Ladder{}, fmt.Errorf("%w for %q; there are those of %s", ErrNoLadder, game, strings.Join(Games(), ", "))
	}
	name := "ladder-" + game + "/" + LadderName
	data, err := files.ReadFile(name)
	if err != nil {
		return Ladder{}, err
	}
	return DecodeLadder(name, data)
}

// DecodeLadder reads a ladder's file and checks it; errors contain filename.
func DecodeLadder(filename string, data []byte) (Ladder, error) {
	var l Ladder
	if err := tomlx.Decode(filename, data, &l, nil); err != nil {
		return l, err
	}
	if err := l.Check(); err != nil {
		return l, fmt.Errorf("%s: %w", filename, err)
	}
	return l, nil
}

// Encode returns the ladder as a file that DecodeLadder reads.
func (l Ladder) Encode() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# A ladder of calibrated opponents. Ratings are in Elo relative to the anchor;\n" +
		"# se is the standard error. Made by the command below.\n\n")
	if err := toml.NewEncoder(&b).Encode(l); err != nil {
		return nil, fmt.Errorf("ladder of %s: %w", l.Game, err)
	}
	return b.Bytes(), nil
}

// Extend returns the ladder with rungs for a player of these parameters. A parameter that the
// ladder does not have gets its default on every rung, because earlier players behaved like
// that. It is an error if the ladder has a parameter that is not in names.
func (l Ladder) Extend(names []string, defaults []float64) (Ladder, error) {
	place := make([]int, len(l.Parameters))
	for i, name := range l.Parameters {
		if place[i] = slices.Index(names, name); place[i] < 0 {
			return l, fmt.Errorf("the ladder of %s has a parameter %q, which the player has not; calibrate it again", l.Game, name)
		}
	}
	rungs := slices.Clone(l.Rungs)
	for r := range rungs {
		values := slices.Clone(defaults)
		for i, at := range place {
			values[at] = rungs[r].Values[i]
		}
		rungs[r].Values = values
	}
	l.Parameters, l.Rungs = slices.Clone(names), rungs
	return l, nil
}

// Check reports the first error in a ladder: it needs at least two rungs of rising ratings, and
// results between rungs only.
func (l Ladder) Check() error {
	if l.Schema != Schema {
		return fmt.Errorf("schema %d: this program reads %d", l.Schema, Schema)
	}
	if len(l.Rungs) < 2 {
		return fmt.Errorf("a ladder of %d rungs: want at least 2", len(l.Rungs))
	}
	for i, r := range l.Rungs {
		switch {
		case strings.TrimSpace(r.Name) == "":
			return fmt.Errorf("rung %d has no name", i+1)
		case l.index(r.Name) != i:
			return fmt.Errorf("two rungs are named %q", r.Name)
		case len(r.Values) != len(l.Parameters):
			return fmt.Errorf("rung %s has %d values for %d parameters", r.Name, len(r.Values), len(l.Parameters))
		case !finite(r.Elo) || !finite(r.SE) || r.SE < 0:
			return fmt.Errorf("rung %s: rating %v with error %v", r.Name, r.Elo, r.SE)
		case i > 0 && !(r.Elo > l.Rungs[i-1].Elo):
			return fmt.Errorf("rung %s is not above rung %s", r.Name, l.Rungs[i-1].Name)
		}
	}
	if l.index(l.Anchor) < 0 {
		return fmt.Errorf("anchor %q is no rung", l.Anchor)
	}
	for _, r := range l.Results {
		if a, b := l.index(r.A), l.index(r.B); a < 0 || b < 0 || a == b {
			return fmt.Errorf("result of %q and %q: want two rungs", r.A, r.B)
		}
		for _, row := range r.Pairs {
			if slices.Min(row[:]) < 0 {
				return fmt.Errorf("result of %s and %s: negative counts", r.A, r.B)
			}
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func (l Ladder) index(name string) int {
	return slices.IndexFunc(l.Rungs, func(r Rung) bool { return r.Name == name })
}

// Rung returns the named rung; the error lists the rungs.
func (l Ladder) Rung(name string) (Rung, error) {
	if i := l.index(name); i >= 0 {
		return l.Rungs[i], nil
	}
	names := make([]string, len(l.Rungs))
	for i, r := range l.Rungs {
		names[i] = r.Name
	}
	return Rung{}, fmt.Errorf("the ladder of %s has no rung %q; its rungs are %s", l.Game, name, strings.Join(names, ", "))
}

// Place rates a newcomer on the ladder's scale. The newcomer is the last player of the ratings,
// after the rungs. results are its games, as A against a rung as B. It fits them together with
// all games of the ladder, so that the error includes the uncertainty of the rungs.
func (l Ladder) Place(results []Result) (*rating.Ratings, error) {
	const newcomer = "\x00newcomer" // no rung can have this name
	names := make([]string, 0, len(l.Rungs)+1)
	for _, r := range l.Rungs {
		names = append(names, r.Name)
	}
	t := rating.NewTournament(append(names, newcomer)...)
	for _, r := range l.Results {
		t.AddPairs(l.index(r.A), l.index(r.B), r.Pairs)
	}
	for _, r := range results {
		b := l.index(r.B)
		if b < 0 {
			return nil, fmt.Errorf("result against %q, which is no rung", r.B)
		}
		t.AddPairs(len(l.Rungs), b, r.Pairs)
	}
	return Fit(t, l.Anchor)
}

// Fit rates the players of a tournament, with anchor at 0 Elo. Ladders and tournaments rate
// alike: a prior of one game keeps perfect scores finite.
func Fit(t *rating.Tournament, anchor string) (*rating.Ratings, error) {
	return rating.BradleyTerry{Anchor: anchor, Prior: prior}.Fit(t)
}
