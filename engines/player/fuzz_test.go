package player

import (
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

// FuzzParse reads any text: the text is rejected or gives a player of the game, and the
// player's own text gives the same player.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"final", "final@depth=3", "final,a_E=11", "b=x@nodes=5", "engine:x.toml,A=1", "custom:y", "tc=8+0.08", "@", "a@@b", ","} {
		f.Add(text)
	}
	game, err := games.Find("quoridor")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(game, text, game.Limits)
		if err != nil {
			return
		}
		again, err := Parse(game, e.Player, engines.Limits{Depth: 9})
		if err != nil {
			t.Fatalf("%q is the player %q, which is refused: %v", text, e.Player, err)
		}
		if e.Engine == nil && (len(e.Values) != len(game.Space) || game.Space.Check(e.Values) != nil || len(again.Values) != len(e.Values)) {
			t.Errorf("%q plays with %v", text, e.Values)
		}
	})
}
