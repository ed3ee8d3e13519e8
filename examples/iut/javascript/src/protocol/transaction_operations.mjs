// The role `transaction`.

import { QueueManager } from "../transactions.mjs";

export const transactionOperations = () => {
  let manager = new QueueManager({ queues: [], lists: [] });
  return {
    "transaction.configure": (params) => {
      const queues = params.listOf("queues").map((queue) => ({
        name: queue.text("name"),
        machine: queue.text("machine"),
        transactional: queue.boolean("transactional"),
      }));
      const lists = params.has("lists") ? params.listOf("lists") : [];
      const readList = (list) => ({ name: list.text("name"), elements: list.texts("elements") });
      manager = new QueueManager({ queues, lists: lists.map(readList) });
      return {};
    },
    "transaction.begin": () => ({ transaction: manager.begin() }),
    "transaction.send": (params) => {
      manager.send(params.integer("transaction"), {
        message: params.key("message"),
        destination: params.texts("destination"),
        administrationQueue: params.has("administration_queue") ? params.text("administration_queue") : null,
      });
      return {};
    },
    "transaction.commit": (params) => ({ committed: manager.commit(params.integer("transaction")) }),
    "transaction.abort": (params) => {
      manager.abort(params.integer("transaction"));
      return {};
    },
    "transaction.fail_queue": (params) => {
      manager.failQueue(params.text("queue"), params.boolean("failing"));
      return {};
    },
    "transaction.deliver": () => {
      manager.deliver();
      return {};
    },
    "transaction.state": () => ({
      outgoing: show(manager.outgoing, ({ message }) => message),
      queues: show(manager.received),
      dead_letters: show(manager.deadLetters),
      acknowledgments: show(manager.acknowledgments, (each) => ({ ...each, class: "not_transactional_queue" })),
    }),
  };
};

/** A map of lists as a JSON object, each element as `element` makes it. */
const show = (lists, element = (value) => value) =>
  Object.fromEntries([...lists].map(([key, values]) => [key, values.map(element)]));
