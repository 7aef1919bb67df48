/// <reference lib="dom" />
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { setLive, useLive } from "../base/live.ts";
import { siteQuery } from "../base/site.ts";
import { useSignedIn } from "../base/session.ts";
import { Icon } from "../ui/icons.tsx";
import { plural } from "../ui/format.ts";
import { EntityScope, useFilterScope } from "../entity/entity-scope.ts";
import { PageHeader } from "../ui/page.tsx";
import { Empty, ErrorState, SkeletonBlock, StaleNotice } from "../ui/states.tsx";
import { RangeControl, useRange } from "../ui/time/range-control.tsx";
import { InvalidFilter } from "../search/filtered-list.tsx";
import { QueryBar } from "../search/query-bar.tsx";
import { filterProblems } from "../search/question.ts";
import { type ListFilter, useFilter } from "../search/use-filter.ts";
import { windowOf } from "../base/time/range.ts";
import { captioned, savePng } from "./network/export-png.ts";
import { describeNode, nodeLabel } from "./graph-labels.ts";
import { compare, type Comparison, type GraphState, neighbours } from "./graph-model.ts";
import { colouringOf } from "./graph-style.ts";
import { MapDetails } from "./map-details.tsx";
import { MapLegend } from "./map-legend.tsx";
import { findNodes, omittedText, summaryText } from "./map-page.ts";
import { MAP_QUERY } from "./map-query.ts";
import { MapScrubber } from "./map-scrubber.tsx";
import {
  boundedWindow,
  comparedWindow,
  expandedOf,
  MAP_VIEWS,
  type MapSearch,
  type MapView,
  readMap,
  toggleExpanded,
} from "./map-search.ts";
import { StatusTag } from "./map-status.tsx";
import { MapTables } from "./map-tables.tsx";
import { IconButton, MapTools } from "./map-tools.tsx";
import { NetworkMap } from "./network/network-map.tsx";
import type { MapScene } from "./network/map-look.ts";
import type { NetworkRenderer } from "./network/network-renderer.ts";
import { hasWebGl } from "./network/web-gl.ts";
import { type GraphQuestion, useEarlierGraph, useGraph } from "./stream/use-graph.ts";
import "./map.css";

const Globe = lazy(async () => ({ default: (await import("./globe.tsx")).Globe }));

const VIEW_NAMES: Record<MapView, string> = { network: "Network", globe: "Globe", table: "Table" };

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

function useFullScreen() {
  const box = useRef<HTMLDivElement>(null);
  const [full, setFull] = useState(false);
  useEffect(() => {
    const onChange = () => setFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", onChange);
    return () => document.removeEventListener("fullscreenchange", onChange);
  }, []);
  const toggle = () => {
    if (document.fullscreenElement !== null) void document.exitFullscreen();
    else void box.current?.requestFullscreen();
  };
  return { box, full, toggle };
}

function ViewSwitch(
  { view, change }: { view: MapView; change: (search: Partial<MapSearch>, keep: boolean) => void },
) {
  return (
    <span className="segments" role="group" aria-label="View">
      {MAP_VIEWS.map((one) => (
        <button
          key={one}
          type="button"
          className="segment"
          aria-pressed={view === one}
          onClick={() => change({ view: one === "network" ? undefined : one }, true)}
        >
          {VIEW_NAMES[one]}
        </button>
      ))}
    </span>
  );
}

