package match

import (
	"errors"
	"time"

	"selfplaylab/datasets"
)

// checkpointEvery bounds how much a kill can lose, in wall time.
const checkpointEvery = 10 * time.Second

// Run is a Campaign kept in a run directory: everything played is recorded, and
// a resumed run takes what is recorded instead of playing it again.
type Run struct {
	Campaign
	Dir  string
	Meta datasets.Meta

	writer  *datasets.Writer
	saved   time.Time
	session Session
}

// Session is datasets.Session, under the name it had here.
type Session = datasets.Session

// Sessions is datasets.Sessions, under the name it had here.
func Sessions(dir string) ([]Session, error) { return datasets.Sessions(dir) }

// CreateRun makes a run directory and a campaign that records into it. The
// caller fills in the Campaign's fields but Record, Replayed and what meta says.
func CreateRun(dir string, meta datasets.Meta, spec any) (*Run, error) {
	w, err := datasets.Create(dir, meta, spec)
	if err != nil {
		return nil, err
	}
	return newRun(dir, meta, w), nil
}

// ResumeRun opens a recorded run to go on with it. The Log is for its Spec.
func ResumeRun(dir string) (*Run, *datasets.Log, error) {
	w, log, err := datasets.Resume(dir)
	if err != nil {
		return nil, nil, err
	}
	r := newRun(dir, log.Meta, w)
	r.Replayed = log.Trials(datasets.Filter{})
	return r, log, nil
}

func newRun(dir string, meta datasets.Meta, w *datasets.Writer) *Run {
	now := time.Now()
	r := &Run{Dir: dir, Meta: meta, writer: w, saved: now, session: Session{Started: now}}
	r.Record = r
	r.Seed, r.Moves = meta.Seed, meta.RecordMoves
	return r
}

// Append implements Recorder.
func (r *Run) Append(t datasets.TrialRow, games []datasets.GameRow, moves []datasets.MoveRow) error {
	if err := r.writer.Append(t, games, moves); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(r.saved) > checkpointEvery {
		r.saved = now
		return r.writer.Checkpoint()
	}
	return nil
}

// Close saves what is left, notes the session and gives up the directory. It
// must be called on every path, after errors too; err is what ended the run.
func (r *Run) Close(typed, cpu string, err error) error {
	if err == nil {
		err = r.Campaign.Close()
	}
	r.session.Seconds = time.Since(r.session.Started).Seconds()
	r.session.Games, r.session.Workers, r.session.CPU, r.session.Typed = r.Games(), r.Workers, cpu, typed
	return errors.Join(err, r.writer.Note(r.session), r.writer.Close())
}
