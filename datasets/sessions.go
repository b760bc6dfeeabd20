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

// Session is one process's share of a run: one line of sessions.jsonl. Times and
// machines are kept apart from the parquet parts, which must not depend on them.
type Session struct {
	Started     time.Time `json:"started"`
	Seconds     float64   `json:"seconds"`                // wall time; 0 when it is noted as it begins
	Games       int64     `json:"games"`                  // played in it, by all machines
	Workers     int       `json:"workers"`                // games at a time, on the machine of the process
	CPU         string    `json:"cpu"`                    // operating system and architecture
	CommandLine string    `json:"command_line,omitempty"` // the command line as typed
	Revision    string    `json:"revision,omitempty"`     // of the process's source; "" if not noted

	Host  string `json:"host,omitempty"`  // name of the machine; "" if not noted
	Cores int    `json:"cores,omitempty"` // of the machine; 0 if not noted
	// Trials is how many the run had on disk when this was noted; 0 if they were dropped, or not noted.
	Trials int64 `json:"trials,omitempty"`
	// Machines lists the other machines that played for the process; nil if it played alone.
	Machines []Machine `json:"machines,omitempty"`
	// CPUTime is the measured processor time of decisions made on the machine of the process.
	CPUTime []PhaseCPU `json:"cpu_time,omitempty"`
	// Summary is the state of the run at the end of the session; nil if not noted.
	Summary *CachedSummary `json:"summary,omitempty"`
}

// PhaseCPU is the processor time of A's and B's decisions in a phase.
type PhaseCPU struct {
	Phase string  `json:"phase"`
	A     CPUTime `json:"a"`
	B     CPUTime `json:"b"`
}

// CPUTime is the processor time of a number of decisions; without any nothing was
// measured.
type CPUTime struct {
	Seconds   float64 `json:"seconds"`
	Decisions int64   `json:"decisions"`
}

// Plus adds up.
func (c CPUTime) Plus(more CPUTime) CPUTime {
	return CPUTime{c.Seconds + more.Seconds, c.Decisions + more.Decisions}
}

// sessionLine is a line of sessions.jsonl.
type sessionLine struct {
	Session
	CRC string `json:"summary_crc,omitempty"` // of Summary
}

// CachedSummary is a run's summary at the end of a session, as the program that noted it describes
// it, so that lists of many runs need not read the rows. It is valid for one record only; see
// Fingerprint.
type CachedSummary struct {
	Of      string          `json:"of"` // fingerprint of the record
	By      string          `json:"by"` // the program and the revision of its source
	Summary json.RawMessage `json:"summary"`
}

// crc returns the checksum of a summary; "" for none.
func (c *CachedSummary) crc() string {
	if c == nil {
		return ""
	}
	return hexCRC(slices.Concat([]byte(c.Of+"\n"+c.By+"\n"), c.Summary))
}

// Machine is another machine that played for a session.
type Machine struct {
	Host    string `json:"host"`
	CPU     string `json:"cpu"` // operating system and architecture
	Cores   int    `json:"cores"`
	Workers int    `json:"workers"` // games at a time
	Games   int64  `json:"games"`   // played for this session

	Name   string  `json:"name,omitempty"`   // of the worker there
	Share  float64 `json:"share,omitempty"`  // of the session's games
	Speed  float64 `json:"speed,omitempty"`  // games a second
	Silent float64 `json:"silent,omitempty"` // seconds from its last sign to the session's end
	// Compared is how many of its pairs were played again elsewhere, with equal games.
	Compared int64 `json:"compared,omitempty"`
}

// Note appends a session to the run's list of them. The writer must not be
// closed; a failed write of rows does not keep it from noting.
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

// appendLine puts a line at the end of a file, which it makes if need be. A line
// that a kill cut off is ended first.
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

// eachLine visits the lines of a file of at most a number of bytes, the last one though
// a kill may have cut it off; none of a file that is not there.
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

// Sessions reads the processes that have worked on the run in dir, in the order in which they ended.
// A killed process left no line, or a truncated one, which is skipped, or, if its revision differs
// from the run's, the line written when it began.
func Sessions(dir string) (all []Session, err error) {
	err = eachLine(filepath.Join(dir, sessionsName), maxText, func(line []byte) {
		var s sessionLine
		if json.Unmarshal(line, &s) == nil {
			if s.Summary.crc() != s.CRC {
				s.Summary = nil // changed since, or of a program that noted no checksum
			}
			if n := len(all); n > 0 && all[n-1].Started.Equal(s.Started) {
				all = all[:n-1] // noted when it began
			}
			all = append(all, s.Session)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("sessions of the run: %w", err)
	}
	return all, nil
}
