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

// TestNumbers: a list of whole numbers may be one text.
func TestNumbers(t *testing.T) {
	asked := &struct {
		Stops []int `toml:"stops" flag:"stop" help:"numbers"`
		Gone  int   `toml:"gone,omitempty" help:"left out if zero"`
		Here  int   `toml:"-" flag:"here" help:"not kept"`
		Later int   `toml:"later" help:"not said"`
	}{Later: Unset, Here: 3}
	if err := Table(asked, map[string]any{"stop": []any{"3, 4", 5}}); err != nil {
		t.Fatal(err)
	}
	want := []Said{{Name: "stop", Values: []string{"3", "4", "5"}}}
	if diff := cmp.Diff(want, All(asked, nil), cmpopts.IgnoreUnexported(Said{})); diff != "" {
		t.Error(diff)
	}
	if err := Table(asked, map[string]any{"stop": "soon"}); err == nil || err.Error() != `stop: "soon": want a whole number of ordinary size` {
		t.Error(err)
	}
	if err := Table(asked, map[string]any{"later": Unset}); err == nil {
		t.Error("what stands for no number is taken for one that was given")
	}
	if Clear(asked); asked.Stops != nil || asked.Later != 0 || asked.Here != 3 {
		t.Errorf("%+v", asked)
	}
}

// TestPlayers: a player is as the user wrote it, and once read as the canonical command
// has it.
func TestPlayers(t *testing.T) {
	asked := &struct {
		Start   player.Config   `toml:"start" help:"one"`
		Players []player.Config `toml:"player" flag:"player,named" help:"several"`
		Grid    bool            `toml:"grid" help:"a switch"`
	}{Grid: true}
	if err := Table(asked, map[string]any{"start": "final@depth=3", "player": []any{"a", "x:b"}}); err != nil {
		t.Fatal(err)
	}
	words := func() string {
		var list []string
		for _, s := range All(asked, params.Space{{Name: "k", Step: 1}}) {
			list = append(list, s.Words()...)
		}
		return strings.Join(list, " ")
	}
	if got := words(); got != "--start final@depth=3 --player a --player x:b --grid" {
		t.Error(got)
	}
	read := player.Config{Name: "x", Player: "b", Values: params.Vector{2}}
	asked.Start, asked.Players, asked.Grid = read, []player.Config{read}, false
	if got := words(); got != "--start k=2 --player x:k=2 --grid=false" {
		t.Error(got)
	}
}

// TestRenamed: a field that has another name, and its former one as its alias, is read and said as
// before, and whoever asked for it by its pointer finds it.
func TestRenamed(t *testing.T) {
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
	said := All(renamed, nil)
	if !said[0].Is(&renamed.Length) || said[1].Is(&renamed.Length) || said[0].Words()[0] != "--moves" || NameOf(renamed, &renamed.Length) != "moves" {
		t.Errorf("%+v", said)
	}
}

// TestUnreadableType: a field that no text is read as is found when flags are made, not when one is
// given.
func TestUnreadableType(t *testing.T) {
	defer func() {
		if said := fmt.Sprint(recover()); !strings.Contains(said, "field weights has the type map[string]int") {
			t.Error(said)
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

// TestParts: fields of parts stand in their place, one for each name, and reach
// every part that has it.
func TestParts(t *testing.T) {
	a, b := &first{}, &second{}
	asked := &named{Settings: Parts{a, b}}
	var names []string
	for _, f := range Fields(asked) {
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
	if err := Table(asked, table); err != nil {
		t.Fatal(err)
	}
	if *a.Steps != 7 || *b.Steps != 7 || a.Shade != "red" || b.Shade != "red" || len(a.Axes) != 2 || len(b.List) != 2 || asked.After != "this" {
		t.Errorf("%+v %+v %+v", asked, a, b)
	}
	err := Table(asked, map[string]any{"steps": "many"})
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

// TestValues: what is written to a TOML file is read back as it was.
func TestValues(t *testing.T) {
	steps := 0
	asked := &second{Steps: &steps, Shade: "off", Big: math.MaxUint64, Wait: 90 * time.Second, Much: 0.1, Yes: true, List: Names{"p", "q"}}
	data, err := toml.Marshal(Values(asked))
	if err != nil {
		t.Fatal(err)
	}
	var table map[string]any
	if err := toml.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	for _, from := range []map[string]any{table, Values(asked)} {
		back := &second{}
		if err := Table(back, from); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff(asked, back); diff != "" {
			t.Errorf("%s\n%s", diff, data)
		}
	}
	// Nothing but zeros that have a text: of a time, as of a text, zero says nothing.
	want := map[string]any{"big": "0", "much": 0.0, "yes": false}
	if diff := cmp.Diff(want, Values(&second{})); diff != "" {
		t.Error(diff)
	}
}
