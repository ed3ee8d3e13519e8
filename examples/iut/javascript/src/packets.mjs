// The packets of MS-MQSD 2.2. IPX fields are neither written nor read: this program speaks IP.

import * as guid from "./guid.mjs";

const CLIENT_REQUEST = 1;
const SERVER_REPLY = 2;
const REQUEST_LENGTH = 52;
const FIXED_REPLY_LENGTH = 32;
const GUID_LENGTH = 16;

export const MOST_NETWORKS = 32;

// Version, Type and two octets Reserved, section 2.2.1.
const header = (type) => Buffer.from([0, type, 0, 0]);
const isOfType = (type, datagram) => datagram[1] === type;

/** TopologyClientRequest, section 2.2.2: 52 octets. */
export const writeRequest = ({ enterprise, request, site }) =>
  Buffer.concat([header(CLIENT_REQUEST), ...[enterprise, request, site].map(guid.toOctets)]);

/** What a request asks, or null where the datagram is none. Servers ignore Version, Reserved and what follows SiteID. */
export const readRequest = (datagram) => {
  if (datagram.length < REQUEST_LENGTH || !isOfType(CLIENT_REQUEST, datagram)) return null;
  const at = (offset) => guid.fromOctets(datagram.subarray(offset, offset + GUID_LENGTH));
  return { enterprise: at(4), request: at(20), site: at(36) };
};

/**
 * TopologyServerReply, section 2.2.3. `servers` holds the octets of DirectoryServiceServerArray; without them there is
 * no RespondingSiteID either.
 */
export const writeReply = ({ correlation, connectedNetworks, respondingSite, servers }) => {
  const numbers = Buffer.alloc(12);
  numbers.writeUInt32LE(connectedNetworks.length, 0);
  numbers.writeUInt32LE(0, 4); // ConnectedNetworkMask: no bit over IP
  numbers.writeUInt32LE(servers.length, 8);
  const site = servers.length > 0 ? [guid.toOctets(respondingSite), servers] : [];
  const networks = connectedNetworks.map(guid.toOctets);
  return Buffer.concat([header(SERVER_REPLY), guid.toOctets(correlation), numbers, ...networks, ...site]);
};

/** A reply in parts, or null where it is improperly formatted: cut off, or counting what cannot be. */
export const readReply = (datagram) => {
  if (datagram.length < FIXED_REPLY_LENGTH || !isOfType(SERVER_REPLY, datagram)) return null;
  const count = datagram.readUInt32LE(20);
  const size = datagram.readUInt32LE(28);
  if (count < 1 || count > MOST_NETWORKS || size % 2 !== 0) return null;
  const siteAt = FIXED_REPLY_LENGTH + GUID_LENGTH * count;
  const serversAt = siteAt + (size > 0 ? GUID_LENGTH : 0);
  if (datagram.length < serversAt + size) return null;
  const networkAt = (number) => datagram.subarray(FIXED_REPLY_LENGTH + GUID_LENGTH * number);
  return {
    correlation: guid.fromOctets(datagram.subarray(4)),
    connectedNetworks: Array.from({ length: count }, (_, number) => guid.fromOctets(networkAt(number))),
    servers: datagram.subarray(serversAt, serversAt + size),
  };
};
