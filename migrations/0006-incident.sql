-- Incidents, the results behind them and their evidence.

create table incident (
  tenant_id     text             not null,
  incident_id   uuid             not null,
  incident_no   bigint           not null,
  model_id      text             not null,
  group_key     text             not null,
  model_scores  jsonb            not null,
  title         text             not null,
  summary       text             not null,
  severity      text             not null,
  score         double precision not null,
  status        text             not null,
  -- The subject of the person who works on it.
  assignee      text,
  first_seen    timestamptz      not null,
  last_seen     timestamptz      not null,
  revision      integer          not null,
  -- The suppression that covers every result of the incident. Its own row says whether it still holds.
  suppressed_by uuid,
  -- Source time of the result that opened it.
  opened_at     timestamptz      not null,
  -- The results in words.
  story         jsonb            not null default '[]',
  -- What people say of its devices.
  importance    jsonb            not null default '{"why": "", "share": 0}',
  -- What the score is made of.
  score_parts   jsonb            not null default '[]',
  -- Set for a campaign incident, which takes the sources beyond a bound: how many, and the first names.
  campaign      jsonb,
  -- The previous incident, which had become too long.
  continues     uuid,
  primary key (tenant_id, incident_id)
);
-- Metrics count incidents by status and severity every ten seconds.
create index incident_counts on incident (tenant_id, status, severity);
create index incident_group on incident (tenant_id, model_id, group_key, last_seen);
-- One for each order of the list.
create index incident_first_seen on incident (tenant_id, first_seen, incident_no);
create index incident_last_seen on incident (tenant_id, last_seen, incident_no);
create index incident_current_score on incident (tenant_id, score, incident_no);
create index incident_severity on incident (tenant_id, score, last_seen, incident_no);
-- The queue: open work, the worst first, whatever its age.
create index incident_queue on incident (tenant_id, score, last_seen, incident_no)
  where status in ('open', 'investigating');
create unique index incident_number on incident (tenant_id, incident_no);
create index incident_suppressed on incident (tenant_id, suppressed_by) where suppressed_by is not null;
-- The few open ones, which a new suppression is matched against.
create index incident_unclosed on incident (tenant_id, incident_no) where status in ('open', 'investigating');
-- Their counts, which clients poll, from the index alone.
create index incident_open_work on incident (tenant_id, severity, assignee, suppressed_by)
  where status in ('open', 'investigating');
create constraint trigger list_change after insert or update or delete on incident
  deferrable initially deferred for each row execute function count_list_change('incidents');

create table incident_device (
  tenant_id   text    not null,
  incident_id uuid    not null,
  device_id   uuid    not null,
  ordinal     integer not null,
  primary key (tenant_id, incident_id, device_id)
);
create index incident_device_device on incident_device (tenant_id, device_id);

-- observed_at is the millisecond that evidence_id carries; 1970 for anything earlier.
create table incident_evidence (
  tenant_id   text        not null,
  incident_id uuid        not null,
  evidence_id uuid        not null,
  observed_at timestamptz not null,
  flow_id     uuid        not null,
  primary key (tenant_id, incident_id, evidence_id)
);
create index incident_evidence_flow on incident_evidence (tenant_id, incident_id, flow_id);

-- What later results find an incident by: its devices, the groups it has results of, its main destinations.
-- At most a few hundred for each incident.
create table incident_mark (
  tenant_id   text not null,
  incident_id uuid not null,
  mark        text not null,
  primary key (tenant_id, incident_id, mark)
);
create index incident_mark_mark on incident_mark (tenant_id, mark);

create table incident_score (
  tenant_id   text             not null,
  incident_id uuid             not null,
  entry_no    integer          not null,
  at          timestamptz      not null,
  score       double precision not null,
  reason      text             not null,
  primary key (tenant_id, incident_id, entry_no)
);

-- Incidents that each detector opened per hour of source time, and results that joined a campaign incident instead.
create table incident_opening (
  tenant_id text        not null,
  hour      timestamptz not null,
  model_id  text        not null,
  severity  text        not null,
  opened    integer     not null,
  joined    integer     not null,
  primary key (tenant_id, hour, model_id, severity)
);

-- Persisted analysis results: one row for each result of a detector.
create table model_result (
  tenant_id     text             not null,
  analysis_id   uuid             not null,
  result_no     bigint           not null generated always as identity,
  incident_id   uuid,
  model_id      text             not null,
  group_key     text             not null,
  at            timestamptz      not null,
  score         double precision not null,
  created_at    timestamptz      not null default now(),
  body          jsonb            not null,
  -- The suppression that matched the result.
  suppressed_by uuid,
  -- The incident whose verdict held the result back.
  held_by       uuid,
  primary key (tenant_id, analysis_id)
);
create index model_result_held on model_result (tenant_id, held_by) where held_by is not null;
create index model_result_incident on model_result (tenant_id, incident_id, result_no);
create index model_result_suppressed on model_result (tenant_id, suppressed_by) where suppressed_by is not null;

-- What an incident that was closed as false positive was about, by detector, device and destination; similar
-- results are held back. Deleted when the incident gets another status. Written by the core.
create table verdict (
  tenant_id   text             not null,
  incident_id uuid             not null,
  entry_no    integer          not null,
  model_id    text             not null,
  device_id   uuid,
  subject     text             not null,
  score       double precision not null,
  primary key (tenant_id, incident_id, entry_no)
);
create index verdict_device on verdict (tenant_id, device_id);

-- Evidence of open incidents that retention would have dropped: the observation as the API shows it, with its
-- record. JSON as text, because a counter may exceed what a reader of jsonb keeps exactly. Written by the
-- retention job.
create table kept_evidence (
  tenant_id   text        not null,
  evidence_id uuid        not null,
  flow_id     uuid        not null,
  observed_at timestamptz not null,
  observation text        not null,
  primary key (tenant_id, evidence_id)
);
create index kept_evidence_flow on kept_evidence (tenant_id, flow_id, observed_at, evidence_id);
