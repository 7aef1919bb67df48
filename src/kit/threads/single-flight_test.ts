import assert from "node:assert/strict";
import { SingleFlight } from "./single-flight.ts";

Deno.test("single flight: callers of one key share the work under way, later ones start it again", async () => {
  const flight = new SingleFlight<number>();
  let started = 0;
  const work = async () => {
    const number = ++started;
    await Promise.resolve();
    return number;
  };
  assert.deepEqual(await Promise.all([flight.run(work, "a"), flight.run(work, "b"), flight.run(work, "a")]), [
    1,
    2,
    1,
  ]);
  assert.equal(await flight.run(work, "a"), 3);
});

Deno.test("single flight: all callers get the error, and the next one starts again", async () => {
  const flight = new SingleFlight<string>();
  const fail = () => Promise.reject(new Error("no"));
  const both = await Promise.allSettled([flight.run(fail), flight.run(() => Promise.resolve("not started"))]);
  assert.deepEqual(both.map(({ status }) => status), ["rejected", "rejected"]);
  assert.equal(await flight.run(() => Promise.resolve("again")), "again");
});
