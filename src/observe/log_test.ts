import assert from "node:assert/strict";
import { Logging, type LoggingOptions } from "./log.ts";

function logged(
  options: Partial<LoggingOptions>,
  work: (logging: Logging) => void,
): { lines: Record<string, unknown>[]; text: string } {
  let text = "";
  const logging = new Logging({ level: "debug", write: (line) => text += line, ...options });
  logging.start();
  try {
    work(logging);
  } finally {
    logging.stop();
  }
  return { lines: text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)), text };
}

Deno.test("a log line is one JSON object with time, level, component and fields", () => {
  const { lines } = logged({}, (logging) => {
    const logger = logging.logger("ingest");
    logger.debug("a");
    logger.info("with {braces} and\nlines", { count: 3, big: 2n ** 60n, missing: undefined, nothing: null });
    logger.warn("b", { message: "of a field", level: 7 });
    logger.error("c", {
      at: new Date(0),
      bytes: new Uint8Array(4),
      set: new Set([1]),
      map: new Map([["k", 1]]),
    });
  });
  assert.deepEqual(lines.map(({ time: _, ...rest }) => rest), [
    { level: "debug", logger: "ingest", message: "a" },
    {
      level: "info",
      logger: "ingest",
      message: "with {braces} and\nlines",
      count: 3,
      big: Number(2n ** 60n),
      nothing: null,
    },
    { level: "warn", logger: "ingest", message: "b", message_: "of a field", level_: 7 },
    {
      level: "error",
      logger: "ingest",
      message: "c",
      at: "1970-01-01T00:00:00.000Z",
      bytes: "[4 bytes]",
      set: [1],
      map: { k: 1 },
    },
  ]);
  for (const line of lines) assert.match(String(line.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

Deno.test("levels below the configured one are skipped", () => {
  const { lines } = logged({ level: "warn" }, (logging) => {
    const logger = logging.logger("x");
    logger.debug("d");
    logger.info("i");
    logger.warn("w");
    logger.error("e");
  });
  assert.deepEqual(lines.map((line) => line.level), ["warn", "error"]);
});

Deno.test("secrets are redacted by key, whatever their value", () => {
  const { lines } = logged({}, (logging) =>
    logging.logger("x").info("m", {
      token: "t1",
      source_token: "t2",
      NDR_METRICS_TOKEN: "t3",
      clientSecret: "t4",
      password: "t5",
      headers: { authorization: "t6", "Set-Cookie": ["t7"], cookie: "t8", accept: "*/*" },
      secrets: { secret: "/path" },
      list: [{ apiKey: "t9" }],
      // Not secret.
      token_env: "NDR_TOKEN_1",
      prompt_tokens: 12,
      token_present: true,
      keyboard: "de",
      csrf_token: null,
    }));
  const { time: _time, level: _level, logger: _logger, message: _message, ...fields } = lines[0]!;
  assert.deepEqual(fields, {
    token: "[redacted]",
    source_token: "[redacted]",
    NDR_METRICS_TOKEN: "[redacted]",
    clientSecret: "[redacted]",
    password: "[redacted]",
    headers: {
      authorization: "[redacted]",
      "Set-Cookie": "[redacted]",
      cookie: "[redacted]",
      accept: "*/*",
    },
    secrets: "[redacted]",
    list: [{ apiKey: "[redacted]" }],
    token_env: "NDR_TOKEN_1",
    prompt_tokens: 12,
    token_present: true,
    keyboard: "de",
    csrf_token: null,
  });
});

Deno.test("a registered secret is redacted wherever its value appears", () => {
  const secret = 'to"ken+of/sixteen';
  const longer = `${secret}-and-more`;
  const { lines, text } = logged({ secrets: [secret] }, (logging) => {
    logging.addSecrets([longer]);
    logging.logger("x").error(`message with ${secret}`, {
      text: `a ${longer} b ${secret}`,
      url: `https://x/?q=${encodeURIComponent(secret)}`,
      json: JSON.stringify({ secret }),
      base64: btoa(secret),
      error: new Error(`boom ${secret}`, { cause: { detail: [secret] } }),
      [secret]: 1,
    });
  });
  assert.equal(lines.length, 1);
  for (
    const form of [secret, encodeURIComponent(secret), btoa(secret), JSON.stringify(secret).slice(1, -1)]
  ) {
    assert.ok(!text.includes(form), form);
    assert.ok(!text.includes(JSON.stringify(form).slice(1, -1)), form);
  }
  assert.equal(lines[0]!.message, "message with [redacted]");
  assert.equal(lines[0]!.text, "a [redacted] b [redacted]");
});

Deno.test("credentials are redacted by form", () => {
  const { lines } = logged({}, (logging) =>
    logging.logger("x").info("m", {
      header: "Authorization: Bearer abc.DEF-123_~+/==, next",
      database: "connect postgres://ndr:hunter2@db.example:5432/ndr failed",
      plain: "https://example.org:8443/path and a@b.example",
    }));
  assert.equal(lines[0]!.header, "Authorization: Bearer [redacted], next");
  assert.equal(lines[0]!.database, "connect postgres://ndr:[redacted]@db.example:5432/ndr failed");
  assert.equal(lines[0]!.plain, "https://example.org:8443/path and a@b.example");
});

Deno.test("cycles, depth and size are bounded", () => {
  const loop: Record<string, unknown> = { name: "loop" };
  loop.self = loop;
  let deep: unknown = "bottom";
  for (let i = 0; i < 1000; i++) deep = { deep };
  const shared = { a: 1 };
  const { lines, text } = logged({}, (logging) =>
    logging.logger("x").info("m", {
      loop,
      deep,
      twice: [shared, shared],
      long: "y".repeat(1_000_000),
      many: Array(10_000).fill(0),
    }));
  assert.deepEqual(lines[0]!.loop, { name: "loop", self: "[circular]" });
  assert.deepEqual(lines[0]!.twice, [{ a: 1 }, { a: 1 }]);
  assert.ok(text.length < 20_000);
});

Deno.test("an error keeps its name, message, code, stack and cause", () => {
  const { lines } = logged({}, (logging) => {
    const error = Object.assign(new TypeError("outer", { cause: new Error("inner") }), { code: "E_X" });
    logging.logger("x").error("m", { error });
  });
  const error = lines[0]!.error as Record<string, Record<string, unknown>>;
  assert.deepEqual([error.name, error.message, error.code, error.cause?.message], [
    "TypeError",
    "outer",
    "E_X",
    "inner",
  ]);
  assert.match(String(error.stack), /log_test\.ts/);
});
