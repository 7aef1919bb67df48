import { type ReactNode, useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { ApiFailure } from "./api.ts";
import { ChooseTenant } from "./choose-tenant.tsx";
import { Unavailable } from "./failure.tsx";
import { CurrentSession, sessionQuery, signedIn, useOtherTabs } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { Splash } from "../ui/states.tsx";

/** Shows sign-in or tenant selection until both are done. */
export function SessionGate({ children }: { children: ReactNode }) {
  useOtherTabs();
  const { data, error, isPending, refetch } = useQuery(sessionQuery);
  const current = useMemo(() => data ? signedIn(data) : null, [data]);
  if (error instanceof ApiFailure && error.status === 401) return <SignIn />;
  if (isPending) return <Splash />;
  if (data === undefined) return <Unavailable error={error} retry={() => void refetch()} />;
  if (current === null) return <ChooseTenant session={data} />;
  return <CurrentSession value={current}>{children}</CurrentSession>;
}
