-- What threat intelligence lists name and a device met.

-- One row for each address that met an indicator: of the site where the flow has such an end, else the client's. What
-- a list says of the indicator is what it says now; `listed` tells whether any list still names it. `via_set` is how it
-- was met (src/store/vocabulary.ts); the evidence is the newest. `seen_count` has the observations of all batches after
-- `counted_after`: 0 once those before, too, were looked through.
create table intel_match (
  tenant_id     text        not null,
  party_ip      inet        not null,
  kind          text        not null,
  indicator     text        not null,
  list          text        not null,
  description   text,
  confidence    double precision,
  exact         boolean     not null,
  listed        boolean     not null default true,
  via_set       smallint    not null,
  first_seen    timestamptz not null,
  last_seen     timestamptz not null,
  received_at   timestamptz not null,
  seen_count    bigint      not null,
  counted_after bigint      not null,
  evidence_id   uuid        not null,
  flow_id       uuid        not null,
  primary key (tenant_id, party_ip, kind, indicator)
) with (fillfactor = 80);

-- Which lists, by the digest of what they name, the records were matched against: those of batches after `intel_batch`
-- as the pipeline took them up, against `intel_digest`; those up to `past_batch` also afterwards, against `past_digest`.
alter table pipeline_cursor
  add column intel_digest text not null default '',
  add column intel_batch bigint not null default 0,
  add column past_digest text not null default '',
  add column past_batch bigint not null default 0;

do $$
declare
  name text;
begin
  foreach name in array array['intel_match'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
