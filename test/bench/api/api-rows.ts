// The generated rows of the API bench, as SQL.

import type { Fill } from "./api-fill.ts";

/** Pseudo-random numbers derived from the row number, and the flows of one time slice. */
export function FUNCTIONS(now: number, days: number, { flows, devices, incidents }: Fill): string {
  return `
  create function made_id(at timestamptz, variant text, i bigint) returns uuid language sql immutable parallel safe as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || variant
      || lpad(to_hex(i), 15, '0'))::uuid $$;
  -- Fences (offset 0) keep a value from being computed again at each use. From 0 to 1, one per salt.
  create function made_share(i bigint, salt int) returns double precision language sql immutable parallel safe as $$
    select (hashint8extended(i, salt) & 1048575) / 1048576.0 $$;
  create function made_at(i bigint) returns timestamptz language sql immutable parallel safe as $$
    select timestamptz 'epoch' + (${Math.floor(now / 1000)} - i * ${
    days * 86_400_000
  } / ${flows}) * interval '1 millisecond' $$;
  create function made_device(n int) returns uuid language sql immutable parallel safe as $$
    select made_id('2026-01-01T00:00:00Z', 'a', n) $$;
  create function made_incident(n int) returns uuid language sql immutable parallel safe as $$
    select made_id(made_at(n::bigint * ${Math.floor(flows / incidents)}), 'b', n) $$;
  create function made_address(n int) returns inet language sql immutable parallel safe as $$
    select ('10.' || n / 62500 || '.' || n / 250 % 250 || '.' || n % 250 + 1)::inet $$;
  -- Number 0 to 199 are few and busy, the rest of 150,000 is met now and then, and the last ones hardly ever.
  create function made_peer(n int) returns inet language sql immutable parallel safe as $$
    select ('198.' || 18 + n / 62500 || '.' || n / 250 % 250 || '.' || n % 250 + 1)::inet $$;
  -- Device 0 answers a tenth of all flows (the resolver), device 1 opens a tenth (a proxy), 2 a fiftieth; the others have
  -- the more the lower their number.
  create function made_flows(first bigint, last bigint) returns void language sql as $$
    insert into flow (tenant_id, flow_id, anchor_at, start_at, end_at, received_at, tuple_hash, proto, src_ip, src_port,
      dst_ip, dst_port, src_device_id, dst_device_id, src_bytes, src_packets, dst_bytes, dst_packets, semantics_no,
      service, observation_count, source_set, native_ids, primary_rank, primary_evidence_id, primary_record_kind,
      primary_sensor_id, server_name, server_name_kind, server_name_evidence, folded_observed_at, folded_batch_no, folded_position)
    select 'main', e.flow_id, at,
      -- One in fifty began before the record that was seen first.
      case when d.moved < 0.02 then at - d.moved * interval '1 hour' else at end,
      at + d.long * interval '1 minute', at, hashint8extended(i, 0), k.proto,
      made_address(e.client), 1024 + (i % 60000)::int,
      case when e.server is not null then made_address(e.server) else made_peer(e.peer) end, k.port,
      made_device(e.client), case when e.server is not null then made_device(e.server) end,
      (d.long * 10000)::bigint, 12, (d.long * 90000)::bigint, 14, case when k.sources = 4 then 2 else 1 end,
      k.service, case when k.sources in (1, 4) then 1 else 2 end, k.sources::smallint, int8send(i), 0::smallint,
      e.evidence_id, case k.sources when 4 then 18 when 2 then 8 else 1 end::smallint,
      case k.sources when 4 then 'netflow-1' when 2 then 'suricata-1' else 'zeek-1' end,
      case when k.service = 'ssl' then 'www' || e.peer % 5000 || '.example' end,
      case when k.service = 'ssl' then 1::smallint end,
      case when k.service = 'ssl' then e.evidence_id end,
      case when k.sources in (1, 4) then at end, case when k.sources in (1, 4) then i / 1000 end,
      case when k.sources in (1, 4) then i % 1000 end::smallint
    from (
      select i, made_at(i) as at, made_share(i, 1) as kind, made_share(i, 2) as who, made_share(i, 3) as whom,
        made_share(i, 4) as moved, made_share(i, 5) as long, made_share(i, 6) as seen, made_share(i, 7) as shape
      from generate_series(first, last) i offset 0
    ) d, lateral (
      select service, proto, port,
        case when proto <> 'tcp' and proto <> 'udp' then 1 when seen < 0.6 then 1 when seen < 0.85 then 3
          when seen < 0.98 then 4 else 2 end as sources
      from (select case
          when i % 200003 = 7 then 'modbus' when i % 20011 = 7 then 'rdp' when i % 50021 = 7 then 'gssapi,smb'
          when kind < 0.3 then 'dns' when kind < 0.6 then 'ssl' when kind < 0.7 then 'http' when kind < 0.72 then 'ntp'
          when kind < 0.735 then 'smb' when kind < 0.736 then 'ssh' end as service offset 0) s,
        lateral (select case when i % 500009 = 11 and service is null then 'gre' when kind > 0.99 then 'icmp'
            when service in ('dns', 'ntp') or kind > 0.95 then 'udp' else 'tcp' end as proto,
          case service when 'dns' then 53 when 'ssl' then 443 when 'http' then 80 when 'ntp' then 123 when 'ssh' then 22
            when 'smb' then 445 when 'modbus' then 502 when 'rdp' then 3389 else (shape * 9000)::int + 1000 end as port offset 0) p
      offset 0
    ) k, lateral (
      select made_id(at, '8', i) as flow_id, made_id(at, '9', i) as evidence_id,
        case when who < 0.1 and k.service is distinct from 'dns' then 1 when who < 0.12 then 2
          else 3 + ((${devices} - 4) * who * who * who)::int end as client,
        case when k.service = 'dns' and whom < 0.34 then 0
          when k.service in ('smb', 'modbus', 'rdp', 'gssapi,smb') or whom > 0.85
          then 3 + ((${devices} - 4) * whom * shape)::int end as server,
        case when whom < 0.3 then (whom * 10)::int when whom < 0.6 then (shape * 200)::int
          else (150000 * shape * shape)::int end as peer
      offset 0
    ) e;
    -- Where several sensors saw a flow, each has a row.
    insert into evidence (tenant_id, flow_id, evidence_id, observed_at, start_at, end_at, received_at, batch_no, position,
      src_low, record_kind_no, src_bytes, src_packets, dst_bytes, dst_packets, semantics_no)
    select 'main', flow_id, made_id(anchor_at, n::text, i), anchor_at, start_at, end_at, received_at, i / 1000,
      (i % 1000)::smallint, true, case n when 9 then primary_record_kind else 8 end, src_bytes, src_packets, dst_bytes,
      dst_packets, 1
    from flow, lateral (select ('x' || encode(native_ids, 'hex'))::bit(64)::bigint as i) y,
      unnest(array[9, 8]) n
    where tenant_id = 'main' and flow_id >= made_id(made_at(last), '0', 0) and anchor_at >= made_at(last)
      and anchor_at <= made_at(first) and folded_batch_no is null and i between first and last;
  $$;`;
}

