package mqsample.wrapper;

import java.util.List;
import java.util.Map;
import mqsample.json.JsonException;
import mqsample.json.JsonObject;
import mqsample.ordered.Receiver;
import mqsample.ordered.Sender;
import mqsample.ordered.Sender.Message;

/** Puts either end of message streams behind the operations of the roles ordered_receiver and ordered_sender. */
final class OrderedRole implements Role {
    private Receiver receiver;
    private Sender sender;

    @Override
    public void reset() {
        receiver = new Receiver();
        sender = new Sender();
    }

    @Override
    public Map<String, Operation> operations() {
        return Map.ofEntries(
                Map.entry("ordered_receiver.receive", this::receive),
                Map.entry("ordered_receiver.receive_in_sequence", this::receiveInSequence),
                Map.entry("ordered_receiver.order_ack", this::lastAccepted),
                Map.entry("ordered_receiver.lose_state", this::loseState),
                Map.entry("ordered_receiver.restart", this::restartReceiver),
                Map.entry("ordered_receiver.advance_clock", this::advanceReceiver),
                Map.entry("ordered_sender.enqueue", this::enqueue),
                Map.entry("ordered_sender.transmit", this::transmit),
                Map.entry("ordered_sender.order_ack", this::orderAck),
                Map.entry("ordered_sender.discard", this::discard),
                // The first message of the queue has previous number zero at all times: there is nothing to do.
                Map.entry("ordered_sender.receiver_lost_state", params -> NOTHING),
                Map.entry("ordered_sender.restart", this::restartSender),
                Map.entry("ordered_sender.advance_clock", this::advanceSender));
    }

    /** The name of a stream or a message: a text or an integer. */
    static Object key(JsonObject params, String name) {
        if (!params.has(name)) {
            throw new JsonException("'" + name + "' is missing");
        }
        return params.any(name);
    }

    private static Object stream(JsonObject params) {
        return key(params, "stream");
    }

    private Map<String, ?> receive(JsonObject params) {
        return Map.of(
                "accepted", receiver.receive(stream(params), params.number("sequence"), params.number("previous")));
    }

    private Map<String, ?> receiveInSequence(JsonObject params) {
        return Map.of("accepted", receiver.receive(
                stream(params), params.integer("sequence_id"), params.number("sequence"), params.number("previous")));
    }

    private Map<String, ?> lastAccepted(JsonObject params) {
        return Map.of("sequence", receiver.lastAccepted(stream(params)));
    }

    private Map<String, ?> loseState(JsonObject params) {
        receiver.loseState();
        return NOTHING;
    }

    private Map<String, ?> restartReceiver(JsonObject params) {
        receiver.restart();
        return NOTHING;
    }

    private Map<String, ?> advanceReceiver(JsonObject params) {
        return Map.of("order_acks", receiver.advanceClock(params.duration("seconds")).stream()
                .map(ack -> Map.of("stream", ack.stream(), "sequence", ack.sequence()))
                .toList());
    }

    private Map<String, ?> enqueue(JsonObject params) {
        return message(sender.enqueue(stream(params), key(params, "message")));
    }

    private Map<String, ?> transmit(JsonObject params) {
        return messages(sender.transmit(stream(params)));
    }

    private Map<String, ?> orderAck(JsonObject params) {
        sender.orderAck(stream(params), params.number("sequence"));
        return NOTHING;
    }

    private Map<String, ?> discard(JsonObject params) {
        sender.discard(stream(params), key(params, "message"));
        return NOTHING;
    }

    private Map<String, ?> restartSender(JsonObject params) {
        sender.restart();
        return NOTHING;
    }

    private Map<String, ?> advanceSender(JsonObject params) {
        return messages(sender.advanceClock(params.duration("seconds")));
    }

    private static Map<String, ?> messages(List<Message> messages) {
        return Map.of("messages", messages.stream().map(OrderedRole::message).toList());
    }

    private static Map<String, ?> message(Message message) {
        return Map.of(
                "stream", message.stream(),
                "message", message.message(),
                "sequence", message.sequence(),
                "previous", message.previous());
    }
}
