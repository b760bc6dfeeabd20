package process

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"selfplaylab/reports/text"
)

// waitDelay is how long output may go on after a program has ended, held open by
// a child that left the group, before it is cut off.
const waitDelay = time.Second

// process is a running program: one goroutine writes to it, one reads, one waits
// for its end, and os/exec's drains its stderr. All of them end with kill.
type process struct {
	cmd    *exec.Cmd
	group  group
	stdin  *os.File
	stdout *os.File
	stderr ring

	out    chan string  // to the writer
	queued atomic.Int32 // texts handed to the writer and not yet written
	// lines come from the reader, all that stood in the pipe together; it is closed
	// at the end of output.
	lines chan []string
	// ended is why lines was closed: io.EOF, *tooLong or a reading error. partial
	// is what stood after the last line.
	ended   error
	partial string

	quit   chan struct{} // closed by kill: goroutines leave
	once   sync.Once
	dead   chan struct{} // closed when the process has ended and is reaped
	status error         // what Wait returned; read after dead
	all    sync.WaitGroup

	mu     sync.Mutex // guards reaped, so that no other process's group is killed
	reaped bool
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
// the PATH.
func LookPath(name string) (string, error) { return exec.LookPath(name) }

// startProcess starts a program in a process group of its own.
func startProcess(c Command, maxLine int) (*process, error) {
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		closeAll(inRead, inWrite)
		return nil, fmt.Errorf("pipe: %w", err)
	}
	p := &process{
		cmd: exec.Command(c.Path, c.Args...), stdin: inWrite, stdout: outRead,
		out: make(chan string, 16), lines: make(chan []string, 8),
		quit: make(chan struct{}), dead: make(chan struct{}),
	}
	p.cmd.Dir, p.cmd.Env = c.Dir, append(os.Environ(), c.Env...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inRead, outWrite, &p.stderr
	p.cmd.WaitDelay = waitDelay
	err = p.group.start(p.cmd, c.Memory)
	closeAll(inRead, outWrite)
	if err != nil {
		closeAll(inWrite, outRead)
		return nil, err
	}
	p.all.Add(3)
	go p.write()
	go p.read(maxLine)
	go p.wait()
	return p, nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// send hands text to the program: what the pipe takes at once goes there directly,
// which spares a switch of goroutines a move, and the rest is the writer's. What a
// dead or deaf program does not take is noticed by who waits for the answer. It
// is called by one goroutine at a time.
func (p *process) Send(text string) {
	if p.queued.Load() == 0 {
		if text = p.writeNow(text); text == "" {
			return
		}
	}
	p.queued.Add(1)
	select {
	case p.out <- text:
	case <-p.dead:
	case <-p.quit:
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

// read passes on lines until the end of the output. A line ends by LF, CRLF or a
// bare CR.
func (p *process) read(most int) {
	defer p.all.Done()
	defer p.stdout.Close()
	defer close(p.lines)
	r := lineReader{r: bufio.NewReaderSize(p.stdout, 16<<10), most: most}
	for {
		batch, rest, err := r.batch()
		if len(batch) > 0 {
			select {
			case p.lines <- batch:
			case <-p.quit:
				p.ended = os.ErrClosed
				return
			}
		}
		if err != nil {
			p.ended, p.partial = err, rest
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
	timer := time.AfterFunc(waitDelay, func() { p.stdout.SetReadDeadline(time.Now()) })
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

// close asks the program to leave, waits for that, and kills what is left.
func (p *process) close(farewell string, clock Clock, patience time.Duration) {
	select {
	case <-p.quit:
	case <-p.dead:
	default:
		timer, stop := clock.Timer(patience)
		defer stop()
		p.Send(farewell)
		p.leave(timer)
	}
	p.kill()
}

// leave reads on until the program has ended, so that it does not wait for us, or
// time is up.
func (p *process) leave(timer <-chan time.Time) {
	lines := p.lines
	for {
		select {
		case _, ok := <-lines:
			if !ok {
				lines = nil
			}
		case <-p.dead:
			return
		case <-p.quit:
			return
		case <-timer:
			return
		}
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
	}
	if p.partial != "" {
		text += fmt.Sprintf(", in the middle of the line %q", Shorten(p.partial))
	}
	return text, left
}

func statusText(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// lineReader splits output into lines of bounded length.
type lineReader struct {
	r       *bufio.Reader
	most    int
	afterCR bool
	buf     []byte
}

// mostBatch bounds the lines passed on together.
const maxBatch = 64

// batch returns a line, waiting for it, and the whole lines that stand behind it
// already. At the end of the output it returns what stands there without an end,
// and the error. Passing on lines together spares a switch of goroutines each.
func (l *lineReader) batch() (lines []string, rest string, err error) {
	for len(lines) == 0 || len(lines) < maxBatch && l.waiting() {
		line, err := l.next()
		if err != nil {
			return lines, line, err
		}
		lines = append(lines, line)
	}
	return lines, "", nil
}

// waiting reports whether a whole line stands in the buffer.
func (l *lineReader) waiting() bool {
	chunk, _ := l.r.Peek(l.r.Buffered())
	if l.afterCR && len(chunk) > 0 && chunk[0] == '\n' {
		chunk = chunk[1:]
	}
	return indexEnd(chunk) >= 0
}

// next returns a line without its end. At the end of the output it returns what
// stands there without one, and the error.
func (l *lineReader) next() (string, error) {
	l.buf = l.buf[:0]
	for {
		if _, err := l.r.Peek(1); err != nil {
			return string(l.buf), err
		}
		chunk, _ := l.r.Peek(l.r.Buffered())
		if l.afterCR {
			l.afterCR = false
			if chunk[0] == '\n' {
				l.r.Discard(1)
				continue
			}
		}
		end := indexEnd(chunk)
		if end < 0 {
			l.buf = append(l.buf, chunk...)
			l.r.Discard(len(chunk))
			if len(l.buf) > l.most {
				return "", &tooLong{Shorten(string(l.buf))}
			}
			continue
		}
		if len(l.buf)+end > l.most {
			return "", &tooLong{Shorten(string(append(l.buf, chunk[:end]...)))}
		}
		line := chunk[:end]
		if len(l.buf) > 0 {
			line = append(l.buf, line...)
		}
		clean := shown(line)
		l.afterCR = chunk[end] == '\r'
		l.r.Discard(end + 1)
		return clean, nil
	}
}

// shown is a line without what could drive a terminal: names and messages in it are
// printed.
func shown(line []byte) string {
	for _, c := range line {
		if c < ' ' && c != '\t' || c >= 0x7f {
			return text.Clean(string(line))
		}
	}
	return string(line)
}

func indexEnd(b []byte) int {
	for i, c := range b {
		if c == '\n' || c == '\r' {
			return i
		}
	}
	return -1
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
