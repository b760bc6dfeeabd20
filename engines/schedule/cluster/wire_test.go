package cluster

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// fill gives every field a different value, so that a forgotten field shows.
func fill(v reflect.Value, n *int64) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.String:
		v.SetString(string(rune('a' + *n%26)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Uint64:
		v.SetUint(math.MaxUint64 - uint64(*n))
	default:
		v.SetInt(-*n)
	}
}

// TestEncodeKeepsEveryField codes every field of a pair without loss. Measured times do not
// change the digest.
func TestEncodeKeepsEveryField(t *testing.T) {
	var p play.Pair
	n := int64(0)
	fill(reflect.ValueOf(&p).Elem(), &n)
	data, _ := encode([]byte("before"), &p)
	back, digest, rest, err := decode(append(data[len("before"):], "after"...))
	if err != nil || string(rest) != "after" || !reflect.DeepEqual(back, p) {
		t.Errorf("%v, rest %q\nwrote %+v\nread  %+v", err, rest, p, back)
	}
	for _, c := range []struct {
		what   string
		change func(p *play.Pair)
		same   bool
	}{
		{"elapsed", func(p *play.Pair) { p.Games[1].Notes[0].Elapsed++ }, true},
		{"detail", func(p *play.Pair) { p.Games[1].Detail = "after 3.2 s" }, true},
		{"log", func(p *play.Pair) { p.Games[0].Log = "12 <x: bestmove e2e4" }, true},
		{"score", func(p *play.Pair) { p.Games[1].Notes[0].Score++ }, false},
		{"moves", func(p *play.Pair) { p.Games[0].Moves += " x" }, false},
		{"outcome", func(p *play.Pair) { p.Games[0].Outcome = engines.Draw }, false},
		{"nodes", func(p *play.Pair) { p.Games[0].Nodes[1]++ }, false},
	} {
		other, _, _, err := decode(data[len("before"):])
		if err != nil {
			t.Fatal(err)
		}
		c.change(&other)
		changed, _ := encode(nil, &other)
		if _, d, _, err := decode(changed); err != nil || (d == digest) != c.same {
			t.Errorf("%s changed: %v, same digest %v", c.what, err, d == digest)
		}
	}
}

// TestPartOfPairIsRefused reads every part of a pair: each is an error.
func TestPartOfPairIsRefused(t *testing.T) {
	var p play.Pair
	n := int64(0)
	fill(reflect.ValueOf(&p).Elem(), &n)
	data, _ := encode(nil, &p)
	for i := range data {
		if _, _, _, err := decode(data[:i]); err == nil {
			t.Errorf("the first %d of %d bytes are taken for a pair", i, len(data))
		}
	}
}

// FuzzAnswer reads any bytes as an answer or rejects them.
func FuzzAnswer(f *testing.F) {
	var p play.Pair
	n := int64(0)
	fill(reflect.ValueOf(&p).Elem(), &n)
	data, err := writeAnswer(answerHead{Session: "s", Number: 3}, []play.Pair{p, p})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		head, pairs, digests, err := readAnswer(data)
		if err != nil {
			return
		}
		if len(pairs) != len(digests) {
			t.Fatal("pairs without digests")
		}
		if _, err := json.Marshal(head); err != nil {
			t.Fatal(err)
		}
	})
}

// TestBookIsNotSent lets workers play openings of a book that is not sent with the terms,
// because it may be larger than a message.
func TestBookIsNotSent(t *testing.T) {
	q := question{game: "quoridor", pairs: 100, book: 100}
	rows := &memory{}
	amongLiars(t, 0, nil, func(p *Pool) {
		if err := q.play(t, t.Context(), p, rows); err != nil {
			t.Error(err)
		}
		for _, own := range p.specs {
			if own.Setup.Book != nil {
				t.Errorf("%d openings are sent with the terms", len(own.Setup.Book))
			}
		}
	})
	rows.equal(t, q.alone(t))
}
