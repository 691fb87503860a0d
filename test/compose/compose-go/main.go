// Loads compose files as Docker Compose does, with its schema, and prints the project. Arguments: the files. Variables come from the
// environment.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithOsEnv)
	if err == nil {
		project, loadErr := options.LoadProject(context.Background())
		err = loadErr
		if err == nil {
			printed, printErr := project.MarshalJSON()
			fmt.Println(string(printed))
			err = printErr
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
