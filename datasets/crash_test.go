package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplaylab/engines/testmode"
)

// crash is the panic of a crashing disk. Nothing runs after it, as after SIGKILL.
type crash struct{}

// crashingDisk returns a disk that crashes in operation n, counted from 0. A write crashes half
// done.
func crashingDisk(n int) disk {
	step := func(do func() error) error {
		n--
		if n == -1 {
			panic(crash{})
		}
		return do()
	}
	return disk{
		create: func(path string) (f file, err error) {
			err = step(func() error { f, err = osDisk.create(path); return err })
			return &crashingFile{f, step}, err
		},
		rename:  func(from, to string) error { return step(func() error { return os.Rename(from, to) }) },
		syncDir: func(dir string) error { return step(func() error { return syncDir(dir) }) },
		free:    osDisk.free,
	}
}

type crashingFile struct {
	file
	step func(func() error) error
}

func (c *crashingFile) Write(data []byte) (int, error) {
	half := len(data) / 2
	n, err := c.file.Write(data[:half])
	if err != nil {
		return n, err
	}
	err = c.step(func() error { n, err = c.file.Write(data[half:]); return err })
	return half + n, err
}

func (c *crashingFile) Sync() error { return c.step(c.file.Sync) }

// playOn resumes the run and plays up to trial n on a disk that may crash. checkpoint says
// after which trials to write. It reports whether the disk did not crash.
func playOn(t testing.TB, dir string, n int64, d disk, checkpoint func(int64) bool) (done bool) {
	t.Helper()
	w, err := lockRun(dir, d)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if r := recover(); r != nil {
			if r != (crash{}) {
				panic(r)
			}
			w.abandon(t)
			done = false
		}
	}()
	log, err := w.recover()
	if err != nil {
		t.Fatal(err)
	}
	for i := log.NumTrials; i < n; i++ {
		appendTrials(t, w, i, i+1)
		if checkpoint(i) {
			if err := w.Checkpoint(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return true
}

// skipTwoTables skips runs of two tables in the short form, because runs of three tables
// contain them.
func skipTwoTables(t *testing.T, meta Meta) {
	t.Helper()
	if meta.RecordMoves == NoMoves {
		testmode.SkipUnlessLong(t)
	}
}

// A run killed in any operation (the long form kills in every one, the short form in every
// third) reads as the trials recorded so far. Resumed, it ends with the bytes of a run that was
// never killed.
func TestCrashAtEveryOperation(t *testing.T) { eachKind(t, testCrashAtEveryOperation) }

func testCrashAtEveryOperation(t *testing.T, meta Meta) {
	if testing.Short() {
		t.Skip("hundreds of runs, one process at a time: nothing for the race detector")
	}
	skipTwoTables(t, meta)
	const n, shards = 7, 4 // most of the time is fsync, so several run in parallel
	step := 3
	if testmode.Long() {
		step = 1
	}
	want := contents(t, newRunWith(t, meta, n))
	checkpoint := func(i int64) bool { return i == 1 || i == 5 }
	for shard := range shards {
		t.Run(fmt.Sprint(shard), func(t *testing.T) {
			t.Parallel()
			partial := 0
			for at := shard * step; ; at += shards * step {
				dir := newRunWith(t, meta, 0)
				if playOn(t, dir, n, crashingDisk(at), checkpoint) {
					if at < 30 {
						t.Fatalf("only %d operations; the test has lost its grip", at)
					}
					break
				}
				log := must[*Log](t)(Read(dir))
				checkLog(t, log, log.NumTrials)
				if log.NumTrials > 0 {
					partial++
				}
				if !playOn(t, dir, n, osDisk, checkpoint) {
					t.Fatal("crashed without being asked")
				}
				sameFiles(t, contents(t, dir), want)
			}
			if partial < 3 {
				t.Errorf("only %d crashes after the first checkpoint", partial)
			}
		})
	}
}

// TestKilledRunEndsWithSameBytes writes checkpoints, kills and resumes at random points.
func TestKilledRunEndsWithSameBytes(t *testing.T) { eachKind(t, testRandomCrashes) }

func testRandomCrashes(t *testing.T, meta Meta) {
	if testing.Short() {
		t.Skip("writes runs again and again")
	}
	skipTwoTables(t, meta)
	t.Parallel()
	const n = 23
	want := contents(t, newRunWith(t, meta, n))
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 3))
		dir := newRunWith(t, meta, 0)
		crashes := 0
		for !playOn(t, dir, n, crashingDisk(10+r.IntN(60)), func(int64) bool { return r.IntN(3) == 0 }) {
			log := must[*Log](t)(Read(dir))
			checkLog(t, log, log.NumTrials)
			crashes++
		}
		sameFiles(t, contents(t, dir), want)
		t.Logf("seed %d: %d crashes", seed, crashes)
	}
}

