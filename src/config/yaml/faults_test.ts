import assert from "node:assert/strict";
import { ConfigError, Faults } from "./faults.ts";

Deno.test("faults are reported file by file, each from top to bottom, whatever order they were found in", () => {
  const faults = new Faults();
  const add = (file: string, line: number | null, column: number | null) =>
    faults.add({ file, line, column }, "expected something else");
  add("sources.yaml", 9, 3);
  add("NDR_LOG_LEVEL", null, null);
  add("sources.yaml", 2, 20);
  add("sites.yaml", 1, 1);
  add("sources.yaml", 2, 5);
  add("sources.yaml", null, null);
  assert.throws(() => faults.throwIfAny(), (error: unknown) => {
    assert.ok(error instanceof ConfigError);
    assert.deepEqual(error.message.split("\n"), [
      "the configuration has 6 faults:",
      "  sources.yaml: expected something else",
      "  sources.yaml:2:5: expected something else",
      "  sources.yaml:2:20: expected something else",
      "  sources.yaml:9:3: expected something else",
      "  NDR_LOG_LEVEL: expected something else",
      "  sites.yaml:1:1: expected something else",
    ]);
    return true;
  });
});

Deno.test("without a fault nothing is thrown", () => new Faults().throwIfAny());
