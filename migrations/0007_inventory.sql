-- What the deployment's inventory says of devices, where a device's VLAN is known from, and what its behaviour makes
-- of it.

-- One row for each device of the inventory file as it was read last. The id follows from what the entry says, so that
-- an entry that stays as it is keeps its id and the time it was first read.
create table inventory_entry (
  tenant_id   text        not null,
  entry_id    uuid        not null,
  name        text        not null,
  device_type text,
  owner       text,
  tags        text[]      not null,
  read_at     timestamptz not null,
  primary key (tenant_id, entry_id)
);

-- By what an entry's device is known.
create table inventory_address (
  tenant_id text not null,
  ip        inet not null,
  entry_id  uuid not null,
  primary key (tenant_id, ip)
);

create table inventory_mac (
  tenant_id text not null,
  mac       text not null,
  entry_id  uuid not null,
  primary key (tenant_id, mac)
);

-- Who said so: `person` or `inventory`; null where nobody did.
alter table device
  add column owner_source text,
  add column tags_source text,
  -- The newest batch with a record of the device.
  add column seen_batch bigint not null default 0;

-- The owner, too, sees only one tenant's rows of a table whose policies are forced.
alter table device no force row level security;
update device set owner_source = 'person', tags_source = 'person' where classification_source = 'human_confirmed';
alter table device force row level security;

-- `tag`: a sensor saw frames of the device with it; `network`: the site's networks have it for the device's address,
-- which is only a guess until a tag is seen.
alter table device_vlan add column source text not null default 'tag';

-- What a device is taken for by its behaviour, whatever else is said of it.
create table device_classification (
  tenant_id     text             not null,
  device_id     uuid             not null,
  device_type   text             not null,
  confidence    double precision not null,
  reasons       text[]           not null,
  rules_version integer          not null,
  seen_batch    bigint           not null,
  classified_at timestamptz      not null,
  primary key (tenant_id, device_id)
);

do $$
declare
  name text;
begin
  foreach name in array array['inventory_entry', 'inventory_address', 'inventory_mac', 'device_classification'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
