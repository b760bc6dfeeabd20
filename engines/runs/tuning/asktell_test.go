package tuning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule/asktell"
)

// weightRows are two parameters as rows of OpenBench.
const weightRows = "a, float, -4, -10, 10, 1, 0.002\nb, int, 16, 0, 20, 2, 0.002\n"

// askTold returns a tuning whose games are played elsewhere.
func askTold(t *testing.T, table map[string]any) *Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.txt")
	if err := os.WriteFile(path, []byte(weightRows), 0o666); err != nil {
		t.Fatal(err)
	}
	a := NewAskTell()
	all := map[string]any{"space": path, "games": int64(300), "verify_min": int64(60), "verify_pairs": int64(120)}
	for key, value := range table {
		all[key] = value
	}
	if err := config.Table(a, all); err != nil {
		t.Fatal(err)
	}
	return a
}

func openAskTell(t *testing.T, r *record.Run) *AskTell {
	t.Helper()
	x, err := OpenAskTell(t.Context(), r.Head, r.Result, func(ctx context.Context) error { return r.Play(ctx, runs.Options{}) })
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// do makes a request and reads the reply into another value.
func do(t *testing.T, x *AskTell, request string, into any) {
	t.Helper()
	reply, err := x.Do([]byte(request))
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	data, err := json.Marshal(reply)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %s: %v", request, data, err)
	}
}

type handed struct {
	Questions []asktell.Question
	Finished  bool
}

// answerTo returns the result of a question, the same for the same question: a = 3 and b = 6
// win more.
func answerTo(t *testing.T, q asktell.Question) string {
	t.Helper()
	loss := func(raw json.RawMessage) float64 {
		v := map[string]float64{}
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		return (v["a"]-3)*(v["a"]-3)/4 + (v["b"]-6)*(v["b"]-6)/8
	}
	h := fnv.New64a()
	fmt.Fprint(h, q.ID, q.Seed)
	r, difference := rand.New(rand.NewPCG(h.Sum64(), 1)), loss(q.B)-loss(q.A)
	wins := 0
	for range q.Games {
		if r.NormFloat64()*10 < difference {
			wins++
		}
	}
	return fmt.Sprintf(`{"tell": %q, "wins": %d, "losses": %d}`, q.ID, wins, q.Games-wins)
}

// TestAskTellAnyOrder: answers that come shuffled, twice, late or never, through ten kills,
// lead to the rows and the recommendation of an undisturbed loop.
func TestAskTellAnyOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	r := create(t, askTold(t, nil))
	want, x := r.Head.Dir, openAskTell(t, r)
	for a := (handed{}); !a.Finished; {
		do(t, x, `{"ask": 1}`, &a)
		for _, q := range a.Questions {
			do(t, x, answerTo(t, q), &a)
		}
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}

	r = create(t, askTold(t, nil))
	dir, x := r.Head.Dir, openAskTell(t, r)
	chance, kills := rand.New(rand.NewPCG(7, 7)), 0
	var waiting []string // answers on their way
	for n, a := 0, (handed{}); !a.Finished; n++ {
		do(t, x, `{"ask": 5}`, &a)
		for _, q := range a.Questions {
			for range chance.IntN(3) { // lost, once or twice
				waiting = append(waiting, answerTo(t, q))
			}
		}
		chance.Shuffle(len(waiting), func(i, k int) { waiting[i], waiting[k] = waiting[k], waiting[i] })
		for len(waiting) > 2 {
			do(t, x, waiting[0], &a)
			waiting = waiting[1:]
		}
		if n%4 == 3 && kills < 10 && !a.Finished {
			dir, x = killed(t, dir, x)
			kills++
		}
	}
	for _, late := range waiting {
		do(t, x, late, &struct{}{})
	}
	if err := x.Close(); err != nil || kills < 10 {
		t.Fatalf("%d kills, %v", kills, err)
	}
	for _, phase := range []string{phaseTune, phaseVerify} {
		a, gamesA := rowsOf(t, want, phase)
		b, gamesB := rowsOf(t, dir, phase)
		if diff := cmp.Diff(a, b); diff != "" || !cmp.Equal(gamesA, gamesB) || len(a) == 0 {
			t.Errorf("%s: rows differ: %s", phase, diff)
		}
	}
	one, two := read(t, want, Methods), read(t, dir, Methods)
	if !slices.Equal(one.Recommend(), two.Recommend()) || one.Outcome() != shownBetter || one.Conclusion() != two.Conclusion() {
		t.Errorf("%v: %s; disturbed %v: %s", one.Recommend(), one.Conclusion(), two.Recommend(), two.Conclusion())
	}
	if text := page(t, two); !strings.Contains(text, "The games were played elsewhere") || !strings.Contains(text, " Elo") || strings.Contains(text, "call") {
		t.Error(text)
	}
}

