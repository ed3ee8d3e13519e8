// The directory as a queue manager reads it (MS-MQBR 3.1.5.9), with faults for the harness to inject.

export class Directory {
  #objects = { Site: [], RoutingLink: [], QueueManager: [] };
  #failing = new Set();

  /** Take in other objects, in the order in which they are enumerated; what fails goes on failing. */
  load({ sites, routingLinks, queueManagers }) {
    this.#objects = { Site: sites, RoutingLink: routingLinks, QueueManager: queueManagers };
  }

  /**
   * GetDirectoryData, section 3.1.5.9: all objects of a type, or those with one identifier. Wherever the read fails, at
   * its begin or at one of the objects, there is no result at all; that and an empty result are the same to whoever asks.
   */
  read(type, identifier = null) {
    if (this.#failing.has(type)) return [];
    return identifier === null ? this.#objects[type] : this.#objects[type].filter(({ id }) => id === identifier);
  }

  /** Let reading a type of object fail, or heal it. */
  setFailing(type, failing) {
    if (failing) this.#failing.add(type);
    else this.#failing.delete(type);
  }
}
