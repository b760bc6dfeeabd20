package selfplay

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/runs"
)

// fastchess is a command line of fastchess in the words of a match.
type fastchess struct {
	Flags [][2]string       // name and value
	Files map[string]string // engine files that the flags name, by their names
	Notes []string          // what is not quite the same, and what was left out
}

// fastchessQuiet are options of fastchess that change no game.
var fastchessQuiet = []string{"repeat", "tournament", "epdout", "ratinginterval", "scoreinterval", "report", "recover",
	"autosaveinterval", "event", "site", "log", "force-concurrency", "strict", "testEnv", "show-latency", "check-mate-pvs", "crc32",
	"wait", "seeds", "outcomeinterval", "resultformat"}

// fastchessLine is the state of translating a command line.
type fastchessLine struct {
	fastchess
	each      map[string]string
	engines   []map[string]string
	flags     map[string]string
	cutechess bool // in its words, and with its defaults
	rounds    string
	games     string   // of a round
	startup   string   // milliseconds to an engine's greeting; "" for the default
	ready     int      // milliseconds for options and new games; 0 for the default
	model     string   // of an SPRT that names none
	cannot    []string // what has no counterpart
}

// translateFastchess translates a command line of fastchess. Its error names every option
// without a counterpart.
func translateFastchess(line string) (*fastchess, error) {
	words, err := process.SplitWords(strings.ReplaceAll(line, "\\\n", " "))
	if err != nil {
		return nil, err
	}
	t := &fastchessLine{
		each: map[string]string{}, flags: map[string]string{"game": "chess", "opening-plies": "0"}, model: "normalized", rounds: "2", games: "2",
	}
	t.Files = map[string]string{}
	if !strings.HasPrefix(words[0], "-") { // the program
		switch program := filepath.Base(words[0]); {
		case strings.Contains(program, "cutechess"):
			t.cutechess, t.model, t.rounds, t.games = true, "logistic", "1", "1"
		case !strings.Contains(program, "fastchess") && !strings.Contains(program, "fast-chess"):
			return nil, fmt.Errorf("%s: want a command line of fastchess or cutechess-cli", program)
		}
		words = words[1:]
	}
	for len(words) > 0 {
		n := 1
		for n < len(words) && !strings.HasPrefix(words[n], "-") {
			n++
		}
		t.option(strings.TrimLeft(words[0], "-"), words[1:n])
		words = words[n:]
	}
	t.players()
	t.pairs()
	if len(t.cannot) > 0 {
		return nil, fmt.Errorf("cannot translate %s: leave that out or give the flags of selfplay match", strings.Join(t.cannot, "; "))
	}
	for _, name := range slices.Sorted(maps.Keys(t.flags)) {
		t.Flags = append(t.Flags, [2]string{name, t.flags[name]})
	}
	return &t.fastchess, nil
}

func (f *fastchessLine) refuse(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(f.cannot, text) { // of both engines
		f.cannot = append(f.cannot, text)
	}
}

func (f *fastchessLine) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(f.Notes, text) { // of both engines
		f.Notes = append(f.Notes, text)
	}
}

// option reads one option with its words.
func (f *fastchessLine) option(name string, words []string) {
	fields := map[string]string{}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		fields[key] = value
	}
	switch value := strings.Join(words, " "); name {
	case "engine":
		f.engines = append(f.engines, fields)
	case "each":
		maps.Copy(f.each, fields)
	case "rounds":
		f.rounds = value
	case "games":
		f.games = value
	case "concurrency":
		f.flags["workers"] = value
	case "debug":
		f.flags["log-engines"] = "true"
	case "use-affinity":
		if f.flags["affinity"] = "true"; value != "" {
			f.note("-use-affinity %s: --affinity takes the processors of this process in their order; taskset -c %s chooses them", value, value)
		}
	case "output":
		f.known("-output", fields, "format")
		switch fields["format"] {
		case "fastchess":
			f.flags["output"] = "fastchess"
		case "cutechess":
			f.note("-output format=cutechess is left out: the result is printed in this program's form, or in fastchess's by --output fastchess")
		default:
			f.refuse("-output %s", value)
		}
	case "startup-ms":
		f.startup = value
		f.milliseconds(name, value)
	case "ucinewgame-ms", "ping-ms":
		f.ready = max(f.ready, f.milliseconds(name, value)) // one key stands for both
	case "srand":
		f.flags["seed"] = value
	case "randomseed":
		f.note("-randomseed is left out: the seed is 1, or that of --seed, so the match repeats")
	case "maxmoves":
		f.flags["max-plies"] = f.plies("-maxmoves", value)
		if !f.cutechess {
			f.note("--max-plies counts the moves of an opening, too; fastchess does not")
		}
	case "variant":
		variants := map[string]string{"standard": "variant=standard", "fischerandom": "variant=chess960"}
		if f.flags["rules"] = variants[value]; f.flags["rules"] == "" {
			f.refuse("-variant %s", value)
		}
	case "openings":
		f.openings(fields)
	case "sprt":
		f.known("-sprt", fields, "elo0", "elo1", "alpha", "beta", "model")
		fields["model"] = cmp.Or(fields["model"], f.model)
		if fields["model"] == "bayesian" {
			f.refuse("-sprt model=bayesian (normalized and logistic are known)")
		}
		f.flags["sprt"] = joined(fields, "elo0", "elo1", "alpha", "beta", "model")
	case "resign":
		f.known("-resign", fields, "movecount", "score", "twosided")
		f.flags["resign"] = fmt.Sprintf("score=%s,moves=%s", cmp.Or(fields["score"], "0"), cmp.Or(fields["movecount"], "1"))
		if fields["twosided"] == "true" {
			f.flags["resign"] += ",both=yes"
		}
	case "pgnout":
		f.flags["record-moves"] = "time"
		f.note("-pgnout is left out: selfplay export RUN --format pgn writes the games of a run as fastchess does, with what --record-moves keeps")
	case "draw":
		f.known("-draw", fields, "movenumber", "movecount", "score")
		f.flags["draw"] = fmt.Sprintf("score=%s,moves=%s,after=%s", cmp.Or(fields["score"], "0"), cmp.Or(fields["movecount"], "1"),
			f.plies("-draw movenumber", cmp.Or(fields["movenumber"], "0")))
		if f.cutechess {
			f.note("--draw: cutechess counts from zero again after a capture or a pawn's move; this program does not")
		} else {
			f.note("--draw: fastchess counts from zero again after a capture or a pawn's move, and to movenumber from the number in a FEN; " +
				"this program does neither")
		}
	default:
		if !slices.Contains(fastchessQuiet, name) {
			f.refuse("-%s", strings.TrimSpace(name+" "+value))
			return
		}
		f.note("-%s is left out: it changes no game", name)
	}
}

