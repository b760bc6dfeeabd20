package tuning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule/asktell"
	"selfplaylab/reports/text"
)

// AskTell is a tuning that is open to questions and answers. Close it.
type AskTell struct {
	result *Result
	pool   *asktell.Pool
	file   *os.File // of answers, opened by the first that is kept
	whole  int64    // its bytes: lines that were written whole
	stop   context.CancelFunc
	done   chan struct{} // closed once the run has ended
	err    error         // of the run, from then on
}

// OpenAskTell opens a run whose games are played elsewhere, with the questions and answers of
// earlier sessions. Until Close it has play, which adds to result, play the run; after an error
// play was not called.
func OpenAskTell(ctx context.Context, h *runs.Head, result runs.Result, play func(context.Context) error) (*AskTell, error) {
	t, ok := result.(*Result)
	if !ok || t.Config.Elsewhere == nil || h.Dir == "" {
		return nil, fmt.Errorf("%s: is no tuning whose games are played elsewhere; tune ask-tell makes one", h.Dir)
	}
	x := &AskTell{result: t, pool: t.Config.answered, done: make(chan struct{})}
	if err := x.read(); err != nil {
		return nil, err
	}
	x.pool.Open = true
	ctx, x.stop = context.WithCancel(ctx)
	go func() { // Close waits for it
		defer close(x.done)
		x.err = play(ctx)
		x.pool.End()
	}()
	x.pool.Wait()
	return x, nil
}

// line is one of the requests, and of the file of answers.
type line struct {
	Ask   int      `json:"ask,omitempty"`   // maximum number of questions
	Asked []string `json:"asked,omitempty"` // in the file: questions that were handed out
	Tell  string   `json:"tell,omitempty"`  // the answer to this question
	Best  bool     `json:"best,omitempty"`  // the recommendation
	asktell.Answer
}

// read reads the file of answers. A kill may have left a part of a line at its end, which
// was never confirmed.
func (a *AskTell) read() error {
	name := filepath.Join(a.result.Head.Dir, answersName)
	data, err := datasets.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	n := 0
	for text := range bytes.Lines(whole) {
		n++
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		a.pool.Asked(l.Asked...)
		if l.Tell != "" {
			a.pool.Known(l.Tell, l.Answer)
		}
	}
	a.whole = int64(len(whole))
	return nil
}

// keep writes a line to the disk, or nothing: a part of one, of a disk that is full, would
// end up in the midst of the next.
func (a *AskTell) keep(l line) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if a.file == nil {
		if a.file, err = os.OpenFile(filepath.Join(a.result.Head.Dir, answersName), os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
			return err
		}
	}
	if err := a.file.Truncate(a.whole); err != nil { // rest of a line after a kill
		return err
	}
	n, err := a.file.WriteAt(append(data, '\n'), a.whole)
	if err == nil {
		err = a.file.Sync()
	}
	if err != nil {
		return errors.Join(err, a.file.Truncate(a.whole))
	}
	a.whole += int64(n)
	return nil
}

// Do answers a request, a line of JSON: {"ask": 4}, {"tell": "7", "wins": 1, "losses": 1} or
// {"best": true}. More requests may follow an error.
func (a *AskTell) Do(request []byte) (runs.Object, error) {
	var l line
	if err := process.DecodeLine(string(request), &l); err != nil {
		return nil, fmt.Errorf("%w; want {\"ask\": N}, {\"best\": true} or {\"tell\": ID, ...} with %s", err, asktell.Forms)
	}
	switch {
	case l.Tell != "" && l.Ask == 0 && !l.Best:
		return a.tell(l)
	case l.Ask > 0 && l.Tell == "" && !l.Best:
		return a.ask(l.Ask)
	case l.Best && l.Ask == 0 && l.Tell == "":
		return a.best()
	}
	return nil, errors.New("want one of ask (at least 1), tell and best")
}

