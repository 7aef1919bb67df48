import assert from "node:assert/strict";
import { coverageColumns, hoursPerColumn } from "./coverage-columns.ts";

Deno.test("a day has a column per hour, a month one per day", () => {
  assert.equal(hoursPerColumn(25), 1);
  assert.equal(hoursPerColumn(7 * 24), 6);
  assert.equal(hoursPerColumn(30 * 24 + 1), 24);
});

Deno.test("a column counts the hours that are known", () => {
  const hours = Array.from({ length: 48 }, (_, at) => new Date(Date.UTC(2026, 0, 1, at)).toISOString());
  const received = hours.map((_, at) =>
    at < 3 ? null : at === 4 ? false : at < 24 ? true : at < 47 ? false : null
  );
  const { starts, step, sensors } = coverageColumns({ hours, sensors: [{ sensor_id: "zeek-1", received }] });
  assert.equal(step, 2 * 3_600_000);
  assert.equal(starts.length, 24);
  const cells = sensors[0]!.cells;
  assert.deepEqual(cells.slice(0, 4), [
    null,
    { received: 1, known: 1 },
    { received: 1, known: 2 },
    { received: 2, known: 2 },
  ]);
  assert.deepEqual(cells.at(-1), { received: 0, known: 1 });
});
