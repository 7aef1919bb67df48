-- Devices, what is known of them, and which of them are one machine.

-- Most rounds update last_seen of each device they see: free space on the page keeps the new version there,
-- and the indexes untouched.
create table device (
  tenant_id             text             not null,
  device_id             uuid             not null,
  display_name          text             not null,
  device_type           text             not null default 'unknown',
  classification_source text             not null default 'observed',
  confidence            double precision not null default 0,
  owner                 text,
  first_seen            timestamptz      not null,
  last_seen             timestamptz      not null,
  score                 double precision not null default 0,
  revision              integer          not null default 1,
  -- `address` until something names the device.
  display_name_source   text             not null default 'address',
  -- The address it was first seen with; detectors use it while the device is unnamed, because an observed
  -- name may come at any time.
  address_name          text,
  -- The surviving device, which is never merged itself. The pipeline keeps writing to a merged device, so
  -- clearing this column undoes the merge.
  merged_into           uuid,
  -- `person` or `inventory`; null while unknown.
  owner_source          text,
  tags_source           text,
  -- The newest batch with a record of the device.
  seen_batch            bigint           not null default 0,
  primary key (tenant_id, device_id)
) with (fillfactor = 50);
create constraint trigger list_change after update on device
  deferrable initially deferred for each row when (
    (old.revision, old.merged_into, old.display_name, old.device_type, old.owner)
    is distinct from (new.revision, new.merged_into, new.display_name, new.device_type, new.owner)
  ) execute function count_list_change('devices');
create index device_merged on device (tenant_id, merged_into) where merged_into is not null;

create table device_address (
  tenant_id  text        not null,
  ip         inet        not null,
  device_id  uuid        not null,
  first_seen timestamptz not null,
  last_seen  timestamptz not null,
  primary key (tenant_id, ip)
) with (fillfactor = 50);
create index device_address_device on device_address (tenant_id, device_id);

create table device_vlan (
  tenant_id text    not null,
  device_id uuid    not null,
  vlan_id   integer not null,
  -- `tag`: a sensor saw tagged frames of the device. `network`: derived from the site's networks until a tag
  -- is seen.
  source    text    not null default 'tag',
  primary key (tenant_id, device_id, vlan_id)
);

create table device_tag (
  tenant_id text not null,
  device_id uuid not null,
  tag       text not null,
  primary key (tenant_id, device_id, tag)
);

create table device_score (
  tenant_id text             not null,
  device_id uuid             not null,
  entry_no  integer          not null,
  at        timestamptz      not null,
  score     double precision not null,
  reason    text             not null,
  primary key (tenant_id, device_id, entry_no)
);

-- What observations show of a device: names it asks for, fingerprints, software, accounts. source_set and
-- seen_count cover all observations; the evidence is the newest.
create table device_fact (
  tenant_id   text        not null,
  device_id   uuid        not null,
  kind        text        not null,
  value       text        not null,
  detail      text,
  first_seen  timestamptz not null,
  last_seen   timestamptz not null,
  received_at timestamptz not null,
  seen_count  bigint      not null,
  source_set  smallint    not null,
  evidence_id uuid        not null,
  flow_id     uuid        not null,
  primary key (device_id, kind, value, tenant_id)
) with (fillfactor = 80);

-- DHCP requests and leases: granted_at is the time of the newest acknowledgement, null without one. What the
-- client says about itself may come from its requests.
create table dhcp_lease (
  tenant_id     text        not null,
  ip            inet        not null,
  mac           text        not null,
  first_seen    timestamptz not null,
  last_seen     timestamptz not null,
  received_at   timestamptz not null,
  granted_at    timestamptz,
  lease_seconds bigint,
  server_ip     inet,
  client_id     text,
  host_name     text,
  vendor_class  text,
  source_set    smallint    not null,
  evidence_id   uuid        not null,
  flow_id       uuid        not null,
  primary key (tenant_id, ip, mac)
);
create index dhcp_lease_mac on dhcp_lease (tenant_id, mac);

-- What identifies a device, kept beyond the facts it was read from. Written by the identity job.
create table device_anchor (
  tenant_id  text        not null,
  device_id  uuid        not null,
  class      text        not null,
  value      text        not null,
  source     text        not null,
  first_seen timestamptz not null,
  last_seen  timestamptz not null,
  -- Days since 1970 (UTC) on which it was seen.
  days       integer[]   not null,
  -- Whether several machines have the value at the same time.
  shared     boolean     not null default false,
  updated_at timestamptz not null,
  primary key (tenant_id, device_id, class, value)
);

-- Every merge and how it ended. Written by the identity job and by people.
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
-- A device is merged into at most one other.
create unique index device_merge_active on device_merge (tenant_id, from_device_id) where undone_at is null;
create index device_merge_from on device_merge (tenant_id, from_device_id);
create index device_merge_into on device_merge (tenant_id, into_device_id);

-- The type that a device's behaviour suggests. Written by the classification job.
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

-- One row for each device of the inventory file as last read. The id is derived from the entry's content, so
-- an unchanged entry keeps its id and the time it was first read.
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

-- Addresses and MACs that an entry applies to.
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

-- Who changed what on a device or an incident. Written by the core and the pipeline.
create table workflow_history (
  tenant_id  text        not null,
  object_id  uuid        not null,
  entry_no   integer     not null,
  at         timestamptz not null,
  actor      text        not null,
  action     text        not null,
  from_value text,
  to_value   text,
  comment    text,
  revision   integer     not null,
  primary key (tenant_id, object_id, entry_no)
);
