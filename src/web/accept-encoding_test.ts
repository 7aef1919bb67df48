import assert from "node:assert/strict";
import { gzipOrPlain } from "./accept-encoding.ts";

Deno.test("web: a client's Accept-Encoding decides between gzip and no encoding", () => {
  const cases: [string | undefined, boolean, boolean][] = [
    [undefined, false, true],
    ["", false, true],
    ["gzip", true, true],
    ["gzip, deflate, br", true, true],
    ["GZip ; Q=0.5", true, true],
    ["x-gzip", true, true],
    ["br", false, true],
    ["gzip;q=0", false, true],
    ["gzip;q=0.000, *", false, true],
    ["*", true, true],
    ["*;q=0", false, false],
    ["*;q=0, gzip", true, false],
    ["identity;q=0", false, false],
    ["identity;q=0, gzip", true, false],
    ["identity;q=0, *", true, false],
    ["identity", false, true],
    ["identity, gzip;q=0.5", false, true],
    ["identity;q=0.5, gzip", true, true],
    ["gzipped, not-gzip", false, true],
  ];
  for (const [header, gzip, plain] of cases) {
    assert.deepEqual(gzipOrPlain(header), { gzip, plain }, String(header));
  }
});
