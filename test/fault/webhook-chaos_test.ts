// Events to a receiver that fails three times in ten, from a core that is killed meanwhile: all of them
// arrive in order, within the retry rules. NDR_TEST_SEED sets the failures and the kills.

import assert from "node:assert/strict";
import { type ConnectorState, connectorStates } from "../../src/store/connector/connectors.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { WEBHOOK_KEY, writeConnectors } from "../support/connector/connectors-file.ts";
import { freshPostgres, POSTGRES_URL } from "../support/database.ts";
import { firstSeen, type Observed, ruleFaults, type Verdict } from "../support/connector/delivery-rules.ts";
import { answer, bytes, closeMidBody, hang, reset } from "../support/connector/hostile-answers.ts";
import { type Behaviour, HostileReceiver } from "../support/connector/hostile-receiver.ts";
import { logCreated } from "../support/connector/logged-events.ts";
import { type SinkProcess, startSink } from "../support/connector/sink-process.ts";
import { IS_SOAK, scaled } from "../support/scale.ts";

const EVENTS = scaled(1000);
const KILLS = scaled(2);
const RETRY_DELAY = 1;
const ASKED = 45;
const SEED = Number(Deno.env.get("NDR_TEST_SEED") ?? Math.floor(Math.random() * 1e6));
/** Real timeouts of two seconds each, so only a few. */
const TIMEOUTS = 3;

let random = SEED;
function roll(): number {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
  return random / 2_147_483_648;
}

interface Mood {
  verdict: Verdict;
  does: Behaviour;
  retryAfter: number;
}

const TAKES: Mood[] = [answer(204), answer(200), closeMidBody(202)].map((does) => ({
  verdict: "taken",
  does,
  retryAfter: 0,
}));
const FAILS: Mood[] = [answer(500), answer(502), answer(503), answer(504), reset(), bytes("HTTP/1.1 2")].map(
  (does) => ({ verdict: "failed", does, retryAfter: 0 }),
);
const LIMITS: Mood[] = [
  { verdict: "limited", does: answer(429, [`Retry-After: ${ASKED}`]), retryAfter: ASKED },
  { verdict: "limited", does: answer(425), retryAfter: 0 },
];
const HANGS: Mood = { verdict: "failed", does: hang(), retryAfter: 0 };

function pick(moods: readonly Mood[]): Mood {
  return moods[Math.floor(roll() * moods.length)]!;
}

/** Fails three times in ten and records what it did with each request. */
class FlakyReceiver {
  readonly observed: Observed[] = [];
  readonly #taken = new Set<string>();
  #timeouts = 0;
  life = 0;
  /** Called after each request, answered or not. */
  after: (taken: number) => void = () => {};
  receiver!: HostileReceiver;

  async start(): Promise<this> {
    this.receiver = await HostileReceiver.start({ when: "request", act: (socket) => this.#act(socket) });
    return this;
  }

  get taken(): number {
    return this.#taken.size;
  }

  /** The sender's time in microseconds. */
  get latest(): number {
    return (this.observed.at(-1)?.at ?? Date.now() / 1000) * 1_000_000;
  }

  async #act(socket: Parameters<Behaviour["act"]>[0]): Promise<void> {
    const { headers, body } = this.receiver.requests.at(-1)!;
    const { verdict, does, retryAfter } = this.#mood();
    const id: string = JSON.parse(new TextDecoder().decode(body)).id;
    this.observed.push({
      id,
      delivery: headers["x-service-delivery"]!,
      at: Number(headers["x-service-timestamp"]),
      verdict,
      retryAfter,
      life: this.life,
    });
    if (verdict === "taken") this.#taken.add(id);
    await does.act(socket);
    this.after(this.taken);
  }

  #mood(): Mood {
    // Spread the timeouts over the run.
    if (this.taken > (this.#timeouts + 0.5) * EVENTS / TIMEOUTS) {
      this.#timeouts++;
      return HANGS;
    }
    const number = roll();
    return number < 0.7 ? pick(TAKES) : number < 0.96 ? pick(FAILS) : pick(LIMITS);
  }
}

async function stateOf(db: PostgresDatabase): Promise<ConnectorState> {
  const [state] = await db.tenant("main", (tx) => connectorStates(tx, "main"));
  assert.ok(state);
  return state;
}

/** Expires the lease of the killed core: waiting for it is not the subject of this test. */
async function forgetLeases(db: PostgresDatabase): Promise<void> {
  await db.shared((tx) => tx.run(sql`update lease set expires_at = now() - interval '1 second'`));
}

Deno.test({
  name: `${EVENTS} events, a receiver that fails three times in ten, ${KILLS} kill -9: all arrive, in order`,
  ignore: POSTGRES_URL === "",
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "ndr-chaos-" });
    const { url, drop } = await freshPostgres();
    const db = new PostgresDatabase({ url });
    const moody = await new FlakyReceiver().start();
    const outputs: string[] = [];
    let sink: SinkProcess | null = null;
    try {
      await writeConnectors(folder, [{
        instance: "chaos",
        url: moody.receiver.url(),
        config: { max_pending: Math.max(EVENTS, 10_000), timeout: 2, retry_delay: RETRY_DELAY },
      }]);
      sink = await startSink(folder, url, moody.latest);
      // A new instance starts at the head of the log.
      while ((await stateOf(db)).bookmark === null) await new Promise((resolve) => setTimeout(resolve, 5));
      const ids: string[] = [];
      for (let from = 1; from <= EVENTS; from += 1000) {
        ids.push(...await logCreated(db, "main", from, Math.min(from + 999, EVENTS), moody.latest));
      }
      for (let kill = 1; kill <= KILLS + 1; kill++) {
        const until = kill > KILLS ? EVENTS : Math.floor((kill - roll()) * EVENTS / KILLS);
        const reached = Promise.withResolvers<void>();
        const running: SinkProcess = sink;
        moody.after = (taken) => {
          if (taken < until) return;
          moody.after = () => {};
          reached.resolve(kill > KILLS ? undefined : running.kill());
        };
        await reached.promise;
        if (kill > KILLS) break;
        outputs.push(running.output());
        await forgetLeases(db);
        moody.life++;
        sink = await startSink(folder, url, moody.latest);
      }
      while ((await stateOf(db)).pending > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await sink.stop();
      outputs.push(sink.output());

      const { observed } = moody;
      const seed = `seed ${SEED}`;
      assert.deepEqual(firstSeen(observed), ids, `every event, in log order; ${seed}`);
      const failed = observed.filter(({ verdict }) => verdict !== "taken").length;
      if (IS_SOAK) {
        console.log(`${EVENTS} events in ${observed.length} requests, ${failed} failed, ${KILLS} kills`);
      }
      assert.ok(failed > EVENTS / 5, `${failed} of ${observed.length} requests failed; ${seed}`);
      assert.deepEqual(ruleFaults(observed, { retryDelay: RETRY_DELAY, jitter: 0.5, slack: 5 }), [], seed);
      const { state, bookmark, pending, dropped, rejected } = await stateOf(db);
      assert.deepEqual({ state, bookmark, pending, dropped, rejected }, {
        ...{ state: "ok", bookmark: EVENTS, pending: 0, dropped: 0, rejected: 0 },
      }, seed);
      for (const output of outputs) {
        assert.ok(!output.includes(WEBHOOK_KEY), "a log line contains the signing key");
      }
      assert.ok(outputs.some((output) => output.includes("held")), "the logs report holds");
    } finally {
      await sink?.kill();
      await moody.receiver.close();
      await db.close();
      await drop();
      await Deno.remove(folder, { recursive: true });
    }
  },
});
