import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { useSignedIn, useSignOut } from "../base/session.ts";
import { formatLabel } from "../ui/format.ts";
import { Foreign } from "../ui/foreign.tsx";

/** The signed-in person: name, roles by tenant, and the end of the session. */
export function You(): ReactNode {
  const { session, tenant } = useSignedIn();
  const leave = useSignOut(session.csrf_token);
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Name</dt>
          <dd>
            <Foreign text={session.display_name} className="strong" />
          </dd>
        </div>
        <div>
          <dt>Subject</dt>
          <dd className="wrap">
            <Foreign text={session.subject} className="mono" />
          </dd>
        </div>
        {session.tenants.map(({ tenant_id, display_name, roles }) => (
          <div key={tenant_id}>
            <dt>
              <Foreign text={display_name} />
            </dt>
            <dd>
              {roles.map(formatLabel).join(", ")}
              {tenant_id === tenant && <span className="muted">, shown now</span>}
            </dd>
          </div>
        ))}
      </dl>
      <p className="soft">
        Names and roles come from your identity provider. A session lasts at most 12 hours.{" "}
        <Link {...to.help("access")} className="link">Roles and sessions</Link>
      </p>
      <div className="settings-end">
        <button type="button" className="button" disabled={leave.isPending} onClick={() => leave.mutate()}>
          Sign out
        </button>
        {leave.error && <p className="field-error" role="alert">Not signed out: {leave.error.message}</p>}
      </div>
    </>
  );
}
