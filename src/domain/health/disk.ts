const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Space of a filesystem available to ordinary users, bytes. */
export interface DiskSpace {
  size: number;
  free: number;
}

/** `low` is reported; while `full`, ingest is stopped. */
export type DiskState = "ok" | "low" | "full";

/**
 * Free space below which the disk is low, bytes: 5 % of the filesystem, at least 2 GiB (time to act on a
 * small one) and at most 50 GiB.
 */
export function lowBelow({ size }: DiskSpace): number {
  return bounded(size, { part: 0.05, atLeast: 2 * GIB, atMost: 50 * GIB, ofTiny: 0.2 });
}

/**
 * Free space below which the disk is full, bytes: 1 %, at least 256 MiB (the database needs room for its log
 * and for dropping old data) and at most 10 GiB.
 */
export function fullBelow({ size }: DiskSpace): number {
  return bounded(size, { part: 0.01, atLeast: 256 * MIB, atMost: 10 * GIB, ofTiny: 0.1 });
}

/** Hysteresis: improving requires 25 % more free space than the threshold. */
const RETURN_FACTOR = 1.25;

/** Free space at which ingest resumes, bytes. */
export function resumeFrom(space: DiskSpace): number {
  return fullBelow(space) * RETURN_FACTOR;
}

/** The state after a check, given the previous one (initially `ok`). */
export function diskState(before: DiskState, space: DiskSpace): DiskState {
  const { free } = space;
  if (free < fullBelow(space) || (before === "full" && free < resumeFrom(space))) return "full";
  if (free < lowBelow(space) || (before !== "ok" && free < lowBelow(space) * RETURN_FACTOR)) return "low";
  return "ok";
}

/** `ofTiny`: maximum share of the filesystem the fixed minimum may take. */
function bounded(
  size: number,
  { part, atLeast, atMost, ofTiny }: { part: number; atLeast: number; atMost: number; ofTiny: number },
): number {
  return Math.min(Math.max(size * part, atLeast), atMost, size * ofTiny);
}

/** State of the disk that holds the database. */
export interface DiskFacts {
  /**
   * A folder on that filesystem; null if the database is on another machine, where only its refusals are
   * visible.
   */
  directory: string | null;
  space: DiskSpace | null;
  state: DiskState;
  /** The database reported a full disk and has stored nothing since. */
  refused: boolean;
}

/** State of the `NDR_RETENTION_BYTES` limit, bytes. */
export interface SpaceFacts {
  limit: number;
  bytes: number;
  /** False if dropping everything droppable was not enough. */
  kept: boolean;
}

/** `1.5 GiB`: the largest unit with a value of at least one. */
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
