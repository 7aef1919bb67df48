// Records that tests in a browser send to the tenant of their program.
import assert from "node:assert/strict";
import type { Up } from "../support/up.ts";

interface SentRecord {
  /** Milliseconds. */
  time: number;
  payload: Record<string, unknown>;
}

/** Sends records of a kind as a sensor of the tenant. */
export async function sendRecords(up: Up, kind: string, records: readonly SentRecord[]): Promise<void> {
  const source = up.sources.find(({ tenant_id, allowed_kinds }) =>
    tenant_id === "main" && allowed_kinds.includes(kind)
  )!;
  const response = await fetch(`${up.coreUrl}/internal/v1/ingest/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${source.token}`, "content-type": "application/x-ndjson" },
    body: records.map(({ time, payload }) =>
      JSON.stringify({ kind, observed_at: new Date(time).toISOString(), payload })
    ).join("\n"),
  });
  assert.equal(response.status, 200, await response.text());
}

interface Connection {
  uid: string;
  time: number;
  from: string;
  fromPort: number;
  to: string;
  port: number;
  service: string | null;
  bytes: number;
  duration?: number;
}

/** A complete TCP connection, or UDP for DNS, as Zeek records it. */
export function connection(
  { uid, time, from, fromPort, to, port, service, bytes, duration = 1.5 }: Connection,
): SentRecord {
  return {
    time,
    payload: {
      "ts": time / 1000,
      uid,
      "id.orig_h": from,
      "id.orig_p": fromPort,
      "id.resp_h": to,
      "id.resp_p": port,
      "proto": port === 53 ? "udp" : "tcp",
      ...service === null ? {} : { service },
      duration,
      "orig_bytes": bytes,
      "resp_bytes": 400,
      "conn_state": "SF",
    },
  };
}

interface Alert {
  /** The last part of its address. */
  device: number;
  /** The address of the server; default: with the same last part. */
  to?: string;
  time: number;
  id: number;
  signature: string;
  priority: number;
}

/** An alert about a device of 10.0.0.0/24, as Suricata records it. */
export function alert(
  { device, to = `198.51.100.${device}`, time, id, signature, priority }: Alert,
): SentRecord {
  return {
    time,
    payload: {
      timestamp: new Date(time).toISOString(),
      event_type: "alert",
      src_ip: `10.0.0.${device}`,
      src_port: 50_000 + id % 1000,
      dest_ip: to,
      dest_port: 443,
      proto: "TCP",
      alert: { gid: 1, signature_id: id, rev: 1, signature, severity: priority },
    },
  };
}
