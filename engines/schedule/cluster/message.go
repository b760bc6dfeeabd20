package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// The subjects of messages. A worker signs everything that it sends.
const (
	subjectWork   = "selfplay.work."  // followed by a worker's ID: a workMessage for this worker
	subjectHello  = "selfplay.hello"  // a greeting, answered by a welcome; repeated every beat
	subjectTerms  = "selfplay.terms"  // a termsRequest, answered by a termsMessage
	subjectJoin   = "selfplay.join"   // a joinRequest, answered by a welcome
	subjectLeave  = "selfplay.leave"  // a leaveMessage: the worker's work goes to others
	subjectAnswer = "selfplay.answer" // an answer, answered by a welcome
	subjectOver   = "selfplay.over"   // to all workers: an overMessage
)

const (
	// beat is the time between two greetings of a worker.
	beat = 2 * time.Second
	// maxMessage bounds every message, in bytes.
	maxMessage = 16 << 20
	// maxRest is the longest time for which a worker gets no work after some that it could not
	// play.
	maxRest = time.Minute
)

// greeting describes a worker.
type greeting struct {
	ID    string   `json:"-"`    // of the process, its public key; unique
	Beat  int64    `json:"beat"` // counts greetings
	Held  []uint64 `json:"held"` // numbers of the work that it has
	Host  string   `json:"host"`
	CPU   string   `json:"cpu"` // operating system and architecture
	Cores int      `json:"cores"`
	Slots int      `json:"slots"` // pairs that it plays at the same time
	Build Build    `json:"build"`
}

// name returns a name that tells workers apart for people.
func (g greeting) name() string {
	id := g.ID
	if len(id) > 6 {
		id = id[:6]
	}
	return g.Host + "/" + id
}

// Build describes a program. Equal builds compute equal numbers.
type Build struct {
	engines.Identity
	Revision  string `json:"revision"`  // revision of the source, for people
	Go        string `json:"go"`        // Go release
	Processor string `json:"processor"` // architecture with its level, such as amd64/v1
}

// String returns the build on one line.
func (b Build) String() string {
	return fmt.Sprintf("source %s (revision %s), %s, %s", cmp.Or(b.Program, b.Source), b.Revision, b.Go, b.Processor)
}

// same reports whether two builds have the same source and compiler, as far as they can be
// compared. Processors may differ: the signature and the checks show whether they compute the
// same numbers.
func (b Build) same(o Build) bool {
	return b.Source == o.Source && b.Go == o.Go && (b.Program == o.Program || b.incomparable(o))
}

// incomparable reports whether two builds belong to different programs, such as tune and
// selfplay, without a recorded source: nothing shows whether their source is the same.
func (b Build) incomparable(o Build) bool {
	name, _, _ := strings.Cut(b.Program, " ")
	other, _, _ := strings.Cut(o.Program, " ")
	return name != other && name != "" && other != ""
}

// welcome answers a worker.
type welcome struct {
	Session string `json:"session"` // ID of the coordinator's session; unique
	Refused string `json:"refused"` // the reason for a refusal; "" if the worker is accepted
	Stale   bool   `json:"stale"`   // the answer is of no use any more
}

// workMessage is a piece of work for one core.
type workMessage struct {
	Session string     `json:"session"`
	Number  uint64     `json:"number"`
	Spec    string     `json:"spec"` // hash of the terms under which it is played
	Jobs    []play.Job `json:"jobs"`
}

// leaveMessage says that a worker leaves.
type leaveMessage struct {
	Session string `json:"session"`
}

// overMessage names work that is no longer wanted. No other message has its fields, so that no
// message that a worker causes is read as one.
type overMessage struct {
	Session string `json:"session"`
	Before  uint64 `json:"before"` // all work below this number; allWork if the coordinator leaves
}

// allWork is larger than the number of every piece of work.
const allWork = 1 << 63

type termsRequest struct {
	Session string `json:"session"`
	Spec    string `json:"spec"`
}

// termsMessage contains everything under which work is played.
type termsMessage struct {
	Refused string     `json:"refused"`
	Setup   play.Setup `json:"setup"`
	Sample  []play.Job `json:"sample"` // jobs of the signature
}

type joinRequest struct {
	Session string `json:"session"`
	Spec    string `json:"spec"`
	Line    string `json:"line"`
}

// answerHead comes before the pairs of an answer.
type answerHead struct {
	Session string  `json:"session"`
	Number  uint64  `json:"number"`
	Seconds float64 `json:"seconds"` // playing time of one core
	Error   string  `json:"error"`   // the reason why it cannot be played; "" if it was played
}

// writeAnswer returns an answer as a message.
func writeAnswer(head answerHead, pairs []play.Pair) ([]byte, error) {
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	c := codec{}
	letters(&c, &text)
	for i := range pairs {
		c.b, _ = encode(c.b, &pairs[i])
	}
	return c.b, nil
}

// readAnswer reads an answer that writeAnswer wrote, with the digests of its pairs.
func readAnswer(data []byte) (head answerHead, pairs []play.Pair, digests []uint64, err error) {
	c, text := codec{b: data, reads: true}, ""
	letters(&c, &text)
	if c.bad || json.Unmarshal([]byte(text), &head) != nil {
		return head, nil, nil, errHalf
	}
	for rest := c.b; len(rest) > 0; {
		p, digest, more, err := decode(rest)
		if err != nil {
			return head, nil, nil, err
		}
		pairs, digests, rest = append(pairs, p), append(digests, digest), more
	}
	return head, pairs, digests, nil
}