/** The other tables by name. */
export function OTHERS({ flows, devices, incidents }: Fill): [string, string][] {
  const each = (count: number) => `generate_series(0, ${count - 1}) n`;
  return [
    [
      "devices",
      `
      insert into device (tenant_id, device_id, display_name, device_type, classification_source, confidence, owner,
        first_seen, last_seen, score, address_name)
      select 'main', made_device(n), case when n % 3 = 0 then 'host-' || n else host(made_address(n)) end,
        (array['workstation', 'server', 'printer', 'camera', 'phone', 'unknown'])[1 + n % 6], 'observed', 0.5,
        case when n % 10 = 0 then 'Owner ' || n % 97 end, made_at(${flows}), made_at((made_share(n, 1) * ${flows})::bigint),
        case when n % 7 = 0 then made_share(n, 2) * 100 else 0 end, host(made_address(n)) from ${
        each(devices)
      };
      update device set merged_into = made_device(5) where device_id in (made_device(15000), made_device(15001));
      update device d set merged_into = s.device_id from device s
        where s.device_id = made_device(('x' || right(d.device_id::text, 12))::bit(48)::bigint::int - 1)
          and ('x' || right(d.device_id::text, 12))::bit(48)::bigint::int % 50 = 49 and d.merged_into is null;
      insert into device_merge (tenant_id, merge_id, from_device_id, into_device_id, at, reason, weight, support)
        select 'main', gen_random_uuid(), device_id, merged_into, first_seen, 'same', 1, '[]' from device where merged_into is not null;
      insert into device_address (tenant_id, ip, device_id, first_seen, last_seen)
        select 'main', made_address(n), made_device(n), made_at(${flows}), made_at(0) from ${each(devices)};
      insert into device_vlan (tenant_id, device_id, vlan_id) select 'main', made_device(n), 10 + n % 20 from ${
        each(devices)
      };
      insert into device_vlan (tenant_id, device_id, vlan_id) values ('main', made_device(${
        devices - 3
      }), 999);
      insert into device_tag (tenant_id, device_id, tag) select 'main', made_device(n), 'tag-' || n % 40 from ${
        each(devices)
      } where n % 4 = 0;
      insert into device_score (tenant_id, device_id, entry_no, at, score, reason)
        select 'main', made_device(n), k, made_at(${flows} - k), 20, 'made' from ${
        each(devices)
      }, generate_series(1, 5) k where n % 7 = 0;
      insert into device_classification (tenant_id, device_id, device_type, confidence, reasons, rules_version, seen_batch, classified_at)
        select 'main', made_device(n), 'server', 0.5, '{made}', 1, 1, made_at(0) from ${each(devices)};
      insert into dhcp_lease (tenant_id, ip, mac, first_seen, last_seen, received_at, granted_at, host_name, source_set, evidence_id, flow_id)
        select 'main', made_address(n), '9c:b6:d0:00:' || lpad(to_hex(n / 256), 2, '0') || ':' || lpad(to_hex(n % 256), 2, '0'),
        made_at(${flows}), made_at(0), made_at(0), made_at(0), 'host-' || n, 2, made_device(n), made_device(n) from ${
        each(devices)
      };
      insert into device_anchor (tenant_id, device_id, class, value, source, first_seen, last_seen, days, updated_at)
        select 'main', made_device(n), 'mac', 'mac ' || n, 'suricata', made_at(${flows}), made_at(0), '{1,2,3}', made_at(0) from ${
        each(devices)
      };
      insert into inventory_entry (tenant_id, entry_id, name, tags, read_at) select 'main', made_device(n), 'entry ' || n, '{}', made_at(0) from ${
        each(1000)
      };
      insert into inventory_address (tenant_id, ip, entry_id) select 'main', made_address(n), made_device(n) from ${
        each(1000)
      };`,
    ],
    [
      "facts",
      `
      insert into device_fact (tenant_id, device_id, kind, value, first_seen, last_seen, received_at, seen_count, source_set, evidence_id, flow_id)
      select 'main', made_device(n), (array['domain', 'user_agent', 'ja3', 'smb_host'])[1 + k % 4], 'value ' || k || ' of ' || n,
        made_at(${flows}), made_at(k), made_at(k), k, 1, made_device(n), made_device(n)
      from ${each(devices)}, generate_series(1, case when n < 3 then 2000 else 8 end) k;`,
    ],
    [
      "names",
      `
      insert into dns_answer (tenant_id, address, day, client_ip, name, first_seen, last_seen, received_at, evidence_id, flow_id)
      select 'main', made_peer(n), date_trunc('day', made_at(0), 'UTC') - d * interval '1 day', made_address((made_share(n * 31 + k, d) * 500)::int),
        'www' || n % 5000 || '.example', made_at(0) - d * interval '1 day', made_at(0), made_at(0), made_device(n), made_device(n)
      from ${
        each(Math.min(4000, Math.ceil(flows / 100)))
      }, generate_series(0, 30) d, generate_series(1, case when n < 200 then 20 else 2 end) k
      on conflict do nothing;`,
    ],
    [
      "indicators met",
      `
      insert into intel_match (tenant_id, party_ip, kind, indicator, list, exact, via_set, first_seen, last_seen, received_at, seen_count, counted_after, evidence_id, flow_id)
      select 'main', made_address((made_share(n, 3) * 2000)::int), case n % 4 when 0 then 'domain' else 'ip' end,
        case n % 4 when 0 then 'www' || n % 5000 || '.example' else host(made_peer(n % 5000)) end, 'made', true, 1,
        made_at(${flows}), made_at(n), made_at(n), 3, 0, made_device(n), made_device(n) from ${
        each(30000)
      } on conflict do nothing;`,
    ],
    ["incidents", INCIDENTS(flows, incidents)],
    [
      "what people said",
      `
      insert into suppression (tenant_id, suppression_id, source, detector, reason, created_by, created_at, expires_at, revoked_by, revoked_at, revoked_reason)
        select 'main', made_id(made_at(n), 'd', n), host(made_address(n)), 'beacon', 'made', 'ada', made_at(n),
        made_at(0) + case when n % 3 = 0 then interval '-1 day' else interval '100 days' end,
        case when n % 5 = 0 then 'ada' end, case when n % 5 = 0 then made_at(0) end, case when n % 5 = 0 then 'made' end from ${
        each(600)
      };
      update incident set suppressed_by = made_id(made_at(7), 'd', 7) where incident_no % 50 = 1;
      update model_result set suppressed_by = made_id(made_at(7), 'd', 7) where result_no % 50 = 1;
      insert into model_feedback (tenant_id, feedback_id, model_id, incident_id, verdict, created_by, created_at)
        select 'main', made_id(made_at(n), 'e', n), case n % 1000 when 7 then 'rare' else 'beacon' end, made_incident(n % ${incidents}), 'correct', 'ada', made_at(n) from ${
        each(20000)
      };
      insert into proposal (tenant_id, proposal_id, kind, target_id, status, content, reason, created_by, created_at)
        select 'main', made_id(made_at(n), 'f', n), case when n % 5000 = 9 then 'model' when n % 2 = 0 then 'classification' else 'triage' end,
          made_device(n % ${devices})::text, case when n % 3000 = 9 then 'proposed' when n % 2 = 0 then 'accepted' else 'rejected' end,
          case when n % 5000 = 9 then '{"model_id": "beacon", "change": "made"}' when n % 2 = 0 then '{"device_type": "server"}' else '{"status": "resolved"}' end::jsonb,
          'made', 'ada', made_at(n) from ${each(20000)};`,
    ],
  ];
}

