-- What is remembered of each sensor's receipts, to know when its silence is not usual: one row of one size for each sensor, written by a
-- look each minute. `silence_us` counts only time in which records could be received; `whole` says that this was all of it.
-- `pauses` are weights by size, `silences` minutes: four weeks for each hour of the week, -1 where it is not known
-- (src/domain/health/rhythm.ts).
create table sensor_watch (
  tenant_id       text               not null,
  sensor_id       text               not null,
  heard_at        timestamptz        not null,
  watched_at      timestamptz        not null,
  silence_us      bigint             not null,
  whole           boolean            not null,
  pauses          double precision[] not null,
  hour_at         timestamptz,
  hour_silence_us bigint             not null,
  silences        smallint[]         not null,
  primary key (tenant_id, sensor_id)
);

alter table sensor_watch enable row level security;
alter table sensor_watch force row level security;
create policy tenant_only on sensor_watch using (tenant_id = current_setting('ndr.tenant', true))
  with check (tenant_id = current_setting('ndr.tenant', true) and tenant_id <> '');
grant select, insert, update, delete on sensor_watch to ndr_app;
