-- The spine: evidence, flows, devices, detector state, incidents, the event log.
--
-- Every tenant table begins its primary key with tenant_id and stands under forced row-level security; the end
-- of this file does that for all of them. The global tables are listed in src/store/tables.ts.

create table tenant (
  tenant_id  text primary key check (tenant_id <> ''),
  created_at timestamptz not null default now()
);

-- One holder at a time for each background job and each tenant's pipeline. The epoch grows with every change
-- of holder, so that a holder that was paused past its expiry can be told from its successor.
create table lease (
  name       text primary key,
  holder     text not null,
  epoch      bigint not null,
  expires_at timestamptz not null
);

-- Numbers without gaps: taken by the last statement before COMMIT, under this row's lock.
create table tenant_counter (
  tenant_id   text primary key,
  batch_no    bigint not null default 0,
  event_no    bigint not null default 0,
  incident_no bigint not null default 0
);

-- ---------------------------------------------------------------------------------------------------- evidence

-- The replacing key of a record. The bytes stand in raw_block, `position` counts from 0 inside the block.
create table raw_record (
  tenant_id    text        not null,
  observed_at  timestamptz not null,
  event_id     bytea       not null,
  sensor_id    text        not null,
  kind         text        not null,
  received_at  timestamptz not null,
  parse_status text        not null check (parse_status in ('parsed', 'unparsed')),
  parse_reason text,
  block_id     bigint      not null,
  position     smallint    not null,
  primary key (tenant_id, observed_at, event_id)
) partition by range (observed_at);
create table raw_record_default partition of raw_record default;

-- One accepted request: a zstd frame with the exact bytes of every payload (src/store/block.ts).
create table raw_block (
  tenant_id    text        not null,
  received_at  timestamptz not null,
  block_id     bigint      not null,
  sensor_id    text        not null,
  record_count integer     not null,
  body         bytea       not null,
  primary key (tenant_id, received_at, block_id)
) partition by range (received_at);
create table raw_block_default partition of raw_block default;
-- The body is compressed already; do not let the server try again.
alter table raw_block alter column body set storage external;
alter table raw_block_default alter column body set storage external;

-- What the pipeline follows, number by number. `positions` names the records of the block that were new and
-- could be normalised; null means all of them. Trust is the sensor's at the time.
create table raw_batch (
  tenant_id   text        not null,
  batch_no    bigint      not null,
  received_at timestamptz not null,
  sensor_id   text        not null,
  trust       text        not null,
  block_id    bigint,
  positions   smallint[],
  accepted    integer     not null,
  unparsed    integer     not null,
  rejected    integer     not null,
  primary key (tenant_id, batch_no)
);
create index raw_batch_received on raw_batch (tenant_id, received_at, sensor_id);

create table rejected_line (
  tenant_id   text        not null,
  sensor_id   text        not null,
  line_hash   bytea       not null,
  reason      text        not null,
  received_at timestamptz not null,
  line        bytea       not null,
  primary key (tenant_id, sensor_id, line_hash)
);
create index rejected_line_received on rejected_line (tenant_id, received_at);

-- Newest receipt per sensor; survives the retention of batches, so a long-silent sensor is still known.
create table sensor_receipt (
  tenant_id     text        not null,
  sensor_id     text        not null,
  last_event_at timestamptz not null,
  primary key (tenant_id, sensor_id)
);

-- ------------------------------------------------------------------------------------------------- observation

-- One row per record that was understood, small because there are as many as records: sensor, trust and block stand
-- on the batch, addresses and ports on the flow, evidence kind and source follow from the record kind. `evidence_id`
-- carries the millisecond of `observed_at` in its first 48 bits; `src_low` says which of the flow's two ends, in
-- normalised order, this sensor named first.
create table evidence (
  tenant_id    text        not null,
  flow_id      uuid        not null,
  evidence_id  uuid        not null,
  observed_at  timestamptz not null,
  start_at     timestamptz not null,
  end_at       timestamptz not null,
  received_at  timestamptz not null,
  batch_no     bigint      not null,
  src_bytes    bigint,
  src_packets  bigint,
  dst_bytes    bigint,
  dst_packets  bigint,
  position     smallint    not null,
  src_low      boolean     not null,
  record_kind  text        not null,
  semantics    text,
  facts        jsonb,
  warnings     text[],
  primary key (tenant_id, flow_id, evidence_id, observed_at)
) partition by range (observed_at);
create table evidence_default partition of evidence default;

