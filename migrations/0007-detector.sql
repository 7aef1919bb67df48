-- States of detectors.

-- One bounded state for each key of a state type. The key's 64-bit hash stands for the key: a quarter of the
-- bytes to compare. Two of 2^32 keys share a hash by chance, which is harmless. States are rewritten often:
-- free space on the page keeps the new version there, and they are not moved out of line.
create table detector_state (
  tenant_id  text        not null,
  state_type smallint    not null,
  key_hash   bigint      not null,
  updated_at timestamptz not null default now(),
  state      bytea       not null,
  primary key (tenant_id, state_type, key_hash)
) with (fillfactor = 70, toast_tuple_target = 8160);

-- States change for the same keys round after round, so a round writes all its changes as one row
-- (src/store/detector/journal.ts), and detector_state gets a key once it has been unchanged for a while. Both
-- are written with the pipeline's cursor. A state here is newer than the one in detector_state. Rows are read
-- seldom or never, so they are not compressed.
create table detector_journal (
  tenant_id text   not null,
  batch_no  bigint not null,
  body      bytea  not null,
  primary key (tenant_id, batch_no)
);
alter table detector_journal alter column body set storage external;
