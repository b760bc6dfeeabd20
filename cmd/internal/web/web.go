// Package web shows runs in a browser, live and finished, replays their games, and plays against
// any preset. It computes no statistics: reports, lists and players supply them.
package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/view"
)

// Options are the runs to serve and the address.
type Options struct {
	Kinds  runs.Kinds // of runs that can be started and shown
	Root   string     // the folder of runs, or of one run
	Listen string     // host:port, or an IP address and a free port; "" is loopback
	Cert   string     // files of a TLS certificate and its key; "" for plain HTTP
	Key    string
	// Token returns the secret that lets a browser change things; nil for a new one.
	Token   func() (string, error)
	Workers int      // games at a time of runs started from the page; 0 is one a processor
	Engines []string // engine files, or folders of them, that people may play against
}

// Server shows the runs of a folder.
type Server struct {
	*site
	options  Options
	listener net.Listener
	handler  http.Handler
	one      string // the only run to serve, if Options.Root is no folder of runs
}

// New checks the options and begins to listen. Serve ends that.
func New(o Options) (*Server, error) {
	o.Listen = cmp.Or(o.Listen, "127.0.0.1:0")
	if (o.Cert == "") != (o.Key == "") {
		return nil, errors.New("--cert and --key: want the files of both the certificate and its key, or neither")
	}
	if net.ParseIP(o.Listen) != nil { // an address without a port gets a free one
		o.Listen = net.JoinHostPort(o.Listen, "0")
	}
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: want HOST:PORT, such as 127.0.0.1:8080: %w", o.Listen, err)
	}
	programs, err := newPrograms(o.Engines)
	if err != nil {
		return nil, err
	}
	one, err := runAt(o.Root)
	if err != nil {
		return nil, err
	}
	if one != "" {
		o.Root = filepath.Dir(one)
	}
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %w", o.Listen, err)
	}
	token := rand.Text()
	if o.Token != nil {
		if token, err = o.Token(); err != nil {
			return nil, errors.Join(err, listener.Close())
		}
	}
	s := &Server{options: o, listener: listener, one: one, site: &site{
		kinds:   o.Kinds,
		guard:   &guard{token: token, address: reachable(listener.Addr().String()), secure: o.Cert != "", loopback: isLoopback(host)},
		library: newLibrary(o.Root, o.Kinds), programs: programs,
		jobs:     &jobs{kinds: o.Kinds, root: o.Root, workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0))},
		searches: &searches{life: programs.life, list: map[string]*search{}}, streams: make(chan struct{}, maxStreams),
	}}
	s.handler = s.check(s.routes())
	return s, nil
}

// runAt returns the absolute path of a folder that is itself a run; "" for a folder of runs.
func runAt(folder string) (string, error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	// A folder that cannot be read, or does not exist yet, is one of runs.
	if found, err := datasets.Find(path); err != nil || !slices.Equal(found, []string{path}) {
		return "", nil
	}
	return path, nil
}

// Address is where the home page is, or the page of the only run to serve, with the token that lets
// it change things.
func (s *Server) Address() string {
	if s.one != "" {
		return s.pageOf(s.one)
	}
	return s.base() + "/?token=" + s.token
}

// pageOf returns the address of a run's page, with the token.
func (s *Server) pageOf(dir string) string {
	id, err := s.library.id(dir)
	if err != nil {
		return s.base() + "/?token=" + s.token
	}
	return s.base() + "/run?id=" + template.URLQueryEscaper(id) + "&token=" + s.token
}

// base returns the server's address without a path.
func (s *Server) base() string {
	scheme := "http"
	if s.secure {
		scheme = "https"
	}
	return scheme + "://" + s.address
}

// Warning describes the exposure to readers of the network; "" for none.
func (s *Server) Warning() string {
	if s.loopback || s.secure {
		return ""
	}
	return "plain HTTP: anyone who can read the network can read the token and all games; give --cert and --key, " +
		"or listen on 127.0.0.1 and connect through ssh -L"
}

// reachable replaces an address that stands for all addresses of this machine by one that other
// machines can open.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return address
	}
	all, _ := net.InterfaceAddrs() // without them this machine opens it as localhost
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
			return net.JoinHostPort(n.IP.String(), port)
		}
	}
	return net.JoinHostPort("localhost", port)
}

