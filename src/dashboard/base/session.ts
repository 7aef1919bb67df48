/// <reference lib="dom" />
import { createContext, useContext, useEffect } from "react";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Role } from "../../contract/record/kinds.ts";
import type { Session } from "../../contract/session/session.ts";
import { call, signOut } from "./api.ts";
import { newKey } from "./idempotency.ts";

/** A person with a selected tenant: everything below the gate relies on it. */
interface SignedIn {
  session: Session;
  tenant: string;
  tenantName: string;
  roles: Role[];
}

export const CurrentSession = createContext<SignedIn | null>(null);

export function useSignedIn(): SignedIn {
  const current = useContext(CurrentSession);
  if (current === null) throw new Error("expected a signed-in person above this component");
  return current;
}

export const SESSION_KEY = ["session"];
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: ({ signal }) => call("getSession", { signal }),
  staleTime: 0,
  refetchOnWindowFocus: "always",
});

// All tabs share the session's selected tenant: a tab that still shows the previous tenant would read the
// other one's data under the wrong name.
const CHANNEL = "ndr.session";

type Change = "changed" | "signed-in";

function announce(change: Change): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(change);
  channel.close();
}

/** Lets tabs whose session has ended continue with the one of this tab. */
export function announceSignIn(): void {
  announce("signed-in");
}

export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<Change>) => {
      if (data === "changed") return void client.resetQueries({ queryKey: SESSION_KEY });
      // What is typed in this tab stays.
      if (client.getQueryState(SESSION_KEY)?.status === "error") {
        void client.invalidateQueries({ queryKey: SESSION_KEY });
      }
    };
    return () => channel.close();
  }, [client]);
}

/** Selects the tenant of all later requests. */
export function useSelectTenant(csrf: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tenant_id: string) => call("selectTenant", { body: { tenant_id }, csrf, key: newKey() }),
    onSuccess: (session) => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
      client.setQueryData(SESSION_KEY, session);
      announce("changed");
    },
  });
}

export function useSignOut(csrf: string) {
  return useMutation({
    mutationFn: () => signOut(csrf),
    onSuccess: () => {
      announce("changed");
      location.assign("/");
    },
  });
}

export function signedIn(session: Session): SignedIn | null {
  const tenant = session.tenants.find(({ tenant_id }) => tenant_id === session.selected_tenant);
  if (tenant === undefined) return null;
  return { session, tenant: tenant.tenant_id, tenantName: tenant.display_name, roles: tenant.roles };
}
