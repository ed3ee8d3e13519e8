package main

import (
	"encoding/hex"
	"net"
	"strconv"
	"sync"

	"example.com/mqsample/discovery"
)

// discoveryServerRole puts the server behind the operations of the role discovery_server. Packets come by the pipe, and
// by UDP too once that is asked for.
type discoveryServerRole struct {
	lock    sync.Mutex // UDP is served by a goroutine of its own
	service *discovery.Service
}

// pipe stands for the socket as long as packets come by the pipe alone.
type pipe struct{}

func (pipe) Open() error { return nil }
func (pipe) Close()      {}

func (d *discoveryServerRole) reset() {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.service != nil {
		d.service.Stop()
	}
	d.service = &discovery.Service{}
	_ = d.service.Listen(pipe{}) // cannot fail
}

func (d *discoveryServerRole) operations() map[string]operation {
	return map[string]operation{
		"discovery_server.configure":      offer(d.configure),
		"discovery_server.receive":        offer(d.receive),
		"discovery_server.listen":         offer(d.listen),
		"discovery_server.fail_next_send": offer(d.failNextSend),
		"discovery_server.fail_next_open": offer(d.failNextOpen),
		"discovery_server.state":          offer(d.state),
	}
}

func (d *discoveryServerRole) configure(p discovery.ServerConfiguration) (any, error) {
	if err := p.Check(); err != nil {
		return nil, failure{invalidParams, err.Error()}
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	d.service.Configuration = p
	return nothing{}, nil
}

func (d *discoveryServerRole) receive(p struct {
	Network  string `json:"network"`
	Datagram string `json:"datagram"`
}) (any, error) {
	packet, err := hex.DecodeString(p.Datagram)
	if err != nil {
		return nil, failure{invalidParams, err.Error()}
	}
	if p.Network != "ip" {
		return nil, failure{notOffered, "IPX is not offered"}
	}
	replies := []string{}
	d.lock.Lock()
	defer d.lock.Unlock()
	d.service.Receive(packet, func(reply []byte) error {
		replies = append(replies, hex.EncodeToString(reply))
		return nil
	})
	return map[string]any{"replies": replies}, nil
}

type endpoint struct {
	Host string `json:"host"`
	Port int    `json:"port"`
}

func (d *discoveryServerRole) listen(p endpoint) (any, error) {
	address, err := net.ResolveUDPAddr("udp", net.JoinHostPort(p.Host, strconv.Itoa(p.Port)))
	if err != nil {
		return nil, err
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	socket := &discovery.UDPSocket{Address: address}
	if err := d.service.Listen(socket); err != nil {
		return nil, err
	}
	go discovery.ServeUDP(d.service, socket, &d.lock)
	return endpoint{socket.Address.IP.String(), socket.Address.Port}, nil
}

func (d *discoveryServerRole) failNextSend(nothing) (any, error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	d.service.FailNextSend = true
	return nothing{}, nil
}

func (d *discoveryServerRole) failNextOpen(nothing) (any, error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	d.service.FailNextOpen = true
	return nothing{}, nil
}

func (d *discoveryServerRole) state(nothing) (any, error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	return map[string]any{"listening": d.service.Listening, "sockets_opened": d.service.SocketsOpened}, nil
}
