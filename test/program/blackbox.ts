// Drives every documented operation of a service that runs as real processes, over HTTP only.

import assert from "node:assert/strict";
import { systemClock } from "../../src/kit/clock.ts";
import { operationOf } from "../contract/openapi/document.ts";
import { Drive } from "../contract/openapi/drive/driver.ts";
import { OPERATIONS, walkOperation } from "../contract/openapi/drive/walk.ts";
import { BROKEN_LINES, discover, worldLines } from "../contract/openapi/drive/world.ts";
import type { UpSource } from "../support/up.ts";

/**
 * Statuses that an outside client cannot provoke on demand: the response to a request still in progress, an
 * old cursor, a rate beyond the limit, a service fault, and the loss of the core. The in-process drive covers
 * all of them.
 */
const NOT_FROM_OUTSIDE = [409, 410, 429, 500, 503];

/** Operations that need no provider: the service has none. */
export const WITHOUT_MODEL = OPERATIONS.filter(([, { path, asksModel }]) =>
  !asksModel && !path.includes("{run_id}")
);

/** Sends records, waits for the results, and drives every operation. */
export async function driveService(
  baseUrl: string,
  coreUrl: string,
  sources: readonly UpSource[],
): Promise<Drive> {
  const now = systemClock.now();
  const lines = worldLines(now);
  for (const name of ["zeek", "suricata", "netflow"] as const) {
    const source = sources.find((one) => one.tenant_id === "main" && one.sensor_id.endsWith(name));
    assert.ok(source, `a source for ${name}`);
    const response = await fetch(`${coreUrl}/internal/v1/ingest/events`, {
      method: "POST",
      headers: { "authorization": `Bearer ${source.token}`, "content-type": "application/x-ndjson" },
      body: lines[name].join("\n"),
    });
    const { data } = await response.json();
    const broken = BROKEN_LINES[name];
    assert.deepEqual([data?.accepted, data?.rejected], [lines[name].length - broken, broken], name);
  }
  const drive = new Drive(baseUrl);
  await discover(drive, now, 60);
  for (const [id] of WITHOUT_MODEL) await walkOperation(drive, id);
  for (const [id] of WITHOUT_MODEL) {
    const documented = Object.keys(operationOf(id).responses).map(Number);
    const missed = documented.filter((status) =>
      !NOT_FROM_OUTSIDE.includes(status) && !drive.seen.get(id)?.has(status)
    );
    assert.deepEqual(missed, [], `${id}: documented, but never returned`);
  }
  return drive;
}
