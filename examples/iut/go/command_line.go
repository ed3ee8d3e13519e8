package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"

	"example.com/mqsample/discovery"
	"example.com/mqsample/guid"
)

// runDiscoveryServer answers requests by UDP until SIGTERM or SIGINT.
func runDiscoveryServer(arguments []string) int {
	var configuration discovery.ServerConfiguration
	flags := flag.NewFlagSet("mqsample discovery-server", flag.ContinueOnError)
	host := flags.String("host", "127.0.0.1", "address to listen on")
	port := flags.Int("port", discovery.Port, "UDP port; 0 for any")
	identifiers := identifierFlags(flags, &configuration.Enterprise, &configuration.Site)
	flags.Func("connected-network", "GUID of a connected network; repeat it for more", func(text string) error {
		var network guid.GUID
		err := network.UnmarshalText([]byte(text))
		configuration.ConnectedNetworks = append(configuration.ConnectedNetworks, network)
		return err
	})
	flags.Func("directory-server", "name of a directory server; repeat it for more", func(text string) error {
		server := discovery.DirectoryServer{Name: discovery.NameOf(text), IP: true}
		configuration.DirectoryServers = append(configuration.DirectoryServers, server)
		return configuration.Check()
	})
	if err := parse(flags, arguments, identifiers...); err != nil {
		return refuse(err)
	}
	address, err := net.ResolveUDPAddr("udp", net.JoinHostPort(*host, strconv.Itoa(*port)))
	if err != nil {
		return refuse(err)
	}
	return serveUntilSignal(configuration, address)
}

func serveUntilSignal(configuration discovery.ServerConfiguration, address *net.UDPAddr) int {
	var lock sync.Mutex
	service := &discovery.Service{Configuration: configuration}
	socket := &discovery.UDPSocket{Address: address}
	if err := service.Listen(socket); err != nil {
		return refuse(err)
	}
	fmt.Printf("listening on %s\n", socket.Address)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	over := make(chan struct{})
	go func() {
		discovery.ServeUDP(service, socket, &lock)
		close(over)
	}()
	select {
	case <-signals:
		return success
	case <-over: // the socket could not be opened again (3.2.5)
		return noSuccess
	}
}

// runDiscoveryClient searches once and shows each effect as a line of JSON, and last what it has found.
func runDiscoveryClient(arguments []string) int {
	client := &discovery.Client{NewRequestID: randomGUID}
	var attachments []discovery.Attachment
	flags := flag.NewFlagSet("mqsample discovery-client", flag.ContinueOnError)
	port := flags.Int("port", discovery.Port, "UDP port of the servers")
	broadcast := flags.String("broadcast", "limited", "limited: to 255.255.255.255, or directed: to that of the subnet")
	identifiers := identifierFlags(flags, &client.Enterprise, &client.Site)
	flags.Func("network", "own ADDRESS[/PREFIX] on a network; repeat it in the order of the search", func(text string) error {
		attachment, err := discovery.ParseAttachment(text)
		attachments = append(attachments, attachment)
		return err
	})
	if err := parse(flags, arguments, append(identifiers, "network")...); err != nil {
		return refuse(err)
	}
	if *broadcast != "limited" && *broadcast != "directed" {
		return refuse(errors.New("-broadcast is limited or directed"))
	}
	lines := json.NewEncoder(os.Stdout)
	show := func(happened discovery.Effect) { _ = lines.Encode(effect(happened)) }
	found, err := discovery.SearchByUDP(client, attachments, *port, *broadcast == "limited", show)
	if err != nil {
		return refuse(err)
	}
	outcome := clientState(client)
	outcome["result"] = result(found)
	_ = lines.Encode(outcome)
	if !found {
		return noSuccess
	}
	return success
}

// identifierFlags adds what client and server share and gives the names.
func identifierFlags(flags *flag.FlagSet, enterprise, site *guid.GUID) []string {
	flags.TextVar(enterprise, "enterprise", guid.GUID{}, "GUID of the enterprise")
	flags.TextVar(site, "site", guid.GUID{}, "GUID of the site")
	return []string{"enterprise", "site"}
}

// parse reads the options and refuses further arguments and the lack of those needed. Asked for help, it ends the program.
func parse(flags *flag.FlagSet, arguments []string, needed ...string) error {
	flags.SetOutput(io.Discard)
	err := flags.Parse(arguments)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(os.Stdout)
		flags.PrintDefaults()
		os.Exit(success)
	}
	if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("what is %q?", flags.Arg(0))
	}
	given := map[string]bool{}
	flags.Visit(func(each *flag.Flag) { given[each.Name] = true })
	for _, name := range needed {
		if !given[name] {
			return fmt.Errorf("-%s is missing", name)
		}
	}
	return nil
}
