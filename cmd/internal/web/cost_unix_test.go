//go:build unix

package web

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/view"
)

// BenchmarkCost plays the same tuning alone and with its page open, in turns, and reports how much
// more processor time the second takes: of the server, of the answers to the page, and of the
// page's side of the connection. It prints the median over pairs of runs with its 95 % interval
// (order statistics, from six pairs on), also as a share of a core while the page is open.
// COST_ITERS is the length of a run in trials of COST_PAIRS pairs; 1,000 trials of the game's
// default take some eight seconds. With COST_REPORT=1 the reader has the report on the screen
// instead of the curves above it.
//
//	COST_ITERS=1000 go test -run xxx -bench Cost -benchtime 10x ./cmd/internal/web
func BenchmarkCost(b *testing.B) {
	iters, err := strconv.Atoi(cmp.Or(os.Getenv("COST_ITERS"), "300"))
	if err != nil {
		b.Fatal(err)
	}
	costOf(b, min(iters, 300), true) // warms caches
	var more, core []float64         // in percent, a pair of runs each
	for n := 0; b.Loop(); n++ {
		var used [2]time.Duration
		open := time.Duration(0)
		for i := range 2 {
			watched := (n+i)%2 == 1 // the second one has a warmer machine
			began := time.Now()
			used[map[bool]int{false: 0, true: 1}[watched]] = costOf(b, iters, watched)
			if watched {
				open = time.Since(began)
			}
		}
		more = append(more, 100*(float64(used[1])/float64(used[0])-1))
		core = append(core, 100*float64(used[1]-used[0])/float64(open))
		b.Logf("alone %v, watched %v: %+.2f %%", used[0].Round(time.Millisecond), used[1].Round(time.Millisecond), more[n])
	}
	middle, low, high := median(more)
	b.ReportMetric(middle, "%more")
	b.ReportMetric(low, "%low")
	b.ReportMetric(high, "%high")
	middle, _, _ = median(core)
	b.ReportMetric(middle, "%ofacore")
}

// median sorts values and returns the middle one, and between which two the true
// median is by 95 %: all of them where there are too few.
func median(values []float64) (middle, low, high float64) {
	slices.Sort(values)
	n := len(values)
	k := max(0, int((float64(n)-1.96*math.Sqrt(float64(n)))/2))
	return (values[(n-1)/2] + values[n/2]) / 2, values[k], values[n-1-k]
}

// costOf returns the processor time of a tuning of that number of trials.
func costOf(b *testing.B, iters int, watched bool) time.Duration {
	k, err := kinds.All().Find("tune")
	if err != nil {
		b.Fatal(err)
	}
	a, err := readConfig(k, url.Values{"game": {"quoridor"}, "pairs": {os.Getenv("COST_PAIRS")}, "iters": {fmt.Sprint(iters)}, "verify_pairs": {"60"}, "seed": {"7"}})
	if err != nil {
		b.Fatal(err)
	}
	plan, err := a.Plan()
	if err != nil {
		b.Fatal(err)
	}
	root := b.TempDir()
	r, err := record.Create(filepath.Join(root, "one"), plan, record.Origin{})
	if err != nil {
		b.Fatal(err)
	}
	before := processorTime(b)
	options := runs.Options{Workers: 1}
	ended := make(chan struct{})
	close(ended)
	if watched {
		s, err := New(Options{Kinds: kinds.All(), Root: root, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		ctx, stop := context.WithCancel(b.Context())
		served := make(chan error, 1)
		go func() { served <- s.Serve(ctx) }()
		defer func() { stop(); <-served }()
		live := &view.Live{Dir: r.Head.Dir, Workers: 1, Stop: func() {}}
		s.watch(live)
		options = live.Options()
		defer live.End(nil)
		ended = make(chan struct{})
		go func() { defer close(ended); s.lookedAt(ctx, "one") }()
		defer func() { stop(); <-ended }()
	}
	if err := r.Play(b.Context(), options); err != nil {
		b.Fatal(err)
	}
	return processorTime(b) - before
}

// processorTime returns the time used by this process, in its own code and in the system.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// lookedAt sends the requests of an open page until ctx ends.
func (s *Server) lookedAt(ctx context.Context, id string) {
	page := &http.Client{}
	get := func(path string) (io.ReadCloser, error) {
		r, err := http.NewRequestWithContext(ctx, "GET", s.base()+path+"?id="+url.QueryEscape(id), nil)
		if err != nil {
			return nil, err
		}
		answer, err := page.Do(r)
		if err != nil {
			return nil, err
		}
		return answer.Body, nil
	}
	fetch := func(path string) {
		if body, err := get(path); err == nil {
			_, _ = io.Copy(io.Discard, body) // the run may be over
			_ = body.Close()
		}
	}
	fetch("/run")
	body, err := get("/data/events")
	if err != nil {
		return
	}
	defer body.Close()
	report, drawn, reads := "", time.Time{}, os.Getenv("COST_REPORT") != ""
	for lines := bufio.NewScanner(body); lines.Scan(); {
		var st status
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); !ok || json.Unmarshal([]byte(data), &st) != nil {
			continue
		}
		if time.Since(drawn) >= 3*time.Second { // as run.js does
			fetch("/data/charts")
			drawn = time.Now()
		}
		if reads && st.Report != report {
			fetch("/data/report")
			report = st.Report
		}
	}
}
