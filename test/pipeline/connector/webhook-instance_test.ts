// How an instance follows the event log: its bookmark, the edges of the log, its counters, and its behaviour
// when it cannot continue.

import assert from "node:assert/strict";
import { appendEvents, pruneEvents } from "../../../src/store/connector/event-log.ts";
import { resetConnector } from "../../../src/store/connector/connectors.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { WEBHOOK_KEY } from "../../support/connector/connectors-file.ts";
import { testDatabase } from "../../support/database.ts";
import { answer, hang } from "../../support/connector/hostile-answers.ts";
import { HostileReceiver } from "../../support/connector/hostile-receiver.ts";
import { createdEvent, eventId, logCreated } from "../../support/connector/logged-events.ts";
import { bodyOf, WebhookCore, webhookTo } from "../../support/connector/webhook-core.ts";

const NOW = Date.now() * 1000;
const DAY = 86_400_000_000;

async function withReceiver(work: (receiver: HostileReceiver) => Promise<void>): Promise<void> {
  const receiver = await HostileReceiver.start(answer(204));
  try {
    await work(receiver);
  } finally {
    await receiver.close();
  }
}

testDatabase(
  "an instance that was off too long resumes at the pruned edge and counts the gap as dropped",
  async (db) => {
    await withReceiver(async (receiver) => {
      await new WebhookCore(db, [webhookTo(receiver)]).run(async () => {});
      await logCreated(db, "main", 1, 7, NOW - 8 * DAY);
      await logCreated(db, "main", 8, 9, NOW);
      await db.tenant("main", (tx) => pruneEvents(tx, "main", NOW));
      const core = new WebhookCore(db, [webhookTo(receiver)]);
      await core.run(async () => {
        const { dropped, delivered, bookmark } = await core.until((now) => now.delivered === 2);
        assert.deepEqual([dropped, delivered, bookmark], [7, 2, 9]);
      });
      assert.deepEqual(receiver.requests.map((one) => bodyOf(one).id), [8, 9].map(eventId));
    });
  },
);

testDatabase(
  "max_pending: beyond it the oldest are dropped and counted while the receiver is down",
  async (db) => {
    await withReceiver(async (receiver) => {
      const core = new WebhookCore(db, [webhookTo(receiver, { webhook: { maxPending: 10 } })]);
      await core.run(async () => {
        await receiver.stopListening();
        await logCreated(db, "main", 1, 4, NOW);
        const { failureClass, state, pending } = await core.until((now) => now.failed > 0);
        assert.deepEqual([failureClass, state, pending], ["unreachable", "error", 4]);
        await logCreated(db, "main", 5, 25, NOW);
        await core.until((now) => now.dropped === 15 && now.pending === 10);
        await receiver.listenAgain();
        const { delivered, bookmark } = await core.until((now) => now.pending === 0);
        assert.deepEqual([delivered, bookmark], [10, 25]);
      });
      assert.deepEqual(
        receiver.requests.map((one) => bodyOf(one).id),
        [...Array(10)].map((_, i) => eventId(16 + i)),
      );
    });
  },
);

testDatabase(
  "replay: after reset-cursor and a restart every kept event is delivered again",
  async (db) => {
    await withReceiver(async (receiver) => {
      const deliver = async (count: number) => {
        const core = new WebhookCore(db, [webhookTo(receiver)]);
        await core.run(async () => {
          if (count > 0) await logCreated(db, "main", 1, count, NOW);
          await core.until((now) => now.state === "ok" && now.pending === 0 && now.bookmark === 3);
        });
      };
      await deliver(3);
      await deliver(0);
      assert.equal(receiver.requests.length, 3, "a restart repeats nothing");
      assert.equal(await db.tenant("main", (tx) => resetConnector(tx, "main", "soc")), true);
      await deliver(0);
      assert.deepEqual(receiver.requests.map((one) => bodyOf(one).id), [1, 2, 3, 1, 2, 3].map(eventId));
    });
  },
);

testDatabase(
  "NDR_CONNECTORS_ENABLED or `enabled` off: disabled, nothing sent, no cursor moves",
  async (db) => {
    await withReceiver(async (receiver) => {
      const off = new WebhookCore(db, [
        webhookTo(receiver),
        webhookTo(receiver, { instance: "own", enabled: false }),
      ]);
      const all = new WebhookCore(db, [webhookTo(receiver)], { enabled: false });
      await all.run(async () => {
        await logCreated(db, "main", 1, 1, NOW);
        assert.deepEqual([(await all.state()).state, (await all.state()).bookmark], ["disabled", null]);
      });
      await off.run(async () => {
        await logCreated(db, "main", 2, 2, NOW);
        await off.until((now) => now.delivered === 1);
        assert.deepEqual([(await off.state("own")).state, (await off.state("own")).bookmark], [
          "disabled",
          null,
        ]);
      });
      assert.deepEqual(receiver.requests.map((one) => bodyOf(one).id), [eventId(2)]);
    });
  },
);

