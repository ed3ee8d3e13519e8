package mqsample.wrapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import mqsample.discovery.DirectoryServer;
import mqsample.discovery.ServerConfiguration;
import mqsample.discovery.Service;
import mqsample.discovery.UdpSocket;
import mqsample.json.JsonObject;

/**
 * Puts the server behind the operations of the role discovery_server. Packets come by the pipe, and by UDP too once that is
 * asked for.
 */
final class DiscoveryServerRole implements Role {
    /** Stands for the socket as long as packets come by the pipe alone. */
    private static final class Pipe implements Service.Socket {
        @Override
        public void open() {}

        @Override
        public void close() {}
    }

    private Service service = new Service();

    @Override
    public void reset() {
        service.stop();
        service = new Service();
        try {
            service.listen(new Pipe());
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
    }

    @Override
    public Map<String, Operation> operations() {
        return Map.of(
                "discovery_server.configure", this::configure,
                "discovery_server.receive", this::receive,
                "discovery_server.listen", this::listen,
                "discovery_server.fail_next_send", this::failNextSend,
                "discovery_server.fail_next_open", this::failNextOpen,
                "discovery_server.state", this::state);
    }

    private Map<String, ?> configure(JsonObject params) {
        List<DirectoryServer> servers = params.objects("directory_servers").stream()
                .map(server -> new DirectoryServer(server.text("name"), server.flag("ip"), server.flag("ipx")))
                .toList();
        service.configure(new ServerConfiguration(
                params.guid("enterprise"), params.guid("site"), params.guids("connected_networks"), servers));
        return NOTHING;
    }

    private Map<String, ?> receive(JsonObject params) {
        if (!params.text("network").equals("ip")) {
            throw new Refusal(Refusal.NOT_OFFERED, "IPX is not offered");
        }
        List<String> replies = new ArrayList<>();
        byte[] packet = HexFormat.of().parseHex(params.text("datagram"));
        service.receive(packet, reply -> replies.add(HexFormat.of().formatHex(reply)));
        return Map.of("replies", replies);
    }

    private Map<String, ?> listen(JsonObject params) throws IOException {
        UdpSocket socket = new UdpSocket(new InetSocketAddress(params.text("host"), (int) params.number("port")));
        Service listening = service;
        listening.listen(socket);
        Thread thread = new Thread(() -> socket.serve(listening), "discovery server");
        thread.setDaemon(true);
        thread.start();
        return Map.of("host", socket.host(), "port", socket.port());
    }

    private Map<String, ?> failNextSend(JsonObject params) {
        service.failNextSend();
        return NOTHING;
    }

    private Map<String, ?> failNextOpen(JsonObject params) {
        service.failNextOpen();
        return NOTHING;
    }

    private Map<String, ?> state(JsonObject params) {
        return Map.of("listening", service.isListening(), "sockets_opened", service.socketsOpened());
    }
}
