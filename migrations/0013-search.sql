-- What searches find flows by: the texts of their records and the places of their external ends.

-- Dictionary: the texts of a UTC day's flows, each once per kind. term_id is a hash of tenant, kind and text
-- (src/store/search/term-id.ts), so an exact text is found without reading the dictionary. Anybody can craft texts
-- of one id: each has a row, and they share their postings. day is the UTC day of the flow's anchor_at. kind is a number of src/store/search/term-kinds.ts.
create table term (
  tenant_id    text             not null,
  day          timestamptz      not null,
  kind         smallint         not null,
  term_id      bigint           not null,
  -- In lower case, at most 512 characters.
  text         text collate "C" not null,
  -- As the first record spelled it; null if that is `text`.
  shown        text,
  -- The characters of a name in reverse, so that its suffix is a range; null for other kinds.
  reversed     text collate "C",
  -- Records that state the text, without those that term_use lists.
  record_count bigint           not null default 0,
  -- The power of 16 in record_count, at most 6. It changes rarely: counting leaves the indexes untouched as long as
  -- the page has room for another version of the row.
  magnitude    smallint         not null default 0,
  received_at  timestamptz      not null,
  primary key (term_id, day, text, tenant_id)
) partition by range (day);
create table term_default partition of term default with (fillfactor = 80);
-- Most used first, for completion; within one magnitude also a prefix.
create index term_most_used on term (tenant_id, kind, magnitude, text);
create index term_suffix on term (tenant_id, kind, reversed) where reversed is not null;

-- The records of a round that state each term, until a job has added them to term.record_count.
create table term_use (
  tenant_id     text        not null,
  batch_no      bigint      not null,
  day           timestamptz not null,
  -- Latest receipt of the records.
  received_at   timestamptz not null,
  term_ids      bigint[]    not null,
  record_counts integer[]   not null,
  primary key (tenant_id, batch_no, day)
);
-- Hashes are random, and the rows are deleted within a minute.
alter table term_use alter column term_ids set storage external, alter column record_counts set storage external;

-- Postings: the flows whose records state a term. One row for each term and day of a round, which batch_no
-- identifies. A flow may stand in several rows of a term. There is no primary key: entries of the index that are equal
-- share their key, which a unique one would repeat for each row.
create table flow_term (
  term_id      bigint      not null,
  day          timestamptz not null,
  batch_no     bigint      not null,
  -- The earliest and the latest anchor_at of the flows.
  from_at      timestamptz not null,
  to_at        timestamptz not null,
  received_at  timestamptz not null,
  -- Records of the round that state the term.
  record_count integer     not null,
  tenant_id    text        not null,
  flow_ids     uuid[]      not null
) partition by range (day);
-- Ids are nearly random, so compressing them saves nothing.
alter table flow_term alter column flow_ids set storage external;
create table flow_term_default partition of flow_term default;
create index flow_term_id on flow_term (term_id);

-- Where an external address is, by the GeoIP files of `build`. The pipeline inserts the addresses, a job of the
-- core fills in what the files say; build is null until then.
create table address_geo (
  tenant_id    text        not null,
  ip           inet        not null,
  country      text,
  asn          bigint,
  organisation text,
  build        text,
  -- The UTC day of the last record that named it, by receipt; the row expires by it.
  seen_day     timestamptz not null,
  primary key (tenant_id, ip)
);
create index address_geo_asn on address_geo (tenant_id, asn) where asn is not null;
create index address_geo_build on address_geo (tenant_id, build);
create index address_geo_country on address_geo (tenant_id, country) where country is not null;
