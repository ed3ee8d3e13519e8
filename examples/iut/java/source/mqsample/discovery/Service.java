package mqsample.discovery;

import java.io.IOException;

/** Answers requests, and opens its socket anew after a network error (MS-MQSD 3.2.5). */
public final class Service {
    /** What a server receives from. */
    public interface Socket {
        void open() throws IOException;

        void close();
    }

    /** Sends a reply to whom a request came from. */
    public interface Sender {
        void send(byte[] reply) throws IOException;
    }

    private ServerConfiguration configuration = ServerConfiguration.NONE;
    private Socket socket;
    private boolean listening;
    private int socketsOpened;
    private boolean failNextSend;
    private boolean failNextOpen;

    public synchronized void configure(ServerConfiguration changed) {
        configuration = changed;
    }

    /** Opens a socket (3.2.3) in place of the one before it. */
    public synchronized void listen(Socket opened) throws IOException {
        stop();
        socket = opened;
        open();
    }

    /** For tests: the next send meets a network error. */
    public synchronized void failNextSend() {
        failNextSend = true;
    }

    /** For tests: the socket cannot be opened after that. */
    public synchronized void failNextOpen() {
        failNextOpen = true;
    }

    public synchronized boolean isListening() {
        return listening;
    }

    synchronized boolean isListeningOn(Socket one) {
        return listening && socket == one;
    }

    public synchronized int socketsOpened() {
        return socketsOpened;
    }

    /**
     * Answers one packet. When the reply cannot be sent, the socket is closed and opened again, and if that fails the
     * service is over.
     */
    public synchronized void receive(byte[] packet, Sender sender) {
        if (!listening) {
            return;
        }
        configuration.answer(packet).ifPresent(reply -> {
            try {
                if (failNextSend) {
                    failNextSend = false;
                    throw new IOException("a network error, as was asked for");
                }
                sender.send(reply);
            } catch (IOException failed) {
                reopen();
            }
        });
    }

    public synchronized void stop() {
        listening = false;
        if (socket != null) {
            socket.close();
        }
    }

    private void reopen() {
        stop();
        try {
            if (failNextOpen) {
                failNextOpen = false;
                throw new IOException("no socket, as was asked for");
            }
            open();
        } catch (IOException failed) {
            System.err.println("the service is over: " + failed.getMessage());
        }
    }

    private void open() throws IOException {
        socket.open();
        listening = true;
        socketsOpened++;
    }
}