// TestAskTellReadOnly expects the recommendation without the right to write, while another process
// has the run open, and with answers that a kill left without rows.
func TestAskTellReadOnly(t *testing.T) {
	r := create(t, askTold(t, nil))
	x := openAskTell(t, r)
	best := func(dir string) (answer map[string]any) {
		t.Helper()
		before := filesOf(t, dir)
		r, err := record.Resume(dir, with(Methods), record.Origin{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		x := openAskTell(t, r)
		do(t, x, `{"best": true}`, &answer)
		if err := errors.Join(x.Close(), view.ReportPlayed(t.Context(), r.Reread)); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(before, filesOf(t, dir)); diff != "" {
			t.Errorf("its folder changed: %s", diff)
		}
		return answer
	}
	for a, n := (handed{}), 0; !a.Finished; n++ {
		do(t, x, `{"ask": 1}`, &a)
		for _, q := range a.Questions {
			do(t, x, answerTo(t, q), &a)
		}
		if n != 20 {
			continue
		}
		var want map[string]any
		do(t, x, `{"best": true}`, &want)
		if got := best(r.Head.Dir); !cmp.Equal(got, want) || want["games"].(float64) < 1 {
			t.Errorf("read only: %v\nin use: %v", got, want)
		}
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if got := best(r.Head.Dir); got["finished"] != true {
		t.Error(got)
	}
}

// filesOf returns the files below a folder, by name.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// killed leaves a run as a kill would, with a part of a line, and opens it again.
func killed(t *testing.T, dir string, x *AskTell) (string, *AskTell) {
	t.Helper()
	left := filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(left, answersName), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(`{"tell":"1`)
	}
	if err = errors.Join(err, f.Close(), x.Close()); err != nil {
		t.Fatal(err)
	}
	return left, openAskTell(t, resume(t, left, Methods))
}

// TestAskTellForms expects every form of an answer to count as documented, and an impossible answer
// to be refused before it is kept.
func TestAskTellForms(t *testing.T) {
	x := openAskTell(t, create(t, askTold(t, map[string]any{"target": "margin", "full_margin": 4.0, "ask_games": int64(2)})))
	defer x.Close()
	var a handed
	do(t, x, `{"ask": 1}`, &a)
	for _, c := range []struct{ tell, want string }{
		{`"wins": 2`, "goes by margins"}, {`"margins": [1]`, "1 games"}, {`"margins": [3, -1]`, ""},
	} {
		if _, err := x.Do(fmt.Appendf(nil, `{"tell": %q, %s}`, a.Questions[0].ID, c.tell)); (err == nil) != (c.want == "") ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.tell, err, c.want)
		}
	}
	if trial := x.result.current().Trials[0]; trial.Margin == nil || trial.Margin.Mean != .625 {
		t.Errorf("%+v", trial.Margin)
	}

	y := openAskTell(t, create(t, askTold(t, nil)))
	defer y.Close()
	for i, c := range []struct{ tell, want string }{
		{"wins=1 losses=1", ""}, {"wins=1", "1 games"}, {"wins=3", "3 games of a kind, and the question asks for 2 in all"},
		{"draws=2", ""}, {"losses=3 wins=-1", "3 games"}, {"pentanomial=0,0,0,1,0", ""}, {"pentanomial=0,0,0,0,9", "4 games"},
		{"pentanomial=0,0,1", "3 numbers and not 5"}, {"pentanomial=0,0,1,0,0,7", "6 numbers"},
		{"points=1.5", ""}, {"points=.3", "cannot"}, {"points=0.3", "0.3 points"},
		{"points=3", "3 points, and the question asks for 2 games"}, {"points=-1", "-1 points"},
		{"A", ""}, {"B", ""}, {"better=equal", ""}, {"C", `better is "C"`}, {"points=1 better=A", "has 2"}, {"margins=2,-3", ""}, {"wins=x", "tell ID with wins"},
	} {
		do(t, y, `{"ask": 1}`, &a)
		request, err := Request(append([]string{"tell", a.Questions[0].ID}, strings.Fields(c.tell)...)...)
		if err == nil {
			_, err = y.Do(request)
		}
		if c.want == "cannot" {
			c.want = "tell ID with wins"
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d, %s: %v, want %q", i, c.tell, err, c.want)
		}
	}
	var got [][5]int
	for _, trial := range y.result.current().Trials {
		got = append(got, trial.Pairs)
	}
	slices.SortFunc(got, func(a, b [5]int) int { return slices.Compare(a[:], b[:]) }) // a question that was refused comes again later
	if want := [][5]int{{4: 1}, {3: 1}, {3: 1}, {2: 1}, {2: 1}, {2: 1}, {2: 1}, {0: 1}}; !cmp.Equal(got, want) {
		t.Errorf("pairs %v, want %v", got, want)
	}
	for request, want := range map[string]string{
		`{"tell": "99", "wins": 2}`: "never asked", `{"tell": "x", "wins": 2}`: "never asked", `{"tell": "0.0", "wins": 2}`: "never asked", `{"ask": 1, "best": true}`: "want one of", `{}`: "want one of",
		`{"ask": -1}`: "want one of", `ask`: "no JSON object",
	} {
		if _, err := y.Do([]byte(request)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", request, err, want)
		}
	}
	best := map[string]any{}
	do(t, y, `{"best": true}`, &best)
	if best["games"] != 16.0 || best["phase"] != phaseTune || best["recommended"] == nil || !cmp.Equal(best["tuned"], best["start"]) {
		t.Errorf("%v", best)
	}
}

