-- Who did what, when and from where: every write through the API, every refusal for lack of rights, every sign-in and the
-- end of every session. Rows are added and never changed: the plain role may insert and read, and a trigger refuses
-- everybody, the owner included, a change and the removal of what is younger than ninety days.

create table audit (
  tenant_id      text        not null,
  audit_id       uuid        not null,
  at             timestamptz not null,
  -- Operation id of the API, or one of src/contract/audit.ts.
  operation      text        not null,
  outcome        text        not null,
  status         smallint,
  error_code     text,
  reason         text,
  subject        text,
  display_name   text,
  -- In this tenant, joined by commas.
  roles          text        not null,
  target_type    text,
  target_id      text,
  -- JSON: [{"field", "from", "to"}, …]
  changes        text        not null,
  client_address text,
  user_agent     text,
  request_id     text,
  session_id     text,
  primary key (tenant_id, audit_id)
);
create index audit_time on audit (tenant_id, at, audit_id);
create index audit_subject on audit (tenant_id, subject, at);
create index audit_target on audit (tenant_id, target_id, at) where target_id is not null;

-- The same of whom no tenant knows: sign-ins that gave access to nothing. Read on the machine only (`ndr audit`).
create table audit_outside (
  audit_id       uuid        primary key,
  at             timestamptz not null,
  operation      text        not null,
  outcome        text        not null,
  status         smallint,
  error_code     text,
  reason         text,
  subject        text,
  display_name   text,
  roles          text        not null,
  target_type    text,
  target_id      text,
  changes        text        not null,
  client_address text,
  user_agent     text,
  request_id     text,
  session_id     text
);
create index audit_outside_time on audit_outside (at, audit_id);

create function audit_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '90 days' then
      return old;
    end if;
  end if;
  raise exception 'audit rows are neither changed nor removed' using errcode = '42501';
end
$$;

do $$
declare
  name text;
begin
  foreach name in array array['audit', 'audit_outside'] loop
    execute format(
      'create trigger kept before update or delete on %I for each row execute function audit_is_kept()', name);
    execute format(
      'create trigger kept_whole before truncate on %I for each statement execute function audit_is_kept()', name);
    execute format('grant select, insert on %I to ndr_app', name);
  end loop;
end
$$;

alter table audit enable row level security;
alter table audit force row level security;
create policy tenant_only on audit using (tenant_id = current_setting('ndr.tenant', true))
  with check (tenant_id = current_setting('ndr.tenant', true) and tenant_id <> '');

-- What a session gave when it began, as JSON: [{"tenant_id", "roles"}, …]. Its end is told to the same tenants.
alter table session add column grants text not null default '[]';
