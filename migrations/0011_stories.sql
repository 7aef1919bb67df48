-- Incidents that tell a story: several detectors in one, about several devices, with what a verdict has taught.

-- `opened_at` is the source time of the result that opened it; `story` its results in words (src/domain/incident/story.ts),
-- `importance` what people say of its devices, `score_parts` what its score is made of. `continues` is the incident that
-- had become too long.
alter table incident
  add column opened_at timestamptz,
  add column story jsonb not null default '[]',
  add column importance jsonb not null default '{"share": 0, "why": ""}',
  add column score_parts jsonb not null default '[]',
  add column continues uuid;

-- What later results find an incident by: the devices it is about, the groups it has results of, its main destinations
-- (src/domain/incident/joining.ts). At most some hundred for each.
create table incident_mark (
  tenant_id   text not null,
  incident_id uuid not null,
  mark        text not null,
  primary key (tenant_id, incident_id, mark)
);
create index incident_mark_mark on incident_mark (tenant_id, mark);

-- What an incident that was closed as false positive was about: by detector, device and destination. Gone when the
-- incident gets another status.
create table taught (
  tenant_id   text             not null,
  incident_id uuid             not null,
  entry_no    integer          not null,
  model_id    text             not null,
  device_id   uuid,
  subject     text             not null,
  score       double precision not null,
  primary key (tenant_id, incident_id, entry_no)
);
create index taught_device on taught (tenant_id, device_id);

-- The incident whose verdict held a result back.
alter table model_result add column held_by uuid;
create index model_result_held on model_result (tenant_id, held_by) where held_by is not null;

-- Incidents that are there: one result each, and what it left in their rows.
alter table incident no force row level security;
alter table model_result no force row level security;
update incident set
  opened_at = last_seen,
  story = jsonb_build_array(jsonb_build_object(
    'modelId', model_id, 'group', 'group ' || model_id || ' ' || group_key, 'device', '', 'score', score,
    'confidence', coalesce((select (r.body ->> 'confidence')::double precision from model_result r
      where r.tenant_id = incident.tenant_id and r.incident_id = incident.incident_id
      order by r.result_no desc limit 1), 0.5),
    'title', title, 'summary', summary, 'phrase', title, 'target', '',
    'firstSeen', (extract(epoch from first_seen) * 1000000)::bigint)),
  score_parts = jsonb_build_array(jsonb_build_object(
    'name', 'leading_result', 'value', score, 'weight', 1, 'detail', 'the best score of ' || model_id));
alter table incident alter column opened_at set not null;
insert into incident_mark (tenant_id, incident_id, mark)
select tenant_id, incident_id, 'group ' || model_id || ' ' || group_key from incident
where length(group_key) + length(model_id) < 190
union
select tenant_id, incident_id, 'device ' || (body ->> 'device_id') from model_result
where incident_id is not null and body ->> 'device_id' is not null;
alter table incident force row level security;
alter table model_result force row level security;

do $$
declare
  name text;
begin
  foreach name in array array['incident_mark', 'taught'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
