import pg from "pg";
import type { Idle } from "./idle.ts";

const LEASE = "pipeline:main";
const HOLDER = "bench";

/**
 * Records a second of the pipeline by itself: `send` has the ingest store `records` of them while the pipeline is held back, as a
 * restart or another core that was killed would; then it takes them up, all of them read from the store and understood again, with
 * nobody sending. Nothing is left of what the ingest could have handed over.
 *
 * @param databaseUrl Of a superuser.
 */
export async function measureByItself(
  databaseUrl: string,
  idle: Idle,
  records: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      "update lease set holder = $2, epoch = epoch + 1, expires_at = now() + interval '1 hour' where name = $1",
      [
        LEASE,
        HOLDER,
      ],
    );
    await untilStill(idle);
    await send();
    const held = await idle.left();
    if (held !== records) {
      throw new Error(`the pipeline took up ${records - (held ?? 0)} records although it was held back`);
    }
    await client.query("update lease set expires_at = now() - interval '1 second' where name = $1", [LEASE]);
    // It looks for its lease once a second.
    while (await holder(client) === HOLDER) await sleep(10);
    const begun = performance.now();
    await idle.reached();
    return records / (performance.now() - begun) * 1000;
  } finally {
    await client.end();
  }
}

/** Whoever held the lease notices at its next renewal, within two seconds. */
async function untilStill(idle: Idle): Promise<void> {
  await sleep(3000);
  await idle.reached();
}

async function holder(client: pg.Client): Promise<string> {
  const { rows } = await client.query("select holder from lease where name = $1", [LEASE]);
  return rows[0].holder;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
