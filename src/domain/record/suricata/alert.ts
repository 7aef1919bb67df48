import {
  address,
  asObject,
  bounded,
  expectTexts,
  type Fields,
  orWarn,
  port,
  small,
  text,
  texts,
} from "../fields.ts";
import type { AlertFacts } from "../facts.ts";
import { recordType } from "../record-type.ts";
import { appProtocol, eveCommon, eveTime, packetTuple } from "./envelope.ts";
import { span, timeOf } from "../times.ts";
import { reversed, type Tuple } from "../tuple.ts";

const MAX_SIGNATURE = 512;
const MAX_METADATA_KEYS = 64;
const MAX_UINT32 = 0xffffffff;

/**
 * Suricata EVE `alert`: a signature that matched a packet of a flow. The interval runs from the flow's start,
 * if stated, to the alert. There are no counters: the record's `flow` counts only up to the alert.
 * Application layer members (`http`, `tls`, `dns`, …) are context of the alert, not facts of their own.
 *
 * The record lists the packet's source first. The flow's originator is put first instead if known: from
 * `flow.src_ip` (since Suricata 7), else from `direction` (since 6). Older records stay as they are.
 */
export const suricataAlert = recordType("suricata.alert", "suricata", "alert", (payload, context) => {
  const warnings: string[] = [];
  const tuple = packetTuple(payload, warnings);
  if ("unparsed" in tuple) return tuple;
  const alert = asObject(payload.alert);
  if (alert === null) return { unparsed: "alert: expected an object" };
  const facts = alertFacts(alert, warnings);
  if (facts === null) return { unparsed: "alert.signature: expected a string" };
  const flow = asObject(payload.flow);
  const time = eveTime(payload, context, warnings);
  const start = timeOf(flow?.start, "flow.start", warnings) ?? time;
  return {
    // An alert on the pseudo packet that closes a flow may have a meaningless time, long before the flow.
    ...span(start, time, Math.max(start, time), warnings),
    ...(isReply(tuple, payload, flow) ? reversed(tuple) : tuple),
    counters: null,
    service: appProtocol(payload, warnings),
    facts,
    warnings,
    ...eveCommon(payload, warnings),
  };
});

function isReply(tuple: Tuple, payload: Fields, flow: Fields | null): boolean {
  const originator = address(flow?.src_ip);
  if (originator === null) return payload.direction === "to_client";
  if (tuple.src.ip !== tuple.dst.ip) return originator === tuple.dst.ip;
  // Both ends on one host: compare the port.
  return tuple.src.port !== tuple.dst.port && port(flow?.src_port) === tuple.dst.port;
}

/** Null if the record has neither the signature's text nor its number. */
function alertFacts(alert: Fields, warnings: string[]): AlertFacts | null {
  expectTexts(alert, ["signature", "category", "action"], warnings);
  const number = (name: string, max: number) =>
    orWarn(small(alert[name], max), alert[name], `${name}: expected an integer from 0 to ${max}`, warnings);
  const signatureId = number("signature_id", MAX_UINT32);
  const signature = text(alert.signature, MAX_SIGNATURE) ??
    (signatureId === null ? null : `signature ${signatureId}`);
  if (signature === null) return null;
  return {
    type: "alert",
    gid: number("gid", MAX_UINT32),
    signatureId,
    revision: number("rev", MAX_UINT32),
    signature,
    category: text(alert.category, 256),
    priority: number("severity", 255),
    action: text(alert.action, 32),
    metadata: metadataOf(
      orWarn(asObject(alert.metadata), alert.metadata, "metadata: expected an object", warnings) ?? {},
    ),
  };
}

function metadataOf(metadata: Fields): Record<string, string[]> {
  const entries: [string, string[]][] = [];
  for (const [key, value] of Object.entries(metadata)) {
    if (entries.length === MAX_METADATA_KEYS) break;
    const name = bounded(key, 128);
    const values = texts(Array.isArray(value) ? value : [value], 32, 256);
    if (name !== null && values.length > 0) entries.push([name, values]);
  }
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(entries);
}
