package cluster

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Access says how to reach a broker and who may.
type Access struct {
	// Token is the secret of all who take part; "" for none, which is allowed on
	// this machine alone.
	Token string
	// NKey is a file with an nkey seed, instead of a token, for a broker by URL.
	NKey string
	// Cert and Key are files of the certificate that an embedded broker shows. Where
	// it can be reached from elsewhere and they are not given, it makes one of its
	// own. The fingerprint is in the line that starts a worker.
	Cert, Key string
	// Own is the certificate it shows instead, as OwnCertificate makes it; nil for a
	// new one.
	Own []byte
	// CA is a file of certificates to trust; "" for the system's.
	CA string
	// Alone says that the coordinator of an embedded broker is another process, so that
	// whoever may connect may do everything, as with a NATS server.
	Alone bool
	// Insecure allows a broker elsewhere without encryption.
	Insecure bool
}

// Broker is an embedded server.
type Broker struct {
	server *server.Server
	store  string
	lock   *flock.Flock // of the store
	access Access
	print  string // fingerprint of its certificate; "" if it shows none
	secure bool
	inner  string // token of the coordinator in this process, who may do everything
}

// Check implements server.Authentication: workers may ask for work, take it and answer,
// and nothing else. So none can speak for the coordinator or take work away for good.
func (b *Broker) Check(c server.ClientAuthentication) bool {
	token := []byte(c.GetOpts().Token)
	if subtle.ConstantTimeCompare(token, []byte(b.inner)) == 1 {
		return true
	}
	if b.access.Token != "" && subtle.ConstantTimeCompare(token, []byte(b.access.Token)) != 1 {
		return false
	}
	if b.access.Alone {
		return true
	}
	c.RegisterUser(&server.User{Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			subjectHello, subjectTerms, subjectJoin, subjectTook, subjectBack, subjectLeave, subjectAnswer,
			"$JS.API.CONSUMER.INFO." + streamName + "." + consumerName, "$JS.API.CONSUMER.MSG.NEXT." + streamName + "." + consumerName,
			"$JS.ACK." + streamName + "." + consumerName + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>", subjectOver}},
	}})
	return true
}

// loopback reports whether an address is of this machine alone.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// CheckFree returns the error of Listen on an address that others listen on, or that is not of this machine.
func CheckFree(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%w; another run may be listening there, or it is no address of this machine", err)
	}
	return l.Close()
}

// Check returns the error of Open on a broker that cannot be reached or does not serve.
func Check(ctx context.Context, url string, a Access) error {
	nc, err := connect(url, a)
	if err != nil {
		return explain(err, url)
	}
	defer nc.Close()
	_, err = serves(ctx, nc)
	return err
}

// Listen starts a broker on an address, HOST:PORT; port 0 is any that is free.
func Listen(address string, a Access) (*Broker, error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%w; want HOST:PORT, such as 127.0.0.1:4222 or 0.0.0.0:4222", err)
	}
	port, err := strconv.Atoi(portText)
	if err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("port %q: want a number up to 65535", portText)
	}
	port = cmp.Or(port, server.RANDOM_PORT)
	host = cmp.Or(host, "0.0.0.0")
	if !loopback(host) && a.Token == "" {
		return nil, fmt.Errorf("%s can be reached from other machines, so a token is needed", address)
	}
	b := &Broker{access: a, inner: rand.Text()}
	o := &server.Options{
		ServerName: "selfplay", Host: host, Port: port, CustomClientAuthentication: b, MaxPayload: maxMessage, MaxPending: 8 * maxMessage,
		JetStream: true, JetStreamMaxMemory: 4 << 30, JetStreamMaxStore: 1, NoSigs: true, NoLog: true, MaxControlLine: 4096,
	}
	if o.TLSConfig, err = b.certificate(host); err != nil {
		return nil, err
	}
	if b.secure = o.TLSConfig != nil; b.secure {
		o.TLS, o.TLSTimeout = true, 10
	}
	if err := b.makeStore(); err != nil {
		return nil, err
	}
	o.StoreDir = b.store
	if err := b.start(o, address); err != nil {
		return nil, errors.Join(err, b.removeStore())
	}
	return b, nil
}

// storePrefix begins the names of brokers' folders among temporary files. A broker
// keeps nothing in its folder, but needs one.
const storePrefix = "selfplay-broker-"

