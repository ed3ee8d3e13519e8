// The discovery server of MS-MQSD 3.2: answers each request at once and remembers nothing.

import { MOST_NETWORKS, readRequest, writeReply } from "./packets.mjs";
import { toArray } from "./server_list.mjs";

export class DiscoveryServer {
  listening = true;
  socketsOpened = 1;
  failsNextSend = false;
  failsNextOpen = false;

  constructor({ site, connectedNetworks, directoryServers }) {
    this.site = site;
    this.connectedNetworks = connectedNetworks;
    this.directoryServers = directoryServers;
  }

  /**
   * Section 3.2.5: reply, and be ready for the next request also after a network error. The carrier's `send` takes the
   * reply to whoever asked, its `reopen` closes the socket and opens another; both throw where they cannot.
   */
  async receive(datagram, carrier) {
    const reply = this.listening ? this.#replyTo(datagram) : null;
    if (reply === null) return;
    try {
      if (this.failsNextSend) throw new Error("the harness asked for a network error");
      await carrier.send(reply);
    } catch {
      this.failsNextSend = false;
      await this.#reopen(carrier);
    }
  }

  /** Receiving a TopologyClientRequest, section 3.2.5.1; null where there is nothing to answer. */
  #replyTo(datagram) {
    const request = readRequest(datagram);
    // No step compares the enterprise, so that clients of every enterprise are answered.
    if (request === null) return null;
    // A count of networks that the field cannot have leaves no packet to send.
    const count = this.connectedNetworks.length;
    if (count < 1 || count > MOST_NETWORKS) return null;
    const ofOwnSite = request.site === this.site;
    return writeReply({
      correlation: request.request,
      connectedNetworks: this.connectedNetworks,
      respondingSite: this.site,
      servers: toArray(ofOwnSite ? [] : this.directoryServers),
    });
  }

  /** Close and reopen the socket; a server that cannot stops for good. */
  async #reopen(carrier) {
    this.listening = false;
    if (this.failsNextOpen) return;
    try {
      await carrier.reopen();
      this.listening = true;
      this.socketsOpened += 1;
    } catch {
      // It stays as it is.
    }
  }
}
