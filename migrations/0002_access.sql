-- Access: sessions of people, nonces of signed requests, answers of idempotent writes.

-- The browser holds a random cookie; here is only its SHA-256, so a copy of this table signs nobody in.
-- `claims` is what the identity provider said: tenants and roles are derived from it at each request, so a
-- changed access.yaml acts at once. `selections` are the tenant selections made, `[[idempotency key, tenant], …]`.
create table session (
  token_hash      text        primary key,
  session_id      uuid        not null unique,
  subject         text        not null,
  display_name    text        not null,
  claims          text        not null,
  selected_tenant text,
  selections      text        not null default '[]',
  csrf_token      text        not null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null
);
create index session_subject on session (subject);
create index session_expiry on session (expires_at);

-- Nonces of signed writes that were used, until no clock accepts their claims any more.
create table signed_nonce (
  nonce      text        primary key,
  expires_at timestamptz not null
);
create index signed_nonce_expiry on signed_nonce (expires_at);

grant select, insert, update, delete on session, signed_nonce to ndr_app;

-- A row is a claim while `status` is null (held until lease_until by whoever knows claim_id), else the answer.
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

alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy tenant_only on idempotency using (tenant_id = current_setting('ndr.tenant', true))
  with check (tenant_id = current_setting('ndr.tenant', true) and tenant_id <> '');
grant select, insert, update, delete on idempotency to ndr_app;
