package mqsample.wrapper;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mqsample.json.JsonObject;

/**
 * The implementation under test as a whole. To wrap an implementation of yours, replace the roles by your own, and leave out
 * what you do not have.
 */
final class Iut {
    private static final Map<String, Object> IDENTITY = Map.of(
            "protocol", 1,
            "name", "Java sample",
            "version", "1.0",
            "specs", Map.of("MQBR", "18.0", "MQSD", "13.0"),
            "roles", List.of(
                    "router", "discovery_server", "discovery_client", "ordered_receiver", "ordered_sender", "transaction"),
            "capabilities", List.of(
                    "virtual-clock", "procedures", "directory-faults", "udp", "send-faults", "restart", "sequences"));

    private final List<Role> roles = List.of(
            new RouterRole(), new DiscoveryServerRole(), new DiscoveryClientRole(), new OrderedRole(),
            new TransactionRole());

    Map<String, Role.Operation> operations() {
        Map<String, Role.Operation> operations = new HashMap<>();
        roles.forEach(Role::reset);
        roles.forEach(role -> operations.putAll(role.operations()));
        operations.put("initialize", params -> IDENTITY);
        operations.put("reset", this::reset);
        operations.put("shutdown", this::reset);
        return operations;
    }

    private Map<String, ?> reset(JsonObject params) {
        roles.forEach(Role::reset);
        return Role.NOTHING;
    }
}
