package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"selfplaylab/reports/text"
)

// waitDelay is how long output may go on after a program has ended, held open by
// a child that left the group, before it is cut off.
const waitDelay = time.Second

// process is a running program: whoever asks it writes and reads, one goroutine writes
// what its pipe did not take at once, one waits for its end, and os/exec's drains its
// stderr. All of them end with kill.
type process struct {
	cmd    *exec.Cmd
	group  group
	stdin  *os.File
	stdout output
	stderr ring
	lines  lineReader // of stdout
	memory int64      // the bound in bytes, or 0

	now    *sender      // to stdin, without waiting
	out    chan string  // to the writer
	queued atomic.Int32 // texts handed to the writer and not yet written

	leaving atomic.Bool   // it was asked to leave: what it says counts no more
	quit    chan struct{} // closed by kill: goroutines leave
	once    sync.Once
	dead    chan struct{} // closed when the process has ended and is reaped
	status  error         // what Wait returned; read after dead
	all     sync.WaitGroup

	mu     sync.Mutex // guards reaped, so that no other process's group is killed
	reaped bool
}

// output is what a program writes. Reading ends with os.ErrDeadlineExceeded at its deadline.
type output interface {
	io.ReadCloser
	SetReadDeadline(time.Time) error
	// readNow reads what stands in the pipe, without waiting. It may change the deadline.
	readNow(buf []byte) int
}

// tooLong is the error of a line beyond the bound.
type tooLong struct{ start string }

func (t *tooLong) Error() string { return "endless line: " + t.start }

// Command is what to start.
type Command struct {
	Name   string // for faults
	Path   string
	Args   []string
	Dir    string
	Env    []string // NAME=VALUE, added to ours
	Memory int64    // bytes of data, on Linux; 0 for no bound
}

// LookPath returns the path of a program: a path itself, or a name that is looked up in
// the PATH. Its error says why there is none, and what may be meant.
func LookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if failed, ok := errors.AsType[*exec.Error](err); ok {
		err = failed.Err
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	switch {
	case err == nil:
	case strings.Contains(name, " "):
		err = fmt.Errorf("%w (all of %q is taken for the program's name; arguments go into args)", err, name)
	case errors.Is(err, fs.ErrPermission):
		err = fmt.Errorf("%w (chmod +x makes a file a program)", err)
	}
	return path, err
}

// whyNotStarted adds what the system's words for a program that cannot be started leave out.
func whyNotStarted(err error) error {
	failed, ok := errors.AsType[*fs.PathError](err)
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%w: it is neither a program for this system nor a script whose first line begins with #! and a program", err)
	case ok && failed.Op == "fork/exec" && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: the interpreter that its first line names, or its loader, is missing", err)
	}
	return err
}

