-- What detectors remember (src/domain/detect/detector.ts): one bounded state for each key of a memory. The key's hash
-- stands for it: a quarter of the bytes to compare, and two of 2^32 keys share one by chance, which does no harm.
create table detector_memory (
  tenant_id  text        not null,
  memory     smallint    not null,
  key_hash   bigint      not null,
  updated_at timestamptz not null default now(),
  state      bytea       not null,
  primary key (tenant_id, memory, key_hash)
) with (fillfactor = 70, toast_tuple_target = 8160);

-- Channels go on as they are; their key has always been hashed the same way.
insert into detector_memory (tenant_id, memory, key_hash, updated_at, state)
select tenant_id, 3, channel_hash, updated_at, state from channel;

drop table channel;
drop table alert_group;

do $$
declare
  name text;
begin
  foreach name in array array['detector_memory'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I using (tenant_id = current_setting(''ndr.tenant'', true))'
      || ' with check (tenant_id = current_setting(''ndr.tenant'', true) and tenant_id <> '''')', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
