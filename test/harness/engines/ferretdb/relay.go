package main

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// A command that the engine does not answer would block those of all clients. The engine is started again then.
const answerWithin = 30 * time.Second

// MongoDB changes one document atomically. The engine reads and writes it in two steps, so it is given one command at
// a time: with that, a replacement guarded by a version behaves as MongoDB promises.
var oneCommand sync.Mutex

func relay(listener net.Listener, process *engineProcess) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		go serve(client, process)
	}
}

func serve(client net.Conn, process *engineProcess) {
	defer client.Close()
	engine, err := process.dial()
	if err != nil {
		return
	}
	defer engine.Close()
	for {
		command, err := readMessage(client)
		if err != nil {
			return
		}
		answer, err := ask(engine, command)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			process.end()
		}
		if err != nil {
			return
		}
		if _, err := client.Write(answer); err != nil {
			return
		}
	}
}

func ask(engine net.Conn, command []byte) ([]byte, error) {
	oneCommand.Lock()
	defer oneCommand.Unlock()
	if err := engine.SetDeadline(time.Now().Add(answerWithin)); err != nil {
		return nil, err
	}
	if _, err := engine.Write(command); err != nil {
		return nil, err
	}
	return readMessage(engine)
}

// A message begins with its own length, four bytes, the lowest first.
func readMessage(from io.Reader) ([]byte, error) {
	length := make([]byte, 4)
	if _, err := io.ReadFull(from, length); err != nil {
		return nil, err
	}
	message := make([]byte, binary.LittleEndian.Uint32(length))
	copy(message, length)
	_, err := io.ReadFull(from, message[4:])
	return message, err
}
