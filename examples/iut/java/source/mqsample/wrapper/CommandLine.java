package mqsample.wrapper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import mqsample.discovery.Attachment;
import mqsample.discovery.Client;
import mqsample.discovery.Client.Network;
import mqsample.discovery.DirectoryServer;
import mqsample.discovery.ServerConfiguration;
import mqsample.discovery.Service;
import mqsample.discovery.UdpSearch;
import mqsample.discovery.UdpSocket;
import mqsample.json.JsonObject;
import mqsample.json.JsonWriter;

/** The commands that work on networks and by the real clock. Each gives an exit code. */
final class CommandLine {
    private static final Set<String> SERVER = new TreeSet<>(Set.of(
            "--host", "--port", "--enterprise", "--site", "--connected-network", "--directory-server"));
    private static final Set<String> CLIENT =
            new TreeSet<>(Set.of("--enterprise", "--site", "--network", "--port", "--broadcast"));

    private CommandLine() {}

    /** Answers requests by UDP until SIGTERM or SIGINT, which end with 0. */
    static int discoveryServer(List<String> arguments) throws IOException {
        Options options = new Options(arguments, SERVER);
        InetSocketAddress address = new InetSocketAddress(options.last("--host", "127.0.0.1"), options.port());
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("--host is no address of this computer: " + address.getHostString());
        }
        Service service = new Service();
        service.configure(new ServerConfiguration(
                options.guid("--enterprise"),
                options.guid("--site"),
                options.all("--connected-network").stream().map(JsonObject::guidOf).toList(),
                options.all("--directory-server").stream().map(name -> new DirectoryServer(name, true, false)).toList()));
        UdpSocket socket = new UdpSocket(address);
        service.listen(socket);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(Main.SUCCESS)));
        System.out.println("listening on " + socket.host() + ":" + socket.port());
        socket.serve(service);
        Runtime.getRuntime().halt(Main.FAILURE); // the socket could not be opened again (3.2.5)
        return Main.FAILURE;
    }

    /** Searches once and shows each effect as a line of JSON, and last what it has found. */
    static int discoveryClient(List<String> arguments) throws IOException {
        Options options = new Options(arguments, CLIENT);
        String broadcast = options.last("--broadcast", "limited");
        if (!Set.of("limited", "directed").contains(broadcast)) {
            throw new IllegalArgumentException("--broadcast is limited or directed");
        }
        options.needed("--network");
        List<Attachment> attachments = options.all("--network").stream().map(Attachment::of).toList();
        List<Network> networks = attachments.stream()
                .map(attachment -> new Network(attachment.address().getHostAddress(), false))
                .toList();
        Client client = new Client(options.guid("--enterprise"), options.guid("--site"), networks);
        try (UdpSearch search = new UdpSearch(attachments, options.port(), broadcast.equals("limited"))) {
            boolean found = search.run(client, effect -> show(DiscoveryClientRole.effect(effect)));
            Map<String, Object> outcome = DiscoveryClientRole.state(client);
            outcome.put("result", DiscoveryClientRole.result(found));
            show(outcome);
            return found ? Main.SUCCESS : Main.FAILURE;
        }
    }

    private static void show(Map<String, ?> line) {
        System.out.println(JsonWriter.write(line));
    }
}
