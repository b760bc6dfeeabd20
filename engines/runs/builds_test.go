package runs

import (
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines"
)

// TestOtherBuildsAreNamed expects a warning of a run that builds of several revisions played. A
// session without games or without a revision does not count.
func TestOtherBuildsAreNamed(t *testing.T) {
	h := &Head{Meta: datasets.Meta{Revision: "one"}, Sessions: []datasets.Session{
		{Games: 2, Revision: "one"}, {Seconds: 1, Revision: "two"}, {Games: 2},
	}}
	if text := OtherBuilds(h); text != "" {
		t.Errorf("one build: %s", text)
	}
	same := &Head{Meta: datasets.Meta{Revision: "one+changes-12"}}
	text := h.OtherBuild(Build{Revision: "one"}) + same.OtherBuild(Build{Revision: "two+unstamped-12"}) + h.OtherBuild(Build{Revision: "two"})
	if !strings.HasPrefix(text, "Revision one began this run, and this program is of revision two.") {
		t.Errorf("before another build goes on: %q", text)
	}
	h.Sessions = append(h.Sessions, datasets.Session{Games: 2, Seconds: 1, Revision: "one+changes"}, datasets.Session{Revision: "killed"})
	if text := OtherBuilds(&Head{Meta: h.Meta}, h); !strings.Contains(text, "Builds of several revisions played: one, one+changes, killed. If ") {
		t.Errorf("two builds: %q", text)
	}
	// Programs of tests carry no stamp.
	if got := ThisBuild().Revision; !strings.HasSuffix(got, "-"+engines.ProgramIdentity().Short()) {
		t.Errorf("two builds of changed source would be one: revision %s", got)
	}
}
