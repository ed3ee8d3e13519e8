package mqsample.wrapper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import mqsample.json.JsonException;

/**
 * A router, discovery server and discovery client of Message Queuing, and both ends of exactly-once delivery, to start a
 * wrapper of your own from.
 */
public final class Main {
    static final int SUCCESS = 0;
    static final int FAILURE = 1;
    static final int WRONG_USAGE = 4;

    private static final String USAGE = """
            usage: mqsample [stdio]
                   mqsample discovery-server --enterprise GUID --site GUID [--host H] [--port P]
                       [--connected-network GUID]... [--directory-server NAME]...
                   mqsample discovery-client --enterprise GUID --site GUID --network ADDRESS[/PREFIX]...
                       [--port P] [--broadcast limited|directed]""";

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments)));
    }

    private static int run(List<String> arguments) {
        List<String> options = arguments.subList(Math.min(1, arguments.size()), arguments.size());
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.println(USAGE);
            return SUCCESS;
        }
        try {
            switch (arguments.isEmpty() ? "stdio" : arguments.get(0)) {
                case "stdio":
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                    new JsonRpc(new Iut().operations()).serve(in, System.out);
                    return SUCCESS;
                case "discovery-server":
                    return CommandLine.discoveryServer(options);
                case "discovery-client":
                    return CommandLine.discoveryClient(options);
                default:
                    System.err.println(USAGE);
                    return WRONG_USAGE;
            }
        } catch (IOException | IllegalArgumentException | JsonException refused) {
            System.err.println("mqsample: " + refused.getMessage());
            return WRONG_USAGE;
        }
    }
}
