import assert from "node:assert/strict";
import fc from "fast-check";
import type { AlertFacts } from "../../record/facts.ts";
import { signatureFamily } from "./family.ts";
import { addAlert, type AlertSighting, isDueAlert, markAlertsEvaluated } from "./group.ts";
import { evaluateAlerts } from "./score.ts";
import { uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import {
  ALERT_GROUPS,
  type AlertGroupState,
  emptyAlertGroup,
  MAX_ALERT_REFS,
  MAX_PEERS,
  MAX_SIGNATURES,
} from "./state.ts";

const SECOND = 1_000_000;
const T0 = 1_600_000_000 * SECOND;

function facts(
  signature: string,
  category: string | null,
  priority: number | null,
  more: Partial<AlertFacts> = {},
) {
  const alert: AlertFacts = {
    type: "alert",
    gid: 1,
    signatureId: 2_000_000 + signature.length,
    revision: 1,
    signature,
    category,
    priority,
    action: "allowed",
    metadata: {},
    ...more,
  };
  return alert;
}

let serial = 0;
function sighting(alert: AlertFacts, more: Partial<AlertSighting> = {}): AlertSighting {
  serial++;
  const at = T0 + serial * SECOND;
  return {
    facts: alert,
    at,
    peerIp: "198.51.100.1",
    port: 443,
    outbound: false,
    users: 1,
    evidenceId: uuid(serial),
    flowId: uuid(serial, "9"),
    ...more,
  };
}

function evaluate(alerts: readonly AlertSighting[]) {
  const state = alerts.reduce(addAlert, emptyAlertGroup());
  const family = signatureFamily((alerts[0] as AlertSighting).facts);
  return evaluateAlerts(state, {
    deviceId: "d1",
    deviceName: "srv-2",
    deviceIds: ["d1"],
    family,
    deviceCount: 20,
  });
}

const SCAN = facts("ET SCAN Potential SSH Scan", "Attempted Information Leak", 2);
const ROOT = facts("GPL ATTACK_RESPONSE id check returned root", "Potentially Bad Traffic", 2);
const CNC = facts(
  "ET CNC Ransomware Tracker Reported CnC Server group 101",
  "A Network Trojan was detected",
  1,
);
const CHECKSUM = facts("SURICATA TCPv4 invalid checksum", "Generic Protocol Command Decode", 3, {
  signatureId: 2_200_074,
});
const APT = facts("ET POLICY GNU/Linux APT User-Agent Outbound", "Not Suspicious Traffic", 3);

Deno.test("signature family: malware family, ruleset class, own prefix, category, signature", () => {
  const key = (alert: AlertFacts) => signatureFamily(alert).key;
  const named = facts("ET MALWARE Win32/Emotet CnC", "A Network Trojan was detected", 1, {
    metadata: { malware_family: ["Emotet"] },
  });
  assert.deepEqual(signatureFamily(named), { key: "malware:emotet", label: "Emotet", theme: "malware" });
  assert.equal(key(SCAN), "class:et scan");
  assert.equal(key(facts("ETPRO SCAN x", null, 2)), "class:et scan");
  assert.equal(key(facts("ET TROJAN x", null, 1)), "class:et malware");
  assert.equal(
    key(facts("ET CINS Active x", "Misc Attack", 2)),
    key(facts("ET DROP Dshield x", "Misc Attack", 2)),
  );
  assert.equal(key(facts("CDMCS: DNS request", "Potential Corporate Privacy Violation", 1)), "prefix:cdmcs");
  assert.equal(key(facts("Something odd", "Misc activity", 3)), "category:misc activity");
  assert.equal(key(facts("Something odd", null, 3)), "sid:1:2000013");
  assert.equal(key(CHECKSUM), "noise");
  assert.equal(key(APT), "noise");
});

Deno.test("signature-alert: noise is never an incident, whatever its number", () => {
  assert.equal(evaluate(Array.from({ length: 1162 }, () => sighting(CHECKSUM))), null);
  assert.equal(evaluate(Array.from({ length: 68 }, () => sighting(APT, { outbound: true }))), null);
});

Deno.test("signature-alert: a single alert about policy or bad traffic is not reported", () => {
  assert.equal(
    evaluate([sighting(facts("ET POLICY curl User-Agent Outbound", "Attempted Information Leak", 2))]),
    null,
  );
  assert.equal(
    evaluate([sighting(facts("ET WEB_CLIENT Hex Obfuscation", "Potentially Bad Traffic", 2))]),
    null,
  );
});

Deno.test("signature-alert: a successful attack and a control server are reported at once", () => {
  const root = evaluate([sighting(ROOT)]);
  assert.equal(root?.score, 45);
  assert.equal(root?.title, "Signs of a successful attack on srv-2 (GPL ATTACK_RESPONSE)");
  const cnc = evaluate([sighting(CNC, { outbound: true, peerIp: "203.0.113.7" })]);
  assert.equal(cnc?.score, 60);
  assert.equal(cnc?.technique, "T1071");
  assert.match(
    cnc?.summary ?? "",
    /^The sensor raised 1 alert \(ET CNC\) about srv-2 at 2020-09-1\d \d\d:\d\d UTC/,
  );
  assert.match(cnc?.summary ?? "", /From the device to 203\.0\.113\.7\.$/);
});

Deno.test("signature-alert: a scanning or attacking device scores higher than a target", () => {
  const exploit = facts("ET EXPLOIT Apache Path Traversal", "Attempted Administrator Privilege Gain", 1);
  for (const alert of [SCAN, exploit, facts("ET CINS Poor Reputation IP", "Misc Attack", 2)]) {
    const [inward, outward] = [evaluate([sighting(alert)]), evaluate([sighting(alert, { outbound: true })])];
    assert.ok((outward?.score ?? 0) >= (inward?.score ?? 0) + 15, alert.signature);
  }
  assert.equal(evaluate([sighting(SCAN, { outbound: true })])?.technique, "T1046");
});

Deno.test("signature-alert: the rule author's metadata counts", () => {
  const rule = (metadata: Record<string, string[]>, action = "allowed") =>
    evaluate([
      sighting(facts("ET WEB_SERVER x", "Web Application Attack", 1, { metadata, action }), {
        outbound: true,
      }),
    ]);
  const plain = rule({});
  assert.ok((rule({ signature_severity: ["Critical"] })?.score ?? 0) > (plain?.score ?? 0));
  assert.ok((rule({}, "blocked")?.score ?? 0) < (plain?.score ?? 0));
  assert.equal(rule({ signature_severity: ["Informational"] }), null);
  assert.equal(rule({ mitre_technique_id: ["T1059_001"] })?.technique, "T1059.001");
  assert.ok((rule({ confidence: ["High"] })?.confidence ?? 0) > (plain?.confidence ?? 1));
});

Deno.test("signature-alert: scans of an exposed host are one low incident", () => {
  const signatures = [
    "SSH",
    "VNC 5800-5820",
    "MSSQL port 1433",
    "Oracle SQL",
    "mySQL",
    "PostgreSQL",
    "Sipvicious",
    "VNC",
    "x",
  ];
  const result = evaluate(
    signatures.map((name, index) =>
      sighting(
        facts(`ET SCAN Suspicious inbound ${name}`, "Potentially Bad Traffic", 2, { signatureId: index }),
        {
          peerIp: `198.51.100.${index % 3}`,
        },
      )
    ),
  );
  assert.ok(result !== null && result.score >= 20 && result.score < 40, `${result?.score}`);
  assert.equal(result.title, "srv-2 is being scanned (ET SCAN)");
});

const anyAlert = fc.record({
  name: fc.constantFrom(
    "ET SCAN a",
    "ET MALWARE b",
    "ET POLICY c",
    "ET CINS d",
    "own",
    "GPL SNMP e",
    "SURICATA f",
  ),
  sid: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(2_210_000)),
  category: fc.option(
    fc.constantFrom("Misc activity", "A Network Trojan was detected", "Not Suspicious Traffic"),
  ),
  priority: fc.option(fc.integer({ min: 0, max: 255 })),
  action: fc.constantFrom("allowed", "blocked", null),
  outbound: fc.boolean(),
  peer: fc.nat(90),
  hours: fc.integer({ min: 0, max: 20 }),
});
const anyAlerts = fc.array(anyAlert, { minLength: 1, maxLength: 120, size: "max" }).map((all) =>
  all.map(({ name, sid, category, priority, action, outbound, peer, hours }) =>
    sighting(facts(name, category, priority, { signatureId: sid, action }), {
      at: T0 + hours * 3600 * SECOND,
      outbound,
      peerIp: `203.0.113.${peer}`,
    })
  )
);

