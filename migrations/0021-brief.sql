-- Traffic of each day of the site, which the daily brief compares with the day before. The upkeep job adds the rows of
-- graph_traffic that it deletes, in the same transaction, so a day is the sum of its row here and of what is still there.
-- A day is identified by its start in the site's time zone.
create table traffic_day (
  tenant_id text        not null,
  day       timestamptz not null,
  flows     bigint      not null,
  bytes     bigint      not null,
  primary key (tenant_id, day)
);

-- What each device sent and received on the day.
create table device_traffic_day (
  tenant_id text        not null,
  day       timestamptz not null,
  device_id uuid        not null,
  bytes     bigint      not null,
  primary key (tenant_id, day, device_id)
);

do $$
declare
  one text;
begin
  foreach one in array array['traffic_day', 'device_traffic_day'] loop
    execute format('alter table %I enable row level security', one);
    execute format('alter table %I force row level security', one);
    execute format(
      'create policy tenant_only on %I using (tenant_id = (select nullif(current_setting(''ndr.tenant'', true), '''')))', one);
    execute format('grant select, insert, update, delete on %I to ndr_app', one);
  end loop;
end
$$;

-- What was opened and what was closed on a day.
create index incident_opened on incident (tenant_id, opened_at);
create index workflow_history_time on workflow_history (tenant_id, at);
