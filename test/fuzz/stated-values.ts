import { NAMES } from "../../src/domain/record/netflow/fields.ts";
import { canonicalIp, formatIp } from "../../src/kit/net/ip.ts";
import type { JsonValue } from "../../src/kit/json/json.ts";
import type { Payload } from "./samples.ts";

const RATE_NAMES: ReadonlySet<string> = new Set(NAMES.samplingRate);
/** Separators between the words of a log line; `@` separates an address from its port. */
const SEPARATORS = /[\s@]+/;

/** The values a payload states, anywhere and in any spelling: an observation may contain nothing else. */
export class StatedValues {
  readonly numbers = new Set<bigint>();
  readonly addresses = new Set<string>();
  readonly texts = new Set<string>();
  /** Sampling rates, including 1. */
  readonly rates = new Set<bigint>([1n]);

  constructor(payload: Payload) {
    this.#visit(payload);
  }

  #visit(value: JsonValue): void {
    if (typeof value === "string") this.#visitText(value);
    else if (typeof value === "bigint") this.numbers.add(value);
    else if (typeof value === "number") {
      if (Number.isInteger(value)) this.numbers.add(BigInt(value));
    } else if (typeof value === "object" && value !== null) {
      for (const [name, part] of Object.entries(value)) {
        if (RATE_NAMES.has(name)) this.#addRate(part);
        this.#visit(part);
      }
    }
  }

  #visitText(text: string): void {
    this.texts.add(text);
    for (const token of [text, ...text.split(SEPARATORS)]) {
      if (/^\d{1,20}$/.test(token)) this.numbers.add(BigInt(token));
      if (token.length > 64) continue;
      for (const ip of [canonicalIp(token), ofBase64(token), ofHex(token)]) {
        if (ip !== null) this.addresses.add(ip);
      }
    }
  }

  #addRate(value: JsonValue): void {
    if (typeof value === "string" && /^\d{1,20}$/.test(value)) this.rates.add(BigInt(value));
    else if (typeof value === "bigint" || Number.isInteger(value)) {
      this.rates.add(BigInt(value as number | bigint));
    }
  }
}

function ofBase64(word: string): string | null {
  return /^(?:[A-Za-z0-9+/]{6}|[A-Za-z0-9+/]{22})==$/.test(word) ? textOf(Uint8Array.fromBase64(word)) : null;
}

function ofHex(word: string): string | null {
  return /^(?:[0-9a-f]{8}|[0-9a-f]{32})$/.test(word) ? textOf(Uint8Array.fromHex(word)) : null;
}

function textOf(bytes: Uint8Array): string | null {
  return canonicalIp(formatIp(bytes));
}
