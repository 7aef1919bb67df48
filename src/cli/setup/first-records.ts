// Waits for the first record of each sensor that was connected.

import { messageOf } from "../../kit/errors.ts";

/** When each sensor's newest record arrived (RFC 3339). */
export type Receipts = () => Promise<ReadonlyMap<string, string>>;

interface Waiting {
  sensorIds: readonly string[];
  receipts: Receipts;
  /** Milliseconds since 1970: earlier records do not count. */
  since: number;
  seconds: number;
  /** Shows a line that the next one replaces. */
  progress(line: string): void;
  say(line: string): void;
  delay?: (ms: number) => Promise<void>;
  now?: () => number;
}

const POLL_MS = 1000;

/** Says when each sensor's first record came. Returns the sensors of which none did, and why the core cannot be asked. */
export async function firstRecords(
  { sensorIds, receipts, since, seconds, progress, say, delay = pause, now = Date.now }: Waiting,
): Promise<{ silent: string[]; fault: string | null }> {
  const start = now();
  let silent = [...sensorIds];
  let fault: string | null = null;
  while (silent.length > 0) {
    try {
      const newest = await receipts();
      fault = null;
      const arrived = silent.filter((id) => Date.parse(newest.get(id) ?? "") >= since);
      for (const id of arrived) say(`${id}: the first record arrived`);
      silent = silent.filter((id) => !arrived.includes(id));
    } catch (error) {
      fault = messageOf(error);
    }
    const waited = Math.round((now() - start) / 1000);
    if (silent.length === 0 || waited >= seconds) break;
    progress(`Waiting for the first record of ${silent.join(", ")}: ${waited} of ${seconds} s`);
    await delay(POLL_MS);
  }
  progress("");
  return { silent, fault };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
