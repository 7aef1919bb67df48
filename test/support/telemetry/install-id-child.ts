// One of several concurrent starts: waits for end of input, then reads the identifier of each given folder.

import { ensureInstallId } from "../../../src/telemetry/install-id.ts";

console.log("ready");
for await (const _ of Deno.stdin.readable);
const results = [];
for (const directory of Deno.args) results.push(await ensureInstallId({ directory, owner: null }));
console.log(JSON.stringify(results));
