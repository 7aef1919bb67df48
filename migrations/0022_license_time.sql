-- The latest time that is known to have come, by which the licence is judged (src/domain/license/time.ts); the state folder has
-- it as well. Of the whole installation, so without a tenant; at most one row, and none without a licence.
create table license_time (
  only_one  boolean     primary key default true check (only_one),
  issued_at timestamptz not null,
  known_at  timestamptz not null,
  leap_at   timestamptz,
  lived_us  bigint      check ((lived_us is null) = (leap_at is null))
);

grant select, insert, update, delete on license_time to ndr_app;
