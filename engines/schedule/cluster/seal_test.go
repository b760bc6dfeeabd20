package cluster

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"testing"

	"github.com/nats-io/nats.go"
)

// TestSignatureCoversSenderSubjectAndData: no process can sign for another, change a message or
// send it to another subject.
func TestSignatureCoversSenderSubjectAndData(t *testing.T) {
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

// TestWorkersMaySendOnlyTheirMessages: a process with the token of an embedded broker can
// greet, take work and answer. It can neither give out work nor speak for the coordinator.
func TestWorkersMaySendOnlyTheirMessages(t *testing.T) {
	_, b, _ := coordinator(t)
	nc, err := connect(b.URL(""), Access{})
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	for what, try := range map[string]func() error{
		"give out work":   func() error { return nc.Publish(subjectWork+"x", []byte("{}")) },
		"end a session":   func() error { return nc.Publish(subjectOver, []byte("{}")) },
		"answer a worker": func() error { return nc.Publish("_INBOX.x", []byte("{}")) },
		"hear greetings":  func() error { _, err := nc.SubscribeSync(subjectHello); return err },
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
}

// TestNoOtherMessageEndsWork: a worker can make the coordinator publish a piece of work or an
// answer on the subject that ends work. This does not end work.
func TestNoOtherMessageEndsWork(t *testing.T) {
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
