-- A peer that is no device of ours may have a tenth of all flows: a page of them is read in the order of time, as a device's is.
drop index flow_src_ip, flow_dst_ip;
create index flow_src_ip on flow (tenant_id, src_ip, start_at) where src_device_id is null;
create index flow_dst_ip on flow (tenant_id, dst_ip, start_at) where dst_device_id is null;
