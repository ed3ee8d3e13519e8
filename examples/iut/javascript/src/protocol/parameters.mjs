// Reading the parameters of a request: each reader says which field is wrong.

import { isGuid } from "../guid.mjs";

/** A field is missing or is not what it has to be. */
export class InvalidParameters extends Error {}

/** A JSON object of which nothing is known yet. */
export class Parameters {
  #values;
  #where;

  constructor(values, where = "params") {
    if (typeof values !== "object" || values === null || Array.isArray(values)) {
      throw new InvalidParameters(`${where} has to be an object`);
    }
    this.#values = values;
    this.#where = where;
  }

  has(name) {
    return Object.hasOwn(this.#values, name);
  }

  isNull(name) {
    return this.has(name) && this.#values[name] === null;
  }

  text(name) {
    return this.#checked(name, (value) => typeof value === "string", "text");
  }

  texts(name) {
    const isTexts = (value) => Array.isArray(value) && value.every((each) => typeof each === "string");
    return this.#checked(name, isTexts, "a list of texts");
  }

  boolean(name) {
    return this.#checked(name, (value) => typeof value === "boolean", "true or false");
  }

  integer(name) {
    return this.#checked(name, Number.isSafeInteger, "an integer");
  }

  count(name) {
    return this.#checked(name, (value) => Number.isSafeInteger(value) && value >= 0, "an integer, zero or more");
  }

  port(name) {
    return this.#checked(name, (value) => Number.isInteger(value) && value >= 0 && value <= 65_535, "a UDP port");
  }

  /** An integer of 64 bits, which arrives as text. */
  wideCount(name) {
    const isWide = (value) => typeof value === "string" && /^\d{1,20}$/.test(value);
    return BigInt(this.#checked(name, isWide, "an integer, zero or more"));
  }

  /** A duration in seconds, in whole microseconds: sums of them stay exact. */
  microseconds(name) {
    const isDuration = (value) => Number.isFinite(value) && value >= 0;
    return Math.round(this.#checked(name, isDuration, "seconds, zero or more") * 1_000_000);
  }

  /** The name of a stream or message. */
  key(name) {
    const isKey = (value) => typeof value === "string" || Number.isSafeInteger(value);
    return this.#checked(name, isKey, "text or an integer");
  }

  octets(name) {
    const isHex = (value) => typeof value === "string" && /^([0-9a-f]{2})*$/i.test(value);
    return Buffer.from(this.#checked(name, isHex, "hexadecimal digits, two an octet"), "hex");
  }

  guid(name) {
    return this.#checked(name, isGuid, "a GUID, 8-4-4-4-12").toLowerCase();
  }

  guids(name) {
    const isGuids = (value) => Array.isArray(value) && value.every(isGuid);
    return this.#checked(name, isGuids, "a list of GUIDs, 8-4-4-4-12").map((guid) => guid.toLowerCase());
  }

  oneOf(name, choices) {
    return this.#checked(name, (value) => choices.includes(value), `one of ${choices.join(", ")}`);
  }

  /** An object, as it came. */
  object(name) {
    const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
    return this.#checked(name, isObject, "an object");
  }

  nested(name) {
    return new Parameters(this.#values[name], `${this.#where}.${name}`);
  }

  listOf(name) {
    const values = this.#checked(name, Array.isArray, "a list");
    return values.map((value, number) => new Parameters(value, `${this.#where}.${name}[${number}]`));
  }

  listsOf(name) {
    const values = this.#checked(name, Array.isArray, "a list");
    return values.map((list, number) => new Parameters({ list }, `${this.#where}.${name}[${number}]`).listOf("list"));
  }

  #checked(name, isRight, description) {
    const value = this.has(name) ? this.#values[name] : undefined;
    if (!isRight(value)) throw new InvalidParameters(`${this.#where}.${name} has to be ${description}`);
    return value;
  }
}
