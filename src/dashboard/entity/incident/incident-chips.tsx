import { EntityChip } from "../entity-chip.tsx";
import { useDeviceName } from "../../base/devices.ts";

interface DeviceChipsProps {
  ids: readonly string[];
  names?: Readonly<Record<string, string>>;
  /** How many are named; the others are counted. */
  most?: number;
}

/** The devices of an incident, the primary one first. */
export function DeviceChips({ ids, names = {}, most = 3 }: DeviceChipsProps) {
  const nameOf = useDeviceName(ids.slice(0, most).some((id) => names[id] === undefined));
  if (ids.length === 0) return <span className="muted">No device</span>;
  return (
    <span className="device-names">
      {ids.slice(0, most).map((id) => (
        <EntityChip key={id} kind="device" value={id} label={names[id] ?? nameOf(id)} />
      ))}
      {ids.length > most && <span className="muted">+{ids.length - most}</span>}
    </span>
  );
}

/** The detectors with results in an incident. */
export function DetectorChips({ ids }: { ids: readonly string[] }) {
  return (
    <span className="device-names">
      {ids.map((id) => <EntityChip key={id} kind="detector" value={id} />)}
    </span>
  );
}