Deno.test("signature-alert: more evidence never lowers the score", () => {
  fc.assert(fc.property(anyAlerts, (alerts) => {
    const family = { key: "x", label: "x", theme: "other" } as const;
    let state = emptyAlertGroup();
    let before = 0;
    for (const alert of alerts) {
      state = addAlert(state, alert);
      const score =
        evaluateAlerts(state, { deviceId: null, deviceName: "x", deviceIds: [], family, deviceCount: 20 })
          ?.score ?? 0;
      assert.ok(score >= before && score <= 100);
      before = score;
    }
  }));
});

Deno.test("signature-alert: batches of any size, stored in between, give the same state", () => {
  fc.assert(fc.property(anyAlerts, fc.uniqueArray(fc.nat(120)), (alerts, cuts) => {
    const run = (stops: ReadonlySet<number>) => {
      const due: number[] = [];
      let state: AlertGroupState = emptyAlertGroup();
      alerts.forEach((alert, index) => {
        if (stops.has(index)) state = ALERT_GROUPS.decode(ALERT_GROUPS.encode(state));
        state = addAlert(state, alert);
        if (!isDueAlert(state)) return;
        due.push(index);
        state = markAlertsEvaluated(state);
      });
      return { state, due };
    };
    assert.deepEqual(run(new Set(cuts)), run(new Set()));
  }));
});

