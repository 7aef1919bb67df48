// Records whose names attack the dashboard: markup, direction overrides, control characters, 10 kB of text.
import assert from "node:assert/strict";
import type { UpSource } from "../support/up.ts";

const MARKUP =
  `"><img src=x data-hostile onerror="globalThis.hostile=1"><script>globalThis.hostile=1</script>`;
/** Reads as `invoice exe.pdf` where the override is obeyed. */
const BIDI = "invoice \u202Efdp.exe\u202C \u2066isolated";
const CONTROL = "bell \u0007 escape \u001b[31m red\u001b[0m zero\u200Bwidth";
const LONG = "A".repeat(10_000);

/** The names, each in one line of text. */
export const HOSTILE_NAMES: readonly string[] = [MARKUP, BIDI, CONTROL, LONG];
/** The device with these names; its destinations are `198.51.100.<index of the name + 1>`. */
export const HOSTILE_DEVICE = "10.0.0.66";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

interface Line {
  kind: string;
  payload: Record<string, unknown>;
}

/** What sensors report about connections whose names are all `name`. */
function linesOf(name: string, index: number, time: number): Line[] {
  const server = `198.51.100.${index + 1}`;
  const zeek = (uid: string, port: number) => ({
    "ts": time / 1000,
    uid,
    "id.orig_h": HOSTILE_DEVICE,
    "id.orig_p": 50_000 + 10 * index + port % 10,
    "id.resp_h": server,
    "id.resp_p": port,
  });
  const conn = (uid: string, port: number, proto: string, service: string) => ({
    kind: "zeek.conn",
    payload: {
      ...zeek(uid, port),
      proto,
      service,
      "duration": 1.5,
      "orig_bytes": 2000,
      "resp_bytes": 40_000,
      "conn_state": "SF",
    },
  });
  const [tls, http, dns] = [`CTls${index}`, `CHttp${index}`, `CDns${index}`];
  const suricata = (type: string, port: number) => ({
    "timestamp": new Date(time).toISOString(),
    "event_type": type,
    "src_ip": HOSTILE_DEVICE,
    "src_port": 51_000 + index,
    "dest_ip": server,
    "dest_port": port,
  });
  return [
    conn(tls, 443, "tcp", "ssl"),
    {
      kind: "zeek.ssl",
      payload: {
        ...zeek(tls, 443),
        "version": "TLSv12",
        "cipher": "TLS_AES_128_GCM_SHA256",
        "server_name": name,
        "subject": `CN=${name}`,
        "issuer": `CN=${name}`,
        "established": true,
        "ja3": "3830b2a4fbcea64e74db382e467f5b3b",
      },
    },
    conn(http, 80, "tcp", "http"),
    {
      kind: "zeek.http",
      payload: {
        ...zeek(http, 80),
        "trans_depth": 1,
        "method": "GET",
        "host": name,
        "uri": `/${name}`,
        "version": "1.1",
        "user_agent": name,
        "status_code": 200,
        "status_msg": name,
      },
    },
    conn(dns, 53, "udp", "dns"),
    {
      kind: "zeek.dns",
      payload: {
        ...zeek(dns, 53),
        "proto": "udp",
        "trans_id": 100 + index,
        "query": name,
        "qtype": 16,
        "qtype_name": "TXT",
        "rcode": 0,
        "rcode_name": "NOERROR",
        "answers": [name],
        "TTLs": [60],
      },
    },
    {
      kind: "suricata.alert",
      payload: {
        ...suricata("alert", 443),
        proto: "TCP",
        alert: {
          gid: 1,
          signature_id: 2_000_001 + index,
          rev: 1,
          signature: `ET MALWARE ${name}`,
          category: name,
          severity: 1,
        },
      },
    },
    {
      kind: "suricata.dhcp",
      payload: {
        ...suricata("dhcp", 67),
        src_port: 68,
        proto: "UDP",
        dhcp: {
          type: "request",
          id: 3_100_200_100 + index,
          client_mac: "9c:b6:d0:1a:2b:3c",
          assigned_ip: "0.0.0.0",
          client_ip: HOSTILE_DEVICE,
          dhcp_type: "request",
          hostname: name,
        },
      },
    },
  ];
}

/** Sends the records, and beside them one that no parser accepts. */
export async function sendHostile(coreUrl: string, sources: UpSource[]): Promise<void> {
  const lines = HOSTILE_NAMES.flatMap((name, index) => {
    const time = Date.now() - 2 * MINUTE + index * SECOND;
    const observed = new Date(time).toISOString();
    return linesOf(name, index, time).map((line) => ({ ...line, observed_at: observed }));
  });
  const unparsed = {
    kind: "zeek.conn",
    observed_at: new Date().toISOString(),
    payload: { uid: MARKUP + BIDI },
  };
  for (const source of sources.filter(({ tenant_id }) => tenant_id === "main")) {
    const own = lines.filter(({ kind }) => source.allowed_kinds.includes(kind));
    if (own.length === 0) continue;
    const rejected = source.allowed_kinds.includes("zeek.conn")
      ? [JSON.stringify(unparsed), MARKUP + BIDI]
      : [];
    const response = await fetch(`${coreUrl}/internal/v1/ingest/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${source.token}`, "content-type": "application/x-ndjson" },
      body: [...own.map((line) => JSON.stringify(line)), ...rejected].join("\n"),
    });
    const answer = await response.text();
    assert.equal(response.status, 200, answer);
  }
}