// milliseconds reads a time of an option.
func (f *fastchessLine) milliseconds(name, value string) int {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		f.refuse("-%s %s (want milliseconds)", name, value)
	}
	return n
}

// pairs are the rounds, each of two games. In cutechess a round has any number of games.
func (f *fastchessLine) pairs() {
	rounds, errR := strconv.Atoi(f.rounds)
	games, errG := strconv.Atoi(f.games)
	switch {
	case f.cutechess && errR == nil && errG == nil:
		f.rounds = strconv.Itoa((rounds*games + 1) / 2)
	case f.games != "2" && (!f.cutechess || errG != nil):
		f.refuse("-games %s (a match plays every opening twice, with colours swapped)", f.games)
	}
	f.flags["pairs"] = f.rounds
}

// plies are twice as many as moves.
func (f *fastchessLine) plies(what, moves string) string {
	n, err := strconv.Atoi(moves)
	if err != nil {
		f.refuse("%s %s (want a number)", what, moves)
	}
	return strconv.Itoa(2 * n)
}

// known refuses the fields that are not listed.
func (f *fastchessLine) known(what string, fields map[string]string, names ...string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(names, name) {
			f.refuse("%s %s=%s", what, name, fields[name])
		}
	}
}

// joined writes the given fields as name=value.
func joined(fields map[string]string, names ...string) string {
	var list []string
	for _, name := range names {
		if value, ok := fields[name]; ok {
			list = append(list, name+"="+value)
		}
	}
	return strings.Join(list, ",")
}

func (f *fastchessLine) openings(fields map[string]string) {
	random := fields["order"] == "random"
	if fields["start"] == "1" || random { // of another order, another place
		delete(fields, "start")
	}
	if fields["format"] == "epd" {
		delete(fields, "plies") // positions have none
	}
	f.known("-openings", fields, "file", "format", "order", "plies")
	delete(f.flags, "opening-plies")
	if plies := fields["plies"]; plies != "" && plies != "-1" { // -1 is all
		f.flags["opening-plies"] = plies
	}
	f.flags["openings"], f.flags["openings-order"] = fields["file"], "repeat"
	if random {
		f.flags["openings-order"] = "shuffle,repeat"
		f.note("--openings-order shuffle draws another order than fastchess does from the same seed, and begins with its first")
	}
}

// players makes an engine file of each engine. Its name has a hash of its content, so that the
// next translation with other options leaves it to the runs that it belongs to.
func (f *fastchessLine) players() {
	if len(f.engines) != 2 {
		f.refuse("%d times -engine (a match has two players; for more there is selfplay tournament)", len(f.engines))
		return
	}
	for i, own := range f.engines {
		fields := maps.Clone(f.each)
		maps.Copy(fields, own)
		side := [...]string{"a", "b"}[i]
		text, name := f.engineFile(fields)
		if slices.ContainsFunc(f.engines[:i], func(other map[string]string) bool { return f.nameOf(other) == name }) {
			f.refuse("two engines named %q (give one another name=)", name)
		}
		sum := sha256.Sum256([]byte(text))
		file := regexp.MustCompile(`[^\w.-]+`).ReplaceAllString(name, "-") + "-" + hex.EncodeToString(sum[:4]) + ".toml"
		file = filepath.Join(cli.RunsFolder, "engines", file)
		f.Files[file], f.flags[side] = text, "engine:"+file
		if limits := f.limits(fields); limits != "" {
			f.flags["limits-"+side] = limits
		}
	}
}

