package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// TestOtherMachinesNeedTokenAndEncryption: beyond this machine nothing listens without a token,
// and nothing connects without encryption and a token, unless that is allowed.
func TestOtherMachinesNeedTokenAndEncryption(t *testing.T) {
	if b, err := Listen("0.0.0.0:0", Access{}); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("a broker without a token on all addresses: %v", err)
		if b != nil {
			t.Error(b.Close())
		}
	}
	for _, c := range []struct {
		address string
		access  Access
		want    string
	}{
		{"nats://192.0.2.1:4222", Access{Token: "t"}, "want tls://"},
		{"nats://t@192.0.2.1:4222", Access{}, "want tls://"},
		{"nats://192.0.2.1:4222", Access{Insecure: true}, "want a token or an nkey"},
		{"192.0.2.1:4222", Access{}, "want tls://"},
		{"tls://192.0.2.1:4222", Access{CA: "none.pem"}, "--tls-ca: open none.pem"},
		{"tls://192.0.2.1:4222", Access{NKey: "none"}, "--nkey none: "},
	} {
		nc, err := connect(c.address, c.access)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %+v: %v, want %q", c.address, c.access, err, c.want)
			nc.Close()
		} else if text := explain(err, c.address).Error(); strings.Count(text, "192.0.2.1") > 1 {
			t.Errorf("%s with %+v: %s", c.address, c.access, text)
		}
	}
}

// TestBrokerTakesOnlyItsToken: a broker that other machines can reach accepts only its token,
// over its certificate. Nothing connects to another certificate.
func TestBrokerTakesOnlyItsToken(t *testing.T) {
	b, err := Listen("0.0.0.0:0", Access{Token: "se:cret"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	good := b.URL("127.0.0.1")
	if !strings.HasPrefix(good, "tls://se%3Acret@127.0.0.1:") || !strings.Contains(good, "#") {
		t.Fatalf("the line that starts a worker has %s", good)
	}
	for _, c := range []struct {
		what, address string
		ok            bool
	}{
		{"as printed", good, true},
		{"a user's name and password", strings.Replace(good, "%3A", ":", 1), false},
		{"another token", strings.Replace(good, "cret", "guess", 1), false},
		{"no token", strings.Replace(good, "se%3Acret@", "", 1), false},
		{"another certificate", good[:len(good)-4] + "0000", false},
		{"no encryption", strings.Replace(strings.Split(good, "#")[0], "tls://", "nats://", 1), false},
	} {
		nc, err := connect(c.address, Access{})
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.what, err)
		}
		nc.Close()
	}
}

