-- Flows, the observations behind them and the DNS answers that name their ends. Keys start with what differs
-- between rows, as raw_record's does. Words that repeat in every row are numbers
-- (src/store/record/vocabulary.ts).

-- One row for each parsed record whose evidence is not folded into its flow. Sensor, trust and block stand on
-- the batch, addresses and ports on the flow; evidence kind and source follow from the record kind.
create table evidence (
  tenant_id      text        not null,
  flow_id        uuid        not null,
  -- Carries the millisecond of observed_at in its first 48 bits.
  evidence_id    uuid        not null,
  observed_at    timestamptz not null,
  start_at       timestamptz not null,
  end_at         timestamptz not null,
  received_at    timestamptz not null,
  batch_no       bigint      not null,
  src_bytes      bigint,
  src_packets    bigint,
  dst_bytes      bigint,
  dst_packets    bigint,
  position       smallint    not null,
  -- Which of the flow's two ends, in normalised order, this sensor named first.
  src_low        boolean     not null,
  -- JSON; never searched, so text: jsonb would be parsed on every insert.
  facts          text,
  warnings       text[],
  record_kind_no smallint    not null,
  semantics_no   smallint,
  primary key (flow_id, evidence_id, observed_at, tenant_id)
) partition by range (observed_at);
create table evidence_default partition of evidence default;

-- anchor_at is the millisecond in flow_id: the start of the first observation. It never changes, while
-- start_at may move back as longer observations join (start_at <= anchor_at <= end_at).
--
-- A primary evidence that says exactly what the flow says is folded into the flow's own row
-- (src/store/flow/evidence.ts). Many flows are updated by one of the next rounds; free space on the page
-- keeps the new version there, and the indexes untouched. Day partitions copy the storage settings of the
-- default partition.
create table flow (
  tenant_id            text        not null,
  flow_id              uuid        not null,
  anchor_at            timestamptz not null,
  start_at             timestamptz not null,
  end_at               timestamptz not null,
  received_at          timestamptz not null,
  tuple_hash           bigint,
  proto                text        not null,
  src_ip               inet        not null,
  src_port             integer,
  dst_ip               inet        not null,
  dst_port             integer,
  icmp_type            smallint,
  icmp_code            smallint,
  src_device_id        uuid,
  dst_device_id        uuid,
  src_bytes            bigint,
  src_packets          bigint,
  dst_bytes            bigint,
  dst_packets          bigint,
  service              text,
  vlan                 integer,
  observation_count    integer     not null,
  primary_rank         smallint    not null,
  -- Null if the primary evidence ends with the flow, as most do.
  primary_end_at       timestamptz,
  -- Of an exporter's delta report, and all those reports if there are several (JSON).
  primary_series       integer,
  reports              text,
  primary_evidence_id  uuid        not null,
  primary_sensor_id    text        not null,
  source_set           smallint    not null,
  semantics_no         smallint    not null,
  primary_record_kind  smallint    not null,
  native_ids           bytea       not null,
  -- The name that the client asked its server for, the first one seen, and its evidence. server_name_kind
  -- says whether it is a TLS server name or an HTTP host, and which end is the server.
  server_name          text,
  server_name_kind     smallint,
  server_name_evidence uuid,
  -- Where the record of the folded evidence stands; null while the primary evidence has a row of its own.
  folded_observed_at   timestamptz,
  folded_batch_no      bigint,
  folded_position      smallint,
  primary key (flow_id, anchor_at, tenant_id)
) partition by range (anchor_at);
create table flow_default partition of flow default with (fillfactor = 80);
-- Every record pays for these indexes, so they hold as little as possible: device ids and tuple hashes belong
-- to one tenant already.
create index flow_dst_device on flow (dst_device_id, start_at) where dst_device_id is not null;
-- Ends that are no device; a device's flows are found by its id.
create index flow_dst_ip on flow (dst_ip, tenant_id, start_at) where dst_device_id is null;
-- Rare protocols and services. A scan by time finds the common ones soon enough.
create index flow_rare_proto on flow (tenant_id, proto, start_at)
  where proto not in ('tcp', 'udp', 'icmp', 'ipv6-icmp');
create index flow_rare_service on flow (tenant_id, service, start_at)
  where service is not null and service not in ('dns', 'ssl', 'tls', 'http');
-- Several services of one connection, joined by commas.
create index flow_services on flow (tenant_id, start_at) where strpos(service, ',') > 0;
create index flow_src_device on flow (src_device_id, start_at) where src_device_id is not null;
create index flow_src_ip on flow (src_ip, tenant_id, start_at) where src_device_id is null;
create index flow_start on flow (tenant_id, start_at, flow_id);
create index flow_tuple on flow (tuple_hash);

-- The anchor of a flow: the millisecond that its id carries.
create function flow_anchor(flow_id uuid) returns timestamptz
  language sql immutable parallel safe
  return timestamptz 'epoch'
    + ('x' || left(replace(flow_id::text, '-', ''), 12))::bit(48)::bigint * interval '1 millisecond';

-- All evidence, folded or not; runs with the rights of the caller, so that policies apply.
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

-- Which name led a client to an address on a day (UTC midnight), with the evidence of that day's first
-- answer. The key starts with the address, which also finds the other clients that were given the name.
create table dns_answer (
  tenant_id   text        not null,
  address     inet        not null,
  day         timestamptz not null,
  client_ip   inet        not null,
  name        text        not null,
  first_seen  timestamptz not null,
  last_seen   timestamptz not null,
  received_at timestamptz not null,
  evidence_id uuid        not null,
  flow_id     uuid        not null,
  primary key (address, day, client_ip, name, tenant_id)
) partition by range (day);
create table dns_answer_default partition of dns_answer default with (fillfactor = 70);
