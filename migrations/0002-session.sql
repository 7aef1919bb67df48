-- Sessions of people, nonces of signed requests, replayed responses and the audit. Written by the core; times
-- are its clock.

-- token_hash is the SHA-256 of the cookie, so a copy of this table signs nobody in. claims is the identity
-- provider's statement: tenants and roles are derived from it at each request, so a changed access.yaml takes
-- effect at once.
create table session (
  token_hash      text        primary key,
  session_id      uuid        not null unique,
  subject         text        not null,
  display_name    text        not null,
  claims          text        not null,
  selected_tenant text,
  csrf_token      text        not null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  -- JSON [{"tenant_id", "roles"}, …] as of the sign-in; the audit records the end of the session for these
  -- tenants.
  grants          text        not null default '[]'
);
create index session_expiry on session (expires_at);
create index session_subject on session (subject);

-- The response to a tenant selection, replayed as long as the session lives.
create table session_selection (
  token_hash      text not null references session on delete cascade,
  idempotency_key text not null,
  fingerprint     text not null,
  answer          text not null,
  primary key (token_hash, idempotency_key)
);

-- Who has signed in to a tenant, so that the dashboard shows names instead of subjects. Deleted together with the
-- audit rows of the last sign-in.
create table person (
  tenant_id    text        not null,
  subject      text        not null,
  display_name text        not null,
  -- Of the last sign-in or tenant selection, joined by commas.
  roles        text        not null,
  last_seen    timestamptz not null,
  primary key (tenant_id, subject)
);

-- Used nonces of signed writes, kept until no clock accepts their claims any more.
create table signed_nonce (
  nonce      text        primary key,
  expires_at timestamptz not null
);
create index signed_nonce_expiry on signed_nonce (expires_at);

-- A row is a claim while status is null (held until lease_until by the request that knows claim_id), else the
-- stored response.
create table idempotency (
  tenant_id       text        not null,
  subject         text        not null,
  idempotency_key text        not null,
  fingerprint     text        not null,
  claim_id        uuid        not null,
  lease_until     timestamptz not null,
  status          smallint,
  etag            text,
  retry_after     integer,
  body            text,
  expires_at      timestamptz not null,
  primary key (tenant_id, subject, idempotency_key)
);
create index idempotency_expiry on idempotency (tenant_id, expires_at);

-- Who did what, when and from where: every write through the API, every refusal for lack of rights, every
-- sign-in and the end of every session. Append-only: the plain role may insert and read; a trigger refuses
-- updates, and deletes of rows younger than 90 days, for the owner too.
create table audit (
  tenant_id      text        not null,
  audit_id       uuid        not null,
  at             timestamptz not null,
  -- Operation id of the API, or another audited action.
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
  -- JSON [{"field", "from", "to"}, …].
  changes        text        not null,
  client_address text,
  user_agent     text,
  request_id     text,
  session_id     text,
  primary key (tenant_id, audit_id)
);
-- Filters that match few rows.
create index audit_operation on audit (tenant_id, operation, at);
create index audit_refused on audit (tenant_id, at) where outcome = 'refused';
create index audit_subject on audit (tenant_id, subject, at);
create index audit_target on audit (tenant_id, target_id, at) where target_id is not null;
create index audit_time on audit (tenant_id, at, audit_id);

-- The same for people whom no tenant knows: sign-ins that gave access to nothing. Read on the machine only
-- (`ndr audit`).
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

create function audit_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '90 days' then
      return old;
    end if;
  end if;
  raise exception 'audit rows are append-only' using errcode = '42501';
end
$$;
create trigger append_only before update or delete on audit
  for each row execute function audit_append_only();
create trigger append_only_truncate before truncate on audit
  for each statement execute function audit_append_only();
create trigger append_only before update or delete on audit_outside
  for each row execute function audit_append_only();
create trigger append_only_truncate before truncate on audit_outside
  for each statement execute function audit_append_only();
