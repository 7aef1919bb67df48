-- What each written flow pays, with its evidence and the names that led to it.

-- The evidence that stands on a flow's own row need not be its only one any more: it is the primary one, as long as that
-- says just what the flow says.
alter table flow rename column sole_observed_at to folded_observed_at;
alter table flow rename column sole_batch_no to folded_batch_no;
alter table flow rename column sole_position to folded_position;

-- Many flows, and most answers, are written anew by one of the next rounds: with room on the page the next version stays there, and no
-- index has to be told. A day that is made later has what its table's default partition has.
do $$
declare
  part regclass;
begin
  for part in select inhrelid from pg_inherits where inhparent = 'flow'::regclass loop
    execute format('alter table %s set (fillfactor = 80)', part);
  end loop;
  for part in select inhrelid from pg_inherits where inhparent = 'dns_answer'::regclass loop
    execute format('alter table %s set (fillfactor = 70)', part);
  end loop;
end
$$;

-- Nobody asks for anything inside of it: as text it need not be taken apart to be stored.
drop view observation;
alter table evidence alter column facts type text using facts::text;
create view observation with (security_invoker = true) as
  select tenant_id, flow_id, evidence_id, observed_at, start_at, end_at, received_at, batch_no, position, src_low,
    record_kind_no, src_bytes, src_packets, dst_bytes, dst_packets, semantics_no, facts, warnings,
    flow_anchor(flow_id) as anchor_at, false as folded
  from evidence
  union all
  select tenant_id, flow_id, primary_evidence_id, folded_observed_at, start_at, end_at, received_at, folded_batch_no,
    folded_position, (src_ip, coalesce(src_port, 0)) <= (dst_ip, coalesce(dst_port, 0)),
    primary_record_kind, src_bytes, src_packets, dst_bytes, dst_packets, semantics_no, null::text, null::text[],
    anchor_at, true
  from flow where folded_batch_no is not null;
grant select on observation to ndr_app;