-- `anchor_at` is the millisecond in flow_id: the start of the first observation. It never changes, while
-- `start_at` may move back as longer observations join (start_at <= anchor_at <= end_at).
create table flow (
  tenant_id           text        not null,
  flow_id             uuid        not null,
  anchor_at           timestamptz not null,
  start_at            timestamptz not null,
  end_at              timestamptz not null,
  received_at         timestamptz not null,
  tuple_hash          bigint,
  proto               text        not null,
  src_ip              inet        not null,
  src_port            integer,
  dst_ip              inet        not null,
  dst_port            integer,
  icmp_type           smallint,
  icmp_code           smallint,
  src_device_id       uuid,
  dst_device_id       uuid,
  src_bytes           bigint,
  src_packets         bigint,
  dst_bytes           bigint,
  dst_packets         bigint,
  semantics           text        not null,
  service             text,
  vlan                integer,
  observation_count   integer     not null,
  sources             text[]      not null,
  native_hashes       bigint[]    not null,
  primary_rank        smallint    not null,
  primary_evidence_id uuid        not null,
  primary_kind        text        not null,
  primary_source      text        not null,
  primary_sensor_id   text        not null,
  primary key (tenant_id, flow_id, anchor_at)
) partition by range (anchor_at);
create table flow_default partition of flow default;
-- Every record pays for these, so they hold no more than they must: device ids and tuple hashes belong to one
-- tenant already.
create index flow_start on flow (tenant_id, start_at, flow_id);
create index flow_tuple on flow (tuple_hash);
create index flow_src_device on flow (src_device_id, start_at) where src_device_id is not null;
create index flow_dst_device on flow (dst_device_id, start_at) where dst_device_id is not null;
-- Who talked to this address: the ends that are devices are found by those two. Equal keys are stored once.
create index flow_src_ip on flow (tenant_id, src_ip) where src_device_id is null;
create index flow_dst_ip on flow (tenant_id, dst_ip) where dst_device_id is null;

-- What the pipeline has taken up. The longest flow seen (microseconds) bounds how far back a joining flow can
-- begin; history_since is the earliest start of any flow.
create table pipeline_cursor (
  tenant_id      text   primary key,
  batch_no       bigint not null,
  longest_flow   bigint not null default 0,
  history_since  timestamptz,
  last_batch_at  timestamptz
);

-- ----------------------------------------------------------------------------------------------------- devices

create table device (
  tenant_id             text             not null,
  device_id             uuid             not null,
  display_name          text             not null,
  device_type           text             not null default 'unknown',
  classification_source text             not null default 'observed',
  confidence            double precision not null default 0,
  owner                 text,
  first_seen            timestamptz      not null,
  last_seen             timestamptz      not null,
  score                 double precision not null default 0,
  revision              integer          not null default 1,
  primary key (tenant_id, device_id)
);

create table device_address (
  tenant_id  text        not null,
  ip         inet        not null,
  device_id  uuid        not null,
  first_seen timestamptz not null,
  last_seen  timestamptz not null,
  primary key (tenant_id, ip)
);
create index device_address_device on device_address (tenant_id, device_id);

create table device_vlan (
  tenant_id text    not null,
  device_id uuid    not null,
  vlan_id   integer not null,
  primary key (tenant_id, device_id, vlan_id)
);

create table device_tag (
  tenant_id text not null,
  device_id uuid not null,
  tag       text not null,
  primary key (tenant_id, device_id, tag)
);

create table device_score (
  tenant_id text             not null,
  device_id uuid             not null,
  entry_no  integer          not null,
  at        timestamptz      not null,
  score     double precision not null,
  reason    text             not null,
  primary key (tenant_id, device_id, entry_no)
);

-- Who changed what on a device or an incident.
create table workflow_history (
  tenant_id  text        not null,
  object_id  uuid        not null,
  entry_no   integer     not null,
  at         timestamptz not null,
  actor      text        not null,
  action     text        not null,
  from_value text,
  to_value   text,
  comment    text,
  revision   integer     not null,
  primary key (tenant_id, object_id, entry_no)
);

-- --------------------------------------------------------------------------------------------------- detection

