-- The schema that the migrations create. Generated: see test/store/engine/schema_test.ts.

create table address_geo (
  tenant_id text not null,
  ip inet not null,
  country text,
  asn bigint,
  organisation text,
  build text,
  seen_day timestamptz not null,
  constraint address_geo_pkey primary key (tenant_id, ip)
);
create index address_geo_asn on address_geo (tenant_id, asn) where (asn is not null);
create index address_geo_build on address_geo (tenant_id, build);
create index address_geo_country on address_geo (tenant_id, country) where (country is not null);
alter table address_geo enable row level security;
alter table address_geo force row level security;
create policy tenant_only on address_geo for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on address_geo to ndr_app;

create table analyst_day (
  tenant_id text not null,
  day date not null,
  used bigint not null,
  constraint analyst_day_pkey primary key (tenant_id, day),
  constraint analyst_day_used_check check ((used >= 0))
);
alter table analyst_day enable row level security;
alter table analyst_day force row level security;
create policy tenant_only on analyst_day for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on analyst_day to ndr_app;

create table analyst_ledger (
  tenant_id text not null,
  day date not null,
  provider text not null,
  reserved bigint not null,
  spent bigint not null,
  constraint analyst_ledger_pkey primary key (tenant_id, day, provider),
  constraint analyst_ledger_reserved_check check ((reserved >= 0)),
  constraint analyst_ledger_spent_check check ((spent >= 0))
);
alter table analyst_ledger enable row level security;
alter table analyst_ledger force row level security;
create policy tenant_only on analyst_ledger for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on analyst_ledger to ndr_app;

create table analyst_run (
  tenant_id text not null,
  run_id uuid not null,
  incident_id uuid not null,
  incident_revision integer not null,
  state text not null default 'queued'::text,
  error_code text,
  error_message text,
  requested_by text not null,
  requested_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  provider text not null,
  model text not null,
  prompt_version text not null,
  sent_parts text[] not null,
  system_text text not null,
  user_text text not null,
  worst_input_tokens integer not null,
  reference jsonb not null,
  epoch integer not null default 0,
  holder text,
  lease_until timestamptz,
  reserved bigint not null default 0,
  reserved_day date,
  spent bigint,
  input_tokens bigint,
  output_tokens bigint,
  answer jsonb,
  feedback jsonb,
  revision integer not null default 1,
  constraint analyst_run_pkey primary key (tenant_id, run_id)
);
create index analyst_run_incident on analyst_run (tenant_id, incident_id, run_id);
create unique index analyst_run_open on analyst_run (tenant_id, incident_id) where (state = any (array['queued'::text, 'running'::text]));
create index analyst_run_state on analyst_run (tenant_id, state, run_id);
alter table analyst_run enable row level security;
alter table analyst_run force row level security;
create policy tenant_only on analyst_run for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on analyst_run to ndr_app;

create table audit (
  tenant_id text not null,
  audit_id uuid not null,
  at timestamptz not null,
  operation text not null,
  outcome text not null,
  status smallint,
  error_code text,
  reason text,
  subject text,
  display_name text,
  roles text not null,
  target_type text,
  target_id text,
  changes text not null,
  client_address text,
  user_agent text,
  request_id text,
  session_id text,
  constraint audit_pkey primary key (tenant_id, audit_id)
);
create index audit_operation on audit (tenant_id, operation, at);
create index audit_refused on audit (tenant_id, at) where (outcome = 'refused'::text);
create index audit_subject on audit (tenant_id, subject, at);
create index audit_target on audit (tenant_id, target_id, at) where (target_id is not null);
create index audit_time on audit (tenant_id, at, audit_id);
alter table audit enable row level security;
alter table audit force row level security;
create policy tenant_only on audit for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant insert, select on audit to ndr_app;

create table audit_outside (
  audit_id uuid not null,
  at timestamptz not null,
  operation text not null,
  outcome text not null,
  status smallint,
  error_code text,
  reason text,
  subject text,
  display_name text,
  roles text not null,
  target_type text,
  target_id text,
  changes text not null,
  client_address text,
  user_agent text,
  request_id text,
  session_id text,
  constraint audit_outside_pkey primary key (audit_id)
);
create index audit_outside_time on audit_outside (at, audit_id);
grant insert, select on audit_outside to ndr_app;

create table capture_sample (
  tenant_id text not null,
  sensor_id text not null,
  peer text not null,
  record_kind text not null,
  at timestamptz not null,
  received_at timestamptz not null,
  interval_us bigint,
  packets bigint,
  dropped bigint,
  loss_percent double precision,
  constraint capture_sample_pkey primary key (tenant_id, sensor_id, peer, record_kind)
);
alter table capture_sample enable row level security;
alter table capture_sample force row level security;
create policy tenant_only on capture_sample for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on capture_sample to ndr_app;

create table clock_state (
  only_one boolean not null default true,
  known_at timestamptz not null,
  leap_at timestamptz,
  lived_us bigint,
  drop_credit_us bigint not null default 0,
  constraint clock_state_pkey primary key (only_one),
  constraint clock_state_check check (((lived_us is null) = (leap_at is null))),
  constraint clock_state_drop_credit_us_check check ((drop_credit_us >= 0)),
  constraint clock_state_only_one_check check (only_one)
);
grant delete, insert, select, update on clock_state to ndr_app;

create table configured_sensor (
  tenant_id text not null,
  sensor_id text not null,
  since timestamptz not null,
  constraint configured_sensor_pkey primary key (tenant_id, sensor_id)
);
alter table configured_sensor enable row level security;
alter table configured_sensor force row level security;
create policy tenant_only on configured_sensor for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on configured_sensor to ndr_app;