Deno.test("signature-alert: the state stays bounded", () => {
  const long = "x".repeat(100_000);
  const alerts = Array.from(
    { length: 300 },
    (_, index) =>
      sighting(
        facts(`${index} ${long}`, long, 1, {
          signatureId: index,
          metadata: { tag: [long], confidence: [long] },
        }),
        {
          peerIp: `203.0.${index >> 8}.${index & 255}`,
          port: 65_535 - index,
        },
      ),
  );
  const state = alerts.reduce(addAlert, emptyAlertGroup());
  assert.equal(state.signatures.length, MAX_SIGNATURES);
  assert.equal(state.peers.length, MAX_PEERS);
  assert.equal(state.refs.length, MAX_ALERT_REFS);
  assert.equal(state.refs.at(-1)?.evidenceId, alerts.at(-1)?.evidenceId);
  const bytes = ALERT_GROUPS.encode(state);
  assert.ok(bytes.length < 4200, `${bytes.length}`);
  assert.deepEqual(ALERT_GROUPS.decode(bytes), state);
  assert.throws(() => ALERT_GROUPS.decode(new TextEncoder().encode("{}")), RangeError);
});

Deno.test("signature-alert: due at 1, 2, 5, 10, … and for a new signature or a worse alert", () => {
  const due: number[] = [];
  let state = emptyAlertGroup();
  const add = (alert: AlertSighting) => {
    state = addAlert(state, alert);
    const now = isDueAlert(state);
    if (now) due.push(state.count);
    state = now ? markAlertsEvaluated(state) : state;
  };
  for (let index = 0; index < 60; index++) add(sighting(SCAN, { at: T0 }));
  assert.deepEqual(due, [1, 2, 5, 10, 20, 50]);
  add(sighting({ ...SCAN, signature: "ET SCAN other", signatureId: 7 }, { at: T0 }));
  add(sighting(SCAN, { at: T0, outbound: true }));
  add(sighting(SCAN, { at: T0 }));
  add(sighting(SCAN, { at: T0 + 16 * 60 * SECOND }));
  assert.deepEqual(due.slice(6), [61, 62, 64]);
});

Deno.test("signature-alert: a day of silence begins a new stretch", () => {
  const first = addAlert(emptyAlertGroup(), sighting(SCAN, { at: T0 }));
  const later = addAlert(first, sighting(SCAN, { at: T0 + 25 * 3600 * SECOND }));
  assert.equal(later.count, 1);
  assert.ok(isDueAlert(later));
  const sooner = addAlert(first, sighting(SCAN, { at: T0 + 23 * 3600 * SECOND }));
  assert.equal(sooner.count, 2);
});
