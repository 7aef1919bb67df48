import { useNavigate } from "@tanstack/react-router";
import { useSelectTenant, useSignedIn } from "./session.ts";
import { Icon } from "../ui/icons.tsx";

/** The tenant of everything on screen; a choice only for people with several. */
export function TenantSwitch() {
  const { session, tenant, tenantName } = useSignedIn();
  const select = useSelectTenant(session.csrf_token);
  const navigate = useNavigate();
  if (session.tenants.length === 1) {
    return <p className="tenant" title={`Tenant ${tenant}`}>{tenantName}</p>;
  }
  return (
    <div className="tenant-switch">
      <label className="hidden" htmlFor="tenant">Tenant</label>
      <select
        id="tenant"
        value={tenant}
        disabled={select.isPending}
        onChange={(event) =>
          // Open objects belong to the previous tenant.
          select.mutate(event.target.value, { onSuccess: () => void navigate({ to: "/" }) })}
      >
        {session.tenants.map(({ tenant_id, display_name }) => (
          <option key={tenant_id} value={tenant_id}>{display_name}</option>
        ))}
      </select>
      <Icon name="down" />
      {select.error && <p className="field-error" role="alert">{select.error.message}</p>}
    </div>
  );
}
