package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/engines/schedule/cluster"
	"selfplaylab/reports/text"
)

// here is where a coordinator listens by default.
const here = "127.0.0.1:4222"

// Access are the flags of how to reach a broker.
type Access struct {
	cluster.Access
}

// Register adds the flags.
func (a *Access) Register(fl *pflag.FlagSet) {
	fl.StringVar(&a.Token, "token", "", "`SECRET` shared by the run and its workers (default: $"+process.TokenVariable+")")
	fl.StringVar(&a.NKey, "nkey", "", "`FILE` with an nkey seed, instead of a token")
	fl.StringVar(&a.CA, "tls-ca", "", "`FILE` of certificates to trust (default: the system's)")
	fl.BoolVar(&a.Insecure, "insecure", false, "allow an unencrypted connection to another machine")
}

// Fill takes the token from the environment if no flag gave one.
func (a *Access) Fill() {
	if a.Token == "" {
		a.Token = os.Getenv(process.TokenVariable)
	}
}

// Cluster are the flags of a run that other processes play.
type Cluster struct {
	on, mixed    bool
	listen, nats string
	Access
}

// Flags of a cluster: clusterAsking start one, clusterOnly have an effect only with one. A resumed
// run may be given all of them, because none changes its result.
var (
	clusterAsking = []string{"cluster", "listen", "nats"}
	clusterOnly   = []string{"mixed", "token", "nkey", "tls-cert", "tls-key", "tls-ca", "insecure"}
)

// Register adds the flags under a heading of their own, after the flags that fl has.
func (c *Cluster) Register(all *pflag.FlagSet) {
	fl := pflag.NewFlagSet("", pflag.ContinueOnError)
	fl.SortFlags = false
	fl.BoolVar(&c.on, "cluster", false,
		"let workers in other processes and on other machines play too (selfplay worker); never changes the result")
	fl.StringVar(&c.listen, "listen", here, "`HOST:PORT` that workers connect to, such as 0.0.0.0:4222 for other machines; implies --cluster")
	fl.StringVar(&c.nats, "nats", "", "`URL` of an existing NATS server to use instead; implies --cluster")
	fl.BoolVar(&c.mixed, "mixed", false, "also accept workers of another source or Go release if they compute the same numbers")
	fl.StringVar(&c.Cert, "tls-cert", "", "`FILE` of the TLS certificate shown to workers (default: a new self-signed one)")
	fl.StringVar(&c.Key, "tls-key", "", "`FILE` of the certificate's key")
	c.Access.Register(fl)
	group(fl, groupCluster)
	all.AddFlagSet(fl)
}

// wanted reports whether the flags start a cluster.
func (c *Cluster) wanted(fl *pflag.FlagSet) bool {
	return c.on || fl.Changed("listen") || fl.Changed("nats")
}

// CheckWorkers checks --workers and, with a cluster, --listen or --nats before the run has a
// folder. With a cluster this process may leave all games to others.
func (c *Cluster) CheckWorkers(cmd *cobra.Command, n int) error {
	fl := cmd.Flags()
	if !c.wanted(fl) {
		return cmp.Or(NoEffect(fl, "without --cluster, --listen or --nats", clusterOnly...), CheckWorkers(n))
	}
	if err := c.checkBroker(fl); err != nil || n == 0 {
		return err
	}
	return CheckWorkers(n)
}

func (c *Cluster) checkBroker(fl *pflag.FlagSet) error {
	if fl.Changed("nats") {
		if err := NoEffect(fl, "with --nats: that server listens, with a certificate of its own", "listen", "tls-cert", "tls-key"); err != nil {
			return err
		}
		c.Fill()
		if err := cluster.Check(c.nats, c.Access.Access); err != nil {
			return fmt.Errorf("--nats: %w", err)
		}
		return nil
	}
	if err := NoEffect(fl, "without --nats: the run's own broker takes a token, and encrypts", "nkey", "tls-ca", "insecure"); err != nil {
		return err
	}
	if c.Cert != "" || c.Key != "" {
		if _, err := c.Pair(); err != nil {
			return fmt.Errorf("--tls-cert, --tls-key: %w", err)
		}
	}
	_, port, err := net.SplitHostPort(c.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w; want HOST:PORT, such as %s", err, here)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("--listen %s: %w; want a port from 0 to 65535", c.listen, err)
	}
	if err := cluster.CheckFree(c.listen); err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	return nil
}