// TestAheadOfTrials has the states between the renames: the parts of moves, or of moves and
// games, are ahead of the part of trials, or have none.
func TestAheadOfTrials(t *testing.T) {
	testmode.Raced(t, "makes a run for every state")
	t.Parallel()
	for _, test := range []struct {
		meta            Meta
		recorded, ahead int64
		tables          string
	}{
		{testMeta, 3, 4, "games"},
		{testMeta, 3, 5, "games"},
		{testMeta, 5, 7, "games"},
		{testMeta, 0, 2, "games"},
		{movesMeta, 3, 4, "moves"},
		{movesMeta, 5, 7, "moves"},
		{movesMeta, 0, 2, "moves"},
		{movesMeta, 3, 5, "moves games"},
		{movesMeta, 5, 7, "moves games"},
		{movesMeta, 0, 2, "moves games"},
	} {
		t.Run(fmt.Sprintf("%s %d of %d", test.tables, test.recorded, test.ahead), func(t *testing.T) {
			dir, ahead := newRunWith(t, test.meta, test.recorded), newRunWith(t, test.meta, test.ahead)
			for name, data := range contents(t, ahead) {
				if table, _, _ := strings.Cut(name, "/"); strings.Contains(test.tables, table) {
					put(t, dir, name, []byte(data))
				}
			}
			checkLog(t, must[*Log](t)(Read(dir)), test.recorded)
			w, log, err := Resume(dir)
			if err != nil {
				t.Fatal(err)
			}
			checkLog(t, log, test.recorded)
			if err := w.Close(); err != nil { // all trials are played
				t.Fatal(err)
			}
			sameFiles(t, contents(t, dir), contents(t, newRunWith(t, test.meta, test.recorded)))
		})
	}
}

func TestResumeRemovesTemporaryFiles(t *testing.T) {
	dir := newRunWith(t, movesMeta, 3)
	want := contents(t, dir)
	for _, name := range []string{".run.toml.tmp", "games/.part-000000.parquet.tmp", "moves/.part-000000.parquet.tmp", "trials/.part-000001.parquet.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("PAR1"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	checkLog(t, must[*Log](t)(Read(dir)), 3) // readers accept it
	w, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, contents(t, dir), want)
}

// failingDisk returns a disk that fails operation op on paths that contain target.
func failingDisk(op, target string, failure error) disk {
	fail := func(o, path string) error {
		if o == op && strings.Contains(path, target) {
			return &fs.PathError{Op: o, Path: path, Err: failure}
		}
		return nil
	}
	d := osDisk
	d.create = func(path string) (file, error) {
		if err := fail("create", path); err != nil {
			return nil, err
		}
		f, err := osDisk.create(path)
		return &failingFile{f, path, fail}, err
	}
	d.rename = func(from, to string) error { return errors.Join(fail("rename", to), osDisk.rename(from, to)) }
	d.syncDir = func(dir string) error { return errors.Join(fail("syncdir", dir), osDisk.syncDir(dir)) }
	return d
}

type failingFile struct {
	file
	path string
	fail func(op, path string) error
}

func (f *failingFile) Write(data []byte) (int, error) {
	if err := f.fail("write", f.path); err != nil {
		n, _ := f.file.Write(data[:len(data)/2])
		return n, err
	}
	return f.file.Write(data)
}

func (f *failingFile) Sync() error  { return errors.Join(f.fail("sync", f.path), f.file.Sync()) }
func (f *failingFile) Close() error { return errors.Join(f.fail("close", f.path), f.file.Close()) }

// TestFailedWriteNamesFileAndResumes fails each operation once. The error names the file and the
// rows that are saved; resumed, the run ends with the same bytes.
func TestFailedWriteNamesFileAndResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("short: makes a run for every operation")
	}
	t.Parallel()
	want := contents(t, newRunWith(t, movesMeta, 12))
	for _, op := range []string{"create", "write", "sync", "close", "rename", "syncdir"} {
		for _, table := range []string{"moves", "games", "trials"} {
			t.Run(op+" "+table, func(t *testing.T) {
				target := filepath.Join(table, ".part-000001")
				switch op {
				case "rename":
					target = filepath.Join(table, "part-000001")
				case "syncdir":
					target = table
				}
				dir := newRunWith(t, movesMeta, 5) // part 0 is closed
				w, _, err := Resume(dir)
				if err != nil {
					t.Fatal(err)
				}
				w.disk = failingDisk(op, target, syscall.ENOSPC)
				appendTrials(t, w, 5, 8)
				err = w.Checkpoint()
				wantError(t, err, dir, table, "no space left", "5 trials are saved, 3 are lost", "space on the disk")
				if again := appendTrial(w, 8); again != err {
					t.Errorf("Append after the failure: %v", again)
				}
				if err := w.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
				log := must[*Log](t)(Read(dir))
				checkLog(t, log, log.NumTrials)
				if !playOn(t, dir, 12, osDisk, func(int64) bool { return false }) {
					t.Fatal("crashed without being asked")
				}
				sameFiles(t, contents(t, dir), want)
			})
		}
	}
}

