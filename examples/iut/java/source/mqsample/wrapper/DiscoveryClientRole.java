package mqsample.wrapper;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mqsample.discovery.Client;
import mqsample.discovery.Client.Network;
import mqsample.discovery.Effect;
import mqsample.json.JsonObject;

/** Puts the client behind the operations of the role discovery_client. */
final class DiscoveryClientRole implements Role {
    private static final UUID NOT_CONFIGURED = new UUID(0, 0);

    private Client client;

    @Override
    public void reset() {
        client = new Client(NOT_CONFIGURED, NOT_CONFIGURED, List.of());
    }

    @Override
    public Map<String, Operation> operations() {
        return Map.of(
                "discovery_client.configure", this::configure,
                "discovery_client.change_networks", this::changeNetworks,
                "discovery_client.start", params -> effects(client.getDirectoryServerList()),
                "discovery_client.receive", this::receive,
                "discovery_client.advance_clock", this::advanceClock,
                "discovery_client.state", params -> state(client));
    }

    private Map<String, ?> configure(JsonObject params) {
        client = new Client(params.guid("enterprise"), params.guid("site"), networks(params));
        return NOTHING;
    }

    private Map<String, ?> changeNetworks(JsonObject params) {
        client.changeNetworks(networks(params));
        return NOTHING;
    }

    private static List<Network> networks(JsonObject params) {
        return params.objects("networks").stream()
                .map(network -> new Network(network.text("address"), network.flagOrFalse("remote_access")))
                .toList();
    }

    private Map<String, ?> receive(JsonObject params) {
        byte[] packet = HexFormat.of().parseHex(params.text("datagram"));
        return effects(client.receive(params.text("network"), packet));
    }

    private Map<String, ?> advanceClock(JsonObject params) {
        return effects(client.advanceClock(params.duration("seconds")));
    }

    private static Map<String, ?> effects(List<Effect> effects) {
        return Map.of("effects", effects.stream().map(DiscoveryClientRole::effect).toList());
    }

    static Map<String, ?> effect(Effect effect) {
        if (effect instanceof Effect.Send send) {
            String datagram = HexFormat.of().formatHex(send.datagram());
            return Map.of("send", Map.of("network", send.network(), "datagram", datagram));
        }
        return Map.of("complete", Map.of("result", result(((Effect.Complete) effect).success())));
    }

    static String result(boolean success) {
        return success ? "success" : "failure";
    }

    /** Shows the elements of MS-MQSD 3.1.1. */
    static Map<String, Object> state(Client client) {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("directory_servers", client.directoryServerList());
        state.put("connected_networks", client.connectedNetworkIdentifierList());
        state.put("valid_last_successful_network_address", client.validLastSuccessfulNetworkAddress());
        state.put("last_successful_network_address", client.lastSuccessfulNetworkAddress());
        state.put("request_id", client.requestId());
        state.put("current_network_index", client.currentNetworkIndex());
        return state;
    }
}
