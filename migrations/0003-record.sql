-- Raw records in blocks. Written by the ingest, but for pipeline_cursor; received_at is the ingest's clock.

-- The replacing key of a record. The bytes stand in raw_block; position counts from 0 inside the block. The
-- key starts with what differs between rows, so that comparisons in the index rarely have to read past its
-- first column.
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
  primary key (observed_at, event_id, tenant_id)
) partition by range (observed_at);
create table raw_record_default partition of raw_record default;
-- Newest first, for administrators. Parsed records, nearly all of them, have no entry.
create index raw_record_unparsed on raw_record (tenant_id, received_at, event_id, sensor_id)
  where parse_status = 'unparsed';

-- One accepted request: a zstd frame with the exact bytes of every payload (src/store/record/block.ts). The
-- body is compressed already, so the server must not try again.
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
alter table raw_block alter column body set storage external;
alter table raw_block_default alter column body set storage external;

-- The pipeline follows these numbers. positions lists the records of the block that were new and could be
-- normalised, null means all of them; trust is the sensor's at the time.
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

-- Lines that the ingest refused, with their original bytes; a retried line is stored once. kind is null if
-- the line states none.
create table rejected_line (
  tenant_id   text        not null,
  sensor_id   text        not null,
  line_hash   bytea       not null,
  kind        text,
  reason      text        not null,
  received_at timestamptz not null,
  line        bytea       not null,
  primary key (tenant_id, sensor_id, line_hash)
);
create index rejected_line_received on rejected_line (tenant_id, received_at, line_hash, sensor_id);

-- Newest receipt of each sensor. Outlives the retention of batches, so a long-silent sensor is still known.
create table sensor_receipt (
  tenant_id     text        not null,
  sensor_id     text        not null,
  last_event_at timestamptz not null,
  primary key (tenant_id, sensor_id)
);

-- How far the pipeline has come.
create table pipeline_cursor (
  tenant_id     text        primary key,
  batch_no      bigint      not null,
  -- Duration of the longest flow, microseconds: bounds how far back a joining flow can begin.
  longest_flow  bigint      not null default 0,
  -- Earliest start of any flow.
  history_since timestamptz,
  -- When batch_no was processed, by the database's clock.
  last_batch_at timestamptz,
  -- Digests of the intel lists that records were matched against: batches after intel_batch as the pipeline
  -- took them up, against intel_digest; batches up to past_batch also afterwards, against past_digest.
  intel_digest  text        not null default '',
  intel_batch   bigint      not null default 0,
  past_digest   text        not null default '',
  past_batch    bigint      not null default 0,
  -- Latest end of any flow: a record that begins long after it cannot join one. Null until the first round.
  latest_end    timestamptz
);
