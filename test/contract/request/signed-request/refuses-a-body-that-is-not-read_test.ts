import assert from "node:assert/strict";
import { assertUnauthenticated, rawTest, signedLines, SITE } from "./raw.ts";

const CHUNKED = "3\r\nabc\r\n0\r\n\r\n";

// No handler reads the body of a GET, so nothing could verify it.
rawTest("refuses a body on a GET, because it is not signed", async (core) => {
  const headers = await signedLines(SITE);
  for (const method of ["GET", "HEAD"]) {
    const length = await core.ask(`${method} ${SITE} HTTP/1.1`, [...headers, "Content-Length: 3"], "abc");
    assert.equal(length.status, 401);
    const chunks = await core.ask(
      `${method} ${SITE} HTTP/1.1`,
      [...headers, "Transfer-Encoding: chunked"],
      CHUNKED,
    );
    assert.equal(chunks.status, 401);
  }
  assertUnauthenticated(await core.ask(`GET ${SITE} HTTP/1.1`, [...headers, "Content-Length: 3"], "abc"));
  const empty = await core.ask(`GET ${SITE} HTTP/1.1`, [...headers, "Content-Length: 0"]);
  assert.equal(empty.status, 200);
});
