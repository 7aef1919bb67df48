-- What was sent to the registration server, or would have been (`dry_run`), and what it answered. Of the whole installation, so without
-- a tenant; no row holds anything of one. `payload` is the exact text. A `baseline` is no send: from it on the schedule counts
-- (src/domain/heartbeat/schedule.ts).
create table telemetry_log (
  id                  bigint      generated always as identity primary key,
  at                  timestamptz not null,
  kind                text        not null check (kind in ('baseline', 'registration', 'heartbeat', 'update')),
  outcome             text        not null check (outcome in ('pending', 'sent', 'failed', 'refused', 'dry_run')),
  answered_at         timestamptz,
  install_id          text        not null,
  origin              text        not null,
  license_key_id_hash text,
  slot                timestamptz not null,
  product_version     text        not null,
  bundle_version      text        not null,
  payload             text,
  failure             text,
  answer              text
);

create index telemetry_log_kind on telemetry_log (kind, id desc);
grant select, insert, update, delete on telemetry_log to ndr_app;
