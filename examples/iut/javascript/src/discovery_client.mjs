// The discovery client of MS-MQSD 3.1. Every event returns what has to be done, in order, as
// `{ send: { network, datagram } }` or `{ complete: "success" | "failure" }`; time is what `advanceClock` says.

import { randomUUID } from "node:crypto";

import { readReply, writeRequest } from "./packets.mjs";
import { namesIn } from "./server_list.mjs";

const WAIT_FOR_RESPONSE = 15_000_000; // microseconds, section 3.1.2.1

export class DiscoveryClient {
  directoryServers = [];
  connectedNetworks = [];
  requestId = null;
  lastSuccessfulNetwork = null;
  lastSuccessfulNetworkValid = false;
  currentIndex = 0;
  wait = null; // microseconds until No Server Response; null while the timer stands still
  #addresses = [];
  #lastReply = null;
  #replyReceived = false;
  #searching = false;
  #effects = [];

  /** `networks` are `{ address, remoteAccess }`, by the computer's own address on each. */
  constructor({ enterprise, site, networks }) {
    this.enterprise = enterprise;
    this.site = site;
    this.networks = networks;
  }

  /** Get Directory Server List, section 3.1.4.1. */
  start() {
    // Addresses are added; nothing ever takes one away.
    this.#addresses.push(...this.networks);
    const remote = this.#addresses.some(({ remoteAccess }) => remoteAccess);
    if (this.lastSuccessfulNetworkValid && !remote) {
      // This event is over; a search that is under way for another one goes on.
      this.#effects.push({ complete: "success" });
    } else if (this.#addresses.length === 0) {
      // The index would never reach the end of the list.
      this.#effects.push({ complete: "failure" });
    } else {
      this.requestId = randomUUID();
      this.currentIndex = 0;
      this.#replyReceived = false;
      this.#searching = true;
      this.#sendRequest();
    }
    return this.#takeEffects();
  }

  /** Receiving a TopologyServerReply, section 3.1.5.2. After the search a reply belongs to nothing. */
  receive(network, datagram) {
    if (!this.#searching || network !== this.#currentAddress()) return [];
    const reply = readReply(datagram);
    if (reply === null || reply.correlation !== this.requestId) return [];
    this.#takeReply(network, reply);
    return this.#takeEffects();
  }

  /** Time passes; as many waits end as fit into it. */
  advanceClock(microseconds) {
    let left = microseconds;
    while (this.wait !== null && this.wait <= left) {
      left -= this.wait;
      this.wait = null;
      this.#noServerResponse();
    }
    if (this.wait !== null) this.wait -= left;
    return this.#takeEffects();
  }

  /** Sending a TopologyClientRequest, section 3.1.5.1. */
  #sendRequest() {
    this.currentIndex += 1;
    this.#lastReply = null;
    this.wait = WAIT_FOR_RESPONSE;
    const { enterprise, requestId: request, site } = this;
    const datagram = writeRequest({ enterprise, request, site });
    this.#effects.push({ send: { network: this.#currentAddress(), datagram } });
  }

  /** The rules of section 3.1.5.2 from the fourth on, for a well-formed reply to the current request. */
  #takeReply(network, reply) {
    const ofLocalSite = reply.servers.length === 0;
    const stored = this.#lastReply !== null;
    if (this.#onLastNetwork()) {
      this.#rememberNetwork(network);
      // A local reply is not stored here: what fills the lists is what was there before it.
      if (ofLocalSite || stored) this.#populateAndSucceed();
      else this.#storeAndWaitAnew(reply);
    } else if (ofLocalSite) {
      this.#rememberNetwork(network);
      this.#replyReceived = true;
      this.#sendRequest(); // which forgets the reply at once
    } else if (stored) {
      this.#sendRequest();
    } else {
      this.#rememberNetwork(network);
      this.#storeAndWaitAnew(reply);
    }
  }

  /** No Server Response, section 3.1.6.1. */
  #noServerResponse() {
    if (!this.#onLastNetwork()) {
      this.#sendRequest();
    } else if (this.#lastReply === null && !this.#replyReceived) {
      this.lastSuccessfulNetworkValid = false;
      this.#endSearch("failure");
    } else {
      this.#populateAndSucceed();
    }
  }

  /** Sections 3.1.7.1 and 3.1.7.2, from the reply of another site that is stored, if any is. */
  #populateAndSucceed() {
    if (this.#lastReply !== null) this.directoryServers = namesIn(this.#lastReply.servers);
    this.connectedNetworks = this.#lastReply?.connectedNetworks ?? [];
    this.#endSearch("success");
  }

  #storeAndWaitAnew(reply) {
    this.#lastReply = reply;
    this.#replyReceived = true;
    this.wait = WAIT_FOR_RESPONSE;
  }

  #rememberNetwork(network) {
    this.lastSuccessfulNetwork = network;
    this.lastSuccessfulNetworkValid = true;
  }

  #endSearch(result) {
    this.#searching = false;
    this.wait = null;
    this.#effects.push({ complete: result });
  }

  #onLastNetwork() {
    return this.currentIndex === this.#addresses.length;
  }

  #currentAddress() {
    return this.#addresses[this.currentIndex - 1].address;
  }

  #takeEffects() {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }
}
