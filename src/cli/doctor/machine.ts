// The disk and the clock.

import { advanceClock, earliest, readClock } from "../../domain/health/clock-reading.ts";
import { diskState, sizeText } from "../../domain/health/disk.ts";
import { clockVerdict, diskVerdict, type Verdict } from "../../domain/health/room.ts";
import { databaseNow, readClockState } from "../../store/engine/clock-state.ts";
import { databaseDirectory, diskSpace } from "../../store/engine/database-directory.ts";
import type { Database } from "../../store/engine/database.ts";
import type { Check } from "./finding.ts";

/** What health says of a component, with the command that mends it. */
export function report(check: Check, { status, message }: Verdict, passed: string, remedy: string): void {
  if (status === "ok") check.pass(message ?? passed);
  else if (status === "unavailable") check.fail(message ?? status, remedy);
  else check.warn(message ?? status, remedy);
}

/** `db`: null if it cannot be opened; then the disk of the state folder is judged. */
export async function checkDisk(
  check: Check,
  db: Database | null,
  { databaseUrl, stateDir }: { databaseUrl: string; stateDir: string },
): Promise<void> {
  const embedded = /^embedded:(.+)$/.exec(databaseUrl)?.[1] ?? null;
  const directory = db === null ? embedded ?? stateDir : await databaseDirectory(db, databaseUrl, stateDir);
  const space = directory === null ? null : diskSpace(directory);
  if (directory !== null && space === null) {
    check.skip(`the space at ${directory} cannot be measured`);
    return;
  }
  report(
    check,
    diskVerdict({ directory, space, state: space === null ? "ok" : diskState("ok", space), refused: false }),
    space === null ? "" : `${sizeText(space.free)} of ${sizeText(space.size)} free at ${directory}`,
    "sudoedit /etc/ndr/ndr.env # NDR_RETENTION_DAYS, NDR_RETENTION_BYTES; then systemctl restart ndr.target",
  );
}

const SET_CLOCK = "timedatectl set-ntp true";
/** Left by what keeps the clock. */
const KEPT_BY: readonly (readonly [string, string])[] = [
  ["/run/systemd/timesync/synchronized", "synchronised by systemd-timesyncd"],
  ["/run/chrony", "kept by chronyd"],
  ["/run/ntpd.pid", "kept by ntpd"],
];
const CONTAINER = ["/run/systemd/container", "/run/.containerenv", "/.dockerenv"];

/** `exists`: whether there is such a path on this machine. */
export async function checkClock(
  check: Check,
  db: Database | null,
  exists: (path: string) => boolean,
): Promise<void> {
  const kept = KEPT_BY.find(([path]) => exists(path))?.[1];
  if (kept !== undefined) check.pass(kept);
  else if (CONTAINER.some(exists)) check.skip("this is a container: its host keeps the clock");
  else {
    check.warn("nothing on this machine keeps it right", `apt-get install systemd-timesyncd && ${SET_CLOCK}`);
  }
  if (db === null) return;
  const reading = await db.shared(async (tx) => {
    const before = Date.now() * 1000;
    const clocks = { before, database: await databaseNow(tx), after: Date.now() * 1000 };
    const known = await readClockState(tx) ?? { knownAt: earliest(clocks), leap: null };
    return readClock(advanceClock(known, clocks, { elapsed: 0, started: true }), clocks);
  });
  report(
    check,
    clockVerdict(reading),
    "agrees with the database's and with the time that has passed",
    SET_CLOCK,
  );
}
