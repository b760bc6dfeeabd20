package web

import (
	"cmp"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"

	"selfplaylab/engines"
)

// maxBody is how many bytes a request may have.
const maxBody = 1 << 20

// policy allows files of this server only, and no inline scripts.
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
	"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard decides which requests are answered. On loopback everybody on this machine may
// look, by an address of this machine only, so that no foreign name that points here
// opens the page to a foreign site; elsewhere all requests need the token. Requests
// that change something need the token and must come from a page of this server.
type guard struct {
	token    string
	address  string // host:port of the server
	secure   bool   // it speaks TLS
	loopback bool
}

// check returns a handler that passes allowed requests to next.
func (g *guard) check(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if g.loopback && !g.isHere(r.Host) {
			http.Error(w, "this server answers only to its own address", http.StatusForbidden)
			return
		}
		if token := r.URL.Query().Get("token"); token != "" && r.Method == http.MethodGet {
			g.enter(w, r, token)
			return
		}
		switch {
		case !g.loopback && !g.may(r):
			http.Error(w, "open the address that was printed at start: it ends with a token", http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead && !g.fromHere(r):
			http.Error(w, "the request did not come from a page of this server", http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/act/") && !g.may(r):
			http.Error(w, "changing things needs the token: open the address that the server printed", http.StatusForbidden)
		default:
			answerSafely(next, w, r)
		}
	})
}

// answerSafely has next answer. A referee's fault is an error like others.
func answerSafely(next http.Handler, w http.ResponseWriter, r *http.Request) {
	var err error
	defer func() {
		if err != nil {
			fail(w, coded{http.StatusBadGateway, err})
		}
	}()
	defer engines.CatchReferee(&err)
	next.ServeHTTP(w, r)
}

// isHere reports whether a host is a name of this machine with the server's port.
func (g *guard) isHere(host string) bool {
	at, standard := url.URL{Host: host}, "80" // which browsers leave out
	if g.secure {
		standard = "443"
	}
	_, own, err := net.SplitHostPort(g.address)
	return err == nil && cmp.Or(at.Port(), standard) == own && isLoopback(at.Hostname())
}

// fromHere reports whether a request comes from a page of this server. Browsers send that with
// every request that may change something.
func (g *guard) fromHere(r *http.Request) bool {
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && origin.Host == r.Host
}

// cookie returns the name under which a browser keeps the token. It contains the port, because all
// servers of a machine share cookies.
func (g *guard) cookie() string {
	_, port, _ := net.SplitHostPort(g.address) // New has checked the address
	return "selfplay-" + port
}

// enter keeps a right token in the browser and leads to the address without it.
func (g *guard) enter(w http.ResponseWriter, r *http.Request, token string) {
	if !g.right(token) {
		http.Error(w, "the token is not the one that was printed at start", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: g.cookie(), Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: g.secure,
	})
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/\\")}
	q := r.URL.Query()
	q.Del("token")
	to.RawQuery = q.Encode()
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
}

// right reports whether a token is the server's.
func (g *guard) right(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(g.token)) == 1
}

// may reports whether who asks has the token.
func (g *guard) may(r *http.Request) bool {
	c, err := r.Cookie(g.cookie())
	return err == nil && g.right(c.Value)
}

// isLoopback reports whether a host is this machine alone.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
