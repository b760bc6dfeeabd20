package selfplay

import (
	"math"
	"strings"
	"testing"

	"selfplaylab/engines/external"
	"selfplaylab/params"
)

// TestCheckSteps: the step of a logarithmic parameter of an engine is a factor.
func TestCheckSteps(t *testing.T) {
	var out strings.Builder
	printCheck(&out, &external.Report{Space: params.Space{{Name: "c", Min: 1, Max: 9, Default: 3, Step: math.Ln2, Log: true}}})
	if !strings.Contains(out.String(), "c          3      1 to 9   × 2\n") {
		t.Error(out.String())
	}
}
