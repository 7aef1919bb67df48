-- Matches of threat intelligence lists.

-- One row for each address that met an indicator: that of the site if the flow has such an end, else the
-- client's. List, description, confidence and listed follow the lists as they are now. via_set says how it
-- was met (src/store/record/vocabulary.ts); the evidence is the newest.
create table intel_match (
  tenant_id     text             not null,
  party_ip      inet             not null,
  kind          text             not null,
  indicator     text             not null,
  list          text             not null,
  description   text,
  confidence    double precision,
  exact         boolean          not null,
  -- Whether any list still names the indicator.
  listed        boolean          not null default true,
  via_set       smallint         not null,
  first_seen    timestamptz      not null,
  last_seen     timestamptz      not null,
  received_at   timestamptz      not null,
  seen_count    bigint           not null,
  -- seen_count covers batches after this one; 0 once earlier batches were counted, too.
  counted_after bigint           not null,
  evidence_id   uuid             not null,
  flow_id       uuid             not null,
  primary key (tenant_id, party_ip, kind, indicator)
) with (fillfactor = 80);