// startProcess starts a program in a process group of its own.
func startProcess(c Command, maxLine int) (*process, error) {
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	stdout, outWrite, err := newOutput()
	if err != nil {
		closeAll(inRead, inWrite)
		return nil, fmt.Errorf("pipe: %w", err)
	}
	p := &process{
		cmd: exec.Command(c.Path, c.Args...), stdin: inWrite, stdout: stdout, memory: c.Memory, now: newSender(inWrite),
		out: make(chan string, 16), quit: make(chan struct{}), dead: make(chan struct{}),
	}
	p.lines = lineReader{r: p.stdout, most: maxLine}
	p.cmd.Dir, p.cmd.Env = c.Dir, append(os.Environ(), c.Env...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inRead, outWrite, &p.stderr
	p.cmd.WaitDelay = waitDelay
	err = p.group.start(p.cmd, c.Memory)
	closeAll(inRead, outWrite)
	if err != nil {
		closeAll(inWrite, p.stdout)
		return nil, whyNotStarted(err)
	}
	p.all.Add(2)
	go p.write()
	go p.wait()
	return p, nil
}

func closeAll(files ...io.Closer) {
	for _, f := range files {
		f.Close()
	}
}

// Send hands text to the program: what the pipe takes at once goes there directly,
// which spares a switch of goroutines a move, and the rest is the writer's. It never
// waits: what a dead or deaf program does not take is lost, and noticed by who waits for the
// answer. It is called by one goroutine at a time.
func (p *process) Send(text string) {
	if p.queued.Load() == 0 {
		if text = p.now.send(text); text == "" {
			return
		}
	}
	p.queued.Add(1)
	select {
	case p.out <- text:
	default: // the writer is stuck or has left; queued stays, so that nothing overtakes
	}
}

func (p *process) write() {
	defer p.all.Done()
	defer p.stdin.Close()
	for {
		select {
		case text := <-p.out:
			if _, err := p.stdin.WriteString(text); err != nil {
				return // its input is closed: the end of its output tells why
			}
			p.queued.Add(-1)
		case <-p.quit:
			return
		case <-p.dead:
			return
		}
	}
}

// wait reaps the process when it has ended, and the rest of its group before.
func (p *process) wait() {
	defer p.all.Done()
	status, reaped := p.group.awaitExit(p.cmd)
	p.mu.Lock()
	if !reaped {
		p.group.kill()
	}
	p.group.ended()
	if !reaped {
		status = p.cmd.Wait()
	}
	p.status, p.reaped = status, true
	p.group.close()
	p.mu.Unlock()
	close(p.dead)
	// Only a child that left the group can hold the output now.
	delay := waitDelay
	if p.leaving.Load() {
		delay = 0
	}
	timer := time.AfterFunc(delay, func() { p.stdout.Close() })
	<-p.quit
	timer.Stop()
}

// kill ends the process and its group. When it returns the process is reaped, its
// goroutines have left and its files are closed; children of it are killed, which
// the kernel may take a moment for.
func (p *process) kill() {
	p.once.Do(func() {
		close(p.quit)
		p.mu.Lock()
		if !p.reaped {
			p.group.kill()
		}
		p.mu.Unlock()
		p.stdin.Close()
		p.stdout.Close() // a child that left the group may hold the other end
	})
	p.all.Wait()
}

// close asks the program to leave, waits for that until a time (zero for ever), and kills
// what is left.
func (p *process) close(farewell string, until time.Time) {
	p.leaving.Store(true)
	select {
	case <-p.quit:
	case <-p.dead:
	default:
		p.Send(farewell)
		p.leave(until)
	}
	p.kill()
}

// leave reads on until the program has ended, so that it does not wait for us, or time is
// up.
func (p *process) leave(until time.Time) {
	p.stdout.SetReadDeadline(until)
	io.Copy(io.Discard, p.stdout) // how reading ended says nothing
	var over <-chan time.Time
	if !until.IsZero() {
		timer := time.NewTimer(time.Until(until))
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-p.dead:
	case <-p.quit:
	case <-over:
	}
}

// ending describes the end of a program whose output has ended, for people, and reports
// whether the program had left. It kills what is left of it.
func (p *process) ending() (text string, left bool) {
	text = "closed its output and ran on"
	timer := time.NewTimer(waitDelay)
	defer timer.Stop()
	select {
	case <-p.dead:
		left = true
	case <-timer.C:
	}
	p.kill()
	if left {
		text = "ended with " + statusText(p.status)
		if p.memory > 0 && p.status != nil {
			text += fmt.Sprintf(" (its memory is limited to %d MiB)", p.memory>>20)
		}
	}
	return text, left
}

func statusText(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// lineReader splits output into lines of bounded length. A line ends by LF, CRLF or a bare
// CR. Reading may go on after an error that is not the end.
type lineReader struct {
	r       io.Reader
	most    int
	buf     []byte
	from    int // the first byte that was not returned yet
	seen    int // how far no end of a line stands
	to      int // how far bytes were read
	afterCR bool
}

// next returns a line without its end.
func (l *lineReader) next() (string, error) {
	for {
		if line, ok, err := l.take(); ok || err != nil {
			return line, err
		}
		if n, err := l.fill(l.r.Read); n == 0 && err != nil {
			return "", err
		}
	}
}

// rest is what was read and is no whole line.
func (l *lineReader) rest() string { return string(l.buf[l.from:l.to]) }

// take returns the next line if all of it was read.
func (l *lineReader) take() (line string, ok bool, err error) {
	if l.afterCR && l.from < l.to {
		if l.afterCR = false; l.buf[l.from] == '\n' {
			l.from++
			l.seen = l.from
		}
	}
	at := bytes.IndexAny(l.buf[l.seen:l.to], "\n\r")
	end := l.seen + at
	if at < 0 {
		l.seen, end = l.to, l.to
	}
	text := l.buf[l.from:end]
	switch {
	case len(text) > l.most:
		return "", false, &tooLong{Shorten(string(text))}
	case at < 0:
		return "", false, nil
	}
	l.afterCR = l.buf[end] == '\r'
	l.from, l.seen = end+1, end+1
	return shown(text), true, nil
}

// fill reads once.
func (l *lineReader) fill(read func([]byte) (int, error)) (n int, err error) {
	if l.to == len(l.buf) {
		kept := l.buf[l.from:]
		if l.from == 0 {
			l.buf = make([]byte, max(4096, 2*len(l.buf)))
		}
		copy(l.buf, kept)
		l.seen, l.to, l.from = l.seen-l.from, len(kept), 0
	}
	n, err = read(l.buf[l.to:])
	l.to += n
	return n, err
}

// shown is a line without what could drive a terminal, since names and messages in it are
// printed, and without the byte order mark that programs on Windows begin with.
func shown(line []byte) string {
	for _, c := range line {
		if c < ' ' && c != '\t' || c >= 0x7f {
			return text.Clean(strings.TrimPrefix(string(line), "\ufeff"))
		}
	}
	return string(line)
}

// starter starts every process from one thread that lives as long as we do: the
// kernel tells a child of its parent's death when the thread that made it ends
// (prctl(2), PR_SET_PDEATHSIG), and Go's threads come and go.
var starter = sync.OnceValue(func() chan<- func() {
	requests := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range requests {
			f()
		}
	}()
	return requests
})

// onStarter runs f on the starter's thread.
func onStarter(f func() error) error {
	done := make(chan error, 1)
	starter() <- func() { done <- f() }
	return <-done
}

var _ io.Writer = (*ring)(nil)

// SplitWords splits a command line at blanks outside quotes.
func SplitWords(line string) ([]string, error) {
	var f []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inWord {
				f = append(f, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	if inWord {
		f = append(f, word.String())
	}
	if len(f) == 0 || f[0] == "" {
		return nil, errors.New("no program; want such as \"python3 play.py\"")
	}
	return f, nil
}
