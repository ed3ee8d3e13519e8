package mqsample.wrapper;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import mqsample.json.JsonObject;
import mqsample.routing.Directory;
import mqsample.routing.Directory.QueueManager;
import mqsample.routing.Directory.RoutingLink;
import mqsample.routing.Directory.Site;
import mqsample.routing.Router;

/** Puts the router behind the operations of the role router. */
final class RouterRole implements Role {
    private Router router;

    @Override
    public void reset() {
        router = new Router();
    }

    @Override
    public Map<String, Operation> operations() {
        return Map.ofEntries(
                Map.entry("router.load_directory", this::changeDirectory),
                Map.entry("router.change_directory", this::changeDirectory),
                Map.entry("router.fail_directory", this::failDirectory),
                Map.entry("router.initialize", this::initialize),
                Map.entry("router.advance_clock", this::advanceClock),
                Map.entry("router.get_next_hops", this::getNextHops),
                Map.entry("router.routing_table", this::routingTable),
                Map.entry("router.is_site_gate", this::isSiteGate),
                Map.entry("router.get_routing_server", asked -> value(router.lookups().routingServer(machine(asked)))),
                Map.entry("router.get_site_gate", asked -> value(router.lookups().siteGate(machine(asked)))),
                Map.entry(
                        "router.get_site_gate_for_site",
                        asked -> value(router.lookups().siteGateForSite(asked.guid("site")))));
    }

    private Map<String, ?> changeDirectory(JsonObject params) {
        router.changeDirectory(directory(params.object("directory")));
        return NOTHING;
    }

    private static Directory directory(JsonObject document) {
        return new Directory(
                document.objects("sites").stream()
                        .map(site -> new Site(site.guid("id"), site.guids("site_gates")))
                        .toList(),
                document.objects("routing_links").stream()
                        .map(link -> new RoutingLink(link.guid("site1"), link.guid("site2"), link.number("cost")))
                        .toList(),
                document.objects("queue_managers").stream().map(RouterRole::queueManager).toList());
    }

    private static QueueManager queueManager(JsonObject machine) {
        return new QueueManager(
                machine.guid("id"),
                machine.guids("sites"),
                machine.flag("routing_server"),
                machine.guids("in_routing_servers"),
                machine.guids("out_routing_servers"));
    }

    private Map<String, ?> failDirectory(JsonObject params) {
        router.failDirectory(params.text("object_type"), params.has("at"));
        return NOTHING;
    }

    private Map<String, ?> initialize(JsonObject params) {
        router.initialize(params.guid("local"));
        return NOTHING;
    }

    private Map<String, ?> advanceClock(JsonObject params) {
        router.advanceClock(params.duration("seconds"));
        return NOTHING;
    }

    private Map<String, ?> getNextHops(JsonObject params) {
        List<UUID> nextHops = router.nextHops(params.guid("source"), params.guid("destination"));
        if (nextHops.isEmpty()) {
            throw new Refusal(Refusal.NO_ROUTE, "the routing attempt failed");
        }
        return Map.of("next_hops", nextHops);
    }

    private Map<String, ?> routingTable(JsonObject params) {
        return Map.of("rows", router.table().rows().stream()
                .map(row -> Map.of("destination_site", row.destinationSite(), "next_hop_site", row.nextHopSite()))
                .toList());
    }

    private Map<String, ?> isSiteGate(JsonObject params) {
        return Map.of("value", router.lookups().isSiteGate(machine(params)) ? 1 : 0);
    }

    private static UUID machine(JsonObject params) {
        return params.guid("machine");
    }

    private static Map<String, ?> value(Optional<UUID> found) {
        return Collections.singletonMap("value", found.orElse(null));
    }
}
