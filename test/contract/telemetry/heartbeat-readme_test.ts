// What the README says of the heartbeat is what is sent.

import assert from "node:assert/strict";
import { HEARTBEAT_FIELDS, type HeartbeatField } from "../../../src/contract/telemetry/heartbeat.ts";

Deno.test("the README has the complete payload: every field, what it tells, what it may hold, and no other", async () => {
  const readme = await Deno.readTextFile(new URL("../../../README.md", import.meta.url));
  const section = readme.split(/\n(?=## )/).find((text) => text.startsWith("## Heartbeat\n"))!;
  const rows = section.split("\n").filter((line) => line.startsWith("| `")).map((line) =>
    line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim())
  );
  const fields = Object.keys(HEARTBEAT_FIELDS) as HeartbeatField[];
  assert.deepEqual(
    rows,
    fields.map((field) => [`\`${field}\``, HEARTBEAT_FIELDS[field].meaning, HEARTBEAT_FIELDS[field].rule]),
  );
  for (
    const command of [
      "ndr telemetry show",
      "ndr telemetry send --dry-run",
      "NDR_TELEMETRY=off",
      "NDR_TELEMETRY_URL",
    ]
  ) {
    assert.ok(section.includes(command), command);
  }
});
