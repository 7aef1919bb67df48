/// <reference lib="dom" />
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { UnappliedFilter } from "../search/filtered-list.tsx";
import type { ListFilter } from "../search/use-filter.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { describeNode } from "./graph-labels.ts";
import { neighbours } from "./graph-model.ts";
import { MapLegend } from "./map-legend.tsx";
import { MapTables } from "./map-tables.tsx";
import { IconButton } from "./map-tools.tsx";
import type { MapScene } from "./network/map-look.ts";
import { NetworkMap } from "./network/network-map.tsx";
import type { MapPicture } from "./use-map-picture.ts";
import type { MapState } from "./use-map-state.ts";

const Globe = lazy(async () => ({ default: (await import("./globe.tsx")).Globe }));

interface StageProps {
  map: MapState;
  picture: MapPicture;
}

/** The network, the globe or the tables; otherwise why there is nothing to see. */
export function MapStage({ filter, map, picture }: StageProps & { filter: ListFilter }): ReactNode {
  const { scene, view, site, error } = map;
  if (map.isInvalid || filter.refused) {
    return <UnappliedFilter filter={filter} label="Map" clear={map.clearFilter} />;
  }
  if (scene === null) {
    if (map.isPending || error === null) return <Reading isLong={map.isStillReading} />;
    return <ErrorState what="The map" error={error} retry={map.refetch} />;
  }
  if (view === "globe") {
    if (site === undefined) return <SkeletonBlock tall />;
    return (
      <Suspense fallback={<SkeletonBlock tall />}>
        <Globe state={scene.state} site={site} />
      </Suspense>
    );
  }
  if (scene.state.nodes.size === 0) return <NoTraffic map={map} />;
  if (view === "table") return <Tables map={map} scene={scene} />;
  if (picture.webGl) return <Network map={map} picture={picture} scene={scene} />;
  return (
    <>
      <p className="notice notice-warning" role="status">
        <Icon name="warning" />
        <span>
          This browser cannot draw the map because WebGL is not available. The table shows the same data.
        </span>
      </p>
      <Tables map={map} scene={scene} />
    </>
  );
}

const PATIENCE_MILLISECONDS = 3000;

/** Before the first map, which takes longer while the server reads the traffic of the last day. */
function Reading({ isLong }: { isLong: boolean }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="map-reading">
      <SkeletonBlock tall />
      {(isLong || isLate) && (
        <p className="soft" role="status">
          Still reading the traffic of this window. The first map after a start takes longer.
        </p>
      )}
    </div>
  );
}

function NoTraffic({ map: { search, clearFilter } }: Pick<StageProps, "map">) {
  if (search.filter !== undefined) {
    return (
      <Empty icon="map" title="No traffic in this window meets the filter">
        <button type="button" className="button" onClick={clearFilter}>Clear the filter</button>
      </Empty>
    );
  }
  return (
    <Empty icon="map" title="No traffic in this window">
      <p className="soft">Choose a longer window, or check in Health whether sensors send records.</p>
    </Empty>
  );
}

function Tables({ map: { find, vlans, select }, scene }: { map: MapState; scene: MapScene }) {
  const { state, found, comparison } = scene;
  return (
    <MapTables
      state={state}
      vlans={vlans}
      onSelect={select}
      found={found.size > 0 || find.trim().length > 1 ? found : null}
      comparison={comparison}
    />
  );
}

/** The drawn network with its legend and zoom. */
function Network({ map, picture, scene }: StageProps & { scene: MapScene }) {
  const { renderer, setReady, arranging, setArranging, setMoved } = picture;
  const { state, selected, colouring, comparison } = scene;
  const node = selected === null ? undefined : state.nodes.get(selected);
  const description = node === undefined
    ? ""
    : describeNode(node, neighbours(state).get(node.node_id)?.length ?? 0, map.vlans);
  return (
    <>
      <NetworkMap
        scene={scene}
        description={description}
        onSelect={map.select}
        onOpen={map.open}
        onEnter={() => document.getElementById("map-details-title")?.focus()}
        onArranging={setArranging}
        onMoved={setMoved}
        onReady={setReady}
        renderer={renderer}
      />
      {arranging !== null && (
        <progress className="map-progress" aria-label="Arranging the map" value={arranging} />
      )}
      <MapLegend
        colour={map.colour}
        entries={colouring.legend}
        compared={comparison !== null}
        onToggle={() => renderer.current?.camera.resize()}
      />
      <div className="map-zoom" role="group" aria-label="Zoom">
        <IconButton icon="plus" label="Zoom in" onClick={() => renderer.current?.camera.zoom(1)} />
        <IconButton icon="minus" label="Zoom out" onClick={() => renderer.current?.camera.zoom(-1)} />
        <IconButton icon="fit" label="Show the whole map" onClick={() => renderer.current?.camera.fit()} />
      </div>
    </>
  );
}
