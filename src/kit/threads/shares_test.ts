import assert from "node:assert/strict";
import { type Holder, NoTurn, Shares } from "./shares.ts";

const LONG = 60_000;
const ada: Holder = { tenant: "main", person: "ada" };
const bob: Holder = { tenant: "main", person: "bob" };
const eve: Holder = { tenant: "branch", person: "eve" };

/** Asks for places, notes in which order they are given, and keeps each until `leave`. */
class Queue {
  readonly given: string[] = [];
  readonly #leave: (() => void)[] = [];

  constructor(private readonly shares: Shares) {}

  async ask(...holders: Holder[]): Promise<void> {
    for (const holder of holders) {
      void this.shares.enter(holder, LONG).then((leave) => {
        this.given.push(holder.person);
        this.#leave.push(leave);
      });
    }
    await settled();
  }

  /** Leaves the place that was given first. */
  async leave(): Promise<void> {
    this.#leave.shift()!();
    await settled();
  }

  /** Leaves all places, those given meanwhile included, so that nothing waits any more. */
  async end(): Promise<void> {
    while (this.#leave.length > 0) await this.leave();
  }
}

/** Resolves after all pending promise callbacks. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

Deno.test("shares: a newcomer goes before the rest of a long queue", async () => {
  const queue = new Queue(new Shares(1));
  await queue.ask(ada, ada, ada, ada);
  await queue.ask(eve, bob);
  await queue.end();
  assert.deepEqual(queue.given, ["ada", "eve", "bob", "ada", "ada", "ada"]);
});

Deno.test("shares: tenants are served in turn, whatever the number of their people", async () => {
  const queue = new Queue(new Shares(1));
  await queue.ask(ada, bob, ada, bob, eve, eve);
  await queue.end();
  assert.deepEqual(queue.given, ["ada", "eve", "bob", "eve", "ada", "bob"]);
});

Deno.test("shares: one person holds at most half of the places", async () => {
  const queue = new Queue(new Shares(4));
  await queue.ask(ada, ada, ada, ada);
  assert.deepEqual(queue.given, ["ada", "ada"]);
  await queue.ask(bob, eve);
  assert.deepEqual(queue.given, ["ada", "ada", "bob", "eve"]);
  await queue.leave();
  assert.deepEqual(queue.given, ["ada", "ada", "bob", "eve", "ada"]);
  await queue.end();
});

Deno.test("shares: waiting ends after its time, or with its caller, and the place goes to the next", async () => {
  const shares = new Shares(1);
  const leave = await shares.enter(ada, LONG);
  await assert.rejects(shares.enter(bob, 1), NoTurn);
  const gone = new AbortController();
  const waiting = shares.enter(bob, LONG, gone.signal);
  gone.abort();
  await assert.rejects(waiting, NoTurn);
  await assert.rejects(shares.enter(bob, LONG, gone.signal), NoTurn);
  const next = shares.enter(eve, LONG);
  leave();
  (await next)();
  (await shares.enter(ada, LONG))();
});
