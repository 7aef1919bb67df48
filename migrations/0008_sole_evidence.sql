-- Most flows are told by one record that says nothing but the flow: its evidence stands on the flow's own row, and not
-- once more beside it. Where its record stands (`sole_…`) is null for every other flow. When another observation joins,
-- the evidence gets the row that it would have had (src/store/evidence.ts).
alter table flow
  add column sole_observed_at timestamptz,
  add column sole_batch_no bigint,
  add column sole_position smallint;

-- A flow's anchor: the millisecond that its id carries.
create function flow_anchor(flow_id uuid) returns timestamptz
  language sql immutable parallel safe
  return timestamptz 'epoch'
    + ('x' || left(replace(flow_id::text, '-', ''), 12))::bit(48)::bigint * interval '1 millisecond';

-- Every piece of evidence, wherever it stands. With the rights of whoever asks, so that policies hold.
create view observation with (security_invoker = true) as
  select tenant_id, flow_id, evidence_id, observed_at, start_at, end_at, received_at, batch_no, position, src_low,
    record_kind_no, src_bytes, src_packets, dst_bytes, dst_packets, semantics_no, facts, warnings,
    flow_anchor(flow_id) as anchor_at, false as sole
  from evidence
  union all
  select tenant_id, flow_id, primary_evidence_id, sole_observed_at, start_at, end_at, received_at, sole_batch_no,
    sole_position, (src_ip, coalesce(src_port, 0)) <= (dst_ip, coalesce(dst_port, 0)),
    primary_record_kind, src_bytes, src_packets, dst_bytes, dst_packets, semantics_no, null::jsonb, null::text[],
    anchor_at, true
  from flow where sole_batch_no is not null;
grant select on observation to ndr_app;