// watch has the page of a run show it as this program plays it.
func (s *Server) watch(l *view.Live) { s.jobs.add(l) }

// readTimeout bounds the reading of a request with its body. Streams of events may last longer.
const readTimeout = time.Minute

// httpServer returns a server whose requests end with ctx.
func httpServer(ctx context.Context, h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: readTimeout, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 1 << 16, BaseContext: func(net.Listener) context.Context { return ctx },
	}
}

// Serve answers until ctx ends, and then stops the runs that were started from a page;
// they can be resumed.
func (s *Server) Serve(ctx context.Context) error {
	server := httpServer(ctx, s.handler)
	defer s.searches.group.Wait()
	defer s.programs.close() // ends the searches
	ended := make(chan error, 1)
	go func() {
		if s.secure {
			ended <- server.ServeTLS(s.listener, s.options.Cert, s.options.Key)
		} else {
			ended <- server.Serve(s.listener)
		}
	}()
	select {
	case err := <-ended:
		s.jobs.stopAll()
		return err
	case <-ctx.Done():
	}
	s.jobs.stopAll()
	err := server.Close()
	<-ended
	return err
}

// routes are all pages and the requests of their scripts.
func (s *site) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /run", s.run)
	mux.HandleFunc("GET /games", s.games)
	mux.HandleFunc("GET /play", s.plain("play", "Play"))
	mux.HandleFunc("GET /compare", s.plain("compare", "Compare"))
	mux.HandleFunc("GET /openings", s.openings)
	mux.HandleFunc("GET /new", s.form)
	mux.HandleFunc("GET /{page}", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, page{Title: "No such page", Here: "home"}, coded{http.StatusNotFound, fmt.Errorf("there is no page %q here", r.PathValue("page"))})
	})

	mux.HandleFunc("GET /data/runs", script(s.dataRuns))
	mux.HandleFunc("GET /data/charts", s.ofRun(chartsOf))
	mux.HandleFunc("GET /data/live", script(s.dataLive))
	mux.HandleFunc("GET /data/report", s.ofRun(reportOf))
	mux.HandleFunc("GET /data/figure", s.dataFigure)
	mux.HandleFunc("GET /data/rows", s.dataRows)
	mux.HandleFunc("GET /data/games", script(s.dataGames))
	mux.HandleFunc("GET /data/game", script(s.dataGame))
	mux.HandleFunc("POST /data/game", script(s.dataGameAgain))
	mux.HandleFunc("GET /data/compare", script(s.dataCompare))
	mux.HandleFunc("GET /data/openings", script(s.dataOpenings))
	mux.HandleFunc("GET /data/workers", s.ofRun(workersOf))
	mux.HandleFunc("GET /data/players", script(s.dataPlayers))
	mux.HandleFunc("POST /data/table", script(s.dataTable))
	mux.HandleFunc("GET /data/search", script(s.dataSearch))
	mux.HandleFunc("POST /data/stop", s.dataStop)

	mux.HandleFunc("POST /act/stop", s.actOn(func(_ *http.Request, dir string) error { return s.jobs.stop(dir) }))
	mux.HandleFunc("POST /act/resume", s.actOn(func(_ *http.Request, dir string) error { return s.jobs.resume(dir) }))
	mux.HandleFunc("POST /act/label", s.actOn(label))
	mux.HandleFunc("POST /data/command", script(s.actCommand))
	mux.HandleFunc("POST /act/cost", script(s.actCost))
	mux.HandleFunc("POST /act/start", script(s.actStart))
	all := http.NewServeMux() // not with packed files and streams
	all.Handle("/", packing(mux))
	all.Handle("GET /static/", madeAssets())
	all.HandleFunc("GET /data/events", s.events)
	return all
}

// ServeRun returns a cli.ServeRun: it opens pages on this machine for the runs of the
// folder that holds the run.
func ServeRun(kinds runs.Kinds) func(context.Context, *view.Live) (view.Pages, error) {
	return func(ctx context.Context, live *view.Live) (view.Pages, error) {
		s, err := New(Options{Kinds: kinds, Root: filepath.Dir(live.Dir), Workers: live.Workers})
		if err != nil {
			return view.Pages{}, err
		}
		s.watch(live)
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx) }()
		return view.Pages{Address: s.pageOf(live.Dir), Wait: func() error { return <-ended }}, nil
	}
}
