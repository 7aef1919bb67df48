-- Lists that change while somebody walks through their pages, and what a repeated tenant selection is answered with.

-- A flow's start moves back when a longer observation joins, an incident's last_seen moves on with each result: both
-- decide where, or whether, a list shows the row. So that a walk meets every row where it stood when the walk began, the
-- row keeps its last moves: the transactions that made them, oldest first, and the value that each replaced. They are few
-- and null on most rows; `moved_xid` is the last of them.
alter table flow
  add column moved_xid xid8,
  add column move_xids xid8[],
  add column moved_from timestamptz[];
create index flow_moved on flow (tenant_id, moved_xid) where moved_xid is not null;
alter table incident
  add column moved_xid xid8,
  add column move_xids xid8[],
  add column moved_from timestamptz[];

-- The value at the time of a snapshot: what the first move replaced that the snapshot does not know of.
create function value_at(as_of pg_snapshot, move_xids xid8[], moved_from timestamptz[], value timestamptz)
  returns timestamptz language sql immutable parallel safe as $$
    select coalesce((
      select m.moved_from from unnest(move_xids, moved_from) with ordinality as m (xid, moved_from, place)
      where not pg_visible_in_snapshot(m.xid, as_of) order by m.place limit 1), value)
  $$;

-- The answer of a tenant selection, word for word, for as long as its session lives.
create table session_selection (
  token_hash      text not null references session on delete cascade,
  idempotency_key text not null,
  fingerprint     text not null,
  answer          text not null,
  primary key (token_hash, idempotency_key)
);
grant select, insert on session_selection to ndr_app;
alter table session drop column selections;
