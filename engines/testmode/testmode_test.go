package testmode

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a test that remembers its failure instead of failing.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Name() string                      { return "TestName" }
func (r *recorder) Errorf(format string, args ...any) { r.failure = fmt.Sprintf(format, args...) }
func (r *recorder) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func compare(t *testing.T, file, got string) (failure string) {
	t.Helper()
	r := &recorder{TB: t}
	defer func() {
		if text, ok := recover().(string); ok {
			failure = text
		}
	}()
	Golden(r, file, []byte(got))
	return r.failure
}

func TestGolden(t *testing.T) {
	file := filepath.Join(t.TempDir(), "golden", "a.txt")
	t.Setenv(updateVariable, "")
	if got := compare(t, file, "one"); !strings.Contains(got, "SELFPLAYLAB_UPDATE=1 go test -run '^TestName$'") {
		t.Errorf("a missing file: %q", got)
	}
	t.Setenv(updateVariable, "1")
	if got := compare(t, file, "one"); got != "" {
		t.Error(got)
	}
	if data, err := os.ReadFile(file); string(data) != "one" || err != nil {
		t.Errorf("wrote %q, %v", data, err)
	}
	t.Setenv(updateVariable, "")
	if got := compare(t, file, "one"); got != "" {
		t.Error(got)
	}
	if got := compare(t, file, "two"); !strings.Contains(got, "differs") {
		t.Errorf("another text: %q", got)
	}
}

func TestTimes(t *testing.T) {
	t.Setenv(longVariable, "")
	if n := Times(50, 20); n != 50 || Long() {
		t.Error(n, Long())
	}
	t.Setenv(longVariable, "1")
	if n := Times(50, 20); n != 1000 || !Long() {
		t.Error(n, Long())
	}
}
