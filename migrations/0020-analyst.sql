-- What a language model was asked, what it cost, and what may be spent. Written by the core, and by `ndr analyst backtest`.

-- One question about one incident, as it was queued: what is sent is what is stored here.
create table analyst_run (
  tenant_id         text        not null,
  run_id            uuid        not null,
  incident_id       uuid        not null,
  incident_revision integer     not null,
  state             text        not null default 'queued',
  error_code        text,
  error_message     text,
  requested_by      text        not null,
  requested_at      timestamptz not null,
  started_at        timestamptz,
  finished_at       timestamptz,
  -- What the request was made for. If the tenant's configuration differs by the time of the call, nothing is sent.
  provider          text        not null,
  model             text        not null,
  prompt_version    text        not null,
  sent_parts        text[]      not null,
  system_text       text        not null,
  user_text         text        not null,
  worst_input_tokens integer    not null,
  -- Evidence ids, and what the placeholders of the texts stand for.
  reference         jsonb       not null,
  -- Changes with each change of who may write the result: a core that was too late for its run changes nothing but
  -- the ledger.
  epoch             integer     not null default 0,
  holder            text,
  lease_until       timestamptz,
  -- Micro-USD. Once the cost is known, it is in spent, and nothing is reserved.
  reserved          bigint      not null default 0,
  reserved_day      date,
  spent             bigint,
  input_tokens      bigint,
  output_tokens     bigint,
  answer            jsonb,
  feedback          jsonb,
  revision          integer     not null default 1,
  primary key (tenant_id, run_id)
);
create index analyst_run_incident on analyst_run (tenant_id, incident_id, run_id);
create index analyst_run_state on analyst_run (tenant_id, state, run_id);
-- At most one at a time for each incident.
create unique index analyst_run_open on analyst_run (tenant_id, incident_id) where state in ('queued', 'running');

-- What a tenant has used of its budget on a UTC day, in micro-USD, with all providers: reserved and spent.
create table analyst_day (
  tenant_id text   not null,
  day       date   not null,
  used      bigint not null check (used >= 0),
  primary key (tenant_id, day)
);

-- The same for each provider. What stays reserved on a day that has ended counts as used: its cost is unknown.
create table analyst_ledger (
  tenant_id text   not null,
  day       date   not null,
  provider  text   not null,
  reserved  bigint not null check (reserved >= 0),
  spent     bigint not null check (spent >= 0),
  primary key (tenant_id, day, provider)
);

do $$
declare
  one text;
begin
  foreach one in array array['analyst_run', 'analyst_day', 'analyst_ledger'] loop
    execute format('alter table %I enable row level security', one);
    execute format('alter table %I force row level security', one);
    execute format(
      'create policy tenant_only on %I using (tenant_id = (select nullif(current_setting(''ndr.tenant'', true), '''')))', one);
    execute format('grant select, insert, update, delete on %I to ndr_app', one);
  end loop;
end
$$;
