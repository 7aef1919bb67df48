import { useCallback, useMemo, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useLive } from "../base/live.ts";
import { useSignedIn } from "../base/session.ts";
import { siteQuery } from "../base/site.ts";
import { windowOf } from "../base/time/range.ts";
import { filterProblems } from "../search/question.ts";
import type { ListFilter } from "../search/use-filter.ts";
import { useRange } from "../ui/time/range-control.tsx";
import { comparisonOf } from "./graph-model.ts";
import { colouringOf } from "./graph-style.ts";
import { findNodes } from "./map-page.ts";
import { MAP_QUERY } from "./map-query.ts";
import {
  boundedWindow,
  comparedWindow,
  expandedOf,
  incidentShown,
  type MapSearch,
  readMap,
  toggleExpanded,
  windowOfFlows,
} from "./map-search.ts";
import type { MapScene } from "./network/map-look.ts";
import { type GraphQuestion, useEarlierGraph, useGraph } from "./stream/use-graph.ts";

/** The map's parameters, and a function that changes some of them. */
function useMapSearch(): [MapSearch, (search: Partial<MapSearch>, keep?: boolean) => void] {
  const raw = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const change = useCallback((next: Partial<MapSearch>, keep = false) => {
    void navigate({ to: ".", search: (old) => ({ ...old, ...next }), replace: !keep });
  }, [navigate]);
  const key = JSON.stringify(readMap(raw));
  return [useMemo(() => JSON.parse(key) as MapSearch, [key]), change];
}

const NONE: ReadonlySet<string> = new Set();

export type MapState = ReturnType<typeof useMapState>;

/** What the address asks for, the graph that answers it, and what a reader does with it. */
export function useMapState(filter: ListFilter) {
  const { tenant } = useSignedIn();
  const [search, change] = useMapSearch();
  const [range, setRange] = useRange();
  const paused = !useLive();
  const [find, setFind] = useState("");
  const site = useQuery(siteQuery(tenant)).data;
  const vlans = useMemo(
    () => new Map((site?.vlans ?? []).map(({ vlan_id, name }) => [vlan_id, name])),
    [site],
  );

  const isInvalid = filterProblems(filter.text, MAP_QUERY).length > 0;
  const { view = "network", colour = "severity", overlay, node: selected = null } = search;
  const expanded = useMemo(() => expandedOf(search), [search]);
  const incident = incidentShown(search, "preset" in range ? null : range);
  const question: GraphQuestion = {
    scene: view === "globe" ? "globe" : "network",
    focus: search.focus,
    hops: search.hops,
    expand: expanded,
    filter: isInvalid ? null : search.filter,
    incident,
  };
  const graph = useGraph(tenant, question, range, paused);
  const { state } = graph;
  const asked = boundedWindow(windowOf(range, Date.now()));
  const earlier = useEarlierGraph(
    tenant,
    question,
    overlay !== undefined && state !== null ? comparedWindow(state.window) : null,
  );

  const colouring = useMemo(
    () => state === null ? null : colouringOf(state, colour, vlans),
    [state, colour, vlans],
  );
  const comparison = useMemo(
    () => comparisonOf(state, earlier.state),
    [state, earlier.state],
  );
  const found = useMemo(() => state === null ? [] : findNodes(state.nodes.values(), find), [state, find]);
  const scene: MapScene | null = useMemo(() =>
    state === null || colouring === null ? null : {
      state,
      colouring,
      comparison,
      showNew: overlay === "new" || overlay === "both",
      showGone: overlay === "gone" || overlay === "both",
      selected,
      found: found.length === 0 ? NONE : new Set(found),
    }, [state, colouring, comparison, overlay, selected, found]);

  const select = useCallback((id: string | null) => change({ node: id ?? undefined }), [change]);
  const toggleCluster = (cluster: string) =>
    change({ expand: toggleExpanded(search, cluster), node: undefined }, true);
  /** Expands a group, or shows the surroundings of a device. */
  const open = (id: string) => {
    const node = state?.nodes.get(id);
    if (node === undefined) return;
    if (node.member_count !== null) toggleCluster(id);
    else if (node.device_id !== null) {
      change({ focus: node.device_id, hops: search.hops ?? "1", node: id }, true);
    }
  };
  return {
    ...graph,
    filter,
    isInvalid,
    clearFilter: () => filter.search(""),
    search,
    change,
    view,
    colour,
    expanded,
    /** The incident whose evidence is shown, whatever the window. */
    incident,
    /** The window in the address, shortened to what the map can show. */
    asked,
    /** The window that is shown, or asked for. */
    covered: incident !== undefined && state !== null ? state.window : asked,
    window: state === null ? asked : windowOfFlows(state.window),
    live: "preset" in range,
    setRange,
    paused,
    site,
    vlans,
    find,
    setFind,
    found,
    earlier,
    comparison,
    /** Null without a graph. */
    scene,
    selected,
    select,
    open,
    toggleCluster,
  };
}
