package mqsample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** {@code mqsample [stdio]}: the IUT protocol; {@code mqsample discovery-server OPTIONS}: a UDP server. */
public final class Main {
    private static final int USAGE = 4;
    private static final String HELP = """
            usage: mqsample [stdio]
                   mqsample discovery-server --enterprise GUID --site GUID [--host 127.0.0.1] [--port 1801]
                       [--connected-network GUID]... [--directory-server NAME]...
            """;
    private static final String INTRODUCTION = "{\"protocol\":1,\"name\":\"skeleton in Java\",\"version\":\"1\","
            + "\"roles\":[\"discovery_server\"],\"capabilities\":[]}";

    private static final int PARSE_ERROR = -32700;
    private static final int INVALID_REQUEST = -32600;
    private static final int METHOD_NOT_FOUND = -32601;
    private static final int INVALID_PARAMS = -32602;

    private DiscoveryServer server = new DiscoveryServer();

    public static void main(String[] words) throws IOException {
        String command = words.length == 0 ? "stdio" : words[0];
        if (List.of(words).contains("--help")) {
            System.out.print(HELP);
        } else if (command.equals("stdio")) {
            new Main().answerLines();
        } else if (command.equals("discovery-server")) {
            new Main().serve(words);
        } else {
            refuse(HELP);
        }
    }

    /** Answers calls until {@code shutdown} or the end of input. */
    private void answerLines() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String method = "";
        for (String line; !method.equals("shutdown") && (line = lines.readLine()) != null;) {
            Object id = null;
            String outcome = error(INVALID_REQUEST);
            method = "";
            try {
                if (Json.read(line) instanceof Map<?, ?> request && request.get("method") instanceof String name) {
                    id = request.get("id") instanceof Number number ? number : null; // the harness numbers its requests
                    method = name;
                    outcome = perform(name, request.get("params") instanceof Map<?, ?> params ? params : Map.of());
                }
            } catch (Json.Malformed malformed) {
                outcome = error(PARSE_ERROR);
            } catch (IllegalArgumentException | NullPointerException | ClassCastException wrong) {
                outcome = error(INVALID_PARAMS); // a field is missing, or not of its kind
            }
            System.out.println("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + outcome + "}");
        }
    }

    private static String error(int code) {
        return "\"error\":{\"code\":%d,\"message\":\"see its code\"}".formatted(code);
    }

    private String perform(String method, Map<?, ?> params) {
        return switch (method) {
            case "initialize" -> "\"result\":" + INTRODUCTION;
            case "shutdown" -> "\"result\":{}";
            case "reset", "discovery_server.configure" -> {
                server = method.equals("reset") ? new DiscoveryServer() : configured(params);
                yield "\"result\":{}";
            }
            case "discovery_server.receive" -> {
                byte[] datagram = HexFormat.of().parseHex((String) params.get("datagram"));
                if (!params.get("network").equals("ip")) {
                    yield error(METHOD_NOT_FOUND);
                }
                byte[] reply = server.receive(datagram);
                String replies = reply == null ? "" : '"' + HexFormat.of().formatHex(reply) + '"';
                yield "\"result\":{\"replies\":[" + replies + "]}";
            }
            default -> error(METHOD_NOT_FOUND);
        };
    }

    /** A server as these params want it; the enterprise is not looked at, as clients of each are answered. */
    private static DiscoveryServer configured(Map<?, ?> params) {
        DiscoveryServer server = new DiscoveryServer();
        server.setSite((String) params.get("site"));
        for (Object network : (List<?>) params.get("connected_networks")) {
            server.addNetwork((String) network);
        }
        for (Object entry : (List<?>) params.get("directory_servers")) {
            Map<?, ?> fields = (Map<?, ?>) entry;
            boolean ip = (Boolean) fields.get("ip");
            boolean ipx = (Boolean) fields.get("ipx");
            server.addDirectoryServer((String) fields.get("name"), ip, ipx);
        }
        if (!server.isConfigured()) {
            throw new IllegalArgumentException("no network, or no directory server");
        }
        return server;
    }

    /** Serves UDP until SIGTERM. After a network error the socket is closed and opened again (3.2.5). */
    private void serve(String[] words) throws IOException {
        InetSocketAddress address = asTold(words);
        // Java would end with 143.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
        while (true) {
            try (DatagramSocket socket = new DatagramSocket(address)) {
                address = (InetSocketAddress) socket.getLocalSocketAddress(); // opened again, it is the same one
                System.out.println("listening on " + address.getAddress().getHostAddress() + ":" + address.getPort());
                while (true) {
                    DatagramPacket packet = new DatagramPacket(new byte[1 << 16], 1 << 16);
                    socket.receive(packet);
                    byte[] reply = server.receive(Arrays.copyOf(packet.getData(), packet.getLength()));
                    if (reply != null) {
                        socket.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
                    }
                }
            } catch (java.net.BindException taken) {
                refuse(address + ": " + taken.getMessage());
            } catch (IOException failed) {
                System.err.println("mqsample: " + failed.getMessage());
            }
        }
    }

    /** Configures the server as the command line wants it, and returns where it serves. */
    private InetSocketAddress asTold(String[] words) {
        String host = "127.0.0.1";
        int port = 1801;
        for (int at = 1; at < words.length; at += 2) {
            String value = at + 1 < words.length ? words[at + 1] : "";
            try {
                switch (words[at]) {
                    case "--enterprise" -> DiscoveryServer.octets(value);
                    case "--site" -> server.setSite(value);
                    case "--host" -> host = value;
                    case "--port" -> port = new InetSocketAddress(Integer.parseInt(value)).getPort();
                    case "--connected-network" -> server.addNetwork(value);
                    case "--directory-server" -> server.addDirectoryServer(value, true, false);
                    default -> throw new IllegalArgumentException("no such option");
                }
            } catch (IllegalArgumentException wrong) {
                refuse(words[at] + " " + value + ": " + wrong.getMessage());
            }
        }
        if (!List.of(words).containsAll(List.of("--enterprise", "--site"))) {
            refuse("--enterprise or --site is missing");
        }
        return new InetSocketAddress(host, port);
    }

    private static void refuse(String complaint) {
        System.err.println("mqsample: " + complaint);
        System.exit(USAGE);
    }
}
