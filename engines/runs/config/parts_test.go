package config

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pelletier/go-toml/v2"

	"selfplaylab/engines/player"
	"selfplaylab/params"
)

type first struct {
	Steps *int     `toml:"steps" help:"steps of the first"`
	Axes  []string `toml:"axes" help:"axes of the first"`
	Shade string   `toml:"shade" help:"shade"`
}

type second struct {
	Steps *int          `toml:"steps" help:"steps of the second"`
	Shade string        `toml:"shade" help:"shade"`
	Big   uint64        `toml:"big" help:"a large number"`
	Wait  time.Duration `toml:"wait" help:"a time"`
	Much  float64       `toml:"much" help:"a number"`
	Yes   bool          `toml:"yes" help:"true or false"`
	List  Names         `toml:"list" help:"names"`
}

// TestNumbersMayBeOneText reads a list of whole numbers from one text.
func TestNumbersMayBeOneText(t *testing.T) {
	cfg := &struct {
		Stops []int `toml:"stops" flag:"stop" help:"numbers"`
		Gone  int   `toml:"gone,omitempty" help:"left out if zero"`
		Here  int   `toml:"-" flag:"here" help:"not kept"`
		Later int   `toml:"later" help:"not said"`
	}{Later: Unset, Here: 3}
	if err := Table(cfg, map[string]any{"stop": []any{"3, 4", 5}}); err != nil {
		t.Fatal(err)
	}
	want := []Setting{{Name: "stop", Values: []string{"3", "4", "5"}}}
	if diff := cmp.Diff(want, All(cfg, nil), cmpopts.IgnoreUnexported(Setting{})); diff != "" {
		t.Error(diff)
	}
	if err := Table(cfg, map[string]any{"stop": "soon"}); err == nil || err.Error() != `stop: "soon": want a whole number of ordinary size` {
		t.Error(err)
	}
	if err := Table(cfg, map[string]any{"later": Unset}); err == nil {
		t.Error("what stands for no number is taken for one that was given")
	}
	if Clear(cfg); cfg.Stops != nil || cfg.Later != 0 || cfg.Here != 3 {
		t.Errorf("%+v", cfg)
	}
}

// TestPlayersKeepTheirTexts expects a player as the user wrote it, and after reading as in the
// canonical command.
func TestPlayersKeepTheirTexts(t *testing.T) {
	cfg := &struct {
		Start   player.Config   `toml:"start" help:"one"`
		Players []player.Config `toml:"player" flag:"player,named" help:"several"`
		Grid    bool            `toml:"grid" help:"a switch"`
	}{Grid: true}
	if err := Table(cfg, map[string]any{"start": "final@depth=3", "player": []any{"a", "x:b"}}); err != nil {
		t.Fatal(err)
	}
	words := func() string {
		var list []string
		for _, s := range All(cfg, params.Space{{Name: "k", Step: 1}}) {
			list = append(list, s.Words()...)
		}
		return strings.Join(list, " ")
	}
	if got := words(); got != "--start final@depth=3 --player a --player x:b --grid" {
		t.Error(got)
	}
	read := player.Config{Name: "x", Player: "b", Values: params.Vector{2}}
	cfg.Start, cfg.Players, cfg.Grid = read, []player.Config{read}, false
	if got := words(); got != "--start k=2 --player x:k=2 --grid=false" {
		t.Error(got)
	}
}

// TestRenamedFieldReadsFormerName renames a field by its alias: the former name sets the field, and
// a pointer finds it.
func TestRenamedFieldReadsFormerName(t *testing.T) {
	renamed := &struct {
		Length int `toml:"length" flag:"moves" alias:"plies,ply_count" help:"a number"`
		Other  int `toml:"other" help:"another"`
	}{}
	for i, name := range []string{"moves", "plies", "ply-count"} {
		if err := Table(renamed, map[string]any{name: i + 1}); err != nil || renamed.Length != i+1 {
			t.Errorf("%s: %d, %v", name, renamed.Length, err)
		}
	}
	if set, err := SetUnset(&struct {
		Length *int `toml:"length" alias:"plies" help:"a number"`
	}{}, "plies", "4"); !set || err != nil {
		t.Error(set, err)
	}
	settings := All(renamed, nil)
	if !settings[0].Of(&renamed.Length) || settings[1].Of(&renamed.Length) || settings[0].Words()[0] != "--moves" || NameOf(renamed, &renamed.Length) != "moves" {
		t.Errorf("%+v", settings)
	}
}

// TestUnreadableTypePanics expects a field of an unsupported type to fail when flags are made, not
// when one is given.
func TestUnreadableTypePanics(t *testing.T) {
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "field weights has the type map[string]int") {
			t.Error(text)
		}
	}()
	for _, f := range Fields(&struct {
		Weights map[string]int `toml:"weights" help:"a map"`
	}{}) {
		f.Texts()
	}
}

type named struct {
	Settings Parts
	After    string `toml:"after" help:"last"`
}

// TestPartsShareNames expects fields of parts in their place, each name once, and a value in every
// part of its name.
func TestPartsShareNames(t *testing.T) {
	a, b := &first{}, &second{}
	cfg := &named{Settings: Parts{a, b}}
	var names []string
	for _, f := range Fields(cfg) {
		names = append(names, f.Name+": "+f.Help)
	}
	want := []string{
		"steps: steps of the first; steps of the second", "axes: axes of the first", "shade: shade",
		"big: a large number", "wait: a time", "much: a number", "yes: true or false", "list: names", "after: last",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	table := map[string]any{"steps": int64(7), "axes": []any{"x=1,2", "y=3"}, "shade": "red", "after": "this", "list": "p,q"}
	if err := Table(cfg, table); err != nil {
		t.Fatal(err)
	}
	if *a.Steps != 7 || *b.Steps != 7 || a.Shade != "red" || b.Shade != "red" || len(a.Axes) != 2 || len(b.List) != 2 || cfg.After != "this" {
		t.Errorf("%+v %+v %+v", cfg, a, b)
	}
	err := Table(cfg, map[string]any{"steps": "many"})
	if e, ok := errors.AsType[*Error](err); !ok || e.Field != "steps" {
		t.Errorf("%v", err)
	}
}

func TestPartsOfOtherTypes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("two types under one name")
		}
	}()
	Fields(&named{Settings: Parts{&first{}, &struct {
		Steps string `toml:"steps"`
	}{}}})
}

// TestValuesReadBackEqual expects values to be read back unchanged from a TOML file.
func TestValuesReadBackEqual(t *testing.T) {
	steps := 0
	cfg := &second{Steps: &steps, Shade: "off", Big: math.MaxUint64, Wait: 90 * time.Second, Much: 0.1, Yes: true, List: Names{"p", "q"}}
	data, err := toml.Marshal(Values(cfg))
	if err != nil {
		t.Fatal(err)
	}
	var table map[string]any
	if err := toml.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	for _, from := range []map[string]any{table, Values(cfg)} {
		back := &second{}
		if err := Table(back, from); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff(cfg, back); diff != "" {
			t.Errorf("%s\n%s", diff, data)
		}
	}
	// Only zeros with a text are written: a time or text of zero has none.
	want := map[string]any{"big": "0", "much": 0.0, "yes": false}
	if diff := cmp.Diff(want, Values(&second{})); diff != "" {
		t.Error(diff)
	}
}
