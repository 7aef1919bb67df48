/// <reference lib="dom" />
import type { Session } from "../../../contract/session/session.ts";
import { Icon, Logo } from "../../ui/icons.tsx";
import { useTitle } from "../../ui/page.tsx";
import { formatLabel } from "../../ui/format.ts";
import { useSelectTenant, useSignOut } from "../../base/session.ts";

/** A person with several tenants selects one. */
export function ChooseTenant({ session }: { session: Session }) {
  useTitle("Choose a tenant");
  const select = useSelectTenant(session.csrf_token);
  const leave = useSignOut(session.csrf_token);
  const none = session.tenants.length === 0;
  return (
    <main className="gate">
      <div className="gate-card gate-wide">
        <Logo size={44} />
        <h1>{none ? "No tenant" : "Choose a tenant"}</h1>
        <p className="soft">
          {none
            ? `${session.display_name} has no access to any tenant yet. An administrator grants it in access.yaml.`
            : `Signed in as ${session.display_name}. You can switch at any time.`}
        </p>
        <ul className="tenant-list">
          {session.tenants.map(({ tenant_id, display_name, roles }) => (
            <li key={tenant_id}>
              <button
                type="button"
                className="tenant-option"
                data-row
                disabled={select.isPending}
                onClick={() => select.mutate(tenant_id)}
              >
                <span className="avatar" aria-hidden="true">{display_name.charAt(0).toUpperCase()}</span>
                <span>
                  <span className="strong">{display_name}</span>
                  <span className="muted small">{roles.map(formatLabel).join(", ")}</span>
                </span>
                <Icon name="chevron" />
              </button>
            </li>
          ))}
        </ul>
        {(select.error ?? leave.error) && (
          <p className="field-error" role="alert">{(select.error ?? leave.error)?.message}</p>
        )}
        <button type="button" className="button button-quiet" onClick={() => leave.mutate()}>Sign out</button>
      </div>
    </main>
  );
}
