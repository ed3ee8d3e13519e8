package main

import "example.com/mqsample/ordered"

// orderedRole puts either end of message streams behind the operations of the roles ordered_receiver and ordered_sender.
type orderedRole struct {
	receiver *ordered.Receiver
	sender   *ordered.Sender
}

func (o *orderedRole) reset() {
	o.receiver, o.sender = ordered.NewReceiver(), ordered.NewSender()
}

func (o *orderedRole) operations() map[string]operation {
	return map[string]operation{
		"ordered_receiver.receive":             offer(o.receive),
		"ordered_receiver.receive_in_sequence": offer(o.receiveInSequence),
		"ordered_receiver.order_ack":           offer(o.receiverOrderAck),
		"ordered_receiver.lose_state":          offer(o.loseState),
		"ordered_receiver.restart":             offer(o.restartReceiver),
		"ordered_receiver.advance_clock":       offer(o.advanceReceiver),
		"ordered_sender.enqueue":               offer(o.enqueue),
		"ordered_sender.transmit":              offer(o.transmit),
		"ordered_sender.order_ack":             offer(o.senderOrderAck),
		"ordered_sender.discard":               offer(o.discard),
		"ordered_sender.receiver_lost_state":   offer(o.receiverLostState),
		"ordered_sender.restart":               offer(o.restartSender),
		"ordered_sender.advance_clock":         offer(o.advanceSender),
	}
}

type streamParams struct {
	Stream ordered.Key `json:"stream"`
}

type messageParams struct {
	Stream  ordered.Key `json:"stream"`
	Message ordered.Key `json:"message"`
}

type arrivalParams struct {
	Stream     ordered.Key `json:"stream"`
	SequenceID uint64      `json:"sequence_id"`
	Sequence   uint64      `json:"sequence"`
	Previous   uint64      `json:"previous"`
}

func (o *orderedRole) receive(p arrivalParams) (any, error) {
	return map[string]any{"accepted": o.receiver.Receive(p.Stream, p.Sequence, p.Previous)}, nil
}

func (o *orderedRole) receiveInSequence(p arrivalParams) (any, error) {
	accepted := o.receiver.ReceiveInSequence(p.Stream, p.SequenceID, p.Sequence, p.Previous)
	return map[string]any{"accepted": accepted}, nil
}

func (o *orderedRole) receiverOrderAck(p streamParams) (any, error) {
	return map[string]any{"sequence": o.receiver.LastAccepted(p.Stream)}, nil
}

func (o *orderedRole) loseState(nothing) (any, error) {
	o.receiver.LoseState()
	return nothing{}, nil
}

func (o *orderedRole) restartReceiver(nothing) (any, error) {
	o.receiver.Restart()
	return nothing{}, nil
}

func (o *orderedRole) advanceReceiver(p secondsParams) (any, error) {
	return map[string]any{"order_acks": append([]ordered.OrderAck{}, o.receiver.AdvanceClock(p.duration())...)}, nil
}

func (o *orderedRole) enqueue(p messageParams) (any, error) {
	return o.sender.Enqueue(p.Stream, p.Message), nil
}

func (o *orderedRole) transmit(p streamParams) (any, error) {
	return map[string]any{"messages": o.sender.Transmit(p.Stream)}, nil
}

func (o *orderedRole) senderOrderAck(p struct {
	Stream   ordered.Key `json:"stream"`
	Sequence uint64      `json:"sequence"`
}) (any, error) {
	o.sender.OrderAck(p.Stream, p.Sequence)
	return nothing{}, nil
}

func (o *orderedRole) discard(p messageParams) (any, error) {
	o.sender.Discard(p.Stream, p.Message)
	return nothing{}, nil
}

// receiverLostState needs nothing: the first message of the queue has previous number zero at all times.
func (o *orderedRole) receiverLostState(streamParams) (any, error) {
	return nothing{}, nil
}

func (o *orderedRole) restartSender(nothing) (any, error) {
	o.sender.Restart()
	return nothing{}, nil
}

func (o *orderedRole) advanceSender(p secondsParams) (any, error) {
	return map[string]any{"messages": append([]ordered.Message{}, o.sender.AdvanceClock(p.duration())...)}, nil
}
