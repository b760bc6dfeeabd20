package cluster

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Broker is an embedded NATS server. Several goroutines may call its methods.
type Broker struct {
	server *server.Server
	access Access
	print  string // fingerprint of its certificate; "" without one
	secure bool
	inner  string // token of the coordinator in this process, which may do everything
}

// Check implements server.Authentication. Workers may greet, join, answer and leave, and
// receive work. No worker can therefore give out work or end it in the coordinator's place.
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
			subjectHello, subjectTerms, subjectJoin, subjectLeave, subjectAnswer,
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>", subjectOver, subjectWork + "*"}},
	}})
	return true
}

// CheckFree returns the error that Listen would return for an address that is in use, or
// belongs to another machine.
func CheckFree(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%w; another run may be listening there, or it is no address of this machine", err)
	}
	return l.Close()
}

// Check returns the error that Open would return for a broker that cannot be reached or does
// not suit.
func Check(url string, a Access) error {
	nc, err := connect(url, a)
	if err != nil {
		return explain(err, url)
	}
	defer nc.Close()
	return serves(nc)
}

// serves returns why no coordinator can work with a broker, nil if one can.
func serves(nc *nats.Conn) error {
	if reply, err := nc.Request(subjectHello, nil, 5*time.Second); err == nil {
		var by struct {
			welcome
			Stream string `json:"stream"` // of a confirmation by JetStream
		}
		switch err := json.Unmarshal(reply.Data, &by); {
		case err == nil && by.Session != "":
			return errors.New("another coordinator is at work on this broker: end its run first, or listen elsewhere")
		case err == nil && by.Stream != "":
			return fmt.Errorf("stream %q of this server takes messages on %s, which runs and their workers use: take selfplay.> out of its "+
				"subjects, or use another server", by.Stream, subjectHello)
		}
		return fmt.Errorf("another program answers messages on %s of this server, which runs and their workers use: end it, or use another "+
			"server", subjectHello)
	}
	if nc.MaxPayload() < maxMessage {
		return fmt.Errorf("the broker takes messages of %d bytes at most: set its max_payload to %d", nc.MaxPayload(), maxMessage)
	}
	return nil
}

// Listen starts a broker on an address, HOST:PORT; port 0 is any free one. The caller must
// close it. An address beyond this machine requires a token.
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
		NoSigs: true, NoLog: true, MaxControlLine: 4096, AuthTimeout: 11, // for busy machines: the server's is 2 s
	}
	if o.TLSConfig, err = b.certificate(host); err != nil {
		return nil, err
	}
	if b.secure = o.TLSConfig != nil; b.secure {
		o.TLS, o.TLSTimeout = true, 10
	}
	if err := b.start(o, address); err != nil {
		return nil, err
	}
	return b, nil
}

// start starts the server, and waits until it accepts connections.
func (b *Broker) start(o *server.Options, address string) error {
	if err := CheckFree(address); err != nil { // otherwise the server would end the process
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

// Close ends the server. Pools and workers lose their connection.
func (b *Broker) Close() error {
	b.server.Shutdown()
	b.server.WaitForShutdown()
	return nil
}

// URL returns the address for workers, with the fingerprint of the certificate. It contains
// host as the name if the broker listens on all addresses.
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

// certificate returns the certificate of the broker; nil if it listens only on loopback and was
// given none.
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
