package referee

import "testing"

func TestTrustedSourcesAreRemembered(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	if Trusted("python3 /a.py") {
		t.Error("trusted before any request")
	}
	if err := Trust("python3 /a.py"); err != nil || !Trusted("python3 /a.py") || Trusted("python3 /b.py") {
		t.Error(err)
	}
}
