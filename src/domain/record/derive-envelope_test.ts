import assert from "node:assert/strict";
import { eveKindOf, observedAtOf, zeekKindOf } from "./derive-envelope.ts";

Deno.test("zeekKindOf: log names, files, rotated files", () => {
  const cases: [string, string | null][] = [
    ["conn", "zeek.conn"],
    ["capture_loss", "zeek.capture_loss"],
    ["conn.log", "zeek.conn"],
    ["/opt/zeek/logs/2026-11-21/dns.10:00:00-11:00:00.log.gz", "zeek.dns"],
    ["C:\\zeek\\ssl.ndjson", "zeek.ssl"],
    ["zeek-http.log", "zeek.http"],
    ["conn_long", null],
    ["conn-summary.log", null],
    ["weird.log", null],
    ["", null],
    ["constructor", null],
  ];
  for (const [path, kind] of cases) assert.equal(zeekKindOf(path), kind, path);
});

Deno.test("eveKindOf: supported kinds only", () => {
  assert.equal(eveKindOf("alert"), "suricata.alert");
  assert.equal(eveKindOf("krb5"), "suricata.krb5");
  assert.equal(eveKindOf("fileinfo"), null);
  assert.equal(eveKindOf("stats"), null);
});

Deno.test("observedAtOf: the source's time with full precision", () => {
  assert.equal(observedAtOf("zeek.http", { ts: 1575413096.052279 }), "2019-12-03T22:44:56.052279Z");
  assert.equal(observedAtOf("zeek.ssl", { ts: 1575413096052 }), "2019-12-03T22:44:56.052Z");
  assert.equal(
    observedAtOf("zeek.conn", { ts: "2011-08-15T03:36:16.748830Z" }),
    "2011-08-15T03:36:16.74883Z",
  );
  assert.equal(
    observedAtOf("suricata.alert", { timestamp: "2022-02-08T11:33:00.175195-0500" }),
    "2022-02-08T16:33:00.175195Z",
  );
  assert.equal(
    observedAtOf("suricata.alert", { timestamp: "2019-01-02T03:50:11.315110" }),
    "2019-01-02T03:50:11.31511Z",
  );
  assert.equal(
    observedAtOf("netflow.flow", { time_flow_start_ns: 1681583295157626001n }),
    "2023-04-15T18:28:15.157626001Z",
  );
  assert.equal(
    observedAtOf("netflow.flow", { TimeFlowStart: 0, TimeReceived: 1637501832 }),
    "2021-11-21T13:37:12Z",
  );
  assert.equal(
    observedAtOf("netflow.flow", { timestamp_start: "2025-11-21 01:01:41.5" }),
    "2025-11-21T01:01:41.5Z",
  );
  assert.equal(observedAtOf("zeek.conn", {}), null);
  assert.equal(observedAtOf("suricata.smb", { timestamp: "x" }), null);
});

Deno.test("observedAtOf: the last full date before an Unbound line's message", () => {
  const text = "[12:0] info: 192.0.2.9 example.com. A IN";
  const cases: [string, string | null][] = [
    [`[1700000000] unbound${text}`, "2023-11-14T22:13:20Z"],
    [`2026-11-21T01:02:03.456+01:00 unbound${text}`, "2026-11-21T00:02:03.456Z"],
    [
      `<30>1 2026-11-21T01:02:03.456789Z gw unbound 12 - [meta sequenceId="62"] ${text}`,
      "2026-11-21T01:02:03.456789Z",
    ],
    [`2026-11-21T01:02:03+0000 gw unbound[12]: [1700000000] unbound${text}`, "2023-11-14T22:13:20Z"],
    [`2026-11-21 01:02:03 unbound${text}`, "2026-11-21T01:02:03Z"],
    [`Nov 21 01:02:03 gw unbound: ${text}`, null],
    [`Nov 21 01:02:03 unbound${text}`, null],
    [text, null],
    ["192.0.2.9 2026-11-21T01:02:03Z A IN", null],
    ["[12:0] info: [1700000000] [13:0] info: x", null],
    ["", null],
  ];
  for (const [message, time] of cases) {
    assert.equal(observedAtOf("unbound.query", { message }), time, message);
  }
  assert.equal(observedAtOf("unbound.query", { message: 1700000000 }), null);
});
