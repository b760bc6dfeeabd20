package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"time"

	"selfplaylab/engines/runs/replay"
)

// searches holds the running questions to players. A search holds no connection, because a browser
// opens only six: after a moment the page receives the search's name, and requests the answer by
// it. All searches run at the same time and share the processors.
type searches struct {
	life context.Context // of the server

	group sync.WaitGroup
	mu    sync.Mutex
	list  map[string]*search
}

// search is one question to a player.
type search struct {
	name   string
	done   chan struct{} // closed when answer and err are set
	answer any
	err    error
	cancel context.CancelCauseFunc
	expiry *time.Timer // drops it after a long time without requests of its page
}

// maxSearches bounds the running searches.
const maxSearches = 32

// maxThought is how long a player may take for a move on a page.
const maxThought = 2 * time.Minute

// atOnce is the time that a request waits for its answer. The page repeats the request when it has
// the search's name, and then at intervals. Browsers let hidden pages act once a minute.
const (
	atOnce       = 150 * time.Millisecond
	firstSilence = 20 * time.Second
	maxSilence   = 100 * time.Second
)

// answer starts a search for a request and answers it.
func (s *searches) answer(r *http.Request, work func(context.Context) (any, error)) (any, error) {
	one, err := s.start(work)
	if err != nil {
		return nil, coded{http.StatusServiceUnavailable, err}
	}
	return s.wait(r, one, atOnce), nil
}

func (s *searches) start(work func(context.Context) (any, error)) (*search, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) >= maxSearches {
		return nil, fmt.Errorf("%d searches are running on this server: stop one or try again later", len(s.list))
	}
	ctx, cancel := context.WithCancelCause(s.life)
	one := &search{name: rand.Text(), done: make(chan struct{}), cancel: cancel}
	one.expiry = time.AfterFunc(firstSilence, func() { s.drop(one) })
	s.list[one.name] = one
	s.share(1)
	s.group.Go(func() {
		defer close(one.done)
		defer s.end()
		ctx, end := context.WithTimeoutCause(ctx, maxThought, fmt.Errorf("no move within %v: choose smaller limits", maxThought))
		defer end()
		one.answer, one.err = work(ctx)
	})
	return one, nil
}

// share has Go use n threads more. With one for each search the operating system shares the
// processors among them, and lets a short request go first; Go alone would let it wait for
// 10 ms behind each search, several times.
func (s *searches) share(n int) { runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + n) }

func (s *searches) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.share(-1)
}

// wait answers with the result of the search, or after a moment with its name and the number of
// other searches. A page that leaves ends its search.
func (s *searches) wait(r *http.Request, one *search, patience time.Duration) any {
	select {
	case <-one.done:
	case <-r.Context().Done():
	case <-time.After(patience):
		return map[string]any{"search": one.name, "others": s.running() - 1}
	}
	s.drop(one)
	<-one.done // a canceled search ends soon
	if one.err != nil {
		return map[string]string{"error": one.err.Error()}
	}
	return one.answer
}

// drop ends a search.
func (s *searches) drop(one *search) {
	s.mu.Lock()
	delete(s.list, one.name)
	s.mu.Unlock()
	one.expiry.Stop()
	one.cancel(context.Canceled)
}

func (s *searches) find(name string) *search {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[name]
}

// running counts the searches without an answer.
func (s *searches) running() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.list {
		select {
		case <-one.done:
		default:
			n++
		}
	}
	return n
}

// trees are the opening trees that pages look at. They are made in the background, one at
// a time: a large run takes seconds.
type trees struct {
	mu     sync.Mutex
	list   []*tree // the one used last at the end
	making sync.Mutex
}

// tree is the opening tree of some runs.
type tree struct {
	of     string // runs, phase and least number of games
	stamp  string // of the runs' files at the start
	far    replay.Reading
	cancel context.CancelFunc
	expiry *time.Timer // cancels it after a long time without requests of any page

	done chan struct{} // closed when the fields below are set
	made time.Time
	cost time.Duration
	all  *replay.Openings
	err  error
}

// late reports whether a tree is older than the record, and a new one would not take too much
// time of a run that is played.
func (t *tree) late(stamp string) bool {
	select {
	case <-t.done:
		return t.err != nil || t.stamp != stamp && time.Since(t.made) > max(share*t.cost, minReportAge)
	default:
		return false
	}
}