create table connector_state (
  tenant_id text not null,
  instance text not null,
  connector text not null,
  configured boolean not null default true,
  state text not null,
  failure_class text,
  message text,
  since timestamptz not null,
  last_success_at timestamptz,
  consecutive_failures integer not null default 0,
  items_last_hour integer not null default 0,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  rejected bigint not null default 0,
  dropped bigint not null default 0,
  pending integer not null default 0,
  bookmark bigint,
  holds integer not null default 0,
  blocked_until timestamptz,
  epoch bigint not null default 0,
  constraint connector_state_pkey primary key (tenant_id, instance)
);
alter table connector_state enable row level security;
alter table connector_state force row level security;
create policy tenant_only on connector_state for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on connector_state to ndr_app;

create table detector_journal (
  tenant_id text not null,
  batch_no bigint not null,
  body bytea not null,
  constraint detector_journal_pkey primary key (tenant_id, batch_no)
);
alter table detector_journal alter column body set storage external;
alter table detector_journal enable row level security;
alter table detector_journal force row level security;
create policy tenant_only on detector_journal for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on detector_journal to ndr_app;

create table detector_state (
  tenant_id text not null,
  state_type smallint not null,
  key_hash bigint not null,
  updated_at timestamptz not null default now(),
  state bytea not null,
  constraint detector_state_pkey primary key (tenant_id, state_type, key_hash)
) with (fillfactor=70, toast_tuple_target=8160);
alter table detector_state enable row level security;
alter table detector_state force row level security;
create policy tenant_only on detector_state for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on detector_state to ndr_app;

create table device (
  tenant_id text not null,
  device_id uuid not null,
  display_name text not null,
  device_type text not null default 'unknown'::text,
  classification_source text not null default 'observed'::text,
  confidence double precision not null default 0,
  owner text,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  score double precision not null default 0,
  revision integer not null default 1,
  display_name_source text not null default 'address'::text,
  address_name text,
  merged_into uuid,
  owner_source text,
  tags_source text,
  seen_batch bigint not null default 0,
  constraint device_pkey primary key (tenant_id, device_id),
  constraint list_change trigger deferrable initially deferred
) with (fillfactor=50);
create index device_merged on device (tenant_id, merged_into) where (merged_into is not null);
alter table device enable row level security;
alter table device force row level security;
create policy tenant_only on device for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device to ndr_app;

create table device_address (
  tenant_id text not null,
  ip inet not null,
  device_id uuid not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  constraint device_address_pkey primary key (tenant_id, ip)
) with (fillfactor=50);
create index device_address_device on device_address (tenant_id, device_id);
alter table device_address enable row level security;
alter table device_address force row level security;
create policy tenant_only on device_address for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device_address to ndr_app;

create table device_anchor (
  tenant_id text not null,
  device_id uuid not null,
  class text not null,
  value text not null,
  source text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  days integer[] not null,
  shared boolean not null default false,
  updated_at timestamptz not null,
  constraint device_anchor_pkey primary key (tenant_id, device_id, class, value)
);
alter table device_anchor enable row level security;
alter table device_anchor force row level security;
create policy tenant_only on device_anchor for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device_anchor to ndr_app;

create table device_classification (
  tenant_id text not null,
  device_id uuid not null,
  device_type text not null,
  confidence double precision not null,
  reasons text[] not null,
  rules_version integer not null,
  seen_batch bigint not null,
  classified_at timestamptz not null,
  constraint device_classification_pkey primary key (tenant_id, device_id)
);
alter table device_classification enable row level security;
alter table device_classification force row level security;
create policy tenant_only on device_classification for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device_classification to ndr_app;

create table device_fact (
  tenant_id text not null,
  device_id uuid not null,
  kind text not null,
  value text not null,
  detail text,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  received_at timestamptz not null,
  seen_count bigint not null,
  source_set smallint not null,
  evidence_id uuid not null,
  flow_id uuid not null,
  constraint device_fact_pkey primary key (device_id, kind, value, tenant_id)
) with (fillfactor=80);
alter table device_fact enable row level security;
alter table device_fact force row level security;
create policy tenant_only on device_fact for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device_fact to ndr_app;

create table device_merge (
  tenant_id text not null,
  merge_id uuid not null,
  from_device_id uuid not null,
  into_device_id uuid not null,
  at timestamptz not null,
  reason text not null,
  weight double precision not null,
  support jsonb not null,
  undone_at timestamptz,
  undo_cause text,
  undo_reason text,
  constraint device_merge_pkey primary key (tenant_id, merge_id)
);
create unique index device_merge_active on device_merge (tenant_id, from_device_id) where (undone_at is null);
create index device_merge_from on device_merge (tenant_id, from_device_id);
create index device_merge_into on device_merge (tenant_id, into_device_id);
alter table device_merge enable row level security;
alter table device_merge force row level security;
create policy tenant_only on device_merge for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device_merge to ndr_app;

create table device_score (
  tenant_id text not null,
  device_id uuid not null,
  entry_no integer not null,
  at timestamptz not null,
  score double precision not null,
  reason text not null,
  constraint device_score_pkey primary key (tenant_id, device_id, entry_no)
);
alter table device_score enable row level security;
alter table device_score force row level security;
create policy tenant_only on device_score for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device_score to ndr_app;

create table device_tag (
  tenant_id text not null,
  device_id uuid not null,
  tag text not null,
  constraint device_tag_pkey primary key (tenant_id, device_id, tag)
);
alter table device_tag enable row level security;
alter table device_tag force row level security;
create policy tenant_only on device_tag for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device_tag to ndr_app;

create table device_traffic_day (
  tenant_id text not null,
  day timestamptz not null,
  device_id uuid not null,
  bytes bigint not null,
  constraint device_traffic_day_pkey primary key (tenant_id, day, device_id)
);
alter table device_traffic_day enable row level security;
alter table device_traffic_day force row level security;
create policy tenant_only on device_traffic_day for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device_traffic_day to ndr_app;

