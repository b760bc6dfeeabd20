// Package cluster is a run's pool of other processes, here and on other
// machines: a coordinator gives out work over NATS, workers of the same build
// play it, and their answers come back in any order. The broker's streams are in
// memory and hold nothing that cannot be asked again: the run's record is
// the truth. It decides no schedule of games and judges no strength.
package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
)

// The subjects of messages, and the names of what JetStream keeps.
const (
	subjectWork   = "selfplay.work"   // to any worker: work
	subjectHello  = "selfplay.hello"  // a greeting, answered by a welcome; again every beat
	subjectTerms  = "selfplay.terms"  // a termsRequest, answered by a termsMessage
	subjectJoin   = "selfplay.join"   // a joinRequest, answered by a welcome
	subjectTook   = "selfplay.took"   // a notice: a worker begins to play
	subjectBack   = "selfplay.back"   // a notice: a worker gives work back
	subjectLeave  = "selfplay.leave"  // a notice: a worker leaves
	subjectAnswer = "selfplay.answer" // an answer, answered by a welcome
	subjectOver   = "selfplay.over"   // to all workers: an overMessage

	streamName   = "SELFPLAY"
	consumerName = "workers"
)

const (
	// ackWait is how long the broker waits for a sign of a worker that holds work
	// before another gets it.
	ackWait = 5 * time.Second
	// beat is the time between two greetings of a worker.
	beat = 2 * time.Second
	// maxMessage bounds every message, in bytes.
	maxMessage = 16 << 20
)

// greeting is what a worker says of itself.
type greeting struct {
	ID    string `json:"-"`    // of the process, never used again: its public key
	Beat  int64  `json:"beat"` // counts greetings
	Host  string `json:"host"`
	CPU   string `json:"cpu"` // operating system and architecture
	Cores int    `json:"cores"`
	Slots int    `json:"slots"` // pairs it plays at the same time
	Build Build  `json:"build"`
}

// name is how people tell workers apart.
func (g greeting) name() string {
	id := g.ID
	if len(id) > 6 {
		id = id[:6]
	}
	return g.Host + "/" + id
}

// Build is what must be the same for numbers to be.
type Build struct {
	Source    string `json:"source"`    // hash of all source that decides games: engines.SourceHash
	Revision  string `json:"revision"`  // of the source, for people
	Go        string `json:"go"`        // release
	Processor string `json:"processor"` // architecture with its level, such as amd64/v1
}

// String is the build on one line.
func (b Build) String() string {
	return fmt.Sprintf("source %s (revision %s), %s, %s", b.Source, b.Revision, b.Go, b.Processor)
}

// same reports whether two builds have the same source and compiler. Processors may
// differ: the signature and the checks tell whether they compute the same.
func (b Build) same(o Build) bool { return b.Source == o.Source && b.Go == o.Go }

// welcome answers a worker.
type welcome struct {
	Session string `json:"session"` // of the coordinator, never used again
	Refused string `json:"refused"` // why; "" if it is not
	Stale   bool   `json:"stale"`   // nobody wants to know that any more
	Others  bool   `json:"others"`  // can play what this worker cannot
}

// RefusedError says why a coordinator does not want a worker.
type RefusedError struct{ Why string }

// Error gives the coordinator's words.
func (r *RefusedError) Error() string { return "the coordinator refuses this worker: " + r.Why }

// workMessage is a piece of work for one core.
type workMessage struct {
	Session string     `json:"session"`
	Number  uint64     `json:"number"`
	Spec    string     `json:"spec"`    // hash of the Terms it is played under
	Suspect bool       `json:"suspect"` // workers were lost with it: not for the coordinator's process
	Jobs    []play.Job `json:"jobs"`
}

// notice tells of a piece of work.
type notice struct {
	Session string `json:"session"`
	Number  uint64 `json:"number"`
}

// overMessage tells of work that is no longer wanted. It is no notice: a worker can have the
// broker send a workMessage anywhere, which must not be read as one of these.
type overMessage struct {
	Session string `json:"session"`
	Before  uint64 `json:"before"` // all work before this
}

