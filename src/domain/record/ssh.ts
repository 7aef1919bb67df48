import type { JsonValue } from "../../kit/json/json.ts";
import { bounded, orWarn, text } from "./fields.ts";

/** Identification lines have at most 255 bytes (RFC 4253, 4.2). */
const MAX_SOFTWARE = 256;

/**
 * An end's software: the identification string without the leading `SSH-2.0-`, including the optional comment
 * (`OpenSSH_7.6p1 Ubuntu-4ubuntu0.3`). Zeek logs the whole string, Suricata only the rest.
 */
export function sshSoftware(value: JsonValue | undefined): string | null {
  const line = text(value, MAX_SOFTWARE + 16);
  return line === null ? null : bounded(line.replace(/^SSH-[\d.]{1,8}-/, "").trim(), MAX_SOFTWARE);
}

/**
 * The protocol version the ends agree on, from the versions they offer; `1.99` offers 1 and 2. One end is
 * enough unless it offers both.
 */
export function sshVersion(client: JsonValue | undefined, server: JsonValue | undefined): number | null {
  const offers = [client, server].map(offeredVersion).filter((offer) => offer !== null);
  if (offers.includes("1")) return 1;
  if (offers.includes("2")) return 2;
  return offers.length === 2 ? 2 : null;
}

/** Warns about a protocol version that `sshVersion` cannot use. */
export function expectSshVersion(value: JsonValue | undefined, name: string, warnings: string[]): void {
  orWarn(offeredVersion(value), value, `${name}: expected 1 or 2`, warnings);
}

function offeredVersion(value: JsonValue | undefined): "1" | "2" | "both" | null {
  if (typeof value !== "string") return null;
  if (value === "1.99") return "both";
  return /^1(\.\d{1,3})?$/.test(value) ? "1" : /^2(\.\d{1,3})?$/.test(value) ? "2" : null;
}
