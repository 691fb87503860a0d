// A server that speaks MongoDB's wire protocol, on SQLite: what the tests of the MongoDB adapter run against.
// Arguments: the address to listen on, and the folder of the data. The engine is a process of its own, started again when it
// ends or does not answer.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

// Third argument of the process that runs the engine.
const engineOnly = "engine"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	run := serveClients
	if len(os.Args) > 3 && os.Args[3] == engineOnly {
		run = runEngine
	}
	if err := run(ctx, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runEngine(ctx context.Context, _ string, dir string) error {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{Unix: socketIn(dir)},
		Handler:   "sqlite",
		SQLiteURL: "file:" + dir + "/",
	})
	if err != nil {
		return err
	}
	return server.Run(ctx)
}

func serveClients(ctx context.Context, address string, dir string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	engine := &engineProcess{address: address, dir: dir}
	go relay(listener, engine)
	return engine.keepRunning(ctx)
}

func socketIn(dir string) string {
	return filepath.Join(dir, "engine.sock")
}
