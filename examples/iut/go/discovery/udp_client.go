package discovery

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// Attachment is one of the computer's own addresses and the broadcast address of its network.
type Attachment struct {
	Address, Broadcast net.IP
}

// ParseAttachment reads ADDRESS/PREFIX, or ADDRESS alone where an interface of the computer has it.
func ParseAttachment(text string) (Attachment, error) {
	if !strings.Contains(text, "/") {
		text = withPrefix(text)
	}
	address, network, err := net.ParseCIDR(text)
	if err != nil || address.To4() == nil {
		return Attachment{}, fmt.Errorf("%s is no IPv4 address with a prefix, such as 192.0.2.7/24", text)
	}
	broadcast := make(net.IP, net.IPv4len)
	for i, octet := range address.To4() {
		broadcast[i] = octet | ^network.Mask[i]
	}
	return Attachment{address.To4(), broadcast}, nil
}

func withPrefix(address string) string {
	own, _ := net.InterfaceAddrs()
	for _, each := range own {
		if strings.HasPrefix(each.String(), address+"/") {
			return each.String()
		}
	}
	return address
}

// arrival is a packet and the own address that it came to.
type arrival struct {
	network string
	packet  []byte
}

// SearchByUDP lets the client search once, by broadcasts to the port, and shows every effect. Limited broadcasts go to
// 255.255.255.255. It says whether the search was a success.
func SearchByUDP(client *Client, attachments []Attachment, port int, limited bool, show func(Effect)) (bool, error) {
	arrivals := make(chan arrival)
	ends := map[string]*udpEnd{}
	for _, attachment := range attachments {
		end, err := openUDPEnd(attachment, port, limited)
		if err != nil {
			return false, err
		}
		defer end.connection.Close()
		network := attachment.Address.String()
		ends[network] = end
		client.Networks = append(client.Networks, Network{Address: network})
		go end.receive(network, arrivals)
	}
	return search(client, ends, arrivals, show), nil
}

// search runs on one goroutine, so that the client needs no lock.
func search(client *Client, ends map[string]*udpEnd, arrivals <-chan arrival, show func(Effect)) bool {
	effects, last := client.GetDirectoryServerList(), time.Now()
	for {
		for _, effect := range effects {
			if effect.Datagram == nil {
				show(effect)
				return effect.Success
			}
			ends[effect.Network].broadcast(effect.Datagram) // a failed one is like a lost one: the wait goes on
			show(effect)
		}
		timer := time.NewTimer(client.UntilTimeout())
		var came *arrival
		select {
		case each := <-arrivals:
			came = &each
		case <-timer.C:
		}
		timer.Stop()
		now := time.Now()
		effects = client.AdvanceClock(now.Sub(last))
		last = now
		if came != nil {
			effects = append(effects, client.Receive(came.network, came.packet)...)
		}
	}
}

// udpEnd is a socket on one of the networks. It is bound to the own address, so that broadcasts leave by that network and
// replies tell by which they came.
type udpEnd struct {
	connection *net.UDPConn
	target     *net.UDPAddr
}

func openUDPEnd(attachment Attachment, port int, limited bool) (*udpEnd, error) {
	connection, err := net.ListenUDP("udp4", &net.UDPAddr{IP: attachment.Address})
	if err != nil {
		return nil, err
	}
	target := attachment.Broadcast
	if limited {
		target = net.IPv4bcast
	}
	return &udpEnd{connection, &net.UDPAddr{IP: target, Port: port}}, nil
}

func (u *udpEnd) broadcast(datagram []byte) {
	_, _ = u.connection.WriteToUDP(datagram, u.target)
}

func (u *udpEnd) receive(network string, arrivals chan<- arrival) {
	buffer := make([]byte, maxDatagram)
	for {
		size, _, err := u.connection.ReadFromUDP(buffer)
		if err != nil {
			return // closed
		}
		arrivals <- arrival{network, append([]byte(nil), buffer[:size]...)}
	}
}
