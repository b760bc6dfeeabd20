package web

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/chromedp/chromedp"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/testmode"
)

// ages returns the times from which a server measures ages, without fields of some names.
func ages(s *Server, but ...string) []*time.Time {
	but = append(but, "begun", "Created") // pages show these
	return agesOf(reflect.ValueOf(s), but, map[unsafe.Pointer]bool{})
}

func agesOf(v reflect.Value, but []string, seen map[unsafe.Pointer]bool) (list []*time.Time) {
	switch v.Kind() {
	case reflect.Pointer:
		p := v.UnsafePointer()
		if name := v.Type().Elem().PkgPath(); p == nil || seen[p] || !strings.HasSuffix(name, "/web") && !strings.HasSuffix(name, "/view") {
			return nil
		}
		seen[p] = true
		return agesOf(v.Elem(), but, seen)
	case reflect.Slice:
		for i := range v.Len() {
			list = append(list, agesOf(v.Index(i), but, seen)...)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			list = append(list, agesOf(v.MapIndex(key), but, seen)...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f, name := v.Field(i), v.Type().Field(i).Name
			if f.Type() != reflect.TypeFor[time.Time]() {
				list = append(list, agesOf(f, but, seen)...)
			} else if f.CanAddr() && !slices.Contains(but, name) {
				list = append(list, (*time.Time)(f.Addr().UnsafePointer()))
			}
		}
	}
	return slices.DeleteFunc(list, func(at *time.Time) bool { return at.IsZero() })
}

// TestWallClockChangesNoPage sets the wall clock forward or back by a day while a run is played.
// Lists, reports, opening trees and events are kept until they are old by the monotonic clock, and
// are then made again.
func TestWallClockChangesNoPage(t *testing.T) {
	testmode.Raced(t, "plays a run")
	for _, day := range []int64{86400, -86400} {
		root := t.TempDir()
		c := match.New()
		c.Game.Game, c.A, c.B, c.Pairs = "quoridor", player.Ask("final"), player.Ask("v12.7"), 1280
		plan, err := c.Plan()
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.Create(filepath.Join(root, "run"), plan, record.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		playMatch(t, root, "other", 5)
		s := serving(t, root)
		l := &view.Live{Dir: r.Head.Dir, Workers: 1, Stop: func() {}}
		s.jobs.add(l)
		ctx, stop := context.WithCancelCause(t.Context())
		options, games, paused, next, ended := l.Options(), int64(600), make(chan bool), make(chan bool), make(chan error)
		options.Progress = func(p runs.Progress) {
			if l.Options().Progress(p); p.Games > games {
				games += 600
				paused <- true
				<-next
			}
		}
		go func() { ended <- r.Play(ctx, options) }()
		look := func() (texts []string, st status) {
			for _, path := range []string{"/data/runs", "/data/report?id=run", "/data/openings?run=other"} {
				texts = append(texts, s.get(path).Body.String())
			}
			for reading := true; reading; runtime.Gosched() { // in the background, with the histories of rows shown
				s.library.mu.Lock()
				reading = s.library.reading
				s.library.mu.Unlock()
			}
			list, _, err := s.listEvent()
			_, data, err2 := s.runEvent("run")
			if err := errors.Join(err, err2); err != nil {
				t.Fatal(err)
			}
			<-s.trees.list[0].done
			return append(texts, list), data.(status)
		}
		set := func(by time.Duration) (list []*time.Time, was []time.Time) {
			for _, at := range ages(s) {
				if *at = at.Add(by); at.Round(0) != *at {
					*at = testmode.StepWall(*at, day)
				} else { // without a monotonic reading
					*at = at.Add(time.Duration(day) * time.Second)
				}
				list, was = append(list, at), append(was, *at)
			}
			return list, was
		}
		<-paused
		look()
		texts, st := look() // with the opening tree
		if st.Trials == 0 || !strings.Contains(texts[1], "svg") || !strings.Contains(texts[2], `"games":10`) {
			t.Fatalf("before the step: %d trials, %.300q", st.Trials, texts)
		}
		next <- true
		<-paused
		list, was := set(time.Hour) // in an hour, so that all is new however slow the machine
		if got, _ := look(); !slices.Equal(got, texts) {
			t.Errorf("after %d s the pages are\n%q\nand before\n%q", day, got, texts)
		}
		for i, at := range list {
			if *at != was[i] {
				t.Errorf("after %d s time %d of %d was taken again", day, i, len(list))
			}
		}
		list, was = set(-1000 * time.Hour)
		s.trees.list[0].stamp = "" // of a run that grew
		look()
		for i, at := range ages(s, "since") {
			if k := slices.Index(list, at); k >= 0 && *at == was[k] {
				t.Errorf("after %d s time %d is still old", day, i)
			}
		}
		stop(errStopped)
		next <- true
		if err := <-ended; !errors.Is(err, errStopped) {
			t.Error(err)
		}
		l.End(nil)
	}
}

// TestWallClockLosesNoGame sets the browser's wall clock forward and back by an hour in a game with
// a clock: no clock of the game loses or wins time.
func TestWallClockLosesNoGame(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#game=connectfour&go=1&second=&pergame=20&perinc=0")))
	b.until(`g && g.board.playing`)
	for ply, step := range []string{"+ 3600e3", "- 3600e3"} {
		b.do(chromedp.Evaluate[chromedp.Void](`Date.now = (was => () => was() ` + step + `)(Date.now)`))
		b.until(`g.around.root.querySelector(".plate[data-turn=true] b").textContent.match(/^(1\d|20):\d\d$/)`)
		b.byTyping("4")
		b.until(fmt.Sprintf(`g.ended || g.board.root.dataset.ply === "%d"`, ply+1))
		if left := eval[[]float64](b, `g.left`); eval[bool](b, `!!g.ended`) || min(left[0], left[1]) < 600 || max(left[0], left[1]) > 1200 {
			t.Fatalf("after a step of %s ms the clocks have %v s", step, left)
		}
	}
}
