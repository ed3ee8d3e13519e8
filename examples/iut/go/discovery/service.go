package discovery

// Socket is what a server receives from.
type Socket interface {
	Open() error
	Close()
}

// Service answers requests, and opens its socket anew after a network error (3.2.5).
type Service struct {
	Configuration ServerConfiguration
	Listening     bool
	SocketsOpened int
	FailNextSend  bool // for tests: the next send meets a network error
	FailNextOpen  bool // for tests: then the socket cannot be opened

	socket Socket
}

// Listen opens the socket (3.2.3) in place of the one before it.
func (s *Service) Listen(socket Socket) error {
	s.Stop()
	s.socket = socket
	return s.open()
}

func (s *Service) open() error {
	err := s.socket.Open()
	s.Listening = err == nil
	if s.Listening {
		s.SocketsOpened++
	}
	return err
}

// Receive answers one packet by means of send. When the reply cannot be sent, the socket is closed and opened again; if
// that fails the service is over.
func (s *Service) Receive(packet []byte, send func(reply []byte) error) {
	if !s.Listening {
		return
	}
	reply := s.Configuration.Answer(packet)
	if reply == nil {
		return
	}
	failed := s.FailNextSend || send(reply) != nil
	s.FailNextSend = false
	if !failed {
		return
	}
	s.Stop()
	if !s.FailNextOpen {
		_ = s.open() // Listening tells
	}
	s.FailNextOpen = false
}

// Stop closes the socket.
func (s *Service) Stop() {
	s.Listening = false
	if s.socket != nil {
		s.socket.Close()
	}
}
