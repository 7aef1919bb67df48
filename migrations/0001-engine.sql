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

-- The present time as far as it is known without trusting a clock, and what may be deleted by it. At most one
-- row, written by the core that holds the lease "clock". known_at only grows.
create table clock_state (
  only_one       boolean     primary key default true check (only_one),
  known_at       timestamptz not null,
  -- A later time that the clock shows, and how long the service has run at it.
  leap_at        timestamptz,
  lived_us       bigint      check ((lived_us is null) = (leap_at is null)),
  -- Running time that was not yet spent on dropping days of records.
  drop_credit_us bigint      not null default 0 check (drop_credit_us >= 0)
);

-- Last numbers given out, without gaps: taken by the last statement before COMMIT, under this row's lock.
create table tenant_counter (
  tenant_id   text   primary key,
  batch_no    bigint not null default 0,
  event_no    bigint not null default 0,
  incident_no bigint not null default 0
);
