import pg from "pg";
import type { Idle } from "./idle.ts";

const LEASE = "pipeline:main";
const HOLDER = "bench";

/**
 * Records per second of the pipeline alone: `send` lets ingest store `records` of them while another holder has the
 * pipeline's lease, as after a restart; then the pipeline reads all of them from the store, with no sender running.
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
    await untilIdle(idle);
    await send();
    const held = await idle.left();
    if (held !== records) {
      throw new Error(`the pipeline processed ${records - (held ?? 0)} records without its lease`);
    }
    await client.query("update lease set expires_at = now() - interval '1 second' where name = $1", [LEASE]);
    // The pipeline asks for its lease once a second.
    while (await holder(client) === HOLDER) await sleep(10);
    const begun = performance.now();
    await idle.reached();
    return records / (performance.now() - begun) * 1000;
  } finally {
    await client.end();
  }
}

/** The pipeline notices the lost lease at its next renewal, within two seconds. */
async function untilIdle(idle: Idle): Promise<void> {
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
