package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
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
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
)

// Access holds the secrets and certificates of a broker.
type Access struct {
	// Token is the secret that the run and its workers share; "" for none, which is only
	// allowed on this machine.
	Token string
	// NKey is a file with an nkey seed, instead of a token, for a broker by URL.
	NKey string
	// Cert and Key are files of the certificate of an embedded broker. Without them, a broker
	// that other machines can reach makes a certificate; the line that starts a worker contains
	// its fingerprint.
	Cert, Key string
	// Own is a certificate made by OwnCertificate for an embedded broker without Cert; nil for
	// a new one.
	Own []byte
	// CA is a file of trusted certificates; "" for the system's.
	CA string
	// Alone says that the coordinator of an embedded broker is another process. Every process
	// that may connect may then do everything, as on a NATS server.
	Alone bool
	// Insecure allows a broker on another machine without encryption.
	Insecure bool
}

// Pair returns the certificate of an embedded broker with its key: from the files, else from
// Own.
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

// fingerprint returns the SHA-256 of a certificate, in hexadecimal.
func fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:])
}

// OwnCertificate returns a new certificate with its key, as PEM, for a broker that workers
// identify by its fingerprint.
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

// connect opens a connection to a broker by URL. The URL may contain the token, and the
// fingerprint of the certificate after a #.
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
		if password, ok := u.User.Password(); ok { // of a user of a NATS server
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

// addressError is an error in an address or in a file of Access. Waiting does not help.
type addressError struct{ why string }

// Error returns the reason.
func (a *addressError) Error() string { return a.why }

// errOther is the error of a broker with another fingerprint.
var errOther = errors.New("the broker shows another certificate than the one in the address")

// explain adds a remedy to the error of a connection to a broker.
func explain(err error, address string) error {
	at := strings.LastIndexByte(address, '@')
	host, _, _ := strings.Cut(address[at+1:], "#")
	switch {
	case errors.As(err, new(*addressError)):
		return err
	case errors.Is(err, errOther):
		return fmt.Errorf("%s: %w: copy the address again from the line that the run printed", host, err)
	case strings.Contains(err.Error(), "x509:"): // of several types, some of which are not passed on
		_, why, _ := strings.Cut(err.Error(), "x509: ")
		why, _, _ = strings.Cut(why, ": current time") // otherwise it would be reported again and again
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

// trust returns the trusted certificates; nil for a connection without encryption.
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

// pinned trusts only the certificate with a fingerprint.
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

// loopback reports whether an address belongs to this machine alone.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// unreachable is the line about a broker that cannot be reached.
const unreachable = "%s; trying again until it can be reached"

// absence returns the line about a broker that is gone. It returns otherwise if the reason is
// unknown or the broker is there.
func absence(nc *nats.Conn, address, otherwise string) string {
	if err := nc.LastError(); err != nil && !nc.IsConnected() {
		return fmt.Sprintf(unreachable, explain(err, address))
	}
	return otherwise
}
