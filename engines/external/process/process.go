package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"selfplaylab/reports/text"
)

// waitDelay is the time for which output may continue after a
// program has ended, held open by a child that left the group.
const waitDelay = time.Second

// process is a running program.
// The goroutine that uses the Link writes and reads; one goroutine writes text that the pipe
// did not take at once, one waits for the program's end, and os/exec's drains its stderr.
// All end with kill.
type process struct {
	cmd    *exec.Cmd
	group  group
	stdin  *os.File
	stdout output
	stderr ring
	lines  lineReader // of stdout
	log    *Log       // of the lines sent and received
	memory int64      // the bound in bytes, or 0

	now    *sender      // to stdin, without waiting
	out    chan string  // to the writer
	queued atomic.Int32 // texts given to the writer and not yet written

	leaving atomic.Bool   // the process has been sent the command to end: its output is ignored
	quit    chan struct{} // closed by kill; goroutines end
	once    sync.Once
	dead    chan struct{} // closed when the process has ended and is reaped
	status  error         // result of Wait; valid after dead
	all     sync.WaitGroup

	mu     sync.Mutex // guards reaped, so that the group of another process is never killed
	reaped bool
}

// tooLong is the error of a line beyond the bound.
type tooLong struct{ start string }

// Error quotes the start of the line.
func (t *tooLong) Error() string { return "endless line: " + t.start }

// Command describes a program to start.
type Command struct {
	Name   string   // for error messages
	Path   string   // of the program, as LookPath returns it
	Args   []string // without the program's name
	Dir    string   // working directory; "" for this process's
	Env    []string // NAME=VALUE, added to the environment of this process without TokenVariable
	Memory int64    // bytes of data, on Linux; 0 for no bound
}

// LookPath returns the path of a program, given as a path or as a name in PATH.
// Its error says why there is none, and suggests a remedy.
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

// whyNotStarted adds a reason to the system's error for a program that cannot be started.
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
func startProcess(c Command, o Options) (*process, error) {
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
	p.lines, p.log = lineReader{r: p.stdout, most: o.MaxLine, log: o.Log}, o.Log
	p.cmd.Dir, p.cmd.Env = c.Dir, append(environment(), c.Env...)
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

// TokenVariable may hold the secret of a cluster, so that no command line shows it.
// Programs that are started do not inherit it.
const TokenVariable = "SELFPLAYLAB_TOKEN"

// environment returns the environment of this process without secrets.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, TokenVariable+"=") })
}

// Send passes text to the program. The pipe gets as much as it takes at once, which saves a
// switch of goroutines, and the writer gets the rest. Send never waits: text for a dead or deaf
// program is lost, which the wait for an answer notices. One goroutine at a time may call it.
func (p *process) Send(text string) {
	p.log.add('>', text)
	if p.queued.Load() == 0 {
		if text = p.now.send(text); text == "" {
			return
		}
	}
	p.queued.Add(1)
	select {
	case p.out <- text:
	default: // the writer is stuck or has ended; queued stays, so that no later text overtakes
	}
}

// write writes queued text until quit.
func (p *process) write() {
	defer p.all.Done()
	defer p.stdin.Close()
	for {
		select {
		case text := <-p.out:
			if _, err := p.stdin.WriteString(text); err != nil {
				return // its input is closed; the end of its output shows the reason
			}
			p.queued.Add(-1)
		case <-p.quit:
			return
		case <-p.dead:
			return
		}
	}
}

// wait reaps the process when it has ended, after ending the rest of its group.
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

// kill ends the process and its group.
// When it returns the process is reaped, its goroutines have left and its files are closed.
// Its children are killed; the kernel may need a moment for that.
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

// close tells the program to leave, waits for that until a time (zero is forever), and
// otherwise kills it.
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

// leave reads until the program has ended, so that it can write, or until a time.
func (p *process) leave(until time.Time) {
	p.stdout.SetReadDeadline(until)
	io.Copy(io.Discard, p.stdout) // errors do not matter here
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

// ending describes the end of a program whose output has ended,
// for people, and reports whether the program had left by itself.
// It kills the rest of it.
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

// statusText returns the result of Wait as text.
func statusText(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// lineReader splits output into lines of bounded length.
// A line ends by LF, CRLF or a bare CR.
// Reading may continue after an error other than the end.
type lineReader struct {
	r       io.Reader
	most    int
	log     *Log // of the lines
	buf     []byte
	from    int // first byte not returned yet
	seen    int // end of the searched part without a line end
	to      int // end of the bytes read
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

// rest returns the bytes after the last complete line.
func (l *lineReader) rest() string { return string(l.buf[l.from:l.to]) }

// take returns the next line if it is complete.
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
	line = shown(text)
	l.log.add('<', line)
	return line, true, nil
}

// fill reads once, by read.
func (l *lineReader) fill(read func([]byte) (int, error)) (n int, err error) {
	if l.to == len(l.buf) {
		kept := l.buf[l.from:]
		if l.from == 0 {
			l.buf = make([]byte, max(4096, 2*len(l.buf)))
		}
		copy(l.buf, kept)
		l.seen = l.seen - l.from
		l.to = len(kept)
		l.from = 0
	}
	n, err = read(l.buf[l.to:])
	l.to += n
	return n, err
}

// shown returns a line without characters that control a terminal, because names
// and messages are printed, and without the byte order mark of programs on Windows.
func shown(line []byte) string {
	for _, c := range line {
		if c < ' ' && c != '\t' || c >= 0x7f {
			return text.Clean(strings.TrimPrefix(string(line), "\ufeff"))
		}
	}
	return string(line)
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
