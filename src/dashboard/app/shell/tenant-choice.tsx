import { useNavigate } from "@tanstack/react-router";
import { to } from "../../base/links.ts";
import { useSignedIn } from "../../base/session.ts";
import { InlineSelect } from "../../ui/field/select-field.tsx";

/** Chooses the tenant of everything on screen. */
export default function TenantChoice() {
  const { session, tenant } = useSignedIn();
  const navigate = useNavigate();
  return (
    <InlineSelect
      label="Tenant"
      className="tenant-switch"
      value={tenant}
      options={session.tenants.map(({ tenant_id, display_name }) => [tenant_id, display_name])}
      // Open objects belong to the previous tenant. The address decides; the session follows it.
      set={(chosen) => void navigate({ ...to.overview(), params: { tenant: chosen } })}
    />
  );
}
