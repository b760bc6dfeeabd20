package selfplay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/runs/experiment"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/testmode"
)

// publishedFolder is where the sources of the embedded experiments are.
const publishedFolder = "../../../reports/published"

func readAll(t *testing.T) []*experiment.Publication {
	t.Helper()
	all, err := experiment.AllPublished()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("%d experiments: they are not embedded", len(all))
	}
	return all
}

// TestPublishedFollow: every published verdict follows from the published
// results, the page says what the files say, and commands still take every run.
func TestPublishedFollow(t *testing.T) {
	for _, p := range readAll(t) {
		t.Run(p.Name, func(t *testing.T) {
			if err := p.Experiment.Check(kinds.All().ForExperiments(), ""); err != nil {
				t.Error(err)
			}
			if p.Outcome.Full.Games+int64(len(p.Full.Searches)) == 0 || p.Outcome.Quick.Games+int64(len(p.Quick.Searches)) == 0 {
				t.Error("no full or no quick results")
			}
			page, err := os.ReadFile(filepath.Join(publishedFolder, p.Name, "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			published := experiment.Result{Name: p.Name, Experiment: p.Experiment, Results: p.Full}
			answers, err := published.Answers()
			if err != nil {
				t.Fatal(err)
			}
			if len(answers) == 0 {
				t.Error("answers no claim")
			}
			for _, a := range answers {
				if !strings.Contains(flat(string(page)), flat(a.Measured)) {
					t.Errorf("README.md does not say %q; publish it again", a.Measured)
				}
			}
			reading, err := published.Fill("reading.md", p.Reading)
			if err != nil {
				t.Fatal(err)
			}
			for paragraph := range strings.SplitSeq(strings.TrimSpace(reading), "\n\n") {
				if !strings.Contains(flat(string(page)), flat(paragraph)) {
					t.Errorf("README.md does not say %.80q...; publish it again", paragraph)
				}
			}
		})
	}
}

// flat leaves out what Markdown adds to a text or takes from it.
func flat(text string) string {
	text = strings.NewReplacer("\\", "", "&gt;", ">", "&lt;", "<").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

// TestPublishedDiffer: other results than the published ones are found.
func TestPublishedDiffer(t *testing.T) {
	p, err := experiment.Published("quoridor-presets")
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Compare(p.Quick, true); len(c.Differences) > 0 || c.Same < 40 || c.Within < 40 {
		t.Errorf("a quick run against itself: %+v", c)
	}
	if c := p.Compare(p.Full, false); len(c.Differences) > 0 || c.Same < 40 {
		t.Errorf("a full run against itself: %+v", c)
	}
	off := p.Quick
	off.Rows = append([]experiment.Row(nil), off.Rows...)
	off.Rows[3].Decisions++
	if c := p.Compare(off, true); len(c.Differences) != 1 || c.Differences[0].ID != off.Rows[3].ID() {
		t.Errorf("one decision more: %+v", c)
	}
}

// TestReproduce runs a published experiment again, as a process.
func TestReproduce(t *testing.T) {
	clitest.SkipUnderRace(t)
	testmode.SkipUnlessLong(t) // .ci/steps reproduce does the same for all
	dir := t.TempDir()
	r := clitest.OK(t, dir, "selfplay", "reproduce", "quoridor-presets", "--quick", "--out", "again")
	if !strings.Contains(r.Stdout, ": all agree") {
		t.Errorf("said\n%s", r.Stdout)
	}
	// One that was stopped is gone on with, and compared all the same.
	r = clitest.OK(t, dir, "selfplay", "run", "--resume", "again")
	if !strings.Contains(r.Stdout, ": all agree") {
		t.Errorf("resumed, said\n%s", r.Stdout)
	}
}
