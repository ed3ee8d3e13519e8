package discovery

import (
	"net"
	"sync"
)

const maxDatagram = 65535

// UDPSocket is a Socket that listens on an address. Port 0 becomes the port that the system gave, and stays it.
type UDPSocket struct {
	Address    *net.UDPAddr
	connection *net.UDPConn
}

// Open binds the address.
func (u *UDPSocket) Open() error {
	connection, err := net.ListenUDP("udp", u.Address)
	if err != nil {
		return err
	}
	u.connection = connection
	u.Address = connection.LocalAddr().(*net.UDPAddr)
	return nil
}

// Close ends a read that waits.
func (u *UDPSocket) Close() {
	if u.connection != nil {
		u.connection.Close()
	}
}

// ServeUDP answers what arrives until the service stops listening on the socket. The lock is held while the service is
// in use.
func ServeUDP(service *Service, socket *UDPSocket, lock sync.Locker) {
	datagram := make([]byte, maxDatagram)
	for {
		lock.Lock()
		connection, over := socket.connection, !service.Listening || service.socket != socket
		lock.Unlock()
		if over {
			return
		}
		size, sender, err := connection.ReadFromUDP(datagram)
		if err != nil {
			continue // closed: for good, or to be opened again
		}
		lock.Lock()
		service.Receive(datagram[:size], func(reply []byte) error {
			_, err := connection.WriteToUDP(reply, sender)
			return err
		})
		lock.Unlock()
	}
}
