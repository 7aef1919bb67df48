/// <reference lib="dom" />
import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { EntityScope, useFilterScope } from "../entity/entity-scope.ts";
import { QueryBar } from "../search/query-bar.tsx";
import { type ListFilter, useFilter } from "../search/use-filter.ts";
import { formatSpan, plural } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page.tsx";
import { StaleNotice } from "../ui/states.tsx";
import { RangeControl } from "../ui/time/range-control.tsx";
import { Time } from "../ui/time/time.tsx";
import { nodeLabel } from "./graph-labels.ts";
import type { Comparison, GraphState } from "./graph-model.ts";
import { MapBar } from "./map-bar.tsx";
import { MapDetails } from "./map-details.tsx";
import { omittedText, summaryText, unretainedText } from "./map-page.ts";
import { MAP_QUERY } from "./map-query.ts";
import { MapScrubber } from "./map-scrubber.tsx";
import { expandedOf, MAP_VIEWS, type MapSearch, type MapView, toggleExpanded } from "./map-search.ts";
import { MapStage } from "./map-stage.tsx";
import { StatusTag } from "./map-status.tsx";
import { useFullScreen, useMapPicture } from "./use-map-picture.ts";
import { useMapState } from "./use-map-state.ts";
import "./map.css";

const VIEW_NAMES: Record<MapView, string> = { network: "Network", globe: "Globe", table: "Table" };

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

export function MapPage(): ReactNode {
  const filter = useFilter("flows", MAP_QUERY);
  return (
    <EntityScope.Provider value={useFilterScope(filter)}>
      <FilteredMap filter={filter} />
    </EntityScope.Provider>
  );
}

function FilteredMap({ filter }: { filter: ListFilter }): ReactNode {
  const { tenantName } = useSignedIn();
  const map = useMapState(filter);
  const picture = useMapPicture();
  const { box, full, toggle } = useFullScreen();
  const { state, view, asked, status, selected, search, change, isLoading } = map;
  const keep = (next: Partial<MapSearch>) => change(next, true);
  const omitted = state === null ? null : omittedText(state);
  const fills = view === "network" && picture.webGl;
  const details = selected !== null && view !== "globe";
  return (
    <div className="page page-map">
      <PageHeader
        title="Map"
        note={state === null || map.isInvalid || filter.refused ? tenantName : summaryText(state)}
      >
        <StatusTag status={status} watermark={state?.watermark ?? null} />
        <ViewSwitch view={view} change={change} />
        <RangeControl />
      </PageHeader>
      <QueryBar filter={filter} clear={map.clearFilter} />
      <StaleNotice error={state === null ? null : map.error} retry={map.refetch} />
      {map.incident !== undefined && state !== null && <EvidenceNote state={state} />}
      {map.incident === undefined && asked.shortened && (
        <p className="notice" role="status">
          <Icon name="clock" />
          <span>The map shows at most 24 hours: these are the last 24 of the chosen range.</span>
        </p>
      )}
      <div className={`map-stage ${fills ? "map-fills" : ""} ${full ? "map-full" : ""}`} ref={box}>
        {view !== "globe" && <MapBar map={map} picture={picture} full={full} toggleFull={toggle} />}
        <Scope search={search} state={state} change={keep} />
        {omitted !== null && (
          <p className="notice" role="status">
            <Icon name="warning" />
            <span>{omitted} Narrow the map with a focus or a shorter window to see them.</span>
          </p>
        )}
        {search.overlay !== undefined && state !== null && (
          <CompareNote earlier={map.earlier} comparison={map.comparison} />
        )}
        <div className={details ? "map-body map-with-details" : "map-body"}>
          <div
            className={isLoading && state !== null ? "map-main map-loading" : "map-main"}
            aria-busy={isLoading}
          >
            <MapStage filter={filter} map={map} picture={picture} />
          </div>
          {details && state !== null && (
            <MapDetails
              state={state}
              selected={selected}
              search={search}
              vlans={map.vlans}
              window={map.window}
              select={map.select}
              change={keep}
              toggleCluster={map.toggleCluster}
              expanded={map.expanded}
            />
          )}
        </div>
        <MapScrubber window={map.covered} live={map.live} setRange={map.setRange} />
      </div>
    </div>
  );
}

/** What the map of an incident covers. */
function EvidenceNote({ state }: { state: GraphState }) {
  const { from, to } = state.window;
  const unretained = unretainedText(state);
  return (
    <p className="notice" role="status">
      <Icon name="clock" />
      <span>
        All connections of the incident’s evidence, <Time at={from} /> to <Time at={to} />{" "}
        ({formatSpan(Date.parse(to) - Date.parse(from))}), with the traffic of that evidence only.
        {unretained !== null && ` ${unretained}`}
      </span>
    </p>
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
    text = "There is nothing to compare with: this map had no traffic in the same window of the day before.";
  } else if (comparison !== null) {
    const { newNodes, newLinks, goneNodes, goneLinks } = comparison;
    text = `Since the day before: ${plural(newNodes.size, "new node")}, ` +
      `${plural(newLinks.size, "new connection")}, ${plural(goneNodes.length, "node")} gone, ` +
      `${plural(goneLinks.length, "connection")} gone.` +
      (earlier.state?.truncated ? " The earlier map left some out, so not all may be new." : "");
  }
  return <p className="soft small" role="status">{text}</p>;
}
