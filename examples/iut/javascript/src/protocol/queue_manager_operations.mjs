// The role `queue_manager`, of one machine.

import { Failure, QueueManager, SYSTEM_QUEUES } from "../queue_manager.mjs";
import { METHOD_NOT_FOUND, MethodError } from "./jsonrpc.mjs";

export const queueManagerOperations = () => {
  let machine = null;
  let manager = new QueueManager();

  /** Refuse an operation that names another machine. */
  const check = (params) => {
    if (params.text("machine") !== machine) throw new RangeError("params.machine has to be the machine that was configured");
  };
  /** The queue that an operation names. */
  const queueOf = (params) => {
    check(params);
    if (params.has("on") && params.text("on") !== machine) throw new Failure("another machine is not reached");
    return params.text("queue");
  };
  /** The name behind an address; one that leads to another machine has none. */
  const nameAt = (address) => {
    if (address.has("system") && SYSTEM_QUEUES.includes(`system:${address.text("system")}`)) {
      return `system:${address.text("system")}`;
    }
    if (!address.has("direct") || address.nested("direct").text("machine") !== machine) {
      throw new Failure("no queue of this machine is there");
    }
    return address.nested("direct").text("queue");
  };
  const receive = (params, takes) =>
    manager.receive(params.key("handle"), {
      takes,
      wait: params.has("wait") ? params.microseconds("wait") : 0,
      transaction: optionalKey(params, "transaction"),
      cursor: optionalKey(params, "cursor"),
      moves: params.has("move") && params.oneOf("move", ["current", "next"]) === "next",
      identity: optionalKey(params, "id"),
    });

  const operations = {
    configure: (params) => {
      const machines = params.listOf("machines");
      if (machines.length === 0) throw new RangeError("params.machines has to name a machine");
      if (machines.length > 1) throw new MethodError(METHOD_NOT_FOUND, "there is one machine, and not several");
      machine = machines[0].text("name");
      manager = new QueueManager();
      manager.loseCoordinator(params.has("coordinator") && !params.boolean("coordinator"));
    },
    start: (params) => {
      check(params);
      manager.start();
      return { started: manager.running };
    },
    stop: (params) => {
      check(params);
      manager.stop();
    },
    // Nothing is stored late, so that a sudden end is as any other.
    crash: (params) => {
      check(params);
      manager.stop();
    },
    state: (params) => {
      check(params);
      return { state: manager.running ? "running" : "stopped", mode: "workgroup", throttled: manager.throttled };
    },
    create_queue: (params) => {
      const [queue, said] = [queueOf(params), params.nested("properties")];
      if (params.has("public") && params.boolean("public")) throw new Failure("there is no directory for public queues");
      const transactional = said.has("transactional") && said.boolean("transactional");
      const inKilobytes = said.has("room_unit") && said.text("room_unit") === "kilobytes";
      manager.createQueue(queue, { transactional, room: roomOf(said), inKilobytes });
      return { queue };
    },
    set_queue: (params) => {
      manager.ownQueue(queueOf(params)).room = roomOf(params.nested("properties"));
    },
    delete_queue: (params) => manager.deleteQueue(queueOf(params)),
    purge: (params) => manager.purge(queueOf(params)),
    queue_properties: (params) => {
      const name = queueOf(params);
      const messages = manager.count(name);
      const { transactional, room } = manager.queue(name);
      return { properties: { transactional, room }, messages };
    },
    open: (params) => {
      check(params);
      const access = params.oneOf("access", ["send", "receive", "peek"]);
      return { handle: manager.open(nameAt(params.nested("address")), access) };
    },
    close: (params) => manager.close(params.key("handle")),
    send: (params) => {
      const flag = (name) => params.has(name) && params.boolean(name);
      const message = {
        key: params.key("message"),
        identity: `message-${manager.next()}`,
        recoverable: params.oneOf("assurance", ["express", "recoverable"]) === "recoverable",
        lasts: params.has("time_to_be_received") ? params.microseconds("time_to_be_received") : null,
        deadLetter: flag("dead_letter"),
        journal: flag("journal"),
        acknowledgments: params.has("acknowledgments") ? params.texts("acknowledgments") : [],
        correlation: params.has("correlation") ? params.key("correlation") : undefined,
        responseQueue: params.has("response_queue") ? params.object("response_queue") : undefined,
        administration: params.has("administration_queue") ? nameAt(params.nested("administration_queue")) : null,
      };
      manager.send(params.key("handle"), message, optionalKey(params, "transaction"));
      return { id: message.identity };
    },
    receive: (params) => receive(params, true),
    peek: (params) => receive(params, false),
    cancel: (params) => manager.cancel(params.key("operation")),
    outcomes: () => ({ outcomes: manager.outcomes() }),
    create_cursor: (params) => ({ cursor: manager.createCursor(params.key("handle")) }),
    close_cursor: (params) => manager.closeCursor(params.key("cursor")),
    begin: (params) => {
      check(params);
      return { transaction: manager.begin(params.oneOf("kind", ["internal", "external"])) };
    },
    commit: (params) => {
      manager.commit(params.key("transaction"));
      return { committed: true };
    },
    abort: (params) => manager.abort(params.key("transaction")),
    advance_clock: (params) => manager.advance(params.microseconds("seconds")),
    // What is inconsistent can always be repaired here.
    fail_store: (params) => {
      check(params);
      const how = params.oneOf("how", ["full", "inconsistent", "beyond-repair", null]);
      if (how === "full") manager.full = true;
      if (how === "beyond-repair") manager.breakStore();
      if (how === null) manager.mendStore();
    },
    fail_coordinator: (params) => manager.loseCoordinator(params.boolean("failing")),
    throttle: (params) => {
      check(params);
      manager.throttled = params.boolean("on");
    },
    // Calls of several lanes at the same time take turns, as there is one thread.
    together: (params) => {
      const lanes = params.listsOf("lanes");
      const answered = lanes.map(() => []);
      let moment = 0;
      for (let turn = 0; lanes.some((calls) => turn < calls.length); turn += 1) {
        for (const [lane, calls] of lanes.entries()) {
          if (turn >= calls.length) continue;
          const method = calls[turn].oneOf("method", ["send", "receive", "peek", "commit", "abort", "purge"]);
          const result = answering(operations[method])(calls[turn].nested("params"));
          moment += 1;
          answered[lane].push({ began: answered[lane].at(-1)?.ended ?? 0, ended: moment, result });
        }
      }
      return { lanes: answered };
    },
  };
  const methods = Object.entries(operations).map(([name, operation]) => [`queue_manager.${name}`, answering(operation)]);
  return Object.fromEntries(methods);
};

/** An operation of which a failure is an answer, not an error, and the answer of which may be left out. */
const answering = (operation) => (params) => {
  try {
    return operation(params) ?? {};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failed: { says: error.message } };
  }
};

const optionalKey = (params, name) => (params.has(name) ? params.key(name) : null);

/** How much a queue takes, null for any number. */
const roomOf = (said) => (said.has("room") && !said.isNull("room") ? said.count("room") : null);
