import assert from "node:assert/strict";
import pg from "pg";
import { startPostgres } from "../postgres.ts";
import { IdleMeter, processorTime, serverTime } from "./processor-time.ts";

const IS_LINUX = Deno.build.os === "linux";

Deno.test("the processor time of this process grows with its work", { ignore: !IS_LINUX }, () => {
  const { own: before } = processorTime("self");
  const end = performance.now() + 30_000;
  while (processorTime("self").own === before) assert.ok(performance.now() < end);
});

Deno.test(
  "the processor time of the server that a run started is counted",
  { ignore: !IS_LINUX },
  async () => {
    const postgres = await startPostgres();
    if (postgres === null || postgres.origin === "NDR_TEST_DATABASE_URL") return;
    try {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      await client.query("select count(*) from generate_series(1, 1000000)");
      // The server has counted it when the connection has ended.
      await client.end();
      const end = performance.now() + 30_000;
      while (serverTime(postgres.url) === 0) assert.ok(performance.now() < end);
    } finally {
      await postgres.stop();
    }
  },
);

Deno.test("of another server and an ended process no time is known", () => {
  assert.equal(serverTime("postgres://ndr@db.example/ndr?sslmode=require"), 0);
  assert.deepEqual(processorTime("0"), { own: 0, children: 0 });
});

Deno.test("the idle part of the machine falls with work", { ignore: !IS_LINUX }, () => {
  const meter = new IdleMeter();
  const end = performance.now() + 500;
  while (performance.now() < end);
  const idle = meter.read();
  // In a container the file may have more processors than a program may use.
  const processors = Deno.readTextFileSync("/proc/stat").match(/^cpu\d/gm)!.length;
  assert.ok(idle >= 0 && idle <= 1 - 0.8 / processors, String(idle));
});
