// Package web shows runs in a browser, live and finished, walks through their
// games and plays against any preset. It computes no figure of its own: what it
// shows is what reports, lists and players tell.
package web

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strings"
	"time"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/board"
)

//go:embed static pages
var files embed.FS

// Options say what to serve and to whom.
type Options struct {
	Root    string // the folder of runs
	Listen  string // host:port; "" is loopback and a free port
	Cert    string // files of a TLS certificate and its key; "" for plain HTTP
	Key     string
	Workers int      // games at a time of runs started from the page; 0 is one a processor
	Engines []string // engine files, or folders of them, that people may play against
}

// Server shows the runs of a folder.
type Server struct {
	options  Options
	token    string // for what changes anything, and elsewhere than on loopback for all
	library  *library
	jobs     *jobs
	programs *programs
	tables   chan struct{} // a place for every question to a table at a time
	streams  chan struct{} // and for every open stream of events

	listener net.Listener
	handler  http.Handler
}

// Bounds of what is served at a time.
const (
	maxStreams = 100
	maxTables  = 2
	maxBody    = 1 << 20 // bytes of a request
)

// New checks the options and begins to listen. Close or Serve ends that.
func New(o Options) (*Server, error) {
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if (o.Cert == "") != (o.Key == "") {
		return nil, errors.New("--cert and --key: want both files, of the certificate and of its key, or none")
	}
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: want HOST:PORT, such as 127.0.0.1:8080: %w", o.Listen, err)
	}
	token := make([]byte, 16)
	rand.Read(token) // never fails
	s := &Server{
		options: o, token: hex.EncodeToString(token), library: newLibrary(o.Root),
		tables: make(chan struct{}, maxTables), streams: make(chan struct{}, maxStreams),
	}
	s.jobs = &jobs{root: o.Root, workers: o.Workers}
	if s.programs, err = newPrograms(o.Engines); err != nil {
		return nil, err
	}
	if s.listener, err = net.Listen("tcp", o.Listen); err != nil {
		return nil, fmt.Errorf("--listen %s: %w", o.Listen, err)
	}
	s.handler = s.guard(s.routes(), isLoopback(host))
	return s, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Address is where the home page is, with the token that lets it change things.
func (s *Server) Address() string { return s.base() + "/?token=" + s.token }

// PageOf is the address of a run's page, with the token.
func (s *Server) PageOf(dir string) string {
	id, err := s.library.id(dir)
	if err != nil {
		return s.Address()
	}
	return s.base() + "/run?id=" + template.URLQueryEscaper(id) + "&token=" + s.token
}

func (s *Server) base() string {
	scheme := "http"
	if s.options.Cert != "" {
		scheme = "https"
	}
	return scheme + "://" + s.listener.Addr().String()
}

// Watch has the page of a run show it as this program plays it.
func (s *Server) Watch(l *runs.Live) { s.jobs.add(l) }

// Serve answers until ctx ends, and then ends the runs that were started from the
// page, which can be gone on with.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 1 << 16, BaseContext: func(net.Listener) context.Context { return ctx },
	}
	defer s.programs.close()
	ended := make(chan error, 1)
	go func() {
		if s.options.Cert != "" {
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

// page is what every page has.
type page struct {
	Title string
	Here  string // which page of the menu
	May   bool   // the reader may change things
	ID    string // of a run; "" for none
	// Static pages have no server: the engines are in them. Data says whether there
	// are recorded games.
	Static bool
	Data   any
}

// templates are the pages, each with the layout around it.
var templates = func() map[string]*template.Template {
	all := map[string]*template.Template{}
	for _, name := range []string{"home", "run", "games", "play", "compare", "new", "error"} {
		all[name] = template.Must(template.New("layout.html").ParseFS(files, "pages/layout.html", "pages/"+name+".html"))
	}
	return all
}()

// show writes a page.
func (s *Server) show(w http.ResponseWriter, r *http.Request, name string, p page) {
	p.May = s.may(r)
	var b strings.Builder
	if err := templates[name].Execute(&b, p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(b.String())) // the reader may be gone
}

// style is the sheet of all pages: the reports', the boards' and our own.
func style() []byte {
	own, err := files.ReadFile("static/web.css")
	if err != nil {
		panic(err) // it is embedded
	}
	return []byte(reports.Style() + board.CSS(board.Auto) + string(own))
}
