-- Keys of what nearly every record adds a row to: first what tells rows apart, last the tenant. As long as the tenant
-- came first, each step down an index compared two equal texts before it came to something that differs, and found
-- nothing at a fixed place behind them. The tenant stays part of each key.
alter table raw_record drop constraint raw_record_pkey, add primary key (observed_at, event_id, tenant_id);
alter table flow drop constraint flow_pkey, add primary key (flow_id, anchor_at, tenant_id);
alter table evidence drop constraint evidence_pkey, add primary key (flow_id, evidence_id, observed_at, tenant_id);
alter table dns_answer drop constraint dns_answer_pkey, add primary key (address, day, client_ip, name, tenant_id);
alter table device_fact drop constraint device_fact_pkey, add primary key (device_id, kind, value, tenant_id);

-- Ends that are no device. Whoever asks for them names an address and a tenant, or a few next to each other.
drop index flow_src_ip, flow_dst_ip;
create index flow_src_ip on flow (src_ip, tenant_id, start_at) where src_device_id is null;
create index flow_dst_ip on flow (dst_ip, tenant_id, start_at) where dst_device_id is null;
