import { useMemo } from "react";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { ResultKind } from "../../../contract/filter/tree.ts";
import type { Device } from "../../../contract/device/device.ts";
import type { Flow } from "../../../contract/flow/flow.ts";
import type { Incident } from "../../../contract/incident/incident.ts";
import { deviceDirectory } from "../../base/devices.ts";
import { useSignedIn } from "../../base/session.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { recentSearches } from "./recent-searches.ts";
import { filtersInView } from "./view-filters.ts";

const MOST_RECENT = 2;

/** The rows of the list that was read last and found something. */
function lastRows<T>(client: QueryClient, tenant: string, id: string): T[] {
  const lists = client.getQueryCache().findAll({ queryKey: [tenant, id] })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  for (const { state } of lists) {
    const { pages } = (state.data ?? {}) as { pages?: { data: T[] }[] };
    const rows = pages?.flatMap(({ data }) => data) ?? [];
    if (rows.length > 0) return rows;
  }
  return [];
}

interface InViewProps {
  kind: ResultKind;
  /** The text that found nothing. */
  text: string;
  use: (text: string) => void;
}

/** After a search that found nothing: recent searches, and filters for what was listed before it. */
export function InView({ kind, text, use }: InViewProps) {
  const { tenant } = useSignedIn();
  const client = useQueryClient();
  const offered = useMemo(() => {
    const directory = client.getQueryData(deviceDirectory(tenant).queryKey);
    const filters = filtersInView(kind, {
      flows: lastRows<Flow>(client, tenant, "listFlows"),
      devices: [...directory?.devices.values() ?? lastRows<Device>(client, tenant, "listDevices")],
      incidents: lastRows<Incident>(client, tenant, "listIncidents"),
    });
    const recent = recentSearches(tenant, kind).filter((one) => one !== text).slice(0, MOST_RECENT);
    return [...new Set([...recent, ...filters])].filter((one) => one !== text);
  }, [client, tenant, kind, text]);
  if (offered.length === 0) return null;
  return (
    <div className="in-view" role="group" aria-label="Other searches">
      <span className="soft small">Try another search:</span>
      {offered.map((one) => (
        <button
          key={one}
          type="button"
          className="button button-small"
          onClick={() => use(one)}
        >
          <Foreign text={one} className="mono clip" />
        </button>
      ))}
    </div>
  );
}
