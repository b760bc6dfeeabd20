package tuning

import (
	"strings"
	"testing"
)

// TestTunesWhatWeighs expects, where no parameters are named, the parameters that the decisions of
// a player with such values and limits depend on.
func TestTunesWhatWeighs(t *testing.T) {
	for _, c := range []struct{ start, limits, named, want string }{
		{"final", "", "", "a_E,a_EB,a_M,a_MB,b_M,b_MB,b_gain,behind1_bonus,behind2_bonus,behind3_bonus,behind4_bonus,gain_bonus"},
		{"final", "depth=2", "", "look_wall,look_tempo,look_near"},
		{"final,look=always", "", "", "look_wall,look_tempo,look_near"},
		{"final", "nodes=500", "look_wall", "look_wall"},
	} {
		table := map[string]any{"params": nil}
		if c.limits != "" {
			table["limits"] = c.limits
		}
		if c.named != "" {
			table["params"] = c.named
		}
		p, err := small(c.start, table).Plan()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Config.(*Config).Active, ","); got != c.want {
			t.Errorf("from %s with %q tunes %s, want %s", c.start, c.limits, got, c.want)
		}
	}
}
