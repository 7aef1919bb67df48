-- How far each connector instance has followed the event log, and how it fares. One row an instance; what is no longer
-- configured keeps its row and its bookmark, and is not shown.

-- `bookmark` is the number of the last event that is done with; null before the instance is switched on for the first time.
-- `epoch` is the lease's of the core that serves the instance: a former holder can change nothing. `holds` counts the waits
-- since the queue last moved, for the length of the next one; `blocked_until` is the end of the one under way, which a
-- restart does not cut short. The counters are of that core's process.
create table connector_state (
  tenant_id            text        not null,
  instance             text        not null,
  connector            text        not null,
  configured           boolean     not null default true,
  state                text        not null,
  failure_class        text,
  message              text,
  since                timestamptz not null,
  last_success_at      timestamptz,
  consecutive_failures integer     not null default 0,
  items_last_hour      integer     not null default 0,
  delivered            bigint      not null default 0,
  failed               bigint      not null default 0,
  rejected             bigint      not null default 0,
  dropped              bigint      not null default 0,
  pending              integer     not null default 0,
  bookmark             bigint,
  holds                integer     not null default 0,
  blocked_until        timestamptz,
  epoch                bigint      not null default 0,
  primary key (tenant_id, instance)
);

alter table connector_state enable row level security;
alter table connector_state force row level security;
create policy tenant_only on connector_state using (tenant_id = current_setting('ndr.tenant', true))
  with check (tenant_id = current_setting('ndr.tenant', true) and tenant_id <> '');
grant select, insert, update, delete on connector_state to ndr_app;