// makeStore makes the broker's folder, which is locked while it lives, and removes
// those of brokers that were killed.
func (b *Broker) makeStore() (err error) {
	old, err := filepath.Glob(filepath.Join(os.TempDir(), storePrefix+"*"))
	if err != nil {
		return err
	}
	for _, dir := range old {
		removeAbandoned(dir)
	}
	if b.store, err = os.MkdirTemp("", storePrefix); err != nil {
		return fmt.Errorf("no temporary folder: %w; set TMPDIR (on Windows TMP) to a folder that can be written to", err)
	}
	b.lock = flock.New(filepath.Join(b.store, "lock"))
	_, err = b.lock.TryLock()
	return err
}

// removeAbandoned removes the folder of a broker that was killed. One that cannot be
// removed, such as another user's, stays.
func removeAbandoned(dir string) {
	const young = time.Minute // it may be about to be locked
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || time.Since(info.ModTime()) < young {
		return
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if got, err := lock.TryLock(); err == nil && got && lock.Close() == nil {
		_ = os.RemoveAll(dir)
	}
}

func (b *Broker) removeStore() error { return errors.Join(b.lock.Close(), os.RemoveAll(b.store)) }

func (b *Broker) start(o *server.Options, address string) error {
	if err := CheckFree(address); err != nil { // or the server would end the process
		return err
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return fmt.Errorf("nothing listens on %s after 10 s", address)
	}
	b.server = s
	return nil
}

// Close ends the server.
func (b *Broker) Close() error {
	b.server.Shutdown()
	b.server.WaitForShutdown()
	return b.removeStore()
}

// URL is what a worker connects to: by the name of host where the broker listens
// on all addresses.
func (b *Broker) URL(host string) string {
	at := b.server.Addr().(*net.TCPAddr)
	if !at.IP.IsUnspecified() {
		host = at.IP.String()
	}
	u := url.URL{Scheme: "nats", Host: net.JoinHostPort(host, strconv.Itoa(at.Port)), Fragment: b.print}
	if b.secure {
		u.Scheme = "tls"
	}
	if b.access.Token != "" {
		u.User = url.User(b.access.Token)
	}
	return u.String()
}

// certificate is what the broker shows; nil where it listens on loopback alone and was given none.
func (b *Broker) certificate(host string) (*tls.Config, error) {
	a := b.access
	if loopback(host) && a.Cert == "" && a.Key == "" {
		return nil, nil
	}
	pair, err := a.Pair()
	if err != nil {
		return nil, err
	}
	b.print = fingerprint(pair.Certificate[0])
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, nil
}

// Pair is the certificate that an embedded broker shows, with its key: that of the files, else its own.
func (a Access) Pair() (tls.Certificate, error) {
	switch {
	case (a.Cert == "") != (a.Key == ""):
		return tls.Certificate{}, errors.New("a certificate needs its key, and a key its certificate")
	case a.Cert != "":
		return tls.LoadX509KeyPair(a.Cert, a.Key)
	}
	data, err := a.Own, error(nil)
	if data == nil {
		data, err = OwnCertificate()
	}
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(data, data)
}

// fingerprint is the SHA-256 of a certificate.
func fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:])
}

// OwnCertificate makes a certificate with its key, as PEM, for a broker that is
// known by its fingerprint alone.
func OwnCertificate() (data []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "selfplay coordinator"},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().AddDate(20, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	data = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return append(data, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...), nil
}