create table device_vlan (
  tenant_id text not null,
  device_id uuid not null,
  vlan_id integer not null,
  source text not null default 'tag'::text,
  constraint device_vlan_pkey primary key (tenant_id, device_id, vlan_id)
);
alter table device_vlan enable row level security;
alter table device_vlan force row level security;
create policy tenant_only on device_vlan for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on device_vlan to ndr_app;

create table dhcp_lease (
  tenant_id text not null,
  ip inet not null,
  mac text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  received_at timestamptz not null,
  granted_at timestamptz,
  lease_seconds bigint,
  server_ip inet,
  client_id text,
  host_name text,
  vendor_class text,
  source_set smallint not null,
  evidence_id uuid not null,
  flow_id uuid not null,
  constraint dhcp_lease_pkey primary key (tenant_id, ip, mac)
);
create index dhcp_lease_mac on dhcp_lease (tenant_id, mac);
alter table dhcp_lease enable row level security;
alter table dhcp_lease force row level security;
create policy tenant_only on dhcp_lease for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on dhcp_lease to ndr_app;

create table dns_answer (
  tenant_id text not null,
  address inet not null,
  day timestamptz not null,
  client_ip inet not null,
  name text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  received_at timestamptz not null,
  evidence_id uuid not null,
  flow_id uuid not null,
  constraint dns_answer_pkey primary key (address, day, client_ip, name, tenant_id)
) partition by range (day);
alter table dns_answer enable row level security;
alter table dns_answer force row level security;
create policy tenant_only on dns_answer for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on dns_answer to ndr_app;

create table dns_answer_default partition of dns_answer default with (fillfactor=70);

create table event_log (
  tenant_id text not null,
  event_no bigint not null,
  event_id text not null,
  type text not null,
  occurred_at timestamptz not null,
  body jsonb not null,
  constraint event_log_pkey primary key (tenant_id, event_no)
);
alter table event_log enable row level security;
alter table event_log force row level security;
create policy tenant_only on event_log for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on event_log to ndr_app;

create table evidence (
  tenant_id text not null,
  flow_id uuid not null,
  evidence_id uuid not null,
  observed_at timestamptz not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  received_at timestamptz not null,
  batch_no bigint not null,
  src_bytes bigint,
  src_packets bigint,
  dst_bytes bigint,
  dst_packets bigint,
  position smallint not null,
  src_low boolean not null,
  facts text,
  warnings text[],
  record_kind_no smallint not null,
  semantics_no smallint,
  constraint evidence_pkey primary key (flow_id, evidence_id, observed_at, tenant_id)
) partition by range (observed_at);
alter table evidence enable row level security;
alter table evidence force row level security;
create policy tenant_only on evidence for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on evidence to ndr_app;

create table evidence_default partition of evidence default;

create table flow (
  tenant_id text not null,
  flow_id uuid not null,
  anchor_at timestamptz not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  received_at timestamptz not null,
  tuple_hash bigint,
  proto text not null,
  src_ip inet not null,
  src_port integer,
  dst_ip inet not null,
  dst_port integer,
  icmp_type smallint,
  icmp_code smallint,
  src_device_id uuid,
  dst_device_id uuid,
  src_bytes bigint,
  src_packets bigint,
  dst_bytes bigint,
  dst_packets bigint,
  service text,
  vlan integer,
  observation_count integer not null,
  primary_rank smallint not null,
  primary_end_at timestamptz,
  primary_series integer,
  reports text,
  primary_evidence_id uuid not null,
  primary_sensor_id text not null,
  source_set smallint not null,
  semantics_no smallint not null,
  primary_record_kind smallint not null,
  native_ids bytea not null,
  server_name text,
  server_name_kind smallint,
  server_name_evidence uuid,
  folded_observed_at timestamptz,
  folded_batch_no bigint,
  folded_position smallint,
  constraint flow_pkey primary key (flow_id, anchor_at, tenant_id)
) partition by range (anchor_at);
create index flow_dst_device on flow (dst_device_id, start_at) where (dst_device_id is not null);
create index flow_dst_ip on flow (dst_ip, tenant_id, start_at) where (dst_device_id is null);
create index flow_rare_proto on flow (tenant_id, proto, start_at) where (proto <> all (array['tcp'::text, 'udp'::text, 'icmp'::text, 'ipv6-icmp'::text]));
create index flow_rare_service on flow (tenant_id, service, start_at) where ((service is not null) and (service <> all (array['dns'::text, 'ssl'::text, 'tls'::text, 'http'::text])));
create index flow_services on flow (tenant_id, start_at) where (strpos(service, ','::text) > 0);
create index flow_src_device on flow (src_device_id, start_at) where (src_device_id is not null);
create index flow_src_ip on flow (src_ip, tenant_id, start_at) where (src_device_id is null);
create index flow_start on flow (tenant_id, start_at, flow_id);
create index flow_tuple on flow (tuple_hash);
alter table flow enable row level security;
alter table flow force row level security;
create policy tenant_only on flow for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on flow to ndr_app;

create table flow_default partition of flow default with (fillfactor=80);

create table flow_term (
  term_id bigint not null,
  day timestamptz not null,
  batch_no bigint not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  received_at timestamptz not null,
  record_count integer not null,
  tenant_id text not null,
  flow_ids uuid[] not null
) partition by range (day);
alter table flow_term alter column flow_ids set storage external;
create index flow_term_id on flow_term (term_id);
alter table flow_term enable row level security;
alter table flow_term force row level security;
create policy tenant_only on flow_term for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on flow_term to ndr_app;

create table flow_term_default partition of flow_term default;
alter table flow_term_default alter column flow_ids set storage external;

