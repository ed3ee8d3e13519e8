// Compares an implementation with test vectors: node check.mjs VECTORS IMPLEMENTATION.mjs
// The implementation exports router(directory) -> (source, destination) -> list of GUIDs, or null for no route,
// and readPacket(octets) -> object from field names to texts, or null where it refuses the packet.
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, module] = process.argv.slice(2);
if (!folder || !module) {
  console.error("usage: node check.mjs VECTORS IMPLEMENTATION.mjs");
  process.exit(4);
}
const { format } = JSON.parse(readFileSync(join(folder, "vectors.json")));
if (format !== 2) throw new Error(`${folder} has format ${format}, this reads format 2`);
const { router, readPacket } = await import(pathToFileURL(resolve(module)));

async function* records(file) {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line);
}

function filesOf(table) {
  const place = join(folder, "jsonl", table);
  try {
    return readdirSync(place).filter((name) => name.endsWith(".json")).sort().map((name) => join(place, name));
  } catch {
    return []; // none was asked for
  }
}

// The first answer pattern that matches gives the verdict; without one it is what `otherwise` says.
export function verdict(decision, hops) {
  const held = new Set((hops ?? []).filter((hop) => hop !== null).map((hop) => hop.toLowerCase()));
  const [first] = held;
  const matching = decision.answers.find((answer) => {
    const known = new Set([...answer.must, ...answer.may]);
    return (
      answer.must.every((hop) => held.has(hop)) &&
      [...held].every((hop) => known.has(hop)) &&
      held.size >= answer.least &&
      (answer.first.length === 0 || answer.first.includes(first))
    );
  });
  return matching?.verdict ?? decision.otherwise;
}

const counts = { pass: 0, inconclusive: 0, fail: 0 };
function count(result, id, requirement, said) {
  counts[result] += 1;
  if (result === "fail" && counts.fail <= 10) console.log(`FAIL ${id} ${requirement}: ${JSON.stringify(said)}`);
}

const decisions = filesOf("decisions");
for (const [place, file] of filesOf("enterprises").entries()) {
  const nextHops = new Map();
  for await (const one of records(file)) nextHops.set(one.enterprise, router(one.directory));
  for await (const one of records(decisions[place])) {
    for (const sample of one.samples) {
      // the samples prove this program, not the implementation
      if (verdict(one, sample.next_hops) !== sample.verdict) throw new Error(`${one.id}: the comparison is wrong`);
    }
    const hops = nextHops.get(one.enterprise)(one.source, one.destination);
    count(verdict(one, hops), one.id, one.requirement, hops);
  }
}
for (const file of filesOf("packets")) {
  for await (const one of records(file)) {
    const read = readPacket(Buffer.from(one.octets, "hex")); // of a wrong packet: anything but an exception
    if (one.verdict !== "pass") continue;
    const wrong = one.fields.find((field) => read?.[field.name] !== field.value);
    count(wrong ? "fail" : "pass", one.id, read ? wrong?.name : "refused", read?.[wrong?.name] ?? null);
  }
}
console.log(`${counts.pass} pass, ${counts.inconclusive} inconclusive, ${counts.fail} fail`);
process.exit(counts.fail ? 1 : counts.pass ? 0 : 5);
