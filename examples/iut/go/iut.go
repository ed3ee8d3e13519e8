package main

import "io"

const version = "1.0"

// role is a part that the harness can try: the operations it offers, on a state of its own that reset makes fresh.
type role interface {
	reset()
	operations() map[string]operation
}

type identity struct {
	Protocol     int               `json:"protocol"`
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Roles        []string          `json:"roles"`
	Capabilities []string          `json:"capabilities"`
	Specs        map[string]string `json:"specs"`
}

var self = identity{
	Protocol: 1, Name: "Go sample", Version: version,
	Roles: []string{
		"router", "discovery_server", "discovery_client", "ordered_receiver", "ordered_sender", "transaction",
	},
	Capabilities: []string{
		"virtual-clock", "procedures", "directory-faults", "udp", "send-faults", "restart", "sequences",
	},
	Specs: map[string]string{"MQBR": "18.0", "MQSD": "13.0"},
}

// serveIUT speaks the IUT protocol. To wrap an implementation of yours, replace the roles by your own, and leave out of
// self what you do not have.
func serveIUT(in io.Reader, out io.Writer) error {
	roles := []role{
		&routerRole{}, &discoveryServerRole{}, &discoveryClientRole{}, &orderedRole{}, &transactionRole{},
	}
	all := map[string]operation{}
	reset := func(nothing) (any, error) {
		for _, each := range roles {
			each.reset()
		}
		return nothing{}, nil
	}
	all["initialize"] = offer(func(nothing) (any, error) { return self, nil })
	all["reset"] = offer(reset)
	all["shutdown"] = offer(reset)
	for _, each := range roles {
		each.reset()
		for method, perform := range each.operations() {
			all[method] = perform
		}
	}
	return serveRPC(in, out, all)
}
