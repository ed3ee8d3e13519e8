// The discovery server on a UDP port.

import { createSocket } from "node:dgram";
import { once } from "node:events";

export class UdpServer {
  #server;
  #socket = null;
  #address;
  #closing = false;
  #lastReply = Promise.resolve();
  #markClosed;
  /** Resolves once nothing is served any more. */
  closed = new Promise((resolve) => {
    this.#markClosed = resolve;
  });

  /** Serve a port until it is closed; rejects where the port cannot be opened. */
  static async listen(server, host, port) {
    const udp = new UdpServer();
    udp.#server = server;
    await udp.#open({ host, port });
    return udp;
  }

  /** Let another server answer from now on. */
  serve(server) {
    this.#server = server;
  }

  /** `{ host, port }` of the open socket. */
  get address() {
    return this.#address;
  }

  /** Stop serving; the port is free when this resolves. */
  async close() {
    this.#closing = true;
    await this.#lastReply;
    await this.#closeSocket();
    this.#markClosed();
  }

  async #open({ host, port }) {
    const socket = createSocket("udp4");
    socket.bind({ address: host, port });
    await once(socket, "listening"); // an `error` that comes first rejects
    const bound = socket.address();
    this.#address = { host: bound.address, port: bound.port };
    this.#socket = socket;
    socket.on("error", (error) => console.error(`mqsample: ${error.message}`));
    // One after the other: while a socket is being reopened for one request it is not there for the next.
    socket.on("message", (datagram, sender) => {
      this.#lastReply = this.#lastReply.then(() => this.#serveOne(socket, datagram, sender));
    });
  }

  async #serveOne(socket, datagram, sender) {
    if (this.#closing || socket !== this.#socket) return; // lost with the socket that it came by
    await this.#server.receive(datagram, {
      send: (reply) => send(socket, reply, sender),
      reopen: () => this.#reopen(),
    });
    if (this.#server.listening) return;
    await this.#closeSocket();
    this.#markClosed();
  }

  /** Section 3.2.5: close the socket and open another one on the same port. */
  async #reopen() {
    await this.#closeSocket();
    await this.#open(this.#address);
  }

  async #closeSocket() {
    if (this.#socket === null) return;
    const closed = once(this.#socket, "close");
    this.#socket.close();
    this.#socket = null;
    await closed;
  }
}

const send = (socket, reply, { address, port }) =>
  new Promise((resolve, reject) => {
    socket.send(reply, port, address, (error) => (error ? reject(error) : resolve()));
  });
