import assert from "node:assert/strict";
import { dollars } from "./money.ts";

Deno.test("money: every micro-dollar shows, and cents always", () => {
  const cases = [
    [0, "$0.00"],
    [1, "$0.000001"],
    [4200, "$0.0042"],
    [10_000, "$0.01"],
    [100_000, "$0.10"],
    [1_000_000, "$1.00"],
    [1_234_567_890, "$1,234.56789"],
  ] as const;
  for (const [microusd, text] of cases) assert.equal(dollars(microusd), text);
});