/** What narrows the map: the incident it came from, the focus, expanded groups. Each can be removed. */
function Scope({ search, state, change }: {
  search: MapSearch;
  state: GraphState | null;
  change: (search: Partial<MapSearch>) => void;
}) {
  const expanded = expandedOf(search);
  const nodes = state?.nodes ?? new Map();
  const focusName = state?.focus == null ? "one device" : nodeLabel(state.focus, nodes);
  if (search.incident === undefined && search.focus === undefined && expanded.length === 0) return null;
  return (
    <div className="filters">
      {search.incident !== undefined && (
        <Link {...to.incident(search.incident)} className="button button-small">
          <Icon name="incidents" />Back to the incident
        </Link>
      )}
      {search.focus !== undefined && (
        <span className="filter-chip">
          Within {search.hops ?? "1"} {(search.hops ?? "1") === "1" ? "hop" : "hops"} of {focusName}
          <button
            type="button"
            className="chip-clear"
            aria-label="Show the whole network"
            onClick={() => change({ focus: undefined, hops: undefined })}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
      {expanded.map((id) => (
        <span key={id} className="filter-chip">
          Expanded {id.replace("vlan:", "VLAN ").replace("asn:", "AS ").replace(" none", " unknown")}
          <button
            type="button"
            className="chip-clear"
            aria-label={`Collapse ${id}`}
            onClick={() => change({ expand: toggleExpanded(search, id) })}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();

export function MapPage(): ReactNode {
  const filter = useFilter("flows", MAP_QUERY);
  return (
    <EntityScope.Provider value={useFilterScope(filter)}>
      <FilteredMap filter={filter} />
    </EntityScope.Provider>
  );
}

function FilteredMap({ filter }: { filter: ListFilter }): ReactNode {
  const { tenant, tenantName } = useSignedIn();
  const [search, change] = useMapSearch();
  const [range, setRange] = useRange();
  const paused = !useLive();
  const [arranging, setArranging] = useState(false);
  const [moved, setMoved] = useState(0);
  const [find, setFind] = useState("");
  const [webGl] = useState(hasWebGl);
  const renderer = useRef<NetworkRenderer | null>(null);
  const { box, full, toggle: toggleFull } = useFullScreen();
  const site = useQuery(siteQuery(tenant));
  const vlans = useMemo(
    () => new Map((site.data?.vlans ?? []).map(({ vlan_id, name }) => [vlan_id, name])),
    [site.data],
  );

  const clearFilter = () => filter.search("");
  const isInvalid = filterProblems(filter.text, MAP_QUERY).length > 0;
  const view: MapView = search.view ?? "network";
  const expanded = useMemo(() => expandedOf(search), [search]);
  const question: GraphQuestion = {
    scene: view === "globe" ? "globe" : "network",
    focus: search.focus,
    hops: search.hops,
    expand: expanded,
    filter: isInvalid ? null : search.filter,
  };
  const { state, status, error, isPending, isLoading, refetch } = useGraph(tenant, question, range, paused);
  const asked = boundedWindow(windowOf(range, Date.now()));
  const shownWindow = state?.window ?? asked;
  const earlier = useEarlierGraph(
    tenant,
    question,
    search.overlay !== undefined && state !== null ? comparedWindow(state.window) : null,
  );

  const colour = search.colour ?? "severity";
  const colouring = useMemo(
    () => state === null ? null : colouringOf(state, colour, vlans),
    [state, colour, vlans],
  );
  const comparison: Comparison | null = useMemo(
    () => state !== null && earlier.state !== null ? compare(state, earlier.state) : null,
    [state, earlier.state],
  );
  const found = useMemo(() => state === null ? [] : findNodes(state.nodes.values(), find), [state, find]);
  const selected = search.node ?? null;
  const { overlay } = search;
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
  const open = (id: string) => {
    const node = state?.nodes.get(id);
    if (node === undefined) return;
    if (node.member_count !== null) toggleCluster(id);
    else if (node.device_id !== null) {
      change({ focus: node.device_id, hops: search.hops ?? "1", node: id }, true);
    }
  };
  const selectedNode = selected === null ? undefined : state?.nodes.get(selected);
  const description = state === null || selectedNode === undefined
    ? ""
    : describeNode(selectedNode, neighbours(state).get(selectedNode.node_id)?.length ?? 0, vlans);
  const live = "preset" in range;
  const save = () => {
    if (renderer.current === null || state === null || colouring === null) return;
    const lines = [
      `Network map of ${tenantName}`,
      `${shownWindow.from} to ${shownWindow.to} (UTC): ${summaryText(state)}`,
      `Colours: ${colouring.legend.map(({ label, count }) => `${label} ${count}`).join(", ")}`,
    ];
    const omitted = omittedText(state);
    if (omitted !== null) lines.push(omitted);
    savePng(captioned(renderer.current, lines), `map-${shownWindow.to.replaceAll(/[:.]/g, "-")}.png`);
  };

  const fills = view === "network" && webGl;
  const tables = state !== null && (
    <MapTables
      state={state}
      vlans={vlans}
      onSelect={select}
      found={found.length > 0 || find.trim().length > 1 ? new Set(found) : null}
      comparison={comparison}
    />
  );
  const omitted = state === null ? null : omittedText(state);
  return (
    <div className="page page-map">
      <PageHeader title="Map" note={state === null || isInvalid ? tenantName : summaryText(state)}>
        <StatusTag status={status} watermark={state?.watermark ?? null} />
        <ViewSwitch view={view} change={change} />
        <RangeControl />
      </PageHeader>
      <QueryBar filter={filter} clear={clearFilter} />
      <StaleNotice error={state === null ? null : error} retry={refetch} />
      {asked.shortened && (
        <p className="notice" role="status">
          <Icon name="clock" />
          <span>The map shows at most 24 hours: these are the last 24 of the chosen range.</span>
        </p>
      )}
      <div className={`map-stage ${fills ? "map-fills" : ""} ${full ? "map-full" : ""}`} ref={box}>
        {view !== "globe" && (
          <div className="map-bar">
            <MapTools
              search={search}
              change={change}
              find={find}
              found={found.length}
              setFind={setFind}
              openFound={() => {
                const [first] = found;
                if (first === undefined) return;
                select(first);
                renderer.current?.reveal(first);
              }}
            />
            {view === "network" && webGl && (
              <div className="map-buttons">
                <button
                  type="button"
                  className="button button-small"
                  disabled={arranging}
                  onClick={() => void renderer.current?.arrange()}
                >
                  {arranging ? "Arranging…" : "Arrange"}
                </button>
                {moved > 0 && (
                  <button
                    type="button"
                    className="button button-small"
                    disabled={arranging}
                    onClick={() => void renderer.current?.releaseMoved()}
                  >
                    Release {plural(moved, "moved node")}
                  </button>
                )}
                <IconButton
                  icon={paused ? "play" : "pause"}
                  label={paused ? "Resume live updates" : "Pause live updates"}
                  pressed={paused}
                  disabled={status.state === "past"}
                  onClick={() => setLive(paused)}
                />
                <IconButton icon="download" label="Save as PNG" onClick={save} />
                <IconButton
                  icon="expand"
                  label={full ? "Leave full screen" : "Full screen"}
                  pressed={full}
                  onClick={toggleFull}
                />
              </div>
            )}
          </div>
        )}
        <Scope search={search} state={state} change={(next) => change(next, true)} />
        {omitted !== null && (
          <p className="notice" role="status">
            <Icon name="warning" />
            <span>{omitted} Narrow the map with a focus or a shorter window to see them.</span>
          </p>
        )}
        {overlay !== undefined && state !== null && <CompareNote earlier={earlier} comparison={comparison} />}
        <div className={selected !== null && view !== "globe" ? "map-body map-with-details" : "map-body"}>
          <div
            className={isLoading && state !== null ? "map-main map-loading" : "map-main"}
            aria-busy={isLoading}
          >
            {isInvalid
              ? <InvalidFilter label="Map" clear={clearFilter} />
              : state === null
              ? isPending || error === null
                ? <SkeletonBlock tall />
                : <ErrorState what="The map" error={error} retry={refetch} />
              : view === "globe"
              ? site.data === undefined
                ? <SkeletonBlock tall />
                : (
                  <Suspense fallback={<SkeletonBlock tall />}>
                    <Globe state={state} site={site.data} />
                  </Suspense>
                )
              : state.nodes.size === 0 && search.filter !== undefined
              ? (
                <Empty icon="map" title="No traffic in this window meets the filter">
                  <button type="button" className="button" onClick={clearFilter}>Clear the filter</button>
                </Empty>
              )
              : state.nodes.size === 0
              ? (
                <Empty icon="map" title="No traffic in this window">
                  <p className="soft">
                    Choose a longer window, or check in Health whether sensors send records.
                  </p>
                </Empty>
              )
              : view === "table"
              ? tables
              : !webGl
              ? (
                <>
                  <p className="notice notice-warning" role="status">
                    <Icon name="warning" />
                    <span>
                      This browser cannot draw the map because WebGL is not available. The table shows the
                      same data.
                    </span>
                  </p>
                  {tables}
                </>
              )
              : scene !== null && colouring !== null && (
                <>
                  <NetworkMap
                    scene={scene}
                    description={description}
                    onSelect={select}
                    onOpen={open}
                    onEnter={() => document.getElementById("map-details-title")?.focus()}
                    onArranging={setArranging}
                    onMoved={setMoved}
                    renderer={renderer}
                  />
                  <MapLegend
                    colour={colour}
                    entries={colouring.legend}
                    compared={comparison !== null}
                    onToggle={() => renderer.current?.resize()}
                  />
                  <div className="map-zoom" role="group" aria-label="Zoom">
                    <IconButton icon="plus" label="Zoom in" onClick={() => renderer.current?.zoom(1)} />
                    <IconButton icon="minus" label="Zoom out" onClick={() => renderer.current?.zoom(-1)} />
                    <IconButton
                      icon="fit"
                      label="Show the whole map"
                      onClick={() => renderer.current?.fit()}
                    />
                  </div>
                </>
              )}
          </div>
          {selected !== null && state !== null && view !== "globe" && (
            <MapDetails
              state={state}
              selected={selected}
              search={search}
              vlans={vlans}
              window={shownWindow}
              select={select}
              change={(next) => change(next, true)}
              toggleCluster={toggleCluster}
              expanded={expanded}
            />
          )}
        </div>
        <MapScrubber window={asked} live={live} setRange={setRange} />
      </div>
    </div>
  );
}

function CompareNote({ earlier, comparison }: {
  earlier: { state: GraphState | null; error: unknown };
  comparison: Comparison | null;
}) {
  let text = "Reading the map of the day before…";
  if (earlier.error !== null && earlier.error !== undefined) {
    text = "The map of the day before could not be loaded, so nothing is compared.";
  } else if (earlier.state?.nodes.size === 0) {
    text = "This map had no traffic in the same window of the day before, so everything would be new.";
  } else if (comparison !== null) {
    const { newNodes, newLinks, goneNodes, goneLinks } = comparison;
    text = `Since the day before: ${plural(newNodes.size, "new node")}, ` +
      `${plural(newLinks.size, "new connection")}, ${plural(goneNodes.length, "node")} gone, ` +
      `${plural(goneLinks.length, "connection")} gone.` +
      (earlier.state?.truncated ? " The earlier map left some out, so not all may be new." : "");
  }
  return <p className="soft small" role="status">{text}</p>;
}
