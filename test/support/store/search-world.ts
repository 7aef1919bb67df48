// Real records of many kinds, and what people and sensors add to them, for tests of the search.

import { compileIntel } from "../../../src/domain/intel/compile.ts";
import { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import type { Site } from "../../../src/contract/site.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { line, linesOfFiles, push, sensor, settle } from "../record/pipeline.ts";
import { pathOf, RECORDINGS } from "../record/recordings.ts";

export const VLANS: Site["vlans"] = [
  { vlan_id: 20, name: "Office", cidrs: ["10.0.0.0/8", "172.16.0.0/12"] },
  { vlan_id: 30, name: "lab", cidrs: ["10.0.2.0/24", "192.168.0.0/16", "fe80::/10"] },
];

/** The broadcast address of a network in the recordings. */
export const BROADCASTS: ReadonlySet<string> = new Set(["10.18.20.255"]);

const NAMES =
  "corelight-one-of-each eve-one-of-each lsass-01 lsass-03 two-sensors zat crowdsec goflow2-lines surevego suricatalog"
    .split(" ");

/** What the recordings lack: JA4, HASSH, SMB files and a refused SMB log-on to a share, as the sensors write them. */
const LINES = [
  line("zeek.ssl", "2020-04-01T12:00:00Z", {
    ts: 1585742400,
    uid: "CJa4",
    "id.orig_h": "10.0.1.4",
    "id.orig_p": 49810,
    "id.resp_h": "198.51.100.7",
    "id.resp_p": 443,
    version: "TLSv13",
    server_name: "Ja4.Example.com",
    established: true,
    ja4: "t13d1516h2_8daaf6152771_b186095e22b6",
    ja4s: "t130200_1301_234ea6891581",
  }),
  eve("ssh", 49811, {
    ssh: {
      client: { software_version: "libssh_0.9", hassh: { hash: "ec7378c1a92f5a8dde7e8b7a1ddf33d1" } },
      server: { software_version: "OpenSSH_8.1", hassh: { hash: "b12d2871a1189eff20364cf5333619ee" } },
    },
  }),
  eve("smb", 49812, {
    smb: {
      id: 1,
      command: "SMB2_COMMAND_SESSION_SETUP",
      status: "STATUS_LOGON_FAILURE",
      ntlmssp: { domain: "CORP", user: "Alice", host: "WS-31" },
    },
  }),
  eve("smb", 49813, { smb: { id: 3, command: "SMB2_COMMAND_CREATE", filename: "PSEXESVC.exe" } }),
  eve("smb", 49812, { smb: { id: 2, command: "SMB2_COMMAND_TREE_CONNECT", share: "\\\\DC01\\ADMIN$" } }),
];

function eve(type: "ssh" | "smb", port: number, event: object): string {
  return line(`suricata.${type}`, "2020-04-01T12:00:01Z", {
    timestamp: "2020-04-01T12:00:01.000000+0000",
    flow_id: 1000 + port,
    event_type: type,
    src_ip: "10.0.1.4",
    src_port: port,
    dest_ip: "10.0.2.9",
    dest_port: type === "ssh" ? 22 : 445,
    proto: "TCP",
    ...event,
  });
}

const INTEL = `
10.0.0.0/24
198.51.100.7
example.com
google.com
`;

/** What sensors of other kinds, people and jobs would write; rows are chosen by a hash of their ids. */
const CHANGES = `
  update flow set vlan = 20 + hashtext(flow_id::text) % 3 where hashtext(flow_id::text) % 5 = 0;
  update flow set src_bytes = 9007199254740993, dst_bytes = 9223372036854775807
    where hashtext(flow_id::text) % 41 = 0;
  update flow set src_bytes = null where hashtext(flow_id::text) % 7 = 1;
  update flow set dst_bytes = null, dst_packets = null where hashtext(flow_id::text) % 11 = 1;
  update flow set end_at = start_at where hashtext(flow_id::text) % 13 = 1;
  update flow set service = service || ',http' where service in ('ssl', 'dns') and hashtext(flow_id::text) % 3 = 0;
  update flow set service = 'krb_tcp' where hashtext(flow_id::text) % 29 = 0;
  update device set owner = (array['Maria', 'José ÁLVAREZ', 'IT 50%_ "ops"'])[1 + abs(hashtext(device_id::text)) % 3]
    where hashtext(device_id::text) % 2 = 0;
  update device set device_type = (array['printer', 'server', 'phone'])[1 + abs(hashtext(device_id::text)) % 3],
    confidence = abs(hashtext(device_id::text)) % 100 / 100.0 where hashtext(device_id::text) % 3 = 0;
  update device d set merged_into = s.device_id from (
    select tenant_id, min(device_id::text)::uuid as device_id from device group by tenant_id) s
    where s.tenant_id = d.tenant_id and d.device_id <> s.device_id and hashtext(d.device_id::text) % 9 = 0;
  insert into device_tag (tenant_id, device_id, tag)
    select tenant_id, device_id, unnest(array['critical', 'Server Room']) from device
    where hashtext(device_id::text) % 4 = 0;
  insert into device_vlan (tenant_id, device_id, vlan_id, source)
    select tenant_id, device_id, 20, 'tag' from device where hashtext(device_id::text) % 3 = 0 on conflict do nothing;
  insert into incident (tenant_id, incident_id, incident_no, model_id, group_key, model_scores, title, summary, severity,
      score, status, first_seen, last_seen, revision, opened_at)
    select f.tenant_id, f.flow_id, 100000 + row_number() over (partition by f.tenant_id order by f.flow_id), 'beacon',
      f.flow_id::text, '{"beacon": 40, "port-scan": 20}', 'Beaconing of ' || host(f.src_ip), 'Calls home.',
      (array['info', 'low', 'medium', 'high', 'critical'])[1 + abs(hashtext(f.flow_id::text || 's')) % 5],
      abs(hashtext(f.flow_id::text)) % 1000 / 10.0,
      (array['open', 'investigating', 'resolved', 'false_positive'])[1 + abs(hashtext(f.flow_id::text || 't')) % 4],
      f.start_at, f.end_at + interval '1 hour', 1, f.start_at
    from flow f where hashtext(f.flow_id::text || 'i') % 11 = 0;
  update incident set assignee = (array['maria', 'Péter'])[1 + abs(hashtext(incident_id::text || 'a')) % 2]
    where hashtext(incident_id::text) % 2 = 0;
  insert into person (tenant_id, subject, display_name, roles, last_seen)
    select distinct tenant_id, 'maria', 'Ada Lopez', 'analyst', now() from incident;
  insert into incident_device (tenant_id, incident_id, device_id, ordinal)
    select i.tenant_id, i.incident_id, f.src_device_id, 0 from incident i
    join flow f on f.tenant_id = i.tenant_id and f.flow_id = i.incident_id where f.src_device_id is not null;
  insert into incident_evidence (tenant_id, incident_id, evidence_id, observed_at, flow_id)
    select i.tenant_id, i.incident_id, f.primary_evidence_id, f.anchor_at, f.flow_id from incident i
    join flow f on f.tenant_id = i.tenant_id
      and (f.flow_id = i.incident_id or hashtext(i.incident_id::text || f.flow_id::text) % 97 = 0)
    on conflict do nothing;
  insert into model_result (tenant_id, analysis_id, incident_id, model_id, group_key, at, score, body)
    select tenant_id, incident_id, incident_id, 'beacon', '', first_seen, 40,
      jsonb_build_object('technique', (array['T1071', 'T1071.001', 'T1046'])[1 + abs(hashtext(incident_id::text)) % 3])
    from incident where hashtext(incident_id::text || 'r') % 2 = 0 on conflict do nothing;
  update address_geo set country = (array['RO', 'DE', 'US'])[1 + abs(hashtext(host(ip))) % 3],
    asn = 13335 + abs(hashtext(host(ip))) % 4 where hashtext(host(ip)) % 4 <> 0;
  analyze;`;

/** The same records of two tenants, who share nothing: `main` and `branch`. */
export async function makeSearchWorld(db: Database): Promise<void> {
  const intel = new IntelSet(compileIntel([{ name: "list.txt", pieces: [INTEL] }]).data);
  for (const tenantId of ["main", "branch"]) {
    for (const name of NAMES) {
      const { sensors } = RECORDINGS.find((recording) => recording.name === name)!;
      for (const [sensorId, files] of Object.entries(sensors)) {
        const lines = await linesOfFiles(...files.map(pathOf));
        await push(db, sensor(`${sensorId}-${name}`, { tenantId }), lines);
      }
    }
    await push(db, sensor("lab", { tenantId }), LINES);
    await settle(db, { tenantId, intel, site: { vlans: VLANS } });
  }
  await db.owner((tx) => tx.script(CHANGES));
}
