-- What is proposed against an incident, what people decided of it, and what executors outside of this service reported.
-- Nothing here carries anything out.

-- `target` is what an action is about, for the rule that only one of a kind is open: the device, else the address.
-- `severity` is the incident's when the action was proposed or last decided: automatic mode comes back to what was
-- refused only when the incident has become worse since. `approved_at` stays when an approved action is cancelled.
create table response_action (
  tenant_id   text        not null,
  action_id   uuid        not null,
  incident_id uuid        not null,
  kind        text        not null,
  mode        text        not null,
  status      text        not null default 'proposed',
  device_id   uuid,
  address     text,
  identity    text,
  target      text        not null,
  severity    text        not null,
  reason      text        not null,
  proposed_by text        not null,
  proposed_at timestamptz not null,
  decided_by  text,
  decided_at  timestamptz,
  approved_at timestamptz,
  comment     text,
  revision    integer     not null default 1,
  primary key (tenant_id, action_id)
);
create index response_action_newest on response_action (tenant_id, proposed_at, action_id);
create index response_action_incident on response_action (tenant_id, incident_id, proposed_at, action_id);
create unique index response_action_open on response_action (tenant_id, incident_id, kind, target)
  where status in ('proposed', 'approved');

-- `report_key` is the executor's own name of a report, `report_hash` what it said: the same again is no new report.
-- `event_id` is null for what is told to nobody outside.
create table response_outcome (
  tenant_id        text        not null,
  action_id        uuid        not null,
  outcome_no       integer     not null,
  report_key       text        not null,
  report_hash      text        not null,
  executor_id      text        not null,
  status           text        not null,
  identity         text,
  detail           text,
  lease_expires_at timestamptz,
  reported_at      timestamptz not null,
  event_id         text,
  primary key (tenant_id, action_id, outcome_no)
);
create unique index response_outcome_report on response_outcome (tenant_id, action_id, report_key);

do $$
declare
  name text;
begin
  foreach name in array array['response_action', 'response_outcome'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
