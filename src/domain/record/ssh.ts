import type { JsonValue } from "../../kit/json/json.ts";
import { bounded, text } from "./fields.ts";

/** An identification line has at most 255 bytes (RFC 4253, 4.2). */
const MAX_SOFTWARE = 256;

/**
 * What an end says about its software: the identification string without the leading `SSH-2.0-`, with the
 * comment that may follow (`OpenSSH_7.6p1 Ubuntu-4ubuntu0.3`). Zeek writes the whole string, Suricata the rest
 * only.
 */
export function sshSoftware(value: JsonValue | undefined): string | null {
  const line = text(value, MAX_SOFTWARE + 16);
  return line === null ? null : bounded(line.replace(/^SSH-[\d.]{1,8}-/, "").trim(), MAX_SOFTWARE);
}

/**
 * The version that two ends speak, by the versions that they offer: `1.99` is one that speaks 2 and 1. One end
 * alone tells unless it offers both.
 */
export function sshVersion(client: JsonValue | undefined, server: JsonValue | undefined): number | null {
  const offers = [client, server].map(offeredVersion).filter((offer) => offer !== null);
  if (offers.includes("1")) return 1;
  if (offers.includes("2")) return 2;
  return offers.length === 2 ? 2 : null;
}

function offeredVersion(value: JsonValue | undefined): "1" | "2" | "both" | null {
  if (typeof value !== "string") return null;
  if (value === "1.99") return "both";
  return /^1(\.\d{1,3})?$/.test(value) ? "1" : /^2(\.\d{1,3})?$/.test(value) ? "2" : null;
}