create table graph_mark (
  tenant_id text not null,
  minute timestamptz not null,
  low inet not null,
  high inet not null,
  kind text not null,
  indicator text not null,
  constraint graph_mark_pkey primary key (tenant_id, minute, low, high, kind, indicator)
);
alter table graph_mark enable row level security;
alter table graph_mark force row level security;
create policy tenant_only on graph_mark for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on graph_mark to ndr_app;

create table graph_traffic (
  batch_no bigint not null,
  minute timestamptz not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  packets bigint not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  flows integer not null,
  entry_no integer not null,
  tenant_id text not null,
  low inet not null,
  high inet not null,
  service text
);
create index graph_traffic_batch on graph_traffic (tenant_id, batch_no);
create index graph_traffic_minute on graph_traffic (tenant_id, minute);
alter table graph_traffic enable row level security;
alter table graph_traffic force row level security;
create policy tenant_only on graph_traffic for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on graph_traffic to ndr_app;

create table health_observation (
  tenant_id text not null,
  observer text not null,
  pass bigint not null,
  observed_at timestamptz not null,
  constraint health_observation_pkey primary key (tenant_id)
);
alter table health_observation enable row level security;
alter table health_observation force row level security;
create policy tenant_only on health_observation for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on health_observation to ndr_app;

create table health_state (
  tenant_id text not null,
  component_id text not null,
  kind text not null,
  status text not null,
  since timestamptz not null,
  missing_since timestamptz,
  constraint health_state_pkey primary key (tenant_id, component_id)
);
alter table health_state enable row level security;
alter table health_state force row level security;
create policy tenant_only on health_state for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on health_state to ndr_app;

create table health_transition (
  tenant_id text not null,
  transition_id uuid not null,
  at timestamptz not null,
  component_id text not null,
  kind text not null,
  from_status text not null,
  to_status text not null,
  message text,
  constraint health_transition_pkey primary key (tenant_id, transition_id)
);
create index health_transition_component on health_transition (tenant_id, component_id, at, transition_id);
create index health_transition_time on health_transition (tenant_id, at, transition_id);
alter table health_transition enable row level security;
alter table health_transition force row level security;
create policy tenant_only on health_transition for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on health_transition to ndr_app;

create table idempotency (
  tenant_id text not null,
  subject text not null,
  idempotency_key text not null,
  fingerprint text not null,
  claim_id uuid not null,
  lease_until timestamptz not null,
  status smallint,
  etag text,
  retry_after integer,
  body text,
  expires_at timestamptz not null,
  constraint idempotency_pkey primary key (tenant_id, subject, idempotency_key)
);
create index idempotency_expiry on idempotency (tenant_id, expires_at);
alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy tenant_only on idempotency for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on idempotency to ndr_app;

create table incident (
  tenant_id text not null,
  incident_id uuid not null,
  incident_no bigint not null,
  model_id text not null,
  group_key text not null,
  model_scores jsonb not null,
  title text not null,
  summary text not null,
  severity text not null,
  score double precision not null,
  status text not null,
  assignee text,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  revision integer not null,
  suppressed_by uuid,
  opened_at timestamptz not null,
  story jsonb not null default '[]'::jsonb,
  importance jsonb not null default '{"why": "", "share": 0}'::jsonb,
  score_parts jsonb not null default '[]'::jsonb,
  campaign jsonb,
  continues uuid,
  constraint incident_pkey primary key (tenant_id, incident_id),
  constraint list_change trigger deferrable initially deferred
);
create index incident_counts on incident (tenant_id, status, severity);
create index incident_current_score on incident (tenant_id, score, incident_no);
create index incident_first_seen on incident (tenant_id, first_seen, incident_no);
create index incident_group on incident (tenant_id, model_id, group_key, last_seen);
create index incident_last_seen on incident (tenant_id, last_seen, incident_no);
create unique index incident_number on incident (tenant_id, incident_no);
create index incident_open_work on incident (tenant_id, severity, assignee, suppressed_by) where (status = any (array['open'::text, 'investigating'::text]));
create index incident_opened on incident (tenant_id, opened_at);
create index incident_queue on incident (tenant_id, score, last_seen, incident_no) where (status = any (array['open'::text, 'investigating'::text]));
create index incident_severity on incident (tenant_id, score, last_seen, incident_no);
create index incident_suppressed on incident (tenant_id, suppressed_by) where (suppressed_by is not null);
create index incident_unclosed on incident (tenant_id, incident_no) where (status = any (array['open'::text, 'investigating'::text]));
alter table incident enable row level security;
alter table incident force row level security;
create policy tenant_only on incident for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on incident to ndr_app;

create table incident_device (
  tenant_id text not null,
  incident_id uuid not null,
  device_id uuid not null,
  ordinal integer not null,
  constraint incident_device_pkey primary key (tenant_id, incident_id, device_id)
);
create index incident_device_device on incident_device (tenant_id, device_id);
alter table incident_device enable row level security;
alter table incident_device force row level security;
create policy tenant_only on incident_device for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on incident_device to ndr_app;

create table incident_evidence (
  tenant_id text not null,
  incident_id uuid not null,
  evidence_id uuid not null,
  observed_at timestamptz not null,
  flow_id uuid not null,
  constraint incident_evidence_pkey primary key (tenant_id, incident_id, evidence_id)
);
create index incident_evidence_flow on incident_evidence (tenant_id, incident_id, flow_id);
alter table incident_evidence enable row level security;
alter table incident_evidence force row level security;
create policy tenant_only on incident_evidence for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on incident_evidence to ndr_app;

create table incident_mark (
  tenant_id text not null,
  incident_id uuid not null,
  mark text not null,
  constraint incident_mark_pkey primary key (tenant_id, incident_id, mark)
);
create index incident_mark_mark on incident_mark (tenant_id, mark);
alter table incident_mark enable row level security;
alter table incident_mark force row level security;
create policy tenant_only on incident_mark for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on incident_mark to ndr_app;

