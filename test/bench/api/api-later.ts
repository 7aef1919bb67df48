// Additions to a filled database, also to one that was kept: rows of later tables, and state that leaves the jobs idle, so
// that they do not run during the measurement.

import type { Fill } from "./api-fill.ts";

/** Idempotent statements by name. */
export function LATER({ flows, devices, incidents }: Fill): [string, string][] {
  const each = (count: number) => `generate_series(0, ${count - 1}) n`;
  const perIncident = Math.floor(flows / incidents);
  return [
    [
      "traffic of the last day",
      `
      insert into graph_traffic (tenant_id, batch_no, entry_no, minute, low, high, service, bytes_up, bytes_down, packets,
        flows, first_seen, last_seen)
      select tenant_id, n / 1000, n % 1000, date_trunc('minute', anchor_at),
        case when up then src_ip else dst_ip end, case when up then dst_ip else src_ip end, service,
        case when up then src_bytes else dst_bytes end, case when up then dst_bytes else src_bytes end,
        src_packets + dst_packets, 1, start_at, end_at
      from (
        select *, host(src_ip) collate "C" <= host(dst_ip) collate "C" as up, row_number() over (order by anchor_at) as n
        from flow where tenant_id = 'main' and anchor_at >= made_at(0) - interval '25 hours' and src_bytes is not null
      ) f
      -- The pipeline has written that of one record.
      where not exists (select from graph_traffic where tenant_id = 'main' offset 100)
      on conflict do nothing;`,
    ],
    [
      "response actions",
      `
      insert into response_action (tenant_id, action_id, incident_id, kind, mode, status, device_id, address, target,
        severity, reason, proposed_by, proposed_at, decided_by, decided_at, comment, revision)
      select 'main', made_id(at, 'a', n), made_id(made_at(i::bigint * ${perIncident}), 'b', i), kind,
        case when n % 3 = 0 then 'automatic' else 'proposal' end, status,
        case when kind <> 'block_destination' then made_device(3 + n % (${devices} - 4)) end,
        case when kind = 'block_destination' then host(made_peer(n)) end, 'target ' || n, 'high', 'made', 'ada', at,
        case when status <> 'proposed' then 'bob' end, case when status <> 'proposed' then at + interval '1 minute' end,
        case when status <> 'proposed' then 'made' end, case when status = 'proposed' then 1 else 2 end
      from ${each(incidents * 4)}, lateral (select
        -- A tenth of all belong to one incident.
        case when n % 10 = 0 then 7 else n % ${incidents} end as i, made_at(n::bigint * ${
        Math.floor(perIncident / 4)
      }) as at,
        (array['quarantine_device', 'block_destination', 'notify_only'])[1 + n % 3] as kind,
        case when n % 2000 = 9 then 'proposed' when n % 5000 = 11 then 'cancelled' when n % 2 = 0 then 'approved'
          else 'rejected' end as status offset 0) x
      on conflict do nothing;
      insert into response_outcome (tenant_id, action_id, outcome_no, report_key, report_hash, executor_id, status, reported_at)
      select 'main', action_id, k, action_id || ' ' || k, 'made', 'executor-1',
        case when k = 1 then 'executed' else 'expired' end, decided_at + k * interval '1 hour'
      from response_action, generate_series(1, 2) k where tenant_id = 'main' and status = 'approved'
      on conflict do nothing;`,
    ],
    [
      "audit rows",
      `
      insert into audit (tenant_id, audit_id, at, operation, outcome, status, subject, display_name, roles, target_type,
        target_id, changes, client_address, user_agent, request_id)
      select 'main', made_id(made_at(n * 10), 'c', n), made_at(n * 10),
        case when n % 100000 = 9 then 'patchDevice' when n % 4 = 0 then 'signIn' else 'patchIncident' end,
        case when n % 50000 = 9 then 'refused' else 'done' end, 200,
        case when n % 200000 = 9 then 'rare' else 'subject ' || n % 30 end, 'Ada', 'analyst',
        case when n % 4 <> 0 then 'incident' end, case when n % 4 <> 0 then 'target ' || n % 5000 end, '[]',
        '192.0.2.7', 'made', gen_random_uuid()::text from ${each(Math.floor(flows / 10))}
      where not exists (select from audit where audit_id = made_id(made_at(0), 'c', 0)) on conflict do nothing;`,
    ],
    [
      "nothing due",
      `
      update device_classification c set seen_batch = d.seen_batch from device d
        where d.tenant_id = c.tenant_id and d.device_id = c.device_id and c.seen_batch <> d.seen_batch;`,
    ],
    ["analyze what came later", "analyze response_action, response_outcome, audit, device_classification"],
  ];
}