// connect opens a connection to a broker by URL. The token may be in it, and the
// fingerprint of the certificate behind a #.
func connect(address string, a Access, more ...nats.Option) (*nats.Conn, error) {
	whole := address
	if !strings.Contains(address, "://") {
		whole = "nats://" + address
	}
	u, err := url.Parse(whole)
	if err != nil || u.Host == "" {
		return nil, &addressError{fmt.Sprintf("%q: want an address such as nats://HOST:4222", address)}
	}
	auth := nats.Token(a.Token)
	if u.User != nil && a.Token == "" {
		a.Token = u.User.Username()
		auth = nats.Token(a.Token)
		if password, is := u.User.Password(); is { // of a user of a NATS server
			auth = nats.UserInfo(a.Token, password)
		}
	}
	print := u.Fragment
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	options := []nats.Option{
		nats.Name("selfplay"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.ReconnectBufSize(-1),
		nats.Timeout(5 * time.Second), nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
	}
	if a.Token != "" {
		options = append(options, auth)
	}
	if a.NKey != "" {
		option, err := nats.NkeyOptionFromSeed(a.NKey)
		if err != nil {
			return nil, &addressError{fmt.Sprintf("--nkey %s: %v", a.NKey, err)}
		}
		options = append(options, option)
	}
	secure, err := a.trust(u, print)
	if err != nil {
		return nil, err
	}
	if secure != nil {
		options = append(options, nats.Secure(secure))
	}
	return nats.Connect(u.String(), append(options, more...)...)
}

// addressError is an address, or a file that goes with it, that no waiting makes right.
type addressError struct{ why string }

// Error says why.
func (a *addressError) Error() string { return a.why }

// errOther says that the broker is another one than its fingerprint says.
var errOther = errors.New("the broker shows another certificate than the one in the address")

// explain says why a broker could not be connected to, and what to do.
func explain(err error, address string) error {
	at := strings.LastIndexByte(address, '@')
	host, _, _ := strings.Cut(address[at+1:], "#")
	switch {
	case errors.As(err, new(*addressError)):
		return err
	case errors.Is(err, errOther):
		return fmt.Errorf("%s: %w: copy the address again from the line that the run printed", host, err)
	case strings.Contains(err.Error(), "x509:"): // of several types, not all of which are passed on
		_, why, _ := strings.Cut(err.Error(), "x509: ")
		why, _, _ = strings.Cut(why, ": current time") // which would be told again and again
		return fmt.Errorf("%s: its certificate is not trusted here (%s): take the address that the run printed, with tls:// and #FINGERPRINT; "+
			"for a server of your own, renew it, connect to a name in it, or give --tls-ca", host, why)
	case errors.Is(err, nats.ErrAuthorization):
		colon := ""
		if user := strings.Replace(address[:max(at, 0)], "://", "", 1); strings.Contains(user, ":") {
			colon = "; write a colon in a token as %3A, since USER:PASSWORD@ is a user of a NATS server"
		}
		return fmt.Errorf("%s: the token is wrong or missing: take the address that the run printed, or set the token%s", host, colon)
	case errors.Is(err, nats.ErrSecureConnRequired):
		return fmt.Errorf("%s wants encryption: take the address that the run printed, with tls:// and #FINGERPRINT", host)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("%s does not encrypt: connect with nats:// instead of tls://", host)
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, io.EOF), errors.Is(err, nats.ErrNoInfoReceived), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("%s: what listens there does not answer as the broker of a run: check the address", host)
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout), errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%s: nobody listens there, or a firewall is between (%w)", host, err)
	}
	return fmt.Errorf("%s: %w", host, err)
}

// trust says which certificates count; nil for a connection without encryption.
func (a Access) trust(u *url.URL, print string) (*tls.Config, error) {
	far := !loopback(u.Hostname())
	switch {
	case print != "":
		return pinned(print), nil
	case a.CA != "":
		pool := x509.NewCertPool()
		data, err := os.ReadFile(a.CA)
		if err != nil {
			return nil, &addressError{fmt.Sprintf("--tls-ca: %v", err)}
		}
		if !pool.AppendCertsFromPEM(data) {
			return nil, &addressError{fmt.Sprintf("--tls-ca %s: no certificate in it", a.CA)}
		}
		return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, nil
	case u.Scheme == "tls":
		return &tls.Config{MinVersion: tls.VersionTLS12}, nil
	case far && !a.Insecure:
		return nil, &addressError{fmt.Sprintf("%s is another machine, and games and token would cross the network in the clear: want tls://, "+
			"or --insecure to do it all the same", u.Host)}
	case far && a.Token == "" && a.NKey == "":
		return nil, &addressError{u.Host + " is another machine: want a token or an nkey"}
	}
	return nil, nil
}

// pinned trusts the one certificate of a fingerprint.
func pinned(print string) *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		InsecureSkipVerify: true, // the fingerprint is checked instead of names
		VerifyConnection: func(c tls.ConnectionState) error {
			if len(c.PeerCertificates) == 0 || !strings.EqualFold(fingerprint(c.PeerCertificates[0].Raw), print) {
				return errOther
			}
			return nil
		},
	}
}
