const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** The room on one filesystem, in bytes, as its ordinary users have it. */
export interface DiskSpace {
  size: number;
  free: number;
}

/** `low` is told to people; while it is `full`, nothing is taken in. */
export type DiskState = "ok" | "low" | "full";

/**
 * Below this it is low: a twentieth of the filesystem, though 2 GiB at least, so that there is time to act on a small
 * one, and 50 GiB at most, since nobody needs half a terabyte as a warning.
 */
export function lowBelow({ size }: DiskSpace): number {
  return share(size, { part: 0.05, atLeast: 2 * GIB, atMost: 50 * GIB, ofTiny: 0.2 });
}

/**
 * Below this it is full: a hundredth, though 256 MiB at least, because the database needs room for its log to stay
 * alive and to drop what is old, and 10 GiB at most.
 */
export function fullBelow({ size }: DiskSpace): number {
  return share(size, { part: 0.01, atLeast: 256 * MIB, atMost: 10 * GIB, ofTiny: 0.1 });
}

/** A state is left for a better one only with a quarter more room than it was entered below, so that it does not flap. */
const RETURN_FACTOR = 1.25;

/** The room at which ingest begins again after it was stopped. */
export function openFrom(space: DiskSpace): number {
  return fullBelow(space) * RETURN_FACTOR;
}

/** The state after a look at the disk, given the one before; the first look has `ok` before it. */
export function diskState(before: DiskState, space: DiskSpace): DiskState {
  const { free } = space;
  if (free < fullBelow(space) || (before === "full" && free < openFrom(space))) return "full";
  if (free < lowBelow(space) || (before !== "ok" && free < lowBelow(space) * RETURN_FACTOR)) return "low";
  return "ok";
}

/** `ofTiny` is the most that the fixed minimum may take of a filesystem that has hardly more than that itself. */
function share(
  size: number,
  { part, atLeast, atMost, ofTiny }: { part: number; atLeast: number; atMost: number; ofTiny: number },
): number {
  return Math.min(Math.max(size * part, atLeast), atMost, size * ofTiny);
}

/** What is known of the disk that holds the database. */
export interface DiskFacts {
  /** A folder on that filesystem; null where the database is on another machine and only its refusals are seen. */
  directory: string | null;
  space: DiskSpace | null;
  state: DiskState;
  /** The database itself said that it has no room, and has stored nothing since. */
  refused: boolean;
}

/** How `NDR_RETENTION_BYTES` fares, in bytes. */
export interface SpaceFacts {
  limit: number;
  bytes: number;
  /** False where dropping all that may go was not enough. */
  kept: boolean;
}

/** `1.5 GiB`: for people, in the unit in which it is at least one. */
export function sizeText(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
