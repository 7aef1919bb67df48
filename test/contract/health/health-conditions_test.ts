// The condition of each status is documented, and the documents match the program.

import assert from "node:assert/strict";
import {
  COMPONENT_KINDS,
  conditionsTable,
  HEALTH_CONDITIONS,
  PATIENCE_TEXT,
} from "../../../src/contract/health/conditions.ts";
import { HEALTH_STATUSES } from "../../../src/contract/record/kinds.ts";
import { openApiText } from "../../../src/contract/openapi.ts";
import { fullBelow, lowBelow } from "../../../src/domain/health/disk.ts";
import { PAUSE_MINUTES } from "../../../src/domain/health/rhythm.ts";

const flat = (text: string) => text.replaceAll(/\s+/g, " ");

Deno.test("health: the OpenAPI document has the condition of each status of each component kind", () => {
  const { description } = JSON.parse(openApiText()).paths["/api/v1/health"].get;
  assert.ok(description.includes(conditionsTable()));
  assert.ok(description.includes(PATIENCE_TEXT));
  const rows = conditionsTable().split("\n").slice(2);
  assert.equal(rows.length, COMPONENT_KINDS.length);
  for (const row of rows) assert.equal(row.split(" | ").length, HEALTH_STATUSES.length + 2, row);
});

Deno.test("health: the numbers in the documents are those of the program", () => {
  const GIB = 1024 ** 3;
  const MIB = 1024 ** 2;
  const text = Object.values(HEALTH_CONDITIONS.disk.when).join();
  const bounds = (of: typeof lowBelow) => [50, 400, 100_000].map((size) => of({ size: size * GIB, free: 0 }));
  assert.deepEqual(bounds(lowBelow), [2.5 * GIB, 20 * GIB, 50 * GIB]);
  assert.match(text, /5 % is free \(at least 2 GiB, at most 50 GiB\)/);
  assert.deepEqual(bounds(fullBelow), [0.5 * GIB, 4 * GIB, 10 * GIB]);
  assert.equal(fullBelow({ size: 20 * GIB, free: 0 }), 256 * MIB);
  assert.match(text, /1 % is free \(at least 256 MiB, at most 10 GiB\)/);
  const sizes = flat(/rounded up to (.*?)\)/s.exec(PATIENCE_TEXT)![1]!);
  const [minutes, hours] = sizes.split(" minutes, ");
  const numbers = (part: string) => (part.match(/\d+/g) ?? []).map(Number);
  assert.deepEqual([...numbers(minutes!), ...numbers(hours!).map((one) => one * 60)], PAUSE_MINUTES);
});
