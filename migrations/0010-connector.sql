-- The event log and the connectors that follow it.

-- Written in the transaction of what it describes, numbered without gaps.
create table event_log (
  tenant_id   text        not null,
  event_no    bigint      not null,
  event_id    text        not null,
  type        text        not null,
  occurred_at timestamptz not null,
  body        jsonb       not null,
  primary key (tenant_id, event_no)
);

-- Progress and health of each connector instance. An instance that is no longer configured keeps its row and
-- bookmark, and is not shown. Written by the core that serves the instance; the counters are of its process.
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
  -- The number of the last processed event; null until the instance is enabled for the first time.
  bookmark             bigint,
  -- Waits since the queue last moved, which determine the length of the next one.
  holds                integer     not null default 0,
  -- End of the current wait, which a restart does not shorten.
  blocked_until        timestamptz,
  -- The lease's epoch: a former holder can change nothing.
  epoch                bigint      not null default 0,
  primary key (tenant_id, instance)
);
