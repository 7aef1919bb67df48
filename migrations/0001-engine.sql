-- Tenants, leases and counters.
--
-- Conventions of the whole schema: the primary key of a tenant's table contains tenant_id, and
-- 0015-access.sql puts all of these tables under forced row-level security. Global tables are listed in
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

-- How often what a list shows has changed, for clients that poll. incidents and devices count what the pipeline's
-- cursor does not tell: changes by people and jobs, and for incidents also those by the pipeline. One row per
-- tenant, written at COMMIT by deferred triggers, so it is the last lock that a transaction takes.
create table list_change (
  tenant_id    text   primary key,
  incidents    bigint not null default 0,
  devices      bigint not null default 0,
  decisions    bigint not null default 0,
  -- The transaction that counted last in each column; a transaction counts once.
  incidents_by bigint,
  devices_by   bigint,
  decisions_by bigint
);

-- Its argument is the column of list_change.
create function count_list_change() returns trigger language plpgsql as $$
declare
  tenant text := coalesce(new.tenant_id, old.tenant_id);
  current bigint := pg_current_xact_id()::text::bigint;
begin
  if tg_argv[0] = 'incidents' then
    insert into list_change as c (tenant_id, incidents, incidents_by) values (tenant, 1, current)
    on conflict (tenant_id) do update set incidents = c.incidents + 1, incidents_by = current
    where c.incidents_by is distinct from current;
  elsif tg_argv[0] = 'devices' then
    insert into list_change as c (tenant_id, devices, devices_by) values (tenant, 1, current)
    on conflict (tenant_id) do update set devices = c.devices + 1, devices_by = current
    where c.devices_by is distinct from current;
  else
    insert into list_change as c (tenant_id, decisions, decisions_by) values (tenant, 1, current)
    on conflict (tenant_id) do update set decisions = c.decisions + 1, decisions_by = current
    where c.decisions_by is distinct from current;
  end if;
  return null;
end
$$;
