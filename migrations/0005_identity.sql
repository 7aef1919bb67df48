-- Which devices are one machine, and what shows it.

-- A merged device keeps all that it has, and the pipeline goes on writing to it; it shows as `merged_into`, which is
-- never merged itself. So taking a merge back is to clear this column.
alter table device add column merged_into uuid;
create index device_merged on device (tenant_id, merged_into) where merged_into is not null;

-- What identifies a device (src/domain/device/anchors.ts), remembered beyond the facts it was read from. `days` are the
-- days since 1970, UTC, it was seen on; a shared value is one that several machines have at the same time.
create table device_anchor (
  tenant_id  text        not null,
  device_id  uuid        not null,
  class      text        not null,
  value      text        not null,
  source     text        not null,
  first_seen timestamptz not null,
  last_seen  timestamptz not null,
  days       integer[]   not null,
  shared     boolean     not null default false,
  updated_at timestamptz not null,
  primary key (tenant_id, device_id, class, value)
);

-- Every merge there was, and how it ended.
create table device_merge (
  tenant_id      text             not null,
  merge_id       uuid             not null,
  from_device_id uuid             not null,
  into_device_id uuid             not null,
  at             timestamptz      not null,
  reason         text             not null,
  weight         double precision not null,
  support        jsonb            not null,
  undone_at      timestamptz,
  undo_cause     text,
  undo_reason    text,
  primary key (tenant_id, merge_id)
);
-- A device is merged into one other at a time.
create unique index device_merge_active on device_merge (tenant_id, from_device_id) where undone_at is null;
create index device_merge_from on device_merge (tenant_id, from_device_id);
create index device_merge_into on device_merge (tenant_id, into_device_id);

do $$
declare
  name text;
begin
  foreach name in array array['device_anchor', 'device_merge'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
