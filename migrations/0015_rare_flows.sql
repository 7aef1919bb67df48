-- Flows that are few among very many. Of the common protocols and services a page fills soon by time alone; the others are
-- found by these, which only they are entered in.
create index flow_rare_service on flow (tenant_id, service, start_at)
  where service is not null and service not in ('dns', 'ssl', 'tls', 'http');
create index flow_rare_proto on flow (tenant_id, proto, start_at)
  where proto not in ('tcp', 'udp', 'icmp', 'ipv6-icmp');
-- Several services of one connection, joined by commas.
create index flow_services on flow (tenant_id, start_at) where strpos(service, ',') > 0;
