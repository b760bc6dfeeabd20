package cluster

import (
	"crypto/ed25519"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"math"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// errHalf is the error of a truncated or invalid answer.
var errHalf = errors.New("the answer is cut short or is none")

// encode appends a pair in the wire's format, in a tenth of the bytes and of the time of JSON.
// Equal pairs have equal bytes. Measured times come last, from the returned index on, so that
// the rest can be compared.
func encode(b []byte, p *play.Pair) (data []byte, clock int) {
	c := codec{b: b}
	c.pair(p)
	clock = len(c.b)
	c.clock(p)
	return c.b, clock
}

// decode reads a pair that encode wrote. It returns the remaining bytes, and the digest of
// everything except measured times.
func decode(b []byte) (p play.Pair, digest uint64, rest []byte, err error) {
	c := codec{b: b, reads: true}
	c.pair(&p)
	h := fnv.New64a()
	h.Write(b[:len(b)-len(c.b)])
	c.clock(&p)
	if c.bad {
		return p, 0, nil, errHalf
	}
	return p, h.Sum64(), c.b, nil
}

// codec appends values, or reads them from the front. One list of the fields serves both
// directions. bad is set when a value is missing or impossible.
type codec struct {
	b          []byte
	reads, bad bool
}

// fail notes a missing or impossible value.
func (c *codec) fail() { c.bad, c.b = true, nil }

// number codes a whole number.
func number[T ~int | ~int64 | ~uint8](c *codec, x *T) {
	if !c.reads {
		c.b = binary.AppendVarint(c.b, int64(*x))
		return
	}
	v, n := binary.Varint(c.b)
	if n <= 0 {
		c.fail()
		return
	}
	if *x, c.b = T(v), c.b[n:]; int64(*x) != v {
		c.fail()
	}
}

// length codes a number of things, each of which takes at least that many bytes.
func (c *codec) length(n *int, bytes int) {
	if number(c, n); c.reads && (*n < 0 || *n > len(c.b)/bytes) {
		c.fail()
		*n = 0
	}
}

// bits codes eight bytes.
func (c *codec) bits(x *uint64) {
	switch {
	case !c.reads:
		c.b = binary.LittleEndian.AppendUint64(c.b, *x)
	case len(c.b) < 8:
		c.fail()
	default:
		*x, c.b = binary.LittleEndian.Uint64(c.b), c.b[8:]
	}
}

// float codes a number by its bits.
func float[T ~float64](c *codec, x *T) {
	v := math.Float64bits(float64(*x))
	c.bits(&v)
	*x = T(math.Float64frombits(v))
}

// flag codes a bool.
func (c *codec) flag(x *bool) {
	var v uint8
	if *x {
		v = 1
	}
	if number(c, &v); v > 1 { // only when reading
		c.fail()
	}
	*x = v == 1
}

// letters codes a text.
func letters[T ~string | ~[]byte](c *codec, s *T) {
	n := len(*s)
	if c.length(&n, 1); c.reads {
		*s, c.b = T(c.b[:n]), c.b[n:]
		return
	}
	c.b = append(c.b, *s...)
}

// pair codes a pair, without its measured times.
func (c *codec) pair(p *play.Pair) {
	number(c, &p.Number)
	number(c, &p.Compared)
	c.flag(&p.Differs)
	for i := range p.Games {
		c.game(&p.Games[i])
	}
}

// clock codes measured times, and the texts that may contain a duration.
func (c *codec) clock(p *play.Pair) {
	for i := range p.Games {
		g := &p.Games[i]
		for k := range g.Notes {
			number(c, &g.Notes[k].Elapsed)
		}
		letters(c, &g.Detail)
		letters(c, &g.Log)
	}
}

// game codes a game, without its measured times. A game that has not ended is an error when
// reading.
func (c *codec) game(g *play.Game) {
	letters(c, &g.Position)
	number(c, &g.Opening)
	letters(c, &g.Moves)
	number(c, &g.Plies)
	if number(c, &g.Outcome); c.reads && (g.Outcome <= engines.Ongoing || g.Outcome > engines.Draw) {
		c.fail() // a game that has not ended
	}
	letters(c, &g.Reason)
	for i := range 2 {
		number(c, &g.Illegal[i])
		number(c, &g.Nodes[i])
	}
	number(c, &g.Chosen)
	present := g.Margin != nil
	if c.flag(&present); present {
		if c.reads {
			g.Margin = new(float64)
		}
		float(c, g.Margin)
	}
	n := len(g.Notes)
	if c.length(&n, 21); c.reads && n > 0 {
		g.Notes = make([]play.Note, n)
	}
	for i := range g.Notes {
		d := &g.Notes[i]
		number(c, &d.Ply)
		number(c, &d.Side)
		d.Side &= 1
		c.bits(&d.Key)
		float(c, &d.Score)
		number(c, &d.Nodes)
		number(c, &d.Depth)
		number(c, &d.Mate)
	}
}

// A worker signs its messages with a key of its process, and its ID is the public key. No other
// process can therefore answer, leave or be refused in its place.

// sealed returns a message with its subject signed: key, signature, data.
func sealed(key ed25519.PrivateKey, subject string, data []byte) []byte {
	head := append([]byte(nil), key.Public().(ed25519.PublicKey)...)
	return append(append(head, ed25519.Sign(key, signedText(subject, data))...), data...)
}

func signedText(subject string, data []byte) []byte { return append([]byte(subject+"\n"), data...) }

// unsealed returns the data of a sealed message and the ID of its signer.
func unsealed(subject string, message []byte) (data []byte, id string, ok bool) {
	const head = ed25519.PublicKeySize + ed25519.SignatureSize
	if len(message) < head {
		return nil, "", false
	}
	key, data := message[:ed25519.PublicKeySize], message[head:]
	ok = ed25519.Verify(key, signedText(subject, data), message[ed25519.PublicKeySize:head])
	return data, idOf(key), ok
}

func idOf(key ed25519.PublicKey) string { return hex.EncodeToString(key) }
