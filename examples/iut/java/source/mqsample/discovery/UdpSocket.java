package mqsample.discovery;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.Arrays;

/** A socket that listens on an address. Port 0 becomes the port that the system gave, and stays it. */
public final class UdpSocket implements Service.Socket {
    private static final int LARGEST = 65535;

    private InetSocketAddress address;
    private volatile DatagramSocket socket;

    public UdpSocket(InetSocketAddress address) {
        this.address = address;
    }

    @Override
    public void open() throws IOException {
        socket = new DatagramSocket(address);
        address = new InetSocketAddress(address.getAddress(), socket.getLocalPort());
    }

    /** Ends a read that waits. */
    @Override
    public void close() {
        if (socket != null) {
            socket.close();
        }
    }

    public String host() {
        return address.getAddress().getHostAddress();
    }

    public int port() {
        return address.getPort();
    }

    /** Answers what arrives until the service stops listening on this socket. */
    public void serve(Service service) {
        byte[] buffer = new byte[LARGEST];
        while (service.isListeningOn(this)) {
            DatagramSocket current = socket;
            DatagramPacket arrived = new DatagramPacket(buffer, buffer.length);
            try {
                current.receive(arrived);
            } catch (IOException closed) {
                continue; // for good, or to be opened again
            }
            byte[] packet = Arrays.copyOf(buffer, arrived.getLength());
            service.receive(packet, reply -> {
                current.send(new DatagramPacket(reply, reply.length, arrived.getSocketAddress()));
            });
        }
    }
}
