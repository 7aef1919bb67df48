import { setLive } from "../base/live.ts";
import { useSignedIn } from "../base/session.ts";
import { plural } from "../ui/format.ts";
import { IconButton, MapTools } from "./map-tools.tsx";
import { type MapPicture, saveMap } from "./use-map-picture.ts";
import type { MapState } from "./use-map-state.ts";

interface BarProps {
  map: MapState;
  picture: MapPicture;
  full: boolean;
  toggleFull: () => void;
}

/** The tools above the map; a drawn network has buttons of its own. */
export function MapBar(props: BarProps) {
  const { search, change, find, found, setFind, select, view } = props.map;
  const { renderer, webGl } = props.picture;
  const openFound = () => {
    const [first] = found;
    if (first === undefined) return;
    select(first);
    renderer.current?.camera.reveal(first);
  };
  return (
    <div className="map-bar">
      <MapTools
        search={search}
        change={change}
        find={find}
        found={found.length}
        setFind={setFind}
        openFound={openFound}
      />
      {view === "network" && webGl && <PictureButtons {...props} />}
    </div>
  );
}

function PictureButtons({ map, picture, full, toggleFull }: BarProps) {
  const { tenantName } = useSignedIn();
  const { paused, status, scene } = map;
  const { renderer, ready, arranging, moved } = picture;
  const save = () => {
    if (renderer.current !== null && scene !== null) saveMap(renderer.current, scene, map.colour, tenantName);
  };
  return (
    <div className="map-buttons">
      <button
        type="button"
        className="button button-small"
        disabled={!ready || arranging !== null}
        onClick={() => void renderer.current?.arrange()}
      >
        {arranging === null ? "Arrange" : `Arranging… ${Math.round(arranging * 100)}%`}
      </button>
      {moved > 0 && (
        <button
          type="button"
          className="button button-small"
          disabled={arranging !== null}
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
      <IconButton icon="download" label="Save as PNG" disabled={!ready} onClick={save} />
      <IconButton
        icon="expand"
        label={full ? "Leave full screen" : "Full screen"}
        pressed={full}
        onClick={toggleFull}
      />
    </div>
  );
}
