import assert from "node:assert/strict";
import pg from "pg";
import { exists } from "./files.ts";
import { installedPrograms, startPostgres } from "./postgres.ts";

/** Only a server started by this process may be stopped. */
const ignore = (await installedPrograms()).length === 0;
const MODULE = new URL("./postgres.ts", import.meta.url).href;

Deno.test("a throwaway server listens on its socket only, applies settings, and leaves nothing behind", {
  ignore,
}, async () => {
  const server = await startPostgres({ settings: { work_mem: "7MB" } });
  assert.ok(server);
  const folder = socketOf(server.url);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query(`select current_setting('listen_addresses') as listen,
    current_setting('work_mem') as memory, current_setting('fsync') as fsync`);
  await client.end();
  await server.stop();
  assert.deepEqual(rows, [{ listen: "", memory: "7MB", fsync: "off" }]);
  assert.equal(await exists(folder), false);
});

Deno.test("a throwaway server ends with a killed parent process", { ignore }, async () => {
  const script = `import { startPostgres } from ${JSON.stringify(MODULE)};
    console.log((await startPostgres()).url);
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  const owner = new Deno.Command(Deno.execPath(), { args: ["eval", script], stdout: "piped" }).spawn();
  const output = owner.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = ((await output.read()).value ?? "").trim();
  owner.kill("SIGKILL");
  await owner.status;
  await output.cancel();
  for (let wait = 0; wait < 100 && (await exists(socketOf(url))); wait++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(await exists(socketOf(url)), false);
});

function socketOf(url: string): string {
  return decodeURIComponent(url.slice(url.indexOf("host=") + "host=".length));
}
