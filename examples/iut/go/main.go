// mqsample is a router, discovery server and discovery client of Message Queuing, and both ends of exactly-once delivery,
// to start a wrapper of your own from.
package main

import (
	"fmt"
	"os"
)

const usage = `usage: mqsample [stdio]
       mqsample discovery-server --enterprise GUID --site GUID [option]...
       mqsample discovery-client --enterprise GUID --site GUID --network ADDRESS[/PREFIX]... [option]...`

// Exit codes.
const (
	success    = 0
	noSuccess  = 1
	wrongUsage = 4
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(arguments []string) int {
	command := "stdio"
	if len(arguments) > 0 {
		command, arguments = arguments[0], arguments[1:]
	}
	switch command {
	case "stdio":
		if err := serveIUT(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "mqsample:", err)
			return noSuccess
		}
		return success
	case "discovery-server":
		return runDiscoveryServer(arguments)
	case "discovery-client":
		return runDiscoveryClient(arguments)
	case "-h", "-help", "--help", "help":
		fmt.Println(usage)
		return success
	default:
		fmt.Fprintln(os.Stderr, usage)
		return wrongUsage
	}
}

func refuse(err error) int {
	fmt.Fprintln(os.Stderr, "mqsample:", err)
	return wrongUsage
}
