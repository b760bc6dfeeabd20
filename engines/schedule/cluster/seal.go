package cluster

import (
	"crypto/ed25519"
	"encoding/hex"
)

// A worker signs all that it sends with a key of its process, and its id is the public
// one: nobody else can answer, leave or be refused in its place.

// sealed is a message with its subject signed: key, signature, data.
func sealed(key ed25519.PrivateKey, subject string, data []byte) []byte {
	head := append([]byte(nil), key.Public().(ed25519.PublicKey)...)
	return append(append(head, ed25519.Sign(key, signedText(subject, data))...), data...)
}

func signedText(subject string, data []byte) []byte { return append([]byte(subject+"\n"), data...) }

// unsealed returns what sealed was given, and the id of who signed it.
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
