package ordered

import "time"

// resendIntervals follow one another while no order acknowledgment comes; the last one stays.
var resendIntervals = []time.Duration{
	30 * time.Second, 30 * time.Second, 30 * time.Second,
	300 * time.Second, 300 * time.Second, 300 * time.Second,
	1800 * time.Second, 1800 * time.Second, 1800 * time.Second,
	21600 * time.Second,
}

// Message as it is sent.
type Message struct {
	Stream   Key    `json:"stream"`
	Message  Key    `json:"message"`
	Sequence uint64 `json:"sequence"`
	Previous uint64 `json:"previous"`
}

// Sender keeps messages of any number of streams until they are acknowledged. It has a clock of its own that stands
// still until AdvanceClock.
type Sender struct {
	streams map[Key]*outgoing
	order   []*outgoing // in the order of their first messages
	now     time.Duration
}

// outgoing is what a sender knows of a stream. All but the timer has to be stored.
type outgoing struct {
	stream       Key
	lastSequence uint64
	waiting      []queued // neither acknowledged nor discarded

	resendDue *time.Duration // nil while the timer does not run
	resends   int            // since everything was acknowledged
}

type queued struct {
	message  Key
	sequence uint64
}

// NewSender gives a sender without messages.
func NewSender() *Sender {
	return &Sender{streams: map[Key]*outgoing{}}
}

// Enqueue takes on a message and gives it the number that it keeps.
func (s *Sender) Enqueue(stream, message Key) Message {
	known := s.known(stream)
	previous := uint64(0)
	if last := len(known.waiting) - 1; last >= 0 {
		previous = known.waiting[last].sequence
	}
	known.lastSequence++
	known.waiting = append(known.waiting, queued{message, known.lastSequence})
	return Message{stream, message, known.lastSequence, previous}
}

// Transmit gives all that waits, in order. The wait for an order acknowledgment begins with it.
func (s *Sender) Transmit(stream Key) []Message {
	known := s.known(stream)
	if known.resendDue == nil {
		known.startTimer(s.now)
	}
	return known.messages()
}

// OrderAck releases every message up to the number. For those that are left the wait begins anew.
func (s *Sender) OrderAck(stream Key, sequence uint64) {
	known := s.known(stream)
	released := known.keep(func(each queued) bool { return each.sequence > sequence })
	if released && known.resendDue != nil {
		known.startTimer(s.now)
	}
}

// Discard takes a message that expired out of the stream.
func (s *Sender) Discard(stream, message Key) {
	known := s.known(stream)
	known.keep(func(each queued) bool { return each.message != message })
}

// Restart is a crash after which messages and numbers are found in the store; the waits begin again.
func (s *Sender) Restart() {
	for _, known := range s.order {
		known.resends = 0
		known.startTimer(s.now)
	}
}

// AdvanceClock lets time pass and gives what is sent again meanwhile (MS-MQQB 3.1.6.5).
func (s *Sender) AdvanceClock(passed time.Duration) []Message {
	s.now += passed
	var resent []Message
	for next := s.nextDue(); next != nil; next = s.nextDue() {
		resent = append(resent, next.messages()...)
		next.resends++
		next.startTimer(*next.resendDue)
	}
	return resent
}

// nextDue gives the stream whose timer ended first, or nil.
func (s *Sender) nextDue() *outgoing {
	var next *outgoing
	for _, known := range s.order {
		if known.resendDue != nil && *known.resendDue <= s.now && (next == nil || *known.resendDue < *next.resendDue) {
			next = known
		}
	}
	return next
}

func (s *Sender) known(stream Key) *outgoing {
	known := s.streams[stream]
	if known == nil {
		known = &outgoing{stream: stream}
		s.streams[stream] = known
		s.order = append(s.order, known)
	}
	return known
}

// messages links each message to the one that waits before it. The first has previous number zero, which suits a
// receiver that lost its numbers as well as one that has them: what came before was acknowledged or discarded.
func (o *outgoing) messages() []Message {
	messages := []Message{}
	previous := uint64(0)
	for _, each := range o.waiting {
		messages = append(messages, Message{o.stream, each.message, each.sequence, previous})
		previous = each.sequence
	}
	return messages
}

// keep drops the other messages and says whether there were any. Once none is left, the intervals between resends begin
// with the first again.
func (o *outgoing) keep(stays func(queued) bool) bool {
	var kept []queued
	for _, each := range o.waiting {
		if stays(each) {
			kept = append(kept, each)
		}
	}
	dropped := len(kept) < len(o.waiting)
	o.waiting = kept
	if len(kept) == 0 {
		o.resendDue, o.resends = nil, 0
	}
	return dropped
}

func (o *outgoing) startTimer(now time.Duration) {
	if len(o.waiting) == 0 {
		return
	}
	interval := resendIntervals[len(resendIntervals)-1]
	if o.resends < len(resendIntervals) {
		interval = resendIntervals[o.resends]
	}
	due := now + interval
	o.resendDue = &due
}
