-- What each written row pays again and again.

-- Whose row it may be is asked once for each statement, and no more once or twice for each row: as a subquery the setting is
-- read before the first row comes. Without a tenant, set to '' or not set at all, it is null, and equal to none. The same holds
-- of rows that are written: a policy without a check of its own checks by what it shows.
do $$
declare
  name regclass;
begin
  for name in
    select polrelid from pg_policy join pg_class c on c.oid = polrelid
    where polname = 'tenant_only' and c.relnamespace = current_schema()::regnamespace order by polrelid
  loop
    execute format('drop policy tenant_only on %s', name);
    execute format(
      'create policy tenant_only on %s using (tenant_id = (select nullif(current_setting(''ndr.tenant'', true), '''')))',
      name);
  end loop;
end
$$;

-- Every round says of each device it saw when that was: with room on the page the row's next version stays there, and no index
-- has to be told.
alter table device set (fillfactor = 50);
alter table device_address set (fillfactor = 50);
