/// <reference lib="dom" />
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useRouter } from "@tanstack/react-router";
import type { Session } from "../../../contract/session/session.ts";
import { ApiFailure } from "../../base/api.ts";
import { ChooseTenant } from "./choose-tenant.tsx";
import { Unavailable } from "../failure.tsx";
import { tenantOfPath } from "../../base/links.ts";
import {
  announceSignIn,
  CurrentSession,
  sessionQuery,
  signedIn,
  useOtherTabs,
  useSelectTenant,
} from "../../base/session.ts";
import { SignedOut } from "./signed-out.tsx";
import { SignIn } from "./sign-in.tsx";
import { Logo } from "../../ui/icons.tsx";
import { useTitle } from "../../ui/page.tsx";
import { Splash } from "../../ui/states.tsx";

/** Shows sign-in or tenant selection until both are done and the session stands in the address's tenant. */
export function SessionGate({ children }: { children: ReactNode }) {
  useOtherTabs();
  const { pathname } = useLocation();
  const asked = tenantOfPath(pathname);
  const { data, error, isPending, refetch } = useQuery(sessionQuery);
  const current = useMemo(() => data ? signedIn(data) : null, [data]);
  const subject = error === null ? data?.subject : undefined;
  useEffect(() => {
    if (subject !== undefined) announceSignIn();
  }, [subject]);
  // A page that is open stays, and what was typed in it.
  const lost = error instanceof ApiFailure && error.status === 401;
  if (lost && (current === null || (asked !== null && asked !== current.tenant))) return <SignIn />;
  if (isPending) return <Splash />;
  if (data === undefined) return <Unavailable error={error} retry={() => void refetch()} />;
  if (asked !== null && asked !== data.selected_tenant) {
    const allowed = data.tenants.some(({ tenant_id }) => tenant_id === asked);
    if (allowed) return <SwitchTenant session={data} tenant={asked} />;
    if (current !== null) return <ForeignTenant tenant={current.tenant} name={current.tenantName} />;
  }
  if (current === null) return <ChooseTenant session={data} />;
  return (
    <CurrentSession value={current}>
      {children}
      {lost && <SignedOut retry={() => void refetch()} />}
    </CurrentSession>
  );
}

/**
 * Switches the session to the tenant of the address. All tabs share the session: a tab whose tenant another one
 * has changed waits until it becomes visible again, otherwise two tabs would switch back and forth.
 */
function SwitchTenant({ session, tenant }: { session: Session; tenant: string }) {
  useTitle("Change of tenant");
  const select = useSelectTenant(session.csrf_token);
  const asked = useRef<string | null>(null);
  const [waiting, setWaiting] = useState(() => !document.hasFocus() && document.visibilityState === "hidden");
  const change = () => {
    asked.current = tenant;
    setWaiting(false);
    select.mutate(tenant);
  };
  const changeNow = useEffectEvent(change);
  useEffect(() => {
    if (!waiting && asked.current !== tenant) changeNow();
  }, [waiting, tenant]);
  useEffect(() => {
    if (!waiting) return;
    const onFocus = () => changeNow();
    addEventListener("focus", onFocus);
    return () => removeEventListener("focus", onFocus);
  }, [waiting]);
  const name = session.tenants.find(({ tenant_id }) => tenant_id === tenant)?.display_name ?? tenant;
  if (!waiting && !select.error) return <Splash />;
  return (
    <Gate title={name}>
      <p className="soft">
        {select.error
          ? `The tenant could not be selected: ${select.error.message}`
          : "Another tab works in another tenant, and all tabs share one session."}
      </p>
      <button type="button" className="button button-primary" onClick={change}>Continue with {name}</button>
    </Gate>
  );
}

/** The address names a tenant that does not exist or is not the person's. */
function ForeignTenant({ tenant, name }: { tenant: string; name: string }) {
  useTitle("Not found");
  const { history } = useRouter();
  const path = `/t/${encodeURIComponent(tenant)}`;
  return (
    <Gate title="Tenant not found">
      <p className="soft">The tenant of this address does not exist, or you have no access to it.</p>
      <a
        className="button button-primary"
        href={path}
        onClick={(event) => {
          event.preventDefault();
          history.push(path);
        }}
      >
        Go to {name}
      </a>
    </Gate>
  );
}

function Gate({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="gate">
      <div className="gate-card gate-wide">
        <Logo size={44} />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
