// One of several starts at once: waits until its input ends, then gets the identifier of each folder that it is given.

import { ensureInstallId } from "../../../src/telemetry/install-id.ts";

console.log("ready");
for await (const _ of Deno.stdin.readable);
const results = [];
for (const directory of Deno.args) results.push(await ensureInstallId({ directory, owner: null }));
console.log(JSON.stringify(results));
