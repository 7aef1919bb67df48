import assert from "node:assert/strict";
import { assertUnauthenticated, rawTest, signedLines } from "./raw.ts";

const PATH = "/api/v1/incidents/incident-1";
const BODY = '{"status":"investigating"}';
const LINE = `PATCH ${PATH} HTTP/1.1`;
const headers = async () => [
  ...await signedLines(PATH, { method: "PATCH", body: BODY }),
  "Content-Type: application/json",
  "Idempotency-Key: k1",
  'If-Match: "1"',
  "Transfer-Encoding: chunked",
];

function chunked(text: string, size: number): string {
  let body = "";
  for (let at = 0; at < text.length; at += size) {
    const part = text.slice(at, at + size);
    body += `${part.length.toString(16)};note=x\r\n${part}\r\n`;
  }
  return `${body}0\r\nX-NDR-Tenant: branch\r\n\r\n`;
}

rawTest("a chunked body is signed as its content; trailers are no claims", async (core) => {
  for (const size of [1, 7, 1000]) {
    const answer = await core.ask(LINE, await headers(), chunked(BODY, size));
    assert.equal(answer.status, 200, answer.body);
    assert.equal(JSON.parse(answer.body).data.caller.tenantId, "main");
  }
}, { database: true });

rawTest("refuses chunks with another content", async (core) => {
  for (const body of ['{"status":"false_positive"}', BODY + " ", BODY.slice(1), ""]) {
    assertUnauthenticated(await core.ask(LINE, await headers(), chunked(body, 5)), body);
  }
});

rawTest("refuses claims in trailers", async (core) => {
  const claims = await signedLines(PATH, { method: "PATCH", body: BODY });
  const rest = (await headers()).filter((line) =>
    !claims.some((claim) => claim.split(":")[0] === line.split(":")[0])
  );
  const body = chunked(BODY, 9).replace(/0\r\n.*$/s, `0\r\n${claims.join("\r\n")}\r\n\r\n`);
  assertUnauthenticated(await core.ask(LINE, rest, body));
});