// TestAskTellIntervals expects intervals of best values once the games allow a fit.
func TestAskTellIntervals(t *testing.T) {
	x := openAskTell(t, create(t, askTold(t, map[string]any{"verify_min": int64(0), "verify_pairs": int64(0)})))
	defer x.Close()
	for a := (handed{}); !a.Finished; {
		do(t, x, `{"ask": 8}`, &a)
		for _, q := range a.Questions {
			do(t, x, answerTo(t, q), &a)
		}
	}
	var best struct {
		Recommended, Start map[string]float64
		Advice             string
		Intervals          map[string]struct{ Value, Low, High float64 }
		Finished           bool
	}
	do(t, x, `{"best": true}`, &best)
	if in := best.Intervals["a"]; !best.Finished || !(in.Low < in.High) || best.Start["a"] != -4 ||
		!strings.Contains(best.Advice, "not verified") {
		t.Errorf("%+v", best)
	}
}

// TestAskTellRefusals refuses impossible settings before a folder is made. A run without answers
// does not hang.
func TestAskTellRefusals(t *testing.T) {
	for want, table := range map[string]map[string]any{
		"ask_games 3: want an even number": {"ask_games": int64(3)},
		"full_margin 0: want a number":     {"target": "margin"},
	} {
		if _, err := askTold(t, table).Plan(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := create(t, askTold(t, nil)).Play(t.Context(), runs.Options{}); err == nil || !strings.Contains(err.Error(), "tune ask-tell --out ") {
		t.Error(err)
	}
	r := create(t, small("final", nil))
	if _, err := OpenAskTell(t.Context(), r.Head, r.Result, nil); err == nil || !strings.Contains(err.Error(), "tune ask-tell makes one") {
		t.Error(err)
	}
}
