package tuning

import (
	"fmt"
	"strings"
	"testing"

	"selfplaylab/params"
)

// TestStarts: of an engine with many parameters only the start values of those that are tuned
// are told, with the hash of all.
func TestStarts(t *testing.T) {
	starts := func(n int) string {
		s := &Config{Program: &Program{}, Active: []string{"p1"}}
		for i := range n {
			s.Program.Params = append(s.Program.Params, params.Param{Name: fmt.Sprintf("p%d", i), Max: 100})
			s.Start.Values = append(s.Start.Values, float64(i))
		}
		return strings.Join(s.starts(), "\n")
	}
	if text := starts(maxStarts); !strings.HasPrefix(text, "start values: p0=0 p1=1 p2=2 ") || strings.Contains(text, "of all") {
		t.Error(text)
	}
	if text := starts(maxStarts + 1); !strings.HasPrefix(text, "start values: p1=1 (of all 41 parameters: SHA-256 ") {
		t.Error(text)
	}
}
