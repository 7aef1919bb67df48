// Devices for identity tests; times in hours from a Monday.
import { type AnchorClass, clueOf } from "../../../src/domain/device/identity/anchors.ts";
import type { DeviceEvidence, Group, Standing } from "../../../src/domain/device/identity/same-device.ts";

const HOUR = 3_600_000_000;
const MONDAY = 1_768_780_800_000_000;

function hour(hours: number): number {
  return MONDAY + hours * HOUR;
}

export interface Sketch {
  ip: string;
  /** First and last seen, in hours. */
  seen: [number, number];
  standing?: Standing;
  anchors?: [AnchorClass, string][];
}

/** A device named and identified by its address. */
export function device({ ip, seen, standing = "observed", anchors = [] }: Sketch): DeviceEvidence {
  const [firstSeen, lastSeen] = [hour(seen[0]), hour(seen[1])];
  return {
    deviceId: `device ${ip}`,
    addresses: [ip],
    displayName: ip,
    standing,
    firstSeen,
    lastSeen,
    clues: anchors.map(([kind, value]) =>
      clueOf({
        class: kind,
        value,
        source: "suricata",
        firstSeen,
        lastSeen,
        days: [Math.floor(firstSeen / (24 * HOUR))],
      })
    ),
  };
}

export function group(...sketches: [Sketch, ...Sketch[]]): Group {
  const [first, ...rest] = sketches;
  return [device(first), ...rest.map(device)];
}

/** Every `step`-th five-minute slot of these hours. */
export function slots(from: number, to: number, step = 1): number[] {
  const first = Math.floor(hour(from) / 300_000_000);
  return Array.from({ length: Math.ceil((to - from) * 12 / step) }, (_, i) => first + i * step);
}
