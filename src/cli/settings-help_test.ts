import assert from "node:assert/strict";
import { readEnvironment } from "../config/environment.ts";
import { Faults } from "../config/yaml/faults.ts";
import { CORE_HELP, WEB_HELP } from "./settings-help.ts";

Deno.test("the help of core and web names the variables that there are, and no other", () => {
  const asked = new Set<string>();
  const env = (name: string) => {
    asked.add(name);
    return undefined;
  };
  readEnvironment({ env, readFile: () => new Uint8Array() }, new Faults());
  const named = new Set(`${CORE_HELP}${WEB_HELP}`.match(/NDR_[A-Z_]+/g));
  assert.deepEqual([...named].sort(), [...asked].sort());
});
