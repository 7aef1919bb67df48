// Raw requests to a core's listener, for what no HTTP client would send.

import assert from "node:assert/strict";
import { signRequest, WEB_SERVICE } from "../../../../src/contract/request/signed-request.ts";
import { rejectInexactRequest } from "../../../../src/core/inexact-request.ts";
import { listen } from "../../../../src/kit/net/listen.ts";
import type { Database } from "../../../../src/store/engine/database.ts";
import { freshDatabase } from "../../../support/database.ts";
import { exchangeRaw, type RawAnswer, rawRequest } from "../../../support/raw-http.ts";
import { coreOn, TEST_KEY, TEST_NOW } from "../../core.ts";
import { unreachableDatabase } from "../../support.ts";

export const SITE = "/api/v1/site";

/** A core behind a listener, as in the program. */
interface RawCore {
  url: string;
  /** Answers a request line with header lines and a body. */
  ask(requestLine: string, headers: readonly string[], body?: string): Promise<RawAnswer>;
}

/** Header lines of a signed request of ada, analyst in `main`. */
export async function signedLines(
  pathname: string,
  { method = "GET", search = "", body = "" }: { method?: string; search?: string; body?: string } = {},
): Promise<string[]> {
  const bytes = new TextEncoder().encode(body);
  const headers = await signRequest(TEST_KEY, { method, pathname, search, body: bytes }, {
    service: WEB_SERVICE,
    tenantId: "main",
    subject: "ada",
    roles: ["analyst"],
    issuedAt: TEST_NOW,
    expiresAt: TEST_NOW + 60_000_000,
    nonce: crypto.randomUUID(),
  });
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** The same lines with the value of one header changed. */
export function withLine(lines: readonly string[], name: string, change: (line: string) => string): string[] {
  return lines.map((line) => line.startsWith(`${name}:`) ? change(line) : line);
}

/** A test on a core behind its listener; refusals need no database. */
export function rawTest(
  name: string,
  body: (core: RawCore) => Promise<void>,
  options: { database?: boolean } = {},
): void {
  Deno.test(`signed request: ${name}`, async () => {
    const db: Database = options.database ? await freshDatabase() : unreachableDatabase();
    const { app } = coreOn(db);
    const listener = await listen((request) => app.fetch(request), {
      hostname: "127.0.0.1",
      port: 0,
      before: rejectInexactRequest,
    });
    const ask: RawCore["ask"] = (requestLine, headers, body) =>
      exchangeRaw(listener.url, rawRequest(requestLine, listener.url, headers, body));
    try {
      await body({ url: listener.url, ask });
    } finally {
      await listener.close();
      await db.close();
    }
  });
}

const UNAUTHENTICATED =
  '{"error":{"code":"unauthenticated","message":"Authentication required: sign in or send a valid credential.","request_id":"","details":{"reason":"unauthenticated"}}}';

/** The only answer to an invalid signature: identical except for the request id. */
export function assertUnauthenticated(answer: { status: number; body: string }, what = ""): void {
  assert.equal(answer.status, 401, `${what}: ${answer.body}`);
  assert.equal(
    answer.body.replace(/"request_id":"[0-9a-f-]{36}"/, '"request_id":""'),
    UNAUTHENTICATED,
    what,
  );
}
