// Records that let every operation answer, and the objects that replace the examples'.

import assert from "node:assert/strict";
import { formatMicros } from "../../../../src/kit/time.ts";
import { alert, conn, dns, eve, exported, rawLine, ssl } from "../../records.ts";
import type { Drive } from "./driver.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;

/** How many of `worldLines` are no records. */
export const BROKEN_LINES = { zeek: 1, suricata: 0, netflow: 0 } as const;

/** Ingest lines of a quarter of an hour before `now` (microseconds), by kind of sensor. */
export function worldLines(now: number): { zeek: string[]; suricata: string[]; netflow: string[] } {
  const at = now - 4 * MINUTE;
  const dst = "198.51.100.7";
  return {
    zeek: [
      dns({ srcPort: 51000, query: "cdn.zbot.example", at: now - 5 * MINUTE, more: { answers: [dst] } }),
      conn({ at, seconds: 42, more: { orig_bytes: 9_007_199_254_740_993n.toString() } }).replace(
        /"orig_bytes":"(\d+)"/,
        '"orig_bytes":$1',
      ),
      ssl({ at, more: { server_name: "cdn.zbot.example", version: "TLSv13" } }),
      conn({ src: "10.0.0.6", dst: "2001:db8::7", srcPort: 50001, at: at + SECOND }),
      rawLine("zeek.conn", formatMicros(at), '{"uid":"C8kDb52"}'),
      '{"kind":"zeek.conn","observed_at":',
    ],
    suricata: [
      alert({ at: at + 30 * SECOND, dst }),
      alert({ src: "10.0.0.6", srcPort: 50006, at: at + 40 * SECOND }),
      eve("dhcp", {
        type: "reply",
        dhcp_type: "ack",
        client_mac: "3c:22:fb:10:20:30",
        assigned_ip: "10.0.0.5",
        hostname: "front-desk",
        lease_time: 28800,
      }, {
        src: "10.0.0.1",
        srcPort: 67,
        dst: "10.0.0.5",
        dstPort: 68,
        at: now - 10 * MINUTE,
        more: { proto: "UDP" },
      }),
    ],
    netflow: [exported({ at, seconds: 42 })],
  };
}

/** Waits until the records above have become incidents, and finds the objects of the examples. */
export async function discover(drive: Drive, now: number, seconds = 0): Promise<void> {
  const window: [string, string][] = [["from", formatMicros(now - 15 * MINUTE)], ["limit", "500"]];
  const read = async (id: "listIncidents" | "listFlows" | "listDevices") =>
    (await drive.send(id, { path: {}, query: id === "listDevices" ? [] : window, headers: {} })).body.data;
  const end = Date.now() + seconds * 1000;
  let incidents = await read("listIncidents");
  while (incidents.length < 2 && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    incidents = await read("listIncidents");
  }
  const devices = await read("listDevices");
  const device = devices.find(({ addresses }) => addresses.includes("10.0.0.5"));
  const incident = incidents.find((one) => one.device_ids[0] === device?.device_id);
  const flow = (await read("listFlows")).find((one) => one.observation_count >= 3);
  assert.ok(device && incident && flow, JSON.stringify({ devices, incidents }));
  assert.equal(flow.counters.src_to_dst.bytes, 9_007_199_254_740_993n, "counters keep every digit");
  const { body } = await drive.send("getIncident", {
    path: { incident_id: incident.id },
    query: [],
    headers: {},
  });
  const own = await drive.send("getSession", { path: {}, query: [], headers: {} }, "analyst");
  drive.known = {
    PERSON_SUBJECT: own.body.data.subject,
    DEVICE_ID: device.device_id,
    INCIDENT_ID: incident.id,
    FLOW_ID: flow.flow_id,
    CONN_EVIDENCE_ID: flow.primary_evidence.evidence_id,
    ANALYSIS_ID: body.data.model_results[0]!.analysis_id,
  };
}
