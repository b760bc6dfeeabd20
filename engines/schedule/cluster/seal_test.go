package cluster

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"testing"

	"selfplaylab/engines/testmode"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// TestSealed: nobody signs for another, changes a message or sends it elsewhere.
func TestSealed(t *testing.T) {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	message := sealed(key, subjectAnswer, []byte("data"))
	if data, id, ok := unsealed(subjectAnswer, message); !ok || string(data) != "data" || id != idOf(public) {
		t.Errorf("%q of %s, %v", data, id, ok)
	}
	if _, _, ok := unsealed(subjectLeave, message); ok {
		t.Error("a message counts under another subject")
	}
	for i := range message {
		other := append([]byte(nil), message...)
		other[i] ^= 1
		if _, id, ok := unsealed(subjectAnswer, other); ok && id == idOf(public) {
			t.Errorf("byte %d may be changed", i)
		}
		if _, _, ok := unsealed(subjectAnswer, message[:i]); ok {
			t.Errorf("%d bytes are enough", i)
		}
	}
}

// TestPermissions: who has the token of a broker of ours can take work and answer, and
// neither delete work nor speak for the coordinator.
func TestPermissions(t *testing.T) {
	p, b, _ := coordinator(t)
	nc, err := connect(b.URL(""), Access{})
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	for what, try := range map[string]func() error{
		"delete the stream": func() error { return nc.Publish("$JS.API.STREAM.DELETE."+streamName, nil) },
		"purge the stream":  func() error { return nc.Publish("$JS.API.STREAM.PURGE."+streamName, nil) },
		"delete consumer":   func() error { return nc.Publish("$JS.API.CONSUMER.DELETE."+streamName+"."+consumerName, nil) },
		"give out work":     func() error { return nc.Publish(subjectWork, []byte("{}")) },
		"end a session":     func() error { return nc.Publish(subjectOver, []byte("{}")) },
		"answer a worker":   func() error { return nc.Publish("_INBOX.x", []byte("{}")) },
		"hear greetings":    func() error { _, err := nc.SubscribeSync(subjectHello); return err },
	} {
		refused := make(chan error, 1)
		nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err })
		if err := try(); err != nil {
			t.Fatal(err)
		}
		if err := nc.Flush(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-refused:
		case <-t.Context().Done():
			t.Errorf("%s: allowed", what)
		}
	}
	if _, err := p.js.Consumer(t.Context(), streamName, consumerName); err != nil {
		t.Error(err)
	}
}

// TestOverIsNoOther: a worker can have the broker send a piece of work, and the coordinator an
// answer, to where the end of work is told. It is not taken for that.
func TestOverIsNoOther(t *testing.T) {
	s := &session{id: "this"}
	for _, m := range []any{
		workMessage{Session: s.id, Number: 7}, workMessage{Session: s.id, Number: 1 << 63}, welcome{Session: s.id}, overMessage{"other", 7},
	} {
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if s.over(&nats.Msg{Data: data}); s.before != 0 {
			t.Errorf("%s: work before %d is no longer wanted", data, s.before)
		}
	}
}

// TestDeleted: over a server that is not ours a run gets back what somebody deletes.
func TestDeleted(t *testing.T) {
	testmode.SkipUnlessLong(t) // waits for what was deleted to be missed
	t.Parallel()               // it waits more than it works
	url := foreign(t, &server.Options{JetStream: true, StoreDir: t.TempDir(), MaxPayload: maxMessage, MaxPending: 4 * maxMessage})
	p, err := Open(t.Context(), Options{URL: url, Build: thisBuild})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.schedule.mostPairs = 20
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	w := &Worker{Slots: 1, Build: thisBuild}
	go func() { ended <- w.Run(ctx, url, Access{}) }()
	defer func() { <-ended }()
	defer cancel()
	deleted := false // the consumer
	rows := &memory{seen: func(n int) {
		var err error
		switch {
		case n == 2:
			err = p.js.DeleteStream(ctx, streamName)
		case n >= 5 && !deleted:
			err = p.js.DeleteConsumer(ctx, streamName, consumerName)
			deleted = err == nil
			if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) {
				err = nil // neither is back yet: again after the next row
			}
		}
		if err != nil {
			t.Error(err)
		}
	}}
	if err := quick.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	if !deleted {
		t.Error("the stream was not back before the last row")
	}
	rows.equal(t, quick.alone(t))
}