create table incident_opening (
  tenant_id text not null,
  hour timestamptz not null,
  model_id text not null,
  severity text not null,
  opened integer not null,
  joined integer not null,
  by_receipt boolean not null default false,
  constraint incident_opening_pkey primary key (tenant_id, hour, model_id, severity, by_receipt)
);
alter table incident_opening enable row level security;
alter table incident_opening force row level security;
create policy tenant_only on incident_opening for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on incident_opening to ndr_app;

create table incident_pair (
  tenant_id text not null,
  incident_id uuid not null,
  low inet not null,
  high inet not null,
  constraint incident_pair_pkey primary key (tenant_id, incident_id, low, high)
);
alter table incident_pair enable row level security;
alter table incident_pair force row level security;
create policy tenant_only on incident_pair for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on incident_pair to ndr_app;

create table incident_score (
  tenant_id text not null,
  incident_id uuid not null,
  entry_no integer not null,
  at timestamptz not null,
  score double precision not null,
  reason text not null,
  constraint incident_score_pkey primary key (tenant_id, incident_id, entry_no)
);
alter table incident_score enable row level security;
alter table incident_score force row level security;
create policy tenant_only on incident_score for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on incident_score to ndr_app;

create table intel_match (
  tenant_id text not null,
  party_ip inet not null,
  kind text not null,
  indicator text not null,
  list text not null,
  description text,
  confidence double precision,
  exact boolean not null,
  listed boolean not null default true,
  via_set smallint not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  received_at timestamptz not null,
  seen_count bigint not null,
  counted_after bigint not null,
  evidence_id uuid not null,
  flow_id uuid not null,
  constraint intel_match_pkey primary key (tenant_id, party_ip, kind, indicator)
) with (fillfactor=80);
alter table intel_match enable row level security;
alter table intel_match force row level security;
create policy tenant_only on intel_match for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on intel_match to ndr_app;

create table inventory_address (
  tenant_id text not null,
  ip inet not null,
  entry_id uuid not null,
  constraint inventory_address_pkey primary key (tenant_id, ip)
);
alter table inventory_address enable row level security;
alter table inventory_address force row level security;
create policy tenant_only on inventory_address for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on inventory_address to ndr_app;

create table inventory_entry (
  tenant_id text not null,
  entry_id uuid not null,
  name text not null,
  device_type text,
  owner text,
  tags text[] not null,
  read_at timestamptz not null,
  constraint inventory_entry_pkey primary key (tenant_id, entry_id)
);
alter table inventory_entry enable row level security;
alter table inventory_entry force row level security;
create policy tenant_only on inventory_entry for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on inventory_entry to ndr_app;

create table inventory_mac (
  tenant_id text not null,
  mac text not null,
  entry_id uuid not null,
  constraint inventory_mac_pkey primary key (tenant_id, mac)
);
alter table inventory_mac enable row level security;
alter table inventory_mac force row level security;
create policy tenant_only on inventory_mac for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on inventory_mac to ndr_app;

create table kept_evidence (
  tenant_id text not null,
  evidence_id uuid not null,
  flow_id uuid not null,
  observed_at timestamptz not null,
  observation text not null,
  constraint kept_evidence_pkey primary key (tenant_id, evidence_id)
);
create index kept_evidence_flow on kept_evidence (tenant_id, flow_id, observed_at, evidence_id);
alter table kept_evidence enable row level security;
alter table kept_evidence force row level security;
create policy tenant_only on kept_evidence for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on kept_evidence to ndr_app;

create table lease (
  name text not null,
  holder text not null,
  epoch bigint not null,
  expires_at timestamptz not null,
  constraint lease_pkey primary key (name)
);
grant delete, insert, select, update on lease to ndr_app;

create table license_time (
  only_one boolean not null default true,
  issued_at timestamptz not null,
  known_at timestamptz not null,
  leap_at timestamptz,
  lived_us bigint,
  constraint license_time_pkey primary key (only_one),
  constraint license_time_check check (((lived_us is null) = (leap_at is null))),
  constraint license_time_only_one_check check (only_one)
);
grant delete, insert, select, update on license_time to ndr_app;

create table list_change (
  tenant_id text not null,
  incidents bigint not null default 0,
  devices bigint not null default 0,
  decisions bigint not null default 0,
  incidents_by bigint,
  devices_by bigint,
  decisions_by bigint,
  constraint list_change_pkey primary key (tenant_id)
);
alter table list_change enable row level security;
alter table list_change force row level security;
create policy tenant_only on list_change for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on list_change to ndr_app;

create table model_feedback (
  tenant_id text not null,
  feedback_id uuid not null,
  model_id text not null,
  incident_id uuid,
  analysis_id uuid,
  verdict text not null,
  comment text,
  created_by text not null,
  created_at timestamptz not null,
  constraint model_feedback_pkey primary key (tenant_id, feedback_id)
);
create index model_feedback_incident on model_feedback (tenant_id, incident_id) where (incident_id is not null);
alter table model_feedback enable row level security;
alter table model_feedback force row level security;
create policy tenant_only on model_feedback for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on model_feedback to ndr_app;

create table model_result (
  tenant_id text not null,
  analysis_id uuid not null,
  result_no bigint not null generated always as identity,
  incident_id uuid,
  model_id text not null,
  group_key text not null,
  at timestamptz not null,
  score double precision not null,
  created_at timestamptz not null default now(),
  body jsonb not null,
  suppressed_by uuid,
  held_by uuid,
  constraint model_result_pkey primary key (tenant_id, analysis_id)
);
create index model_result_held on model_result (tenant_id, held_by) where (held_by is not null);
create index model_result_incident on model_result (tenant_id, incident_id, result_no);
create index model_result_suppressed on model_result (tenant_id, suppressed_by) where (suppressed_by is not null);
alter table model_result enable row level security;
alter table model_result force row level security;
create policy tenant_only on model_result for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on model_result to ndr_app;

