// kill -9 of the running program during API writes: after the restart every write repeated with its key has taken effect
// once, and an answer that was sent before is repeated.

import assert from "node:assert/strict";
import type { Database } from "../../src/store/engine/database.ts";
import { openDatabase } from "../../src/store/engine/open.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { DEFAULT_ENGINES, freshPostgres } from "../support/database.ts";
import { IS_SOAK, scaled } from "../support/scale.ts";
import { startUp, type Up, type UpOptions } from "../support/up.ts";
import { Browser } from "../web/session/web-browser.ts";

const KILLS = scaled(2);
/** Concurrent writes when the program is killed. */
/** In two sessions, which may have 32 concurrent requests each. */
const WRITES = 40;

interface Sent {
  key: string;
  /** The body of the answer; null if none arrived. */
  answer: string | null;
}

interface Target {
  options: UpOptions;
  databaseUrl: string;
  cleanUp(): Promise<void>;
}

async function makeTarget(engine: "pglite" | "postgres"): Promise<Target> {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-kill-" });
  const server = engine === "postgres" ? await freshPostgres() : null;
  return {
    options: { stateDir, sample: false, databaseUrl: server?.url },
    databaseUrl: server?.url ?? `embedded:${stateDir}/database`,
    async cleanUp() {
      await server?.drop();
      await Deno.remove(stateDir, { recursive: true });
    },
  };
}

/** A write that creates one row with its key. */
async function write(person: Browser, key: string): Promise<Response> {
  const body = { model_id: "beacon", action: "change_threshold", details: key, reason: "sizes say little" };
  return await person.write("POST", "/api/v1/model-proposals", body, { "idempotency-key": key });
}

async function sendAndKill(up: Up, sessions: readonly Browser[], round: number): Promise<Sent[]> {
  for (const session of sessions) await session.csrf();
  const sent: Sent[] = Array.from(
    { length: WRITES },
    (_, n) => ({ key: `round-${round}-${n}`, answer: null }),
  );
  let answered = 0;
  const enough = Promise.withResolvers<void>();
  const underWay = sent.map(async (one, n) => {
    try {
      const response = await write(sessions[n % sessions.length]!, one.key);
      const text = await response.text();
      if (response.status === 201) one.answer = text;
    } catch {
      // The program is gone.
    }
    if (++answered >= 3 + Math.random() * WRITES / 2) enough.resolve();
  });
  await enough.promise;
  await up.kill();
  await Promise.all(underWay);
  return sent;
}

/** Expires the leases of the killed process; returns the number of claims it left. */
async function expireLeases(databaseUrl: string): Promise<number> {
  return await onDatabase(databaseUrl, async (db) => {
    await db.shared((tx) => tx.run(sql`update lease set expires_at = now()`));
    return await db.tenant("main", (tx) =>
      tx.run(sql`
        update idempotency set lease_until = now() - interval '1 second' where tenant_id = 'main' and status is null`));
  });
}

async function onDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(url);
  return await work(db).finally(() => db.close());
}

async function run(engine: "pglite" | "postgres"): Promise<void> {
  const target = await makeTarget(engine);
  let up = await startUp(target.options);
  try {
    const all: Sent[] = [];
    for (let round = 0; round < KILLS; round++) {
      const signIn = () => new Browser(up.baseUrl).signIn("analyst");
      const sent = await sendAndKill(up, [await signIn(), await signIn()], round);
      assert.ok(sent.some(({ answer }) => answer !== null) && sent.some(({ answer }) => answer === null));
      await expireLeases(target.databaseUrl);
      up = await startUp(target.options);
      const person = await new Browser(up.baseUrl).signIn("analyst");
      for (const one of sent) {
        const response = await write(person, one.key);
        const text = await response.text();
        assert.equal(response.status, 201, text);
        if (one.answer !== null) assert.equal(text, one.answer, "the answer sent before");
        one.answer = text;
      }
      all.push(...sent);
    }
    await up.stop();
    const rows = await onDatabase(
      target.databaseUrl,
      (db) =>
        db.tenant("main", (tx) =>
          tx.rows<{ proposal_id: string; key: string }>(
            sql`select proposal_id, content ->> 'details' as key from proposal where tenant_id = 'main'`,
          )),
    );
    const made = new Map(rows.map(({ proposal_id, key }) => [key, proposal_id]));
    assert.equal(rows.length, all.length, "one effect per write");
    if (IS_SOAK) console.log(`${engine}: ${KILLS} kills, ${all.length} writes`);
    for (const { key, answer } of all) {
      assert.equal(JSON.parse(answer!).data.proposal_id, made.get(key), "the proposal in the answer exists");
    }
  } finally {
    await up.kill();
    await target.cleanUp();
  }
}

for (const engine of DEFAULT_ENGINES) {
  Deno.test(
    `kill -9 between a write and its answer: the repeated write takes effect once (${engine})`,
    () => run(engine),
  );
}
