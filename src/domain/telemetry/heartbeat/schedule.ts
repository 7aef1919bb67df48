// When an installation sends what to its registration server, decided from what was recorded. All times in microseconds.

export const MINUTE = 60_000_000;
export const DAY = 1440 * MINUTE;

/** Of a cycle. */
export const MOST_ATTEMPTS = 5;
const FIRST_BACKOFF = 30_000_000;
const LONGEST_BACKOFF = 15 * MINUTE;
/** A clock that is this much elsewhere than it must be was set; one that is corrected by less changes nothing. */
const JUMP = DAY;

const SEND_KINDS = ["registration", "heartbeat", "update"] as const;
export type SendKind = (typeof SEND_KINDS)[number];

/**
 * How a send ended: `sent`; `failed`, and is tried again; `refused` by the client's own guards, before anything was sent;
 * `pending` while it is under way, or where the process ended meanwhile.
 */
export type SendOutcome = "pending" | "sent" | "failed" | "refused";

export interface Versions {
  product: string;
  bundle: string;
}

/** A send of the present slot, oldest first. */
export interface SendRecord extends Versions {
  kind: SendKind;
  /** When it began. */
  at: number;
  outcome: SendOutcome;
}

/** What is recorded of this installation with this server. */
export interface SendHistory {
  /** Whether it is registered with the present licence. */
  registered: boolean;
  /** When the newest entry of any sort was made. */
  newestAt: number;
  /** What the newest heartbeat or baseline told of. */
  newest: Versions;
  /** Slot of the newest baseline: in it no heartbeat is due but for a changed version. */
  baselineSlot: number;
  /** Sends since that baseline with the slot of now; registrations only with the present licence. */
  sends: readonly SendRecord[];
}

interface Due {
  kinds: SendKind[];
  /** When a send that failed may be tried again, if nothing is due before; null where none waits. */
  againAt: number | null;
}

/** Minute of the UTC day, 0 to 1439: fixed, and spread over the day by the randomness of the identifier. */
export function slotMinute(installId: string): number {
  return Number.parseInt(installId.slice(-8), 16) % 1440;
}

/** Start of the newest slot that has begun. UTC has no summer time, and every day of it 1440 minutes. */
export function slotAt(now: number, installId: string): number {
  const offset = slotMinute(installId) * MINUTE;
  return Math.floor((now - offset) / DAY) * DAY + offset;
}

/**
 * Whether a baseline has to be recorded before anything is decided: at the first start, and where the clock was set by more than
 * a day. What was recorded under another clock says little; from then on the next slot is the next send. `drift` is how much
 * further the clock went than the time that passed since the last look of this process; 0 where nothing is known.
 */
export function needsBaseline(
  history: Pick<SendHistory, "newestAt"> | null,
  now: number,
  drift: number,
): boolean {
  return history === null || history.newestAt > now + JUMP || Math.abs(drift) > JUMP;
}

/** What is to be sent now, in this order. */
export function dueSends(history: SendHistory, slot: number, versions: Versions, now: number): Due {
  const { registered, sends } = history;
  const heartbeats = sends.filter(({ kind }) => kind === "heartbeat");
  const told = heartbeats.findLastIndex(({ outcome }) => outcome === "sent");
  const sinceTold = told === -1 ? null : sends.slice(sends.indexOf(heartbeats[told]!) + 1);
  const cycles: [SendKind, readonly SendRecord[] | null][] = [
    ["registration", registered ? null : sends.filter(({ kind }) => kind === "registration")],
    ["heartbeat", heartbeatCycle(history, slot, versions, heartbeats)],
    ["update", sinceTold?.filter(({ kind }) => kind === "update") ?? null],
  ];
  const due: Due = { kinds: [], againAt: null };
  for (const [kind, attempts] of cycles) {
    const at = attempts === null ? null : nextAttempt(attempts, now);
    if (at === null) continue;
    if (at <= now) due.kinds.push(kind);
    else due.againAt = Math.min(at, due.againAt ?? Infinity);
  }
  return due;
}

/** The attempts of the cycle that is open; null where none is. A changed version opens another one. */
function heartbeatCycle(
  { newest, baselineSlot }: SendHistory,
  slot: number,
  versions: Versions,
  heartbeats: readonly SendRecord[],
): readonly SendRecord[] | null {
  if (!sameVersions(newest, versions)) return [];
  const changed = heartbeats.findLastIndex((one) => !sameVersions(one, versions));
  const cycle = heartbeats.slice(changed + 1);
  // Without an attempt since the baseline there is nothing to tell before the next slot.
  return cycle.length === 0 && baselineSlot === slot ? null : cycle;
}

/** When a cycle goes on; null where it is at its end. */
function nextAttempt(attempts: readonly SendRecord[], now: number): number | null {
  const last = attempts.at(-1);
  if (last === undefined) return now;
  if (attempts.some(({ outcome }) => outcome === "sent" || outcome === "refused")) return null;
  if (attempts.length >= MOST_ATTEMPTS) return null;
  // A clock that was set back meanwhile must not make the wait longer.
  return last.at > now ? now : last.at + backoff(attempts.length);
}

/** After so many failures. */
export function backoff(failures: number): number {
  return Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1));
}

function sameVersions(one: Versions, other: Versions): boolean {
  return one.product === other.product && one.bundle === other.bundle;
}
