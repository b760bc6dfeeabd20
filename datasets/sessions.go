package datasets

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const sessionsName = "sessions.jsonl"

// Session is one process's share of a run: one line of sessions.jsonl. Times and machines are
// outside the parquet parts, because parts must not depend on them.
type Session struct {
	Started     time.Time `json:"started"`                // start of the process's work
	Seconds     float64   `json:"seconds"`                // wall time; 0 in the line written at the start
	Games       int64     `json:"games"`                  // played in the session, by all machines
	Workers     int       `json:"workers"`                // games in parallel, on the machine of the process
	CPU         string    `json:"cpu"`                    // operating system and architecture, such as "linux/amd64"
	CommandLine string    `json:"command_line,omitempty"` // the command line as typed
	Revision    string    `json:"revision,omitempty"`     // of the process's source; "" if unknown

	Host  string `json:"host,omitempty"`  // name of the machine; "" if unknown
	Cores int    `json:"cores,omitempty"` // processor cores of the machine; 0 if unknown
	// Trials is the number of the run's trials on disk at the time of the note; 0 if unknown or
	// dropped.
	Trials int64 `json:"trials,omitempty"`
	// Machines lists the other machines that played for the process; nil if it played alone.
	Machines []Machine `json:"machines,omitempty"`
	// CPUTime is the measured processor time of decisions on the machine of the process, by
	// phase.
	CPUTime []PhaseCPU `json:"cpu_time,omitempty"`
	// Summary is the state of the run at the end of the session; nil if none was stored.
	Summary *CachedSummary `json:"summary,omitempty"`
}

// PhaseCPU is the processor time of A's and B's decisions in a phase.
type PhaseCPU struct {
	Phase string  `json:"phase"` // as TrialRow.Phase
	A     CPUTime `json:"a"`     // of player A
	B     CPUTime `json:"b"`     // of player B
}

// CPUTime is the processor time of a number of decisions. Without decisions nothing was
// measured.
type CPUTime struct {
	Seconds   float64 `json:"seconds"`   // of processor time, over all Decisions
	Decisions int64   `json:"decisions"` // measured decisions
}

// Plus returns the sum of two measurements.
func (c CPUTime) Plus(more CPUTime) CPUTime {
	return CPUTime{c.Seconds + more.Seconds, c.Decisions + more.Decisions}
}

// sessionLine is a line of sessions.jsonl.
type sessionLine struct {
	Session
	CRC string `json:"summary_crc,omitempty"` // checksum of Summary
}

// CachedSummary is a run's summary at the end of a session, in the form of the program that
// stored it, so that lists of many runs need not read rows. It is valid for one state of the
// record only, see Fingerprint.
type CachedSummary struct {
	Of      string          `json:"of"`      // the record's Fingerprint
	By      string          `json:"by"`      // program that stored the summary, with its source revision
	Summary json.RawMessage `json:"summary"` // JSON of that program
}

// crc returns the checksum of a summary; "" for none.
func (c *CachedSummary) crc() string {
	if c == nil {
		return ""
	}
	return hexCRC(slices.Concat([]byte(c.Of+"\n"+c.By+"\n"), c.Summary))
}

// Machine is another machine that played games of a session.
type Machine struct {
	Host    string `json:"host"`    // name of the machine
	CPU     string `json:"cpu"`     // operating system and architecture
	Cores   int    `json:"cores"`   // processor cores
	Workers int    `json:"workers"` // games in parallel
	Games   int64  `json:"games"`   // games of this session

	Name   string  `json:"name,omitempty"`   // name of the worker there
	Share  float64 `json:"share,omitempty"`  // of the session's games
	Speed  float64 `json:"speed,omitempty"`  // games a second
	Silent float64 `json:"silent,omitempty"` // seconds from the worker's last message to the session's end
	// Compared is the number of its pairs that another machine played again, with equal games.
	Compared int64 `json:"compared,omitempty"`
}

// Note appends a session to the run's list of sessions. The writer must not be closed. Note
// works also after a write of rows failed.
func (w *Writer) Note(s Session) error {
	if err := w.holds(); err != nil {
		return fmt.Errorf("run %s: %w", w.dir, err)
	}
	s.Trials = w.first + int64(w.saved)
	line, err := json.Marshal(sessionLine{s, s.Summary.crc()})
	if err == nil {
		err = appendLine(filepath.Join(w.dir, sessionsName), line)
	}
	if err != nil {
		return fmt.Errorf("run %s: note session: %w", w.dir, err)
	}
	return nil
}

// appendLine adds a line to the end of a file, which it creates if necessary. It first ends a
// line that a kill truncated.
func appendLine(path string, line []byte) (err error) {
	f, err := openRegular(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, maxText)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	var last [1]byte
	if size > 0 {
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return err
		}
	}
	if size > 0 && last[0] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.Sync()
}

// eachLine visits the lines of a file of at most limit bytes. It visits the last line even if a
// kill truncated it. A file that does not exist has no lines.
func eachLine(path string, limit int64, visit func(line []byte)) (err error) {
	f, err := openRegular(path, os.O_RDONLY, limit)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		visit(line)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Sessions returns the processes that have worked on the run in dir, in the order in which they
// ended. A killed process left no line, a truncated one, which is skipped, or, if its revision
// differs from the run's, the line written at its start.
func Sessions(dir string) (all []Session, err error) {
	err = eachLine(filepath.Join(dir, sessionsName), maxText, func(line []byte) {
		var s sessionLine
		if json.Unmarshal(line, &s) == nil {
			if s.Summary.crc() != s.CRC {
				s.Summary = nil // changed later, or stored by a program without checksums
			}
			if n := len(all); n > 0 && all[n-1].Started.Equal(s.Started) {
				all = all[:n-1] // replaces the line written at the start
			}
			all = append(all, s.Session)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("sessions of the run: %w", err)
	}
	return all, nil
}
