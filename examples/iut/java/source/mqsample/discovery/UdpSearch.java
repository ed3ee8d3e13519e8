package mqsample.discovery;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Lets a client search once, by broadcasts and the real clock. */
public final class UdpSearch implements AutoCloseable {
    private static final int LARGEST = 65535;

    /** A socket on one of the networks. */
    private record End(String network, DatagramChannel channel, SocketAddress target) {}

    private final Selector selector = Selector.open();
    private final Map<String, End> ends = new HashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(LARGEST);

    /** Opens a socket on each network; limited broadcasts go to 255.255.255.255. */
    public UdpSearch(List<Attachment> attachments, int port, boolean limited) throws IOException {
        for (Attachment attachment : attachments) {
            InetAddress target = limited ? InetAddress.getByName("255.255.255.255") : attachment.broadcast();
            open(attachment.address(), new InetSocketAddress(target, port));
        }
    }

    /**
     * Binds to the own address, so that broadcasts leave by that network and replies tell by which they came.
     */
    private void open(InetAddress address, SocketAddress target) throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_BROADCAST, true);
        channel.bind(new InetSocketAddress(address, 0));
        channel.configureBlocking(false);
        End end = new End(address.getHostAddress(), channel, target);
        channel.register(selector, SelectionKey.OP_READ, end);
        ends.put(end.network(), end);
    }

    /** Says whether the search was a success, and shows every effect on the way. */
    public boolean run(Client client, Consumer<Effect> show) throws IOException {
        List<Effect> effects = client.getDirectoryServerList();
        long last = System.nanoTime();
        while (true) {
            for (Effect effect : effects) {
                show.accept(effect);
                if (effect instanceof Effect.Complete complete) {
                    return complete.success();
                }
                broadcast((Effect.Send) effect);
            }
            selector.select(Math.max(1, client.untilTimeout().plusNanos(999_999).toMillis()));
            long now = System.nanoTime();
            effects = new ArrayList<>(client.advanceClock(Duration.ofNanos(now - last)));
            last = now;
            for (SelectionKey key : selector.selectedKeys()) {
                effects.addAll(receive(client, (End) key.attachment()));
            }
            selector.selectedKeys().clear();
        }
    }

    /** A broadcast that fails is like one that is lost: the wait goes on. */
    private void broadcast(Effect.Send send) {
        End end = ends.get(send.network());
        try {
            end.channel().send(ByteBuffer.wrap(send.datagram()), end.target());
        } catch (IOException lost) {
            System.err.println("no broadcast on " + send.network() + ": " + lost.getMessage());
        }
    }

    private List<Effect> receive(Client client, End end) throws IOException {
        List<Effect> effects = new ArrayList<>();
        buffer.clear();
        while (end.channel().receive(buffer) != null) {
            effects.addAll(client.receive(end.network(), Arrays.copyOf(buffer.array(), buffer.position())));
            buffer.clear();
        }
        return effects;
    }

    @Override
    public void close() throws IOException {
        for (End end : ends.values()) {
            end.channel().close();
        }
        selector.close();
    }
}