// engineFile returns the engine file for the fields of an engine, and the engine's name.
func (f *fastchessLine) engineFile(fields map[string]string) (text, name string) {
	if fields["cmd"] == "" {
		f.refuse("-engine without cmd=")
	}
	if p := fields["proto"]; p != "" && p != "uci" {
		f.refuse("proto=%s", p)
	}
	name = f.nameOf(fields)
	dir, err := filepath.Abs(fields["dir"])
	if err != nil {
		f.refuse("dir=%s (%v)", fields["dir"], err)
	}
	cmd := fields["cmd"]
	if (fields["dir"] != "" || strings.ContainsAny(cmd, `/\`)) && !filepath.IsAbs(cmd) {
		cmd = filepath.Join(dir, cmd)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "name = %q\ncmd = %q\ndir = %q\nprotocol = \"uci\"\ngames = [\"chess\"]\n", name, cmd, dir)
	if fields["args"] != "" {
		args, err := process.SplitWords(fields["args"])
		if err != nil {
			f.refuse("args=%s (%v)", fields["args"], err)
		}
		for i, arg := range args {
			args[i] = strconv.Quote(arg)
		}
		fmt.Fprintf(&b, "args = [%s]\n", strings.Join(args, ", "))
	}
	fmt.Fprintf(&b, "timemargin = %q\n", cmp.Or(fields["timemargin"], "0")+"ms")
	if f.startup != "" {
		fmt.Fprintf(&b, "startup = %q\n", f.startup+"ms")
	}
	if f.ready > 0 {
		fmt.Fprintf(&b, "ready = \"%dms\"\n", f.ready)
	}
	switch restart := fields["restart"]; restart {
	case "on":
		b.WriteString("restart = true\n")
	case "", "off", "auto": // auto: as the engine asks for, which none of UCI does
	default:
		f.refuse("restart=%s (on, off and auto are known)", restart)
	}
	b.WriteString("[options]\n")
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if option, ok := strings.CutPrefix(key, "option."); ok {
			fmt.Fprintf(&b, "%q = %q\n", option, fields[key])
			delete(fields, key)
		}
	}
	f.known("-engine", fields, "cmd", "name", "dir", "args", "timemargin", "restart", "proto", "tc", "st", "nodes", "plies", "depth")
	return b.String(), name
}

// nameOf returns an engine's name, by default the name of its program.
func (f *fastchessLine) nameOf(fields map[string]string) string {
	all := maps.Clone(f.each)
	maps.Copy(all, fields)
	return cmp.Or(all["name"], filepath.Base(all["cmd"]))
}

// limits returns the limits of an engine.
func (f *fastchessLine) limits(fields map[string]string) string {
	var list []string
	add := func(key, value, unit string) {
		if value != "" {
			list = append(list, key+"="+value+unit)
		}
	}
	if tc := fields["tc"]; tc != "inf" && tc != "infinite" {
		add("tc", tc, "")
	}
	add("time", fields["st"], "s")
	add("nodes", fields["nodes"], "")
	add("depth", cmp.Or(fields["plies"], fields["depth"]), "")
	text := strings.Join(list, ",")
	if text == "" {
		f.note("no limit of a decision is given: players have their own, or the game's (--limits)")
	}
	if _, err := engines.ParseLimits(text); err != nil {
		f.refuse("%s (%v)", text, err)
	}
	return text
}

// takeFastchess adds --from to the command of a match. Its command line of fastchess replaces
// the flags.
func takeFastchess(cmd *cobra.Command, stderr io.Writer) {
	var line string
	cmd.Flags().StringVar(&line, "from", "", "play a command line of fastchess, `\"fastchess -engine ...\"`; an option without a counterpart is an error")
	play := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if line != "" {
			if err := fromFastchess(cmd, line, stderr); err != nil {
				return fmt.Errorf("--from: %w", err)
			}
		}
		return play(cmd, args)
	}
}

// fromFastchess sets the flags that a command line translates to, unless they are given. It
// writes the engine files and prints both.
func fromFastchess(cmd *cobra.Command, line string, stderr io.Writer) error {
	t, err := translateFastchess(line)
	if err != nil {
		return err
	}
	typed := "selfplay match"
	for _, f := range t.Flags {
		name, value := f[0], f[1]
		if flag := cmd.Flags().Lookup(name); flag.Changed {
			value = flag.Value.String()
		} else if err := cmd.Flags().Set(name, value); err != nil {
			return fmt.Errorf("it stands for --%s %s: %w", name, value, cmp.Or(errors.Unwrap(err), err))
		}
		if cmd.Flags().Lookup(name).NoOptDefVal == value {
			typed += " --" + name
		} else {
			typed += " --" + name + " " + runs.Quote(value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Files)) { // a flag that is refused leaves none behind
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := datasets.WriteFile(name, []byte(t.Files[name])); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "engine file: %s\n", name)
	}
	fmt.Fprintln(stderr, strings.Join(append([]string{typed}, t.Notes...), "\n"))
	return nil
}
