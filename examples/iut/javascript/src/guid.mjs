// GUIDs: lower-case text everywhere in the program, 16 octets of MS-DTYP 2.3.4 in packets.

const TEXT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// Where each octet of a packet stands in the digits of the text: the first three groups have their low octet first.
const ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

export const isGuid = (text) => typeof text === "string" && TEXT.test(text);

export const toOctets = (guid) => {
  const digits = Buffer.from(guid.replaceAll("-", ""), "hex");
  return Buffer.from(ORDER.map((at) => digits[at]));
};

export const fromOctets = (octets) => {
  const digits = Buffer.from(ORDER.map((at) => octets[at])).toString("hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};
