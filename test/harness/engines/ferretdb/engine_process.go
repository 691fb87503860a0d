package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

const (
	// A kill follows, should the engine be unable to print the stacks of its goroutines and end.
	endWithin  = 5 * time.Second
	dialWithin = 10 * time.Second
)

// The process that runs the engine. It ends with this one.
type engineProcess struct {
	address string
	dir     string

	mutex   sync.Mutex
	process *os.Process
}

// Starts the engine whenever it does not run, until the context ends.
func (e *engineProcess) keepRunning(ctx context.Context) error {
	// Linux sends the child its signal when the thread that started it ends.
	runtime.LockOSThread()
	for ctx.Err() == nil {
		if err := os.Remove(socketIn(e.dir)); err != nil && !os.IsNotExist(err) {
			return err
		}
		command := exec.CommandContext(ctx, os.Args[0], e.address, e.dir, engineOnly)
		command.Stderr = os.Stderr
		command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := command.Start(); err != nil {
			return err
		}
		e.set(command.Process)
		_ = command.Wait()
		e.set(nil)
	}
	return nil
}

// Ends an engine that does not answer. It prints the stacks of its goroutines first.
func (e *engineProcess) end() {
	e.mutex.Lock()
	process := e.process
	e.mutex.Unlock()
	if process == nil {
		return
	}
	_ = process.Signal(syscall.SIGQUIT)
	time.AfterFunc(endWithin, func() { _ = process.Kill() })
}

// Connects to the engine, also when it is just being started.
func (e *engineProcess) dial() (net.Conn, error) {
	deadline := time.Now().Add(dialWithin)
	for {
		connection, err := net.Dial("unix", socketIn(e.dir))
		if err == nil || time.Now().After(deadline) {
			return connection, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (e *engineProcess) set(process *os.Process) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.process = process
}
