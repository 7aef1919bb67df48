/// <reference lib="dom" />
import { useState } from "react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Incident } from "../../../contract/incident/incident.ts";
import { call } from "../../base/api.ts";
import { useSummary } from "../../base/feed.ts";
import { to } from "../../base/links.ts";
import { useSignedIn } from "../../base/session.ts";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icons.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { Popover } from "../../ui/popover.tsx";
import { SeverityIcon } from "../../ui/tags.tsx";
import { Ago } from "../../ui/time/time.tsx";

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

/** What is new since the person last looked: incidents, and decisions that wait. */
export function Notifications() {
  const { tenant } = useSignedIn();
  const [since, setSince] = useState(() => lastLooked(tenant));
  /** What the open panel shows stays while it counts as seen. */
  const [shown, setShown] = useState<Incident[]>([]);
  const { data = [] } = useQuery(newIncidents(tenant, since));
  const decisions = useSummary()?.pending_decisions ?? 0;
  const count = data.length + decisions;
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
      plural(decisions, "decision")
    } pending, ${badge} in total`;
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
        <>
          <h2>Since you last looked</h2>
          {decisions > 0 && (
            <p className="news-decisions">
              {plural(decisions, "response action")} {decisions === 1 ? "waits" : "wait"} for a decision.
            </p>
          )}
          {shown.length === 0 ? <p className="muted">No new incidents.</p> : (
            <ul>
              {shown.map((incident) => (
                <li key={incident.id}>
                  <Link {...to.incident(incident.id)} className="news-item" onClick={close}>
                    <SeverityIcon severity={incident.severity} />
                    <span>
                      <Foreign text={incident.title} />
                      <span className="muted small">
                        <Ago at={incident.first_seen} />
                      </span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )}
          <Link {...to.triage()} className="button button-small" onClick={close}>Open triage</Link>
        </>
      )}
    </Popover>
  );
}
