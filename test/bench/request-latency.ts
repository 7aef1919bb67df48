import type { Appliance } from "./appliance.ts";

/** What the dashboard's incident and flow pages load. */
const TARGETS = ["/api/v1/incidents?limit=50", "/api/v1/flows?limit=50"];
const PAUSE_MILLISECONDS = 25;

/** Milliseconds from each dashboard request to the last byte of its answer, sorted, measured until `end` settles. */
export async function requestLatencies(appliance: Appliance, end: Promise<unknown>): Promise<number[]> {
  let running = true;
  end.finally(() => running = false).catch(() => {});
  const latencies: number[] = [];
  for (let request = 0; running; request++) {
    const begun = performance.now();
    await appliance.get(TARGETS[request % TARGETS.length]!);
    latencies.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
  return latencies.sort((a, b) => a - b);
}
