import { lazy, Suspense } from "react";
import { useSignedIn } from "../../base/session.ts";

// Few people have several tenants: the others need not load the select with the first page.
const TenantChoice = lazy(() => import("./tenant-choice.tsx"));

/** The tenant of everything on screen; a choice only for people with several. */
export function TenantSwitch() {
  const { session, tenant, tenantName } = useSignedIn();
  const name = <p className="tenant" title={`Tenant ${tenant}`}>{tenantName}</p>;
  if (session.tenants.length === 1) return name;
  return (
    <Suspense fallback={name}>
      <TenantChoice />
    </Suspense>
  );
}
