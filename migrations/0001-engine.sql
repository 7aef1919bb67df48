-- Tenants, leases and counters.
--
-- Conventions of the whole schema: the primary key of a tenant's table contains tenant_id, and
-- 0013-access.sql puts all of these tables under forced row-level security. Global tables are listed in
-- src/store/engine/tables.ts. Times are source times unless a comment says otherwise; columns ending in _us
-- are microseconds. The pipeline writes a table unless a comment names the writer.

-- Written at start from the configuration.
create table tenant (
  tenant_id  text        primary key check (tenant_id <> ''),
  created_at timestamptz not null default now()
);

-- One holder at a time for each background job and each tenant's pipeline. The epoch grows with every change
-- of holder, so a holder that was paused past its expiry cannot write after its successor took over. Times
-- are those of the database.
create table lease (
  name       text        primary key,
  holder     text        not null,
  epoch      bigint      not null,
  expires_at timestamptz not null
);

-- Last numbers given out, without gaps: taken by the last statement before COMMIT, under this row's lock.
create table tenant_counter (
  tenant_id   text   primary key,
  batch_no    bigint not null default 0,
  event_no    bigint not null default 0,
  incident_no bigint not null default 0
);
