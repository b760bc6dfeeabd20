package rating

import (
	"bufio"
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestNoProductIsFused compiles packages for arm64 and reads their instructions. A product
// fused with a sum would round differently there: intervals would stop matches at other pairs,
// and tuned and fitted values would differ. Lines inlined from other modules are excluded.
func TestNoProductIsFused(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for another processor")
	}
	build := exec.Command("go", "build", "-gcflags=-S", ".", "../../engines/chess", "../../engines/fit", "../../params/spsa")
	build.Env = append(build.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	listing, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", build, err, listing)
	}
	fused := regexp.MustCompile(`\(([^()]*(?:reports/rating|engines/chess|engines/fit|params/spsa)/[^()]*)\).*\bF(N?M(ADD|SUB))[SD]\b`)
	instructions := 0
	for lines := bufio.NewScanner(bytes.NewReader(listing)); lines.Scan(); {
		line := lines.Text()
		if strings.Contains(line, "FMULD") {
			instructions++
		}
		if m := fused.FindStringSubmatch(line); m != nil {
			t.Errorf("fused multiply-add at %s", m[1])
		}
	}
	if instructions < 100 {
		t.Errorf("only %d products in the listing: it is not the one of this package", instructions)
	}
}
