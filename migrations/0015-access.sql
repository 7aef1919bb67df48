-- What the plain role may do. Only the owner can use schema_migration.

-- Tables with a tenant_id: a transaction sees and writes the rows of the tenant it is set to. The subquery is
-- evaluated once for each statement instead of for each row. Without a tenant it is null, which equals
-- nothing. The policy also checks written rows.
do $$
declare
  name text;
begin
  for name in
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'tenant_id' and c.relname <> 'tenant'
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy tenant_only on %I'
      || ' using (tenant_id = (select nullif(current_setting(''ndr.tenant'', true), '''')))', name);
    execute format('grant select, insert, update, delete on %I to ndr_app', name);
  end loop;
end
$$;
revoke update, delete on audit from ndr_app;

-- Global tables.
grant select, insert, update, delete
  on tenant, lease, session, signed_nonce, telemetry_log, license_time, clock_state, write_probe to ndr_app;
grant select, insert on session_selection, audit_outside to ndr_app;