-- Connections of one device to one service of one peer, in a bounded form (src/domain/detect/beacon.ts). The hash
-- of these four is the key: a quarter of the bytes to compare, and two of 2^32 channels share one by chance.
create table channel (
  tenant_id  text        not null,
  channel_hash bigint    not null,
  device_id  uuid        not null,
  peer_ip    inet        not null,
  proto      text        not null,
  peer_port  integer     not null,
  first_seen timestamptz not null,
  last_seen  timestamptz not null,
  updated_at timestamptz not null default now(),
  state      bytea       not null,
  primary key (tenant_id, channel_hash)
) with (fillfactor = 70);
-- Dense bytes of at most some 2.5 kB that are rewritten often: neither compressed nor moved out of line, and with
-- room on the page so that a rewrite need not touch the indexes.
alter table channel alter column state set storage plain;
create index channel_peer on channel (peer_ip);

-- Alerts of one signature family about one device or address, in a bounded form.
create table alert_group (
  tenant_id text        not null,
  subject   text        not null,
  family    text        not null,
  last_seen timestamptz not null,
  updated_at timestamptz not null default now(),
  state     jsonb       not null,
  primary key (tenant_id, subject, family)
);

create table incident (
  tenant_id   text             not null,
  incident_id uuid             not null,
  incident_no bigint           not null,
  model_id    text             not null,
  group_key   text             not null,
  model_scores jsonb            not null,
  title       text             not null,
  summary     text             not null,
  severity    text             not null,
  score       double precision not null,
  status      text             not null,
  first_seen  timestamptz      not null,
  last_seen   timestamptz      not null,
  revision    integer          not null,
  primary key (tenant_id, incident_id)
);
create unique index incident_number on incident (tenant_id, incident_no);
create index incident_group on incident (tenant_id, model_id, group_key, last_seen);
create index incident_last_seen on incident (tenant_id, last_seen);

create table incident_device (
  tenant_id   text    not null,
  incident_id uuid    not null,
  device_id   uuid    not null,
  ordinal     integer not null,
  primary key (tenant_id, incident_id, device_id)
);
create index incident_device_device on incident_device (tenant_id, device_id);

-- `observed_at` is the millisecond that evidence_id carries: 1970 for whatever was before.
create table incident_evidence (
  tenant_id   text        not null,
  incident_id uuid        not null,
  evidence_id uuid        not null,
  observed_at timestamptz not null,
  flow_id     uuid        not null,
  primary key (tenant_id, incident_id, evidence_id)
);
create index incident_evidence_flow on incident_evidence (tenant_id, incident_id, flow_id);

-- The persisted analysis result: one row for each time a detector spoke.
create table model_result (
  tenant_id    text             not null,
  analysis_id  uuid             not null,
  result_no    bigint           not null generated always as identity,
  incident_id  uuid,
  model_id     text             not null,
  group_key    text             not null,
  at           timestamptz      not null,
  score        double precision not null,
  created_at   timestamptz      not null default now(),
  body         jsonb            not null,
  primary key (tenant_id, analysis_id)
);
create index model_result_incident on model_result (tenant_id, incident_id, result_no);

create table incident_score (
  tenant_id   text             not null,
  incident_id uuid             not null,
  entry_no    integer          not null,
  at          timestamptz      not null,
  score       double precision not null,
  reason      text             not null,
  primary key (tenant_id, incident_id, entry_no)
);

-- Evidence of open incidents that retention would have taken: the observation as the API shows it, its record
-- included. JSON as text, because a counter may exceed what a reader of jsonb keeps exactly.
create table kept_evidence (
  tenant_id   text        not null,
  evidence_id uuid        not null,
  flow_id     uuid        not null,
  observed_at timestamptz not null,
  observation text        not null,
  primary key (tenant_id, evidence_id)
);
create index kept_evidence_flow on kept_evidence (tenant_id, flow_id, observed_at, evidence_id);

-- Written in the transaction of what it describes, numbered without gaps; connectors follow the numbers.
create table event_log (
  tenant_id   text        not null,
  event_no    bigint      not null,
  event_id    text        not null,
  type        text        not null,
  occurred_at timestamptz not null,
  body        jsonb       not null,
  primary key (tenant_id, event_no)
);

-- ---------------------------------------------------------------------------------------------- who may see what

grant select, insert, update, delete on tenant, lease to ndr_app;

do $$
declare
  name text;
begin
  foreach name in array array[
    'tenant_counter', 'raw_record', 'raw_block', 'raw_batch', 'rejected_line', 'sensor_receipt', 'evidence',
    'flow', 'pipeline_cursor', 'device', 'device_address', 'device_vlan', 'device_tag', 'device_score',
    'workflow_history', 'channel', 'alert_group', 'incident', 'incident_device', 'incident_evidence',
    'model_result', 'incident_score', 'kept_evidence', 'event_log'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