/** Every tenth incident has a thousand links and twenty results, the others a few. */
function INCIDENTS(flows: number, incidents: number): string {
  const each = `generate_series(0, ${incidents - 1}) n`;
  const at = `made_at((n::bigint * ${Math.floor(flows / incidents)}))`;
  const id = "made_incident(n)";
  return `
    insert into incident (tenant_id, incident_id, incident_no, model_id, group_key, model_scores, title, summary, severity,
      score, status, first_seen, last_seen, opened_at, revision)
    select 'main', ${id}, ${incidents} - n, 'beacon', n::text, '{"beacon": 30}', 'Title ' || n, 'Summary ' || n,
      case when n % 1000 = 13 then 'critical' else (array['info', 'low', 'medium', 'high'])[1 + n % 4] end, 30,
      case when n % 1500 = 13 then 'investigating' else (array['open', 'resolved', 'false_positive'])[1 + n % 3] end,
      ${at}, ${at}, ${at}, 1 from ${each};
    insert into incident_device (tenant_id, incident_id, device_id, ordinal)
      select 'main', ${id}, made_device(case when k = 0 then n % 300 else 3 + (n * 7 + k) % 5000 end), k
      from ${each}, generate_series(0, n % 3) k on conflict do nothing;
    insert into incident_evidence (tenant_id, incident_id, evidence_id, observed_at, flow_id)
      select 'main', ${id}, made_id(made_at(i), '9', i), made_at(i), made_id(made_at(i), '8', i)
      from ${each}, generate_series(0, case when n % 10 = 0 then 999 else 20 end) k,
        lateral (select least(${flows} - 1, n::bigint * ${Math.floor(flows / incidents)} + k * 7 + 1) as i) x
      on conflict do nothing;
    insert into model_result (tenant_id, analysis_id, incident_id, model_id, group_key, at, score, body)
      select 'main', gen_random_uuid(), ${id}, 'beacon', 'group ' || k % 20, ${at}, 30, json_build_object('model_id', 'beacon',
        'model_version', '1', 'technique', null, 'subject', 'subject', 'group', 'g', 'device_id', null, 'at', '2026-01-01T00:00:00.000Z', 'score', 30,
        'confidence', 0.5, 'sub_scores', '[]'::json, 'explanation', 'made', 'evidence_ids', '[]'::json, 'destinations', '[]'::json,
        'title', 't', 'summary', 's', 'first_seen', '2026-01-01T00:00:00.000Z', 'last_seen', '2026-01-01T00:00:00.000Z',
        'modifiers', '[]'::json)
      from ${each}, generate_series(0, case when n % 10 = 0 then 199 else 3 end) k;
    insert into incident_score (tenant_id, incident_id, entry_no, at, score, reason)
      select 'main', ${id}, k, ${at}, 30, 'made' from ${each}, generate_series(1, case when n % 10 = 0 then 200 else 3 end) k;
    insert into workflow_history (tenant_id, object_id, entry_no, at, actor, action, revision)
      select 'main', ${id}, k, ${at}, 'ada', 'status_changed', k from ${each}, generate_series(1, 3) k;`;
}
