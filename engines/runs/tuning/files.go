package tuning

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/params"
	"selfplaylab/params/paramfile"
)

// file returns a parameter file of the run, with a comment on the evidence for it.
func (r *Result) file(name, doc string, values params.Vector) []byte {
	f := paramfile.File{Game: r.Config.task.Game.Name, Name: name, Doc: doc, Vector: values}
	return append([]byte("# "+doc+"\n"), f.Encode(r.Config.task.Space())...)
}

func (r *Result) Files() (map[string][]byte, error) {
	name := filepath.Base(filepath.Clean(r.Head.Dir))
	files := map[string][]byte{
		tunedName: r.file(name, r.fileDoc(), r.tunedValues()),
		startFile: r.file(name+"-start", "Where the tuning started.", r.Config.Start.Values),
	}
	files[candidateName] = nil
	if r.candidateOnly() {
		files[tunedName] = r.file(name, startDoc, r.tunedValues())
		files[candidateName] = r.file(name+"-candidate", r.fileDoc(), r.Recommend())
	}
	space, err := r.Config.tunedSpace(r.tunedValues())
	if err != nil {
		return nil, err
	}
	maps.Copy(files, space)
	return files, r.programFiles(files)
}

// startDoc is the comment of a file of tuned values that holds the start's.
const startDoc = "The start's values: no gain was shown. The tuning's own values, with what they are worth, are in " + candidateName + "."

// fileDoc returns the comment of the file of the tuning's values. It names no folder, so that equal
// runs leave equal files.
func (r *Result) fileDoc() string {
	o := r.Outcome()
	// The outcome comes before the verdict. use is a sentence on how to use the values.
	verdict, use := strings.TrimLeft(strings.TrimPrefix(r.Conclusion(), o.String()), ":, "), ""
	switch {
	case r.Config.Program != nil && !r.candidateOnly():
		use = " What to type for them is in " + player.TypedName + ", and their rows are in " + rowsName + "."
	case r.Config.Elsewhere == nil:
		use = r.watching()
	}
	switch o {
	case shownBetter:
		return "Better than the start: " + verdict + "." + use
	case notShown:
		return "NOT SHOWN TO BE BETTER THAN THE START: " + verdict + "." + use
	case shownWorse:
		return "WORSE THAN THE START: " + verdict + "." + use
	case sameAsStart:
		return "The same as the start: " + verdict + "."
	}
	if r.candidateOnly() {
		return "NOT VERIFIED, and the tuning's own games do not reliably show that these values are better than the start." + use
	}
	if s := r.Standing(); s != nil {
		return "NOT VERIFIED: " + s.String() + "." + use
	}
	return "NOT VERIFIED: nothing is known about the strength of these values." + use
}

// watching writes a sentence with the command that shows the tuned values at play.
func (r *Result) watching() string {
	tuned, start := r.playing(r.recommendedName(), r.Recommend()), r.playing(startFile, r.Config.Start.Values)
	return fmt.Sprintf(" To see them play, in this folder: selfplay match --game %s --rules %s --a %s --b %s",
		runs.Quote(r.Head.Meta.Game), runs.Quote(r.Head.Meta.Rules), runs.Quote(tuned), runs.Quote(start))
}

// playing returns a player with the values of a file, within the limits it was tuned for. A match does not
// read an external engine's file.
func (r *Result) playing(file string, values params.Vector) string {
	if typed, err := r.typed(values); err == nil && len(typed) > 0 { // Files tells of the error
		file = typed[0]
	}
	if l := r.Config.Start.Limits; !l.IsZero() {
		return file + "@" + l.String()
	}
	return file
}

// typed returns the texts to type for a player with these values: for this program, and in its own
// protocol. It is nil for a built-in player.
func (r *Result) typed(values params.Vector) ([]string, error) {
	s := r.Config
	if s.Program == nil {
		return nil, nil
	}
	return player.Typed(s.Start.With(values), s.Program.Protocol, s.task.Space())
}

