import assert from "node:assert/strict";
import { sendRaw } from "../../../support/raw-http.ts";
import { assertUnauthenticated, rawTest, signedLines, SITE, withLine } from "./raw.ts";

const LINE = `GET ${SITE} HTTP/1.1`;

rawTest("a header has one name in any case, and no other name replaces it", async (core) => {
  const upper = (await signedLines(SITE)).map((line) => line.replace(/^[^:]+/, (name) => name.toUpperCase()));
  const lower = (await signedLines(SITE)).map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()));
  const beside = [
    "X_NDR_Tenant: branch",
    "X-NDR_Tenant: branch",
    "X-NDR-Tenant-: branch",
    "NDR-Tenant: branch",
    "X-Tenant-Id: branch",
    // Hop-by-hop or not: nothing between the processes removes it, and it is signed.
    "Connection: X-NDR-Tenant",
  ];
  for (
    const headers of [upper, lower, [...await signedLines(SITE), ...beside], [
      ...beside,
      ...await signedLines(SITE),
    ]]
  ) {
    const answer = await core.ask(LINE, headers);
    assert.equal(answer.status, 200, answer.body);
    assert.equal(JSON.parse(answer.body).data.caller.tenantId, "main");
  }
  const renamed = withLine(await signedLines(SITE), "X-NDR-Tenant", (line) => line.replaceAll("-", "_"));
  assertUnauthenticated(await core.ask(LINE, renamed));
});

rawTest("refuses a tenant that differs only in case", async (core) => {
  const tenants = [
    "",
    "Main",
    "MAIN",
    "main,",
    "main;",
    '"main"',
    "main\tbranch",
    "main branch",
    "m\u00e4in",
    "mai%6e",
  ];
  for (const tenant of tenants) {
    const headers = withLine(await signedLines(SITE), "X-NDR-Tenant", () => `X-NDR-Tenant: ${tenant}`);
    assertUnauthenticated(await core.ask(LINE, headers), tenant);
  }
  // White space around a value is not part of it.
  const spaces = withLine(await signedLines(SITE), "X-NDR-Tenant", () => "X-NDR-Tenant: \t main \t ");
  assert.equal((await core.ask(LINE, spaces)).status, 200);
});

// Not HTTP at all: the listener refuses it before any claim is read.
rawTest("a tenant with a line end never arrives", async (core) => {
  const broken = [
    "X-NDR-Tenant: main\r\n branch",
    "X-NDR-Tenant: main\rbranch",
    "X-NDR-Tenant: main\nbranch",
    "X-NDR-Tenant: main\0",
    "X-NDR-Tenant : main",
    "X-NDR-Tenant\t: main",
    " X-NDR-Tenant: main",
  ];
  for (const line of broken) {
    const headers = withLine(await signedLines(SITE), "X-NDR-Tenant", () => line);
    const text = [LINE, "Host: x", ...headers, "Connection: close", "", ""].join("\r\n");
    const answer = await sendRaw(core.url, text);
    assert.match(answer, /^HTTP\/1\.1 40[01] /, JSON.stringify(line));
    assert.doesNotMatch(answer, /"data"/);
  }
});