testDatabase(
  "an unreadable log row is skipped and counted, and delays nothing",
  async (db) => {
    await withReceiver(async (receiver) => {
      const core = new WebhookCore(db, [webhookTo(receiver)]);
      await core.run(async () => {
        const events = [{ ...createdEvent(1, NOW), body: { incident: "gone" } }, createdEvent(2, NOW)];
        await db.tenant("main", (tx) => appendEvents(tx, "main", events));
        const { delivered, rejected, state } = await core.until((now) => now.delivered === 1);
        assert.deepEqual([delivered, rejected, state], [1, 1, "ok"]);
      });
      assert.match(core.lines.join("\n"), /event 1 of the log cannot be read/);
    });
  },
);

testDatabase("2xx: never resent, even if the bookmark cannot be saved for a while", async (db) => {
  await withReceiver(async (receiver) => {
    const core = new WebhookCore(db, [webhookTo(receiver)]);
    await core.run(async () => {
      await core.until((now) => now.state === "ok");
      receiver.behave([{
        when: "request",
        act: async (socket) => {
          await db.owner((tx) => tx.script("revoke update on connector_state from ndr_app"));
          await answer(204).act(socket);
        },
      }]);
      await logCreated(db, "main", 1, 2, NOW);
      core.connectors.wake("main");
      await core.untilLogged("cannot continue");
      assert.equal(receiver.requests.length, 1, "the next event waits for the bookmark");
      await db.owner((tx) => tx.script("grant update on connector_state to ndr_app"));
      await core.until((now) => now.delivered === 2 && now.bookmark === 2);
    });
    assert.deepEqual(receiver.requests.map((one) => bodyOf(one).id), [1, 2].map(eventId));
  });
});

testDatabase("no transaction is open while waiting for a receiver", async (db) => {
  if (db.engine !== "postgres") return;
  await withReceiver(async (receiver) => {
    receiver.behave([], hang());
    const core = new WebhookCore(db, [webhookTo(receiver)]);
    await core.run(async () => {
      await logCreated(db, "main", 1, 1, NOW);
      core.connectors.wake("main");
      await receiver.received(1);
      const open = await db.shared((tx) =>
        tx.rows(sql`
          select from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`)
      );
      assert.equal(open.length, 0);
    });
  });
});

testDatabase(
  "instances, receivers and keys can change at run time; counters and bookmarks continue",
  async (db) => {
    await withReceiver((one) =>
      withReceiver(async (other) => {
        const core = new WebhookCore(db, [webhookTo(one)]);
        await core.run(async () => {
          await logCreated(db, "main", 1, 1, NOW);
          await core.until((now) => now.delivered === 1);
          await core.connectors.use([webhookTo(other), webhookTo(other, { instance: "siem" })]);
          await logCreated(db, "main", 2, 2, NOW);
          await core.until((now) => now.delivered === 2);
          await core.until((now) => now.delivered === 1, "siem");
          await core.connectors.use([]);
          await logCreated(db, "main", 3, 3, NOW);
          await assert.rejects(core.state(), /no state of soc/);
        });
        assert.deepEqual([one.requests.length, other.requests.length], [1, 2]);
      })
    );
  },
);

testDatabase("no log line contains the key, or more of the receiver's URL than its host", async (db) => {
  await withReceiver(async (receiver) => {
    const url = new URL(`${receiver.url()}/T0ken-in-the-path?and=a-query`);
    const core = new WebhookCore(db, [webhookTo(receiver, { webhook: { url } })]);
    await core.run(async () => {
      receiver.behave([answer(500), answer(500), answer(500), answer(404)], answer(200));
      await logCreated(db, "main", 1, 2, NOW);
      const { message } = await core.until((now) => now.failed === 1);
      assert.match(message!, /^127\.0\.0\.1:\d+ answered 500$/);
      await core.until((now) => now.rejected === 1 && now.delivered === 1);
    });
    const text = core.lines.join("\n");
    assert.match(text, /an event is held/);
    assert.match(text, /rejected permanently/);
    assert.doesNotMatch(text, new RegExp(`${WEBHOOK_KEY}|T0ken|a-query`));
  });
});

testDatabase(
  "an instance's lease is short, renewed while idle, and released at the stop",
  async (db) => {
    const lease = async () => {
      const [row] = await db.shared((tx) =>
        tx.rows<{ left: number; expires_at: number }>(sql`
        select extract(epoch from expires_at - now())::double precision as left, expires_at from lease
        where name = 'connector:soc'`)
      );
      return row!;
    };
    await withReceiver(async (receiver) => {
      // Only the lease renewal runs: the framework sleeps until the stop.
      const sleep = (_: number, signal: AbortSignal) =>
        signal.aborted
          ? Promise.resolve()
          : new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      const core = new WebhookCore(db, [webhookTo(receiver)], { sleep });
      await core.run(async () => {
        while ((await core.state()).state !== "ok") await new Promise((resolve) => setTimeout(resolve, 5));
        const first = await lease();
        assert.ok(
          first.left > 0 && first.left <= 10,
          "a killed core is succeeded by another within seconds",
        );
        while ((await lease()).expires_at === first.expires_at) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      });
      assert.ok((await lease()).left < 0);
    });
  },
);
