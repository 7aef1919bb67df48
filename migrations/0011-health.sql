-- Health of components and sensors.

-- The newest report of each capture process about itself, for each record kind. peer is '' if the record
-- names none.
create table capture_sample (
  tenant_id    text             not null,
  sensor_id    text             not null,
  peer         text             not null,
  record_kind  text             not null,
  at           timestamptz      not null,
  received_at  timestamptz      not null,
  interval_us  bigint,
  packets      bigint,
  dropped      bigint,
  loss_percent double precision,
  primary key (tenant_id, sensor_id, peer, record_kind)
);

-- Each component as last observed, `appliance` being the whole, so that a transition is reported once
-- whichever core observes it. Written by the health job.
create table health_state (
  tenant_id     text        not null,
  component_id  text        not null,
  kind          text        not null,
  status        text        not null,
  since         timestamptz not null,
  -- Set while no report has the component. It is forgotten after a while, because a report right after a
  -- start may be incomplete.
  missing_since timestamptz,
  primary key (tenant_id, component_id)
);

-- Every change of a component's status, for 90 days. The id is derived from the content. Written by the health job.
create table health_transition (
  tenant_id     text        not null,
  transition_id uuid        not null,
  at            timestamptz not null,
  component_id  text        not null,
  kind          text        not null,
  from_status   text        not null,
  to_status     text        not null,
  message       text,
  primary key (tenant_id, transition_id)
);
create index health_transition_time on health_transition (tenant_id, at, transition_id);
create index health_transition_component on health_transition (tenant_id, component_id, at, transition_id);

-- The last recorded observation: its observer and number. No row before the first.
create table health_observation (
  tenant_id   text        primary key,
  observer    text        not null,
  pass        bigint      not null,
  observed_at timestamptz not null
);

-- Since when the configuration has each sensor, to count the silence of one that was never heard. A sensor that
-- leaves the configuration is forgotten. Written by the sensor watch every minute.
create table configured_sensor (
  tenant_id text        not null,
  sensor_id text        not null,
  since     timestamptz not null,
  primary key (tenant_id, sensor_id)
);

-- The rhythm of each sensor's receipts, to recognise an unusual silence; a row has a fixed size. Written by
-- the sensor watch every minute.
create table sensor_watch (
  tenant_id       text               not null,
  sensor_id       text               not null,
  heard_at        timestamptz        not null,
  watched_at      timestamptz        not null,
  -- Counts only time in which records could be received.
  silence_us      bigint             not null,
  -- Whether silence_us covers the whole silence.
  whole           boolean            not null,
  -- Weights by length.
  pauses          double precision[] not null,
  hour_at         timestamptz,
  hour_silence_us bigint             not null,
  -- Minutes, four weeks for each hour of the week; -1 while unknown.
  silences        smallint[]         not null,
  primary key (tenant_id, sensor_id)
);

-- Written to find out whether the database can commit; global, at most one row.
create table write_probe (
  only_one boolean     primary key default true check (only_one),
  at       timestamptz not null
);
