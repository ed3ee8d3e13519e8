// DirectoryServiceServerArray (MS-MQSD 2.2.3): names of directory servers, each behind two flags for IP and IPX.

const flag = (supported) => (supported ? "1" : "0");

/** The entries in UTF-16, commas between them and one null at the end; nothing for no servers. */
export const toArray = (servers) => {
  if (servers.length === 0) return Buffer.alloc(0);
  const entries = servers.map(({ name, ip, ipx }) => flag(ip) + flag(ipx) + name);
  return Buffer.from(`${entries.join(",")}\0`, "utf16le");
};

/** Populate DirectoryServerList, section 3.1.7.1: each item without its first two characters. */
export const namesIn = (array) =>
  array
    .toString("utf16le")
    .split(/[,\0]/)
    .filter((item) => item.length > 2) // the null at the end leaves an item that is too short
    .map((item) => item.slice(2));
