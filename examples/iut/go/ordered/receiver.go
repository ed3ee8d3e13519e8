package ordered

import "time"

const (
	orderAckTimeout      = 500 * time.Millisecond
	maximumOrderAckDelay = 10 * time.Second
)

// OrderAck is an order acknowledgment: every message of the stream up to Sequence was accepted.
type OrderAck struct {
	Stream   Key    `json:"stream"`
	Sequence uint64 `json:"sequence"`
}

// Receiver filters the messages of any number of streams. It has a clock of its own that stands still until AdvanceClock.
type Receiver struct {
	streams map[Key]*incoming
	order   []*incoming // in the order of their first messages
	now     time.Duration
}

// incoming is what a receiver knows of a stream. The first two have to be stored.
type incoming struct {
	stream       Key
	sequenceID   uint64
	lastAccepted uint64

	inSession   bool // a message came since the receiver started
	lastAckTime time.Duration
	ackDue      *time.Duration // nil while the timer does not run
}

// NewReceiver gives a receiver that knows no stream.
func NewReceiver() *Receiver {
	return &Receiver{streams: map[Key]*incoming{}}
}

// Receive says whether the next message of the stream's current sequence is accepted.
func (r *Receiver) Receive(stream Key, sequence, previous uint64) bool {
	return r.ReceiveInSequence(stream, r.known(stream).sequenceID, sequence, previous)
}

// ReceiveInSequence says whether a message is accepted: it is in order and no copy, or begins a newer sequence (MS-MQQB
// 3.1.5.8.6). Only what is accepted moves the last accepted number.
func (r *Receiver) ReceiveInSequence(stream Key, sequenceID, sequence, previous uint64) bool {
	known := r.known(stream)
	r.scheduleOrderAck(known)
	var accepted bool
	switch {
	case sequenceID == known.sequenceID:
		accepted = sequence > known.lastAccepted && previous <= known.lastAccepted
	case sequenceID > known.sequenceID:
		accepted = previous == 0
	}
	if accepted {
		known.sequenceID, known.lastAccepted = sequenceID, sequence
	}
	return accepted
}

// LastAccepted is the number that an order acknowledgment would carry.
func (r *Receiver) LastAccepted(stream Key) uint64 {
	if known := r.streams[stream]; known != nil {
		return known.lastAccepted
	}
	return 0
}

// LoseState is a crash after which the numbers are gone.
func (r *Receiver) LoseState() {
	r.streams, r.order = map[Key]*incoming{}, nil
}

// Restart is a crash after which the numbers are found in the store; the timers are gone.
func (r *Receiver) Restart() {
	for _, known := range r.order {
		known.inSession, known.ackDue = false, nil
	}
}

// AdvanceClock lets time pass and gives the order acknowledgments that go out meanwhile.
func (r *Receiver) AdvanceClock(passed time.Duration) []OrderAck {
	r.now += passed
	var acks []OrderAck
	for next := r.nextDue(); next != nil; next = r.nextDue() {
		next.lastAckTime, next.ackDue = *next.ackDue, nil
		acks = append(acks, OrderAck{next.stream, next.lastAccepted})
	}
	return acks
}

// scheduleOrderAck is for every arrival, accepted or not: it starts the timer, and puts a running one off as long as the
// last acknowledgment is not too old (MS-MQQB 3.1.1.6.2).
func (r *Receiver) scheduleOrderAck(known *incoming) {
	if !known.inSession {
		known.inSession, known.lastAckTime = true, r.now
	}
	if known.ackDue != nil && r.now-known.lastAckTime >= maximumOrderAckDelay {
		return
	}
	due := r.now + orderAckTimeout
	known.ackDue = &due
}

// nextDue gives the stream whose timer ended first, or nil.
func (r *Receiver) nextDue() *incoming {
	var next *incoming
	for _, known := range r.order {
		if known.ackDue != nil && *known.ackDue <= r.now && (next == nil || *known.ackDue < *next.ackDue) {
			next = known
		}
	}
	return next
}

func (r *Receiver) known(stream Key) *incoming {
	known := r.streams[stream]
	if known == nil {
		known = &incoming{stream: stream}
		r.streams[stream] = known
		r.order = append(r.order, known)
	}
	return known
}
