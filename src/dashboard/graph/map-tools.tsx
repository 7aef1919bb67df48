/// <reference lib="dom" />
import { ChoiceFilter, type Options } from "../ui/field/select-field.tsx";
import { Icon, type IconName } from "../ui/icons.tsx";
import { plural } from "../ui/format.ts";
import type { MapColour, MapOverlay, MapSearch } from "./map-search.ts";

const COLOURS: Options<Exclude<MapColour, "severity">> = [
  ["vlan", "Colour: VLAN"],
  ["country", "Colour: country"],
];
const OVERLAYS: Options<MapOverlay> = [
  ["new", "New since the day before"],
  ["gone", "Gone since the day before"],
  ["both", "New and gone since the day before"],
];

interface IconButtonProps {
  icon: IconName;
  label: string;
  pressed?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

export function IconButton({ icon, label, pressed, disabled, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className="button-icon"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface ToolsProps {
  search: MapSearch;
  change: (search: Partial<MapSearch>) => void;
  find: string;
  found: number;
  setFind: (text: string) => void;
  /** Selects the first node that was found. */
  openFound: () => void;
}

/** Search, colours and the comparison. */
export function MapTools({ search, change, find, found, setFind, openFound }: ToolsProps) {
  return (
    <div className="map-tools">
      <label className="map-find">
        <span className="hidden">Find by name, address, network or country</span>
        <Icon name="search" />
        <input
          type="search"
          value={find}
          placeholder="Find a name, address, AS…"
          onChange={(event) => setFind(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && openFound()}
        />
        <span className="muted small" role="status">
          {find === "" ? "" : plural(found, "match", "matches")}
        </span>
      </label>
      <ChoiceFilter
        label="Colour"
        otherwise="severity"
        value={search.colour === "severity" ? undefined : search.colour}
        options={COLOURS}
        set={(colour) => change({ colour })}
      />
      <ChoiceFilter
        label="Compare with the day before"
        otherwise="off"
        value={search.overlay}
        options={OVERLAYS}
        set={(overlay) => change({ overlay })}
      />
    </div>
  );
}