create table person (
  tenant_id text not null,
  subject text not null,
  display_name text not null,
  roles text not null,
  last_seen timestamptz not null,
  constraint person_pkey primary key (tenant_id, subject)
);
alter table person enable row level security;
alter table person force row level security;
create policy tenant_only on person for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on person to ndr_app;

create table pipeline_cursor (
  tenant_id text not null,
  batch_no bigint not null,
  longest_flow bigint not null default 0,
  history_since timestamptz,
  last_batch_at timestamptz,
  intel_digest text not null default ''::text,
  intel_batch bigint not null default 0,
  past_digest text not null default ''::text,
  past_batch bigint not null default 0,
  latest_end timestamptz,
  constraint pipeline_cursor_pkey primary key (tenant_id)
);
alter table pipeline_cursor enable row level security;
alter table pipeline_cursor force row level security;
create policy tenant_only on pipeline_cursor for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on pipeline_cursor to ndr_app;

create table proposal (
  tenant_id text not null,
  proposal_id uuid not null,
  kind text not null,
  target_id text not null,
  status text not null,
  content jsonb not null,
  reason text not null,
  created_by text not null,
  created_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  comment text,
  revision integer not null default 1,
  constraint proposal_pkey primary key (tenant_id, proposal_id),
  constraint list_change trigger deferrable initially deferred
);
create index proposal_target on proposal (tenant_id, target_id);
create index proposal_undecided on proposal (tenant_id, proposal_id) where (status = 'proposed'::text);
alter table proposal enable row level security;
alter table proposal force row level security;
create policy tenant_only on proposal for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on proposal to ndr_app;

create table raw_batch (
  tenant_id text not null,
  batch_no bigint not null,
  received_at timestamptz not null,
  sensor_id text not null,
  trust text not null,
  block_id bigint,
  positions smallint[],
  accepted integer not null,
  unparsed integer not null,
  rejected integer not null,
  constraint raw_batch_pkey primary key (tenant_id, batch_no)
);
create index raw_batch_received on raw_batch (tenant_id, received_at, sensor_id);
alter table raw_batch enable row level security;
alter table raw_batch force row level security;
create policy tenant_only on raw_batch for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on raw_batch to ndr_app;

create table raw_block (
  tenant_id text not null,
  received_at timestamptz not null,
  block_id bigint not null,
  sensor_id text not null,
  record_count integer not null,
  body bytea not null,
  constraint raw_block_pkey primary key (tenant_id, received_at, block_id)
) partition by range (received_at);
alter table raw_block alter column body set storage external;
alter table raw_block enable row level security;
alter table raw_block force row level security;
create policy tenant_only on raw_block for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on raw_block to ndr_app;

create table raw_block_default partition of raw_block default;
alter table raw_block_default alter column body set storage external;

create table raw_record (
  tenant_id text not null,
  observed_at timestamptz not null,
  event_id bytea not null,
  sensor_id text not null,
  kind text not null,
  received_at timestamptz not null,
  parse_status text not null,
  parse_reason text,
  block_id bigint not null,
  position smallint not null,
  constraint raw_record_pkey primary key (observed_at, event_id, tenant_id),
  constraint raw_record_parse_status_check check ((parse_status = any (array['parsed'::text, 'unparsed'::text])))
) partition by range (observed_at);
create index raw_record_unparsed on raw_record (tenant_id, received_at, event_id, sensor_id) where (parse_status = 'unparsed'::text);
alter table raw_record enable row level security;
alter table raw_record force row level security;
create policy tenant_only on raw_record for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on raw_record to ndr_app;

create table raw_record_default partition of raw_record default;

create table rejected_line (
  tenant_id text not null,
  sensor_id text not null,
  line_hash bytea not null,
  kind text,
  reason text not null,
  received_at timestamptz not null,
  line bytea not null,
  line_bytes integer,
  constraint rejected_line_pkey primary key (tenant_id, sensor_id, line_hash)
);
alter table rejected_line alter column line set storage external;
create index rejected_line_received on rejected_line (tenant_id, received_at, line_hash, sensor_id);
alter table rejected_line enable row level security;
alter table rejected_line force row level security;
create policy tenant_only on rejected_line for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on rejected_line to ndr_app;

create table response_action (
  tenant_id text not null,
  action_id uuid not null,
  incident_id uuid not null,
  kind text not null,
  mode text not null,
  status text not null default 'proposed'::text,
  device_id uuid,
  address text,
  identity text,
  target text not null,
  severity text not null,
  reason text not null,
  proposed_by text not null,
  proposed_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  approved_at timestamptz,
  approved_by text,
  comment text,
  revision integer not null default 1,
  constraint response_action_pkey primary key (tenant_id, action_id),
  constraint list_change trigger deferrable initially deferred
);
create index response_action_incident on response_action (tenant_id, incident_id, proposed_at, action_id);
create index response_action_newest on response_action (tenant_id, proposed_at, action_id);
create unique index response_action_open on response_action (tenant_id, incident_id, kind, target) where (status = any (array['proposed'::text, 'approved'::text]));
create index response_action_status on response_action (tenant_id, status, proposed_at, action_id);
alter table response_action enable row level security;
alter table response_action force row level security;
create policy tenant_only on response_action for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on response_action to ndr_app;

create table response_outcome (
  tenant_id text not null,
  action_id uuid not null,
  outcome_no integer not null,
  report_key text not null,
  report_hash text not null,
  executor_id text not null,
  status text not null,
  identity text,
  detail text,
  lease_expires_at timestamptz,
  reported_at timestamptz not null,
  event_id text,
  constraint response_outcome_pkey primary key (tenant_id, action_id, outcome_no)
);
create unique index response_outcome_report on response_outcome (tenant_id, action_id, report_key);
alter table response_outcome enable row level security;
alter table response_outcome force row level security;
create policy tenant_only on response_outcome for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on response_outcome to ndr_app;

