-- What detectors remember changes for the same keys round after round: of what a round has changed, one row tells all of it
-- (src/store/detector-journal.ts), and detector_memory is told of a key when it has been at rest for a while. Whoever moves the
-- pipeline's cursor writes both. A state that stands here is newer than the one that stands there.
create table detector_journal (
  tenant_id text   not null,
  batch_no  bigint not null,
  body      bytea  not null,
  primary key (tenant_id, batch_no)
);

-- Numbers and identifiers, read seldom or never: the time to compress them would be lost.
alter table detector_journal alter column body set storage external;

alter table detector_journal enable row level security;
alter table detector_journal force row level security;
create policy tenant_only on detector_journal using (tenant_id = current_setting('ndr.tenant', true))
  with check (tenant_id = current_setting('ndr.tenant', true) and tenant_id <> '');
grant select, insert, update, delete on detector_journal to ndr_app;
