-- Telemetry and licence of the whole installation: global tables without any tenant's data. Written by the
-- core.

-- What was sent to the registration server, or would have been (dry_run), and its answer. A baseline is not a
-- transmission: the schedule counts from it.
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
  -- The exact text.
  payload             text,
  failure             text,
  answer              text
);
create index telemetry_log_kind on telemetry_log (kind, id desc);

-- The latest time known to have come, which the licence is evaluated by; the state folder has a copy. At most
-- one row, none without a licence.
create table license_time (
  only_one  boolean     primary key default true check (only_one),
  issued_at timestamptz not null,
  known_at  timestamptz not null,
  leap_at   timestamptz,
  lived_us  bigint      check ((lived_us is null) = (leap_at is null))
);
