// Decides from the send history what an installation sends to its registration server, and when. All times in
// microseconds.

export const MINUTE = 60_000_000;
export const DAY = 1440 * MINUTE;

/** Per cycle. */
export const MAX_ATTEMPTS = 5;
const FIRST_BACKOFF = 30_000_000;
const LONGEST_BACKOFF = 15 * MINUTE;
/** A clock that deviates by more than this was set; smaller corrections change nothing. */
const JUMP = DAY;

const SEND_KINDS = ["registration", "heartbeat", "update"] as const;
export type SendKind = (typeof SEND_KINDS)[number];

/**
 * How a send ended: `sent`; `failed` and to be retried; `refused` by the client's own guards before sending;
 * `pending` while in flight, or if the process ended meanwhile.
 */
export type SendOutcome = "pending" | "sent" | "failed" | "refused";

export interface Versions {
  product: string;
  bundle: string;
}

/** A send in the current slot. */
export interface SendRecord extends Versions {
  kind: SendKind;
  /** Start time. */
  at: number;
  outcome: SendOutcome;
}

/** What is recorded for this installation and server. */
export interface SendHistory {
  /** Whether it is registered with the current licence. */
  registered: boolean;
  /** Time of the newest entry of any kind. */
  newestAt: number;
  /** Versions in the newest heartbeat or baseline. */
  newest: Versions;
  /** Slot of the newest baseline: no heartbeat is due in it except for a changed version. */
  baselineSlot: number;
  /**
   * Sends since that baseline in the current slot, oldest first; registrations only with the current licence.
   */
  sends: readonly SendRecord[];
}

interface Due {
  kinds: SendKind[];
  /** Earliest retry of a failed send; null if none is waiting. */
  againAt: number | null;
}

/** Minute of the UTC day, 0 to 1439: fixed per installation, spread over the day by the random identifier. */
export function slotMinute(installId: string): number {
  return Number.parseInt(installId.slice(-8), 16) % 1440;
}

/** Start of the current slot. UTC has no daylight saving time, so every day has 1440 minutes. */
export function slotAt(now: number, installId: string): number {
  const offset = slotMinute(installId) * MINUTE;
  return Math.floor((now - offset) / DAY) * DAY + offset;
}

/**
 * Whether a baseline must be recorded first: at the first start, and after the clock was set by more than a
 * day, because the history was then recorded under another clock. The next slot is then the next send.
 * `drift`: how far the clock has moved beyond the elapsed time since this process's last check; 0 if unknown.
 */
export function needsBaseline(
  history: Pick<SendHistory, "newestAt"> | null,
  now: number,
  drift: number,
): boolean {
  return history === null || history.newestAt > now + JUMP || Math.abs(drift) > JUMP;
}

/** The sends due now, in order. */
export function dueSends(history: SendHistory, slot: number, versions: Versions, now: number): Due {
  const { registered, sends } = history;
  const heartbeats = sends.filter(({ kind }) => kind === "heartbeat");
  const lastSent = heartbeats.findLastIndex(({ outcome }) => outcome === "sent");
  const sinceSent = lastSent === -1 ? null : sends.slice(sends.indexOf(heartbeats[lastSent]!) + 1);
  const cycles: [SendKind, readonly SendRecord[] | null][] = [
    ["registration", registered ? null : sends.filter(({ kind }) => kind === "registration")],
    ["heartbeat", heartbeatCycle(history, slot, versions, heartbeats)],
    ["update", sinceSent?.filter(({ kind }) => kind === "update") ?? null],
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

/** Attempts of the open cycle; null if there is none. A changed version opens a new cycle. */
function heartbeatCycle(
  { newest, baselineSlot }: SendHistory,
  slot: number,
  versions: Versions,
  heartbeats: readonly SendRecord[],
): readonly SendRecord[] | null {
  if (!sameVersions(newest, versions)) return [];
  const changed = heartbeats.findLastIndex((one) => !sameVersions(one, versions));
  const cycle = heartbeats.slice(changed + 1);
  // Without an attempt since the baseline, nothing is due before the next slot.
  return cycle.length === 0 && baselineSlot === slot ? null : cycle;
}

/** Time of a cycle's next attempt; null if the cycle is over. */
function nextAttempt(attempts: readonly SendRecord[], now: number): number | null {
  const last = attempts.at(-1);
  if (last === undefined) return now;
  if (attempts.some(({ outcome }) => outcome === "sent" || outcome === "refused")) return null;
  if (attempts.length >= MAX_ATTEMPTS) return null;
  // A clock set back meanwhile must not extend the wait.
  return last.at > now ? now : last.at + backoff(attempts.length);
}

/** Delay after this many failures, microseconds. */
export function backoff(failures: number): number {
  return Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1));
}

function sameVersions(one: Versions, other: Versions): boolean {
  return one.product === other.product && one.bundle === other.bundle;
}
