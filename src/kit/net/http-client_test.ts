import assert from "node:assert/strict";
import { connectFirst, converse, TimedOut, withDeadline } from "./http-client.ts";
import { type Connection, TlsFault } from "./outgoing.ts";

const never = () => new Promise<never>(() => {});

interface Fake extends Connection {
  closed: boolean;
}

function fake(parts: Partial<Connection> = {}): Fake {
  const connection: Fake = {
    closed: false,
    write: () => Promise.resolve(),
    read: () => Promise.resolve(null),
    close: () => {
      connection.closed = true;
    },
    ...parts,
  };
  return connection;
}

Deno.test("a deadline ends the work, and the caller's signal does so with its reason", async () => {
  const { signal } = new AbortController();
  let inner: AbortSignal | undefined;
  await assert.rejects(
    withDeadline(5, signal, (own) => {
      inner = own;
      return never();
    }),
    TimedOut,
  );
  assert.ok(inner?.aborted);
  assert.equal(await withDeadline(1000, signal, () => Promise.resolve(3)), 3);
  const outer = new AbortController();
  const work = withDeadline(1000, outer.signal, never);
  outer.abort(new Error("stopping"));
  await assert.rejects(work, /stopping/);
});

Deno.test("the first address that accepts is used, and one that hangs only costs its share", async () => {
  const { signal } = new AbortController();
  const good = fake();
  const tried: string[] = [];
  const connection = await connectFirst(["a", "b", "c"], 60, signal, (address) => {
    tried.push(address);
    if (address === "a") return Promise.reject(new Error("refused"));
    return address === "b" ? never() : Promise.resolve(good);
  });
  assert.equal(connection, good);
  assert.deepEqual(tried, ["a", "b", "c"]);
});

Deno.test("a wrong certificate ends the search, and no address is an error", async () => {
  const { signal } = new AbortController();
  const tried: string[] = [];
  const search = connectFirst(["a", "b"], 60, signal, (address) => {
    tried.push(address);
    return Promise.reject(new TlsFault("another certificate"));
  });
  await assert.rejects(search, TlsFault);
  assert.deepEqual(tried, ["a"]);
  await assert.rejects(connectFirst([], 60, signal, never), /no address/);
});

Deno.test("a connection that arrives after its share is closed", async () => {
  const { signal } = new AbortController();
  const late = fake();
  const arrival = Promise.withResolvers<Connection>();
  const good = fake();
  const connecting = connectFirst(
    ["a", "b"],
    10,
    signal,
    (address) => address === "a" ? arrival.promise : Promise.resolve(good),
  );
  assert.equal(await connecting, good);
  arrival.resolve(late);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.ok(late.closed);
  assert.ok(!good.closed);
});

Deno.test("a failed write explains a failed read", async () => {
  const broken = fake({
    write: () => Promise.reject(new Error("broken pipe")),
    read: () => Promise.reject(new Error("reset")),
  });
  await assert.rejects(converse(broken, new Uint8Array(1), () => null), /broken pipe/);
  await assert.rejects(converse(fake(), new Uint8Array(1), () => null), /closed the connection/);
});
