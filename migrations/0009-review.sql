-- What people decide and keep: suppressions, feedback, proposals, response actions, saved searches. Written by
-- the core.

-- A narrow pattern that an analyst has accepted. It holds while it is neither revoked nor expired; the row
-- stays, so that what it held back can always be explained.
create table suppression (
  tenant_id      text        not null,
  suppression_id uuid        not null,
  source         text,
  destination    text,
  port           integer,
  detector       text,
  reason         text        not null,
  created_by     text        not null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  revoked_by     text,
  revoked_at     timestamptz,
  revoked_reason text,
  revision       integer     not null default 1,
  -- Whether its end was processed: its incidents count for the scores of their devices again.
  lifted         boolean     not null default false,
  primary key (tenant_id, suppression_id)
);
-- The incidents that it covers show it; its end by time is noticed when it is lifted.
create constraint trigger list_change after insert or update on suppression
  deferrable initially deferred for each row execute function count_list_change('incidents');
create index suppression_held on suppression (tenant_id, expires_at) where not lifted;

-- Feedback on models for their developers; it has no effect.
create table model_feedback (
  tenant_id   text        not null,
  feedback_id uuid        not null,
  model_id    text        not null,
  incident_id uuid,
  analysis_id uuid,
  verdict     text        not null,
  comment     text,
  created_by  text        not null,
  created_at  timestamptz not null,
  primary key (tenant_id, feedback_id)
);
create index model_feedback_incident on model_feedback (tenant_id, incident_id) where incident_id is not null;

-- content is the proposal, by kind.
create table proposal (
  tenant_id   text        not null,
  proposal_id uuid        not null,
  kind        text        not null,
  target_id   text        not null,
  status      text        not null,
  content     jsonb       not null,
  reason      text        not null,
  created_by  text        not null,
  created_at  timestamptz not null,
  decided_by  text,
  decided_at  timestamptz,
  comment     text,
  revision    integer     not null default 1,
  primary key (tenant_id, proposal_id)
);
create index proposal_target on proposal (tenant_id, target_id);
create index proposal_undecided on proposal (tenant_id, proposal_id) where status = 'proposed';
create constraint trigger list_change after insert or update on proposal
  deferrable initially deferred for each row execute function count_list_change('decisions');

-- What is proposed against an incident and what people decided. Nothing here executes anything.
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
  -- The device, else the address: at most one action of a kind is open for each target.
  target      text        not null,
  -- The incident's when the action was proposed or last decided: automatic mode proposes a refused action
  -- again only when the incident has become worse.
  severity    text        not null,
  reason      text        not null,
  proposed_by text        not null,
  proposed_at timestamptz not null,
  decided_by  text,
  decided_at  timestamptz,
  -- Stays when an approved action is cancelled.
  approved_at timestamptz,
  approved_by text,
  comment     text,
  revision    integer     not null default 1,
  primary key (tenant_id, action_id)
);
create index response_action_incident on response_action (tenant_id, incident_id, proposed_at, action_id);
create index response_action_newest on response_action (tenant_id, proposed_at, action_id);
create unique index response_action_open on response_action (tenant_id, incident_id, kind, target)
  where status in ('proposed', 'approved');
create index response_action_status on response_action (tenant_id, status, proposed_at, action_id);
create constraint trigger list_change after insert or update on response_action
  deferrable initially deferred for each row execute function count_list_change('decisions');

-- Reports of external executors. report_key is the executor's name of a report, report_hash its content: a
-- repeated report is ignored.
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
  -- Null for outcomes that emit no event.
  event_id         text,
  primary key (tenant_id, action_id, outcome_no)
);
create unique index response_outcome_report on response_outcome (tenant_id, action_id, report_key);

-- A filter that a person kept, for themselves or for everyone of the tenant.
create table saved_search (
  tenant_id       text        not null,
  saved_search_id uuid        not null,
  -- Subject of the person it belongs to; null if it is shared.
  owner           text,
  name            text        not null,
  kind            text        not null,
  -- Canonical text form of the filter.
  filter_text     text        not null,
  created_by      text        not null,
  created_at      timestamptz not null,
  updated_by      text        not null,
  updated_at      timestamptz not null,
  revision        integer     not null default 1,
  primary key (tenant_id, saved_search_id)
);
create index saved_search_owner on saved_search (tenant_id, owner);
