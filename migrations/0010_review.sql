-- What people say of what was found: suppressions, feedback on models, proposals.

-- A narrow pattern that an analyst has accepted (src/domain/incident/suppression.ts). It holds while it is neither
-- revoked nor expired; its row stays, so that what it held back can be told for ever.
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
  -- Its end was taken note of: its incidents count for the scores of their devices again.
  lifted         boolean     not null default false,
  primary key (tenant_id, suppression_id)
);
create index suppression_held on suppression (tenant_id, expires_at) where not lifted;

-- The suppression that a result met, or that every result of an incident lies within. Whether it still holds is said
-- by its own row.
alter table model_result add column suppressed_by uuid;
create index model_result_suppressed on model_result (tenant_id, suppressed_by) where suppressed_by is not null;
alter table incident add column suppressed_by uuid;
create index incident_suppressed on incident (tenant_id, suppressed_by) where suppressed_by is not null;
-- The few that are worked on, which a new suppression is held against.
create index incident_unclosed on incident (tenant_id, incident_no) where status in ('open', 'investigating');

-- What analysts say of a model, for those who work on it; nothing acts on it.
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

-- `content` is what is proposed, by kind (src/contract/proposal.ts).
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

do $$
declare
  name text;
begin
  foreach name in array array['suppression', 'model_feedback', 'proposal'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
