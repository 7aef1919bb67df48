-- What was last observed of each tenant's health, so that a change is noticed whoever observes it, and told once.

-- One row for each component, the whole (`appliance`) included. `missing_since` is set while no report has it: it is forgotten
-- after a while, since a report right after a start may lack what is not known yet.
create table health_state (
  tenant_id     text        not null,
  component_id  text        not null,
  kind          text        not null,
  status        text        not null,
  since         timestamptz not null,
  missing_since timestamptz,
  primary key (tenant_id, component_id)
);

-- The last observation that was recorded: which one of which observer. Before the first there is no row.
create table health_observation (
  tenant_id   text        primary key,
  observer    text        not null,
  pass        bigint      not null,
  observed_at timestamptz not null
);

do $$
declare
  name text;
begin
  foreach name in array array['health_state', 'health_observation'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