// ThisBuild identifies the program. Workers of equal builds compute equal numbers.
func ThisBuild() cluster.Build {
	b := runs.ThisBuild()
	return cluster.Build{Identity: engines.ProgramIdentity(), Revision: b.Revision, Go: b.Go, Processor: b.Processor}
}

var _ schedule.Pool = (*coordinator)(nil)

// coordinator is a pool of workers on other machines and in this process.
type coordinator struct {
	*cluster.Pool
	broker *cluster.Broker
	stop   context.CancelFunc
	own    sync.WaitGroup
	err    error // of the workers of this process
}

// Open starts a coordinator, with workers in this process, if the flags start a cluster; else it
// returns nil. It prints on stderr how to start workers elsewhere.
func (c *Cluster) Open(ctx context.Context, fl *pflag.FlagSet, workers int, stderr io.Writer) (*coordinator, error) {
	if !c.wanted(fl) {
		return nil, nil
	}
	c.Fill()
	o := cluster.Options{URL: c.nats, Access: c.Access.Access, Build: ThisBuild(), Mixed: c.mixed,
		Say: func(line string) { fmt.Fprintln(stderr, text.Clean(line)) }}
	co := &coordinator{}
	if c.nats == "" {
		if err := c.listenAt(co); err != nil {
			return nil, err
		}
		o.Broker = co.broker
		fmt.Fprintf(stderr, "to start a worker elsewhere:\n  selfplay worker --connect %s\n", runs.Quote(co.broker.URL(address())))
	}
	var err error
	if co.Pool, err = cluster.Open(o); err != nil {
		if co.broker != nil {
			err = errors.Join(err, co.broker.Close())
		}
		flag := "--cluster"
		if c.nats != "" {
			flag = "--nats"
		}
		return nil, Flagged(fmt.Errorf("%s: %w", flag, err))
	}
	ctx, co.stop = context.WithCancel(context.WithoutCancel(ctx))
	if workers > 0 {
		co.own.Go(func() {
			w := &cluster.Worker{Slots: workers, Build: o.Build}
			if err := co.Pool.Work(ctx, w); err != nil && ctx.Err() == nil {
				co.err = err
			}
		})
	}
	return co, nil
}

// listenAt starts the broker, with a token and a certificate where it can be
// reached from elsewhere.
func (c *Cluster) listenAt(co *coordinator) error {
	a := c.Access.Access
	host, _, err := net.SplitHostPort(c.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		if a.Token == "" {
			if a.Token, err = Kept("token", NewToken); err != nil {
				return err
			}
		}
		if a.Cert == "" {
			pem, err := Kept("certificate.pem", func() (string, error) {
				data, err := cluster.OwnCertificate()
				return string(data), err
			})
			if err != nil {
				return err
			}
			a.Own = []byte(pem)
		}
	}
	if co.broker, err = cluster.Listen(c.listen, a); err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	return nil
}

// End prints how much each worker played, and closes the coordinator. A nil coordinator is
// allowed.
func (c *coordinator) End(stderr io.Writer, quiet bool) error {
	if c == nil {
		return nil
	}
	if !quiet {
		c.summary(stderr)
	}
	return c.close()
}

func (c *coordinator) close() error {
	c.stop()
	c.own.Wait()
	err := errors.Join(c.err, c.Pool.Close())
	if c.broker != nil {
		err = errors.Join(err, c.broker.Close())
	}
	return err
}

