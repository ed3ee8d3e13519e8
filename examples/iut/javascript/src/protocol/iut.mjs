// All roles together, and the methods that every implementation has. To judge your own implementation, replace what the
// operations stand on, one role at a time.

import { orderedReceiverOperations, orderedSenderOperations } from "./delivery_operations.mjs";
import { discoveryClientOperations } from "./discovery_client_operations.mjs";
import { discoveryServerOperations } from "./discovery_server_operations.mjs";
import { queueManagerOperations } from "./queue_manager_operations.mjs";
import { routerOperations } from "./router_operations.mjs";
import { transactionOperations } from "./transaction_operations.mjs";

const INTRODUCTION = {
  protocol: 1,
  name: "mqsample-javascript",
  version: "1.0",
  roles: [
    "router",
    "discovery_server",
    "discovery_client",
    "ordered_receiver",
    "ordered_sender",
    "transaction",
    "queue_manager",
  ],
  capabilities: [
    "virtual-clock",
    "procedures",
    "directory-faults",
    "udp",
    "send-faults",
    "restart",
    "sequences",
    "transactions",
    "external-transactions",
    "cursors",
    "management",
    "store-faults",
    "coordinator-faults",
    "throttling",
    "concurrent",
  ],
  specs: { MQBR: "18.0", MQSD: "13.0", MQSO: "18.0" },
};

/** The methods of the implementation under test by name; each takes Parameters and returns a result or a promise of it. */
export const iutMethods = async () => {
  const methods = new Map();
  let server = discoveryServerOperations();

  const startAfresh = async () => {
    await server.close();
    server = discoveryServerOperations();
    const operations = {
      initialize: () => INTRODUCTION,
      reset: startAfresh,
      shutdown: async () => {
        await server.close();
        return {};
      },
      ...routerOperations(),
      ...server.methods,
      ...discoveryClientOperations(),
      ...orderedReceiverOperations(),
      ...orderedSenderOperations(),
      ...transactionOperations(),
      ...queueManagerOperations(),
    };
    for (const [name, method] of Object.entries(operations)) methods.set(name, method);
    return {};
  };

  await startAfresh();
  return methods;
};