create table saved_search (
  tenant_id text not null,
  saved_search_id uuid not null,
  owner text,
  name text not null,
  kind text not null,
  filter_text text not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text not null,
  updated_at timestamptz not null,
  revision integer not null default 1,
  constraint saved_search_pkey primary key (tenant_id, saved_search_id)
);
create index saved_search_owner on saved_search (tenant_id, owner);
alter table saved_search enable row level security;
alter table saved_search force row level security;
create policy tenant_only on saved_search for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on saved_search to ndr_app;

create table schema_migration (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  constraint schema_migration_pkey primary key (version)
);

create table sensor_receipt (
  tenant_id text not null,
  sensor_id text not null,
  last_event_at timestamptz not null,
  constraint sensor_receipt_pkey primary key (tenant_id, sensor_id)
);
alter table sensor_receipt enable row level security;
alter table sensor_receipt force row level security;
create policy tenant_only on sensor_receipt for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on sensor_receipt to ndr_app;

create table sensor_watch (
  tenant_id text not null,
  sensor_id text not null,
  heard_at timestamptz not null,
  watched_at timestamptz not null,
  silence_us bigint not null,
  whole boolean not null,
  pauses double precision[] not null,
  hour_at timestamptz,
  hour_silence_us bigint not null,
  silences smallint[] not null,
  constraint sensor_watch_pkey primary key (tenant_id, sensor_id)
);
alter table sensor_watch enable row level security;
alter table sensor_watch force row level security;
create policy tenant_only on sensor_watch for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on sensor_watch to ndr_app;

create table session (
  token_hash text not null,
  session_id uuid not null,
  subject text not null,
  display_name text not null,
  claims text not null,
  selected_tenant text,
  csrf_token text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  grants text not null default '[]'::text,
  provider_session text,
  provider_state text,
  claims_due_at timestamptz,
  constraint session_pkey primary key (token_hash),
  constraint session_session_id_key unique (session_id)
);
create index session_expiry on session (expires_at);
create index session_provider on session (provider_session) where (provider_session is not null);
create index session_subject on session (subject);
grant delete, insert, select, update on session to ndr_app;

create table session_selection (
  token_hash text not null,
  idempotency_key text not null,
  fingerprint text not null,
  answer text not null,
  constraint session_selection_pkey primary key (token_hash, idempotency_key),
  constraint session_selection_token_hash_fkey foreign key (token_hash) references session(token_hash) on delete cascade
);
grant insert, select on session_selection to ndr_app;

create table signed_nonce (
  nonce text not null,
  expires_at timestamptz not null,
  constraint signed_nonce_pkey primary key (nonce)
);
create index signed_nonce_expiry on signed_nonce (expires_at);
grant delete, insert, select, update on signed_nonce to ndr_app;

create table suppression (
  tenant_id text not null,
  suppression_id uuid not null,
  source text,
  destination text,
  port integer,
  detector text,
  reason text not null,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_by text,
  revoked_at timestamptz,
  revoked_reason text,
  revision integer not null default 1,
  lifted boolean not null default false,
  constraint suppression_pkey primary key (tenant_id, suppression_id),
  constraint list_change trigger deferrable initially deferred
);
create index suppression_held on suppression (tenant_id, expires_at) where (not lifted);
alter table suppression enable row level security;
alter table suppression force row level security;
create policy tenant_only on suppression for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on suppression to ndr_app;

create table telemetry_log (
  id bigint not null generated always as identity,
  at timestamptz not null,
  kind text not null,
  outcome text not null,
  answered_at timestamptz,
  install_id text not null,
  origin text not null,
  license_key_id_hash text,
  slot timestamptz not null,
  product_version text not null,
  bundle_version text not null,
  payload text,
  failure text,
  answer text,
  constraint telemetry_log_pkey primary key (id),
  constraint telemetry_log_kind_check check ((kind = any (array['baseline'::text, 'registration'::text, 'heartbeat'::text, 'update'::text]))),
  constraint telemetry_log_outcome_check check ((outcome = any (array['pending'::text, 'sent'::text, 'failed'::text, 'refused'::text, 'dry_run'::text])))
);
create index telemetry_log_kind on telemetry_log (kind, id desc);
grant delete, insert, select, update on telemetry_log to ndr_app;

create table tenant (
  tenant_id text not null,
  created_at timestamptz not null default now(),
  constraint tenant_pkey primary key (tenant_id),
  constraint tenant_tenant_id_check check ((tenant_id <> ''::text))
);
grant delete, insert, select, update on tenant to ndr_app;

create table tenant_counter (
  tenant_id text not null,
  batch_no bigint not null default 0,
  event_no bigint not null default 0,
  incident_no bigint not null default 0,
  constraint tenant_counter_pkey primary key (tenant_id)
);
alter table tenant_counter enable row level security;
alter table tenant_counter force row level security;
create policy tenant_only on tenant_counter for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on tenant_counter to ndr_app;

create table term (
  tenant_id text not null,
  day timestamptz not null,
  kind smallint not null,
  term_id bigint not null,
  text text not null,
  shown text,
  reversed text,
  record_count bigint not null default 0,
  magnitude smallint not null default 0,
  received_at timestamptz not null,
  constraint term_pkey primary key (term_id, day, text, tenant_id)
) partition by range (day);
create index term_most_used on term (tenant_id, kind, magnitude, text);
create index term_suffix on term (tenant_id, kind, reversed) where (reversed is not null);
alter table term enable row level security;
alter table term force row level security;
create policy tenant_only on term for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on term to ndr_app;

create table term_default partition of term default with (fillfactor=80);

