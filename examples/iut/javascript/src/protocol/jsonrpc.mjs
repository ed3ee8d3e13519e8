// JSON-RPC 2.0 over lines: one object a line in, one object a line out.

import { InvalidParameters, Parameters } from "./parameters.mjs";

const LONGEST_LINE = 16 * 1024 * 1024;
const LINE_END = 0x0a;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** An error answer with a code of its own. */
export class MethodError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Answer requests until `shutdown`, the end of input, or a line that has no end. */
export const serve = async (methods, requests, answers) => {
  const write = (answer) => answers.write(`${JSON.stringify(answer)}\n`);
  for await (const line of lines(requests)) {
    if (line === null) {
      write(failure(null, INVALID_REQUEST, `a line has ${LONGEST_LINE} octets at most`));
      return;
    }
    const request = parse(line);
    const answer = await answerTo(methods, request);
    if (answer !== null) write(answer);
    if (request?.method === "shutdown") return;
  }
};

/** The lines of a stream as octets; null for one that is too long, after which nothing can follow. */
async function* lines(stream) {
  let pieces = [];
  let length = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, end)]);
      [pieces, length, from] = [[], 0, end + 1];
    }
    pieces.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LONGEST_LINE) {
      yield null;
      return;
    }
  }
  if (length > 0) yield Buffer.concat(pieces);
}

/** The JSON value of a line; undefined where it has none. */
const parse = (line) => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
    // Ids of sequences have 64 bits, more than a number holds: they are read as text.
    return JSON.parse(text.replace(/"sequence_id"\s*:\s*(\d+)/g, '"sequence_id":"$1"'));
  } catch {
    return undefined;
  }
};

/** The answer to one request; null for one without id, which gets none. */
const answerTo = async (methods, request) => {
  if (request === undefined) return failure(null, PARSE_ERROR, "the line is not JSON in UTF-8");
  if (typeof request?.method !== "string") {
    return failure(null, INVALID_REQUEST, "a request is an object with a method");
  }
  const { method, params = {}, id = null } = request;
  const answer = await call(methods, method, params, id);
  return "id" in request ? answer : null;
};

const call = async (methods, method, params, id) => {
  if (!methods.has(method)) return failure(id, METHOD_NOT_FOUND, `there is no method ${method}`);
  try {
    const result = await methods.get(method)(new Parameters(params));
    return { jsonrpc: "2.0", id, result };
  } catch (error) {
    // Whatever is wrong here, the next request still has to be answered.
    return failure(id, codeOf(error), error.message);
  }
};

const codeOf = (error) => {
  if (error instanceof MethodError) return error.code;
  return error instanceof InvalidParameters || error instanceof RangeError ? INVALID_PARAMS : INTERNAL_ERROR;
};

const failure = (id, code, message) => ({ jsonrpc: "2.0", id, error: { code, message } });
