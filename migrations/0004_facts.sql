-- What records say beyond their flows: names of servers, what is known of each device, leases, and the sensors' word
-- about their own capture.

-- The name that the flow's client asked its server for: TLS server name or HTTP host, the first one seen, and its
-- evidence. The kind says which of the two it is, and which end of the flow is the server (src/store/vocabulary.ts).
alter table flow
  add column server_name text,
  add column server_name_kind smallint,
  add column server_name_evidence uuid;

-- Which name led a client to an address on a day (UTC midnight), with the evidence of that day's first answer. The key
-- begins with the address: who else was told that name is found by it, too.
create table dns_answer (
  tenant_id   text        not null,
  address     inet        not null,
  day         timestamptz not null,
  client_ip   inet        not null,
  name        text        not null,
  first_seen  timestamptz not null,
  last_seen   timestamptz not null,
  received_at timestamptz not null,
  evidence_id uuid        not null,
  flow_id     uuid        not null,
  primary key (tenant_id, address, day, client_ip, name)
) partition by range (day);
create table dns_answer_default partition of dns_answer default;

-- What observations show of a device: names it asks for, fingerprints, software, accounts (src/domain/device/fact.ts).
-- `source_set` and `seen_count` are about the observations that showed it; the evidence is the newest of them.
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
  primary key (tenant_id, device_id, kind, value)
) with (fillfactor = 80);

-- Who asked for an address by DHCP, and who got it: a lease only where `granted_at` is set, the time of the newest
-- acknowledgement. What the client said of itself may come from its requests.
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

-- The last that each process of a sensor said about its capture, one row for each kind of record. `peer` is '' where
-- the record names none.
create table capture_sample (
  tenant_id    text             not null,
  sensor_id    text             not null,
  peer         text             not null,
  record_kind  text             not null,
  at           timestamptz      not null,
  received_at  timestamptz      not null,
  interval_us  bigint,
  packets      bigint,
  dropped      bigint,
  loss_percent double precision,
  primary key (tenant_id, sensor_id, peer, record_kind)
);

-- Who gave a device its display name, and the address it was first seen with, which detectors call it by as long as
-- nobody named it: a name that is observed may come at any time.
alter table device
  add column display_name_source text not null default 'address',
  add column address_name text;

-- The owner, too, sees only one tenant's rows of a table whose policies are forced.
alter table device no force row level security;
alter table device_address no force row level security;
update device d set
  display_name_source = case
    when classification_source = 'human_confirmed' and display_name !~ '^[0-9]+([.][0-9]+){3}$|^[0-9a-f]*:[0-9a-f:.]*$'
    then 'person' else 'address' end,
  address_name = (select host(a.ip) from device_address a
    where a.tenant_id = d.tenant_id and a.device_id = d.device_id order by a.first_seen, a.ip limit 1);
alter table device force row level security;
alter table device_address force row level security;

do $$
declare
  name text;
begin
  foreach name in array array['dns_answer', 'device_fact', 'dhcp_lease', 'capture_sample'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
