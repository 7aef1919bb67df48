// New devices of one network on one day.
import type { Micros } from "../../record/observation.ts";
import { MAX_IP_TEXT } from "../kernel/destination-usage.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { idFirstRefs } from "../kernel/state/id-first-refs.ts";
import {
  defineState,
  float,
  floatOrNull,
  list,
  record,
  tenths,
  text,
  varint,
} from "../kernel/state/schema.ts";

/** Devices per network and day that are listed individually; all are counted. */
export const MAX_LISTED = 8;
/** Devices are counted exactly up to this number. */
const EXACT_DEVICES = 64;
/** Characters of a device id and of a self-description. */
const MAX_DEVICE_ID = 64;
const MAX_DESCRIPTION = 120;

export interface NewDevices {
  /** Days since the Unix epoch, UTC; null before the first device. */
  day: number | null;
  devices: Distinct;
  firstSeen: Micros;
  lastSeen: Micros;
  /** `description` is how the device describes itself in DHCP; may be empty. */
  listed: { deviceId: string; ip: string; description: string }[];
  refs: EvidenceRef[];
  evaluatedCount: number;
  reportedScore: number;
}

/** Keys: a network, by the first 24 bits of an IPv4 address or 64 bits of an IPv6 address. */
export const NEW_DEVICES = defineState<NewDevices>({
  id: 46,
  name: "new devices",
  keepDays: 3,
  version: 1,
  empty: () => newDevices(null, 0),
  fields: record<NewDevices>({
    day: floatOrNull,
    devices: distinct(EXACT_DEVICES),
    firstSeen: float,
    lastSeen: float,
    listed: list(
      record<NewDevices["listed"][number]>({
        deviceId: text(MAX_DEVICE_ID),
        ip: text(MAX_IP_TEXT),
        description: text(MAX_DESCRIPTION),
      }),
      MAX_LISTED,
    ),
    refs: idFirstRefs(MAX_LISTED),
    evaluatedCount: varint,
    reportedScore: tenths,
  }),
});

export function newDevices(day: number | null, at: Micros): NewDevices {
  return {
    day,
    devices: new Distinct(EXACT_DEVICES),
    firstSeen: at,
    lastSeen: at,
    listed: [],
    refs: [],
    evaluatedCount: 0,
    reportedScore: 0,
  };
}
