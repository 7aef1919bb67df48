import assert from "node:assert/strict";
import type { IncidentParty, IncidentTalk } from "../../../contract/incident/talk.ts";
import { COLUMN_NODES, flowsBetween, talkGraph } from "./talk-graph.ts";

/** `10.0.0.1 a` is the address of device `a`, `-` an address that is not stated. */
function party(text: string, name: string | null = null): IncidentParty {
  const [ip = "-", device] = text.split(" ");
  return {
    ip: ip === "-" ? null : ip,
    port: null,
    device_id: device ?? null,
    name: device?.toUpperCase() ?? name,
    country: null,
  };
}

function talk(src: string, dst: string, more: Partial<IncidentTalk> = {}): IncidentTalk {
  return {
    src: party(src),
    dst: party(dst),
    services: ["tls"],
    ports: [443],
    flows: 1,
    bytes_out: 100,
    bytes_in: null,
    all_flows: null,
    first_seen: "2026-01-31T07:00:00.000Z",
    last_seen: "2026-01-31T07:10:00.000Z",
    severity: null,
    evidence_ids: [`${src} > ${dst}`],
    ...more,
  };
}

function graphOf(devices: string[], talks: IncidentTalk[]) {
  const device_names = Object.fromEntries(devices.map((id) => [id, id.toUpperCase()]));
  return talkGraph({ device_ids: devices, device_names, talks });
}

const labels = (nodes: { label: string }[]) => nodes.map(({ label }) => label);

Deno.test("graph: devices stand left, their destinations right, in the order of their first traffic", () => {
  const { left, right, links } = graphOf(["a"], [
    talk("10.0.0.1 a", "192.0.2.1", { bytes_out: 5, bytes_in: 900 }),
    talk("10.0.0.1 a", "192.0.2.2", { first_seen: "2026-01-31T06:00:00.000Z", bytes_out: null }),
  ]);
  assert.deepEqual(labels(left), ["A"]);
  assert.equal(left[0]!.records, 2);
  assert.deepEqual(labels(right), ["192.0.2.2", "192.0.2.1"]);
  assert.deepEqual(links.map(({ to, sent, received, ports }) => [to, sent, received, ports]), [
    ["address 192.0.2.1", 5, 900, [443]],
    ["address 192.0.2.2", null, null, [443]],
  ]);
});

Deno.test("graph: a link has what all flows of its pair add up to, evidence or not", () => {
  const { links } = graphOf(["a"], [
    talk("10.0.0.1 a", "192.0.2.1", { all_flows: { flows: 3, bytes_out: 5, bytes_in: 33_000_000 } }),
    talk("10.0.0.1 a", "192.0.2.2", { all_flows: { flows: 2, bytes_out: null, bytes_in: null } }),
    talk("10.0.0.1 a", "192.0.2.3"),
  ]);
  const all = new Map(links.map(({ to, all }) => [to, all]));
  assert.deepEqual(all.get("address 192.0.2.1"), { flows: 3, bytes: 33_000_005 });
  assert.deepEqual(all.get("address 192.0.2.2"), { flows: 2, bytes: null });
  assert.equal(all.get("address 192.0.2.3"), null);
});

Deno.test("graph: an outside source stands left of the device that it reaches", () => {
  const { left, right } = graphOf(["a"], [talk("198.51.100.9", "10.0.0.1 a")]);
  assert.deepEqual([labels(left), labels(right)], [["198.51.100.9"], ["A"]]);
});

Deno.test("graph: a device that only answers another device is a destination", () => {
  const { left, right } = graphOf(["a", "b"], [talk("10.0.0.1 a", "10.0.0.2 b")]);
  assert.deepEqual([labels(left), labels(right)], [["A"], ["B"]]);
});

Deno.test("graph: the order of talks does not change the picture", () => {
  const talks = [
    talk("10.0.0.1 a", "192.0.2.1"),
    talk("10.0.0.2 b", "192.0.2.2"),
    talk("10.0.0.2 b", "192.0.2.1"),
  ];
  assert.deepEqual(graphOf(["a", "b"], talks), graphOf(["a", "b"], talks.toReversed()));
});

Deno.test("graph: a wide column ends with the sum of the others, and no evidence is lost", () => {
  const { right, links } = graphOf(
    ["a"],
    Array.from(
      { length: 30 },
      (_, index) => talk("10.0.0.1 a", `192.0.2.${index}`, { severity: index === 29 ? "high" : "low" }),
    ),
  );
  assert.equal(right.length, COLUMN_NODES);
  assert.equal(right.at(-1)?.label, `${30 - COLUMN_NODES + 1} more`);
  assert.equal(links.reduce((sum, { evidenceIds }) => sum + evidenceIds.length, 0), 30);
  const [rest] = links;
  assert.deepEqual([rest!.sent, rest!.flows, rest!.severity], [2300, 23, "high"]);
});

Deno.test("graph: without an address, a flow is of the resolver or not stated, a result names a domain", () => {
  const { right } = graphOf(["a"], [
    talk("10.0.0.1 a", "-", { dst: party("-", "main-unbound") }),
    talk("10.0.0.1 a", "-"),
    talk("10.0.0.1 a", "-", { dst: party("-", "example.net"), flows: 0 }),
  ]);
  assert.deepEqual(right.map(({ kind, label }) => [kind, label]).toSorted(), [
    ["domain", "example.net"],
    ["sensor", "main-unbound"],
    ["unstated", "not stated"],
  ]);
});

Deno.test("graph: a row finds the flows of its ends, whatever the port, also of the nodes that it adds up", () => {
  const flowsOf = (talks: IncidentTalk[]) => {
    const { left, right, links } = graphOf(["a"], talks);
    const nodes = new Map([...left, ...right].map((node) => [node.key, node]));
    return links.map((link) => flowsBetween(nodes.get(link.from)!, nodes.get(link.to)!));
  };
  assert.deepEqual(flowsOf([talk("10.0.0.1 a", "192.0.2.1")]), ["src.ip:10.0.0.1 dst.ip:192.0.2.1"]);
  assert.deepEqual(
    flowsOf([talk("10.0.0.1 a", "2001:db8::1"), talk("10.0.0.9 a", "2001:db8::1")]),
    ["src.ip:(10.0.0.1, 10.0.0.9) dst.ip:2001:db8::1"],
  );
  const many = Array.from({ length: COLUMN_NODES + 1 }, (_, at) => talk("10.0.0.1 a", `192.0.2.${at}`));
  assert.ok(flowsOf(many).includes("src.ip:10.0.0.1 dst.ip:(192.0.2.7, 192.0.2.8)"), String(flowsOf(many)));
  assert.deepEqual(flowsOf([talk("10.0.0.1 a", "-")]), [null]);
  const most = Array.from({ length: 120 }, (_, at) => talk("10.0.0.1 a", `192.0.2.${at}`));
  assert.ok(flowsOf(most).includes(null), "more addresses than a filter may list");
});
