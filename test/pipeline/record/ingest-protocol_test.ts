// What the ingest refuses before it needs the store: order of checks, methods, tokens, content types, rates.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  INGEST_LIVE_PATH,
  INGEST_PATH,
  INGEST_READY_PATH,
  MAX_INGEST_BYTES,
} from "../../../src/contract/record/ingest.ts";
import {
  conn,
  ManualClock,
  outcome,
  PASSED,
  protocolTest,
  type Send,
  SOURCES,
  TestListener,
  TOKENS,
  unreachableDatabase,
} from "./ingest-harness.ts";

const line = JSON.stringify(conn("C1"));
const oversize = Buffer.alloc(MAX_INGEST_BYTES + 1, "x");
const tooMany = "x\n".repeat(1001);
const forbidden = JSON.stringify(conn("C1", { kind: "suricata.alert" }));

protocolTest("checks come in order: 404, 405, 401, 415, 413, 422, 403, then the store", async (listener) => {
  const wrong = { token: "wrong-token-of-sixteen" };
  const type = { "content-type": "application/json" };
  const cases: [Send, [number, string]][] = [
    [{ ...wrong, path: "/internal/v1/ingest/other", method: "PUT" }, [404, "not_found"]],
    [{ ...wrong, method: "PUT", body: oversize, headers: type }, [405, "invalid_request"]],
    [{ ...wrong, body: oversize, headers: type }, [401, "unauthenticated"]],
    [{ ...wrong, body: "" }, [401, "unauthenticated"]],
    [{ ...wrong, body: forbidden }, [401, "unauthenticated"]],
    [{ token: TOKENS.zeek, body: oversize, headers: type }, [415, "invalid_request"]],
    [{ token: TOKENS.zeek, body: oversize }, [413, "payload_too_large"]],
    [{ token: TOKENS.zeek, body: `${forbidden}\n`.repeat(1001) }, [422, "invalid_request"]],
    [{ token: TOKENS.zeek, body: forbidden }, [403, "forbidden"]],
    [{ token: TOKENS.zeek, body: line }, [PASSED, "source_unavailable"]],
  ];
  for (const [send, expected] of cases) assert.deepEqual(outcome(await listener.send(send)), expected);
});

protocolTest("methods", async (listener) => {
  for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const answer = await listener.send({ method });
    assert.deepEqual([answer.status, answer.headers.allow], [405, "POST"]);
  }
  for (const path of [INGEST_LIVE_PATH, INGEST_READY_PATH]) {
    const answer = await listener.send({ method: "POST", path, body: line });
    assert.deepEqual([answer.status, answer.headers.allow], [405, "GET"]);
  }
  assert.equal((await listener.send({ path: "/internal/v1/ingesting" })).status, 599);
  assert.equal((await listener.send({ path: "/api/v1/devices" })).status, 599);
});

protocolTest("only the exact token of an enabled source is accepted", async (listener) => {
  const status = async (authorization: string | null) => {
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    return (await listener.send({ token: null, body: line, headers })).status;
  };
  for (const good of [`Bearer ${TOKENS.all}`, `bearer ${TOKENS.all}`, `BEARER   ${TOKENS.all} `]) {
    assert.equal(await status(good), PASSED, good);
  }
  const bad = [
    null,
    "",
    "Bearer",
    "Bearer ",
    TOKENS.all,
    `Basic ${btoa(`x:${TOKENS.all}`)}`,
    `Bearer ${TOKENS.all}x`,
    `Bearer ${TOKENS.all.slice(0, -1)}`,
    `Bearer ${TOKENS.all.toUpperCase()}`,
    `Bearer ${TOKENS.all} ${TOKENS.zeek}`,
    `Bearer ${TOKENS.all},${TOKENS.zeek}`,
    `Bearer "${TOKENS.all}"`,
    `Token ${TOKENS.all}`,
  ];
  for (const authorization of bad) assert.equal(await status(authorization), 401, String(authorization));
  const answer = await listener.send({
    token: null,
    body: line,
    path: `${INGEST_PATH}?access_token=${TOKENS.all}`,
  });
  assert.deepEqual(outcome(answer), [401, "unauthenticated"]);
  assert.match(String(answer.headers["www-authenticate"]), /^Bearer/);

  // A reloaded registry applies from the next request.
  listener.ingest.useSources(SOURCES.slice(0, 1));
  assert.equal(await status(`Bearer ${TOKENS.all}`), 401);
  assert.equal(await status(`Bearer ${TOKENS.zeek}`), PASSED);
});

Deno.test("a token received on a non-loopback address is refused", async (test) => {
  const address = Deno.networkInterfaces().find((one) =>
    one.family === "IPv4" && !one.address.startsWith("127.")
  );
  await test.step({
    name: "on this machine's own network address",
    ignore: address === undefined,
    fn: async () => {
      const db = unreachableDatabase();
      await using listener = await TestListener.start({ db }, "0.0.0.0");
      assert.equal((await listener.send({ body: line }, address!.address)).status, 401);
      assert.equal((await listener.send({ body: line })).status, PASSED);
      await db.close();
    },
  });
});

protocolTest("content types", async (listener) => {
  const status = async (type: string) =>
    (await listener.send({ body: line, headers: { "content-type": type } })).status;
  for (const type of ["application/x-ndjson", "Application/X-NDJSON; charset=utf-8", "application/ndjson"]) {
    assert.equal(await status(type), PASSED, type);
  }
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded", ""]) {
    assert.equal(await status(type), 415, type);
  }
  const { socket, closed } = listener.raw();
  socket.write(
    `POST ${INGEST_PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${TOKENS.all}\r\n` +
      `Content-Length: ${Buffer.byteLength(line)}\r\n\r\n${line}`,
  );
  assert.match((await closed).text, new RegExp(`^HTTP/1.1 ${PASSED} `));
});

Deno.test("each source has its own rate: 429 with Retry-After, then accepted again", async () => {
  const db = unreachableDatabase();
  const clock = new ManualClock();
  await using listener = await TestListener.start({ db, clock, limit: { ratePerSecond: 10, burst: 100 } });
  const send = (lines: number, token: string) => listener.send({ token, body: `${line}\n`.repeat(lines) });
  assert.equal((await send(100, TOKENS.zeek)).status, PASSED);
  const limited = await send(25, TOKENS.zeek);
  assert.deepEqual(outcome(limited), [429, "source_unavailable"]);
  assert.deepEqual(limited.json.error.details, { reason: "rate_limit" });
  assert.equal(limited.headers["retry-after"], "3");
  assert.equal((await send(100, TOKENS.all)).status, PASSED);
  // Reloading the registry does not refill the rate limits.
  listener.ingest.useSources(SOURCES);
  clock.micros += 2_400_000;
  assert.equal((await send(25, TOKENS.zeek)).status, 429);
  clock.micros += 100_000;
  assert.equal((await send(25, TOKENS.zeek)).status, PASSED);
});

protocolTest("a connection is reused after the response to a complete body", async (listener) => {
  const { socket, closed } = listener.raw();
  const request = (token: string, body: string, last = false) =>
    `POST ${INGEST_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${
      last ? "Connection: close\r\n" : ""
    }` +
    `Content-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(
    request(TOKENS.all, line) + request(TOKENS.zeek, forbidden) + request(TOKENS.all, tooMany, true),
  );
  const statuses = [...(await closed).text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => Number(match[1]));
  assert.deepEqual(statuses, [PASSED, 403, 422]);
});