create table term_use (
  tenant_id text not null,
  batch_no bigint not null,
  day timestamptz not null,
  received_at timestamptz not null,
  term_ids bigint[] not null,
  record_counts integer[] not null,
  constraint term_use_pkey primary key (tenant_id, batch_no, day)
);
alter table term_use alter column term_ids set storage external;
alter table term_use alter column record_counts set storage external;
alter table term_use enable row level security;
alter table term_use force row level security;
create policy tenant_only on term_use for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on term_use to ndr_app;

create table traffic_day (
  tenant_id text not null,
  day timestamptz not null,
  flows bigint not null,
  bytes bigint not null,
  constraint traffic_day_pkey primary key (tenant_id, day)
);
alter table traffic_day enable row level security;
alter table traffic_day force row level security;
create policy tenant_only on traffic_day for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on traffic_day to ndr_app;

create table verdict (
  tenant_id text not null,
  incident_id uuid not null,
  entry_no integer not null,
  model_id text not null,
  device_id uuid,
  subject text not null,
  score double precision not null,
  constraint verdict_pkey primary key (tenant_id, incident_id, entry_no)
);
create index verdict_device on verdict (tenant_id, device_id);
alter table verdict enable row level security;
alter table verdict force row level security;
create policy tenant_only on verdict for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on verdict to ndr_app;

create table workflow_history (
  tenant_id text not null,
  object_id uuid not null,
  entry_no integer not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  from_value text,
  to_value text,
  comment text,
  revision integer not null,
  constraint workflow_history_pkey primary key (tenant_id, object_id, entry_no)
);
create index workflow_history_time on workflow_history (tenant_id, at);
alter table workflow_history enable row level security;
alter table workflow_history force row level security;
create policy tenant_only on workflow_history for all using (tenant_id = ( select nullif(current_setting('ndr.tenant'::text, true), ''::text) as "nullif"));
grant delete, insert, select, update on workflow_history to ndr_app;

create table write_probe (
  only_one boolean not null default true,
  at timestamptz not null,
  constraint write_probe_pkey primary key (only_one),
  constraint write_probe_only_one_check check (only_one)
);
grant delete, insert, select, update on write_probe to ndr_app;

create view observation with (security_invoker=true) as
  select tenant_id,
  flow_id,
  evidence_id,
  observed_at,
  start_at,
  end_at,
  received_at,
  batch_no,
  "position",
  src_low,
  record_kind_no,
  src_bytes,
  src_packets,
  dst_bytes,
  dst_packets,
  semantics_no,
  facts,
  warnings,
  flow_anchor(flow_id) as anchor_at,
  false as folded
  from evidence
  union all
  select tenant_id,
  flow_id,
  primary_evidence_id as evidence_id,
  folded_observed_at as observed_at,
  start_at,
  end_at,
  received_at,
  folded_batch_no as batch_no,
  folded_position as "position",
  (row(src_ip, coalesce(src_port, 0)) <= row(dst_ip, coalesce(dst_port, 0))) as src_low,
  primary_record_kind as record_kind_no,
  src_bytes,
  src_packets,
  dst_bytes,
  dst_packets,
  semantics_no,
  null::text as facts,
  null::text[] as warnings,
  anchor_at,
  true as folded
  from flow
  where folded_batch_no is not null;
grant select on observation to ndr_app;

create function audit_append_only()
  returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '90 days' then
      return old;
    end if;
  end if;
  raise exception 'audit rows are append-only' using errcode = '42501';
end
$$;

create function count_list_change()
  returns trigger language plpgsql as $$
declare
  tenant text := coalesce(new.tenant_id, old.tenant_id);
  current bigint := pg_current_xact_id()::text::bigint;
begin
  if tg_argv[0] = 'incidents' then
    insert into list_change as c (tenant_id, incidents, incidents_by) values (tenant, 1, current)
    on conflict (tenant_id) do update set incidents = c.incidents + 1, incidents_by = current
    where c.incidents_by is distinct from current;
  elsif tg_argv[0] = 'devices' then
    insert into list_change as c (tenant_id, devices, devices_by) values (tenant, 1, current)
    on conflict (tenant_id) do update set devices = c.devices + 1, devices_by = current
    where c.devices_by is distinct from current;
  else
    insert into list_change as c (tenant_id, decisions, decisions_by) values (tenant, 1, current)
    on conflict (tenant_id) do update set decisions = c.decisions + 1, decisions_by = current
    where c.decisions_by is distinct from current;
  end if;
  return null;
end
$$;

create function flow_anchor(flow_id uuid)
  returns timestamptz language sql immutable parallel safe
return ('1970-01-01 00:00:00+00'::timestamptz + ((((('x'::text || "left"(replace((flow_id)::text, '-'::text, ''::text), 12)))::bit(48))::bigint)::double precision * '00:00:00.001'::interval));

create trigger append_only before delete or update on audit for each row execute function audit_append_only();

create trigger append_only_truncate before truncate on audit for each statement execute function audit_append_only();

create trigger append_only before delete or update on audit_outside for each row execute function audit_append_only();

create trigger append_only_truncate before truncate on audit_outside for each statement execute function audit_append_only();

create constraint trigger list_change after update on device deferrable initially deferred for each row when ((((((old.revision is distinct from new.revision) or (old.merged_into is distinct from new.merged_into)) or (old.display_name is distinct from new.display_name)) or (old.device_type is distinct from new.device_type)) or (old.owner is distinct from new.owner))) execute function count_list_change('devices');

create constraint trigger list_change after insert or delete or update on incident deferrable initially deferred for each row execute function count_list_change('incidents');

create constraint trigger list_change after insert or update on proposal deferrable initially deferred for each row execute function count_list_change('decisions');

create constraint trigger list_change after insert or update on response_action deferrable initially deferred for each row execute function count_list_change('decisions');

create constraint trigger list_change after insert or update on suppression deferrable initially deferred for each row execute function count_list_change('incidents');