type termsRequest struct {
	Session string `json:"session"`
	Spec    string `json:"spec"`
}

// termsMessage are what work is played under.
type termsMessage struct {
	Refused string     `json:"refused"`
	Setup   play.Setup `json:"setup"`
	Sample  []play.Job `json:"sample"` // what the signature is of
}

type joinRequest struct {
	Session string `json:"session"`
	Spec    string `json:"spec"`
	Line    string `json:"line"`
}

// answerHead stands before the pairs of an answer.
type answerHead struct {
	Session string  `json:"session"`
	Number  uint64  `json:"number"`
	Seconds float64 `json:"seconds"` // that it took one core
	Error   string  `json:"error"`   // why it cannot be played
}

// specOf is the hash of a setup.
func specOf(s play.Setup) (string, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]), nil
}

// Signature pairs, and how many plies of them beyond the opening: some eighty
// decisions with their scores, so that another evaluator shows, and few enough that
// a worker of a slow player is soon done (27 ms for gobang at depth 3).
const (
	signedPairs = 1
	signedPlies = 40
)

// sampleOf are the jobs that a signature is made of: a few pairs of the players of
// a job. A clock gives way to the game's own budget; a program that does not repeat
// itself has no signature, and its opponent plays in its place.
func sampleOf(s play.Setup, j play.Job) []play.Job {
	j.Trial, j.Stream, j.Openings, j.Book = 0, play.Stream("signature"), 0, play.Drawn
	j.From, j.To = 0, signedPairs
	budget := engines.Limits{Depth: 2, Playouts: 100}
	if game, err := games.Find(s.Game); err == nil && game.Limits.Repeatable() {
		budget = game.Limits
	}
	signs := func(e player.Config) bool { return e.Engine == nil || e.Repeatable() }
	for i := range j.Seats {
		switch e := &j.Seats[i]; {
		case !signs(*e) && !signs(j.Seats[1-i]):
			return nil
		case !signs(*e):
			*e = j.Seats[1-i]
		}
	}
	for i := range j.Seats {
		if e := &j.Seats[i]; !e.Repeatable() {
			e.Limits = budget
		}
	}
	_ = s.Give(&j) // an opening that is drawn is in the book
	return []play.Job{j}
}

// line is everything that must be equal, on one line: build, game, spec and the
// signature of all moves, scores and nodes of the sample.
func (t *termsMessage) line(ctx context.Context, b Build, spec string) (string, error) {
	v, err := games.Open(t.Setup.Game, t.Setup.Rules)
	if err != nil {
		return "", err
	}
	s := t.Setup
	s.Notes, s.Times = true, false
	if most := s.OpeningPlies + signedPlies; s.Adjudication.MaxPlies == 0 || s.Adjudication.MaxPlies > most {
		s.Adjudication.MaxPlies = most
	}
	pairs, err := playContext(ctx, s, t.Sample)
	if err != nil {
		return "", fmt.Errorf("signature: %w", err)
	}
	sum := sha256.New()
	for i := range pairs {
		data, clock := encode(nil, &pairs[i])
		sum.Write(data[:clock])
	}
	return fmt.Sprintf("%s, %s %d, spec %s, signature %s", b, v.Game.Name, v.Game.Version, spec, hex.EncodeToString(sum.Sum(nil)[:8])), nil
}

// playContext plays jobs here.
func playContext(ctx context.Context, s play.Setup, jobs []play.Job) (pairs []play.Pair, err error) {
	v, err := games.Open(s.Game, s.Rules)
	if err != nil {
		return nil, err
	}
	w := play.NewWorker(v, s)
	defer func() { err = errors.Join(err, w.Close()) }()
	return playBy(ctx, w, jobs)
}

// playBy has a worker play jobs.
func playBy(ctx context.Context, w *play.Worker, jobs []play.Job) (pairs []play.Pair, err error) {
	for _, j := range jobs {
		list, err := w.Play(ctx, j)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, list...)
	}
	return pairs, nil
}
