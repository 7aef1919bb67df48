// The README's table of licence states is what the program goes by.

import assert from "node:assert/strict";
import { LICENSE_STATES } from "../../../src/contract/health/metrics.ts";
import { NO_SERVICES, serviceParts } from "../../../src/domain/health/services.ts";
import { LICENSE_RULES } from "../../../src/domain/telemetry/license/state.ts";

const README = await Deno.readTextFile(new URL("../../../README.md", import.meta.url));
const MODULES = { none: "none", read_write: "read and write", read_only: "read only" };

Deno.test("licence states: the README has the full set, with plan, Pro modules and health of each", () => {
  const [, section] = /^## Pro licence\n([^]*?)^## /m.exec(README)!;
  const rows = section!.split("\n").filter((row) => row.startsWith("| `"))
    .map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", "")));
  const expected = LICENSE_STATES.map((state) => {
    const { when, plan, proModules } = LICENSE_RULES[state];
    const license = { ...NO_SERVICES.license, state };
    const health = serviceParts({ ...NO_SERVICES, license }, 0)[0]!.component.status;
    return [state, when, plan, MODULES[proModules], health];
  });
  assert.deepEqual(rows, expected);
});
