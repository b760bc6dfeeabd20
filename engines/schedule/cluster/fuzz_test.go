package cluster

import (
	"crypto/ed25519"
	"encoding/json"
	"testing"

	"github.com/nats-io/nats.go"
)

// FuzzMessages sends signed messages of any content: none breaks the coordinator or admits its
// sender. No message on the subject of work breaks a worker.
func FuzzMessages(f *testing.F) {
	p, _, _ := coordinator(f)
	p.options.Say = nil
	kinds := []struct {
		subject string
		handle  func(*nats.Msg, string)
	}{{subjectHello, p.hello}, {subjectTerms, p.terms}, {subjectJoin, p.join}, {subjectAnswer, p.read}, {subjectLeave, p.leave}}
	for i, v := range []any{greeting{Beat: 1, Host: "h", Slots: 2, Build: thisBuild}, termsRequest{Session: p.id}, joinRequest{Session: p.id, Line: "l"},
		leaveMessage{p.id}, answerHead{Session: p.id}} {
		data, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), data)
		f.Add(uint8(i+3), data[:len(data)/2])
	}
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	f.Fuzz(func(t *testing.T, index uint8, data []byte) {
		kind := kinds[int(index)%len(kinds)]
		p.signed(kind.handle)(&nats.Msg{Subject: kind.subject, Data: sealed(key, kind.subject, data)})
		if len(p.joined) > 0 || len(p.refused) > 1 {
			t.Errorf("joined %v, refused %v", p.joined, p.refused)
		}
		s := &session{w: &Worker{}, held: map[uint64]*piece{}}
		if h := s.accept(t.Context(), data); h != nil && h.Session != "" {
			t.Errorf("work of session %q is accepted", h.Session)
		}
	})
}
