import pg from "pg";
import { timeUuid } from "../../../src/kit/id.ts";
import type { Span, Values } from "./api-calls.ts";
import { DAYS } from "./api-fill.ts";

const DAY = 86_400_000_000;

/** Common and rare values in the rows that were generated over so many days. */
export async function interesting(
  url: string,
  days = DAYS,
): Promise<{ values: Values; spans: Record<string, Span> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const list = async (text: string) =>
    (await client.query(text)).rows.map((row) => String(Object.values(row)[0]));
  const [end] = await list("select extract(epoch from max(last_batch_at)) * 1000000 from pipeline_cursor");
  const to = Number(end) + 1_000_000;
  const back = (micros: number): Span => ({
    from: new Date((to - micros) / 1000).toISOString(),
    to: new Date(to / 1000).toISOString(),
  });
  const values: Values = {
    device_id: await list("select made_device(n) from unnest(array[0, 1, 2, 5, 400, 19000]) n"),
    "getGraph.focus_device_id": await list(
      "select made_device(n) from unnest(array[0, 1, 2, 5, 400, 19000]) n",
    ),
    "getGraph.hops": ["1", "2"],
    "getGraph.filter": ["service:dns", "bytes>1MB -country:DE"],
    "getGraph.expand": ["vlan:none", "asn:none"],
    peer_ip: [
      ...await list("select host(made_peer(n)) from unnest(array[1, 150, 60000, 149990]) n"),
      "10.0.0.1",
      "10.0.1.150",
      "203.0.113.9",
    ],
    // The one with an index, one of the flow itself and one of its records.
    "listFlows.sort": ["-start", "-bytes", "user_agent"],
    proto: ["tcp", "icmp", "gre", "sctp"],
    service: ["dns", "ssh", "smb", "rdp", "modbus", "nothing"],
    source: ["zeek", "suricata", "netflow", "unbound"],
    incident_id: await list(
      "select incident_id from incident where incident_no in (5000, 4990, 4999, 13) order by 1",
    ),
    flow_id: await list(
      "(select flow_id from flow where folded_batch_no is null limit 10) union all (select flow_id from flow where folded_batch_no is not null limit 10)",
    ),
    evidence_id: (await client.query("select observed_at, event_id from raw_record limit 8")).rows.map((
      row,
    ) => timeUuid(Number(row.observed_at) * 1000, row.event_id)),
    suppression_id: await list("select suppression_id from suppression order by 1 desc limit 8"),
    proposal_id: await list("select proposal_id from proposal order by 1 desc limit 10"),
    sensor_id: ["zeek-1", "none"],
    query: ["host-1", "10.0.1.5", "tag-7", "zzz"],
    vlan_id: ["12", "999", "5"],
    device_type: ["printer", "toaster"],
    risk_min: ["0", "50", "99.9"],
    seen_after: [back(DAY).from, back(DAY / 1440).from],
    action_id: await list("select action_id from response_action order by proposed_at desc limit 8"),
    "listResponseActions.incident_id": await list(
      "select incident_id from response_action group by 1 order by count(*) desc, 1 limit 3",
    ),
    subject: ["subject 3", "rare", "nobody"],
    operation: ["patchIncident", "patchDevice", "signOut"],
    "listAudit.target_id": ["target 7", "none"],
    target_id: await list("select made_device(77)::text"),
    model_id: ["beacon", "rare", "none"],
  };
  await client.end();
  return { values, spans: { "31 days": back(days * DAY), "1 day": back(DAY), "15 minutes": back(DAY / 96) } };
}
