package mqsample.discovery;

/** What an event causes a discovery client to do. */
public sealed interface Effect {
    /** A request is broadcast on the network with this address. */
    record Send(String network, byte[] datagram) implements Effect {}

    /** The search is over. */
    record Complete(boolean success) implements Effect {}
}
