/// <reference lib="dom" />
import { type ComponentType, lazy, Suspense, useState } from "react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Incident } from "../../../contract/incident/incident.ts";
import type { ResponseAction } from "../../../contract/review/response.ts";
import { call } from "../../base/api.ts";
import { pendingDecisions, waitsFor } from "../../base/decisions.ts";
import { useSummary } from "../../base/feed.ts";
import { useSignedIn } from "../../base/session.ts";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icons.tsx";
import { Popover } from "../../ui/popover.tsx";
import type { NewsProps } from "./news.tsx";

// What the panel shows is loaded when it is first opened; the page stays as it is if the service does not answer then.
const News = lazy((): Promise<{ default: ComponentType<NewsProps> }> =>
  import("./news.tsx").catch(() => ({ default: NoNews }))
);

function NoNews() {
  return <p className="muted">NDR does not answer, so the list cannot be loaded. Reload the page.</p>;
}

const MOST = 20;
/** Incidents older than this are no news. */
const DAY = 86_400_000;

function storageKey(tenant: string): string {
  return `ndr.looked.${tenant}`;
}

/** When the person last looked, in this browser; a day ago the first time. */
function lastLooked(tenant: string): number {
  const earliest = Date.now() - DAY;
  try {
    return Math.max(Number(localStorage.getItem(storageKey(tenant)) ?? 0) || earliest, earliest);
  } catch {
    return earliest;
  }
}

/** Incidents that were opened since then, newest first. */
const newIncidents = (tenant: string, since: number) =>
  queryOptions({
    queryKey: [tenant, "new-incidents", since],
    queryFn: async ({ signal }) => {
      const window = { from: new Date(since).toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
      const data = await call("listIncidents", {
        query: { ...window, suppressed: false, status: "open", sort: "-first_seen", limit: MOST },
        signal,
      });
      return data.filter(({ first_seen }) => Date.parse(first_seen) >= since);
    },
    meta: { marks: ["incident"] },
  });

/** Proposed actions, those of others first, and how many wait for the reader to decide. */
function useDecisions(): { actions: ResponseAction[]; waiting: number } {
  const { tenant, roles, session } = useSignedIn();
  const pending = useSummary()?.pending_decisions ?? 0;
  const { data } = useQuery({ ...pendingDecisions(tenant), enabled: pending > 0 });
  if (pending === 0 || data === undefined) return { actions: [], waiting: 0 };
  const [own, others] = [false, true].map((isOther) =>
    data.data.filter((action) => waitsFor(session.subject, action) === isOther)
  ) as [ResponseAction[], ResponseAction[]];
  return { actions: [...others, ...own], waiting: roles.includes("responder") ? others.length : 0 };
}

/** What is new since the person last looked: incidents, and decisions that wait. */
export function Notifications() {
  const { tenant } = useSignedIn();
  const [since, setSince] = useState(() => lastLooked(tenant));
  /** What the open panel shows stays while it counts as seen. */
  const [shown, setShown] = useState<Incident[]>([]);
  const { data = [] } = useQuery(newIncidents(tenant, since));
  const { actions, waiting } = useDecisions();
  const count = data.length + waiting;
  const look = () => {
    setShown(data);
    const now = Date.now();
    setSince(now);
    try {
      localStorage.setItem(storageKey(tenant), String(now));
    } catch {
      // Without storage everything is new again on the next page load.
    }
  };
  /** Part of the label, as visible text must be. */
  const badge = count > 99 ? "99+" : String(count);
  const label = count === 0
    ? "Notifications: nothing new"
    : `Notifications: ${plural(data.length, "new incident")}, ${
      plural(waiting, "decision")
    } for you, ${badge} in total`;
  return (
    <Popover
      label={label}
      title="Notifications"
      className="button-icon bell"
      panelClass="news-panel"
      onOpen={look}
      button={
        <>
          <Icon name="bell" />
          {count > 0 && <span className="badge" aria-hidden="true">{badge}</span>}
        </>
      }
    >
      {(close) => (
        <Suspense fallback={null}>
          <News incidents={shown} actions={actions} close={close} />
        </Suspense>
      )}
    </Popover>
  );
}