// Kept reads a secret of this user, or makes and stores one. Waiting workers and open pages then
// recognise the next coordinator or server.
func Kept(name string, make func() (string, error)) (text string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("no place to keep the %s: %w; make it writable, or give one by flags", name, err)
		}
	}()
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "selfplaylab", name)
	data, err := os.ReadFile(path)
	if err == nil && len(data) > 0 {
		return strings.TrimSpace(string(data)), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if text, err = make(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return text, os.WriteFile(path, []byte(text+"\n"), 0o600)
}

// NewToken returns a random secret.
func NewToken() (string, error) { return rand.Text(), nil }

// address returns this machine's address for others: the first address beyond loopback, or the
// machine's name.
func address() string {
	if list, err := net.InterfaceAddrs(); err == nil {
		for _, a := range list {
			if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() && !ip.IP.IsLinkLocalUnicast() {
				return ip.IP.String()
			}
		}
	}
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "localhost"
}

// Pooled puts a coordinator into options, if there is one, and shows who plays.
func (c *coordinator) Pooled(o runs.Options) runs.Options {
	if c == nil {
		return o
	}
	o.Pool = c.Pool
	show := o.Progress
	o.Progress = func(at runs.Progress) {
		at.Workers = c.Members
		show(at)
	}
	return o
}

// summary prints how much each worker played, and how many of its pairs were compared.
func (c *coordinator) summary(out io.Writer) {
	t := text.Table{{"worker", "processor", "cores", "games", "share", "games/s", "compared pairs", "last sign"}}
	var never, refused, odd []string
	for _, m := range c.Members() {
		sign, compared := fmt.Sprintf("%.0f s ago", m.Silent), comparedText(m)
		if m.Gone {
			sign = "gone"
		}
		switch {
		case m.Own:
			compared = "this process"
		case m.Refused != "":
			refused = append(refused, fmt.Sprintf("%s: %s", m.Name, m.Refused))
		case m.Games > 0 && m.Compared == 0:
			never = append(never, m.Name)
		}
		if math.Abs(m.Residual) > oddScore {
			odd = append(odd, fmt.Sprintf("%s by %s", m.Name, text.Signed(m.Residual, 1)))
		}
		t = append(t, []string{m.Name, m.CPU, fmt.Sprintf("%d of %d", m.Slots, m.Cores), text.Count(m.Games),
			fmt.Sprintf("%.0f %%", 100*m.Share), fmt.Sprintf("%.1f", m.Speed), compared, sign})
	}
	if len(t) == 1 {
		return
	}
	t.Print(out, 3, 4, 5, 6)
	pairs, again, differing := c.Compared()
	fmt.Fprint(out, alone(2*pairs, c.Members()))
	line := "all alike"
	switch {
	case differing > 0:
		line = fmt.Sprintf("%s differed, for not all players repeat themselves", text.Plural(differing, "answer"))
	case len(refused) > 0:
		line = "all alike but those of refused workers, which were played again"
	case again == 0:
		line = "nothing to compare"
	}
	fmt.Fprintf(out, "%s of %s played again to compare: %s\n", text.Count(again), text.Plural(pairs, "pair"), line)
	for _, why := range refused {
		fmt.Fprintf(out, "refused: %s\n", why)
	}
	if len(odd) > 0 {
		fmt.Fprintf(out, "A scored otherwise than in the games of the others with the same players, in standard errors: "+
			"%s\n", strings.Join(odd, ", "))
	}
	if len(never) > 0 {
		fmt.Fprintf(out, "never compared: %s\n", strings.Join(never, ", "))
	}
}

// oddScore is the distance of a worker's score from the others' score that is reported, in
// standard errors.
const oddScore = 4

// comparedText writes the number of compared pairs of a worker, all equal, and the largest share of
// its pairs that may be wrong.
func comparedText(m schedule.Member) string {
	line := fmt.Sprintf("%s of %s", text.Count(m.Compared), text.Count(m.Games/2))
	if m.MayBeWrong < 1 {
		line += fmt.Sprintf(": at most %s %% wrong (95 %%)", text.Digits(100*m.MayBeWrong, 2))
	}
	return line
}

// alone returns a line with the number of games that no worker could play.
func alone(games int64, members []schedule.Member) string {
	for _, m := range members {
		games -= m.Games
	}
	if games <= 0 {
		return ""
	}
	return fmt.Sprintf("%s that no worker could play: this process played them itself\n", text.Plural(games, "game"))
}
