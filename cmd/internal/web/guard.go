package web

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// policy allows what this server itself serves, and no script in a page.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
	"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard checks who asks before anything is answered. On loopback everybody on this
// machine may look, by an address of this machine only, so that no foreign name
// that points here opens the page to a foreign site; elsewhere all need the token.
// What changes anything needs the token and comes from a page of this server.
func (s *Server) guard(next http.Handler, loopback bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if loopback && !s.isHere(r.Host) {
			http.Error(w, "this server answers to its own address only", http.StatusForbidden)
			return
		}
		if token := r.URL.Query().Get("token"); token != "" && r.Method == http.MethodGet {
			s.enter(w, r, token)
			return
		}
		switch {
		case !loopback && !s.may(r):
			http.Error(w, "open the address that was printed at start: it ends with a token", http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead && !s.fromHere(r):
			http.Error(w, "that did not come from a page of this server", http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/act/") && !s.may(r):
			http.Error(w, "changing things needs the token: open the address that was printed at start", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isHere reports whether a host is one of this machine's own names, with our port.
func (s *Server) isHere(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return false
	}
	_, own, err := net.SplitHostPort(s.listener.Addr().String())
	return err == nil && port == own && isLoopback(name)
}

// fromHere reports whether a request comes from a page of this server: browsers
// say so with everything that may change something.
func (s *Server) fromHere(r *http.Request) bool {
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && origin.Host == r.Host
}

// cookie is the name under which a browser keeps the token: that of the port, since
// cookies of one machine are shared by all its servers.
func (s *Server) cookie() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String()) // it is an address
	return "selfplay-" + port
}

// enter keeps a right token in the browser and leads to the address without it.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, token string) {
	if !s.right(token) {
		http.Error(w, "that token is not the one that was printed at start", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.cookie(), Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.options.Cert != "",
	})
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/\\")}
	q := r.URL.Query()
	q.Del("token")
	to.RawQuery = q.Encode()
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

func (s *Server) right(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
}

// may reports whether who asks has the token.
func (s *Server) may(r *http.Request) bool {
	c, err := r.Cookie(s.cookie())
	return err == nil && s.right(c.Value)
}
