package process

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object of a program: all its processes end with the last
// handle to the job, so also with us.
type group struct{ job windows.Handle }

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
		cmd.Wait() // its end is not what went wrong
		g.close()
		return err
	}
	return nil
}

// adopt takes a process into the job. A child that it starts before that stays
// outside: os/exec cannot start a process suspended.
func (g *group) adopt(pid uint32) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(g.job, h)
}

// awaitExit reaps the program when it has ended. Children left behind end when
// close gives the job back.
func (g *group) awaitExit(cmd *exec.Cmd) (status error, reaped bool) { return cmd.Wait(), true }

func (g *group) kill() { windows.TerminateJobObject(g.job, 1) }

func (g *group) ended() {}

func (g *group) close() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
		g.job = 0
	}
}