func (a *AskTell) ask(n int) (runs.Object, error) {
	questions := a.pool.Ask(n)
	if len(questions) > 0 {
		if err := a.keep(line{Asked: text.Each(questions, func(q *asktell.Question) string { return q.ID })}); err != nil {
			return nil, err
		}
	}
	if questions == nil {
		questions = []*asktell.Question{}
	}
	return runs.Object{{Name: "questions", Value: questions}, {Name: "finished", Value: a.Finished()}}, a.failed()
}

func (a *AskTell) tell(l line) (runs.Object, error) {
	late, err := a.pool.Check(l.Tell, l.Answer)
	if err != nil {
		return nil, err
	}
	if !late {
		if err := a.keep(l); err != nil {
			return nil, err
		}
		a.pool.Tell(l.Tell, l.Answer)
		a.pool.Wait()
	}
	return runs.Object{{Name: "id", Value: l.Tell}, {Name: "late", Value: late}, {Name: "finished", Value: a.Finished()}}, a.failed()
}

// best returns the recommendation so far, the evidence of its games, and the values to use: the
// start's if no gain is shown.
func (x *AskTell) best() (runs.Object, error) {
	t := x.result
	shown, err := t.report()
	if err != nil {
		return nil, err
	}
	var phase any
	if p := t.next(); p != nil {
		phase = p.Name()
	}
	return runs.Object{
		{Name: "recommended", Value: t.byName(t.Recommend())}, {Name: "tuned", Value: t.byName(t.tunedValues())},
		{Name: "start", Value: t.byName(t.Config.Start.Values)}, {Name: "intervals", Value: t.intervals(shown)},
		{Name: "verdict", Value: t.Conclusion()}, {Name: "advice", Value: t.remarks()},
		{Name: "games", Value: t.played}, {Name: "phase", Value: phase}, {Name: "finished", Value: x.Finished()},
	}, x.failed()
}

// ended reports whether the run has ended, and by which error.
func (a *AskTell) ended() (bool, error) {
	select {
	case <-a.done:
		return true, a.err
	default:
		return false, nil
	}
}

// Finished reports whether nothing is left to ask, and the run is complete.
func (a *AskTell) Finished() bool {
	ended, err := a.ended()
	return ended && err == nil
}

// failed returns the error that ended the run.
func (a *AskTell) failed() error {
	_, err := a.ended()
	return err
}

// Close releases the run. It continues when it is opened again.
func (a *AskTell) Close() error {
	a.stop()
	<-a.done
	err := a.err
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	if a.file != nil {
		err = errors.Join(err, a.file.Close())
	}
	return err
}

// Request parses a request from words: "ask 4", "tell 7 wins=1 losses=1", "tell 7 B", "best".
func Request(words ...string) ([]byte, error) {
	l := map[string]any{}
	switch {
	case len(words) == 1 && words[0] == "best":
		l["best"] = true
	case len(words) == 2 && words[0] == "ask":
		l["ask"] = json.RawMessage(words[1])
	case len(words) > 2 && words[0] == "tell":
		l["tell"] = words[1]
		for _, word := range words[2:] {
			switch name, value, ok := strings.Cut(word, "="); {
			case !ok:
				l["better"] = word
			case name == "better":
				l[name] = value
			case name == "margins" || name == "pentanomial":
				l[name] = json.RawMessage("[" + value + "]")
			default:
				l[name] = json.RawMessage(value)
			}
		}
	default:
		return nil, fmt.Errorf("%q: want ask N, tell ID ANSWER or best", strings.Join(words, " "))
	}
	data, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("%q: want ask N, or tell ID with %s", strings.Join(words, " "), asktell.Forms)
	}
	return data, nil
}

// OfGames lists the fields of the config that ask-tell does not offer, because they concern played
// games alone.
func OfGames() []string {
	c := New()
	fields := []any{&c.OpeningOrder, &c.FitPairs, &c.VerifyLimits, &c.AgainstPairs, &c.Stall, &c.TimeMargin, &c.FaultLimit}
	for _, f := range c.ofGames() {
		fields = append(fields, f.field)
	}
	return text.Each(fields, func(field any) string { return config.NameOf(c, field) })
}
