package process

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object of a program.
// All its processes end with the last handle to the job, so also with this process.
type group struct{ job windows.Handle }

// start starts the program in a job of its own. memory bounds its data in bytes; 0 is no bound.
func (g *group) start(cmd *exec.Cmd, memory int64) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return fmt.Errorf("job object: %w", err)
	}
	g.job = job
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if memory > 0 {
		info.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		info.JobMemoryLimit = uintptr(memory)
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		g.close()
		return fmt.Errorf("job object: %w", err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	if err := cmd.Start(); err != nil {
		g.close()
		return err
	}
	if err := g.adopt(uint32(cmd.Process.Pid)); err != nil {
		err = errors.Join(fmt.Errorf("job object: %w", err), cmd.Process.Kill())
		cmd.Wait() // the error is the one of start
		g.close()
		return err
	}
	return nil
}

// adopt takes a process into the job.
// A child that it started before stays outside, because os/exec cannot start a suspended process.
func (g *group) adopt(pid uint32) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(g.job, h)
}

// awaitExit reaps the program when it has ended. Its children end when close returns the job.
func (g *group) awaitExit(cmd *exec.Cmd) (status error, reaped bool) { return cmd.Wait(), true }

// kill ends all of the job.
func (g *group) kill() { windows.TerminateJobObject(g.job, 1) }

// ended does nothing: close ends the children.
func (g *group) ended() {}

// close returns the job.
func (g *group) close() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
		g.job = 0
	}
}
