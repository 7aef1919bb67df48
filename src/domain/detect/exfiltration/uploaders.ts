// The largest uploads to a destination, by device: what others send there, too, is how the service is used.
import { hash32 } from "../kernel/state/distinct.ts";
import { defineState, list, record, varint } from "../kernel/state/schema.ts";

/** Smaller uploads are not recorded. */
export const MIN_RECORDED = 1_000_000;
/** Devices kept: those with the largest uploads. */
const MAX_UPLOADERS = 16;
/** An upload is ordinary if this many other devices sent at least this share of it at once. */
const ORDINARY = { devices: 3, share: 0.5 } as const;
/** Sizes are kept as logarithms in quarters of a doubling, rounded down. */
const STEPS_PER_DOUBLING = 4;

interface Uploader {
  /** Hash of its id. */
  device: number;
  /** Logarithm of its largest upload in one record of a connection. */
  size: number;
}

/** Largest first, then by device, so that the order of arrival does not matter. */
export interface UploadersState {
  largest: Uploader[];
}

/** Keys: a server name, or an address if there is none. Typically less than 100 bytes. */
export const UPLOADERS = defineState<UploadersState>({
  id: 36,
  name: "largest uploads to a destination",
  keepDays: 30,
  version: 1,
  empty: () => ({ largest: [] }),
  fields: record({ largest: list(record<Uploader>({ device: varint, size: varint }), MAX_UPLOADERS) }),
});

/** Whether enough other devices sent about as many bytes at once. */
export function isOrdinary({ largest }: UploadersState, deviceId: string, bytes: number): boolean {
  const device = hash32(deviceId);
  const least = bytes * ORDINARY.share;
  const others = largest.filter((one) =>
    one.device !== device && 2 ** (one.size / STEPS_PER_DOUBLING) >= least
  );
  return others.length >= ORDINARY.devices;
}

/** Records an upload in place; returns whether the state changed. */
export function recordUpload(state: UploadersState, deviceId: string, bytes: number): boolean {
  const device = hash32(deviceId);
  const size = Math.floor(Math.log2(bytes) * STEPS_PER_DOUBLING);
  const { largest } = state;
  const known = largest.find((one) => one.device === device);
  if (known !== undefined) {
    if (size <= known.size) return false;
    known.size = size;
  } else largest.push({ device, size });
  largest.sort((a, b) => b.size - a.size || a.device - b.device);
  return largest.length <= MAX_UPLOADERS || largest.pop()!.device !== device;
}
