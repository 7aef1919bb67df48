-- Traffic of pairs of addresses per minute: what the map is made of.

-- Append-only: each row is what one round of the pipeline changed, so that adding up the rows of all batches up to
-- any one gives the state after that batch. Counters may be negative: a flow that is updated later replaces its
-- former counters. A flow counts in the minute of its anchor_at. Rows older than the map shows are deleted by the
-- upkeep job.
create table graph_traffic (
  -- The last batch of the round.
  batch_no   bigint      not null,
  minute     timestamptz not null,
  -- From low to high, and from high to low.
  bytes_up   bigint      not null,
  bytes_down bigint      not null,
  packets    bigint      not null,
  first_seen timestamptz not null,
  last_seen  timestamptz not null,
  flows      integer     not null,
  -- Unique within the round. A key of both numbers would be a third as wide as the row.
  entry_no   integer     not null,
  tenant_id  text        not null,
  -- The two addresses, in code point order of their text.
  low        inet        not null,
  high       inet        not null,
  service    text
);
create index graph_traffic_batch on graph_traffic (tenant_id, batch_no);
create index graph_traffic_minute on graph_traffic (tenant_id, minute);

-- Records that matched a threat intelligence indicator by a name, a fingerprint or a DNS answer, by the minute and the
-- addresses of their flow. Rows stay when an indicator is removed: readers check the current lists. Matches of the
-- addresses themselves are not stored: each graph looks its addresses up in the lists.
create table graph_mark (
  tenant_id text        not null,
  minute    timestamptz not null,
  -- The two addresses, in code point order of their text.
  low       inet        not null,
  high      inet        not null,
  -- As in intel_match.
  kind      text        not null,
  indicator text        not null,
  primary key (tenant_id, minute, low, high, kind, indicator)
);
