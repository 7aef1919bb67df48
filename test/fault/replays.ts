// Replays recordings into a running program that may be killed at any moment.

import { replay } from "../../src/cli/replay/engine.ts";
import type { ReplayResult } from "../../src/cli/replay/types.ts";
import type { UpAddresses } from "../support/up.ts";

const DATA = new URL("../data/", import.meta.url).pathname;

/** Files that one sensor sends. */
export interface Recordings {
  sensor: string;
  files: readonly string[];
}

/** Nearly 6,000 records. */
export const CAPTURES: readonly Recordings[] = [
  {
    sensor: "main-zeek",
    files: [
      `${DATA}sample/brobeat/conn.log`,
      `${DATA}sample/brobeat/dns.log`,
      `${DATA}sample/apt29-nashua/conn.ndjson.gz`,
      `${DATA}sample/apt29-nashua/dns.ndjson`,
      `${DATA}sample/saitama/conn.ndjson`,
      `${DATA}sample/saitama/dns.ndjson`,
      `${DATA}captures/ctu13-rbot/conn.ndjson.gz`,
      `${DATA}captures/two-sensors/conn.log`,
    ],
  },
  {
    sensor: "main-suricata",
    files: [
      `${DATA}sample/wrccdc-2017/alerts.json`,
      `${DATA}sample/cdmcs/eve.ndjson.gz`,
      `${DATA}captures/two-sensors/eve.ndjson.gz`,
      `${DATA}captures/suricatalog/eve-2.ndjson.gz`,
    ],
  },
];

/** What the program and its sender do at some instant. */
export type Instant = "starting" | "sending" | "waiting" | "sent";

/**
 * Replays recordings one after the other, so that records arrive in the same order in every run, and tracks the progress.
 */
export class Replays {
  acknowledged = 0;
  #state: Instant = "waiting";
  readonly #stop = new AbortController();

  constructor(private readonly recordings: readonly Recordings[], private readonly batchLines: number) {}

  get state(): Instant {
    return this.#state;
  }

  abort(): void {
    this.#stop.abort();
  }

  async run(up: Pick<UpAddresses, "coreUrl" | "sources">): Promise<ReplayResult[]> {
    const results: ReplayResult[] = [];
    for (const { sensor, files } of this.recordings) {
      const { token } = up.sources.find(({ sensor_id: id }) => id === sensor)!;
      const before = this.acknowledged;
      const result = await replay(
        { files: [...files], url: up.coreUrl, token, batchLines: this.batchLines, signal: this.#stop.signal },
        {
          onProgress: ({ records, waiting }) => {
            this.acknowledged = before + records;
            this.#state = waiting === null ? "sending" : "waiting";
          },
          // The real backoff, shortened.
          sleep: (ms) => delay(Math.min(ms, 50)),
        },
      );
      results.push(result);
    }
    this.#state = "sent";
    return results;
  }
}

/** A file of lines that ingest rejects. */
export async function malformedLines(): Promise<string> {
  const path = await Deno.makeTempFile({ prefix: "ndr-kill-", suffix: ".ndjson" });
  const lines = Array.from(
    { length: 40 },
    (_, index) => `{"kind":"zeek.conn","payload":{"number":${index}}}`,
  );
  await Deno.writeTextFile(path, lines.join("\n"));
  return path;
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
