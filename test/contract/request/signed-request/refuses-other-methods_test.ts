import assert from "node:assert/strict";
import { sendRaw } from "../../../support/raw-http.ts";
import { rawTest, signedLines, SITE } from "./raw.ts";

rawTest("refuses a HEAD with the signature of a GET, and vice versa", async (core) => {
  assert.equal((await core.ask(`HEAD ${SITE} HTTP/1.1`, await signedLines(SITE))).status, 401);
  assert.equal(
    (await core.ask(`GET ${SITE} HTTP/1.1`, await signedLines(SITE, { method: "HEAD" }))).status,
    401,
  );
  assert.equal(
    (await core.ask(`HEAD ${SITE} HTTP/1.1`, await signedLines(SITE, { method: "HEAD" }))).status,
    200,
  );
});

rawTest("a method that a route lacks is refused before any claim is read", async (core) => {
  for (const method of ["OPTIONS", "TRACE", "PUT", "DELETE", "POST", "PROPFIND"]) {
    const answers = [];
    for (const headers of [await signedLines(SITE, { method }), await signedLines(SITE), []]) {
      const { status, body } = await core.ask(`${method} ${SITE} HTTP/1.1`, [...headers, "X-Secret: 7"]);
      assert.equal(status, 405, method);
      // A request id is hexadecimal and may spell a name.
      const said = body.replace(/"request_id":"[^"]*"/, "");
      // Nothing is echoed, which would be TRACE's purpose.
      assert.doesNotMatch(said, /Secret|ada|main/);
      answers.push(said);
    }
    assert.equal(new Set(answers).size, 1, method);
  }
  // A header that names another method has no effect.
  for (const name of ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]) {
    const answer = await core.ask(`GET ${SITE} HTTP/1.1`, [...await signedLines(SITE), `${name}: DELETE`]);
    assert.equal(answer.status, 200, name);
  }
});

rawTest("is no proxy", async (core) => {
  const answer = await sendRaw(core.url, "CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: 127.0.0.1:5432\r\n\r\n");
  assert.doesNotMatch(answer, /^HTTP\/1\.1 2/);
});
