package mqsample.discovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks for directory servers. It has neither sockets nor a clock: events go in, effects come out. It follows the rules of
 * MS-MQSD 3.1 to the letter, with three exceptions where the letter leads nowhere: the list of networks is replaced rather
 * than added to with each search (3.1.4.1), a search without networks fails, and replies that come after the end of a
 * search are ignored, as the example in section 4 has it.
 */
public final class Client {
    /** Of the Wait For Response Timer (3.1.2.1). */
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(15);

    /** A network to which the computer is connected. */
    public record Network(String address, boolean remoteAccess) {}

    private final UUID enterprise;
    private final UUID site;
    private List<Network> networks; // those of the computer, in the order of the search

    private List<Network> networkAddressList = List.of();
    private int currentNetworkIndex; // counts from 1; 0 before the first request
    private UUID requestId; // null before the first search
    private Optional<TopologyServerReply> lastTopologyServerReply = Optional.empty();
    private boolean topologyServerReplyReceived;
    private String lastSuccessfulNetworkAddress; // null before the first reply
    private boolean validLastSuccessfulNetworkAddress;
    private List<String> directoryServerList = List.of();
    private List<UUID> connectedNetworkIdentifierList = List.of();

    private boolean searching;
    private Duration untilTimeout = Duration.ZERO;
    private final List<Effect> effects = new ArrayList<>();

    public Client(UUID enterprise, UUID site, List<Network> networks) {
        this.enterprise = enterprise;
        this.site = site;
        this.networks = networks;
    }

    /** The computer is connected to other networks; the next search goes there. */
    public void changeNetworks(List<Network> changed) {
        networks = changed;
    }

    /** Starts a search (3.1.4.1). Where the event ends at once, a search that is under way goes on. */
    public List<Effect> getDirectoryServerList() {
        if (validLastSuccessfulNetworkAddress && networks.stream().noneMatch(Network::remoteAccess)) {
            return List.of(new Effect.Complete(true));
        }
        networkAddressList = networks;
        requestId = UUID.randomUUID();
        currentNetworkIndex = 0;
        topologyServerReplyReceived = false;
        if (networks.isEmpty()) {
            complete(false);
            return takeEffects();
        }
        searching = true;
        sendRequest();
        return takeEffects();
    }

    /** A packet arrives on a network (3.1.5.2). */
    public List<Effect> receive(String network, byte[] packet) {
        if (!searching || !network.equals(currentNetwork())) {
            return List.of();
        }
        try {
            TopologyServerReply reply = TopologyServerReply.fromPacket(packet);
            if (reply.correlationId().equals(requestId)) {
                process(reply);
            }
        } catch (MalformedPacketException discarded) {
            return List.of();
        }
        return takeEffects();
    }

    /** Lets time pass; each timeout is the event No Server Response (3.1.6.1). */
    public List<Effect> advanceClock(Duration passed) {
        Duration left = passed;
        while (searching && left.compareTo(untilTimeout) >= 0) {
            left = left.minus(untilTimeout);
            noServerResponse();
        }
        if (searching) {
            untilTimeout = untilTimeout.minus(left);
        }
        return takeEffects();
    }

    /** 3.1.5.1. */
    private void sendRequest() {
        currentNetworkIndex++;
        lastTopologyServerReply = Optional.empty();
        untilTimeout = RESPONSE_TIMEOUT;
        byte[] request = new TopologyClientRequest(enterprise, requestId, site).toPacket();
        effects.add(new Effect.Send(currentNetwork(), request));
    }

    private void process(TopologyServerReply reply) {
        if (reply.isFromLocalSite()) {
            processFromLocalSite(reply);
        } else if (lastTopologyServerReply.isEmpty()) {
            remember(reply);
            noteSuccess();
            untilTimeout = RESPONSE_TIMEOUT;
        } else if (!onLastNetwork()) {
            sendRequest();
        } else {
            populateLists();
            noteSuccess();
            complete(true);
        }
    }

    private void processFromLocalSite(TopologyServerReply reply) {
        noteSuccess();
        if (onLastNetwork()) {
            populateLists();
            complete(true);
        } else {
            remember(reply);
            sendRequest();
        }
    }

    /** 3.1.6.1. */
    private void noServerResponse() {
        if (!onLastNetwork()) {
            sendRequest();
        } else if (lastTopologyServerReply.isEmpty() && !topologyServerReplyReceived) {
            validLastSuccessfulNetworkAddress = false;
            complete(false);
        } else {
            populateLists();
            complete(true);
        }
    }

    private void remember(TopologyServerReply reply) {
        lastTopologyServerReply = Optional.of(reply);
        topologyServerReplyReceived = true;
    }

    private void noteSuccess() {
        lastSuccessfulNetworkAddress = currentNetwork();
        validLastSuccessfulNetworkAddress = true;
    }

    /**
     * 3.1.7.1, which servers of other sites alone cause, and 3.1.7.2, where an empty LastTopologyServerReply leaves an
     * empty list.
     */
    private void populateLists() {
        connectedNetworkIdentifierList =
                lastTopologyServerReply.map(TopologyServerReply::connectedNetworks).orElse(List.of());
        lastTopologyServerReply.filter(last -> !last.isFromLocalSite()).ifPresent(last ->
                directoryServerList = last.directoryServers().stream().map(DirectoryServer::name).toList());
    }

    private void complete(boolean success) {
        searching = false;
        effects.add(new Effect.Complete(success));
    }

    private boolean onLastNetwork() {
        return currentNetworkIndex == networkAddressList.size();
    }

    private String currentNetwork() {
        return networkAddressList.get(currentNetworkIndex - 1).address();
    }

    private List<Effect> takeEffects() {
        List<Effect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    /** How much time may pass until the next timeout of a search. */
    public Duration untilTimeout() {
        return untilTimeout;
    }

    public List<String> directoryServerList() {
        return directoryServerList;
    }

    public List<UUID> connectedNetworkIdentifierList() {
        return connectedNetworkIdentifierList;
    }

    public boolean validLastSuccessfulNetworkAddress() {
        return validLastSuccessfulNetworkAddress;
    }

    /** Null before the first reply. */
    public String lastSuccessfulNetworkAddress() {
        return lastSuccessfulNetworkAddress;
    }

    /** Null before the first search. */
    public UUID requestId() {
        return requestId;
    }

    public int currentNetworkIndex() {
        return currentNetworkIndex;
    }
}
