-- Words that repeat in every row become numbers (src/store/vocabulary.ts): fewer bytes to write, to index beside and
-- to keep. A vocabulary only grows at its end.

-- The owner, too, sees only one tenant's rows of a table whose policies are forced.
alter table flow no force row level security;
alter table evidence no force row level security;

alter table flow
  add column source_set smallint,
  add column semantics_no smallint,
  add column primary_record_kind smallint,
  add column native_ids bytea;
update flow set
  source_set = (select coalesce(sum(distinct case name when 'zeek' then 1 when 'suricata' then 2 when 'netflow' then 4
    when 'unbound' then 8 when 'inventory' then 16 when 'model' then 32 end), 0) from unnest(sources) as name),
  semantics_no = case semantics when 'session' then 1 when 'unidirectional_export' then 2 else 3 end,
  -- The record kind itself stands on the evidence; source and evidence kind together name it, but for a few kinds of
  -- which one stands for all.
  primary_record_kind = array_position(array['zeek/flow_observation', 'zeek/dns', 'zeek/tls', 'zeek/http', 'zeek/ssh',
    '', '', 'suricata/flow_observation', 'suricata/dns', 'suricata/tls', 'suricata/http', 'suricata/ssh',
    'suricata/alert', '', '', '', '', 'netflow/flow_observation', 'unbound/dns'],
    primary_source || '/' || primary_kind),
  native_ids = (select coalesce(string_agg(int8send(hash), '' order by place), '')
    from unnest(native_hashes) with ordinality as native (hash, place));
alter table flow
  alter column source_set set not null,
  alter column semantics_no set not null,
  alter column primary_record_kind set not null,
  alter column native_ids set not null,
  drop column sources,
  drop column semantics,
  drop column primary_kind,
  drop column primary_source,
  drop column native_hashes;

alter table evidence
  add column record_kind_no smallint,
  add column semantics_no smallint;
update evidence set
  record_kind_no = array_position(array['zeek.conn', 'zeek.dns', 'zeek.ssl', 'zeek.http', 'zeek.ssh', 'zeek.stats',
    'zeek.capture_loss', 'suricata.flow', 'suricata.dns', 'suricata.tls', 'suricata.http', 'suricata.ssh',
    'suricata.alert', 'suricata.anomaly', 'suricata.smb', 'suricata.dhcp', 'suricata.krb5', 'netflow.flow',
    'unbound.query'], record_kind),
  semantics_no = case semantics when 'session' then 1 when 'unidirectional_export' then 2 when 'unknown' then 3 end;
alter table evidence
  alter column record_kind_no set not null,
  drop column record_kind,
  drop column semantics;

alter table flow force row level security;
alter table evidence force row level security;
