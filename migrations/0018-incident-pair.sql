-- The addresses between which the evidence of an incident was exchanged, each pair once: thousands of flows may have
-- two ends. The map marks and finds its links by them.
create table incident_pair (
  tenant_id   text not null,
  incident_id uuid not null,
  -- The two addresses, the lesser one first.
  low         inet not null,
  high        inet not null,
  primary key (tenant_id, incident_id, low, high)
);

alter table incident_pair enable row level security;
alter table incident_pair force row level security;
create policy tenant_only on incident_pair
  using (tenant_id = (select nullif(current_setting('ndr.tenant', true), '')));
grant select, insert, update, delete on incident_pair to ndr_app;

-- The policies hold for the owner, too.
do $$
declare
  one text;
begin
  for one in select tenant_id from tenant loop
    perform set_config('ndr.tenant', one, true);
    insert into incident_pair (tenant_id, incident_id, low, high)
    select distinct one, x.incident_id, least(f.src_ip, f.dst_ip), greatest(f.src_ip, f.dst_ip)
    from (select distinct incident_id, flow_id from incident_evidence where tenant_id = one) x
    cross join lateral (
      select src_ip, dst_ip from flow
      where tenant_id = one and flow_id = x.flow_id and anchor_at = flow_anchor(x.flow_id) limit 1
    ) f;
  end loop;
  perform set_config('ndr.tenant', '', true);
end
$$;
