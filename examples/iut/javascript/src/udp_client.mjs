// The discovery client on real networks: broadcasts with the real clock.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const LIMITED_BROADCAST = "255.255.255.255";
const LARGEST_PREFIX = 32;

/** The broadcast address of the subnet `{ address, prefix }`, or that of every network. */
const broadcastAddress = ({ address, prefix }, directed) => {
  if (!directed) return LIMITED_BROADCAST;
  const octets = address.split(".").map(Number);
  const hostBits = octets.map((_, at) => 0xff >> Math.min(8, Math.max(0, prefix - 8 * at)));
  return octets.map((octet, at) => octet | hostBits[at]).join(".");
};

/** A network has a broadcast address of its own unless it is a single computer. */
export const hasBroadcastAddress = ({ prefix }) => prefix < LARGEST_PREFIX;

/** A socket bound to the computer's own address on one network. What it receives came by that network. */
export class UdpNetwork {
  #socket = createSocket("udp4");
  #target;

  static async open(network, { port, directed }) {
    const opened = new UdpNetwork();
    opened.address = network.address;
    opened.#target = [port, broadcastAddress(network, directed)];
    opened.#socket.bind({ address: network.address, port: 0 });
    await once(opened.#socket, "listening");
    opened.#socket.setBroadcast(true);
    // A network that is down is like one where nobody answers.
    opened.#socket.on("error", (error) => console.error(`mqsample: on ${opened.address}: ${error.message}`));
    return opened;
  }

  broadcast(datagram) {
    this.#socket.send(datagram, ...this.#target);
  }

  onDatagram(listener) {
    this.#socket.on("message", (datagram) => listener(this.address, datagram));
  }

  close() {
    this.#socket.close();
  }
}

/** One search from beginning to end: "success" or "failure". `report` is told of each effect. */
export const search = async (client, networks, report) => {
  let outcome = null;
  let interruptSleep = () => {};
  const perform = (effects) => {
    for (const effect of effects) {
      if (effect.send) networks.find(({ address }) => address === effect.send.network).broadcast(effect.send.datagram);
      else outcome = effect.complete;
      report(effect);
    }
    interruptSleep();
  };

  const clock = new Stopwatch();
  for (const network of networks) {
    network.onDatagram((address, datagram) => {
      perform(client.advanceClock(clock.lap()));
      perform(client.receive(address, datagram));
    });
  }
  perform(client.start());
  while (outcome === null) {
    const interrupt = new AbortController();
    interruptSleep = () => interrupt.abort();
    await sleep(Math.ceil(client.wait / 1_000), null, { signal: interrupt.signal }).catch(() => {});
    perform(client.advanceClock(clock.lap()));
  }
  return outcome;
};

/** Whole microseconds since the lap before. */
class Stopwatch {
  #last = process.hrtime.bigint();

  lap() {
    const microseconds = (process.hrtime.bigint() - this.#last) / 1_000n;
    this.#last += microseconds * 1_000n;
    return Number(microseconds);
  }
}