// TestGivenCertificateIsKnownByFingerprint accepts a certificate from files by its fingerprint,
// whatever its name and signer. Without the fingerprint the error says why it is rejected.
func TestGivenCertificateIsKnownByFingerprint(t *testing.T) {
	data, err := OwnCertificate()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "given.pem")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := Listen("127.0.0.1:0", Access{Cert: file, Key: file})
	if err != nil {
		t.Fatal(err)
	}
	nc, err := connect(b.URL(""), Access{})
	if err != nil {
		t.Errorf("as printed: %v", err)
	}
	nc.Close()
	bare, _, _ := strings.Cut(b.URL(""), "#")
	if _, err := connect(bare, Access{CA: file}); err == nil || !strings.Contains(explain(err, bare).Error(), "(cannot validate certificate for 127.0.0.1") {
		t.Errorf("by its signer alone: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// TestWorkerNamesChangedToken: a worker whose broker returns with another token reports it.
func TestWorkerNamesChangedToken(t *testing.T) {
	if testing.Short() {
		t.Skip("short: waits for a new connection")
	}
	t.Parallel() // mostly waits
	b, err := Listen("127.0.0.1:0", Access{Token: "old"})
	if err != nil {
		t.Fatal(err)
	}
	url, lines := b.URL(""), make(chan string, 100)
	w := &Worker{Build: thisBuild, Say: func(line string) { lines <- line }}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx, url, Access{}) }()
	if line := <-lines; line != "waiting for a coordinator" {
		t.Error(line)
	}
	address := b.server.Addr().String()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if b, err = Listen(address, Access{Token: "new"}); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(<-lines, address+": the token is wrong or missing") {
	}
	cancel()
	<-ended
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// TestMissingBrokerIsReportedOnce: a coordinator whose broker is gone reports it once.
func TestMissingBrokerIsReportedOnce(t *testing.T) {
	b, err := Listen("127.0.0.1:0", Access{Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	lost, lines := make(chan struct{}), 0
	p, err := Open(Options{URL: b.URL(""), Build: thisBuild, Say: func(line string) {
		if lines++; !strings.Contains(line, "the broker is lost") {
			t.Error(line)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.nc.SetDisconnectErrHandler(func(*nats.Conn, error) { close(lost) })
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	<-lost
	for range 2 {
		p.missBroker()
	}
	if err := p.Close(); lines != 1 || err != nil {
		t.Errorf("%d lines, %v", lines, err)
	}
}

// TestMessagesAreBounded: no message is larger than the bound, at either end.
func TestMessagesAreBounded(t *testing.T) {
	p, _, _ := coordinator(t)
	if err := p.nc.Publish(subjectAnswer, make([]byte, maxMessage+1)); !errors.Is(err, nats.ErrMaxPayload) {
		t.Errorf("a message over the bound: %v", err)
	}
	for want, o := range map[string]*server.Options{
		fmt.Sprint("max_payload to ", maxMessage): {MaxPayload: 1 << 20},
	} {
		url := foreign(t, o)
		_, err := Open(Options{URL: url, Build: thisBuild})
		for _, err := range []error{err, Check(url, Access{})} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v; want %q", err, want)
			}
		}
	}
}

// TestForeignSubscribersAreNamed: a stream, or another program, that answers on this program's
// subjects of a NATS server is named, and not taken for another coordinator.
func TestForeignSubscribersAreNamed(t *testing.T) {
	url := foreign(t, &server.Options{JetStream: true, StoreDir: t.TempDir(), MaxPayload: maxMessage, MaxPending: 4 * maxMessage})
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := nc.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	stream := &nats.StreamConfig{Name: "THEIRS", Subjects: []string{"selfplay.>"}, Storage: nats.MemoryStorage}
	if _, err := js.AddStream(stream); err != nil {
		t.Fatal(err)
	}
	refused := func(want string) {
		t.Helper()
		if err := Check(url, Access{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	refused(`stream "THEIRS"`)
	if err := js.DeleteStream("THEIRS"); err != nil {
		t.Fatal(err)
	}
	sub, err := nc.Subscribe("selfplay.>", func(m *nats.Msg) { _ = m.Respond([]byte("hello?")) }) // not a valid answer
	if err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	refused("another program answers")
	if err := sub.Unsubscribe(); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	p, err := Open(Options{URL: url, Build: thisBuild})
	if err != nil {
		t.Fatal(err)
	}
	refused("another coordinator")
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// foreign starts a NATS server of another project, and returns its URL.
func foreign(t *testing.T, o *server.Options) string {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.WaitForShutdown)
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
}

// TestForeignServerServes plays a run over a NATS server of another project, reached by URL
// with an nkey.
func TestForeignServerServes(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts workers")
	}
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, err := user.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "seed")
	if err := os.WriteFile(file, seed, 0o600); err != nil {
		t.Fatal(err)
	}
	url := foreign(t, &server.Options{
		MaxPayload: maxMessage, MaxPending: 4 * maxMessage, Nkeys: []*server.NkeyUser{{Nkey: public}},
	})
	if _, err := Open(Options{URL: url, Build: thisBuild}); err == nil {
		t.Error("the server lets in whoever has no key")
	}
	p, err := Open(Options{URL: url, Access: Access{NKey: file}, Build: thisBuild})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	ctx, cancel := context.WithCancel(t.Context())
	w := &Worker{Slots: 1, Build: thisBuild}
	ended := make(chan error)
	go func() { ended <- w.Run(ctx, url, Access{NKey: file}) }()
	defer func() { <-ended }()
	defer cancel()
	rows := &memory{}
	if err := quick.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	rows.equal(t, quick.alone(t))
}

// TestTakenAddressIsReported: an address on which another program listens is reported.
func TestTakenAddressIsReported(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := Listen(l.Addr().String(), Access{}); err == nil || !strings.Contains(err.Error(), "another run may be listening there") {
		t.Errorf("%v", err)
	}
}

// TestWorkerSaysWhyItCannotJoin: a worker that cannot join gives the reason, and ends if Once
// is set.
func TestWorkerSaysWhyItCannotJoin(t *testing.T) {
	b, err := Listen("0.0.0.0:0", Access{Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := Listen("127.0.0.1:0", Access{})
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := net.Listen("tcp", "127.0.0.1:0") // in front of no broker
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for c, err := proxy.Accept(); err == nil; c, err = proxy.Accept() {
			_ = c.Close()
		}
	}()
	good, bare := b.URL("127.0.0.1"), plain.URL("")
	var waits sync.WaitGroup
	for _, c := range []struct{ what, address, want string }{
		{"another certificate", good[:len(good)-4] + "0000", "copy the address again"},
		{"no fingerprint", strings.Split(good, "#")[0], "#FINGERPRINT"},
		{"another token", strings.Replace(good, "secret", "guess", 1), "the token is wrong or missing"},
		{"no token", strings.Replace(good, "secret@", "", 1), "the token is wrong or missing"},
		{"a token with a colon", strings.Replace(good, "secret", "se:cret", 1), "write a colon in a token as %3A"},
		{"plain text to TLS", strings.Replace(strings.Split(good, "#")[0], "tls://", "nats://", 1), "tls:// and #FINGERPRINT"},
		{"TLS to plain text", strings.Replace(bare, "nats://", "tls://", 1), "does not encrypt"},
		{"nobody", "nats://127.0.0.1:1", "nobody listens there"},
		{"proxy", "nats://" + proxy.Addr().String(), "does not answer as the broker of a run"},
		{"no run", bare, "no run is there"},
	} {
		waits.Go(func() { saysWhyItCannotJoin(t, c.what, c.address, c.want, nats.Timeout(time.Hour)) })
	}
	waits.Wait()
	if err := errors.Join(b.Close(), plain.Close(), proxy.Close()); err != nil {
		t.Error(err)
	}
}

// saysWhyItCannotJoin starts two workers that cannot join a broker. The worker with Once set ends,
// the other one waits.
func saysWhyItCannotJoin(t *testing.T, what, address, want string, option nats.Option) {
	t.Helper()
	h := hooks{options: []nats.Option{option}}
	w := &Worker{Build: thisBuild, Once: true, hooks: h, Say: func(line string) { t.Errorf("%s: it says %q", what, line) }}
	if err := w.Run(t.Context(), address, Access{}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "cret") || strings.Contains(err.Error(), "%3A") != strings.Contains(want, "%3A") {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
	lines := make(chan string, 1)
	ctx, cancel := context.WithCancel(t.Context())
	w = &Worker{Build: thisBuild, hooks: h, Say: func(line string) { lines <- line; cancel() }}
	err := w.Run(ctx, address, Access{})
	if line := <-lines; err == nil || what != "no run" && !strings.Contains(line, want) {
		t.Errorf("%s: it says %q and ends with %v, want %q", what, line, err, want)
	}
}

// pipeDialer connects to a program that only reads.
type pipeDialer struct{}

func (pipeDialer) Dial(string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	go io.Copy(io.Discard, theirs)
	return ours, nil
}

// TestSilentBrokerIsReported connects to a program that sends nothing. The worker waits by the
// clock of the test.
func TestSilentBrokerIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		saysWhyItCannotJoin(t, "silent", "nats://127.0.0.1:4222", "does not answer as the broker of a run", nats.SetCustomDialer(pipeDialer{}))
	})
}