// programFiles adds the tuned values in the forms of an external engine.
func (r *Result) programFiles(files map[string][]byte) error {
	if r.Config.Program == nil {
		return nil
	}
	rows, err := player.Rows(r.Config.Program.Protocol, r.Config.task.Space(), r.tunedValues())
	if err != nil {
		return fmt.Errorf("%s: %w", rowsName, err)
	}
	files[rowsName] = rows
	typed, err := r.typed(r.tunedValues())
	files[player.TypedName] = []byte(strings.Join(typed, "\n") + "\n")
	return err
}

// maxStarts is the number of start values that are listed. With more parameters the tuned ones are.
const maxStarts = 40

// starts returns the start values of the engine that is tuned and a hash of them, in
// lines for people; none for a player of ours.
func (c *Config) starts() []string {
	if c.Program == nil {
		return nil
	}
	fields := c.Program.Params.Texts(c.Start.Values)
	sum, more := sha256.Sum256([]byte(strings.Join(fields, " "))), ""
	if len(fields) > maxStarts {
		more = fmt.Sprintf("of all %d parameters: ", len(fields))
		fields = slices.DeleteFunc(fields, func(f string) bool {
			name, _, _ := strings.Cut(f, "=")
			return !slices.Contains(c.Active, name)
		})
	}
	lines := []string{fmt.Sprintf("start values: %s (%sSHA-256 %s)", strings.Join(fields, " "), more, hex.EncodeToString(sum[:8]))}
	var fixed []string
	for _, p := range c.Program.Params {
		if (p.Frozen || len(p.Labels) > 0) && !slices.Contains(c.Active, p.Name) {
			fixed = append(fixed, p.Name)
		}
	}
	if len(fixed) > 0 {
		lines = append(lines, "not tuned (frozen, a step of 0, a single value, or values with names): "+strings.Join(some(fixed), ", "))
	}
	for _, d := range c.Program.Differs {
		lines = append(lines, "warning: the default in the engine file is not what the engine reports: "+d)
	}
	return lines
}

// unusedRanges warns of ranges and steps in the start's file that are not in use. Only the values
// of that file count.
func (c *Config) unusedRanges() []string {
	var list []string
	size := func(p params.Param) string {
		return fmt.Sprintf("%s to %s, step %s", p.Format(p.Min), p.Format(p.Max), p.StepText())
	}
	for _, p := range c.unused {
		if space := c.task.Space(); slices.Contains(c.Active, p.Name) {
			list = append(list, fmt.Sprintf("%s %s (in the file %s)", p.Name, size(space[space.Index(p.Name)]), size(p)))
		}
	}
	if len(list) == 0 {
		return nil
	}
	remedy := ""
	if c.Program != nil {
		remedy = "; --space or [[param]] tables in the engine file set others"
	}
	return []string{"warning: only the values of the start's file are used, not its ranges and steps; used are " +
		strings.Join(some(list), ", ") + remedy}
}

// wideSteps is the width of a range in steps above which a run warns: three times the customary
// twenty.
const wideSteps = 60

// wideRanges warns of ranges much wider than the steps suggest, for a method that tries values
// across them from the first game on. A good start is then easily lost (docs/comparison.md).
func (c *Config) wideRanges() []string {
	info := c.method.Info()
	if !info.WholeRange || c.Program == nil && c.Elsewhere == nil { // a game's own ranges are not the user's to change
		return nil
	}
	var names []string
	space := c.task.Space()
	for _, name := range c.Active {
		p := space[space.Index(name)]
		lo, hi := p.Bounds()
		if len(p.Labels) == 0 && p.Step > 0 && hi-lo > wideSteps {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("warning: more than %d steps wide: the ranges of %s; %s tries values across a quarter of a range, "+
		"so allow only what is worth trying",
		wideSteps, strings.Join(names, ", "), info.Name)}
}
