package mqsample.wrapper;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mqsample.json.JsonObject;
import mqsample.transactions.TransactionManager;
import mqsample.transactions.TransactionManager.Acknowledgment;
import mqsample.transactions.TransactionManager.DistributionList;
import mqsample.transactions.TransactionManager.Queue;

/** Puts the transaction manager behind the operations of the role transaction. */
final class TransactionRole implements Role {
    private TransactionManager manager;

    @Override
    public void reset() {
        manager = new TransactionManager(List.of(), List.of());
    }

    @Override
    public Map<String, Operation> operations() {
        return Map.of(
                "transaction.configure", this::configure,
                "transaction.begin", params -> Map.of("transaction", manager.begin()),
                "transaction.send", this::send,
                "transaction.commit", params -> Map.of("committed", manager.commit(params.number("transaction"))),
                "transaction.abort", this::abort,
                "transaction.fail_queue", this::failQueue,
                "transaction.deliver", this::deliver,
                "transaction.state", this::state);
    }

    private Map<String, ?> configure(JsonObject params) {
        List<Queue> queues = params.objects("queues").stream()
                .map(queue -> new Queue(queue.text("name"), queue.text("machine"), queue.flag("transactional")))
                .toList();
        List<DistributionList> lists = params.objects("lists").stream()
                .map(list -> new DistributionList(list.text("name"), list.texts("elements")))
                .toList();
        manager = new TransactionManager(queues, lists);
        return NOTHING;
    }

    private Map<String, ?> send(JsonObject params) {
        manager.send(
                params.number("transaction"),
                OrderedRole.key(params, "message"),
                params.texts("destination"),
                params.text("administration_queue", null));
        return NOTHING;
    }

    private Map<String, ?> abort(JsonObject params) {
        manager.abort(params.number("transaction"));
        return NOTHING;
    }

    private Map<String, ?> failQueue(JsonObject params) {
        manager.failQueue(params.text("queue"), params.flag("failing"));
        return NOTHING;
    }

    private Map<String, ?> deliver(JsonObject params) {
        manager.deliver();
        return NOTHING;
    }

    private Map<String, ?> state(JsonObject params) {
        Map<String, List<Map<String, Object>>> acknowledgments = new HashMap<>();
        manager.acknowledgments().forEach((queue, list) ->
                acknowledgments.put(queue, list.stream().map(TransactionRole::acknowledgment).toList()));
        return Map.of(
                "outgoing", manager.outgoing(),
                "queues", manager.queues(),
                "dead_letters", manager.deadLetters(),
                "acknowledgments", acknowledgments);
    }

    private static Map<String, Object> acknowledgment(Acknowledgment refusal) {
        return Map.of("message", refusal.message(), "queue", refusal.queue(), "class", refusal.reason());
    }
}