// TestFullDeviceIsReportedWithRemedy writes to a real full device, so the error is the
// kernel's.
func TestFullDeviceIsReportedWithRemedy(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	dir := newRun(t, 2)
	w, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	w.disk.create = func(string) (file, error) { return os.OpenFile("/dev/full", os.O_WRONLY, 0) }
	appendTrials(t, w, 2, 3)
	wantError(t, w.Close(), "part-000000.parquet", "2 trials are saved, 1 are lost", "space on the disk")
	checkLog(t, must[*Log](t)(Read(dir)), 2)
}

func TestNearlyFullDisk(t *testing.T) {
	full := osDisk
	full.free = func(string) (uint64, bool, error) { return minFree - 1, true, nil }
	dir := filepath.Join(t.TempDir(), "run")
	_, err := create(dir, testMeta, spec, full)
	wantError(t, err, "nearly full", dir, "63 MiB", "64")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a refused run left its folder: %v", err)
	}
	unknown := full
	unknown.free = func(string) (uint64, bool, error) { return 0, false, nil }
	w := must[*Writer](t)(create(dir, testMeta, spec, unknown)) // the same folder, usable now
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err = resume(dir, full)
	wantError(t, err, "nearly full", dir)
	unsure := full
	unsure.free = func(string) (uint64, bool, error) { return 0, false, syscall.EIO }
	_, _, err = resume(dir, unsure)
	wantError(t, err, "free space", dir)

	free, known, err := freeSpace(t.TempDir())
	if err != nil || known && free == 0 {
		t.Errorf("free space of the temporary folder: %d, %v, %v", free, known, err)
	}
}

// child is set in the processes that this test binary starts from itself.
const child = "DATASETS_TEST_CHILD"

func TestMain(m *testing.M) {
	switch dir := os.Getenv(child + "_DIR"); os.Getenv(child) {
	case "resume":
		_, _, err := Resume(dir)
		fmt.Println(err)
		os.Exit(0)
	case "play":
		if err := playForever(dir); err != nil {
			fmt.Println(err)
		}
		os.Exit(1) // the parent kills it before
	}
	os.Exit(m.Run())
}

// playForever appends trials and prints the number of each trial that is on disk.
func playForever(dir string) error {
	w, log, err := Resume(dir)
	if err != nil {
		return err
	}
	for i := log.NumTrials; ; i++ {
		if err := appendTrial(w, i); err != nil {
			return err
		}
		if i%3 == 0 {
			if err := w.Checkpoint(); err != nil {
				return err
			}
			fmt.Println(i + 1)
		}
	}
}

func childProcess(t *testing.T, task, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), child+"="+task, child+"_DIR="+dir)
	return cmd
}

func TestLockHoldsAgainstOthers(t *testing.T) {
	dir := newRun(t, 2)
	w, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := childProcess(t, "resume", dir).CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, errors.New(string(out)), dir, "another process is writing")
	if _, _, err := Resume(dir); !errors.Is(err, errLocked) {
		t.Errorf("second Writer of one process: %v", err)
	}
	checkLog(t, must[*Log](t)(Read(dir)), 2) // readers need no lock
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if out, err = childProcess(t, "resume", dir).CombinedOutput(); err != nil || string(out) != "<nil>\n" {
		t.Errorf("after Close: %s, %v", out, err)
	}
}

// TestKilledProcessKeepsReportedTrials sends SIGKILL to a real process. Trials that it reported
// as written are there, and the resumed run ends with the bytes of a run that was never killed.
func TestKilledProcessKeepsReportedTrials(t *testing.T) {
	testmode.Raced(t, "kills processes")
	eachKind(t, testKilledProcess)
}

func testKilledProcess(t *testing.T, meta Meta) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 5))
	dir := newRunWith(t, meta, 0)
	for range 5 {
		cmd := childProcess(t, "play", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var saved int64
		lines := bufio.NewScanner(out)
		for stop := 2 + r.IntN(4); stop > 0 && lines.Scan(); stop-- {
			if _, err := fmt.Sscan(lines.Text(), &saved); err != nil {
				t.Fatalf("child: %s", lines.Text())
			}
		}
		time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // until the killed process closes the pipe
			if _, err := fmt.Sscan(lines.Text(), &saved); err != nil {
				t.Fatalf("child: %s", lines.Text())
			}
		}
		_ = cmd.Wait() // "signal: killed"
		log := must[*Log](t)(Read(dir))
		if log.NumTrials < saved {
			t.Fatalf("%d trials recorded, %d were reported", log.NumTrials, saved)
		}
		checkLog(t, log, log.NumTrials)
	}
	n := must[*Log](t)(Read(dir)).NumTrials + 2
	if !playOn(t, dir, n, osDisk, func(int64) bool { return false }) {
		t.Fatal("crashed without being asked")
	}
	sameFiles(t, contents(t, dir), contents(t, newRunWith(t, meta, n)))
}
