// Several cores on one database, one of which dies or hangs at the worst moment.

import assert from "node:assert/strict";
import { connectorStates } from "../../src/store/connector/connectors.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { POSTGRES_URL } from "../support/database.ts";
import { answer } from "../support/connector/hostile-answers.ts";
import { type Behaviour, HostileReceiver } from "../support/connector/hostile-receiver.ts";
import { logCreated } from "../support/connector/logged-events.ts";
import { SinkCores } from "../support/connector/sink-cores.ts";
import { WEBHOOK } from "../support/connector/sink-harness.ts";

const OPTIONS = { ignore: POSTGRES_URL === "" };
const NOW = Date.now() * 1000;

function idsOf({ requests }: HostileReceiver): string[] {
  return requests.map((request) => WEBHOOK.idOf(request));
}

function assertOnceOrRepeated(receiver: HostileReceiver, expected: readonly string[], repeats: number): void {
  const ids = idsOf(receiver);
  assert.deepEqual([...new Set(ids)], expected, "in log order");
  assert.ok(ids.length - expected.length <= repeats, `${ids.length - expected.length} repeats`);
  const deliveries = receiver.requests.map((request) => WEBHOOK.deliveryOf(request));
  assert.equal(new Set(deliveries).size, deliveries.length, "a delivery id is repeated");
}

Deno.test("two cores deliver each event once while both run", OPTIONS, async () => {
  const receiver = await HostileReceiver.start(answer(204));
  await SinkCores.run(receiver, { max_pending: 1000 }, async (cores) => {
    const both = await Promise.all([cores.start(), cores.start()]);
    const ids: string[] = [];
    for (let from = 1; from <= 500; from += 50) {
      ids.push(...await logCreated(cores.db, "main", from, from + 49, NOW));
    }
    await cores.until(({ bookmark }) => bookmark === 500);
    assertOnceOrRepeated(receiver, ids, 0);

    // A clean shutdown leaves nothing to wait for or to repeat.
    await both[0].stop();
    ids.push(...await logCreated(cores.db, "main", 501, 550, NOW));
    await cores.until(({ bookmark }) => bookmark === 550);
    assertOnceOrRepeated(receiver, ids, 0);
  });
});

Deno.test("the other core continues in order after one is killed", OPTIONS, async () => {
  const receiver = await HostileReceiver.start(answer(204));
  await SinkCores.run(receiver, { max_pending: 1000 }, async (cores) => {
    const serving = await cores.start();
    await cores.start();
    const ids = await logCreated(cores.db, "main", 1, 400, NOW);
    await receiver.received(100);
    await serving.kill();
    const { bookmark } = await cores.state();
    assert.ok(bookmark! < 400, "it was killed halfway");
    await cores.forgetLeases();
    await cores.until(({ bookmark }) => bookmark === 400);
    assertOnceOrRepeated(receiver, ids, 1);
  });
});

Deno.test("a core that hung may not move its successor's bookmark", OPTIONS, async () => {
  const receiver = await HostileReceiver.start(answer(204));
  await SinkCores.run(receiver, { max_pending: 1000 }, async (cores) => {
    const serving = await cores.start();
    await cores.start();
    const ids = await logCreated(cores.db, "main", 1, 400, NOW);
    await receiver.received(100);
    serving.freeze();
    await cores.forgetLeases();
    await cores.until(({ bookmark }) => bookmark === 400);
    const before = await cores.state();
    const seen = receiver.requests.length;
    serving.thaw();
    ids.push(...await logCreated(cores.db, "main", 401, 450, NOW));
    await cores.until(({ bookmark }) => bookmark === 450);
    assert.equal(before.bookmark, 400);
    // It notices at its first write: at most one event is repeated.
    assertOnceOrRepeated(receiver, ids, 2);
    assert.ok(receiver.requests.length >= seen + 50);
    await cores.until(({ pending, state }) => pending === 0 && state === "ok");
  });
});

Deno.test(
  "killed between the receiver's 2xx and the bookmark's commit: resent under the same id",
  OPTIONS,
  async () => {
    const receiver = await HostileReceiver.start(answer(200));
    await SinkCores.run(receiver, {}, async (cores) => {
      const serving = await cores.start();
      await cores.until(({ state }) => state === "ok");
      const release = Promise.withResolvers<void>();
      let holding = Promise.resolve();
      // The bookmark's row is locked before the receiver answers.
      const locksFirst: Behaviour = {
        when: "request",
        act: async (socket) => {
          const locked = Promise.withResolvers<void>();
          holding = cores.db.tenant("main", async (tx) => {
            await tx.rows(sql`select from connector_state for update`);
            locked.resolve();
            await release.promise;
          });
          await locked.promise;
          await answer(200).act(socket);
        },
      };
      receiver.behave([locksFirst]);
      const ids = await logCreated(cores.db, "main", 1, 3, NOW);
      await receiver.received(1);
      await untilBlocked(cores);
      await serving.kill();
      release.resolve();
      await holding;
      const [state] = await cores.db.tenant("main", (tx) => connectorStates(tx, "main"));
      assert.equal(state?.bookmark, 0, "the acknowledgement was not stored");
      assert.deepEqual(idsOf(receiver), [ids[0]]);

      await cores.forgetLeases();
      await cores.start();
      await cores.until(({ bookmark }) => bookmark === 3);
      assert.deepEqual(idsOf(receiver), [ids[0], ...ids], "the same event again, then the others");
      assertOnceOrRepeated(receiver, ids, 1);
      assert.deepEqual(receiver.requests[0]!.body, receiver.requests[1]!.body, "the same body");
    });
  },
);

Deno.test(
  "2xx is never resent, even if the database goes away before it is recorded",
  OPTIONS,
  async () => {
    const receiver = await HostileReceiver.start(answer(204));
    await SinkCores.run(receiver, { max_pending: 1000 }, async (cores) => {
      let cuts = 0;
      const cutsFirst: Behaviour = {
        when: "request",
        act: async (socket) => {
          if (receiver.requests.length % 20 === 0) {
            cuts++;
            await cores.cutConnections();
          }
          await answer(204).act(socket);
        },
      };
      await cores.start();
      receiver.behave([], cutsFirst);
      const ids = await logCreated(cores.db, "main", 1, 200, NOW);
      await receiver.received(200);
      await cores.until(({ bookmark }) => bookmark === 200);
      assert.equal(cuts, 10);
      // A cut may hit a transaction or an idle connection; nothing is lost or repeated either way.
      assertOnceOrRepeated(receiver, ids, 0);
    });
  },
);

/** Waits until a connection is blocked by the locked row. */
async function untilBlocked({ db }: SinkCores): Promise<void> {
  const limit = performance.now() + 30_000;
  for (;;) {
    const waiting = await db.owner((tx) =>
      tx.rows(sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%connector_state%'`)
    );
    if (waiting.length > 0) return;
    assert.ok(performance.now() < limit, "no connection writes the bookmark");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
